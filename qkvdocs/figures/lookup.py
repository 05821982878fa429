"""One lookup: how queries, keys and values come from the tokens, and what is done with them."""

import numpy as np
from matplotlib.axes import Axes

from qkvdocs.attention import FloatArray
from qkvdocs.examples import engineer
from qkvdocs.figures.parts import (
    SEPARATOR,
    arrow,
    badge,
    cell,
    heat_cells,
    matrix,
    number,
    outline,
    write,
)
from qkvdocs.figures.style import INK, KEY, MUTED, QUERY, VALUE, Drawing, canvas
from qkvdocs.languages import Label, Language

ASKING = engineer.position("engineer")

SCORES = Label(zh="分数 q K^T", en="scores q K^T")
WEIGHTS = Label(zh="权重 α", en="weights α")
OUTPUT = Label(zh="输出 o", en="output o")

# The height of a row of a matrix.
ROW = 17.0

X_LEFT, X_TOP, X_CELL = 150.0, 18.0, 24.0
BLOCK_TOP = 144.0
QUERY_LEFT, KEY_LEFT, VALUE_LEFT = 16.0, 150.0, 217.0
PAIR_CELL, VALUE_CELL = 25.0, 30.0
SCORE_TOP, WEIGHT_TOP, OUTPUT_TOP = 252.0, 304.0, 352.0
SCORE_CELL = 49.0


def lookup_flow(language: Language) -> Drawing:
    """The lookup of 工程师 (engineer) from X to its output, with every shape and every number."""
    figure, sheet = canvas(OUTPUT_TOP + 24)
    _tokens(sheet, language)
    _query(sheet)
    _keys_and_values(sheet)
    _scores_and_weights(sheet, language)
    _weighted_sum(sheet, language)
    return Drawing(figure, _flow_in_words(language))


def _shape(array: FloatArray) -> str:
    rows, columns = array.shape
    return f"{rows} × {columns}"


def _tokens(sheet: Axes, language: Language) -> None:
    write(sheet, X_LEFT, X_TOP - 10, "X", align="left")
    write(sheet, X_LEFT + 14, X_TOP - 10, _shape(engineer.x), colour=MUTED, align="left")
    matrix(sheet, (X_LEFT, X_TOP), engineer.x, INK, size=(X_CELL, ROW))
    width = engineer.x.shape[1] * X_CELL
    for index, token in enumerate(engineer.tokens):
        y = X_TOP + (index + 0.5) * ROW
        write(sheet, X_LEFT + width + 8, y, token[language], align="left")
    outline(sheet, (X_LEFT, X_TOP + ASKING * ROW, width, ROW), QUERY)


def _query(sheet: Axes) -> None:
    middle = QUERY_LEFT + PAIR_CELL
    y = X_TOP + (ASKING + 0.5) * ROW
    arrow(sheet, [(X_LEFT - 3, y), (middle, y), (middle, BLOCK_TOP - 22)], colour=QUERY)
    _product(sheet, middle, "W^Q", engineer.w_q)
    _block(sheet, QUERY_LEFT, engineer.q[[ASKING]], "Q", QUERY, PAIR_CELL)


def _keys_and_values(sheet: Axes) -> None:
    for left, entries, weights, letter, colour, width in (
        (KEY_LEFT, engineer.k, engineer.w_k, "K", KEY, PAIR_CELL),
        (VALUE_LEFT, engineer.v, engineer.w_v, "V", VALUE, VALUE_CELL),
    ):
        middle = left + entries.shape[1] * width / 2
        start = X_TOP + len(engineer.x) * ROW + 3
        arrow(sheet, [(middle, start), (middle, BLOCK_TOP - 22)], colour=colour)
        _product(sheet, middle, f"W^{letter}", weights)
        _block(sheet, left, entries, letter, colour, width)


def _product(sheet: Axes, x: float, name: str, weights: FloatArray) -> None:
    """Write beside an arrow which matrix the rows are multiplied with."""
    y = BLOCK_TOP - 40
    write(sheet, x + 6, y, name, align="left")
    write(sheet, x + 28, y, _shape(weights), colour=MUTED, align="left")


def _block(
    sheet: Axes, left: float, entries: FloatArray, letter: str, colour: str, width: float
) -> None:
    badge(sheet, left + 7.5, BLOCK_TOP - 11, letter, colour)
    write(sheet, left + 20, BLOCK_TOP - 11, _shape(entries), colour=MUTED, align="left")
    matrix(sheet, (left, BLOCK_TOP), entries, colour, size=(width, ROW))


def _scores_and_weights(sheet: Axes, language: Language) -> None:
    scores, weights = engineer.scores[[ASKING]], engineer.weights[[ASKING]]
    query, key = QUERY_LEFT + PAIR_CELL, KEY_LEFT + PAIR_CELL
    arrow(sheet, [(query, BLOCK_TOP + ROW + 3), (query, SCORE_TOP - 2)], colour=QUERY)
    arrow(sheet, [(key, BLOCK_TOP + 4 * ROW + 3), (key, SCORE_TOP - 2)], colour=KEY)
    middle = (query + key) / 2
    write(sheet, middle, SCORE_TOP - 29, SCORES[language])
    write(sheet, middle, SCORE_TOP - 14, _shape(scores), colour=MUTED)
    matrix(sheet, (QUERY_LEFT, SCORE_TOP), scores, INK, size=(SCORE_CELL, ROW))
    arrow(sheet, [(middle, SCORE_TOP + ROW + 3), (middle, WEIGHT_TOP - 2)])
    beside = (SCORE_TOP + ROW + WEIGHT_TOP) / 2
    write(sheet, middle + 8, beside, "softmax", align="left")
    write(sheet, middle - 8, beside, WEIGHTS[language], align="right")
    heat_cells(
        sheet, (QUERY_LEFT, WEIGHT_TOP), weights, size=(SCORE_CELL, ROW), digits=2, low=0, high=1
    )
    for index, token in enumerate(engineer.tokens):
        x = QUERY_LEFT + (index + 0.5) * SCORE_CELL
        write(sheet, x, WEIGHT_TOP + ROW + 10, token[language], colour=MUTED)


def _weighted_sum(sheet: Axes, language: Language) -> None:
    output = engineer.output[[ASKING]]
    x = VALUE_LEFT + output.shape[1] * VALUE_CELL / 2
    y = WEIGHT_TOP + ROW / 2
    arrow(sheet, [(x, BLOCK_TOP + 4 * ROW + 3), (x, y - 9)], colour=VALUE)
    arrow(sheet, [(QUERY_LEFT + 4 * SCORE_CELL + 3, y), (x - 9, y)])
    write(sheet, x, y, "×")
    arrow(sheet, [(x, y + 9), (x, OUTPUT_TOP - 2)], colour=VALUE)
    matrix(sheet, (VALUE_LEFT, OUTPUT_TOP), output, VALUE, size=(VALUE_CELL, ROW))
    middle = OUTPUT_TOP + ROW / 2
    write(sheet, VALUE_LEFT - 8, middle, _shape(output), colour=MUTED, align="right")
    write(sheet, VALUE_LEFT - 46, middle, OUTPUT[language], align="right")


def _flow_in_words(language: Language) -> str:
    token = engineer.tokens[ASKING]
    query, scores, weights, output = (
        "(" + ", ".join(number(float(x), digits) for x in row) + ")"
        for row, digits in (
            (engineer.q[ASKING], 1),
            (engineer.scores[ASKING], 1),
            (engineer.weights[ASKING], 2),
            (engineer.output[ASKING], 2),
        )
    )
    x, k, v = (_shape(array) for array in (engineer.x, engineer.k, engineer.v))
    names = ", ".join(f"“{token.en}”" for token in engineer.tokens)
    return Label(
        zh=f"一次查找的流程。从 X（{x}）出发：“{token.zh}”那一行乘 W^Q 得到查询 {query}，"
        f"所有行乘 W^K、W^V 得到键 K（{k}）和值 V（{v}）。查询与各个键的点积依次是分数 {scores}，"
        f"softmax 把它变成权重 {weights}，权重与 V 的加权和是输出 {output}。",
        en=f"One lookup as a flow. From X ({x}), the row of “{token.en}” times W^Q gives the query "
        f"{query}; all rows times W^K and W^V give the keys K ({k}) and the values V ({v}). The "
        f"dot products of the query with the keys of {names} are the scores {scores}, in this "
        f"order; softmax turns them into the weights {weights}; the sum of the rows of V with "
        f"these weights is the output {output}.",
    )[language]


ANSWERING = engineer.position("California")

# The room for the names of the five dimensions.
LABELS = 97.0


def projection(language: Language) -> Drawing:
    """The x of 加州 (California) becomes q, k and v: each row of W counts as often as x says."""
    x = engineer.x[ANSWERING]
    height, width, gap = 24.0, 26.0, 10.0
    top = 46.0
    bottom = top + len(x) * height
    figure, sheet = canvas(bottom + 66)
    quiet = np.flatnonzero(x == 0).tolist()
    write(sheet, LABELS + 12, top - 12, "x")
    for row, (dimension, entry) in enumerate(zip(engineer.dimensions, x, strict=True)):
        colour = MUTED if row in quiet else INK
        y = top + (row + 0.5) * height
        write(sheet, LABELS - 6, y, dimension[language], colour=colour, align="right")
        cell(sheet, (LABELS, y - height / 2, 24, height), f"{entry:.0f}", colour=colour)
    left = LABELS + 24 + gap
    for letter, weights, result, colour in (
        ("Q", engineer.w_q, engineer.q, QUERY),
        ("K", engineer.w_k, engineer.k, KEY),
        ("V", engineer.w_v, engineer.v, VALUE),
    ):
        wide = weights.shape[1] * width
        badge(sheet, left + 7.5, 10, letter, colour)
        write(sheet, left + 20, 10, f"W^{letter}", align="left")
        write(sheet, left, top - 12, _shape(weights), colour=MUTED, align="left")
        matrix(sheet, (left, top), weights, colour, size=(width, height), quiet_rows=quiet)
        arrow(sheet, [(left + wide / 2, bottom + 4), (left + wide / 2, bottom + 24)], colour=colour)
        matrix(sheet, (left, bottom + 26), result[[ANSWERING]], colour, size=(width, height))
        write(sheet, left + wide / 2, bottom + 60, f"x W^{letter}", colour=MUTED)
        left += wide + gap
    write(sheet, LABELS + 12, bottom + 38, engineer.tokens[ANSWERING][language], align="right")
    return Drawing(figure, _projection_in_words(language))


def _projection_in_words(language: Language) -> str:
    token = engineer.tokens[ANSWERING]
    x, q, k, v = (
        "(" + ", ".join(number(float(entry), 0) for entry in array[ANSWERING]) + ")"
        for array in (engineer.x, engineer.q, engineer.k, engineer.v)
    )
    parts = SEPARATOR[language].join(
        f"{engineer.dimensions[index][language]} {engineer.x[ANSWERING, index]:.0f}"
        for index in np.flatnonzero(engineer.x[ANSWERING])
    )
    return Label(
        zh=f"“{token.zh}”的同一个 x = {x}（{parts}）乘三个矩阵，得到三个不同的向量："
        f"查询 q = {q}，键 k = {k}，值 v = {v}。x 中为 0 的维度，矩阵中对应的行不起作用。",
        en=f"The one x of “{token.en}”, {x} ({parts}), times three matrices gives three "
        f"different vectors: the query q = {q}, the key k = {k}, the value v = {v}. Where x is 0, "
        "the row of the matrix doesn't count.",
    )[language]
