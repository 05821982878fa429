"""Results that are worked out once: who asks again gets the same one, and nobody can change it."""

import functools
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
T = TypeVar("T")


def kept(work: Callable[P, T]) -> Callable[P, T]:
    """Return the function, whose results are kept and whose arrays are read-only.

    A snippet that wrote into a kept array would change what all later figures and pages show.

    Parameters
    ----------
    work
        a function of hashable arguments that returns an array, a number, a text, or a dataclass or
        tuple of these

    Examples
    --------
    >>> ones = kept(lambda n: np.ones(n))
    >>> ones(2) is ones(2), ones(2).flags.writeable
    (True, False)
    """

    @functools.cache
    @functools.wraps(work)
    def once(*args: P.args, **kwargs: P.kwargs) -> T:
        result = work(*args, **kwargs)
        _close(result)
        return result

    # The type of a cached function forgets its parameters.
    return cast("Callable[P, T]", once)


def _close(result: object) -> None:
    if isinstance(result, np.ndarray):
        result.setflags(write=False)
    elif isinstance(result, tuple):
        for part in result:
            _close(part)
    elif is_dataclass(result):
        for field in fields(result):
            _close(getattr(result, field.name))
