"""The hand-written gradients are slopes, and what is trained with them learns what it can."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from qkvdocs.attention import attention, causal_mask, project
from qkvdocs.training import (
    TASKS,
    VARIANTS,
    Adam,
    TaskName,
    Variant,
    accuracy,
    attention_gradients,
    forward_backward,
    one_hot_of_best,
    projection_gradients,
    start,
    task,
    train,
)

STEP = 1e-5  # truncation error is about STEP², rounding error about 1e-16/STEP


def slope(loss: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Central differences of `loss`, one entry of `at` after the other."""
    result = np.empty_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = STEP
        result[index] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return result


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


class TestAttentionGradients:
    def test_by_hand(self) -> None:
        # Both weights 1/2; dS = 1/2·1/2·(4 - 8, 8 - 4) = (-1, 1); dQ = -1·0 + 1·1; dK = dS·2.
        gradients = attention_gradients([[2]], [[0], [0]], [[4], [8]], [[1]])
        assert_allclose(gradients.value, [[0.5], [0.5]])
        assert_allclose(gradients.query, [[0]])
        assert_allclose(gradients.key, [[-2], [2]])

    @pytest.mark.parametrize("mask", [None, causal_mask(5, 7)], ids=["all", "causal"])
    @pytest.mark.parametrize("scale", [None, 0.7], ids=["default scale", "scale 0.7"])
    @pytest.mark.parametrize("subject", ["query", "key", "value"])
    def test_is_the_slope(self, subject: str, mask: np.ndarray | None, scale: float | None) -> None:
        given = {
            "query": normal(2, 5, 3, seed=1),
            "key": normal(2, 7, 3, seed=2),
            "value": normal(2, 7, 2, seed=3),
        }
        d_output = normal(2, 5, 2, seed=4)

        def loss(changed: np.ndarray) -> float:
            return float(
                (attention(**(given | {subject: changed}), mask=mask, scale=scale) * d_output).sum()
            )

        formula = attention_gradients(**given, d_output=d_output, mask=mask, scale=scale)
        gradient = getattr(formula, subject)
        assert np.abs(gradient).max() > 0.1
        assert_allclose(slope(loss, given[subject]), gradient, rtol=0, atol=1e-8)

    def test_nothing_reaches_a_masked_key(self) -> None:
        mask = np.array([[True, False, True]])
        gradients = attention_gradients(
            normal(1, 2),
            normal(3, 2, seed=1),
            normal(3, 4, seed=2),
            normal(1, 4, seed=3),
            mask=mask,
        )
        assert not gradients.key[1].any() and not gradients.value[1].any()
        assert gradients.key[0].all() and gradients.value[0].all()

    def test_a_fully_masked_row_sends_nothing_back(self) -> None:
        gradients = attention_gradients([[1.0]], [[1.0]], [[1.0]], [[1.0]], mask=[[False]])
        assert not gradients.query.any() and not gradients.key.any() and not gradients.value.any()

    @given(st.integers(0, 2**32 - 1), st.floats(-5, 5))
    def test_a_constant_added_to_all_values_reaches_no_query(self, seed: int, shift: float) -> None:
        # The weights sum to 1, so the shift moves the output but not what the query should ask.
        query, key, value = normal(3, 2, seed=seed), normal(5, 2, seed=seed), normal(5, 2, seed=1)
        d_output = normal(3, 2, seed=2)
        plain = attention_gradients(query, key, value, d_output)
        shifted = attention_gradients(query, key, value + shift, d_output)
        assert_allclose(plain.query, shifted.query, rtol=0, atol=1e-9)
        assert_allclose(plain.key, shifted.key, rtol=0, atol=1e-9)

    @pytest.mark.parametrize(
        ("shapes", "message"),
        [
            (((5, 3), (7, 3), (7, 2), (5, 4)), r"d_output: wanted shape \(5, 2\)"),
            (((5, 3), (7, 3), (6, 2), (5, 2)), r"value: wanted shape \(7, 2\)"),
            (((2, 5, 3), (7, 3), (7, 2), (2, 5, 2)), r"key: wanted shape \(2, 7, 3\)"),
        ],
        ids=["output", "value", "broadcast key"],
    )
    def test_refuses_shapes_that_do_not_fit(
        self, shapes: tuple[tuple[int, ...], ...], message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            attention_gradients(*(normal(*shape) for shape in shapes))

    @pytest.mark.parametrize("name", ["w_q", "w_k", "w_v"])
    def test_of_the_projections_is_the_slope(self, name: str) -> None:
        x, d_output = normal(5, 7, seed=5), normal(5, 2, seed=6)
        w = {
            "w_q": normal(7, 3, seed=7),
            "w_k": normal(7, 3, seed=8),
            "w_v": normal(7, 2, seed=9),
        }

        def loss(changed: np.ndarray) -> float:
            return float((attention(*project(x, **(w | {name: changed}))) * d_output).sum())

        gradient = getattr(projection_gradients(x, **w, d_output=d_output), name)
        assert np.abs(gradient).max() > 0.1
        assert_allclose(slope(loss, w[name]), gradient, rtol=0, atol=1e-8)


class TestTask:
    @pytest.mark.parametrize("name", TASKS)
    def test_the_target_names_what_the_sources_carry(self, name: TaskName) -> None:
        about = task(name)
        x, target = about.sequences(np.random.default_rng(0), (3,))
        carried = x[..., about.m :]
        for sequence in range(3):
            for token in np.flatnonzero(about.asks):
                sources = np.flatnonzero(about.relation[token])
                assert_allclose(target[sequence, token], carried[sequence, sources].mean(axis=0))
        assert_array_equal(target[:, about.asks].sum(axis=-1), 1)
        assert not target[:, ~about.asks].any()

    def test_a_token_says_who_it_is_and_what_it_carries(self) -> None:
        x, _ = task("same", m=5).sequences(np.random.default_rng(0), (4,))
        assert_array_equal(x[..., :5], np.broadcast_to(np.eye(5), (4, 5, 5)))
        assert_array_equal(x[..., 5:].sum(axis=-1), 1)

    def test_relations(self) -> None:
        same, different = task("same").relation, task("different")
        assert not (same * same.T).any(), "never both ways"
        assert_array_equal(same.sum(axis=0), 1)
        assert_array_equal(same.sum(axis=1), 1)
        asked = different.relation.any(axis=0)
        assert not (asked & different.asks).any()
        assert_array_equal((task("two").relation > 0).sum(axis=1), 2)

    @pytest.mark.parametrize("name", TASKS)
    def test_chance_is_what_random_answers_get(self, name: TaskName) -> None:
        about, rng = task(name), np.random.default_rng(3)
        _, target = about.sequences(rng, (4000,))
        guessed = accuracy(rng.normal(size=target.shape), target, about.asks)
        assert float(guessed) == pytest.approx(about.chance, abs=0.006)

    def test_unknown(self) -> None:
        with pytest.raises(
            ValueError, match=r"task: wanted one of same, different, two; got 'all'"
        ):
            task("all")  # type: ignore[arg-type]


def test_the_three_matrices_start_equal() -> None:
    w = start(np.random.default_rng(0), "separate")
    assert_array_equal(w["w_q"], w["w_k"])
    assert_array_equal(w["w_q"], w["w_v"])


def test_one_hot_of_best_takes_the_first_of_a_tie() -> None:
    assert_array_equal(one_hot_of_best(np.array([[1.0, 3.0, 3.0]])), [[0, 1, 0]])


class TestForwardBackward:
    @pytest.mark.parametrize("name", TASKS)
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_gradients_are_slopes(self, variant: Variant, name: TaskName) -> None:
        about, rng = task(name, m=4), np.random.default_rng(1)
        w = start(rng, variant, m=4)
        if variant != "tied":
            w["w_k"] = w["w_k"] + rng.normal(size=w["w_k"].shape)
        x, target = about.sequences(rng, (3,))
        step = forward_backward(w, x, target, about.asks, variant)
        for matrix in w:

            def loss(changed: np.ndarray, matrix: str = matrix) -> float:
                trial = w | {matrix: changed}
                if variant == "tied" and matrix in ("w_q", "w_k"):
                    trial |= {"w_q": changed, "w_k": changed}
                return float(forward_backward(trial, x, target, about.asks, variant).loss)

            gradient = step.gradients[matrix]
            silent = variant == "hard" and matrix in ("w_q", "w_k")
            assert gradient.any() != silent
            assert_allclose(slope(loss, w[matrix]), gradient, rtol=0, atol=1e-8)

    def test_tied_matrices_get_one_gradient(self) -> None:
        about, rng = task("same"), np.random.default_rng(2)
        step = forward_backward(start(rng, "tied"), *about.sequences(rng, (3,)), about.asks, "tied")
        assert_array_equal(step.gradients["w_q"], step.gradients["w_k"])

    def test_the_loss_of_hopelessly_wrong_logits_is_finite(self) -> None:
        about, rng = task("same"), np.random.default_rng(2)
        w = start(rng, "separate")
        w["w_o"] = w["w_o"] * 1e4
        step = forward_backward(w, *about.sequences(rng, (3,)), about.asks, "separate")
        assert 100 < float(step.loss) < np.inf

    def test_models_side_by_side_do_not_touch(self) -> None:
        about = task("same")
        rngs = [np.random.default_rng(seed) for seed in (4, 5)]
        ws = [start(rng, "separate") for rng in rngs]
        batches = [about.sequences(rng, (3,)) for rng in rngs]
        both = forward_backward(
            {name: np.stack([w[name] for w in ws]) for name in ws[0]},
            np.stack([x for x, _ in batches]),
            np.stack([target for _, target in batches]),
            about.asks,
            "separate",
        )
        for i in range(2):
            alone = forward_backward(ws[i], *batches[i], about.asks, "separate")
            assert_allclose(both.loss[i], alone.loss, rtol=1e-12)
            for name, gradient in alone.gradients.items():
                assert_allclose(both.gradients[name][i], gradient, rtol=0, atol=1e-14)


def test_adam_first_moves_each_entry_by_the_rate_against_its_gradient() -> None:
    w = {"w": np.array([[1.0, 1.0, 1.0]])}
    Adam(w, rate=0.1).step({"w": np.array([[20.0, -0.01, 0.0]])})
    assert_allclose(w["w"], [[0.9, 1.1, 1.0]], rtol=1e-5)


class TestTrain:
    def test_separate_matrices_learn_directed_relations_and_tied_ones_do_not(self) -> None:
        assert train("separate", "same").test_accuracy.min() == 1
        assert train("tied", "same").test_accuracy.max() < 0.5

    def test_tied_matrices_suffice_where_askers_are_not_asked(self) -> None:
        assert train("tied", "different").test_accuracy.min() == 1

    @pytest.mark.parametrize("name", TASKS)
    def test_nothing_is_lost_without_w_v_where_w_o_follows(self, name: TaskName) -> None:
        assert train("no_value", name).test_accuracy.min() == 1

    def test_soft_retrieval_blends_two_sources(self) -> None:
        assert train("separate", "two").test_accuracy.min() == 1

    @pytest.mark.parametrize("name", TASKS)
    def test_hard_retrieval_never_moves_w_q_and_w_k(self, name: TaskName) -> None:
        record = train("hard", name)
        for matrix in ("w_q", "w_k"):
            assert_array_equal(record.after[matrix], record.before[matrix])
            assert not record.norms[matrix].any()
        assert record.norms["w_v"].all(), "its values do learn"
        assert record.mean == pytest.approx(task(name).chance, abs=0.03)

    def test_tied_matrices_stay_tied(self) -> None:
        record = train("tied", "same")
        assert_array_equal(record.after["w_q"], record.after["w_k"])
        assert_allclose(record.overlap["qk"], 1)

    def test_the_matrices_start_as_one_and_end_apart(self) -> None:
        record = train("separate", "same")
        assert_array_equal(record.before["w_q"], record.before["w_k"])
        assert_array_equal(record.before["w_q"], record.before["w_v"])
        for cosine in record.overlap.values():
            assert_allclose(cosine[:, 0], 1)
            assert np.abs(cosine[:, -1]).max() < 0.25

    def test_the_gradients_die_down_once_the_task_is_learned(self) -> None:
        for norm in train("separate", "same").norms.values():
            assert norm[:, -1].max() < norm.max(axis=1).min() / 100

    def test_a_seed_learns_the_same_whatever_the_others_are(self) -> None:
        alone = train("separate", "same", seeds=(3,), steps=20)
        among = train("separate", "same", seeds=(1, 3), steps=20)
        assert_allclose(alone.loss[0], among.loss[1], rtol=1e-9)
        assert_allclose(alone.after["w_q"][0], among.after["w_q"][1], rtol=1e-9)
        assert not np.array_equal(among.loss[0], among.loss[1])

    def test_record_has_a_number_for_each_seed_and_step(self) -> None:
        record = train("no_value", "two", seeds=(0, 1, 2), steps=7)
        assert record.loss.shape == record.accuracy.shape == (3, 7)
        assert {norm.shape for norm in record.norms.values()} == {(3, 7)}
        assert set(record.norms) == {"w_q", "w_k", "w_o"}
        assert set(record.overlap) == {"qk"}

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"variant": "soft"}, "variant: wanted one of separate, tied, no_value, hard"),
            ({"task_name": "all"}, "task: wanted one of same, different, two"),
            ({"steps": 0}, "one step .* got .*steps=0"),
            ({"seeds": ()}, "at least one seed"),
            ({"batch": 0}, "one sequence a step"),
        ],
    )
    def test_refuses(self, arguments: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            train(**arguments)  # type: ignore[arg-type]
