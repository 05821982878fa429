"""The whole formula: every product, every shape, and what a root and an axis change."""

import numpy as np
from matplotlib.axes import Axes

from qkvdocs.attention import FloatArray
from qkvdocs.examples import engineer
from qkvdocs.experiments import scale_effect, softmax_axis
from qkvdocs.figures.parts import (
    ROLE_TINT,
    SEPARATOR,
    arrow,
    badge,
    cell,
    heat_cells,
    matrix,
    number,
    outline,
    short,
    write,
)
from qkvdocs.figures.style import (
    INK,
    KEY,
    LINE,
    MUTED,
    PAPER,
    QUERY,
    VALUE,
    WIDTH,
    Drawing,
    canvas,
)
from qkvdocs.languages import Label, Language

TOKENS = len(engineer.tokens)
D_K = len(engineer.match_dimensions)

ROW = 17.0
X_LEFT, X_TOP, X_CELL = 150.0, 20.0, 24.0
BLOCK_TOP = 142.0
BLOCKS = {"Q": (16.0, QUERY, 33.0), "K": (114.0, KEY, 33.0), "V": (232.0, VALUE, 30.0)}
SCORE_TOP, WEIGHT_TOP = 262.0, 372.0
# The width of a cell of the scores and the weights.
SQUARE = 41.0

DIVIDE = Label(zh="÷ √d_k，逐行 softmax", en="÷ √d_k, softmax of each row")


def formula_flow(language: Language) -> Drawing:
    """The whole formula for all four tokens, from X to the output, with every shape and number."""
    figure, sheet = canvas(WEIGHT_TOP + TOKENS * ROW + 22)
    _input(sheet, language)
    for letter, entries in {"Q": engineer.q, "K": engineer.k, "V": engineer.v}.items():
        _projected(sheet, letter, entries)
    _scores(sheet)
    _weights_and_output(sheet, language)
    return Drawing(figure, _flow_in_words(language))


def _shape(array: FloatArray) -> str:
    rows, columns = array.shape
    return f"{rows} × {columns}"


def _input(sheet: Axes, language: Language) -> None:
    write(sheet, X_LEFT, X_TOP - 10, "X", align="left")
    write(sheet, X_LEFT + 14, X_TOP - 10, _shape(engineer.x), colour=MUTED, align="left")
    matrix(sheet, (X_LEFT, X_TOP), engineer.x, INK, size=(X_CELL, ROW))
    for index, token in enumerate(engineer.tokens):
        y = X_TOP + (index + 0.5) * ROW
        write(sheet, X_LEFT - 8, y, token[language], align="right")


def _projected(sheet: Axes, letter: str, entries: FloatArray) -> None:
    left, colour, width = BLOCKS[letter]
    middle = left + entries.shape[1] * width / 2
    start = X_TOP + TOKENS * ROW + 4
    join = start + 10
    x_middle = X_LEFT + engineer.x.shape[1] * X_CELL / 2
    points = [(x_middle, start), (x_middle, join), (middle, join), (middle, BLOCK_TOP - 21)]
    arrow(sheet, points, colour=colour)
    write(sheet, middle + 6, BLOCK_TOP - 31, f"W^{letter}", align="left")
    badge(sheet, left + 7.5, BLOCK_TOP - 10.5, letter, colour)
    write(sheet, left + 20, BLOCK_TOP - 10.5, _shape(entries), colour=MUTED, align="left")
    matrix(sheet, (left, BLOCK_TOP), entries, colour, size=(width, ROW))


def _scores(sheet: Axes) -> None:
    left, _, width = BLOCKS["Q"]
    bottom = BLOCK_TOP + TOKENS * ROW + 4
    for letter, colour in (("Q", QUERY), ("K", KEY)):
        middle = BLOCKS[letter][0] + D_K * width / 2
        arrow(sheet, [(middle, bottom), (middle, SCORE_TOP - 2)], colour=colour)
    write(sheet, left + 2 * SQUARE, SCORE_TOP - 28, "Q K^T")
    write(sheet, left + 2 * SQUARE, SCORE_TOP - 13, _shape(engineer.scores), colour=MUTED)
    matrix(sheet, (left, SCORE_TOP), engineer.scores, INK, size=(SQUARE, ROW))


def _weights_and_output(sheet: Axes, language: Language) -> None:
    left, weights, output = BLOCKS["Q"][0], engineer.scaled.weights, engineer.scaled.output
    middle = left + TOKENS * SQUARE / 2
    arrow(sheet, [(middle, SCORE_TOP + TOKENS * ROW + 4), (middle, WEIGHT_TOP - 4)])
    beside = (SCORE_TOP + TOKENS * ROW + WEIGHT_TOP) / 2
    write(sheet, middle + 8, beside, DIVIDE[language], align="left")
    write(sheet, middle - 44, beside, "A", align="right")
    write(sheet, middle - 8, beside, _shape(weights), colour=MUTED, align="right")
    heat_cells(sheet, (left, WEIGHT_TOP), weights, size=(SQUARE, ROW), digits=2, low=0, high=1)
    right, _, width = BLOCKS["V"]
    y = WEIGHT_TOP + TOKENS * ROW / 2
    x = right + output.shape[1] * width / 2
    arrow(sheet, [(left + TOKENS * SQUARE + 6, y), (right - 6, y)])
    start = BLOCK_TOP + TOKENS * ROW + 4
    arrow(sheet, [(x, start), (x, WEIGHT_TOP - 4)], colour=VALUE)
    for (row, column), entry in np.ndenumerate(output):
        box = (right + column * width, WEIGHT_TOP + row * ROW, width, ROW)
        cell(sheet, box, number(float(entry)), fill=VALUE, tint=ROLE_TINT)
    outline(sheet, (right, WEIGHT_TOP, output.shape[1] * width, TOKENS * ROW), VALUE)
    below = WEIGHT_TOP + TOKENS * ROW + 11
    write(sheet, x - 2, below, "A V", align="right")
    write(sheet, x + 6, below, _shape(output), colour=MUTED, align="left")


def _flow_in_words(language: Language) -> str:
    shapes = {
        name: _shape(array)
        for name, array in {
            "x": engineer.x, "q": engineer.q, "k": engineer.k, "v": engineer.v,
            "s": engineer.scores, "o": engineer.output,
        }.items()
    }  # fmt: skip
    outputs = SEPARATOR[language].join(
        f"{token[language]} ({', '.join(number(float(x)) for x in row)})"
        for token, row in zip(engineer.tokens, engineer.scaled.output, strict=True)
    )
    return (
        Label(
            zh="整个公式的流程：X（{x}）分别乘 W^Q、W^K、W^V，得到 Q（{q}）、K（{k}）、V（{v}）；"
            "Q 乘 K 的转置得到分数（{s}）；除以 √d_k，再逐行做 softmax，得到权重 A（{s}）；"
            "A 乘 V 得到输出（{o}）。"
            "四行输出依次是：",
            en="The whole formula as a flow: X ({x}) times W^Q, W^K and W^V gives Q ({q}), "
            "K ({k}) and V ({v}); Q times K transposed gives the scores ({s}); divided by √d_k, "
            "and with softmax of each row, they become the weights A ({s}); A times V gives the "
            "output ({o}). Its four rows are ",
        )[language].format(**shapes)
        + outputs
        + {"zh": "。", "en": "."}[language]
    )


LEFT = 78.0
HEAD = 50.0


def product_grid(language: Language) -> Drawing:
    """The sixteen dot products of Q Kᵀ, each with its two products spelled out."""
    left, height = 62.0, 54.0
    width = (WIDTH - left - 1) / TOKENS
    figure, sheet = canvas(HEAD + TOKENS * height + 2)
    badge(sheet, left - 16, HEAD - 12, "Q", QUERY)
    badge(sheet, left - 16, HEAD - 38, "K", KEY)
    for index, token in enumerate(engineer.tokens):
        y, x = HEAD + (index + 0.5) * height, left + (index + 0.5) * width
        write(sheet, left - 8, y - 9, token[language], align="right")
        write(sheet, left - 8, y + 9, _vector(engineer.q[index]), colour=QUERY, align="right")
        write(sheet, x, HEAD - 38, token[language])
        write(sheet, x, HEAD - 18, _vector(engineer.k[index]), colour=KEY)
    for (i, j), score in np.ndenumerate(engineer.scores):
        x, y = left + (j + 0.5) * width, HEAD + (i + 0.5) * height
        for line, (q, k) in enumerate(zip(engineer.q[i], engineer.k[j], strict=True)):
            # A minus is the sign of its term: 2×0.5 −0.5×(−1).
            sign = "+" if line and q >= 0 else ""
            text = f"{sign}{short(float(q))}×{_factor(float(k))}"
            write(sheet, x, y + (line - 1) * 16, text, colour=MUTED)
        write(sheet, x, y + 16, f"= {short(float(score))}")
    for line in range(TOKENS + 1):
        x, y = left + line * width, HEAD + line * height
        sheet.plot([x, x], [HEAD, HEAD + TOKENS * height], color=LINE, linewidth=0.8)
        sheet.plot([left, WIDTH - 1], [y, y], color=LINE, linewidth=0.8)
    return Drawing(figure, _products_in_words(language))


def _vector(row: FloatArray) -> str:
    return "(" + ", ".join(short(float(x)) for x in row) + ")"


def _factor(x: float) -> str:
    return f"({short(x)})" if x < 0 else short(x)


def _products_in_words(language: Language) -> str:
    rows = [
        Label(zh=f"“{token.zh}”：", en=f"{token.en}: ")[language]
        + SEPARATOR[language].join(short(float(score)) for score in row)
        for token, row in zip(engineer.tokens, engineer.scores, strict=True)
    ]
    return Label(
        zh="四个查询乘四个键的十六个点积，每个点积写出两次乘法再相加。各行的结果是："
        + "；".join(rows)
        + "。",
        en="The sixteen dot products of four queries and four keys, each written as two products "
        "and their sum. The results by rows are, " + "; ".join(rows) + ".",
    )[language]


WITHOUT = Label(zh="不除", en="as is")
WITH = Label(zh="除以 √d_k", en="÷ √d_k")
ASKING = Label(zh="“{}”来问", en="{} asks")


def scaled_weights(language: Language) -> Drawing:
    """Each of the sixteen weights before and after the division by √d_k."""
    left, right, top, step = 88.0, 262.0, 40.0, 17.0
    group = 24 + TOKENS * step
    figure, sheet = canvas(top + TOKENS * group + 22)
    _marks(sheet, 96, 10, None)
    write(sheet, 104, 10, WITHOUT[language], align="left")
    _marks(sheet, None, 10, 176)
    write(sheet, 184, 10, WITH[language], align="left")
    bottom = top + TOKENS * group
    for tick in (0, 0.5, 1):
        x = left + tick * (right - left)
        sheet.plot([x, x], [top, bottom], color=LINE, linewidth=0.6)
        write(sheet, x, bottom + 11, short(tick), colour=MUTED)
    for asking, token in enumerate(engineer.tokens):
        y = top + asking * group + 10
        title = ASKING[language].format(token[language])
        sheet.text(0, y + 4, title, color=QUERY, ha="left", va="baseline")
        for asked, other in enumerate(engineer.tokens):
            before = float(engineer.weights[asking, asked])
            after = float(engineer.scaled.weights[asking, asked])
            y = top + asking * group + 24 + (asked + 0.5) * step - 2
            write(sheet, left - 10, y, other[language], align="right")
            _marks(sheet, left + before * (right - left), y, left + after * (right - left))
            text = f"{number(before)} → {number(after)}"
            write(sheet, WIDTH, y, text, colour=MUTED, align="right")
    return Drawing(figure, _scaled_in_words(language))


def _marks(sheet: Axes, before: float | None, y: float, after: float | None) -> None:
    """Draw a ring for the weight as it was, a dot for the new one, and the way between them."""
    if before is not None and after is not None:
        sheet.plot([before, after], [y, y], color=MUTED, linewidth=1.6)
    if before is not None:
        sheet.plot([before], [y], "o", markersize=6, color=INK, markerfacecolor=PAPER)
    if after is not None:
        sheet.plot([after], [y], "o", markersize=6, color=INK)


def _scaled_in_words(language: Language) -> str:
    tops = [
        Label(
            zh=f"“{token.zh}”给“{engineer.tokens[best].zh}” ",
            en=f"{token.en} to {engineer.tokens[best].en} ",
        )[language]
        + f"{number(float(row[best]))} → {number(after)}"
        for asking, (token, row) in enumerate(zip(engineer.tokens, engineer.weights, strict=True))
        for best in [int(row.argmax())]
        for after in [float(engineer.scaled.weights[asking, best])]
    ]
    most = number(scale_effect().weight_change)
    return Label(
        zh="十六个权重在除以 √d_k 前后的对照。每行最大的权重都变小，其余的分到它让出的份额，"
        f"名次不变：{'，'.join(tops)}。变化最大的一个是 {most}。",
        en="The sixteen weights without and with the division by √d_k. The largest of each row "
        "gets smaller, others get what it gave up, and no ranking changes: "
        f"{', '.join(tops)}. The largest change is {most}.",
    )[language]


RIGHT_AXIS = Label(zh="逐行：axis=-1，对", en="by rows: axis=-1, right")
WRONG_AXIS = Label(zh="逐列：axis=0，错", en="by columns: axis=0, wrong")
ROW_SUM = Label(zh="Σ 行和", en="Σ row")
COLUMN_SUM = Label(zh="Σ 列和", en="Σ column")


def row_column(language: Language) -> Drawing:
    """Softmax of one score matrix along the keys, above the mistake: along the queries."""
    width, height, title = (WIDTH - LEFT - 50) / TOKENS, 24.0, 26.0
    block = title + 20 + TOKENS * height + 24
    axis = softmax_axis()
    figure, sheet = canvas(2 * block + 14)
    for index, (label, weights) in enumerate(((RIGHT_AXIS, axis.rows), (WRONG_AXIS, axis.columns))):
        top = index * (block + 14)
        write(sheet, 0, top + 10, label[language], align="left")
        top += title + 20
        _weights_with_sums(sheet, weights, top, (width, height), language, along_rows=index == 0)
    return Drawing(figure, _axes_in_words(language))


def _weights_with_sums(
    sheet: Axes,
    weights: FloatArray,
    top: float,
    size: tuple[float, float],
    language: Language,
    *,
    along_rows: bool,
) -> None:
    width, height = size
    heat_cells(sheet, (LEFT, top), weights, size=size, digits=2, low=0, high=1)
    right, below = WIDTH - 24, top + TOKENS * height + 12
    row_colour, column_colour = (MUTED, INK) if along_rows else (INK, MUTED)
    write(sheet, right, top - 11, ROW_SUM[language], colour=row_colour)
    write(sheet, LEFT - 8, below, COLUMN_SUM[language], colour=column_colour, align="right")
    for index, token in enumerate(engineer.tokens):
        x, y = LEFT + (index + 0.5) * width, top + (index + 0.5) * height
        write(sheet, LEFT - 8, y, token[language], align="right")
        write(sheet, x, top - 11, token[language])
        write(sheet, right, y, number(float(weights[index].sum())), colour=row_colour)
        write(sheet, x, below, number(float(weights[:, index].sum())), colour=column_colour)


def _axes_in_words(language: Language) -> str:
    axis = softmax_axis()
    columns, rows = (
        SEPARATOR[language].join(number(float(total)) for total in sums)
        for sums in (axis.rows.sum(axis=0), axis.columns.sum(axis=1))
    )
    return Label(
        zh="同一张分数表，两种 softmax。上：逐行做，每一行的权重加起来是 1.00，各列加起来是 "
        f"{columns}。下：逐列做，每一列加起来是 1.00，而各行，也就是各个查询手里的份额，"
        f"加起来是 {rows}。",
        en="One table of scores, two ways of softmax. Above, by rows: each row sums to 1.00, the "
        f"columns to {columns}. Below, by columns: each column sums to 1.00, while the rows, which "
        f"are what each query has to share out, sum to {rows}.",
    )[language]


SIZES = {"n_q": 2, "n_k": 4, "d_k": 3, "d_v": 5}
UNIT = 20.0

NAMES = (
    Label(zh="查询 Q", en="queries Q"),
    Label(zh="键 K^T", en="keys K^T"),
    Label(zh="分数 S", en="scores S"),
    Label(zh="权重 A", en="weights A"),
    Label(zh="值 V", en="values V"),
    Label(zh="输出 O", en="output O"),
)


def shape_flow(language: Language) -> Drawing:
    """Which sizes must meet where n_q ≠ n_k and d_v ≠ d_k: both products as blocks of cells."""
    first, gap, space = 24.0, 12.0, 46.0
    second = first + (SIZES["d_k"] + SIZES["n_q"]) * UNIT + gap + space
    figure, sheet = canvas(second + (SIZES["n_k"] + SIZES["n_q"]) * UNIT + gap + 4)
    q, k, s, a, v, o = (label[language] for label in NAMES)
    _product(sheet, first, (q, QUERY), (k, KEY), s, ("n_q", "d_k", "n_k"))
    _product(sheet, second, (a, INK), (v, VALUE), o, ("n_q", "n_k", "d_v"))
    return Drawing(figure, _shapes_in_words(language))


def _product(
    sheet: Axes,
    top: float,
    one: tuple[str, str],
    other: tuple[str, str],
    result: str,
    sizes: tuple[str, str, str],
) -> None:
    """Draw a product: one matrix at the left, the other above, the result where they cross."""
    rows, inner, columns = (SIZES[name] for name in sizes)
    left, gap = 66.0, 12.0
    across, down = left + inner * UNIT + gap, top + inner * UNIT + gap
    _cells(sheet, (left, down), rows, inner, one)
    _cells(sheet, (across, top), inner, columns, other)
    _cells(sheet, (across, down), rows, columns, (result, INK))
    write(sheet, left - 8, down + rows * UNIT / 2, _size(sizes[0]), align="right")
    write(sheet, left + inner * UNIT / 2, down - 11, _size(sizes[1]), colour=one[1])
    write(
        sheet, across - 8, top + inner * UNIT / 2, _size(sizes[1]), colour=other[1], align="right"
    )
    write(sheet, across + columns * UNIT / 2, top - 11, _size(sizes[2]))


def _size(name: str) -> str:
    return f"{name} = {SIZES[name]}"


def _cells(
    sheet: Axes, corner: tuple[float, float], rows: int, columns: int, named: tuple[str, str]
) -> None:
    name, colour = named
    x, y = corner
    edge = MUTED if colour == INK else colour
    for row in range(1, rows):
        sheet.plot([x, x + columns * UNIT], [y + row * UNIT] * 2, color=LINE, linewidth=0.8)
    for column in range(1, columns):
        sheet.plot([x + column * UNIT] * 2, [y, y + rows * UNIT], color=LINE, linewidth=0.8)
    outline(sheet, (x, y, columns * UNIT, rows * UNIT), edge)
    write(sheet, x + columns * UNIT / 2, y + rows * UNIT / 2, name, colour=colour)


def _shapes_in_words(language: Language) -> str:
    n_q, n_k, d_k, d_v = SIZES.values()
    return Label(
        zh=f"n_q = {n_q}、n_k = {n_k}、d_k = {d_k}、d_v = {d_v} 时两次矩阵乘法的形状。"
        f"Q（{n_q} × {d_k}）乘 K 的转置（{d_k} × {n_k}），中间的 d_k 对上，"
        f"得到分数 S（{n_q} × {n_k}）；权重 A（{n_q} × {n_k}）乘 V（{n_k} × {d_v}），"
        f"中间的 n_k 对上，得到输出 O（{n_q} × {d_v}）。",
        en=f"The shapes of both products for n_q = {n_q}, n_k = {n_k}, d_k = {d_k}, d_v = {d_v}. "
        f"Q ({n_q} × {d_k}) times K transposed ({d_k} × {n_k}): d_k meets d_k, and the scores S "
        f"are {n_q} × {n_k}. The weights A ({n_q} × {n_k}) times V ({n_k} × {d_v}): n_k meets n_k, "
        f"and the output O is {n_q} × {d_v}.",
    )[language]
