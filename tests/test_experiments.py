"""The claims of the course hold for the numbers that are printed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from qkvdocs.attention import attention, attention_scores, attention_weights
from qkvdocs.examples import engineer
from qkvdocs.experiments import (
    MEMORY,
    TEMPERATURES,
    come_apart,
    coreference,
    dilution,
    long_value,
    measured_gradient,
    memory_lookup,
    next_word,
    no_match,
    no_projection,
    nudge,
    retrieval_gradients,
    retrieval_sweep,
    score_factors,
    self_preference,
    separate,
    temperature,
    three_gradients,
    tie,
    tied,
    tied_unit,
    trained,
    two_sources,
    value_replaced,
    value_then_output,
)
from qkvdocs.training import task


class TestNudge:
    def test_the_hard_output_jumps_from_one_value_to_the_other(self) -> None:
        assert (nudge(0.01).hard_before, nudge(0.01).hard_after) == (0, 10)
        assert nudge(0.01).hard_change == 10

    def test_the_soft_output_moves_by_the_slope_of_the_sigmoid(self) -> None:
        # 10 α (1 - α) · 0.01 with α = 1/2
        assert nudge(0.01).soft_change == pytest.approx(10 * 0.25 * 0.01, rel=1e-4)

    @given(st.floats(0, 1))
    def test_soft_never_moves_faster_than_a_quarter_of_the_gap(self, by: float) -> None:
        assert 0 <= nudge(by).soft_change <= 10 * by / 4 + 1e-12
        assert nudge(by).hard_change in (0, 10)

    def test_by_says_how_far_the_second_score_moved(self) -> None:
        moved = nudge(0.25)
        assert_allclose(moved.scores_after - moved.scores_before, [0, 0.25])
        assert_allclose(moved.weights_after @ [0, 10], moved.soft_after)


class TestRetrievalSweep:
    def test_the_hard_output_has_no_slope_and_the_soft_one_has_it_everywhere(self) -> None:
        sweep = retrieval_sweep()
        assert not sweep.hard_slope.any()
        assert set(sweep.hard.tolist()) == {0, 10}
        assert (sweep.soft_slope > 0).all()

    def test_the_soft_slope_is_that_of_the_sigmoid(self) -> None:
        sweep = retrieval_sweep()
        alpha = 1 / (1 + np.exp(-sweep.difference))
        assert_allclose(sweep.soft, 10 * alpha, rtol=1e-12)
        assert_allclose(sweep.soft_slope, 10 * alpha * (1 - alpha), rtol=0, atol=1e-8)


class TestRetrievalGradients:
    def test_formula_and_finite_differences_agree(self) -> None:
        assert retrieval_gradients().soft_error < 1e-8
        assert retrieval_gradients().hard_error == 0

    def test_only_soft_retrieval_has_one(self) -> None:
        gradients = retrieval_gradients()
        assert gradients.soft_norm > 0.1
        assert gradients.hard_norm == 0

    def test_so_it_is_for_random_queries(self) -> None:
        assert retrieval_gradients().hard_zero_share == 1
        assert retrieval_gradients().soft_zero_share == 0

    def test_following_it_finds_more_of_where(self) -> None:
        query = engineer.q[0]
        moved = query + 0.1 * retrieval_gradients().soft
        where = engineer.v[:, [1]]
        before = attention(query[np.newaxis], engineer.k, where, scale=1)
        assert attention(moved[np.newaxis], engineer.k, where, scale=1) > before


def test_measured_gradient_of_a_quadratic_form_is_exact_to_rounding() -> None:
    a = np.arange(6.0).reshape(2, 3)
    assert_allclose(measured_gradient(lambda x: float((x * x).sum() / 2), a), a, atol=1e-9)


class TestTwoSources:
    def test_soft_takes_the_mean_of_a_tie_and_hard_the_first(self) -> None:
        both = tie()
        assert both.weights[0] == both.weights[2]
        assert_allclose(both.soft, both.mean, atol=1e-3)
        assert_array_equal(both.hard, [1, 0])

    def test_soft_reads_both_sources_and_hard_guesses_one(self) -> None:
        result = two_sources()
        assert result.soft == 1
        assert result.hard == pytest.approx(1 / result.symbols, abs=0.03)

    def test_more_symbols_make_the_guess_worse(self) -> None:
        assert two_sources(symbols=20).hard == pytest.approx(1 / 20, abs=0.02)


class TestDilution:
    def test_the_weight_thins_out_and_the_error_grows_with_every_doubling(self) -> None:
        thin = dilution()
        assert (np.diff(thin.top_weight) < 0).all()
        assert (np.diff(thin.soft_error) > 0).all()

    def test_hard_retrieval_stays_right(self) -> None:
        assert not dilution().hard_error.any()

    def test_from_nearly_all_to_a_small_part(self) -> None:
        assert dilution().at(8).top_weight > 0.9
        assert dilution().at(4096).top_weight < 0.15

    def test_the_weight_is_what_the_formula_expects(self) -> None:
        # e^√d_k against n - 1 keys of mean e^(1/2): exp of a standard normal score
        thin = dilution()
        share = math.exp(math.sqrt(thin.width))
        for n in thin.sizes:
            expected = share / (share + (n - 1) * math.exp(0.5))
            assert thin.at(n).top_weight == pytest.approx(expected, abs=0.08)

    def test_refuses_a_size_it_did_not_measure(self) -> None:
        with pytest.raises(ValueError, match=r"n: wanted one of 8, 16, .* 4096; got 9"):
            dilution().at(9)


class TestTemperature:
    def test_hot_is_uniform_and_cold_is_hard(self) -> None:
        assert_allclose(temperature(1e6).weights, 1 / 4, atol=1e-5)
        assert temperature(0.01).distance < 1e-12

    def test_colder_is_never_further_from_hard(self) -> None:
        distances = [temperature(t).distance for t in TEMPERATURES]
        assert (np.diff(distances) <= 1e-12).all()
        assert distances[0] > 1

    def test_one_is_the_sentence_itself(self) -> None:
        assert_allclose(temperature(1).output, engineer.output[0])
        assert_allclose(temperature(1, "works").output, engineer.output[engineer.position("works")])

    def test_zero_is_refused(self) -> None:
        with pytest.raises(ValueError, match="wanted a temperature above 0, got 0"):
            temperature(0)


class TestProjections:
    def test_one_matrix_or_none_makes_scores_symmetric_but_not_weights(self) -> None:
        for projections in (tied(), tied_unit(), no_projection()):
            assert projections.score_asymmetry < 1e-12
            assert projections.weight_asymmetry > 0.01

    def test_two_matrices_do_not(self) -> None:
        assert separate().score_asymmetry > 1
        assert_array_equal(separate().scores, engineer.scores)

    def test_without_projection_the_scores_are_x_x_transposed(self) -> None:
        assert_allclose(no_projection().scores, engineer.x @ engineer.x.T)

    def test_equally_long_rows_score_themselves_highest(self) -> None:
        assert tied_unit().self_favouring == len(engineer.tokens)
        assert_allclose(np.diag(tied_unit().scores), 1)
        assert separate().self_favouring == 0

    def test_rows_of_unequal_length_need_not(self) -> None:
        assert 0 < tied().self_favouring < len(engineer.tokens)

    def test_tied_scores_keep_the_bound_and_separate_ones_break_it(self) -> None:
        assert tied().excess <= 1e-12
        assert separate().excess > 1

    @given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 4))
    def test_the_bound_holds_for_any_tied_rows(self, seed: int, n: int, d_k: int) -> None:
        rows = np.random.default_rng(seed).normal(size=(n, d_k))
        scores = attention_scores(rows, rows)
        own = np.diag(scores)
        assert (scores <= np.maximum(own[:, np.newaxis], own) + 1e-12).all()

    def test_at_random_tied_tokens_favour_themselves_and_separate_ones_do_so_by_chance(
        self,
    ) -> None:
        found = self_preference()
        assert 0.65 < found.tied < 0.8, "often, but far from always"
        assert found.separate == pytest.approx(1 / found.n, abs=0.02)


class TestFactors:
    def test_w_v_and_w_o_enter_as_their_product(self) -> None:
        assert value_then_output().difference < 1e-12

    def test_other_matrices_give_the_same_scores(self) -> None:
        factors = score_factors()
        assert factors.difference < 1e-12
        assert np.abs(factors.w_q - engineer.w_q).max() > 0.5
        assert np.abs(factors.w_k - engineer.w_k).max() > 0.5
        assert_allclose(factors.w_q @ factors.w_k.T, engineer.w_q @ engineer.w_k.T, atol=1e-12)

    @pytest.mark.parametrize("word", ["engineer", "in", "California", "works"])
    def test_x_as_value_may_be_projected_afterwards(self, word: str) -> None:
        both = value_replaced(word)
        assert_allclose(both.recovered, both.projected, rtol=0, atol=1e-12)
        assert_allclose(both.projected, engineer.output[engineer.position(word)])


def test_weight_is_handed_out_even_where_nothing_matches() -> None:
    nothing = no_match()
    assert (nothing.scores < 0).all()
    assert nothing.total == pytest.approx(1)
    assert nothing.hard == nothing.weights.argmax()


def test_a_small_weight_on_a_long_value_moves_more() -> None:
    long = long_value()
    assert long.weights[0] > long.weights[1]
    assert long.moved[0] < long.moved[1]
    assert_allclose(long.moved, np.linalg.norm(long.weights[:, np.newaxis] * long.values, axis=1))


class TestMemories:
    @pytest.mark.parametrize(("question", "answer"), [(q.en, a.en) for q, a in MEMORY])
    def test_a_question_finds_its_answer_by_the_questions(self, question: str, answer: str) -> None:
        found = memory_lookup(question)
        assert found.answer.en == answer
        assert found.weights.max() > 0.9

    @pytest.mark.parametrize("question", [question.en for question, _ in MEMORY])
    def test_and_nothing_by_the_answers(self, question: str) -> None:
        assert not memory_lookup(question).answer_scores.any()
        assert_allclose(memory_lookup(question).answer_weights, 1 / 4)

    def test_in_neither_language_an_answer_has_a_word_of_a_question(self) -> None:
        for language in ("zh", "en"):
            asked = {word for question, _ in MEMORY for word in question[language].split()}
            assert not asked & {word for _, answer in MEMORY for word in answer[language].split()}

    def test_unknown_words_match_nothing_and_weight_is_handed_out_all_the_same(self) -> None:
        found = memory_lookup("height Everest")
        assert not found.scores.any()
        assert_allclose(found.weights, 1 / 4)

    def test_the_next_word_is_that_of_the_nearest_contexts(self) -> None:
        found = next_word()
        assert found.words[int(found.word_weights.argmax())].en == "water"
        assert found.word_weights.sum() == pytest.approx(1)
        assert found.word_weights[0] == pytest.approx(found.weights[:2].sum())


class TestCoreference:
    def test_the_ending_decides_whom_it_means(self) -> None:
        tired, wide = coreference("tired"), coreference("wide")
        assert tired.animal_score > tired.street_score
        assert wide.street_score > wide.animal_score
        assert tired.animal > 0.9 and wide.street > 0.9

    def test_a_causal_model_has_not_seen_the_ending(self) -> None:
        tired, wide = coreference("tired", causal=True), coreference("wide", causal=True)
        assert tired == wide
        assert tired.animal == pytest.approx(tired.street)

    def test_refuses_another_ending(self) -> None:
        with pytest.raises(ValueError, match="ending: wanted one of tired, wide; got 'old'"):
            coreference("old")  # type: ignore[arg-type]


class TestThreeGradients:
    def test_formula_and_finite_differences_agree(self) -> None:
        assert three_gradients().error < 1e-8

    def test_the_three_are_neither_zero_nor_equal(self) -> None:
        gradients = three_gradients()
        assert min(gradients.norm_q, gradients.norm_k, gradients.norm_v) > 0.1
        assert not np.allclose(gradients.w_q, gradients.w_k)

    def test_w_q_changes_for_the_asking_token_alone(self) -> None:
        asking = engineer.x[engineer.position("engineer")] != 0
        assert three_gradients().w_q[asking].any()
        assert not three_gradients().w_q[~asking].any()

    def test_w_k_and_w_v_change_for_those_that_are_asked(self) -> None:
        california = engineer.x[engineer.position("California")] != 0
        assert three_gradients().w_k[california].any(axis=1).all()
        assert three_gradients().w_v[california].any(axis=1).all()

    def test_a_small_step_against_them_lowers_the_loss(self) -> None:
        g = three_gradients()
        x, rate = engineer.x, 0.01
        q, k, v = (
            x @ (w - rate * d)
            for w, d in ((engineer.w_q, g.w_q), (engineer.w_k, g.w_k), (engineer.w_v, g.w_v))
        )
        missing = attention_weights(q, k, scale=1)[0] @ v - engineer.v[2]
        assert missing @ missing / 2 < g.loss


class TestTrained:
    def test_separate_learns_what_tied_cannot(self) -> None:
        assert trained("separate").accuracy == 1
        assert trained("tied").highest < 0.5
        assert trained("tied", "different").accuracy == 1

    def test_hard_stays_at_chance(self) -> None:
        assert trained("hard").accuracy == pytest.approx(trained("hard").chance, abs=0.02)

    def test_the_spread_is_over_five_seeds(self) -> None:
        tied = trained("tied")
        assert tied.seeds == 5
        assert tied.lowest < tied.accuracy < tied.highest
        assert 0 < tied.spread < tied.highest - tied.lowest


class TestComeApart:
    def test_from_one_start_to_three_matrices(self) -> None:
        apart = come_apart()
        for before in (apart.qk_before, apart.qv_before, apart.kv_before):
            assert before == pytest.approx(1)
        assert max(abs(apart.qk), abs(apart.qv), abs(apart.kv)) < 0.1

    def test_q_and_k_read_who_a_token_is_and_v_reads_what_it_carries(self) -> None:
        apart = come_apart()
        assert apart.reads_token_before == pytest.approx(0.5, abs=0.1)
        assert min(apart.q_reads_token, apart.k_reads_token) > 0.9
        assert apart.v_reads_token < 0.1

    def test_the_score_table_is_the_relation(self) -> None:
        apart = come_apart()
        assert apart.sources_found == 1
        assert_array_equal(apart.score_table.argmax(axis=1), task("same").relation.argmax(axis=1))

    def test_the_signal_reaches_w_v_first(self) -> None:
        assert come_apart().v_signal_at_start > 2

    def test_first_step_all_right_is_the_first(self) -> None:
        apart = come_apart()
        first = apart.first_step_all_right
        assert apart.accuracy[first] == 1
        assert (apart.accuracy[:first] < 1).all()
        assert 0 < first < len(apart.accuracy) / 2
