"""A small model that is trained while the page is built: accuracy and three gradients."""

from matplotlib.axes import Axes

from qkvdocs.attention import FloatArray
from qkvdocs.experiments import trained
from qkvdocs.figures.curves import LINES, axis, note
from qkvdocs.figures.parts import SEPARATOR, number
from qkvdocs.figures.style import INK, KEY, MUTED, QUERY, VALUE, Drawing, plots
from qkvdocs.languages import Label, Language
from qkvdocs.training import SEEDS, train

ACCURACY = Label(
    zh=f"正确率（在这里训练，{len(SEEDS)} 个种子）",
    en=f"accuracy (trained here, {len(SEEDS)} seeds)",
)
NORMS_SEPARATE = Label(zh="梯度的长度，W^Q ≠ W^K", en="length of the gradient, W^Q ≠ W^K")
NORMS_TIED = Label(zh="梯度的长度，W^Q = W^K", en="length of the gradient, W^Q = W^K")
SEPARATE = Label(zh="两个矩阵", en="two matrices")
TIED = Label(zh="同一个矩阵", en="one matrix")
CHANCE = Label(zh="瞎猜", en="chance")
STEP = Label(zh="训练步数", en="training step")

# The name of each matrix, with its place in the record, its colour and its line style.
MATRICES = {"W^Q": ("w_q", QUERY, 0), "W^K": ("w_k", KEY, 1), "W^V": ("w_v", VALUE, 2)}

# Of the steps, so many apart are drawn.
EVERY = 4


def training(language: Language) -> Drawing:
    """Accuracy and gradients over the steps, with W^Q and W^K apart, and tied."""
    separate, tied = train("separate", "same"), train("tied", "same")
    figure, areas = plots((130, 110, 110), left=34, right=14)
    above, middle, below = areas
    ticks = (0, 50, 100, 150)
    axis(above, x="", y=ACCURACY[language], x_ticks=ticks, y_ticks=(0, 0.5, 1))
    for area, label in ((middle, NORMS_SEPARATE), (below, NORMS_TIED)):
        axis(area, x="", y=label[language], x_ticks=ticks, y_ticks=(0, 0.1, 0.2))
    below.set_xlabel(STEP[language], labelpad=7)
    _curve(above, separate.accuracy, INK, 0)
    _curve(above, tied.accuracy, MUTED, 1)
    chance = trained("separate").chance
    above.axhline(chance, color=MUTED, linewidth=0.8, linestyle=LINES[2])
    note(above, (150, 1), SEPARATE[language], away=(0, -10), align="right")
    note(above, (150, tied.mean), TIED[language], away=(0, 16), align="right", colour=MUTED)
    note(above, (150, chance), CHANCE[language], away=(0, -8), align="right", colour=MUTED)
    for area, record in ((middle, separate), (below, tied)):
        for name, colour, style in MATRICES.values():
            _curve(area, record.norms[name], colour, style)
    for line, (matrix, (_, colour, style)) in enumerate(MATRICES.items()):
        height = 0.17 - 0.03 * line
        middle.plot([62, 78], [height, height], color=colour, linestyle=LINES[style])
        note(middle, (78, height), matrix, away=(6, 0))
    return Drawing(figure, _training_in_words(language))


def _curve(area: Axes, values: FloatArray, colour: str, style: int) -> None:
    """Draw the mean over the seeds, in a band from the lowest to the highest of them."""
    drawn = values[:, ::EVERY]
    steps = range(0, values.shape[1], EVERY)
    low, high = drawn.min(axis=0), drawn.max(axis=0)
    area.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)
    area.plot(steps, drawn.mean(axis=0), color=colour, linestyle=LINES[style])


def _training_in_words(language: Language) -> str:
    separate, tied = train("separate", "same"), train("tied", "same")
    apart, one = (f"{number(record.mean)} ± {number(record.spread)}" for record in (separate, tied))
    q, k, v = (separate.norms[name].mean(axis=0) for name in ("w_q", "w_k", "w_v"))
    first, most = (
        SEPARATOR[language].join(number(float(norm), 3) for norm in norms)
        for norms in ((q[0], k[0], v[0]), (q.max(), k.max(), v.max()))
    )
    last = number(float(max(q[-1], k[-1], v[-1])), 4)
    q_tied, v_tied = (number(float(tied.norms[name][:, -1].mean()), 3) for name in ("w_q", "w_v"))
    seeds = len(separate.seeds)
    return Label(
        zh=f"在这里训练的小模型，{seeds} 个种子：线是均值，色带从最低到最高。训练之后的正确率："
        f"W^Q ≠ W^K 时 {apart}，W^Q = W^K 时 {one}。两个矩阵不同时，W^Q、W^K、W^V 的梯度长度"
        f"开始是 {first}，最大时是 {most}，最后保留四位小数都是 {last}；两个矩阵相同时，最后仍有 "
        f"{q_tied}（W^Q 和 W^K）和 {v_tied}（W^V）。",
        en=f"A small model trained here from {seeds} seeds: lines are means, bands reach from the "
        f"lowest to the highest. Accuracy after training: {apart} with W^Q ≠ W^K, {one} with "
        f"W^Q = W^K. With two matrices, the gradients of W^Q, W^K, W^V have the lengths {first} at "
        f"first and {most} at their longest, and none is longer than {last} at the end; with one "
        f"matrix, {q_tied} (W^Q and W^K) and {v_tied} (W^V) are left at the end.",
    )[language]
