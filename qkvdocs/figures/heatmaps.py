"""Scores and weights as tables: rows ask, columns are asked."""

from matplotlib.axes import Axes

from qkvdocs.attention import FloatArray
from qkvdocs.examples import Sentence, engineer
from qkvdocs.experiments import separate, tied
from qkvdocs.figures.parts import SEPARATOR, badge, heat_cells, number, outline, write
from qkvdocs.figures.style import INK, KEY, MUTED, QUERY, WIDTH, Drawing, canvas
from qkvdocs.languages import Label, Language

ASKS = Label(zh="谁在问", en="asks")
IS_ASKED = Label(zh="被问到", en="is asked")
ROW_SUM = Label(zh="行和", en="row")
COLUMN_SUM = Label(zh="列和", en="column")

LEFT = 82.0
HEAD = 46.0


def score_heatmap(language: Language) -> Drawing:
    """The scores Q Kᵀ of the four tokens, before softmax."""
    figure, sheet = canvas(HEAD + 4 * 44 + 2)
    size = ((WIDTH - LEFT - 2) / 4, 44.0)
    _headed(sheet, engineer, language, HEAD, size)
    heat_cells(
        sheet,
        (LEFT, HEAD),
        engineer.scores,
        size=size,
        digits=1,
        low=float(engineer.scores.min()),
        high=float(engineer.scores.max()),
    )
    return Drawing(figure, _scores_in_words(engineer, language))


def _scores_in_words(sentence: Sentence, language: Language) -> str:
    rows = _rows_in_words(sentence, sentence.scores, 1, language)
    return Label(
        zh=f"四个词元两两之间的注意力分数（softmax 之前），行是提问的词元，列是被问的词元。{rows}",
        en="Attention scores of the four tokens, before softmax; rows ask, columns are asked. "
        + rows,
    )[language]


def _rows_in_words(sentence: Sentence, entries: FloatArray, digits: int, language: Language) -> str:
    rows = []
    for token, row in zip(sentence.tokens, entries, strict=True):
        pairs = [
            f"{other[language]} {number(float(entry), digits)}"
            for other, entry in zip(sentence.tokens, row, strict=True)
        ]
        rows.append(
            Label(
                zh=f"“{token.zh}”问：{SEPARATOR.zh.join(pairs)}。",
                en=f"“{token.en}” asks: {SEPARATOR.en.join(pairs)}.",
            )[language]
        )
    return {"zh": "", "en": " "}[language].join(rows)


def _headed(
    sheet: Axes, sentence: Sentence, language: Language, top: float, size: tuple[float, float]
) -> None:
    """Write the tokens beside the rows and above the columns, and who asks whom."""
    for index, token in enumerate(sentence.tokens):
        write(sheet, LEFT - 8, top + (index + 0.5) * size[1], token[language], align="right")
        write(sheet, LEFT + (index + 0.5) * size[0], top - 12, token[language])
    badge(sheet, 8, top - 12, "Q", QUERY)
    write(sheet, 20, top - 12, f"{ASKS[language]} ↓", colour=MUTED, align="left")
    badge(sheet, LEFT + 8, top - 34, "K", KEY)
    write(sheet, LEFT + 20, top - 34, f"{IS_ASKED[language]} →", colour=MUTED, align="left")


def weight_heatmap(language: Language) -> Drawing:
    """The attention weights of the four tokens: rows sum to 1, columns need not."""
    weights = engineer.weights
    sums = 44.0
    size = ((WIDTH - LEFT - sums) / 4, 44.0)
    bottom = HEAD + 4 * size[1]
    figure, sheet = canvas(bottom + 24)
    _headed(sheet, engineer, language, HEAD, size)
    heat_cells(sheet, (LEFT, HEAD), weights, size=size, digits=2, low=0, high=1)
    right = WIDTH - sums / 2 + 2
    write(sheet, right, HEAD - 12, f"Σ {ROW_SUM[language]}", colour=MUTED)
    for row, total in enumerate(weights.sum(axis=1)):
        write(sheet, right, HEAD + (row + 0.5) * size[1], number(float(total)), colour=MUTED)
    write(sheet, LEFT - 8, bottom + 13, f"Σ {COLUMN_SUM[language]}", colour=MUTED, align="right")
    for column, total in enumerate(weights.sum(axis=0)):
        x = LEFT + (column + 0.5) * size[0]
        write(sheet, x, bottom + 13, number(float(total)), colour=MUTED)
    rows = _rows_in_words(engineer, weights, 2, language)
    columns = SEPARATOR[language].join(number(float(total)) for total in weights.sum(axis=0))
    description = Label(
        zh=f"四个词元的注意力权重（softmax 之后），行是提问的词元，列是被问的词元。{rows}"
        f"每行加起来是 1.00；各列加起来分别是 {columns}。",
        en="Attention weights of the four tokens, after softmax; rows ask, columns are asked. "
        f"{rows} Each row sums to 1.00; the columns sum to {columns}.",
    )
    return Drawing(figure, description[language])


ONE_MATRIX = Label(zh="同一个矩阵：W^Q = W^K", en="one matrix: W^Q = W^K")
TWO_MATRICES = Label(zh="两个矩阵：W^Q ≠ W^K", en="two matrices: W^Q ≠ W^K")


def directed_scores(language: Language) -> Drawing:
    """The scores with W^Q = W^K, which are symmetric, above those with two matrices."""
    pair = engineer.position("California"), engineer.position("works")
    cases = ((ONE_MATRIX, tied().scores), (TWO_MATRICES, separate().scores))
    low = min(float(scores.min()) for _, scores in cases)
    high = max(float(scores.max()) for _, scores in cases)
    size = ((WIDTH - LEFT - 2) / 4, 28.0)
    title, space = 24.0, 20.0
    block = title + HEAD + 4 * size[1]
    figure, sheet = canvas(2 * block + space + 2)
    for index, (label, scores) in enumerate(cases):
        top = index * (block + space)
        write(sheet, 0, top + 10, label[language], align="left")
        top += title + HEAD
        _headed(sheet, engineer, language, top, size)
        heat_cells(sheet, (LEFT, top), scores, size=size, digits=2, low=low, high=high)
        for row, column in (pair, pair[::-1]):
            outline(sheet, (LEFT + column * size[0], top + row * size[1], *size), INK)
    return Drawing(figure, _directed_in_words(*pair, language))


def _directed_in_words(one: int, other: int, language: Language) -> str:
    a, b = engineer.tokens[one], engineer.tokens[other]
    same, there, back = (
        number(float(score))
        for score in (
            tied().scores[one, other],
            separate().scores[one, other],
            separate().scores[other, one],
        )
    )
    return Label(
        zh=f"两张分数表。上：W^Q = W^K 时沿对角线对称，“{a.zh}”问“{b.zh}”与“{b.zh}”问"
        f"“{a.zh}”都是 {same}。"
        f"下：两个矩阵不同时不再对称，“{a.zh}”问“{b.zh}”是 {there}，“{b.zh}”问“{a.zh}”是 "
        f"{back}。",
        en=f"Two tables of scores. Above, W^Q = W^K, symmetric: “{a.en}” asking “{b.en}” and "
        f"“{b.en}” asking “{a.en}” both score {same}. Below, two matrices, directed: “{a.en}” "
        f"asking “{b.en}” scores {there}, “{b.en}” asking “{a.en}” scores {back}.",
    )[language]
