# ---
# description: Soft and hard retrieval answer the same queries in NumPy, and you see where each of them wins.
# ---

# %% [markdown]
# # Lab: soft against hard retrieval { #lab-soft-hard }
#
# Hard retrieval takes the value whose key scores highest and nothing else. Soft retrieval mixes all
# values by their weights.
#
# This lab makes the comparison of [lesson 02](../lessons/02-qkv-lookup.md#soft-and-hard) by hand:
# first how the two are connected, then where each of them wins and where it loses.
#
# The sentence and its vectors are built by hand. Whatever is random has its seed in the code, so
# you will get the same numbers.

# %% [markdown]
# ## Two ways to take { #two-ways }
#
# There is a query $\query{q}$, and there are a few keys $\key{k_j}$ and values $\val{v_j}$. Both ways use the same
# scores:
#
# $$
# e_j = \query{q} \cdot \key{k_j}, \qquad
# o_{\text{soft}} = \sum_j \alpha_j \val{v_j}, \qquad
# o_{\text{hard}} = \val{v_{j^*}}, \quad j^* = \operatorname{argmax}_j e_j
# $$
#
# Here $\alpha = \operatorname{softmax}(e / T)$, and $T$ is called the temperature, usually 1. As
# in lesson 02, scores are not divided by $\sqrt{d_k}$ yet.
#
# Again it is *engineer* that asks. Each line has a score, then a value (who, where, what happens):

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
# In both outputs “where” is the largest entry. Hard retrieval takes the value of *California* as it
# stands; soft retrieval brings a little of the other three along.

# %% [markdown]
# ## Temperature: from averaging to picking one { #temperature }
#
# Scores are divided by $T$ before softmax. A large $T$ makes their differences small, and the
# weights nearly equal. A small $T$ makes the differences large, and the weights nearly a 1 among
# 0s.
#
# The last column says how far the soft output is from the hard one:


# %%
def row(numbers):
    return "  ".join(f"{number:6.3f}" for number in numbers)


print("     T  weights                           distance")
for T in (100, 10, 1, 0.3, 0.1):
    weights = softmax(K @ query / T)
    distance = np.linalg.norm(soft(query, K, V, T) - hard(query, K, V))
    print(f"{T:>6}  {row(weights)}  {distance:10.3f}")

# %% [markdown]
# So hard retrieval is the limit of soft retrieval as $T \to 0$, provided that no two scores tie
# for the highest.
#
# Cool the whole sentence down, and each of the four tokens looks at hardly more than one. Rows are
# the tokens that look, columns the tokens they look at:

# %%
replace(engineer, name="cold", scale=1 / 0.1)

# %% [markdown]
# ## A hair's breadth { #a-hair }
#
# There are two keys whose scores hardly differ, and two values, 0 and 10. Push the second score
# up by a little more each time:

# %%
one, two_values = np.ones(1), np.array([0.0, 10.0])
print("nudge    soft  hard")
for nudge in (0, 0.004, 0.006, 0.01):
    key = np.array([[1.0], [0.995 + nudge]])
    outputs = soft(one, key, two_values), hard(one, key, two_values)
    print(f"{nudge:.3f}  {outputs[0]:.4f}  {outputs[1]:4g}")

# %% [markdown]
# The hard output jumps all the way; the soft one hardly moves. In a model, scores come from learned
# vectors and are never exact, and no position should be shut out by a hair's breadth.

# %% [markdown]
# ## Gradients: does a signal get back to the query? { #gradients }
#
# Training has to know how far one entry $o$ of the output moves when the query moves a little;
# $\val{v_j}$ is that same entry of each value. Differentiate with respect to the scores first; then $e_j = \query{q} \cdot \key{k_j}$ carries the result on to the query:
#
# $$
# \frac{\partial o}{\partial e_j} = \alpha_j (\val{v_j} - o), \qquad
# \frac{\partial o}{\partial \query{q}} = \sum_j \alpha_j (\val{v_j} - o) \, \key{k_j}
# $$
#
# Where a value is larger than the present output $o$, raising its score makes the output larger.
# Below we look only at “where” in the output, and check with finite differences: push each
# dimension of the query in turn, and see how far the output moves.


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
# For soft retrieval, formula and measurement agree. For hard retrieval, the measurement is 0: when
# the query moves a little, the best key is still the best, and the output stays where it was.
#
# Nor is that peculiar to this query. Try 200 random ones:


# %%
def by_query(retrieve, query):
    return measured(lambda q: retrieve(q, K, where), query)


random_queries = np.random.default_rng(0).normal(size=(200, 2))
for name, retrieve in {"soft": soft, "hard": hard}.items():
    flat = sum(not by_query(retrieve, q).any() for q in random_queries)
    print(name, flat, "of", len(random_queries), "gradients are zero")

# %% [markdown]
# So the hard output can be differentiated almost everywhere, and its derivative there is 0. Where
# two keys change places it jumps, and there it has no derivative.

# %% [markdown]
# ## Let the query learn { #learning }
#
# Without a gradient a query can't learn. Start from one that asks for the wrong thing, and train it
# to bring “where” to 2, which is what *California* has. The loss is half the square of what is
# missing, and each step goes against the gradient.
#
# Each line has the step, the two numbers of the query, and the loss:


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
# The query of soft retrieval turned its second number from positive to negative: it had asked who,
# and now asks where. The query of hard retrieval never took a step.

# %% [markdown]
# ## Two sources wanted { #two-sources }
#
# In *cat eats fish*, the verb needs its subject and its object. Both keys are built to fit it
# equally well, and each value holds one half of the answer:

# %%
key = np.array([[8.0], [0.0], [8.0]])
value = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
print("soft", soft(one, key, value).round(2).tolist())
print("hard", hard(one, key, value).tolist())

# %% [markdown]
# In a tie argmax has no single answer, and NumPy takes the first. That is how the object got lost;
# soft retrieval keeps both, half of each.
#
# Now for 2000 exercises. Each has 8 places, two of which are wanted, and each of these carries one
# of 6 symbols. An answer counts only if both symbols are right:


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
# Hard retrieval gets hold of one half and has to guess the other: a chance of 1 in 6.

# %% [markdown]
# ## More and more distractors { #distractors }
#
# Now the other way round. Only one key is right and the rest are random: can soft retrieval find
# it in longer and longer sequences?
#
# The query is the very key it looks for. Keys are 40 wide, and here scores are divided by
# $\sqrt{d_k}$. “weight” is what the right key gets. The last two columns say how far the output is
# from the right value, with the length of that value as 1. All numbers are means of 20 trials:

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
# Each distractor takes only a little, and there are thousands. The right key is the best one
# throughout, so hard retrieval never fails.
#
# For an exact fact in a long sequence, hard retrieval is the better one. You can also combine the
# two: pick the few highest scores, then apply softmax to those alone.

# %% [markdown]
# ## Try it further { #try }
#
# Change one thing, guess, and run it:
#
# - In the last piece of code, multiply `query` by 2 as well, which halves the temperature. Does the
#   right key get its weight back in long sequences?
# - In [two sources](#two-sources), change the third key from 8 to 9, then to 12. Does soft
#   retrieval still take half of each?
# - In [let the query learn](#learning), start from `[0.0, 0.0]`. What does hard retrieval do now?
#   Would you call that learning?
#
# [Question 5](../lessons/02-qkv-lookup.md#think-soft) of “Think about it” in lesson 02 is about
# just this.
