# ---
# description: 手写梯度，训练一个很小的模型，看三个一样的矩阵怎样变成 W^Q、W^K 和 W^V。
# ---

# %% [markdown]
# # 实验：训练 Q、K、V { #lab-training }
#
# 没有人事先规定三个矩阵各做什么。这个实验从三个**一模一样**的矩阵开始，手写梯度来训练，看它们怎样分开。
#
# 任务和模型就是[笔记](../notes/qkv-roles.md#trained-here)里的那个。模型是**在这里训练的**，全部计算只要一两秒。

# %% [markdown]
# ## 任务：问后面那个词元 { #task }
#
# 每个序列里有同样的几个词元，每个带一个随机抽的符号。词元 $i$ 要答出词元 $i + 1$ 带的符号，最后一个问第一个。
#
# 谁问谁，永远不变，要学。带什么符号，每次都变，要查。
#
# $x$ 的前一半说“我是谁”，后一半说“我带什么”。先看一个只有 4 个词元的：

# %%
import numpy as np

from qkvdocs.attention import softmax
from qkvdocs.training import (
    Adam,
    accuracy,
    forward_backward,
    start,
    task,
    train,
)

small = task("same", m=4)
x, target = small.sequences(np.random.default_rng(0), ())
for i in range(4):
    who, what = x[i, :4].astype(int), x[i, 4:].astype(int)
    answer = target[i].astype(int)
    print(f"token {i}: I am {who}, I carry {what}, I answer {answer}")

# %% [markdown]
# ## 前向：从 x 到损失 { #forward }
#
# 模型只有一层、一个头，后面跟一个输出矩阵 $W^O$，给每种符号一个 logit：
#
# $$
# A = \operatorname{softmax}\left( \frac{\query{Q} \key{K}^\top}{\sqrt{d_k}} \right), \qquad O = A \val{V}, \qquad \text{logits} = O W^O
# $$
#
# 损失是交叉熵：正确的符号的 $-\log \operatorname{softmax}$，对所有词元取平均。
#
# 从这里起有 8 个词元和 8 种符号。`start` 让 $W^Q$、$W^K$、$W^V$ 等于同一组随机数：


# %%
def forward(W, x):
    Q, K, V = x @ W["w_q"], x @ W["w_k"], x @ W["w_v"]
    A = softmax(Q @ K.mT / np.sqrt(Q.shape[-1]))
    return Q, K, V, A, A @ V


def loss(W, x, target):
    *_, output = forward(W, x)
    logits = output @ W["w_o"]
    total = np.exp(logits).sum(axis=-1, keepdims=True)
    surprise = np.log(total) - logits
    return (target * surprise).sum(axis=-1).mean()


about = task("same")
rng = np.random.default_rng(0)
W = start(rng, "separate")
x, target = about.sequences(rng, (16,))
for name, matrix in W.items():
    print(name, matrix.shape)
print("x", x.shape, "target", target.shape)
print("loss", round(float(loss(W, x, target)), 3))
print("loss of a blind guess", round(float(np.log(8)), 3))

# %% [markdown]
# ## 反向：手写梯度 { #backward }
#
# 从损失往回走，一步一行。记 $dO$ 为损失对 $O$ 的梯度，其余类推，$\odot$ 是逐项相乘：
#
# $$
# \val{dV} = A^\top dO, \qquad dA = dO \, \val{V}^\top
# $$
#
# $$
# dS = A \odot \left( dA - \operatorname{rowsum}(A \odot dA) \right)
# $$
#
# $dS$ 那一行来自 softmax 的导数：一个位置交出的值如果比这一行的平均更有用，它的分数就该升；更没用，就该降。接下来：
#
# $$
# \query{dQ} = \frac{dS \, \key{K}}{\sqrt{d_k}}, \qquad \key{dK} = \frac{dS^\top \query{Q}}{\sqrt{d_k}}
# $$
#
# $$
# dW^Q = X^\top \query{dQ}, \qquad dW^K = X^\top \key{dK}, \qquad dW^V = X^\top \val{dV}
# $$
#
# 三个矩阵的梯度都以 $X^\top$ 开头，往后就不同了：$dW^Q$ 里有键，$dW^K$ 里有查询，$dW^V$ 里两样都没有，只有权重和输出的梯度。


# %%
def backward(W, x, target):
    Q, K, V, A, output = forward(W, x)
    tokens = target[..., 0].size
    d_logits = (softmax(output @ W["w_o"]) - target) / tokens
    d_output = d_logits @ W["w_o"].T
    d_V = A.mT @ d_output
    d_A = d_output @ V.mT
    d_S = A * (d_A - (A * d_A).sum(axis=-1, keepdims=True))
    d_Q = d_S @ K / np.sqrt(K.shape[-1])
    d_K = d_S.mT @ Q / np.sqrt(K.shape[-1])
    d_W = {"w_q": x.mT @ d_Q, "w_k": x.mT @ d_K, "w_v": x.mT @ d_V}
    d_W["w_o"] = output.mT @ d_logits
    return {name: d_w.sum(axis=0) for name, d_w in d_W.items()}


gradients = backward(W, x, target)
for name, gradient in gradients.items():
    length = np.linalg.norm(gradient)
    print(name, gradient.shape, f"length {length:.4f}")

# %% [markdown]
# 三个矩阵的数一模一样，收到的梯度却不一样长。分开就从这里开始。

# %% [markdown]
# ## 核对梯度 { #check }
#
# 手写的梯度容易错，所以每一个数都要核对：把矩阵的一个数推高一点，再拉低一点，看损失差多少。四个矩阵的每一个数都这样试一遍，再和 `qkvdocs` 里的函数比：


# %%
def measured(name, entry, h=1e-5):
    step = np.zeros_like(W[name])
    step[entry] = h
    up, down = ({**W, name: W[name] + push} for push in (step, -step))
    return (loss(up, x, target) - loss(down, x, target)) / (2 * h)


for name, gradient in gradients.items():
    entries = list(np.ndindex(gradient.shape))
    errors = [abs(measured(name, e) - gradient[e]) for e in entries]
    agree = bool(max(errors) < 1e-8)
    print(name, len(entries), "entries agree:", agree)

theirs = forward_backward(W, x, target, about.asks, "separate")
pairs = [(theirs.gradients[name], gradients[name]) for name in W]
same = all(np.allclose(*pair) for pair in pairs)
print("same as qkvdocs:", same)

# %% [markdown]
# ## 训练 { #train }
#
# 每一步抽 16 个新序列，用 Adam（一种常用的优化方法）走一步，一共 150 步。正确率是走这一步之前在这 16 个序列上的；后三列是三个梯度的长度：

# %%
rng = np.random.default_rng(0)
W = start(rng, "separate")
before = {name: matrix.copy() for name, matrix in W.items()}
xs, targets = about.sequences(rng, (150, 16))
adam = Adam(W, rate=0.05)
print("step  accuracy  dW^Q    dW^K    dW^V")
for t in range(150):
    gradients = backward(W, xs[t], targets[t])
    if t % 5 == 0 and t <= 40:
        *_, output = forward(W, xs[t])
        right = accuracy(output @ W["w_o"], targets[t], about.asks)
        of = [gradients[name] for name in ("w_q", "w_k", "w_v")]
        lengths = [f"{np.linalg.norm(d_w):.4f}" for d_w in of]
        print(f"{t:>4}      {right:.2f}", *lengths, sep="  ")
    adam.step(gradients)

# %% [markdown]
# 开始时 $W^V$ 的梯度最长，后来 $W^Q$ 和 $W^K$ 的追了上来。一种读法是：交出去的东西还说明不了什么的时候，看谁都差不多；等值有了内容，该看谁才有了区别。
#
# 再用 200 个没见过的序列来考，并把平均的权重画成热图，方块越满，权重越大：

# %%
x, target = about.sequences(np.random.default_rng(1000), (200,))
*_, A, output = forward(W, x)
right = accuracy(output @ W["w_o"], target, about.asks)
print("accuracy", float(right))
SHADES = " ░▒▓█"
for i, weights in enumerate(A.mean(axis=0)):
    cells = [SHADES[round(4 * w)] * 3 for w in weights.tolist()]
    print("│" + "│".join(cells) + "│ token", i)

# %% [markdown]
# 每个词元都看它后面那一个，最后一个看第一个。训练只告诉它该答出哪个符号，从没告诉它该看谁。

# %% [markdown]
# ## 三个矩阵变成了什么 { #what-became }
#
# 先看余弦：1 是方向相同，0 是毫不相干。再把每个矩阵的各个数平方，看总和里有多大一份落在前 8 行，也就是读“我是谁”的那些行，其余的都在读“我带什么”：


# %%
def cosine(a, b):
    return float((a * b).sum() / np.linalg.norm(a) / np.linalg.norm(b))


def reads_who(matrix):
    return float((matrix[:8] ** 2).sum() / (matrix**2).sum())


for a, b in (("w_q", "w_k"), ("w_q", "w_v"), ("w_k", "w_v")):
    was, now = (cosine(of[a], of[b]) for of in (before, W))
    print(f"{a} and {b}, cosine: {was:.2f} → {now:.2f}")
for name in ("w_q", "w_k", "w_v"):
    was, now = (reads_who(of[name]) for of in (before, W))
    print(f"{name} reads who I am: {was:.2f} → {now:.2f}")

# %% [markdown]
# $W^Q$ 和 $W^K$ 读“我是谁”，靠它决定看谁。$W^V$ 读“我带什么”，那正是要交出去的。
#
# 不要从单独一个 $W^Q$ 里读出太多：换成 $W^Q M$ 和 $W^K M^{-\top}$，分数一个也不变。

# %% [markdown]
# ## 四种模型，五个种子 { #variants }
#
# 要知道一样东西管什么，就把它拿掉。`train` 做的就是上面的事，一次训练五个模型，只有随机种子不同：
#
# - `separate`：三个矩阵分开，就是刚才的模型；
# - `tied`：$W^Q = W^K$；
# - `no_value`：没有 $W^V$，值就是 $x$；
# - `hard`：用 argmax 代替 softmax。
#
# 每行是平均、标准差，然后是五个种子各自的正确率。最后一行问：手写的模型和 `train` 的第一个是不是同一个？


# %%
def report(variant, task_name="same"):
    record = train(variant, task_name)
    seeds = "  ".join(f"{right:.2f}" for right in record.test_accuracy)
    mean = f"{record.mean:.3f} ± {record.spread:.3f}"
    print(f"{variant:<8}  {mean}   {seeds}")


for variant in ("separate", "tied", "no_value", "hard"):
    report(variant)
print("blind guess:", about.chance)
ours = all(np.allclose(train().after[name][0], W[name]) for name in W)
print("the same model:", ours)

# %% [markdown]
# ### 绑住 $W^Q$ 和 $W^K$ { #tied }
#
# 这时分数矩阵是对称的：$i$ 问 $j$ 和 $j$ 问 $i$ 得分一样。词元想看后面那个，就得同样想看前面那个，问不出方向。
#
# 可是换一个任务，前一半词元只问，后一半只答，绑住也照样全对：

# %%
report("separate", "different")
report("tied", "different")

# %% [markdown]
# ### 拿掉 $W^V$ { #no-value }
#
# 正确率没有降，因为只有一个头，后面又跟着 $W^O$，两个矩阵可以合成一个：$A (X W^V) W^O = A X (W^V W^O)$。后面没有线性变换的时候，就不能这样合并；有好几个窄头的时候，每个头都得交出整个 $x$。
#
# ### 换成 argmax { #hard }
#
# 只好瞎猜。看一看 150 步里梯度最长的时候有多长：

# %%
record = train("hard")
for name in ("w_q", "w_k", "w_v"):
    print(name, f"longest gradient {record.norms[name].max():.3f}")
before, after = record.before["w_q"], record.after["w_q"]
print("W^Q unchanged:", np.array_equal(before, after))

# %% [markdown]
# 信号传得到 $W^V$，传不到 $W^Q$ 和 $W^K$：argmax 的导数几乎处处是 0。它们停在原来的随机数上，看谁全凭运气。
#
# 也有绕过去的办法，例如直通估计（straight-through）和 Gumbel-softmax：前向用硬的，反向用软的。

# %% [markdown]
# ## 接着试 { #try }
#
# 改一处，先猜结果，再运行：
#
# - 在 `backward` 里，把 `d_S` 那一行的减法去掉。哪几个矩阵的核对会失败？
# - 让任务变成一次要两个来源：`task("two")` 和 `train("separate", "two")`。权重的热图会变成什么样？
# - 只训练 20 步。这时哪个矩阵已经分工清楚了，哪个还没有？
