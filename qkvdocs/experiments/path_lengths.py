"""How many steps lie between the first and the last position of a sequence, counted."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qkvdocs.attention import BoolArray
from qkvdocs.kept import kept


def steps_between(reads: Callable[[int], BoolArray], n: int) -> int:
    """Count the steps after which the last of n positions has heard of the first.

    Parameters
    ----------
    reads
        for the number of a step, from 0: (n, n), True = row i takes from column j in it
    n
        how many positions

    Examples
    --------
    >>> steps_between(lambda step: np.ones((5, 5), dtype=bool), 5)
    1
    """
    heard = np.zeros(n, dtype=np.bool_)
    heard[0] = True
    step = 0
    while not heard[-1]:
        heard = reads(step) @ heard
        step += 1
    return step


@dataclass(frozen=True)
class Paths:
    """How many steps lie between the first and the last of n positions.

    Parameters
    ----------
    n
        how many positions
    kernel
        how many positions one convolution reads
    recurrent, convolution, attention
        the steps
    """

    n: int
    kernel: int
    recurrent: int
    convolution: int
    attention: int


@kept
def paths(n: int, kernel: int = 3) -> Paths:
    """Follow the first of n positions to the last, by a recurrent state, convolutions, attention.

    A recurrent state passes it on from neighbour to neighbour. A stack of dilated convolutions
    reads `kernel` positions at distances 1, k, k², … from layer to layer. One layer of attention
    reads all positions.

    Notes
    -----
    Source: Vaswani et al. 2017, table 1, column "maximum path length": O(n), O(log_k n), O(1).

    Examples
    --------
    >>> paths(64)
    Paths(n=64, kernel=3, recurrent=63, convolution=4, attention=1)
    """
    back = np.arange(n)[:, np.newaxis] - np.arange(n)  # (n, n), i - j
    neighbour, everyone = np.isin(back, (0, 1)), np.ones((n, n), dtype=np.bool_)
    return Paths(
        n,
        kernel,
        recurrent=steps_between(lambda step: neighbour, n),
        convolution=steps_between(
            lambda layer: np.isin(back, np.arange(kernel) * kernel**layer), n
        ),
        attention=steps_between(lambda step: everyone, n),
    )
