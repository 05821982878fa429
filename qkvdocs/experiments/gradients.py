"""One loss and its gradient with respect to each of the three matrices."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import FloatArray, attention
from qkvdocs.examples import engineer
from qkvdocs.kept import kept
from qkvdocs.training import projection_gradients

STEP = 1e-5
"""Half the width of a central difference: truncation about STEP², rounding about 1e-16/STEP."""


def measured_gradient(loss: Callable[[FloatArray], float], at: FloatArray) -> FloatArray:
    """Return the gradient of `loss` at an array by central differences, one entry after the other.

    Examples
    --------
    >>> measured_gradient(lambda x: float(x[0] ** 2 * x[1]), np.array([3.0, 2.0])).round(6).tolist()
    [12.0, 9.0]
    """
    result = np.empty_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = STEP
        result[index] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return result


@dataclass(frozen=True, eq=False)
class ThreeGradients:
    """One loss on `engineer`, and its gradient with respect to each of the three matrices.

    Parameters
    ----------
    loss
        the loss before any step
    w_q, w_k, w_v
        gradients by the formula, of the shape of their matrix
    error
        the largest difference from central differences, over all three
    """

    loss: float
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    error: float

    @property
    def norm_q(self) -> float:
        """The length of the gradient of W^Q."""
        return float(np.linalg.norm(self.w_q))

    @property
    def norm_k(self) -> float:
        """The length of the gradient of W^K."""
        return float(np.linalg.norm(self.w_k))

    @property
    def norm_v(self) -> float:
        """The length of the gradient of W^V."""
        return float(np.linalg.norm(self.w_v))


@kept
def three_gradients() -> ThreeGradients:
    """Ask 工程师 (engineer) to carry away what 加州 (California) hands over, and differentiate.

        loss = ½ |o_engineer - v_California|², with the target held fixed

    Examples
    --------
    >>> three_gradients().error < 1e-8
    True
    """
    row = engineer.position("engineer")
    target = engineer.v[engineer.position("California")]
    matrices = (engineer.w_q, engineer.w_k, engineer.w_v)

    def loss(w_q: FloatArray, w_k: FloatArray, w_v: FloatArray) -> float:
        x = engineer.x
        output = attention(x @ w_q, x @ w_k, x @ w_v, scale=1)[row]
        return float(((output - target) ** 2).sum() / 2)

    d_output = np.zeros_like(engineer.output)
    d_output[row] = engineer.output[row] - target
    formula = projection_gradients(engineer.x, *matrices, d_output, scale=1)
    gradients = (formula.w_q, formula.w_k, formula.w_v)
    w_q, w_k, w_v = matrices
    measured = (
        measured_gradient(lambda w: loss(w, w_k, w_v), w_q),
        measured_gradient(lambda w: loss(w_q, w, w_v), w_k),
        measured_gradient(lambda w: loss(w_q, w_k, w), w_v),
    )
    error = max(float(np.abs(a - b).max()) for a, b in zip(gradients, measured, strict=True))
    return ThreeGradients(loss(*matrices), *gradients, error)
