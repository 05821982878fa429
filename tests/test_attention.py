import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from qkvdocs.attention import (
    attention,
    attention_scores,
    attention_weights,
    causal_mask,
    hard_retrieval,
    project,
    softmax,
)

# Primes, all different: a swapped axis cannot pass.
BATCH, HEADS, N_Q, N_K, D_K, D_V, D_MODEL = 2, 3, 5, 7, 11, 13, 17

untimed = settings(deadline=None)

LOG_2, LOG_3 = math.log(2), math.log(3)


def numbers(*shape: int, size: float = 4) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, shape, elements=st.floats(-size, size, width=32))


def normal(*shape: int, seed: int = 0, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


queries = numbers(3, 2)
keys = numbers(5, 2)
values = numbers(5, 3)
masks = arrays(np.bool_, (3, 5))


class TestByHand:
    def test_softmax_shares_by_exp(self) -> None:
        assert_allclose(softmax([0, LOG_2, 0]), [1 / 4, 1 / 2, 1 / 4], rtol=1e-15)

    def test_softmax_of_one_score_is_one(self) -> None:
        assert_array_equal(softmax([[-7.0], [3.0]]), [[1.0], [1.0]])

    def test_softmax_runs_along_the_axis_asked_for(self) -> None:
        scores = [[0, 0, 0], [LOG_3, 0, -np.inf]]
        assert_allclose(softmax(scores, axis=0), [[1 / 4, 1 / 2, 1], [3 / 4, 1 / 2, 0]])
        assert_allclose(softmax(scores), [[1 / 3, 1 / 3, 1 / 3], [3 / 4, 1 / 4, 0]])
        assert_array_equal(softmax(scores, axis=1), softmax(scores, axis=-1))

    def test_softmax_of_a_row_of_minus_infinity_is_zero(self) -> None:
        assert_array_equal(softmax([[-np.inf, -np.inf], [-np.inf, 5.0]]), [[0.0, 0.0], [0.0, 1.0]])

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_softmax_holds_at_the_ends_of_the_dtype(self, dtype: type) -> None:
        largest = np.finfo(dtype).max
        scores = np.array([[largest, -largest, largest], [-largest, -largest, -np.inf]], dtype)
        assert_array_equal(softmax(scores), np.array([[0.5, 0, 0.5], [0.5, 0.5, 0]], dtype))

    def test_scores_are_dot_products_over_the_root_of_d_k(self) -> None:
        query = [[1, 2, 0, 0], [0, 1, 1, 3]]
        key = [[3, 0, 5, 0], [1, 1, 1, 1], [0, 0, 0, 2]]
        assert_array_equal(attention_scores(query, key, scale=1), [[3, 3, 0], [5, 5, 6]])
        assert_array_equal(attention_scores(query, key), [[1.5, 1.5, 0], [2.5, 2.5, 3]])

    def test_weights_and_output_by_hand(self) -> None:
        query, key = [[LOG_2, 0], [0, LOG_3]], [[1, 1], [0, 0], [1, -1]]
        value = [[10, 0], [0, 10], [20, 30]]
        weights = attention_weights(query, key, scale=1)  # 2:1:2 and 3:1:1/3
        assert_allclose(weights, [[2 / 5, 1 / 5, 2 / 5], [9 / 13, 3 / 13, 1 / 13]])
        output = attention(query, key, value, scale=1)
        assert_allclose(output, [[12, 14], [110 / 13, 60 / 13]])

    def test_bias_is_added_after_scaling(self) -> None:
        weights = attention_weights([[0]], [[9], [9]], bias=[[0, LOG_3]], scale=0.5)
        assert_allclose(weights, [[1 / 4, 3 / 4]])

    def test_mask_is_true_where_attention_is_allowed(self) -> None:
        weights = attention_weights([[0], [0]], [[1], [2]], mask=[[True, False], [False, True]])
        assert_array_equal(weights, [[1, 0], [0, 1]])

    def test_bias_and_mask_work_together(self) -> None:
        weights = attention_weights(
            [[0]], [[1], [2], [3]], mask=[[True, True, False]], bias=[[LOG_3, 0, 50]]
        )
        assert_allclose(weights, [[3 / 4, 1 / 4, 0]])

    def test_causal_mask_starts_at_the_top_left(self) -> None:
        assert_array_equal(causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
        assert_array_equal(causal_mask(2, 3), [[1, 0, 0], [1, 1, 0]])
        assert_array_equal(causal_mask(3, 2), [[1, 0], [1, 1], [1, 1]])
        assert causal_mask(np.int64(2)).dtype == np.bool_

    def test_each_projection_uses_its_own_matrix(self) -> None:
        query, key, value = project(
            [[1, 2], [3, 4]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1], [10]]
        )
        assert_array_equal(query, [[1, 2], [3, 4]])
        assert_array_equal(key, [[2, 1], [4, 3]])
        assert_array_equal(value, [[21], [43]])

    def test_hard_retrieval_takes_one_value_and_the_first_of_a_tie(self) -> None:
        query = [[1, 0], [0, 1], [0, 0]]
        key = [[0, 0], [2, -1], [2, 5]]
        value = [[10], [20], [30]]
        assert_array_equal(hard_retrieval(query, key, value), [[20], [30], [10]])


class TestSoftmax:
    @untimed
    @given(numbers(3, 5, size=500))
    def test_weights_are_a_share_of_one(self, scores: np.ndarray) -> None:
        weights = softmax(scores)
        assert (weights >= 0).all()
        assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)

    @untimed
    @given(numbers(3, 5), st.integers(-(2**20), 2**20))
    def test_a_shift_of_all_scores_changes_nothing(self, scores: np.ndarray, shift: int) -> None:
        assert_allclose(softmax(scores + shift), softmax(scores), rtol=1e-8)

    @untimed
    @given(numbers(5))
    def test_higher_scores_never_weigh_less(self, scores: np.ndarray) -> None:
        assert (np.diff(softmax(np.sort(scores))) >= 0).all()

    @untimed
    @given(numbers(3, 5, 2), st.sampled_from([-3, -2, -1, 0, 1, 2]))
    def test_axis_is_the_last_one_moved(self, scores: np.ndarray, axis: int) -> None:
        moved = softmax(np.moveaxis(scores, axis, -1))
        assert_allclose(softmax(scores, axis=axis), np.moveaxis(moved, -1, axis), rtol=1e-14)


class TestAttention:
    @untimed
    @given(queries, keys, masks)
    def test_rows_of_the_weights_sum_to_one_or_are_all_masked(
        self, query: np.ndarray, key: np.ndarray, mask: np.ndarray
    ) -> None:
        weights = attention_weights(query, key, mask=mask)
        assert_allclose(weights.sum(axis=-1), mask.any(axis=-1), rtol=1e-14)
        assert not weights[~mask].any()

    @untimed
    @given(queries, keys, values)
    def test_each_output_lies_between_its_values(
        self, query: np.ndarray, key: np.ndarray, value: np.ndarray
    ) -> None:
        output = attention(query, key, value)
        assert (output >= value.min(axis=0) - 1e-12).all()
        assert (output <= value.max(axis=0) + 1e-12).all()

    @untimed
    @given(queries, keys, values, masks, st.permutations(range(5)))
    def test_the_order_of_keys_with_their_values_is_unseen(
        self,
        query: np.ndarray,
        key: np.ndarray,
        value: np.ndarray,
        mask: np.ndarray,
        order: list[int],
    ) -> None:
        shuffled = attention(query, key[order], value[order], mask=mask[:, order])
        assert_allclose(shuffled, attention(query, key, value, mask=mask), rtol=0, atol=1e-12)

    @untimed
    @given(queries, keys, values, masks, st.permutations(range(3)))
    def test_shuffled_queries_give_shuffled_outputs(
        self,
        query: np.ndarray,
        key: np.ndarray,
        value: np.ndarray,
        mask: np.ndarray,
        order: list[int],
    ) -> None:
        shuffled = attention(query[order], key, value, mask=mask[order])
        expected = attention(query, key, value, mask=mask)[order]
        assert_allclose(shuffled, expected, rtol=0, atol=1e-12)

    @pytest.mark.parametrize("by", ["mask", "bias"])
    @untimed
    @given(queries, keys, values, arrays(np.bool_, 5), numbers(5, 2), numbers(5, 3))
    def test_what_is_masked_changes_no_bit(
        self,
        by: str,
        query: np.ndarray,
        key: np.ndarray,
        value: np.ndarray,
        allowed: np.ndarray,
        other_key: np.ndarray,
        other_value: np.ndarray,
    ) -> None:
        masking: dict[str, Any] = {by: allowed if by == "mask" else np.where(allowed, 0.0, -np.inf)}
        changed_key = np.where(allowed[:, np.newaxis], key, other_key)
        changed_value = np.where(allowed[:, np.newaxis], value, other_value)
        before = attention(query, key, value, **masking)
        after = attention(query, changed_key, changed_value, **masking)
        assert after.tobytes() == before.tobytes()

    def test_a_later_token_changes_no_earlier_output_under_a_causal_mask(self) -> None:
        x = normal(N_K, D_K)
        changed = x.copy()
        changed[4] += 1
        before, after = (attention(t, t, t, mask=causal_mask(N_K)) for t in (x, changed))
        assert after[:4].tobytes() == before[:4].tobytes()
        assert (after[4:] != before[4:]).any(axis=-1).all()

    def test_a_row_with_every_key_masked_is_zero(self) -> None:
        query, key, value = normal(N_Q, D_K), normal(N_K, D_K), normal(N_K, D_V)
        mask = np.ones((N_Q, N_K), dtype=bool)
        mask[2] = False
        output = attention(query, key, value, mask=mask)
        assert_array_equal(output[2], np.zeros(D_V))
        assert not np.signbit(output[2]).any()  # "-0." would look odd on a page
        rest = np.delete(output, 2, axis=0)
        assert_array_equal(rest, np.delete(attention(query, key, value), 2, axis=0))

    @untimed
    @given(queries, keys, masks)
    def test_a_bias_of_minus_infinity_masks_as_a_mask_does(
        self, query: np.ndarray, key: np.ndarray, mask: np.ndarray
    ) -> None:
        by_bias = attention_weights(query, key, bias=np.where(mask, 0.0, -np.inf))
        assert_array_equal(by_bias, attention_weights(query, key, mask=mask))

    def test_output_is_the_weights_times_the_values(self) -> None:
        query, key, value = normal(N_Q, D_K), normal(N_K, D_K), normal(N_K, D_V)
        weights = attention_weights(query, key)
        by_loop = [
            [sum(weights[i, j] * value[j, d] for j in range(N_K)) for d in range(D_V)]
            for i in range(N_Q)
        ]
        assert_allclose(attention(query, key, value), by_loop, rtol=1e-12)

    def test_no_key_at_all_gives_zero(self) -> None:
        output = attention(normal(N_Q, D_K), normal(0, D_K), normal(0, D_V))
        assert_array_equal(output, np.zeros((N_Q, D_V)))

    def test_arguments_are_left_as_they_were(self) -> None:
        given = [normal(N_Q, D_K), normal(N_K, D_K), normal(N_K, D_V), normal(N_Q, N_K)]
        before = [array.copy() for array in given]
        query, key, value, bias = given
        attention(query, key, value, bias=bias, mask=causal_mask(N_Q, N_K))
        hard_retrieval(query, key, value)
        softmax(bias)
        for array, copy in zip(given, before, strict=True):
            assert_array_equal(array, copy)


class TestBatchesAndHeads:
    query = normal(BATCH, 1, N_Q, D_K, seed=1)
    key = normal(BATCH, HEADS, N_K, D_K, seed=2)
    value = normal(HEADS, N_K, D_V, seed=3)
    mask = normal(BATCH, HEADS, N_Q, N_K, seed=4) > -0.5
    bias = normal(HEADS, 1, N_K, seed=5)

    def each(self, function: Callable[[int, int], np.ndarray]) -> np.ndarray:
        return np.array([[function(b, h) for h in range(HEADS)] for b in range(BATCH)])

    def test_attention_broadcasts_as_a_loop_over_batch_and_heads(self) -> None:
        output = attention(self.query, self.key, self.value, mask=self.mask, bias=self.bias)
        expected = self.each(
            lambda b, h: attention(
                self.query[b, 0],
                self.key[b, h],
                self.value[h],
                mask=self.mask[b, h],
                bias=self.bias[h],
            )
        )
        assert output.shape == (BATCH, HEADS, N_Q, D_V)
        assert_allclose(output, expected, rtol=1e-12)

    def test_hard_retrieval_broadcasts_as_a_loop_over_batch_and_heads(self) -> None:
        output = hard_retrieval(self.query, self.key, self.value)
        expected = self.each(
            lambda b, h: hard_retrieval(self.query[b, 0], self.key[b, h], self.value[h])
        )
        assert output.shape == (BATCH, HEADS, N_Q, D_V)
        assert_array_equal(output, expected)

    def test_projections_broadcast_as_a_loop_over_batch_and_heads(self) -> None:
        x = normal(BATCH, 1, N_K, D_MODEL, seed=6)
        w_q = normal(HEADS, D_MODEL, D_K, seed=7)
        w_k = normal(HEADS, D_MODEL, D_K, seed=8)
        w_v = normal(HEADS, D_MODEL, D_V, seed=9)
        projected = project(x, w_q, w_k, w_v)
        for result, w in zip(projected, (w_q, w_k, w_v), strict=True):
            expected = self.each(lambda b, h, w=w: x[b, 0] @ w[h])
            assert_allclose(result, expected, rtol=1e-12)
        assert [result.shape[-1] for result in projected] == [D_K, D_K, D_V]

    def test_a_mask_with_more_dimensions_than_the_scores_widens_the_batch(self) -> None:
        query, key, value = normal(N_Q, D_K), normal(N_K, D_K), normal(N_K, D_V)
        mask = normal(BATCH, N_Q, N_K) > 0
        expected = [attention(query, key, value, mask=each) for each in mask]
        assert_allclose(attention(query, key, value, mask=mask), expected, rtol=1e-12)


class TestHardRetrieval:
    @untimed
    @given(queries, keys, values)
    def test_it_is_attention_as_the_scale_grows(
        self, query: np.ndarray, key: np.ndarray, value: np.ndarray
    ) -> None:
        scores = np.sort(attention_scores(query, key, scale=1), axis=-1)
        gap = (scores[:, -1] - scores[:, -2]).min()
        assume(gap > 1e-3)  # a tie has no limit in one value
        soft = attention(query, key, value, scale=40 / gap)
        assert_allclose(soft, hard_retrieval(query, key, value), rtol=0, atol=1e-12)

    def test_a_tie_is_split_evenly_by_attention_and_not_by_hard_retrieval(self) -> None:
        query, key, value = [[1]], [[3], [3]], [[0], [10]]
        assert_array_equal(attention(query, key, value), [[5]])
        assert_array_equal(hard_retrieval(query, key, value), [[0]])

    @untimed
    @given(queries, keys, values)
    def test_each_output_is_one_of_the_values(
        self, query: np.ndarray, key: np.ndarray, value: np.ndarray
    ) -> None:
        best = (query @ key.T).argmax(axis=-1)
        assert_array_equal(hard_retrieval(query, key, value), value[best])


class TestDtypes:
    @staticmethod
    def results(dtype: Any) -> dict[str, np.ndarray]:
        query, key, value = (
            normal(N_Q, D_K, seed=1, dtype=dtype),
            normal(N_K, D_K, seed=2, dtype=dtype),
            normal(N_K, D_V, seed=3, dtype=dtype),
        )
        bias, mask = normal(N_Q, N_K, seed=4, dtype=dtype), causal_mask(N_Q, N_K)
        w = normal(D_K, D_V, seed=5, dtype=dtype)
        return {
            "softmax": softmax(bias),
            "scores": attention_scores(query, key, scale=np.float64(0.25)),
            "weights": attention_weights(query, key, mask=mask, bias=bias),
            "output": attention(query, key, value, mask=mask, bias=bias),
            "hard": hard_retrieval(query, key, value),
            "projected": np.concatenate(project(query, w, w, w)),
        }

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_dtype_in_is_dtype_out(self, dtype: type) -> None:
        assert {name: each.dtype for name, each in self.results(dtype).items()} == dict.fromkeys(
            ["softmax", "scores", "weights", "output", "hard", "projected"], np.dtype(dtype)
        )

    def test_float32_is_close_to_float64(self) -> None:
        double = self.results(np.float64)
        for name, single in self.results(np.float32).items():
            assert_allclose(single, double[name], rtol=1e-5, atol=1e-6, err_msg=name)

    def test_a_mix_is_computed_in_float64(self) -> None:
        query = normal(N_Q, D_K, dtype=np.float32)
        key, value = normal(N_K, D_K), normal(N_K, D_V, dtype=np.float32)
        assert attention(query, key, value).dtype == np.float64
        assert hard_retrieval(query, key, value).dtype == np.float64

    def test_integers_and_lists_are_read_as_float64(self) -> None:
        query, key, value = [[1, 2]], np.array([[3, 4], [1, 0]], np.int8), [[1.5], [2]]
        output = attention(query, key, value)
        as_floats = [np.array(each, np.float64) for each in (query, key, value)]
        assert output.dtype == np.float64
        assert_array_equal(output, attention(*as_floats))

    def test_large_float32_scores_give_weights(self) -> None:
        query = np.array([[1e15, 1e15]], np.float32)
        key = np.array([[1e15, 0], [0, -1e15], [1e15, 0]], np.float32)
        assert_array_equal(attention_weights(query, key), np.array([[0.5, 0, 0.5]], np.float32))


Q, K, V = np.ones((N_Q, D_K)), np.ones((N_K, D_K)), np.ones((N_K, D_V))
X, W_Q, W_K, W_V = (
    np.ones((N_Q, D_MODEL)),
    np.ones((D_MODEL, D_K)),
    np.ones((D_MODEL, D_K)),
    np.ones((D_MODEL, D_V)),
)


def with_entry(array: np.ndarray, entry: float) -> np.ndarray:
    changed = array.copy()
    changed[1, 2] = entry
    return changed


def refused(
    name: str, call: Callable[[], object], error: type[Exception], wanted: str, got: str, do: str
) -> Any:
    return pytest.param(call, error, wanted, got, do, id=name)


BIG = np.array([[1e30, -1e30]], np.float32)


@pytest.mark.parametrize(
    ("call", "error", "wanted", "got", "do"),
    [
        refused(
            "softmax NaN",
            lambda: softmax([[0, np.nan]]),
            ValueError,
            "scores: wanted finite numbers or -inf",
            "nan at index (0, 1)",
            "look for the step before softmax",
        ),
        refused(
            "softmax +inf",
            lambda: softmax([-np.inf, np.inf]),
            ValueError,
            "scores: wanted finite numbers or -inf",
            "inf at index (1,)",
            "look for the step before softmax",
        ),
        refused(
            "softmax axis",
            lambda: softmax([[0.0]], axis=2),
            ValueError,
            "axis: wanted one of the 2 axes",
            "2",
            "-1 is the last axis",
        ),
        refused(
            "softmax of a number",
            lambda: softmax(3.0),
            ValueError,
            "axis: wanted one of the 0 axes",
            "-1",
            "-1 is the last axis",
        ),
        refused(
            "softmax axis type",
            lambda: softmax([[0.0]], axis=0.5),
            TypeError,
            "axis: wanted an integer",
            "0.5",
            "use int(axis)",
        ),
        refused(
            "ragged",
            lambda: attention_scores([[1, 2], [3]], K),
            ValueError,
            "query: wanted an array",
            "nested lists of unequal lengths",
            "give all rows the same length",
        ),
        refused(
            "one dimension",
            lambda: attention_scores(Q[0], K),
            ValueError,
            "query: wanted shape (..., n_q, d_k)",
            "(11,)",
            "np.atleast_2d(query)",
        ),
        refused(
            "different d_k",
            lambda: attention_scores(Q, V),
            ValueError,
            "query and key: wanted (..., n_q, d_k) and (..., n_k, d_k) with the same d_k",
            "(5, 11) and (7, 13)",
            "project both to one width",
        ),
        refused(
            "d_k of 0",
            lambda: attention_scores(Q[:, :0], K[:, :0]),
            ValueError,
            "d_k of 1 or more",
            "(5, 0) and (7, 0)",
            "project both to one width",
        ),
        refused(
            "leading dimensions",
            lambda: attention_scores(np.ones((2, N_Q, D_K)), np.ones((3, N_K, D_K))),
            ValueError,
            "query and key: wanted leading dimensions that broadcast",
            "(2,) and (3,)",
            "make them equal, or 1",
        ),
        refused(
            "query NaN",
            lambda: attention_scores(with_entry(Q, np.nan), K),
            ValueError,
            "query: wanted finite numbers",
            "nan at index (1, 2)",
            "look for the step that made it",
        ),
        refused(
            "key infinite",
            lambda: attention_scores(Q, with_entry(K, -np.inf)),
            ValueError,
            "key: wanted finite numbers",
            "-inf at index (1, 2)",
            "look for the step that made it",
        ),
        refused(
            "overflow to infinity",
            lambda: attention_scores(BIG, BIG),
            ValueError,
            "scores: wanted numbers within float32 (up to 3.4e+38)",
            "larger ones",
            "make query, key or scale smaller, or use float64",
        ),
        refused(
            "overflow to NaN",
            lambda: attention_scores(BIG, np.abs(BIG)),
            ValueError,
            "scores: wanted numbers within float32",
            "larger ones",
            "use float64",
        ),
        refused(
            "overflow by scale",
            lambda: attention_scores(Q.astype(np.float32), K.astype(np.float32), scale=1e300),
            ValueError,
            "scores: wanted numbers within float32",
            "larger ones",
            "make query, key or scale smaller",
        ),
        refused(
            "scale infinite",
            lambda: attention_scores(Q, K, scale=np.inf),
            ValueError,
            "scale: wanted a finite number",
            "inf",
            "None gives 1/√d_k",
        ),
        refused(
            "scale beyond all floats",
            lambda: attention_scores(Q, K, scale=10**400),
            ValueError,
            "scale: wanted a finite number",
            "inf",
            "None gives 1/√d_k",
        ),
        refused(
            "masked array",
            lambda: softmax(np.ma.array([1.0, 2.0], mask=[False, True])),
            TypeError,
            "scores: wanted an array without a mask",
            "a masked one",
            "pass scores.data, and mask=",
        ),
        refused(
            "masked mask",
            lambda: attention_weights(Q, K, mask=np.ma.array(np.ones((N_Q, N_K), bool))),
            TypeError,
            "mask: wanted an array without a mask",
            "a masked one",
            "pass mask.data",
        ),
        refused(
            "scale not a number",
            lambda: attention_scores(Q, K, scale="sqrt"),
            TypeError,
            "scale: wanted a real number",
            "'sqrt'",
            "pass one float, or None",
        ),
        refused(
            "scale boolean",
            lambda: attention_scores(Q, K, scale=True),
            TypeError,
            "scale: wanted a real number",
            "True",
            "pass one float, or None",
        ),
        refused(
            "mask of 0 and 1",
            lambda: attention_weights(Q, K, mask=np.ones((N_Q, N_K), int)),
            TypeError,
            "mask: wanted booleans, True = may attend",
            "int64",
            "use mask.astype(bool)",
        ),
        refused(
            "mask transposed",
            lambda: attention_weights(Q, K, mask=np.ones((N_K, N_Q), bool)),
            ValueError,
            "mask: wanted a shape that broadcasts to the scores' (..., n_q, n_k) = (5, 7)",
            "(7, 5)",
            "queries are its rows",
        ),
        refused(
            "mask with rows that would multiply the queries",
            lambda: attention_weights(Q[:1], K, mask=np.ones((N_Q, N_K), bool)),
            ValueError,
            "mask: wanted a shape that broadcasts to the scores' (..., n_q, n_k) = (1, 7)",
            "(5, 7)",
            "queries are its rows",
        ),
        refused(
            "bias shape",
            lambda: attention_weights(Q, K, bias=np.ones((N_Q, N_Q))),
            ValueError,
            "bias: wanted a shape that broadcasts to the scores'",
            "(5, 5)",
            "queries are its rows",
        ),
        refused(
            "bias NaN",
            lambda: attention_weights(Q, K, bias=with_entry(Q @ K.T, np.nan)),
            ValueError,
            "bias: wanted finite numbers or -inf",
            "nan at index (1, 2)",
            "use -inf to mask",
        ),
        refused(
            "bias +inf",
            lambda: attention_weights(Q, K, bias=with_entry(Q @ K.T, np.inf)),
            ValueError,
            "bias: wanted finite numbers or -inf",
            "inf at index (1, 2)",
            "use -inf to mask",
        ),
        refused(
            "bias boolean",
            lambda: attention_weights(Q, K, bias=np.ones((N_Q, N_K), bool)),
            TypeError,
            "bias: wanted float32 or float64",
            "bool",
            "convert with",
        ),
        refused(
            "bias that overflows to a mask",
            lambda: attention_weights([[-1e308]], [[1]], bias=[[-1e308]]),
            ValueError,
            "scores + bias: wanted numbers within float64 (up to 1.8e+308)",
            "larger ones",
            "make bias smaller",
        ),
        refused(
            "value without one row a key",
            lambda: attention(Q, K, V[1:]),
            ValueError,
            "value: wanted n_k = 7 rows",
            "(6, 13)",
            "one row for each of the 7",
        ),
        refused(
            "value with other leading dimensions",
            lambda: attention(np.ones((2, N_Q, D_K)), K, np.ones((3, N_K, D_V))),
            ValueError,
            "weights of query and key and value: wanted leading dimensions that broadcast",
            "(2,) and (3,)",
            "make them equal, or 1",
        ),
        refused(
            "value NaN",
            lambda: attention(Q, K, with_entry(V, np.nan)),
            ValueError,
            "value: wanted finite numbers",
            "nan at index (1, 2)",
            "put 0 there if the position is masked",
        ),
        refused(
            "hard retrieval of value without one row a key",
            lambda: hard_retrieval(Q, K, V[1:]),
            ValueError,
            "value: wanted n_k = 7 rows",
            "(6, 13)",
            "one row for each of the 7",
        ),
        refused(
            "hard retrieval without keys",
            lambda: hard_retrieval(Q, K[:0], V[:0]),
            ValueError,
            "key: wanted at least one key",
            "none",
            "there is no best of nothing",
        ),
        refused(
            "causal mask of a negative size",
            lambda: causal_mask(3, -1),
            ValueError,
            "n_key: wanted 0 or more",
            "-1",
            "give the number of positions",
        ),
        refused(
            "causal mask of a fraction",
            lambda: causal_mask(2.5),
            TypeError,
            "n_query: wanted an integer",
            "2.5",
            "use int(n_query)",
        ),
        refused(
            "projection of other width",
            lambda: project(X, W_Q, W_K.T, W_V),
            ValueError,
            "w_k: wanted d_model = 17 rows",
            "(11, 17)",
            "or transpose it",
        ),
        refused(
            "projections to different d_k",
            lambda: project(X, W_Q, W_V, W_V),
            ValueError,
            "w_k: wanted as many columns (d_k) as w_q, 11",
            "(17, 13)",
            "give both the same d_k",
        ),
        refused(
            "projection with other leading dimensions",
            lambda: project(np.ones((2, N_Q, D_MODEL)), W_Q, W_K, np.ones((3, D_MODEL, D_V))),
            ValueError,
            "x and w_v: wanted leading dimensions that broadcast",
            "(2,) and (3,)",
            "make them equal, or 1",
        ),
        refused(
            "projection that overflows",
            lambda: project(X * 1e200, W_Q, W_K * 1e200, W_V),
            ValueError,
            "key: wanted numbers within float64",
            "larger ones",
            "make x or w_k smaller",
        ),
    ],
)
def test_errors_say_what_was_wanted_what_came_and_what_to_do(
    call: Callable[[], object], error: type[Exception], wanted: str, got: str, do: str
) -> None:
    with pytest.raises(error) as raised:
        call()
    says_wanted, _, rest = str(raised.value).partition(", got ")
    says_got, _, says_do = rest.partition("; ")
    assert wanted in says_wanted
    assert got in says_got
    assert do in says_do


@pytest.mark.parametrize(
    "dtype", [np.float16, np.longdouble, np.complex128, np.bool_, object, "U3", "M8[s]", "m8[s]"]
)
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("scores", softmax),
        ("query", lambda array: attention_scores(array, K)),
        ("key", lambda array: attention_scores(Q, array)),
        ("value", lambda array: attention(Q, K, array)),
        ("value", lambda array: hard_retrieval(Q, K, array)),
        ("bias", lambda array: attention_weights(Q, K, bias=array)),
        ("x", lambda array: project(array, W_Q, W_K, W_V)),
        ("w_q", lambda array: project(X, array, W_K, W_V)),
        ("w_k", lambda array: project(X, W_Q, array, W_V)),
        ("w_v", lambda array: project(X, W_Q, W_K, array)),
    ],
)
def test_other_dtypes_are_refused(
    name: str, call: Callable[[np.ndarray], object], dtype: Any
) -> None:
    array = np.zeros((N_K, D_K), dtype)
    with pytest.raises(TypeError) as raised:
        call(array)
    assert str(raised.value) == (
        f"{name}: wanted float32 or float64 (or integers), got dtype {array.dtype}; "
        f"convert with np.asarray({name}, dtype=np.float64)"
    )
