# ---
# description: Gradients written by hand train a tiny model, and three equal matrices become W^Q, W^K and W^V.
# ---

# %% [markdown]
# # Lab: training Q, K and V { #lab-training }
#
# Nobody says in advance what each of the three matrices is for. This lab starts from three
# matrices that are **exactly equal**, trains them by gradients written by hand, and watches them
# come apart.
#
# The task and the model are those of [the note](../notes/qkv-roles.md#trained-here). The model is
# **trained here**, and everything together takes a second or two.

# %% [markdown]
# ## The task: ask the next token { #task }
#
# Each sequence has the same few tokens, and each token carries a symbol drawn at random. Token $i$
# has to name the symbol of token $i + 1$; the last one asks the first.
#
# Who asks whom never changes, and must be learned. What they carry changes each time, and must be
# looked up.
#
# The first half of $x$ says who I am, the second half what I carry. Here is a sequence of only 4
# tokens:

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
# ## Forward: from x to the loss { #forward }
#
# The model has one layer and one head, then an output matrix $W^O$ that gives each symbol a logit,
# which says how strongly the model answers with it:
#
# $$
# A = \operatorname{softmax}\left( \frac{\query{Q} \key{K}^\top}{\sqrt{d_k}} \right), \qquad O = A \val{V}, \qquad \text{logits} = O W^O
# $$
#
# The loss is the cross-entropy: $-\log \operatorname{softmax}$ at the right symbol, averaged over
# all tokens.
#
# From here on there are 8 tokens and 8 symbols. `start` sets $W^Q$, $W^K$ and $W^V$ to the same
# random numbers:


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
# ## Backward: gradients by hand { #backward }
#
# Walk back from the loss, one step a line. Write $dO$ for the gradient of the loss with respect to
# $O$, and so on; $\odot$ multiplies entry by entry:
#
# $$
# \val{dV} = A^\top dO, \qquad dA = dO \, \val{V}^\top
# $$
#
# $$
# dS = A \odot \left( dA - \operatorname{rowsum}(A \odot dA) \right)
# $$
#
# The line for $dS$ is the derivative of softmax: a score should change where its position is of
# more use, or of less, than the row is on average. From there:
#
# $$
# \query{dQ} = \frac{dS \, \key{K}}{\sqrt{d_k}}, \qquad \key{dK} = \frac{dS^\top \query{Q}}{\sqrt{d_k}}
# $$
#
# $$
# dW^Q = X^\top \query{dQ}, \qquad dW^K = X^\top \key{dK}, \qquad dW^V = X^\top \val{dV}
# $$
#
# All three gradients begin with $X^\top$, and then they part: $dW^Q$ contains the keys, $dW^K$ the
# queries, and $dW^V$ neither, only the weights and the gradient of the output.


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
# The three matrices hold the very same numbers, and yet their gradients differ in length. This is
# where the matrices begin to come apart.

# %% [markdown]
# ## Check the gradients { #check }
#
# Gradients written by hand are easy to get wrong, so check every number: push one entry of a
# matrix up a little, then down a little, and see how the loss differs. Do so for each entry of the
# four matrices; then compare with the function in `qkvdocs`:


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
# ## Train { #train }
#
# Each step draws 16 new sequences and lets Adam, a common optimiser, move the matrices once; there
# are 150 steps in all. The accuracy is on these 16 sequences, before the step; the last three
# columns are the lengths of the three gradients:

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
# At first the gradient of $W^V$ is the longest; then those of $W^Q$ and $W^K$ catch up. One way to
# read this: as long as what is handed over says little, it hardly matters whom you look at. Once
# values have something to say, it does.
#
# Now test the model on 200 sequences it never saw, and draw the mean weights as a heat map, where
# a fuller block is more:

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
# Each token looks at the next one, and the last at the first. The model was told which symbols to
# name, never whom to look at.

# %% [markdown]
# ## What became of the three { #what-became }
#
# First the cosines: 1 is the same direction, 0 is nothing in common. Then, of each matrix's sum of
# squares, the share that reads who I am, which is the first 8 rows; the rest reads what I carry:


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
# $W^Q$ and $W^K$ read who I am, and that decides whom to look at. $W^V$ reads what I carry, which
# is what has to be handed over.
#
# Don't read too much into $W^Q$ alone: with $W^Q M$ and $W^K M^{-\top}$ in place of the pair, every
# score stays the same.

# %% [markdown]
# ## Four models, five seeds { #variants }
#
# To learn what a part is for, take it away. `train` does what we did above, for five models at a
# time that differ only in their random seeds:
#
# - `separate`: three matrices, the model we just had;
# - `tied`: $W^Q = W^K$;
# - `no_value`: no $W^V$, so that the values are $x$;
# - `hard`: argmax in place of softmax.
#
# Each line has the mean accuracy, the standard deviation, and the accuracy of each of the five. The
# last line checks whether our model and the first one of `train` are the same:


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
# ### Tie $W^Q$ and $W^K$ { #tied }
#
# Now the matrix of scores is symmetric: $i$ asking $j$ scores the same as $j$ asking $i$. A token
# that wants to look at the one after it must want to look at the one before it just as much: there
# is no way to ask in one direction only.
#
# Take another task, though, in which the first half of the tokens only ask and the second half
# only answer, and tying costs nothing:

# %%
report("separate", "different")
report("tied", "different")

# %% [markdown]
# ### Leave out $W^V$ { #no-value }
#
# That costs nothing here, for there is one head with $W^O$ after it, and the two matrices can be
# made into one: $A (X W^V) W^O = A X (W^V W^O)$. Without a linear map afterwards that can't be
# done; and with several narrow heads, each would have to hand over the whole of $x$.
#
# ### Put argmax in place of softmax { #hard }
#
# All this model can do is guess. See how long the gradients were at their longest, over 150 steps:

# %%
record = train("hard")
for name in ("w_q", "w_k", "w_v"):
    print(name, f"longest gradient {record.norms[name].max():.3f}")
before, after = record.before["w_q"], record.after["w_q"]
print("W^Q unchanged:", np.array_equal(before, after))

# %% [markdown]
# The signal gets to $W^V$ but not to $W^Q$ and $W^K$: the derivative of argmax is 0 almost
# everywhere. They stay at the random numbers they started from, and whom a token looks at is luck.
#
# There are ways around it, such as the straight-through estimator and Gumbel-softmax: hard on the
# way forward, soft on the way back.

# %% [markdown]
# ## Try it further { #try }
#
# Change one thing, guess, and run it:
#
# - In `backward`, leave out the subtraction in the line for `d_S`. For which matrices does the
#   check fail?
# - Ask for two sources at once: `task("two")`, and `train("separate", "two")`. What will the heat
#   map look like?
# - Train for 20 steps only. Which matrix has found its job by then, and which has not?
