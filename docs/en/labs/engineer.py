# ---
# description: From X to the output
# ---

# %% [markdown]
# # Lab: from X to the output { #lab-engineer }

# %%
from qkvdocs.examples import engineer

print(engineer.weights.round(3).tolist())
