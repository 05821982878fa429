"""What lesson 03 says of the formula holds, and the published examples come out as printed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from qkvdocs.attention import attention, attention_weights, softmax
from qkvdocs.examples import engineer
from qkvdocs.experiments import (
    by_einsum,
    by_hand,
    by_loops,
    by_matmul,
    cosine,
    doubled,
    integers,
    journey,
    scale_effect,
    softmax_axis,
    three_ways,
    zero_score,
)

SIZES = st.integers(1, 6)


class TestThreeWays:
    @given(SIZES, SIZES, SIZES, SIZES, st.integers(0, 99))
    def test_loops_products_and_einsum_agree_for_any_sizes(
        self, n_q: int, n_k: int, d_k: int, d_v: int, seed: int
    ) -> None:
        ways = three_ways(n_q, n_k, d_k, d_v, seed)
        assert ways.loops.shape == (n_q, d_v)
        assert ways.difference < 1e-12

    def test_the_sentence_comes_out_as_the_course_has_it(self) -> None:
        for way in (by_loops, by_matmul, by_einsum):
            assert_allclose(way(engineer.q, engineer.k, engineer.v), engineer.scaled.output)

    def test_a_score_too_few_would_show(self) -> None:
        q, k, v = engineer.q, engineer.k, engineer.v
        assert np.abs(by_loops(q, k[:3], v[:3]) - attention(q, k, v)).max() > 0.01


class TestScale:
    def test_the_root_moves_weights_and_keeps_every_ranking(self) -> None:
        effect = scale_effect()
        assert effect.same_order
        plain = attention_weights(engineer.q, engineer.k, scale=1)
        scaled = attention_weights(engineer.q, engineer.k, scale=2**-0.5)
        assert effect.weight_change == pytest.approx(np.abs(plain - scaled).max())
        assert effect.output_change == pytest.approx(np.abs((plain - scaled) @ engineer.v).max())

    def test_dividing_after_softmax_leaves_less_than_a_whole(self) -> None:
        assert scale_effect().sum_if_after == pytest.approx(1 / scale_effect().root)

    def test_doubled_queries_sharpen_each_row(self) -> None:
        assert (doubled().max(axis=1) > engineer.scaled.weights.max(axis=1)).all()
        assert_allclose(doubled(), attention_weights(engineer.q, 2 * engineer.k))

    def test_the_top_weight_of_each_row_gets_smaller(self) -> None:
        assert (engineer.scaled.weights.max(axis=1) < engineer.weights.max(axis=1)).all()


@pytest.mark.parametrize("token", [token.en for token in engineer.tokens])
def test_a_row_by_hand_is_the_row_of_attention(token: str) -> None:
    row, place = by_hand(token), engineer.position(token)
    assert_allclose(row.weights, engineer.scaled.weights[place])
    assert_allclose(row.output, engineer.scaled.output[place])
    assert 0 < np.abs(row.rounded_output - row.output).max() < 0.02
    assert row.total == pytest.approx(row.powers.sum())
    assert_allclose(row.divided * scale_effect().root, row.scores)


class TestAxis:
    def test_only_the_right_axis_gives_each_query_a_whole(self) -> None:
        axis = softmax_axis()
        assert_allclose(axis.rows.sum(axis=1), 1)
        assert_allclose(axis.columns.sum(axis=0), 1)
        assert np.abs(axis.columns.sum(axis=1) - 1).min() > 0.4

    def test_outputs_are_those_of_their_weights(self) -> None:
        axis = softmax_axis()
        assert_allclose(axis.right, engineer.scaled.output)
        assert_allclose(axis.wrong, axis.columns @ engineer.v)

    def test_symmetric_scores_hide_the_mistake(self) -> None:
        scores = journey().scores
        assert_allclose(softmax(scores, axis=0), softmax(scores, axis=1).T)


class TestCosine:
    def test_lengths_decide_whom_engineer_finds(self) -> None:
        found = cosine()
        assert found.dots[0].argmax() == engineer.position("California")
        assert found.cosines[0].argmax() == engineer.position("in")

    def test_cosines_are_those_of_unit_vectors(self) -> None:
        q, k = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (engineer.q, engineer.k))
        assert_allclose(cosine().cosines, q @ k.T, atol=1e-12)
        assert_allclose(cosine().sharpened, attention_weights(q, k, scale=10))

    @given(st.lists(st.floats(-1, 1), min_size=2, max_size=9))
    def test_no_weight_of_cosines_beats_another_by_more_than_the_bound(
        self, cosines: list[float]
    ) -> None:
        weights = softmax(cosines)
        assert weights.max() / weights.min() <= cosine().bound * (1 + 1e-12)


def test_a_score_of_0_is_nearly_all_or_nearly_nothing() -> None:
    assert zero_score().among_lower[0] == zero_score().among_higher[0] == 0
    assert zero_score().largest > 0.9
    assert zero_score().smallest < 0.02


class TestPublished:
    def test_raschka_s_printed_numbers_follow_from_his_inputs(self) -> None:
        example = journey()
        assert_allclose(example.scores[1], example.printed_scores, atol=5e-5)
        assert_allclose(example.weights[1], example.printed_weights, atol=5e-5)
        assert_allclose(example.output[1], example.printed_output, atol=5e-5)

    def test_karim_s_printed_output_needs_his_simpler_weights_and_no_scale(self) -> None:
        example = integers()
        assert_allclose(example.simplified, example.printed_output, atol=1e-12)
        assert np.abs(example.weights - example.printed_weights).max() < 0.07
        # To one digit the first row would be 0.1, 0.5, 0.5, which is more than a whole.
        assert example.weights[0].round(1).sum() == pytest.approx(1.1)
        for other in (example.unscaled, example.scaled):
            assert np.abs(other - example.printed_output).max() > 0.05

    def test_karim_s_whole_formula_is_attention(self) -> None:
        example = integers()
        q, k, v = example.x @ example.w_q, example.x @ example.w_k, example.x @ example.w_v
        assert_allclose(example.scaled, attention(q, k, v))
        assert_allclose(example.unscaled, softmax(q @ k.T) @ v)
