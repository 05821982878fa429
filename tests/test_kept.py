"""What is worked out once is the same for all who ask, whatever one of them tries."""

from dataclasses import dataclass, fields, is_dataclass
from inspect import signature

import numpy as np
import pytest
from numpy.typing import NDArray

from qkvdocs import experiments
from qkvdocs.kept import kept


@dataclass(frozen=True)
class Result:
    array: NDArray[np.float64]
    inner: tuple[NDArray[np.float64], ...]


def test_all_arrays_of_a_result_are_read_only() -> None:
    asked: list[int] = []

    @kept
    def result(n: int) -> Result:
        asked.append(n)
        return Result(np.ones(n), (np.zeros(n),))

    assert result(2) is result(2)
    assert asked == [2]
    for array in (result(2).array, result(2).inner[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def arrays_in(result: object) -> list[NDArray[np.float64]]:
    if isinstance(result, np.ndarray):
        return [result]
    if isinstance(result, tuple):
        return [array for part in result for array in arrays_in(part)]
    if is_dataclass(result):
        values = [getattr(result, field.name) for field in fields(result)]
        return [array for value in values for array in arrays_in(value)]
    return []


def test_no_experiment_hands_out_what_a_snippet_could_change_for_all() -> None:
    seen = 0
    for name in experiments.__all__:
        experiment = getattr(experiments, name)
        if isinstance(experiment, type) or not callable(experiment):
            continue
        if any(each.default is each.empty for each in signature(experiment).parameters.values()):
            continue
        result = experiment()
        if experiment() is result:
            seen += 1
            assert [array.flags.writeable for array in arrays_in(result) if array.size] == [
                False for array in arrays_in(result) if array.size
            ], name
    assert seen >= 8
