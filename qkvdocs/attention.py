"""Scaled dot-product attention in NumPy, written to be read beside its formula.

    attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V

Symbols, here and in the docstrings: `n_q` queries, `n_k` keys with one value each, width `d_k` of
queries and keys, width `d_v` of values. Vectors are rows. `...` stands for any leading dimensions
(batch, heads), which broadcast as NumPy broadcasts.

Numbers are float32 or float64: float32 in gives float32 out, a mix of the two float64. Integers
and nested lists are read as float64. Other dtypes raise `TypeError`; wrong shapes, NaN, infinities
and results too large for the dtype raise `ValueError`.

Source: Vaswani et al. 2017, *Attention Is All You Need*, eq. 1.
"""

import math
import operator
import sys
from numbers import Real
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.floating[Any]]
BoolArray: TypeAlias = NDArray[np.bool_]


def softmax(scores: ArrayLike, axis: SupportsIndex = -1) -> FloatArray:
    """Turn scores into weights that are not negative and sum to 1 along `axis`.

        α_j = exp(e_j) / Σ_m exp(e_m)

    The largest score is subtracted first: the weights stay the same and exp cannot overflow.

    Parameters
    ----------
    scores : array_like of shape (..., n, ...)
        Scores e. -inf means "may not be attended to".
    axis : int
        The axis of length n over which the weights sum to 1.

    Returns
    -------
    ndarray of shape (..., n, ...)
        Weights α. -inf gets exactly 0; where all n scores are -inf, all n weights are 0.

    Raises
    ------
    TypeError
        If `scores` are not real numbers in float32, float64 or integers.
    ValueError
        If a score is NaN or +inf, or there is no such axis.

    Notes
    -----
    Source: Vaswani et al. 2017, eq. 1 (the softmax in it).

    Examples
    --------
    exp(0) = 1 and exp(log 3) = 3, so the shares are 1/4 and 3/4:

    >>> import math
    >>> from qkvdocs.attention import softmax
    >>> softmax([[0, math.log(3)]]).round(6)
    array([[0.25, 0.75]])
    """
    e = _floats("scores", scores)
    axis = _axis(axis, e.ndim)
    _refuse(
        "scores",
        e,
        np.isnan(e) | np.isposinf(e),
        wanted="finite numbers or -inf",
        advice="look for the step before softmax that made it",
    )
    top = e.max(axis=axis, keepdims=True, initial=-np.inf)  # (..., 1, ...)
    # Where all is -inf, -inf - -inf would be NaN; subtracting 0 leaves exp(-inf) = 0.
    shift = np.where(np.isneginf(top), 0, top)  # (..., 1, ...)
    with np.errstate(over="ignore", under="ignore"):  # both end in the right weight, 0
        grown = np.exp(e - shift)  # (..., n, ...)
    total = grown.sum(axis=axis, keepdims=True)  # (..., 1, ...)
    weights: FloatArray = grown / np.where(total == 0, 1, total)  # (..., n, ...)
    return weights


def attention_scores(query: ArrayLike, key: ArrayLike, *, scale: float | None = None) -> FloatArray:
    """Compare each query with each key by their scaled dot product.

        scores = Q Kᵀ · scale,    scale = 1/√d_k unless given

    Parameters
    ----------
    query : array_like of shape (..., n_q, d_k)
        One query a row.
    key : array_like of shape (..., n_k, d_k)
        One key a row.
    scale : float, optional
        Factor of the dot products; `scale=1` leaves them as they are.

    Returns
    -------
    ndarray of shape (..., n_q, n_k)
        Row i holds the scores of query i, one for each key.

    Raises
    ------
    TypeError
        If a dtype is not float32, float64 or integer, or `scale` is not a real number.
    ValueError
        If shapes don't fit, a number is not finite, or a product exceeds the dtype.

    Notes
    -----
    Source: Vaswani et al. 2017, eq. 1 (the argument of softmax).

    Examples
    --------
    1·3 + 2·0 = 3 and 1·0 + 2·1 = 2, unscaled:

    >>> from qkvdocs.attention import attention_scores
    >>> attention_scores([[1, 2]], [[3, 0], [0, 1]], scale=1)
    array([[3., 2.]])

    Four products of 1 sum to 4, and 4/√4 = 2:

    >>> attention_scores([[1, 1, 1, 1]], [[1, 1, 1, 1]])
    array([[2.]])
    """
    Q = _matrix("query", query, "(..., n_q, d_k)")
    K = _matrix("key", key, "(..., n_k, d_k)")
    _require_same_d_k(Q, K)
    _require_broadcast({"query": Q, "key": K})
    factor = 1 / math.sqrt(Q.shape[-1]) if scale is None else _finite_number("scale", scale)
    with np.errstate(over="ignore", invalid="ignore"):  # reported below, in words
        scores = Q @ K.mT * factor  # (..., n_q, n_k)
    return _within_range("scores", scores, "query, key or scale")


def attention_weights(
    query: ArrayLike,
    key: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
) -> FloatArray:
    """Share out an attention of 1 among the keys, for each query.

        weights = softmax(Q Kᵀ · scale + bias), with the score set to -inf where mask is False

    Parameters
    ----------
    query : array_like of shape (..., n_q, d_k)
        One query a row.
    key : array_like of shape (..., n_k, d_k)
        One key a row.
    mask : array_like of bool, broadcastable to (..., n_q, n_k), optional
        True = this query may attend to this key.
    bias : array_like, broadcastable to (..., n_q, n_k), optional
        Added to the scores after scaling; -inf masks.
    scale : float, optional
        Factor of the dot products, 1/√d_k unless given.

    Returns
    -------
    ndarray of shape (..., n_q, n_k)
        Each row sums to 1. A masked key has weight exactly 0; a row with every key masked is 0.

    Raises
    ------
    TypeError
        As `attention_scores`, and if `mask` is not boolean or `bias` is.
    ValueError
        As `attention_scores`, and if `mask` or `bias` has a shape that doesn't fit, or `bias`
        holds NaN or +inf.

    Notes
    -----
    Source: Vaswani et al. 2017, eq. 1; masking by -inf, section 3.2.3.
    `torch.nn.functional.scaled_dot_product_attention` reads a boolean mask the same way;
    `torch.nn.MultiheadAttention` the other way round, True = blocked.

    Examples
    --------
    Scores 0, log 3 and 5; the mask takes the last one out, 1 : 3 remain:

    >>> import math
    >>> from qkvdocs.attention import attention_weights
    >>> query, key = [[1]], [[0], [math.log(3)], [5]]
    >>> attention_weights(query, key, mask=[[True, True, False]]).round(6)
    array([[0.25, 0.75, 0.  ]])
    """
    scores = attention_scores(query, key, scale=scale)  # (..., n_q, n_k)
    if bias is not None:
        scores = _add_bias(scores, bias)  # (..., n_q, n_k)
    if mask is not None:
        scores = np.where(_mask(mask, scores), scores, -np.inf)  # (..., n_q, n_k)
    return softmax(scores)  # (..., n_q, n_k)


def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
) -> FloatArray:
    """Look up each query: the sum of all values, weighted by how well their keys match.

        output = softmax(Q Kᵀ · scale + bias) V,    o_i = Σ_j α_ij v_j

    Parameters
    ----------
    query : array_like of shape (..., n_q, d_k)
        One query a row.
    key : array_like of shape (..., n_k, d_k)
        One key a row.
    value : array_like of shape (..., n_k, d_v)
        One value a row; value j belongs to key j.
    mask : array_like of bool, broadcastable to (..., n_q, n_k), optional
        True = this query may attend to this key.
    bias : array_like, broadcastable to (..., n_q, n_k), optional
        Added to the scores after scaling; -inf masks.
    scale : float, optional
        Factor of the dot products, 1/√d_k unless given.

    Returns
    -------
    ndarray of shape (..., n_q, d_v)
        One output for each query; 0 where every key is masked.

    Raises
    ------
    TypeError
        As `attention_weights`, and for the dtype of `value`.
    ValueError
        As `attention_weights`, and if there isn't one finite value for each key.

    Notes
    -----
    Source: Vaswani et al. 2017, eq. 1.

    Examples
    --------
    Scores 0 and log 3 give weights 1/4 and 3/4; the output is 1/4·(4, 0) + 3/4·(0, 8):

    >>> import math
    >>> from qkvdocs.attention import attention
    >>> query, key, value = [[1]], [[0], [math.log(3)]], [[4, 0], [0, 8]]
    >>> attention(query, key, value).round(6)
    array([[1., 6.]])
    """
    weights = attention_weights(query, key, mask=mask, bias=bias, scale=scale)  # (..., n_q, n_k)
    return _weighted_sum(weights, value)  # (..., n_q, d_v)


def causal_mask(n_query: SupportsIndex, n_key: SupportsIndex | None = None) -> BoolArray:
    """Let query i attend to keys 0 to i: to itself and what came before it.

        mask[i, j] = (j <= i)

    Parameters
    ----------
    n_query : int
        Number of queries n_q.
    n_key : int, optional
        Number of keys n_k, as many as queries unless given.

    Returns
    -------
    ndarray of bool, shape (n_q, n_k)
        True = may attend.

    Raises
    ------
    TypeError
        If a number is not an integer.
    ValueError
        If a number is negative.

    Notes
    -----
    Source: Vaswani et al. 2017, section 3.2.3.
    With n_q ≠ n_k the diagonal starts at the top left: query 0 stands at position 0, as with
    `is_causal` in PyTorch's `scaled_dot_product_attention`. ONNX does the same without a cache;
    with one, its diagonal ends at the bottom right: the queries are the last n_q positions.
    That mask is `causal_mask(n_k)[-n_q:]`, for n_q from 1 to n_k.

    Examples
    --------
    >>> from qkvdocs.attention import causal_mask
    >>> causal_mask(2, 3)
    array([[ True, False, False],
           [ True,  True, False]])

    The last two of three positions, with the keys of all three in a cache:

    >>> causal_mask(3)[-2:]
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    n_q = _count("n_query", n_query)
    n_k = n_q if n_key is None else _count("n_key", n_key)
    i = np.arange(n_q)[:, np.newaxis]  # (n_q, 1)
    j = np.arange(n_k)  # (n_k,)
    return j <= i  # (n_q, n_k)


def project(
    x: ArrayLike, w_q: ArrayLike, w_k: ArrayLike, w_v: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Make a query, a key and a value of each row of `x`.

        Q = X W^Q,    K = X W^K,    V = X W^V

    Parameters
    ----------
    x : array_like of shape (..., n, d_model)
        One token a row.
    w_q, w_k : array_like of shape (..., d_model, d_k)
        Projections W^Q and W^K.
    w_v : array_like of shape (..., d_model, d_v)
        Projection W^V.

    Returns
    -------
    query : ndarray of shape (..., n, d_k)
    key : ndarray of shape (..., n, d_k)
    value : ndarray of shape (..., n, d_v)

    Raises
    ------
    TypeError
        If a dtype is not float32, float64 or integer.
    ValueError
        If shapes don't fit, a number is not finite, or a product exceeds the dtype.

    Notes
    -----
    Source: Vaswani et al. 2017, section 3.2.2, for one head. Rows times matrices: PyTorch's
    `Linear` computes x Wᵀ + b, so transpose its weight before you pass it here.

    Examples
    --------
    >>> from qkvdocs.attention import project
    >>> query, key, value = project([[1, 2]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[10], [1]])
    >>> query
    array([[1., 2.]])
    >>> key
    array([[2., 1.]])
    >>> value
    array([[12.]])
    """
    X = _matrix("x", x, "(..., n, d_model)")
    W_Q = _matrix("w_q", w_q, "(..., d_model, d_k)")
    W_K = _matrix("w_k", w_k, "(..., d_model, d_k)")
    W_V = _matrix("w_v", w_v, "(..., d_model, d_v)")
    for name, W in {"w_q": W_Q, "w_k": W_K, "w_v": W_V}.items():
        _require_rows(name, W, X.shape[-1], "d_model")
        _require_broadcast({"x": X, name: W})
    if W_Q.shape[-1] != W_K.shape[-1]:
        raise ValueError(
            f"w_k: wanted as many columns (d_k) as w_q, {W_Q.shape[-1]}, "
            f"got shape {W_K.shape}; give both the same d_k, or their products don't exist"
        )
    with np.errstate(over="ignore", invalid="ignore"):  # reported below, in words
        Q = X @ W_Q  # (..., n, d_k)
        K = X @ W_K  # (..., n, d_k)
        V = X @ W_V  # (..., n, d_v)
    return (
        _within_range("query", Q, "x or w_q"),
        _within_range("key", K, "x or w_k"),
        _within_range("value", V, "x or w_v"),
    )


def hard_retrieval(query: ArrayLike, key: ArrayLike, value: ArrayLike) -> FloatArray:
    """Look up each query in the one best key, and take that key's value alone.

        o_i = v_j*,    j* = argmax_j q_i · k_j

    Parameters
    ----------
    query : array_like of shape (..., n_q, d_k)
        One query a row.
    key : array_like of shape (..., n_k, d_k)
        One key a row, at least one. Of equal scores the first wins, as in NumPy's argmax.
    value : array_like of shape (..., n_k, d_v)
        One value a row; value j belongs to key j.

    Returns
    -------
    ndarray of shape (..., n_q, d_v)
        For each query the value of its best key.

    Raises
    ------
    TypeError
        If a dtype is not float32, float64 or integer.
    ValueError
        If shapes don't fit, there is no key, a number is not finite, or a product exceeds the
        dtype.

    Notes
    -----
    Source: the limit of Vaswani et al. 2017, eq. 1, as the scale grows, where no scores tie. No
    positive scale changes the argmax, so there is none. Not the sampled hard attention of Xu et
    al. 2015, section 4.1.

    Examples
    --------
    Scores 0 and 1: the second value, all of it.

    >>> from qkvdocs.attention import hard_retrieval
    >>> hard_retrieval([[1]], [[0], [1]], [[4, 0], [0, 8]])
    array([[0., 8.]])
    """
    scores = attention_scores(query, key, scale=1)  # (..., n_q, n_k)
    n_k = scores.shape[-1]
    if n_k == 0:
        raise ValueError("key: wanted at least one key, got none; there is no best of nothing")
    best = scores.argmax(axis=-1, keepdims=True)  # (..., n_q, 1)
    one_hot = np.equal(np.arange(n_k), best).astype(scores.dtype)  # (..., n_q, n_k)
    return _weighted_sum(one_hot, value)  # (..., n_q, d_v)


def _weighted_sum(weights: FloatArray, value: ArrayLike) -> FloatArray:
    V = _matrix("value", value, "(..., n_k, d_v)")
    _require_rows("value", V, weights.shape[-1], "n_k")
    _require_broadcast({"weights of query and key": weights, "value": V})
    with np.errstate(over="ignore", invalid="ignore"):  # reported below, in words
        output = weights @ V  # (..., n_q, d_v)
    return _within_range("output", output, "value")


def _add_bias(scores: FloatArray, bias: ArrayLike) -> FloatArray:
    b = _floats("bias", bias)
    _refuse(
        "bias",
        b,
        np.isnan(b) | np.isposinf(b),
        wanted="finite numbers or -inf",
        advice="use -inf to mask and finite numbers to favour",
    )
    _require_fits_scores("bias", b, scores)
    with np.errstate(over="ignore"):  # reported below, in words
        biased = scores + b  # (..., n_q, n_k)
    # An overflow to -inf would pass for a masked key.
    _within_range("scores + bias", np.where(np.isneginf(b), 0, biased), "bias")
    return biased


def _mask(mask: ArrayLike, scores: FloatArray) -> BoolArray:
    array = _array("mask", mask)
    if array.dtype != np.bool_:
        raise TypeError(
            f"mask: wanted booleans, True = may attend, got dtype {array.dtype}; "
            "use mask.astype(bool) for 0 and 1, bias= for numbers to add to the scores"
        )
    _require_fits_scores("mask", array, scores)
    return array


def _array(name: str, values: ArrayLike) -> NDArray[Any]:
    # np.asarray would give what is below the mask, and say nothing. Who has a masked array has
    # loaded np.ma; in a browser it isn't loaded for others.
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"{name}: wanted an array without a mask, got a masked one; "
            f"pass {name}.data, and mask= for who may attend to whom"
        )
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name}: wanted an array, got nested lists of unequal lengths ({error}); "
            "give all rows the same length"
        ) from error


def _floats(name: str, values: ArrayLike) -> FloatArray:
    array = _array(name, values)
    if array.dtype.type in (np.float32, np.float64):
        return array
    if array.dtype.kind in "iu":  # timedelta64, kind m, is a subtype of integer
        return array.astype(np.float64)
    raise TypeError(
        f"{name}: wanted float32 or float64 (or integers), got dtype {array.dtype}; "
        f"convert with np.asarray({name}, dtype=np.float64)"
    )


def _matrix(name: str, values: ArrayLike, shape: str) -> FloatArray:
    array = _floats(name, values)
    if array.ndim < 2:
        raise ValueError(
            f"{name}: wanted shape {shape}, got {array.shape}; "
            f"make a single vector a row with np.atleast_2d({name})"
        )
    _refuse(
        name,
        array,
        ~np.isfinite(array),
        wanted="finite numbers",
        advice="look for the step that made it; put 0 there if the position is masked",
    )
    return array


def _refuse(name: str, array: FloatArray, bad: BoolArray, *, wanted: str, advice: str) -> None:
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name}: wanted {wanted}, got {float(array[index])} at index {index}; {advice}"
        )


def _within_range(name: str, result: FloatArray, factors: str) -> FloatArray:
    if not np.isfinite(result).all():
        raise ValueError(
            f"{name}: wanted numbers within {result.dtype} "
            f"(up to {float(np.finfo(result.dtype).max):.1e}), got larger ones; "
            f"make {factors} smaller" + (", or use float64" if result.dtype == np.float32 else "")
        )
    return result


def _require_same_d_k(Q: FloatArray, K: FloatArray) -> None:
    if Q.shape[-1] != K.shape[-1] or Q.shape[-1] == 0:
        raise ValueError(
            "query and key: wanted (..., n_q, d_k) and (..., n_k, d_k) with the same d_k of 1 or "
            f"more, got {Q.shape} and {K.shape}; project both to one width, or transpose one"
        )


def _require_rows(name: str, array: FloatArray, rows: int, symbol: str) -> None:
    if array.shape[-2] != rows:
        raise ValueError(
            f"{name}: wanted {symbol} = {rows} rows, got shape {array.shape}; "
            f"give {name} one row for each of the {rows}, or transpose it"
        )


def _require_broadcast(arrays: dict[str, FloatArray]) -> None:
    leading = [array.shape[:-2] for array in arrays.values()]
    try:
        np.broadcast_shapes(*leading)
    except ValueError as error:
        names = " and ".join(arrays)
        raise ValueError(
            f"{names}: wanted leading dimensions that broadcast, got "
            f"{' and '.join(map(str, leading))}; make them equal, or 1 where one is to be repeated"
        ) from error


def _require_fits_scores(name: str, array: NDArray[Any], scores: FloatArray) -> None:
    try:
        fits = np.broadcast_shapes(array.shape, scores.shape)[-2:] == scores.shape[-2:]
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name}: wanted a shape that broadcasts to the scores' (..., n_q, n_k) = "
            f"{scores.shape}, got {array.shape}; "
            "queries are its rows and keys its columns, with 1 where one is to be repeated"
        )


def _axis(axis: SupportsIndex, ndim: int) -> int:
    index = _integer("axis", axis)
    if not -ndim <= index < ndim:
        raise ValueError(
            f"axis: wanted one of the {ndim} axes of scores, got {index}; "
            "-1 is the last axis, the keys"
        )
    return index


def _count(name: str, number: SupportsIndex) -> int:
    count = _integer(name, number)
    if count < 0:
        raise ValueError(f"{name}: wanted 0 or more, got {count}; give the number of positions")
    return count


def _integer(name: str, number: SupportsIndex) -> int:
    try:
        return operator.index(number)
    except TypeError as error:
        raise TypeError(
            f"{name}: wanted an integer, got {number!r}; use int({name}) if it is a whole number"
        ) from error


def _finite_number(name: str, number: float) -> float:
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(
            f"{name}: wanted a real number, got {number!r}; pass one float, or None for 1/√d_k"
        )
    try:
        real = float(number)
    except OverflowError:
        real = math.inf
    if not math.isfinite(real):
        raise ValueError(f"{name}: wanted a finite number, got {real}; None gives 1/√d_k")
    return real
