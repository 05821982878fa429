# ---
# description: One sentence from X to the output, by hand in NumPy and then by function.
# ---

# %% [markdown]
# # Lab: from X to the output { #lab-engineer }
#
# This lab works through the sentence of [lesson 02](../lessons/02-qkv-lookup.md) from beginning to
# end: engineer · in · California · works.
#
# It does so first with NumPy alone, one step at a time, and then with the functions of `qkvdocs`,
# to see whether the numbers are the same.
#
# All vectors are built by hand; no model learned them.

# %% [markdown]
# ## The input { #input }
#
# Four tokens, each a row of five numbers that stand for person, place, event, time, and leaning on
# another word.
#
# Stacked, the four rows are $X$, of shape 4 × 5.

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
# ## Three projections { #projections }
#
# Multiplied by three matrices, $X$ gives the queries $\query{Q}$, the keys $\key{K}$ and the values $\val{V}$:
#
# $$
# \query{Q} = X W^Q, \qquad \key{K} = X W^K, \qquad \val{V} = X W^V
# $$
#
# The two numbers of a query or key are about “event”, then “who” (positive) or “where” (negative).
# The three numbers of a value are who, where, and what happens.

# %%
W_Q = np.array([[0, -0.5], [1, 0.5], [0, 1], [1, 1], [0.5, -0.5]])
W_K = np.array([[0, 1], [0.5, -1], [1, 0], [1, 0.5], [0, 0]])
W_V = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]])

Q, K, V = X @ W_Q, X @ W_K, X @ W_V
for name, matrix in {"Q": Q, "K": K, "V": V}.items():
    print(name, matrix.shape)
    print(*matrix.tolist(), sep="\n")

# %% [markdown]
# The query of *engineer* is the first row. Its second number is negative, so it asks: where?

# %% [markdown]
# ## Scores { #scores }
#
# The dot product of each query with each key is an attention score.
#
# In row $i$, token $i$ asks; in column $j$, token $j$ is asked:
#
# $$
# S = \query{Q} \key{K}^\top
# $$
#
# As in lesson 02, nothing is divided by $\sqrt{d_k}$ yet. First the one dot product in which
# *engineer* asks *California*, spelled out; then all scores.

# %%
S = Q @ K.T
terms = [f"({q:g} × {k:g})" for q, k in zip(Q[0], K[2], strict=True)]
print(" + ".join(terms), "=", f"{S[0, 2]:g}")
print(*S.tolist(), sep="\n")

# %% [markdown]
# ## Weights { #weights }
#
# Softmax works row by row: the exponential of each score, divided by the sum of its row.
#
# What comes out are attention weights, and each row sums to 1:
#
# $$
# A_{ij} = \frac{\exp(S_{ij})}{\sum_m \exp(S_{im})}
# $$
#
# Subtracting the largest score of the row first changes nothing, except that no exponential grows
# too large.

# %%
E = np.exp(S - S.max(axis=1, keepdims=True))
A = E / E.sum(axis=1, keepdims=True)
print(*A.round(2).tolist(), sep="\n")
print("rows   ", A.sum(axis=1).round(2).tolist())
print("columns", A.sum(axis=0).round(2).tolist())

# %% [markdown]
# Each row sums to 1; a column need not: some tokens are looked at a lot, others hardly at all.
#
# Drawn as a heat map in characters, it shows at a glance who looks at whom. The fuller the
# block, the more weight:

# %%
SHADES = " ░▒▓█"
for word, row in zip(words, A, strict=True):
    cells = [SHADES[round(4 * weight)] * 4 for weight in row.tolist()]
    print("│" + "│".join(cells) + "│", word)

# %% [markdown]
# The four columns are in the same order as the rows. *Engineer* and *in* look at *California*,
# *California* looks at *works*, and *works* looks at *engineer*.

# %% [markdown]
# ## The weighted sum { #weighted-sum }
#
# Last, each token adds up the four values by the weights of its row, which is a weighted sum:
#
# $$
# O = A \val{V}
# $$
#
# First for *engineer*, one term at a time, with the sum so far after the arrow; then the outputs of
# all four. The weights have one more decimal, so that you can check the sums:

# %%
total = np.zeros(V.shape[1])
for word, weight, value in zip(words, A[0], V, strict=True):
    total += weight * value
    term = f"{weight:.3f} × {value.tolist()}"
    print(f"{term} → {total.round(2).tolist()}  {word}")
output = A @ V
print(*output.round(2).tolist(), sep="\n")

# %% [markdown]
# The value that *engineer* hands over says only “who”. The largest entry of its output is “where”,
# and most of that came from *California*.

# %% [markdown]
# ## Once more, by function { #once-more }
#
# The functions of `qkvdocs.attention` do the same. Here `scale=1` means: don't divide by
# $\sqrt{d_k}$.

# %%
query, key, value = project(X, W_Q, W_K, W_V)
weights = attention_weights(query, key, scale=1)
print("same weights:", np.allclose(weights, A))
sums = attention(query, key, value, scale=1)
print("same output:", np.allclose(sums, output))
print("as in lesson 02:", np.allclose(output, engineer.output))

# %% [markdown]
# Without `scale=1` it is the full formula. The weights even out a little, and their order in each
# row stays as it was:
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
# ## Try it further { #try }
#
# Download this lab, change one thing, guess, and run it:
#
# - Once the three matrices are built, set `W_Q = W_K`. What is special about the scores? Which
#   tokens score themselves highest?
# - Replace `W_V` by the identity, `np.eye(5)`. How many numbers does an output have now? Did the
#   weights change?
# - Put the four rows of `X` in another order, and `words` too. What happens to the output?
#
# The answers are in [“Think about it”](../lessons/02-qkv-lookup.md#think-about-it) of lesson 02.
#
# For word order, see [this section](../lessons/02-qkv-lookup.md#no-order).
