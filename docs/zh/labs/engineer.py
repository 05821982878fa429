# ---
# description: 从 X 到输出
# ---

# %% [markdown]
# # 实验：从 X 到输出 { #lab-engineer }

# %%
from qkvdocs.examples import engineer

print(engineer.weights.round(3).tolist())
