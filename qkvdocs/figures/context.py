"""What attention does to one token: its vector before and after, and a pronoun with its thing."""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from qkvdocs.examples import (
    Sentence,
    engineer_ten_years,
    find_referent,
    tired,
    tired_first,
    wide,
    wide_first,
)
from qkvdocs.figures.parts import SEPARATOR, badge, number, write
from qkvdocs.figures.style import INK, LINE, MUTED, PAPER, QUERY, SIZE, VALUE, Drawing, canvas
from qkvdocs.languages import Label, Language

TOKEN = engineer_ten_years.position("engineer")

BEFORE = Label(zh="之前：自己的值 v", en="before: its own value v")
AFTER = Label(zh="之后：输出 o", en="after: the output o")


def before_after(language: Language) -> Drawing:
    """The value of 工程师 (engineer) before attention, and its output, by where it came from."""
    sentence = engineer_ten_years
    left, scale, bar, row = 78.0, 112.0, 20.0, 68.0
    top = 62.0
    figure, sheet = canvas(top + row * len(sentence.value_dimensions) - 6)
    badge(sheet, 8, 10, "V", VALUE)
    _sample(sheet, (22, 4), filled=False, colour=VALUE)
    write(sheet, 48, 10, BEFORE[language], align="left")
    _sample(sheet, (22, 26), filled=True, colour=VALUE)
    write(sheet, 48, 32, AFTER[language], align="left")
    for index, dimension in enumerate(sentence.value_dimensions):
        y = top + index * row
        before = float(sentence.v[TOKEN, index])
        after = float(sentence.output[TOKEN, index])
        write(sheet, left - 8, y + bar, dimension[language], align="right")
        sheet.plot([left, left], [y - 4, y + 2 * bar + 8], color=MUTED, linewidth=0.8)
        _bar(sheet, (left, y, before * scale, bar - 2), filled=False, colour=VALUE)
        write(sheet, left + before * scale + 6, y + bar / 2, number(before), align="left")
        _stacked(sheet, (left, y + bar + 3), index, scale, bar - 2, language)
        write(sheet, left + after * scale + 6, y + bar * 1.5 + 3, number(after), align="left")
    return Drawing(figure, _before_after_in_words(language))


def _bar(sheet: Axes, box: tuple[float, float, float, float], *, filled: bool, colour: str) -> None:
    x, y, width, height = box
    if filled:
        sheet.add_patch(Rectangle((x, y), width, height, facecolor=colour, edgecolor="none"))
    elif width > 0:
        sheet.add_patch(
            Rectangle((x, y), width, height, facecolor="none", edgecolor=colour, linewidth=1.2)
        )


def _sample(sheet: Axes, corner: tuple[float, float], *, filled: bool, colour: str) -> None:
    _bar(sheet, (*corner, 18, 11), filled=filled, colour=colour)


def _stacked(
    sheet: Axes,
    corner: tuple[float, float],
    dimension: int,
    scale: float,
    height: float,
    language: Language,
) -> None:
    """Draw what each token contributes to one entry of the output, side by side."""
    x, y = corner
    sentence = engineer_ten_years
    contributions = sentence.weights[TOKEN] * sentence.v[:, dimension]
    for token, contribution in zip(sentence.tokens, contributions, strict=True):
        width = float(contribution) * scale
        if width <= 0:
            continue
        sheet.add_patch(
            Rectangle((x, y), width, height, facecolor=VALUE, edgecolor=PAPER, linewidth=1)
        )
        if width > _room_for(token[language]):
            write(sheet, x + width / 2, y + height / 2, token[language], colour=PAPER)
        x += width


def _room_for(text: str) -> float:
    """Return about how wide a text is: a Chinese character is a square, a letter about half."""
    return sum(SIZE if ord(letter) > 0x2E80 else SIZE * 0.55 for letter in text) + 4


def _before_after_in_words(language: Language) -> str:
    sentence = engineer_ten_years
    token = sentence.tokens[TOKEN]
    before, after = (
        SEPARATOR[language].join(
            f"{dimension[language]} {number(float(entry))}"
            for dimension, entry in zip(sentence.value_dimensions, row, strict=True)
        )
        for row in (sentence.v[TOKEN], sentence.output[TOKEN])
    )
    source = int(sentence.weights[TOKEN].argmax())
    weight = number(float(sentence.weights[TOKEN, source]))
    most = sentence.tokens[source]
    return Label(
        zh=f"“{token.zh}”在注意力之前的值：{before}。之后的输出：{after}。"
        f"它给“{most.zh}”的权重最大，{weight}，所以“哪里”大多来自“{most.zh}”。",
        en=f"“{token.en}” before attention, its own value: {before}. After attention, its output: "
        f"{after}. It gives most weight, {weight}, to “{most.en}”, and that is where most of its "
        "entry “where” comes from.",
    )[language]


SEES_ALL = Label(zh="看到整句", en="sees the whole sentence")
SEES_EARLIER = Label(zh="因果掩码：只看到前面", en="causal mask: sees what came before")
ENDINGS = {
    "tired": Label(zh="…tired（累）", en="… tired"),
    "wide": Label(zh="…wide（宽）", en="… wide"),
}


@dataclass(frozen=True)
class _Case:
    """One sentence in the second layer, without a mask and with one in both layers."""

    title: Label
    whole: Sentence
    causal: Sentence

    @property
    def pronoun(self) -> int:
        return self.whole.position("it")

    def pair(self, token: int) -> tuple[float, float]:
        """Return the weight of *it* on a token, without the mask and with it."""
        return (
            float(self.whole.weights[self.pronoun, token]),
            float(self.causal.weights[self.pronoun, token]),
        )


CASES = (
    _Case(ENDINGS["tired"], tired, find_referent(tired_first.causal, "tired")),
    _Case(ENDINGS["wide"], wide, find_referent(wide_first.causal, "wide")),
)


def coreference(language: Language) -> Drawing:
    """The weights of *it* in the twin sentences, with and without a causal mask."""
    words = [*CASES[1].whole.tokens]
    words.insert(-1, CASES[0].whole.tokens[-1])
    left, panel, gap, row, top = 98.0, 108.0, 18.0, 24.0, 76.0
    figure, sheet = canvas(top + row * len(words) + 4)
    _sample(sheet, (0, 4), filled=True, colour=QUERY)
    write(sheet, 26, 10, SEES_ALL[language], align="left")
    _sample(sheet, (0, 24), filled=False, colour=QUERY)
    write(sheet, 26, 30, SEES_EARLIER[language], align="left")
    for index, word in enumerate(words):
        y = top + (index + 0.5) * row
        write(sheet, left - 8, y, word[language], align="right")
        if word.en == "it":
            badge(sheet, 8, y, "Q", QUERY)
    for column, case in enumerate(CASES):
        x = left + column * (panel + gap)
        write(sheet, x, top - 14, case.title[language], align="left")
        sheet.plot([x, x], [top, top + row * len(words)], color=LINE, linewidth=0.8)
        for index, word in enumerate(words):
            _weights_of_word(sheet, case, word, (x, top + index * row), panel - 28, row)
    return Drawing(figure, _coreference_in_words(language))


def _weights_of_word(
    sheet: Axes,
    case: _Case,
    word: Label,
    corner: tuple[float, float],
    full: float,
    row: float,
) -> None:
    x, y = corner
    if word not in case.whole.tokens:
        write(sheet, x + 6, y + row / 2, "–", colour=MUTED, align="left")
        return
    for line, weight in enumerate(case.pair(case.whole.position(word.en))):
        bar_top = y + 2 + line * (row / 2 - 1)
        _bar(sheet, (x, bar_top, weight * full, 7), filled=line == 0, colour=QUERY)
        if weight >= 0.1:
            colour = INK if line == 0 else MUTED
            write(
                sheet,
                x + weight * full + 5,
                bar_top + 3.5,
                number(weight),
                colour=colour,
                align="left",
            )


def _coreference_in_words(language: Language) -> str:
    numbers = []
    for case in CASES:
        animal, street = (case.pair(case.whole.position(word)) for word in ("animal", "street"))
        numbers.append([number(weight) for weight in (*animal, *street)])
    (a, a_causal, s, s_causal), (a_wide, _, s_wide, _) = numbers
    return Label(
        zh=f"it 的注意力权重（手工构造的第二层）。句尾是 tired：animal {a}，street {s}；"
        f"句尾是 wide：animal {a_wide}，street {s_wide}。两层都用因果掩码时，it 看不到句尾，"
        f"两句没有差别：animal {a_causal}，street {s_causal}。",
        en=f"Attention weights of “it” in the second of two hand-built layers. Ending in “tired”: "
        f"animal {a}, street {s}; ending in “wide”: animal {a_wide}, street {s_wide}. With a "
        f"causal mask in both layers “it” can't see the end, and the two sentences don't differ: "
        f"animal {a_causal}, street {s_causal}.",
    )[language]
