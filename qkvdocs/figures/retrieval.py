"""Soft against hard retrieval: temperature, slopes, and many distractors."""

import numpy as np

from qkvdocs.examples import engineer
from qkvdocs.experiments import dilution as measured_dilution
from qkvdocs.experiments import retrieval_sweep
from qkvdocs.experiments import temperature as look_up_at
from qkvdocs.figures.curves import LINES, axis, mark, name_ends, note
from qkvdocs.figures.parts import SEPARATOR, number, short
from qkvdocs.figures.style import INK, KEY, MUTED, PAPER, VALUE, Drawing, plots
from qkvdocs.languages import Label, Language

WEIGHT = Label(zh="注意力权重", en="attention weight")
TEMPERATURE = Label(zh="温度 T：softmax(分数 / T)", en="temperature T in softmax(scores / T)")
HARD = Label(zh="硬检索", en="hard")
SOFT = Label(zh="软检索", en="soft")
HARD_LIMIT = Label(zh="○ T → 0：硬检索", en="○ T → 0: hard")


def temperature(language: Language) -> Drawing:
    """The weights of 工程师 (engineer) as the temperature goes to 0, where one takes all."""
    figure, (area,) = plots((230,), left=34, right=62)
    axis(area, x=TEMPERATURE[language], y=WEIGHT[language], x_ticks=range(5), y_ticks=TENTHS)
    temperatures = np.concatenate([np.geomspace(0.02, 1, 50), np.linspace(1, 4, 31)[1:]])
    weights = np.array([look_up_at(float(t)).weights for t in temperatures])
    best = int(engineer.scores[0].argmax())
    colours = [KEY if index == best else INK for index in range(weights.shape[1])]
    styles = dict(zip(np.argsort(-weights[-1]).tolist(), LINES, strict=True))
    for index, colour in enumerate(colours):
        area.plot(temperatures, weights[:, index], color=colour, linestyle=styles[index])
    mark(area, 1, "T = 1")
    limit = {0.0, 1.0}
    for height in limit:
        area.plot(0, height, "o", markersize=7, markerfacecolor=PAPER, markeredgecolor=INK)
    note(area, (0, 1), HARD_LIMIT[language], away=(140, -6), colour=MUTED)
    names = [token[language] for token in engineer.tokens]
    name_ends(area, 4, weights[-1].tolist(), names, colours)
    return Drawing(figure, _temperature_in_words(language))


TENTHS = (0, 0.25, 0.5, 0.75, 1)


def _temperature_in_words(language: Language) -> str:
    asking = engineer.tokens[0][language]
    rows = [
        f"T = {short(t)}: "
        + SEPARATOR[language].join(
            f"{token[language]} {number(float(weight))}"
            for token, weight in zip(engineer.tokens, look_up_at(t).weights, strict=True)
        )
        for t in (4.0, 1.0, 0.25)
    ]
    return Label(
        zh=f"“{asking}”的四个注意力权重随温度 T 的变化。{'；'.join(rows)}。"
        "T 趋近 0 时，最大的一个趋近 1，其余趋近 0，这就是硬检索；T 越大，四个越接近 0.25。",
        en=f"The four attention weights of {asking} against the temperature T. {'; '.join(rows)}. "
        "As T goes to 0 the largest goes to 1 and the others to 0, which is hard retrieval; as T "
        "grows, all four approach 0.25.",
    )[language]


OUTPUT = Label(zh="输出", en="output")
SLOPE = Label(zh="斜率（输出对分数的导数）", en="slope (output against score)")
DIFFERENCE = Label(zh="分数之差：第二个 − 第一个", en="second score minus first")
JUMP = Label(zh="在此跳变", en="jumps here")


def retrieval_gradients(language: Language) -> Drawing:
    """Outputs and slopes of hard and soft retrieval while one score passes another."""
    sweep = retrieval_sweep()
    figure, (above, below) = plots((140, 140), left=34, right=14)
    ticks = (-6, -3, 0, 3, 6)
    axis(above, x="", y=OUTPUT[language], x_ticks=ticks, y_ticks=(0, 5, 10))
    axis(below, x=DIFFERENCE[language], y=SLOPE[language], x_ticks=ticks, y_ticks=(0, 1, 2, 3))
    left = sweep.difference < 0
    above.plot(sweep.difference, sweep.soft, color=VALUE)
    below.plot(sweep.difference, sweep.soft_slope, color=VALUE)
    for area, hard in ((above, sweep.hard), (below, sweep.hard_slope)):
        for side in (left, ~left):
            area.plot(sweep.difference[side], hard[side], color=INK, linestyle=LINES[1])
        area.axvline(0, color=MUTED, linewidth=0.8, linestyle=(0, (2, 2)))
    top = float(sweep.soft_slope.max())
    note(above, (0, 0), JUMP[language], away=(5, 10), colour=MUTED)
    note(above, (-6, 0), HARD[language], away=(4, 10))
    note(above, (2, 8.8), SOFT[language], away=(8, -6), colour=VALUE)
    note(below, (-6, 0), f"{HARD[language]}  0", away=(4, 18))
    note(below, (0, top), f"{SOFT[language]}  {number(top)}", away=(12, 0), colour=VALUE)
    return Drawing(figure, _gradients_in_words(language))


def _gradients_in_words(language: Language) -> str:
    sweep = retrieval_sweep()
    first, last = short(float(sweep.hard[0])), short(float(sweep.hard[-1]))
    before, after = number(float(sweep.soft[0])), number(float(sweep.soft[-1]))
    soft, hard = number(float(sweep.soft_slope.max())), short(float(np.abs(sweep.hard_slope).max()))
    return Label(
        zh=f"两个值 {first} 和 {last}，第二个分数逐渐超过第一个。上图：硬检索的输出在两个分数"
        f"相等处从 {first} 跳到 {last}；软检索从 {before} 平滑地升到 {after}。"
        f"下图：硬检索的斜率处处为 {hard}（跳变处没有定义），软检索的斜率最大为 {soft}。",
        en=f"Two values, {first} and {last}; the second score rises past the first. Above: the "
        f"hard output jumps from {first} to {last} where the scores are equal; the soft one rises "
        f"smoothly from {before} to {after}. Below: the hard slope is {hard} everywhere (undefined "
        f"at the jump), the soft slope reaches {soft}.",
    )[language]


TOP_WEIGHT = Label(zh="匹配的键得到的权重", en="weight of the matching key")
ERROR = Label(zh="误差（离要找的值的相对距离）", en="error (distance from the value sought)")
KEYS = Label(zh="键的个数 n（对数刻度）", en="number of keys n (log scale)")


def dilution(language: Language) -> Drawing:
    """The weight of the one matching key, and both errors, as distractors become many."""
    measured = measured_dilution()
    figure, (above, below) = plots((130, 130), left=34, right=52)
    ticks = (8, 64, 512, 4096)
    for area in (above, below):
        area.set_xscale("log", base=2)
    axis(above, x="", y=TOP_WEIGHT[language], x_ticks=ticks, y_ticks=(0, 0.5, 1))
    axis(below, x=KEYS[language], y=ERROR[language], x_ticks=ticks, y_ticks=(0, 0.5, 1))
    above.plot(measured.sizes, measured.top_weight, color=KEY)
    top = measured.top_weight
    note(above, (8, float(top[0])), number(float(top[0])), away=(2, -14))
    note(above, (4096, float(top[-1])), number(float(top[-1])), away=(6, 0))
    below.plot(measured.sizes, measured.soft_error, color=VALUE)
    below.plot(measured.sizes, measured.hard_error, color=INK, linestyle=LINES[1])
    ends = [float(measured.soft_error[-1]), float(measured.hard_error[-1])]
    name_ends(below, 4096, ends, [SOFT[language], HARD[language]], [VALUE, INK])
    return Drawing(figure, _dilution_in_words(language))


def _dilution_in_words(language: Language) -> str:
    measured = measured_dilution()
    few, many = measured.at(measured.sizes[0]), measured.at(measured.sizes[-1])
    weights = number(few.top_weight), number(many.top_weight)
    soft = number(few.soft_error), number(many.soft_error)
    hard = number(few.hard_error), number(many.hard_error)
    return Label(
        zh=f"一个匹配的键混在随机的键中（{measured.trials} 次的平均，d_k = {measured.width}）。"
        f"键从 {few.n} 个增加到 {many.n} 个时，它的权重从 {weights[0]} 降到 {weights[1]}，"
        f"软检索的误差从 {soft[0]} 升到 {soft[1]}；硬检索的误差在两端是 {hard[0]}、{hard[1]}。",
        en=f"One matching key among random ones (mean of {measured.trials} trials, d_k = "
        f"{measured.width}). From {few.n} to {many.n} keys its weight falls from {weights[0]} to "
        f"{weights[1]} and the soft error rises from {soft[0]} to {soft[1]}; the hard error is "
        f"{hard[0]} at first and {hard[1]} at last.",
    )[language]
