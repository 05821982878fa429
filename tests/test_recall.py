"""What lesson 01 measures: recall from a fixed state and by attention, an alignment, paths."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from qkvdocs.attention import attention
from qkvdocs.examples import engineer
from qkvdocs.experiments import (
    ASKED,
    LENGTHS,
    SEEDS,
    SEQUENCES,
    SHOPPING,
    WIDTH,
    nearest,
    paths,
    read_mean,
    read_state,
    recalled,
    shopping,
    signs,
    steps_between,
    translation,
)
from qkvdocs.figures import render
from qkvdocs.figures.recall import numbers_kept, path_length, recall_curve
from qkvdocs.languages import LANGUAGES, Language
from tests.figures.test_numbers import lines

seeds = st.integers(0, 2**32 - 1)


class TestCodes:
    @given(seeds, st.integers(1, 600))
    def test_they_are_signs_and_no_two_are_equal(self, seed: int, count: int) -> None:
        codes = signs(count, np.random.default_rng(seed))
        assert codes.shape == (count, WIDTH)
        assert set(np.unique(codes)) == {-1.0, 1.0}
        assert len(np.unique(codes, axis=0)) == count

    @given(seeds)
    def test_each_code_is_nearest_to_itself(self, seed: int) -> None:
        codes = signs(48, np.random.default_rng(seed))
        assert nearest(codes, codes) == list(range(48))


class TestReading:
    def test_the_mean_answers_every_key_alike(self) -> None:
        keys, values = np.eye(3), np.array([[3.0, 0.0], [0.0, 6.0], [0.0, 0.0]])
        assert_allclose(read_mean(keys, keys, values), [[1, 2]] * 3)

    @given(seeds, st.integers(1, WIDTH))
    def test_the_state_forgets_nothing_of_keys_at_right_angles(self, seed: int, n: int) -> None:
        rng = np.random.default_rng(seed)
        turned, _ = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))
        keys, values = 3 * turned[:n], rng.normal(size=(n, 5))
        assert_allclose(read_state(keys, keys, values), values, atol=1e-12)

    @given(seeds)
    def test_the_state_answers_with_the_value_and_the_crosstalk(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        keys, values = signs(7, rng), rng.normal(size=(7, 3))
        crosstalk = [
            sum(keys[i] @ keys[j] / WIDTH * values[j] for j in range(7) if j != i) for i in range(7)
        ]
        assert_allclose(read_state(keys, keys, values), values + crosstalk, atol=1e-12)

    @given(seeds, st.integers(WIDTH + 1, 40))
    def test_more_keys_than_their_width_leave_one_state_for_different_contents(
        self, seed: int, n: int
    ) -> None:
        rng = np.random.default_rng(seed)
        keys, values = signs(n, rng), rng.normal(size=(n, 4))
        unseen = np.linalg.svd(keys.T)[2][WIDTH:]
        other = values + unseen.T @ rng.normal(size=(n - WIDTH, 4))
        assert_allclose(keys.T @ values, keys.T @ other, atol=1e-9)
        assert np.abs(values - other).max() > 1e-3


class TestRecall:
    def test_a_share_is_kept_for_each_seed_and_length(self) -> None:
        for curve in (recalled().mean, recalled().state, recalled().attention):
            assert curve.shape == (len(SEEDS), len(LENGTHS))
            assert (curve >= 0).all() and (curve <= 1).all()

    def test_one_word_is_never_forgotten(self) -> None:
        assert recalled().at(1).mean == recalled().at(1).state == recalled().at(1).attention == 1

    def test_the_state_forgets_more_the_longer_the_list(self) -> None:
        means = recalled().state.mean(axis=0)
        assert (np.diff(means[2:]) < 0).all()
        assert recalled().at(8).state > 0.95
        assert recalled().at(512).state < 5 * recalled().chance

    def test_attention_keeps_what_the_state_has_long_lost(self) -> None:
        assert recalled().at(64).attention > 0.99
        assert recalled().at(64).state < 0.4

    def test_attention_thins_out_too_and_a_larger_scale_puts_it_off(self) -> None:
        assert recalled().at(512).attention < 0.4
        assert recalled(scale=1).at(512).attention == pytest.approx(1, abs=0.01)

    def test_the_spread_over_seeds_is_smaller_than_what_is_claimed(self) -> None:
        for n in (16, 64, 256):
            at = recalled().at(n)
            assert at.attention - at.state > 10 * max(at.state_spread, at.attention_spread)

    def test_the_shares_are_those_of_lists_drawn_from_the_named_seeds(self) -> None:
        n = 8
        rng = np.random.default_rng((SEEDS[1], n))
        right = 0.0
        for _ in range(SEQUENCES):
            codes, key = signs(len(SHOPPING), rng), signs(n, rng)
            words = rng.integers(len(SHOPPING), size=n)
            answers = attention(key, key, codes[words])
            right += float(np.mean((answers @ codes.T).argmax(axis=1) == words))
        assert recalled().attention[1, LENGTHS.index(n)] == pytest.approx(right / SEQUENCES)

    def test_attention_and_the_state_keep_as_many_numbers_at_half_the_width(self) -> None:
        at = recalled().at(WIDTH // 2)
        assert at.attention_numbers == at.state_numbers == WIDTH**2
        assert recalled().at(512).attention_numbers == 64 * WIDTH**2
        assert {recalled().at(n).mean_numbers for n in LENGTHS} == {WIDTH}

    def test_an_unmeasured_length_is_answered_with_the_measured_ones(self) -> None:
        with pytest.raises(ValueError, match=r"1, 2, 4.*got 3"):
            recalled().at(3)

    def test_long_lists_are_asked_at_enough_places(self) -> None:
        assert 1 < ASKED < LENGTHS[-1]


class TestShopping:
    def test_its_words_differ_in_both_languages(self) -> None:
        assert len({word.zh for word in SHOPPING}) == len({word.en for word in SHOPPING}) == 48

    @pytest.mark.parametrize("n", [1, 8, 48])
    def test_it_counts_the_right_answers(self, n: int) -> None:
        reading = shopping(n)
        assert reading.words == SHOPPING[:n]
        pairs = zip(reading.state, reading.words, strict=True)
        assert reading.state_right == sum(read == word for read, word in pairs)
        assert len(set(reading.mean)) == 1

    def test_a_longer_list_keeps_its_codes(self) -> None:
        # What is kept of each word is the same; so the attention to few is exact in both.
        assert shopping(48).attention[:8] == shopping(8).attention == SHOPPING[:8]

    @pytest.mark.parametrize("n", [0, 49])
    def test_a_list_that_is_not_there_is_refused(self, n: int) -> None:
        with pytest.raises(ValueError, match=f"1 to 48.*got {n}"):
            shopping(n)


class TestTranslation:
    def test_it_is_attention_with_one_vector_as_key_and_value(self) -> None:
        made = translation()
        assert_allclose(made.c, attention(made.s, engineer.x, engineer.x, scale=1))
        assert_allclose(made.a.sum(axis=1), 1)

    def test_each_word_looks_most_at_its_own(self) -> None:
        made = translation()
        for row, word in enumerate(made.target):
            assert made.source[int(made.a[row].argmax())].en == word.en

    def test_the_verb_and_the_place_change_their_order(self) -> None:
        order = translation().a.argmax(axis=1)
        assert_array_equal(np.sort(order), range(4))
        assert not (np.diff(order) > 0).all()

    def test_between_no_question_and_a_loud_one(self) -> None:
        assert_allclose(translation(scale=0).c, [translation().mean] * 4)
        assert_allclose(translation(scale=50).a.max(axis=1), 1)


class TestPaths:
    @given(st.integers(2, 60))
    def test_they_are_the_lengths_of_table_1(self, n: int) -> None:
        found = paths(n)
        assert found.recurrent == n - 1
        assert found.attention == 1
        layers = found.convolution
        assert found.kernel ** (layers - 1) < n <= found.kernel**layers

    def test_steps_in_which_nothing_is_read_count(self) -> None:
        keep, all_read = np.eye(2, dtype=bool), np.ones((2, 2), dtype=bool)
        assert steps_between(lambda step: all_read if step == 3 else keep, 2) == 4


class TestFigures:
    """What the figures of the lesson draw and say is what was measured."""

    def test_the_curves_are_the_means_over_the_seeds(self) -> None:
        for curve, measured in zip(
            lines(recall_curve),
            (recalled().mean, recalled().state, recalled().attention),
            strict=True,
        ):
            assert_allclose(curve, np.column_stack([LENGTHS, measured.mean(axis=0)]))

    def test_the_numbers_kept_are_flat_for_two_and_a_line_for_attention(self) -> None:
        mean, state, found = lines(numbers_kept)
        assert set(mean[:, 1]) == {WIDTH}
        assert set(state[:, 1]) == {WIDTH**2}
        assert_allclose(found[:, 1], 2 * WIDTH * found[:, 0])

    def test_the_paths_are_those_counted(self) -> None:
        found, dilated, recurrent = lines(path_length)
        assert set(found[:, 1]) == {1}
        assert_allclose(recurrent[:, 1], recurrent[:, 0] - 1)
        assert (dilated[:, 1] == np.ceil(np.log(dilated[:, 0]) / np.log(3) - 1e-9)).all()

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize(
        ("name", "entries"),
        [
            ("alignment", translation().a),
            ("plain-weighted", np.vstack([translation().mean, translation().c])),
            ("one-vector", translation().a[1:2]),
        ],
    )
    def test_the_tables_show_and_tell_the_same_numbers(
        self, name: str, entries: np.ndarray, language: Language
    ) -> None:
        figure = render(name, language)
        shown = re.findall(r">(\d\.\d\d)<", figure.svg)
        told = re.findall(r"\d\.\d\d", figure.description)
        assert shown == told == [f"{x:.2f}" for x in entries.ravel()]

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_description_of_the_curve_has_its_shares_with_their_spread(
        self, language: Language
    ) -> None:
        description = render("recall-curve", language).description
        for n in (4, 16, 64, 256):
            at = recalled().at(n)
            for share, spread in (
                (at.mean, at.mean_spread),
                (at.state, at.state_spread),
                (at.attention, at.attention_spread),
            ):
                assert f"{share:.2f} ± {spread:.2f}" in description
