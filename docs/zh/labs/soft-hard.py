# ---
# description: 同样的问题，用软检索和硬检索各答一遍，看它们各自赢在哪里。
# ---

# %% [markdown]
# # 实验：软检索与硬检索 { #lab-soft-hard }
#
# 硬检索（hard retrieval）只取分数最高的那个值。软检索（soft retrieval）把所有的值按权重混在一起。
#
# 这个实验把[第 02 课](../lessons/02-qkv-lookup.md#soft-and-hard)的比较亲手做一遍：先看两者怎样相连，再看各自在哪里占优，在哪里吃亏。
#
# 句子和向量是手工构造的；随机的部分都写明了种子，你会得到同样的数。

# %% [markdown]
# ## 两种取法 { #two-ways }
#
# 一个查询 $\query{q}$，几个键 $\key{k_j}$，几个值 $\val{v_j}$。两种取法用的是同样的分数：
#
# $$
# e_j = \query{q} \cdot \key{k_j}, \qquad
# o_{\text{soft}} = \sum_j \alpha_j \val{v_j}, \qquad
# o_{\text{hard}} = \val{v_{j^*}}, \quad j^* = \operatorname{argmax}_j e_j
# $$
#
# 其中 $\alpha = \operatorname{softmax}(e / T)$。$T$ 叫温度，平常是 1。和第 02 课一样，分数先不除以 $\sqrt{d_k}$。
#
# 还是让“工程师”来问。每行先写分数，再写值（谁、哪里、什么事）：

# %%
from dataclasses import replace

import numpy as np

from qkvdocs.attention import softmax
from qkvdocs.examples import engineer
from qkvdocs.experiments import dilution


def soft(query, key, value, T=1.0):
    return softmax(key @ query / T) @ value


def hard(query, key, value):
    return value[(key @ query).argmax()]


words = [f"{token.zh} {token.en}" for token in engineer.tokens]
query, K, V = engineer.q[0], engineer.k, engineer.v
for score, value, word in zip(K @ query, V, words, strict=True):
    print(f"{score:>4g}  {value.tolist()}  {word}")
print("soft", soft(query, K, V).round(2).tolist())
print("hard", hard(query, K, V).tolist())

# %% [markdown]
# 两种输出里，最大的一项都是“哪里”。硬检索把“加州”的值原样拿走；软检索还带上了另外三个值的一点。

# %% [markdown]
# ## 温度：从平均到挑一个 { #temperature }
#
# 分数除以 $T$ 再做 softmax。$T$ 大，分数的差变小，权重趋于平均；$T$ 小，差变大，权重趋于一个 1 和一串 0。
#
# 最后一列是软输出离硬输出有多远：


# %%
def row(numbers):
    return "  ".join(f"{number:6.3f}" for number in numbers)


print("     T  weights                           distance")
for T in (100, 10, 1, 0.3, 0.1):
    weights = softmax(K @ query / T)
    distance = np.linalg.norm(soft(query, K, V, T) - hard(query, K, V))
    print(f"{T:>6}  {row(weights)}  {distance:10.3f}")

# %% [markdown]
# 所以硬检索是软检索在 $T \to 0$ 时的极限，只要最高分没有并列。
#
# 把整句话都降温，四个词元各自几乎只看一个词元。每一行是谁在看，每一列是看谁：

# %%
replace(engineer, name="cold", scale=1 / 0.1)

# %% [markdown]
# ## 一丝之差 { #a-hair }
#
# 两个键，分数只差一点；两个值，一个 0，一个 10。每次把第二个分数推高一点点：

# %%
one, two_values = np.ones(1), np.array([0.0, 10.0])
print("nudge    soft  hard")
for nudge in (0, 0.004, 0.006, 0.01):
    key = np.array([[1.0], [0.995 + nudge]])
    outputs = soft(one, key, two_values), hard(one, key, two_values)
    print(f"{nudge:.3f}  {outputs[0]:.4f}  {outputs[1]:4g}")

# %% [markdown]
# 硬输出一跳到底，软输出几乎没动。分数由学出来的向量算出，难免有一点误差；一个位置不该因为差了一丝就出局。

# %% [markdown]
# ## 梯度：信号能不能传回查询 { #gradients }
#
# 训练要知道：查询动一点，输出的一项 $o$ 动多少；$\val{v_j}$ 是值的同一项。先对分数求导，再用 $e_j = \query{q} \cdot \key{k_j}$ 传到查询：
#
# $$
# \frac{\partial o}{\partial e_j} = \alpha_j (\val{v_j} - o), \qquad
# \frac{\partial o}{\partial \query{q}} = \sum_j \alpha_j (\val{v_j} - o) \, \key{k_j}
# $$
#
# 如果一个值比现在的输出 $o$ 大，提高它的分数，输出就变大。下面只看输出里“哪里”这一项，并用有限差分来核对：查询的每一维各推一下，看输出动了多少。


# %%
def measured(output, at, h=1e-5):
    steps = h * np.eye(len(at))
    rises = [output(at + step) - output(at - step) for step in steps]
    return np.array(rises) / (2 * h)


where = V[:, 1]
alpha = softmax(K @ query)
o = alpha @ where
d_scores = alpha * (where - o)
d_query = d_scores @ K
print("by scores      ", row(d_scores))
print("by query       ", row(d_query))
slopes = measured(lambda q: soft(q, K, where), query)
print("soft, measured ", row(slopes))
slopes = measured(lambda q: hard(q, K, where), query)
print("hard, measured ", row(slopes))

# %% [markdown]
# 软检索的公式和测量一致。硬检索测出来是 0：查询动一点，第一名还是第一名，输出一动不动。
#
# 这不是碰巧。换成 200 个随机的查询：


# %%
def by_query(retrieve, query):
    return measured(lambda q: retrieve(q, K, where), query)


random_queries = np.random.default_rng(0).normal(size=(200, 2))
for name, retrieve in {"soft": soft, "hard": hard}.items():
    flat = sum(not by_query(retrieve, q).any() for q in random_queries)
    print(name, flat, "of", len(random_queries), "gradients are zero")

# %% [markdown]
# argmax 几乎处处可导，只是导数几乎处处是 0。它在名次交换的地方跳一下，可是那里没有导数。

# %% [markdown]
# ## 让查询去学 { #learning }
#
# 没有梯度，查询就学不了。从一个不合适的查询开始，要它让“哪里”这一项等于 2，也就是“加州”的值。损失是差的平方的一半，每一步沿梯度的反方向走。
#
# 每行是步数、查询的两个数、损失：


# %%
def descend(retrieve, query, rate=0.5):
    for step in range(101):
        miss = retrieve(query, K, where) - 2
        if step % 25 == 0:
            print(f"{step:>4}  {row(query)}  {miss**2 / 2:.3f}")
        query = query - rate * miss * by_query(retrieve, query)


for name, retrieve in {"soft": soft, "hard": hard}.items():
    print(name)
    descend(retrieve, np.array([0.5, 0.5]))

# %% [markdown]
# 软检索的查询把第二个数从正改成了负：从问“谁”改成问“哪里”。硬检索的查询一步也没有走。

# %% [markdown]
# ## 要两个来源 { #two-sources }
#
# “猫吃鱼”里的“吃”，要主语，也要宾语。我们让两个键和它的查询匹配得一样好，两个值各说一半：

# %%
key = np.array([[8.0], [0.0], [8.0]])
value = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
print("soft", soft(one, key, value).round(2).tolist())
print("hard", hard(one, key, value).tolist())

# %% [markdown]
# 并列的时候 argmax 没有唯一的答案，NumPy 取第一个。宾语就这样丢了；软检索两个都留着，各占一半。
#
# 出 2000 道题看看。每题有 8 个位置，其中两个要找，各带 6 种符号之一；两个符号都答对才算对：


# %%
def exercise(rng, n=8, symbols=6):
    subject, object_ = rng.permutation(n)[:2]
    symbol = rng.integers(symbols, size=n)
    value = np.zeros((n, 2, symbols))
    value[np.arange(n), 0, symbol] = 1
    value[object_] = value[object_, ::-1]  # told in the second half
    key = np.zeros((n, 1))
    key[[subject, object_]] = 8
    value = value.reshape(n, 2 * symbols)
    return key, value, symbol[[subject, object_]]


def share_right(retrieve, exercises=2000):
    rng = np.random.default_rng(0)
    right = 0
    for _ in range(exercises):
        key, value, wanted = exercise(rng)
        answer = retrieve(one, key, value).reshape(2, -1).argmax(axis=1)
        right += np.array_equal(answer, wanted)
    return right / exercises


print("soft", round(share_right(soft), 2))
print("hard", round(share_right(hard), 2))

# %% [markdown]
# 硬检索只拿得到一半，另一半靠猜，猜中的机会是 6 种里的 1 种。

# %% [markdown]
# ## 干扰越来越多 { #distractors }
#
# 现在反过来。只有一个键是对的，其余的都是随机的，看软检索能不能从越来越长的序列里把它找出来。
#
# 查询就是要找的那个键，键宽 40，这里分数除以 $\sqrt{d_k}$。weight 一列是正确的键得到的权重；后两列是输出离正确的值有多远，以那个值的长度为 1。都是 20 次的平均：

# %%
rng = np.random.default_rng(0)
keys = rng.normal(size=(20, 4096, 40))
values = rng.normal(size=(20, 4096, 8))
print("   n  weight  soft error  hard error")
for n in (8, 64, 512, 4096):
    results = []
    for key, value in zip(keys[:, :n], values[:, :n], strict=True):
        query = key[0] / np.sqrt(40)
        found = [by(query, key, value) for by in (soft, hard)]
        errors = np.linalg.norm(found - value[0], axis=1)
        errors /= np.linalg.norm(value[0])
        results.append([softmax(key @ query)[0], *errors])
    weight, by_soft, by_hard = np.mean(results, axis=0)
    print(f"{n:>4}  {weight:6.3f}  {by_soft:10.3f}  {by_hard:10.3f}")
lesson = dilution().at(4096)
print("as in lesson 02:", np.isclose(weight, lesson.top_weight))

# %% [markdown]
# 每个干扰只分走一点，可是有几千个。正确的键始终是第一名，所以硬检索一次也没有错。
#
# 要一字不差的事实、序列又长的时候，硬检索更好。也可以先硬后软：先挑出分数最高的几个，再在它们当中做 softmax。

# %% [markdown]
# ## 接着试 { #try }
#
# 改一处，先猜结果，再运行：
#
# - 在最后一段里，把 `query` 再乘 2，相当于温度减半。长序列里的权重回来了吗？
# - 在[两个来源](#two-sources)里，把第三个键从 8 改成 9，再改成 12。软检索还各占一半吗？
# - 在[让查询去学](#learning)里，从 `[0.0, 0.0]` 出发。硬检索会怎样？这算学会了吗？
#
# 第 02 课“想一想”的[第 5 题](../lessons/02-qkv-lookup.md#think-soft)问的就是这件事。
