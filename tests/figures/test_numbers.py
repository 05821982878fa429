"""The numbers that figures and their descriptions show are those that attention computes."""

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest

from qkvdocs.attention import attention, attention_scores, attention_weights
from qkvdocs.examples import (
    engineer,
    engineer_ten_years,
    find_referent,
    tired,
    tired_first,
    wide,
)
from qkvdocs.figures.retrieval import dilution, retrieval_gradients, temperature
from qkvdocs.figures.style import Drawing, house_style
from qkvdocs.figures.training import training
from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.training import train

from .conftest import Drawn
from .test_svg import texts


def lines(function: Callable[[Language], Drawing], plot: int = 0) -> list[np.ndarray]:
    """Return the points, (n, 2), of each curve of more than two points in a plot of a figure."""
    with house_style():
        axes = function("en").figure.axes[plot]
    return [line.get_xydata() for line in axes.lines if len(line.get_xydata()) > 2]


each_language = pytest.mark.parametrize("language", LANGUAGES)


def printed(x: float, digits: int = 2) -> str:
    """Write a number as the pages do, by another way than the figures."""
    return f"{np.round(float(x), digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def in_order(wanted: list[str], words: list[str]) -> bool:
    """Return whether the wanted texts stand among the words, in this order."""
    rest = iter(words)
    return all(any(word == one for word in rest) for one in wanted)


@each_language
@pytest.mark.parametrize(
    ("name", "numbers", "digits"),
    [
        ("score-heatmap", attention_scores(engineer.q, engineer.k, scale=1), 1),
        ("weight-heatmap", attention_weights(engineer.q, engineer.k, scale=1), 2),
    ],
)
def test_the_cells_of_a_heat_map_are_what_attention_computes(
    name: str, numbers: np.ndarray, digits: int, language: Language, drawn: Drawn
) -> None:
    figure = drawn(name, language)
    cells = [printed(x, digits) for x in numbers.ravel()]
    assert in_order(cells, texts(figure.svg))
    for token, row in zip(engineer.tokens, numbers, strict=True):
        for other, x in zip(engineer.tokens, row, strict=True):
            assert f"{other[language]} {printed(x, digits)}" in figure.description
        assert token[language] in texts(figure.svg)


@each_language
def test_the_weights_say_that_rows_sum_to_1_and_columns_need_not(
    language: Language, drawn: Drawn
) -> None:
    figure = drawn("weight-heatmap", language)
    columns = [printed(x) for x in engineer.weights.sum(axis=0)]
    assert texts(figure.svg).count("1.00") == len(engineer.tokens)
    assert in_order(columns, texts(figure.svg))
    assert all(column in figure.description for column in columns)


@each_language
def test_one_matrix_gives_a_symmetric_table_and_two_a_directed_one(
    language: Language, drawn: Drawn
) -> None:
    figure = drawn("directed-scores", language)
    one = attention_scores(engineer.k, engineer.k, scale=1)
    two = attention_scores(engineer.q, engineer.k, scale=1)
    cells = [printed(x) for table in (one, two) for x in table.ravel()]
    assert in_order(cells, texts(figure.svg))
    a, b = engineer.position("California"), engineer.position("works")
    for score in (one[a, b], two[a, b], two[b, a]):
        assert printed(score) in figure.description
    assert one[a, b] == one[b, a]
    assert two[a, b] != two[b, a]


@each_language
def test_the_flow_shows_every_number_of_the_lookup(language: Language, drawn: Drawn) -> None:
    figure = drawn("lookup-flow", language)
    query, key, value = engineer.q[[0]], engineer.k, engineer.v
    shown = texts(figure.svg)
    weights = attention_weights(query, key, scale=1)[0]
    output = attention(query, key, value, scale=1)[0]
    scores = attention_scores(query, key, scale=1)[0]
    assert in_order([printed(x) for x in weights] + [printed(x) for x in output], shown)
    assert in_order([printed(x, 0) for x in scores], shown)
    for row, digits in ((query[0], 1), (scores, 1), (weights, 2), (output, 2)):
        assert f"({', '.join(printed(x, digits) for x in row)})" in figure.description
    for array in (engineer.x, engineer.w_q, engineer.w_k, engineer.w_v, query, key, value):
        assert " × ".join(map(str, array.shape)) in shown


@each_language
def test_one_x_becomes_three_vectors(language: Language, drawn: Drawn) -> None:
    figure = drawn("projection", language)
    x = engineer.x[engineer.position("California")]
    for weights in (engineer.w_q, engineer.w_k, engineer.w_v):
        vector = x @ weights
        assert in_order([printed(entry, 0) for entry in vector], texts(figure.svg))
        assert f"({', '.join(printed(entry, 0) for entry in vector)})" in figure.description


@each_language
@pytest.mark.parametrize("t", [4.0, 1.0, 0.25])
def test_the_weights_at_a_temperature_are_named(t: float, language: Language, drawn: Drawn) -> None:
    weights = attention_weights(engineer.q[[0]], engineer.k, scale=1 / t)[0]
    for token, weight in zip(engineer.tokens, weights, strict=True):
        description = drawn("temperature", language).description
        assert f"{token[language]} {printed(weight)}" in description.partition(f"T = {t:g}")[2]


@each_language
def test_the_hard_slope_is_0_and_the_soft_one_a_quarter_of_the_step(
    language: Language, drawn: Drawn
) -> None:
    figure = drawn("retrieval-gradients", language)
    # α (1 - α) · 10 is largest where both weights are 1/2.
    assert any(text.endswith("2.50") for text in texts(figure.svg))
    assert "2.50" in figure.description


@each_language
def test_the_description_of_dilution_has_both_ends(language: Language, drawn: Drawn) -> None:
    # The same draws as the experiment's, looked up here.
    rng = np.random.default_rng(0)
    key, value = rng.normal(size=(20, 4096, 40)), rng.normal(size=(20, 4096, 8))
    figure = drawn("dilution", language)
    for n in (8, 4096):
        query, sought = key[:, :1], value[:, 0]
        top = attention_weights(query, key[:, :n])[:, 0, 0].mean()
        output = attention(query, key[:, :n], value[:, :n])[:, 0]
        lengths = np.linalg.norm(sought, axis=-1)
        error = (np.linalg.norm(output - sought, axis=-1) / lengths).mean()
        assert printed(top) in texts(figure.svg)
        assert printed(top) in figure.description
        assert printed(error) in figure.description


@each_language
def test_before_and_after_show_the_value_and_the_output(language: Language, drawn: Drawn) -> None:
    figure = drawn("before-after", language)
    sentence = engineer_ten_years
    token = sentence.position("engineer")
    output = attention(sentence.q, sentence.k, sentence.v, scale=1)[token]
    pairs = [printed(x) for both in zip(sentence.v[token], output, strict=True) for x in both]
    assert in_order(pairs, texts(figure.svg))
    for dimension, x in zip(sentence.value_dimensions, output, strict=True):
        assert f"{dimension[language]} {printed(x)}" in figure.description


@each_language
def test_it_finds_another_thing_in_each_sentence_and_none_when_masked(
    language: Language, drawn: Drawn
) -> None:
    figure = drawn("coreference", language)
    masked = find_referent(tired_first.causal, "masked")
    for sentence in (tired, wide, masked):
        for word in ("animal", "street"):
            assert f"{word} {printed(sentence.weight('it', word))}" in figure.description
    assert masked.weight("it", "animal") == pytest.approx(masked.weight("it", "street"))
    assert texts(figure.svg).count(printed(masked.weight("it", "animal"))) == 4


@each_language
def test_training_names_its_accuracies_and_norms(language: Language, drawn: Drawn) -> None:
    description = drawn("training", language).description
    separate, tied = train("separate", "same"), train("tied", "same")
    for record in (separate, tied):
        accuracies = record.test_accuracy
        assert f"{printed(accuracies.mean())} ± {printed(accuracies.std())}" in description
    for name in ("w_q", "w_k", "w_v"):
        norms = separate.norms[name].mean(axis=0)
        assert printed(norms[0], 3) in description
        assert printed(norms.max(), 3) in description
    assert printed(tied.norms["w_v"].mean(axis=0)[-1], 3) in description


@each_language
def test_a_description_is_in_its_language(language: Language, drawn: Drawn) -> None:
    for name in ("lookup-flow", "training", "coreference"):
        description = drawn(name, language).description
        chinese = [letter for letter in description if "\u4e00" <= letter <= "\u9fff"]
        assert bool(chinese) == (language == "zh")
        assert ElementTree.fromstring(drawn(name, language).svg).get("aria-label") == description


def test_the_curves_of_the_temperature_are_the_weights() -> None:
    curves = lines(temperature)
    assert len(curves) == len(engineer.tokens)
    for index, curve in enumerate(curves):
        for t, weight in curve[::16]:
            weights = attention_weights(engineer.q[[0]], engineer.k, scale=1 / t)[0]
            assert weight == pytest.approx(weights[index])


def test_the_hard_curve_jumps_and_has_no_slope() -> None:
    soft, hard_before, hard_after = lines(retrieval_gradients, 0)
    assert set(hard_before[:, 1]) == {0.0}
    assert set(hard_after[:, 1]) == {10.0}
    soft_slope, *hard_slopes = lines(retrieval_gradients, 1)
    assert not any(slope[:, 1].any() for slope in hard_slopes)
    assert soft_slope[:, 1] == pytest.approx(np.gradient(soft[:, 1], soft[:, 0]), abs=0.05)


def test_the_curves_of_dilution_cross_all_sizes() -> None:
    (weight,) = lines(dilution, 0)
    soft, hard = lines(dilution, 1)
    assert weight[:, 0].tolist() == soft[:, 0].tolist() == [2.0**power for power in range(3, 13)]
    assert (np.diff(weight[:, 1]) < 0).all()
    assert (soft[1:, 1] > hard[1:, 1]).all()


def test_the_curves_of_training_are_means_over_the_seeds() -> None:
    separate, tied = train("separate", "same"), train("tied", "same")
    for curve, record in zip(lines(training, 0), (separate, tied), strict=True):
        steps = curve[:, 0].astype(int)
        assert curve[:, 1] == pytest.approx(record.accuracy.mean(axis=0)[steps])
    for plot, record in ((1, separate), (2, tied)):
        for curve, name in zip(lines(training, plot), ("w_q", "w_k", "w_v"), strict=True):
            steps = curve[:, 0].astype(int)
            assert curve[:, 1] == pytest.approx(record.norms[name].mean(axis=0)[steps])
