"""Why attention: what one vector holds, what is kept instead, and how far apart positions are."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from qkvdocs.attention import FloatArray
from qkvdocs.examples import engineer
from qkvdocs.experiments import LENGTHS, SEEDS, WIDTH, paths, recalled, translation
from qkvdocs.figures.curves import LINES, axis, mark, name_ends, note
from qkvdocs.figures.parts import SEPARATOR, arrow, badge, cell, heat_cells, number, write
from qkvdocs.figures.style import INK, KEY, MUTED, QUERY, VALUE, Drawing, canvas, plots
from qkvdocs.figures.style import WIDTH as PAGE
from qkvdocs.languages import Label, Language

ONE_VECTOR = Label(zh="一个向量：句子全从 c 过", en="one vector: all passes through c")
ALL_KEPT = Label(zh="注意力：写每个词之前都回头看", en="attention: a look back before each word")

BOX, BOX_HEIGHT, STEP = 73.0, 22.0, 89.0
"""The width and height of a word's box, and from the left of one to the left of the next."""

# The English word whose look back is drawn: works.
WRITING = 1


def one_vector(language: Language) -> Drawing:
    """Four words pass through one vector, and then are all kept and looked at with weights."""
    figure, sheet = canvas(336)
    write(sheet, 0, 10, ONE_VECTOR[language], align="left")
    _through_one(sheet, language)
    write(sheet, 0, 182, ALL_KEPT[language], align="left")
    _through_weights(sheet, language)
    return Drawing(figure, _one_vector_in_words(language))


def _words(sheet: Axes, words: Sequence[Label], y: float, language: Language, edge: str) -> None:
    """Words in boxes from left to right."""
    for index, word in enumerate(words):
        cell(sheet, (index * STEP, y, BOX, BOX_HEIGHT), word[language], edge=edge)


def _chain(sheet: Axes, y: float, count: int) -> None:
    for index in range(count - 1):
        middle = y + BOX_HEIGHT / 2
        arrow(sheet, [(index * STEP + BOX + 2, middle), ((index + 1) * STEP - 2, middle)])


def _through_one(sheet: Axes, language: Language) -> None:
    made = translation()
    top, bottom, last = 26.0, 136.0, 3 * STEP + BOX / 2
    _words(sheet, made.source, top, language, MUTED)
    _chain(sheet, top, len(made.source))
    arrow(sheet, [(last, top + BOX_HEIGHT + 2), (last, 70)])
    cell(sheet, (last - 14, 72, 28, BOX_HEIGHT), "c", edge=INK)
    arrow(sheet, [(last, 96), (last, 113), (BOX / 2, 113), (BOX / 2, bottom - 2)])
    _words(sheet, made.target, bottom, "en", MUTED)
    _chain(sheet, bottom, len(made.target))


def _through_weights(sheet: Axes, language: Language) -> None:
    made = translation()
    top, bottom, join = 198.0, 314.0, 274.0
    middle = WRITING * STEP + BOX / 2
    _words(sheet, made.source, top, language, KEY)
    for index, weight in enumerate(made.a[WRITING]):
        x, start = index * STEP + BOX / 2, top + BOX_HEIGHT + 20
        write(sheet, x, start - 10, number(float(weight)))
        sheet.plot([x, middle], [start, join], color=VALUE, linewidth=0.6 + 4 * weight)
    badge(sheet, middle, join + 6, "c", VALUE)
    arrow(sheet, [(middle, join + 16), (middle, bottom - 2)], colour=VALUE)
    _words(sheet, made.target[: WRITING + 1], bottom - 2, "en", MUTED)


def _one_vector_in_words(language: Language) -> str:
    made = translation()
    source = SEPARATOR[language].join(word[language] for word in made.source)
    target = SEPARATOR[language].join(word.en for word in made.target)
    weights = SEPARATOR[language].join(
        f"{word[language]} {number(float(weight))}"
        for word, weight in zip(made.source, made.a[WRITING], strict=True)
    )
    writing = made.target[WRITING]
    return Label(
        zh=f"上图：原文的词（{source}）一个接一个读进去，最后只剩一个向量 c，译文的词（{target}）"
        f"全都从 c 写出来。下图：原文的状态全部留着，写“{writing.en}”之前按权重取一遍：{weights}。",
        en=f"Above: the source words ({source}) are read one after the other until one vector c is "
        f"left, from which all target words ({target}) are written. Below: all source states are "
        f"kept, and before “{writing.en}” is written they are taken by weight: {weights}.",
    )[language]


RIGHT = Label(zh="读回正确的比例", en="share read back right")
LENGTH = Label(zh="词数 n（对数刻度）", en="number of words n (log scale)")
ATTENTION = Label(zh="注意力", en="attention")
STATE = Label(zh="固定状态", en="fixed state")
MEAN = Label(zh="平均", en="mean")
TICKS = (1, 8, 64, 512)


def recall_curve(language: Language) -> Drawing:
    """The share of words read back right from a mean, a fixed state, and by attention."""
    measured = recalled()
    figure, (area,) = plots((220,), left=34, right=66)
    area.set_xscale("log", base=2)
    axis(area, x=LENGTH[language], y=RIGHT[language], x_ticks=TICKS, y_ticks=TENTHS)
    curves = (measured.mean, measured.state, measured.attention)
    colours = (MUTED, INK, VALUE)
    for curve, colour, style in zip(curves, colours, (LINES[2], LINES[1], LINES[0]), strict=True):
        middle, spread = curve.mean(axis=0), curve.std(axis=0)
        area.plot(LENGTHS, middle, color=colour, linestyle=style)
        area.errorbar(LENGTHS, middle, spread, fmt="none", ecolor=colour, elinewidth=3, alpha=0.5)
    ends = [float(curve[:, -1].mean()) for curve in curves]
    names = [name[language] for name in (MEAN, STATE, ATTENTION)]
    name_ends(area, LENGTHS[-1], ends, names, list(colours))
    return Drawing(figure, _recall_in_words(language))


TENTHS = (0, 0.25, 0.5, 0.75, 1)


def _recall_in_words(language: Language) -> str:
    rows = []
    for n in (4, 16, 64, 256):
        at = recalled().at(n)
        mean, mean_spread, state, state_spread, found, found_spread = map(
            number,
            (
                at.mean,
                at.mean_spread,
                at.state,
                at.state_spread,
                at.attention,
                at.attention_spread,
            ),
        )
        rows.append(
            Label(
                zh=f"{n} 个词：平均 {mean} ± {mean_spread}，固定状态 {state} ± {state_spread}，"
                f"注意力 {found} ± {found_spread}。",
                en=f"{n} words: mean {mean} ± {mean_spread}, fixed state {state} ± {state_spread}, "
                f"attention {found} ± {found_spread}.",
            )[language]
        )
    return Label(
        zh=f"读回正确的比例随词数的变化，{len(SEEDS)} 个种子的平均和标准差。{''.join(rows)}",
        en="The share of words read back right against the number of words, mean and standard "
        f"deviation over {len(SEEDS)} seeds. {' '.join(rows)}",
    )[language]


KEPT = Label(zh="存下的数的个数（对数刻度）", en="numbers kept (log scale)")


def numbers_kept(language: Language) -> Drawing:
    """How many numbers each way keeps of n words: two stay as they are, attention's grow."""
    rows = [recalled().at(n) for n in LENGTHS]
    figure, (area,) = plots((200,), left=46, right=66)
    area.set_xscale("log", base=2)
    area.set_yscale("log", base=2)
    axis(area, x=LENGTH[language], y=KEPT[language], x_ticks=TICKS, y_ticks=(16, 128, 1024, 8192))
    area.set_ylim(12, 2**14)
    curves = (
        [row.mean_numbers for row in rows],
        [row.state_numbers for row in rows],
        [row.attention_numbers for row in rows],
    )
    colours = (MUTED, INK, VALUE)
    for curve, colour, style in zip(curves, colours, (LINES[2], LINES[1], LINES[0]), strict=True):
        area.plot(LENGTHS, curve, color=colour, linestyle=style)
    for curve, name, colour in zip(curves, (MEAN, STATE, ATTENTION), colours, strict=True):
        note(area, (LENGTHS[-1], curve[-1]), name[language], away=(6, 0), colour=colour)
    mark(area, WIDTH / 2, f"n = {WIDTH // 2}", align="right")
    return Drawing(figure, _kept_in_words(language))


def _kept_in_words(language: Language) -> str:
    few, many = recalled().at(LENGTHS[0]), recalled().at(LENGTHS[-1])
    return Label(
        zh=f"存下的数的个数：平均总是 {few.mean_numbers} 个，固定状态总是 {few.state_numbers} 个，"
        f"注意力从 {few.n} 个词时的 {few.attention_numbers} 个涨到 {many.n} 个词时的 "
        f"{many.attention_numbers} 个。n = {WIDTH // 2} 时，注意力和固定状态存得一样多。",
        en=f"Numbers kept: always {few.mean_numbers} by the mean and {few.state_numbers} by the "
        f"fixed state; by attention {few.attention_numbers} for {few.n} word, "
        f"{many.attention_numbers} for {many.n} words. At n = {WIDTH // 2} attention keeps as many "
        "as the fixed state.",
    )[language]


WRITTEN = Label(zh="正要写的词", en="written")
SOURCE = Label(zh="原文的词", en="source words")
LEFT, HEAD = 92.0, 46.0


def alignment(language: Language) -> Drawing:
    """The weights a_ij: a row for each English word, a column for each Chinese one."""
    made = translation()
    size = ((PAGE - LEFT - 2) / 4, 40.0)
    figure, sheet = canvas(HEAD + 4 * size[1] + 2)
    for index, (target, source) in enumerate(zip(made.target, made.source, strict=True)):
        write(sheet, LEFT - 8, HEAD + (index + 0.5) * size[1], target.en, align="right")
        write(sheet, LEFT + (index + 0.5) * size[0], HEAD - 12, source[language])
    badge(sheet, 8, HEAD - 12, "s", QUERY)
    write(sheet, 20, HEAD - 12, f"{WRITTEN[language]} ↓", colour=MUTED, align="left")
    badge(sheet, LEFT + 8, HEAD - 34, "h", KEY)
    write(sheet, LEFT + 20, HEAD - 34, f"{SOURCE[language]} →", colour=MUTED, align="left")
    heat_cells(sheet, (LEFT, HEAD), made.a, size=size, digits=2, low=0, high=1)
    return Drawing(figure, _alignment_in_words(language))


def _alignment_in_words(language: Language) -> str:
    made = translation()
    rows = []
    for target, weights in zip(made.target, made.a, strict=True):
        pairs = SEPARATOR[language].join(
            f"{source[language]} {number(float(weight))}"
            for source, weight in zip(made.source, weights, strict=True)
        )
        rows.append(
            Label(
                zh=f"写“{target.en}”（{target.zh}）：{pairs}。",
                en=f"Writing “{target.en}”: {pairs}.",
            )[language]
        )
    return Label(
        zh=f"对齐的权重，行是正要写的英文词，列是中文原文的词。{''.join(rows)}",
        en="Weights of the alignment; rows are the English words to be written, columns the "
        f"Chinese source words, named in English. {' '.join(rows)}",
    )[language]


PLAIN = Label(zh="简单平均", en="plain mean")


def plain_weighted(language: Language) -> Drawing:
    """The plain mean of the four states, one for all, above a weighted mean for each word."""
    made = translation()
    gap = 16.0
    size = ((PAGE - LEFT - 2) / 5, 30.0)
    top = HEAD
    figure, sheet = canvas(top + 5 * size[1] + gap + 2)
    *names, longest = engineer.dimensions
    for index, name in enumerate(names):
        write(sheet, LEFT + (index + 0.5) * size[0], top - 12, name[language], colour=MUTED)
    write(sheet, PAGE - 2, top - 34, f"{longest[language]} ↓", colour=MUTED, align="right")
    write(sheet, LEFT - 8, top + size[1] / 2, PLAIN[language], align="right")
    heat_cells(sheet, (LEFT, top), made.mean[None], size=size, digits=2, low=0, high=2)
    below = top + size[1] + gap
    for index, target in enumerate(made.target):
        y = below + (index + 0.5) * size[1]
        write(sheet, LEFT - 8, y, target.en, align="right")
    heat_cells(sheet, (LEFT, below), made.c, size=size, digits=2, low=0, high=2)
    return Drawing(figure, _plain_weighted_in_words(language))


def _plain_weighted_in_words(language: Language) -> str:
    made = translation()

    def row(entries: FloatArray) -> str:
        return SEPARATOR[language].join(
            f"{name[language]} {number(float(entry))}"
            for name, entry in zip(engineer.dimensions, entries, strict=True)
        )

    contexts = [
        Label(zh=f"写“{target.en}”：{row(c)}。", en=f"Writing “{target.en}”: {row(c)}.")[language]
        for target, c in zip(made.target, made.c, strict=True)
    ]
    return Label(
        zh=f"简单平均，对四个词都一样：{row(made.mean)}。加权平均，每个词一个。{''.join(contexts)}",
        en=f"The plain mean, the same for all four words: {row(made.mean)}. The weighted mean, one "
        f"for each word. {' '.join(contexts)}",
    )[language]


STEPS = Label(
    zh="从第一个位置到最后一个的步数（对数刻度）", en="steps from first to last (log scale)"
)
POSITIONS = Label(zh="位置数 n（对数刻度）", en="number of positions n (log scale)")
RECURRENT = Label(zh="循环", en="recurrent")
CONVOLUTION = Label(zh="空洞卷积", en="dilated conv.")


def path_length(language: Language) -> Drawing:
    """Steps from the first of n positions to the last, by network."""
    sizes = [2**power for power in range(1, 10)]
    rows = [paths(n) for n in sizes]
    figure, (area,) = plots((200,), left=34, right=92)
    area.set_xscale("log", base=2)
    area.set_yscale("log", base=2)
    axis(area, x=POSITIONS[language], y=STEPS[language], x_ticks=(2, 8, 64, 512), y_ticks=TICKS)
    area.set_ylim(0.8, 600)
    curves = (
        [row.attention for row in rows],
        [row.convolution for row in rows],
        [row.recurrent for row in rows],
    )
    colours = (VALUE, MUTED, INK)
    names = (ATTENTION, CONVOLUTION, RECURRENT)
    for curve, colour, style, name in zip(
        curves, colours, (LINES[0], LINES[2], LINES[1]), names, strict=True
    ):
        area.plot(sizes, curve, color=colour, linestyle=style)
        text = f"{name[language]} {curve[-1]}"
        note(area, (sizes[-1], curve[-1]), text, away=(6, 0), colour=colour)
    return Drawing(figure, _paths_in_words(language))


def _paths_in_words(language: Language) -> str:
    rows = [
        Label(
            zh=f"{at.n} 个位置：循环 {at.recurrent} 步，空洞卷积 {at.convolution} 步，"
            f"注意力 {at.attention} 步。",
            en=f"{at.n} positions: recurrent {at.recurrent}, dilated convolution "
            f"{at.convolution}, attention {at.attention}.",
        )[language]
        for at in map(paths, (8, 64, 512))
    ]
    return Label(
        zh=f"信息从第一个位置到最后一个要走的步数，卷积核宽 {paths(8).kernel}。{''.join(rows)}",
        en="Steps that information takes from the first position to the last, with a kernel "
        f"{paths(8).kernel} wide. {' '.join(rows)}",
    )[language]
