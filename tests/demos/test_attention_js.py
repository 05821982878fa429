"""assets/attention.js computes what NumPy computes, in the browser that shows it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from qkvdocs.attention import attention_scores, causal_mask, softmax
from tests.demos.stand import ASSETS, Stand

CASES = 500
CLOSE = 1e-12

Case = list[Any]
Random = np.random.Generator


@pytest.fixture
def run(stand: Stand) -> Callable[[str, list[Case]], list[Any]]:
    """Call a function of attention.js once for each list of arguments, in one go."""
    page = stand("roles")

    def call(function: str, cases: list[Case]) -> list[Any]:
        script = f"""async ([name, cases]) => {{
            const maths = await import("./{ASSETS}/attention.js");
            return cases.map((values) => {{
                try {{ return maths[name](...values); }} catch (error) {{ return String(error); }}
            }});
        }}"""
        found: list[Any] = page.evaluate(script, [function, cases])
        assert len(found) == len(cases)
        return found

    return call


def numbers(random: Random, *shape: int) -> np.ndarray:
    """Multiples of 1/8 up to 1000: their products sum to the same in any order."""
    size = random.choice([1, 8, 80, 8000])
    return random.integers(-size, size, shape, endpoint=True) / 8


def close(came: Any, wanted: np.ndarray | float, magnitude: float = 1.0) -> bool:
    return bool(np.all(np.abs(np.array(came) - wanted) <= CLOSE * max(1.0, magnitude)))


def test_dot_is_numpys(run: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(1)
    cases = [random.uniform(-1e3, 1e3, (2, random.integers(0, 40))) for _ in range(CASES)]
    for (a, b), came in zip(cases, run("dot", [case.tolist() for case in cases]), strict=True):
        assert close(came, a @ b, float(np.abs(a) @ np.abs(b)))


def test_matmul_is_numpys(run: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(2)
    cases = []
    for _ in range(CASES):
        n, m, p = random.integers(1, 9, 3)
        cases.append((random.uniform(-1e3, 1e3, (n, m)), random.uniform(-1e3, 1e3, (m, p))))
    found = run("matmul", [[a.tolist(), b.tolist()] for a, b in cases])
    for (a, b), came in zip(cases, found, strict=True):
        assert np.shape(came) == (len(a), b.shape[1])
        assert close(came, a @ b, float((np.abs(a) @ np.abs(b)).max()))


def row_of_scores(random: Random) -> np.ndarray:
    """Scores of any size, some of them tied, some masked, now and then all."""
    scores = random.uniform(-1, 1, random.integers(1, 20)) * random.choice([0.1, 1, 30, 1e3])
    scores[random.random(len(scores)) < 0.2] = scores.max()
    scores[random.random(len(scores)) < random.choice([0, 0.3, 1.1], p=[0.5, 0.4, 0.1])] = -np.inf
    return scores


def softmax_at(scores: np.ndarray, temperature: float) -> np.ndarray:
    """softmax of rows at a temperature; the largest score is taken away before it is divided by."""
    top = scores.max(axis=-1, keepdims=True)
    return softmax((scores - np.where(np.isneginf(top), 0, top)) / temperature)


def test_softmax_is_numpys_with_masks_and_ties(run: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(3)
    cases = [(row_of_scores(random), 10.0 ** random.uniform(-2, 2)) for _ in range(CASES)]
    found = run("softmax", [[row.tolist(), temperature] for row, temperature in cases])
    masked = 0
    for (row, temperature), came in zip(cases, found, strict=True):
        assert close(came, softmax_at(row, temperature))
        assert [weight == 0 for weight in np.array(came)[np.isneginf(row)]].count(False) == 0
        masked += bool(np.isneginf(row).all())
    assert masked > 10


def test_softmax_of_any_temperature_but_the_limit(run: Callable[..., list[Any]]) -> None:
    assert run("softmax", [[[0, 5, -np.inf], np.inf]]) == [[0.5, 0.5, 0]]
    for temperature in (0, -1, np.nan):
        assert "wanted a temperature above 0" in run("softmax", [[[1, 2], temperature]])[0]


def attention_case(random: Random) -> dict[str, Any]:
    """Sizes, masks and factors of an attention."""
    n_q, n_k, d_k, d_v = (int(size) for size in random.integers(1, 9, 4))
    if random.random() < 0.3:
        n_q = n_k
        mask = causal_mask(n_q)
    else:
        mask = random.random((n_q, n_k)) < random.choice([0, 0.6, 1], p=[0.1, 0.6, 0.3])
    query, key = numbers(random, n_q, d_k), numbers(random, n_k, d_k)
    if random.random() < 0.2:
        key[:] = key[0]
    return {
        "query": query,
        "key": key,
        "value": numbers(random, n_k, d_v),
        "mask": mask,
        "scale": random.choice([None, 1, 0.25]),
        "temperature": float(random.choice([0.01, 0.5, 1, 1, 10])),
    }


def test_attend_is_numpys_with_masks_scales_and_temperatures(
    run: Callable[..., list[Any]],
) -> None:
    random = np.random.default_rng(4)
    cases = [attention_case(random) for _ in range(CASES)]
    arguments = []
    for case in cases:
        arrays = [case[name].tolist() for name in ("query", "key", "value")]
        options = {"mask": case["mask"].tolist(), "temperature": case["temperature"]}
        if case["scale"] is not None:
            options["scale"] = case["scale"]
        arguments.append([*arrays, options])
    for case, came in zip(cases, run("attend", arguments), strict=True):
        unmasked = attention_scores(case["query"], case["key"], scale=case["scale"])
        scores = np.where(case["mask"], unmasked, -np.inf)
        weights = softmax_at(scores, case["temperature"])
        assert np.array_equal(np.isneginf(came["scores"]), np.isneginf(scores))
        seen = case["mask"]
        largest = float(np.abs(unmasked).max())
        assert close(np.array(came["scores"])[seen], scores[seen], largest)
        assert close(came["weights"], weights)
        assert close(came["output"], weights @ case["value"], float(np.abs(case["value"]).max()))


def test_argmax_is_numpys_the_first_of_ties(run: Callable[..., list[Any]]) -> None:
    random = np.random.default_rng(5)
    cases = [row_of_scores(random).round(random.integers(-2, 3)) for _ in range(CASES)]
    found = run("argmax", [[case.tolist()] for case in cases])
    assert found == [int(case.argmax()) for case in cases]
    assert sum(int((case == case.max()).sum() > 1) for case in cases) > 100


@pytest.mark.parametrize(
    ("function", "values", "says"),
    [
        ("dot", [[1, 2], [1]], "dot: numbers in b: wanted 2, got 1"),
        ("matmul", [[[1, 2]], [[1]]], "matmul: numbers in a row of A: wanted 1, got 2"),
        ("softmax", [[1, float("nan")]], "softmax: wanted finite scores or -Infinity"),
        ("softmax", [[1, float("inf")]], "softmax: wanted finite scores or -Infinity"),
        ("attend", [[[1]], [[1], [2]], [[1]]], "attend: values: wanted 2, got 1"),
        ("argmax", [[]], "argmax: wanted at least one number"),
    ],
)
def test_what_does_not_fit_is_refused(
    run: Callable[..., list[Any]], function: str, values: Case, says: str
) -> None:
    assert says in str(run(function, [values])[0])
