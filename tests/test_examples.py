"""The hand-built sentences say what the lessons read off them."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from qkvdocs import examples
from qkvdocs.examples import Sentence, engineer, engineer_ten_years, find_referent

SENTENCES = [value for value in vars(examples).values() if isinstance(value, Sentence)]
ENGINEERS = [engineer, engineer.scaled, engineer_ten_years, engineer_ten_years.scaled]


def ranking(sentence: Sentence, asking: str) -> list[str]:
    """Return the tokens in the order of the weight that one token puts on them."""
    row = sentence.weights[sentence.position(asking)]
    return [sentence.tokens[j].en for j in np.argsort(-row)]


@pytest.mark.parametrize("sentence", ENGINEERS)
def test_the_readings_of_the_lesson_hold(sentence: Sentence) -> None:
    assert ranking(sentence, "engineer")[0] == "California"
    assert ranking(sentence, "works")[0] == "engineer"
    assert ranking(sentence, "California")[0] == "works"


@pytest.mark.parametrize("sentence", [engineer_ten_years, engineer_ten_years.scaled])
def test_california_finds_the_event_in_works_and_ten_years(sentence: Sentence) -> None:
    assert ranking(sentence, "California")[:2] == ["works", "ten years"]


@pytest.mark.parametrize("sentence", ENGINEERS)
def test_what_should_differ_does(sentence: Sentence) -> None:
    for vectors in (sentence.q, sentence.k, sentence.v, sentence.x):
        assert len({tuple(row) for row in vectors}) == len(sentence.tokens)
    for query, key in zip(sentence.q, sentence.k, strict=True):
        assert not np.array_equal(query, key)
    sizes = [len(sentence.tokens), len(sentence.dimensions)]
    sizes += [len(sentence.match_dimensions), len(sentence.value_dimensions)]
    assert len(set(sizes)) == 4
    for row in sentence.scores:
        assert all(abs(a - b) > 0.01 for a, b in combinations(row, 2))


def test_the_numbers_can_be_followed_by_hand() -> None:
    halves = [engineer.x, engineer.w_q, engineer.w_k, engineer.w_v, engineer.q, engineer.k]
    assert all(np.array_equal(2 * array, np.round(2 * array)) for array in halves)
    assert max(np.abs(array).max() for array in halves) <= 2


def test_the_longer_sentence_begins_with_the_shorter() -> None:
    assert np.array_equal(engineer_ten_years.x[:4], engineer.x)
    assert np.array_equal(engineer_ten_years.scores[:4, :4], engineer.scores)


def test_scores_between_two_tokens_depend_on_who_asks() -> None:
    assert engineer.score("engineer", "California") != engineer.score("California", "engineer")


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.name)
def test_weights_are_shares_of_one(sentence: Sentence) -> None:
    assert np.allclose(sentence.weights.sum(axis=-1), 1, rtol=0, atol=1e-12)
    assert np.allclose(sentence.output, sentence.weights @ sentence.v, rtol=0, atol=1e-12)


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.name)
def test_nobody_can_change_a_sentence(sentence: Sentence) -> None:
    for array in (sentence.x, sentence.w_q, sentence.w_k, sentence.w_v):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 9
    with pytest.raises(AttributeError):
        sentence.scale = 2.0  # type: ignore[misc]


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.name)
def test_a_sentence_is_found_under_its_name(sentence: Sentence) -> None:
    assert getattr(examples, sentence.name) is sentence


@pytest.mark.parametrize(("sentence", "found"), [("tired", "animal"), ("wide", "street")])
def test_it_finds_its_thing_in_the_second_layer(sentence: str, found: str) -> None:
    assert ranking(getattr(examples, sentence), "it")[0] == found
    assert ranking(getattr(examples, f"{sentence}_first"), "it")[0] == sentence


def test_behind_a_causal_mask_it_cannot_tell_the_sentences_apart() -> None:
    def weights_of_it(name: str) -> list[float]:
        first = getattr(examples, f"{name}_first").causal
        second = find_referent(first, name).causal
        return second.weights[second.position("it")][: second.position("it") + 1].tolist()

    assert weights_of_it("tired") == weights_of_it("wide")


def test_a_word_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match=r"engineer, in, California, works.*got 'Texas'"):
        engineer.position("Texas")


def test_a_matrix_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'engineer': wanted w_q of shape \(5, 2\).*got \(2, 5\)"):
        Sentence(**{**vars(engineer), "w_q": engineer.w_q.T})


@pytest.mark.parametrize("matrix", ["x", "w_q", "w_k", "w_v"])
def test_a_list_is_refused_where_an_array_is_wanted(matrix: str) -> None:
    message = rf"'engineer': wanted {matrix} as an array; got a list: write np\.array"
    with pytest.raises(TypeError, match=message):
        replace(engineer, **{matrix: getattr(engineer, matrix).tolist()})
