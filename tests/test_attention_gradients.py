"""The derivative of attention, by its formula, agrees with the slope that attention shows.

With A = softmax(S), S = Q Kᵀ · scale, O = A V and a loss of gradient dO with respect to O:

    dV = Aᵀ dO,    dA = dO Vᵀ,    dS = A ⊙ (dA - rowsum(A ⊙ dA)),
    dQ = dS K · scale,    dK = dSᵀ Q · scale

dS is the Jacobian of softmax, ∂α_i/∂e_j = α_i (δ_ij - α_j), applied to dA.
"""

from collections.abc import Callable

import numpy as np
import pytest

from qkvdocs.attention import attention, attention_weights, causal_mask, hard_retrieval, softmax

N_Q, N_K, D_K, D_V = 5, 7, 3, 2
STEP = 1e-5  # truncation error is about STEP², rounding error about 1e-16/STEP


def slope(loss: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Central differences of `loss`, one entry of `at` after the other."""
    result = np.empty_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = STEP
        result[index] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return result


def softmax_backward(weights: np.ndarray, d_weights: np.ndarray) -> np.ndarray:
    return weights * (d_weights - (weights * d_weights).sum(axis=-1, keepdims=True))


def attention_backward(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    d_output: np.ndarray,
    mask: np.ndarray | None,
    bias: np.ndarray | None,
    scale: float,
) -> dict[str, np.ndarray]:
    weights = attention_weights(query, key, mask=mask, bias=bias, scale=scale)
    d_scores = softmax_backward(weights, d_output @ value.mT)
    return {
        "query": d_scores @ key * scale,
        "key": d_scores.mT @ query * scale,
        "value": weights.mT @ d_output,
        "bias": d_scores,
    }


@pytest.fixture
def arrays() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(11)
    return {
        "query": rng.normal(size=(2, N_Q, D_K)),
        "key": rng.normal(size=(2, N_K, D_K)),
        "value": rng.normal(size=(2, N_K, D_V)),
        "bias": rng.normal(size=(2, N_Q, N_K)),
    }


@pytest.mark.parametrize("mask", [None, causal_mask(N_Q, N_K)], ids=["all", "causal"])
@pytest.mark.parametrize("scale", [None, 0.7], ids=["default scale", "scale 0.7"])
@pytest.mark.parametrize("subject", ["query", "key", "value", "bias"])
def test_gradient_of_attention(
    arrays: dict[str, np.ndarray], subject: str, mask: np.ndarray | None, scale: float | None
) -> None:
    d_output = np.random.default_rng(12).normal(size=(2, N_Q, D_V))

    def loss(changed: np.ndarray) -> float:
        output = attention(**(arrays | {subject: changed}), mask=mask, scale=scale)
        return float((output * d_output).sum())

    factor = D_K**-0.5 if scale is None else scale
    expected = attention_backward(**arrays, d_output=d_output, mask=mask, scale=factor)[subject]
    assert np.abs(expected).max() > 0.1
    np.testing.assert_allclose(slope(loss, arrays[subject]), expected, rtol=0, atol=1e-8)


def test_jacobian_of_softmax() -> None:
    scores = np.array([0.0, 1.0, -2.0, 0.5, 0.5])
    weights = softmax(scores)
    jacobian = np.diag(weights) - np.outer(weights, weights)
    for i in range(scores.size):
        measured = slope(lambda e, i=i: float(softmax(e)[i]), scores)
        np.testing.assert_allclose(measured, jacobian[i], rtol=0, atol=1e-9)


def test_no_gradient_reaches_a_masked_key(arrays: dict[str, np.ndarray]) -> None:
    mask = np.ones((N_Q, N_K), dtype=bool)
    mask[:, 4] = False
    query, key, value = arrays["query"], arrays["key"], arrays["value"]
    d_key = slope(lambda k: float(attention(query, k, value, mask=mask).sum()), key)
    d_value = slope(lambda v: float(attention(query, key, v, mask=mask).sum()), value)
    for gradient in (d_key, d_value):
        assert not gradient[:, 4].any()
        assert np.abs(gradient[:, 3]).min() > 1e-4


def test_hard_retrieval_sends_no_gradient_to_queries_and_keys(
    arrays: dict[str, np.ndarray],
) -> None:
    query, key, value = arrays["query"], arrays["key"], arrays["value"]
    d_query = slope(lambda q: float(hard_retrieval(q, key, value).sum()), query)
    d_key = slope(lambda k: float(hard_retrieval(query, k, value).sum()), key)
    d_value = slope(lambda v: float(hard_retrieval(query, key, v).sum()), value)
    assert not d_query.any()
    assert not d_key.any()
    # Each query hands its whole gradient to one value.
    np.testing.assert_allclose(d_value.sum(axis=-2), N_Q, rtol=0, atol=1e-8)
