"""The gradients of attention by hand, and a small model that learns W^Q, W^K and W^V with them.

With A = softmax(S), S = Q Kᵀ · scale, O = A V and a loss of gradient dO with respect to O:

    dV = Aᵀ dO,    dA = dO Vᵀ,    dS = A ⊙ (dA - rowsum(A ⊙ dA)),
    dQ = dS K · scale,    dK = dSᵀ Q · scale
    dW^Q = Xᵀ dQ,    dW^K = Xᵀ dK,    dW^V = Xᵀ dV

The three matrices stand in different places of the formula, so each receives another gradient.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qkvdocs.attention import FloatArray, attention_weights, project


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """The gradients of one loss with respect to Q, K and V, each of the shape of its subject."""

    query: FloatArray
    key: FloatArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class ProjectionGradients:
    """The gradients of one loss with respect to W^Q, W^K and W^V, each of its subject's shape."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray


def attention_gradients(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    d_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> AttentionGradients:
    """Carry the gradient of a loss back through attention, from the output to Q, K and V.

        dV = Aᵀ dO,    dS = A ⊙ (dA - rowsum(A ⊙ dA)) with dA = dO Vᵀ,
        dQ = dS K · scale,    dK = dSᵀ Q · scale

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
    key : array_like, shape (..., n_k, d_k)
    value : array_like, shape (..., n_k, d_v)
    d_output : array_like, shape (..., n_q, d_v)
        Gradient of the loss with respect to the output.
    mask : array_like of bool, broadcastable to (..., n_q, n_k), optional
        True = this query may attend to this key.
    scale : float, optional
        Factor of the dot products, 1/√d_k unless given.

    Returns
    -------
    AttentionGradients
        query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v). The leading dimensions
        of the three inputs must be equal: a broadcast input would need a sum over its copies.

    Raises
    ------
    TypeError, ValueError
        As `attention`.
    ValueError
        If the leading dimensions differ, or `d_output` hasn't the shape of the output.

    Notes
    -----
    Source: the derivative of Vaswani et al. 2017, eq. 1; dS is the Jacobian of softmax,
    ∂α_i/∂e_j = α_i (δ_ij - α_j), applied to dA.

    Examples
    --------
    Two keys tie, so both weights are 1/2. Asking for more output hands half to each value, and
    pulls the query towards the key with the larger value: 1/2·1/2·(8 - 4) = 1.

    >>> from qkvdocs.training import attention_gradients
    >>> gradients = attention_gradients([[0]], [[0], [1]], [[4], [8]], [[1]])
    >>> gradients.value.tolist()
    [[0.5], [0.5]]
    >>> gradients.query.tolist()
    [[1.0]]
    """
    weights = attention_weights(query, key, mask=mask, scale=scale)  # (..., n_q, n_k)
    Q, K, V, d_O = (
        np.asarray(array, dtype=weights.dtype) for array in (query, key, value, d_output)
    )
    wanted = {
        "key": (*Q.shape[:-2], K.shape[-2], Q.shape[-1]),
        "value": (*Q.shape[:-2], K.shape[-2], V.shape[-1]),
        "d_output": (*Q.shape[:-1], V.shape[-1]),
    }
    for (name, shape), array in zip(wanted.items(), (K, V, d_O), strict=True):
        if array.shape != shape:
            raise ValueError(
                f"{name}: wanted shape {shape}, beside a query of shape {Q.shape}; "
                f"got {array.shape}: repeat what broadcasts with np.broadcast_to"
            )
    factor = 1 / math.sqrt(Q.shape[-1]) if scale is None else scale
    d_weights = d_O @ V.mT  # (..., n_q, n_k)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)  # (..., n_q, 1)
    d_scores = weights * (d_weights - mean)  # (..., n_q, n_k)
    return AttentionGradients(
        query=d_scores @ K * factor,
        key=d_scores.mT @ Q * factor,
        value=weights.mT @ d_O,
    )


def projection_gradients(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    d_output: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> ProjectionGradients:
    """Carry the gradient of a loss back to the three matrices of a self-attention.

        dW^Q = Xᵀ dQ,    dW^K = Xᵀ dK,    dW^V = Xᵀ dV

    Parameters
    ----------
    x : array_like, shape (n, d_model)
    w_q, w_k : array_like, shape (d_model, d_k)
    w_v : array_like, shape (d_model, d_v)
    d_output : array_like, shape (n, d_v)
        Gradient of the loss with respect to the output.
    mask : array_like of bool, broadcastable to (n, n), optional
    scale : float, optional

    Returns
    -------
    ProjectionGradients
        w_q and w_k (d_model, d_k), w_v (d_model, d_v).

    Raises
    ------
    TypeError, ValueError
        As `project` and `attention_gradients`.

    Notes
    -----
    Source: the derivative of Vaswani et al. 2017, section 3.2.2, for one head.

    Examples
    --------
    A loss that asks for more of the output of the second token alone:

    >>> from qkvdocs.training import projection_gradients
    >>> one = [[1, 0], [0, 1]]
    >>> gradients = projection_gradients(one, [[0], [0]], [[0], [1]], one, [[0, 0], [0, 1]])
    >>> gradients.w_q.tolist()
    [[0.0], [0.25]]
    >>> gradients.w_k.tolist()
    [[0.0], [0.0]]
    >>> gradients.w_v.tolist()
    [[0.0, 0.5], [0.0, 0.5]]
    """
    Q, K, V = project(x, w_q, w_k, w_v)
    X = np.asarray(x, dtype=Q.dtype)
    d = attention_gradients(Q, K, V, d_output, mask=mask, scale=scale)
    return ProjectionGradients(w_q=X.mT @ d.query, w_k=X.mT @ d.key, w_v=X.mT @ d.value)
