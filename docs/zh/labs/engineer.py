# ---
# description: 用 NumPy 把“工程师在加州工作”从 X 一步步算到输出，再用一个函数算一遍，两次的数一样。
# ---

# %% [markdown]
# # 实验：从 X 到输出 { #lab-engineer }
#
# 这个实验把[第 02 课](../lessons/02-qkv-lookup.md)的句子从头算到尾：工程师 · 在 · 加州 · 工作。
#
# 先只用 NumPy，一步一步来。再用 `qkvdocs` 的函数算一遍，看两次的数是否一样。
#
# 所有的向量都是手工构造的，不是哪个模型学出来的。

# %% [markdown]
# ## 输入 { #input }
#
# 四个词元（token），每个是一行五个数，依次表示：人、地点、事情、时间、依附。
#
# 四行叠起来就是 $X$，形状是 4 × 5。

# %%
import numpy as np

from qkvdocs.attention import attention, attention_weights, project
from qkvdocs.examples import engineer

words = [f"{token.zh} {token.en}" for token in engineer.tokens]
X = np.array(
    [
        [2, 0, 0, 0, 0],
        [0, 1, 0, 0, 2],
        [0, 2, 1, 0, 0],
        [1, 0, 2, 0, 0],
    ]
)
for word, x in zip(words, X, strict=True):
    print(x, word)

# %% [markdown]
# ## 三个投影 { #projections }
#
# $X$ 乘三个矩阵，得到查询（query）$\query{Q}$、键（key）$\key{K}$ 和值（value）$\val{V}$：
#
# $$
# \query{Q} = X W^Q, \qquad \key{K} = X W^K, \qquad \val{V} = X W^V
# $$
#
# 查询和键的两个数，第一个管“事情”，第二个管“谁”（正）或“哪里”（负）。值的三个数是：谁、哪里、什么事。

# %%
W_Q = np.array([[0, -0.5], [1, 0.5], [0, 1], [1, 1], [0.5, -0.5]])
W_K = np.array([[0, 1], [0.5, -1], [1, 0], [1, 0.5], [0, 0]])
W_V = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]])

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
for name, matrix in {"Q": Q, "K": K, "V": V}.items():
    print(name, matrix.shape)
    print(*matrix.tolist(), sep="\n")

# %% [markdown]
# “工程师”的查询是打印出的第一行。第二个数为负，所以它问的是：在哪里？

# %% [markdown]
# ## 分数 { #scores }
#
# 每个查询和每个键做一次点积（dot product），得到注意力分数（attention score）。
#
# 第 $i$ 行是词元 $i$ 在问，第 $j$ 列是词元 $j$ 被问：
#
# $$
# S = \query{Q} \key{K}^\top
# $$
#
# 和第 02 课一样，这里先不除以 $\sqrt{d_k}$。下面把“工程师”问“加州”的那一次点积拆开来看。

# %%
S = Q @ K.T
terms = [f"({q:g} × {k:g})" for q, k in zip(Q[0], K[2], strict=True)]
print(" + ".join(terms), "=", f"{S[0, 2]:g}")
print(*S.tolist(), sep="\n")

# %% [markdown]
# ## 权重 { #weights }
#
# softmax 一行一行地做：每个分数取指数，再除以这一行的总和。
#
# 结果是注意力权重（attention weight），每一行加起来是 1：
#
# $$
# A_{ij} = \frac{\exp(S_{ij})}{\sum_m \exp(S_{im})}
# $$
#
# 先减去一行里最大的分数，结果不变，指数却不会太大。

# %%
E = np.exp(S - S.max(axis=1, keepdims=True))
A = E / E.sum(axis=1, keepdims=True)
print(*A.round(2).tolist(), sep="\n")
print("rows   ", A.sum(axis=1).round(2).tolist())
print("columns", A.sum(axis=0).round(2).tolist())

# %% [markdown]
# 每一行加起来是 1，每一列不一定：有的词元被看得多，有的被看得少。
#
# 用字符画成热图，看谁在看谁。方块越满，权重越大：

# %%
SHADES = " ░▒▓█"
for word, row in zip(words, A, strict=True):
    cells = [SHADES[round(4 * weight)] * 4 for weight in row.tolist()]
    print("│" + "│".join(cells) + "│", word)

# %% [markdown]
# 四列的次序和四行一样。“工程师”和“在”看“加州”，“加州”看“工作”，“工作”看“工程师”。

# %% [markdown]
# ## 加权和 { #weighted-sum }
#
# 最后，每个词元按自己那一行权重，把四个值加起来，这就是加权和（weighted sum）：
#
# $$
# O = A \val{V}
# $$
#
# 对“工程师”，一项一项地加，箭头后面是加到这里为止的和；最后打印四个词元的输出。权重多写一位小数，方便验算：

# %%
total = np.zeros(V.shape[1])
for word, weight, value in zip(words, A[0], V, strict=True):
    total += weight * value
    term = f"{weight:.3f} × {value.tolist()}"
    print(f"{term} → {total.round(2).tolist()}  {word}")
output = A @ V
print(*output.round(2).tolist(), sep="\n")

# %% [markdown]
# “工程师”交出的值只有“谁”。现在它手里最大的一项是“哪里”，主要来自“加州”。

# %% [markdown]
# ## 用一个函数再算一遍 { #once-more }
#
# `qkvdocs.attention` 里的函数做的是同样的事。`scale=1` 表示不除以 $\sqrt{d_k}$：

# %%
query, key, value = project(X, W_Q, W_K, W_V)
weights = attention_weights(query, key, scale=1)
print("same weights:", np.allclose(weights, A))
sums = attention(query, key, value, scale=1)
print("same output:", np.allclose(sums, output))
print("as in lesson 02:", np.allclose(output, engineer.output))

# %% [markdown]
# 去掉 `scale=1`，就是完整的公式。权重变得平缓一些，每一行的名次不变：
#
# $$
# O = \operatorname{softmax}\left( \frac{\query{Q} \key{K}^\top}{\sqrt{d_k}} \right) \val{V}
# $$

# %%
scaled = attention_weights(query, key)
print(*scaled.round(2).tolist(), sep="\n")
same = np.array_equal(scaled.argsort(axis=1), A.argsort(axis=1))
print("same ranking:", same)

# %% [markdown]
# ## 接着试 { #try }
#
# 下载这个实验，改一处，先猜结果，再运行：
#
# - 三个矩阵都写好以后，加一行 `W_Q = W_K`。分数矩阵有什么特别？哪些词元给自己的分数最高？
# - 把 `W_V` 换成单位矩阵 `np.eye(5)`。输出有几个数？权重变了吗？
# - 把 `X` 的四行换个次序，`words` 也跟着换。输出怎么变？
#
# 答案在第 02 课的[“想一想”](../lessons/02-qkv-lookup.md#think-about-it)里。
#
# 词序的问题，看[这一节](../lessons/02-qkv-lookup.md#no-order)。
