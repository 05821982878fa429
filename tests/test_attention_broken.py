"""The tests of attention fail when attention is broken: each fault is put in on purpose."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FAULTS = {
    "softmax over queries": ("return softmax(scores)  #", "return softmax(scores, axis=-2)  #"),
    "no maximum subtracted": ("np.exp(e - shift)", "np.exp(e)"),
    "a masked row is not 0": ("np.where(total == 0, 1, total)", "total"),
    "scale by d_k": ("1 / math.sqrt(Q.shape[-1])", "1 / Q.shape[-1]"),
    "the mask upside down": ("np.where(_mask(mask, scores),", "np.where(~_mask(mask, scores),"),
    "a finite mask": ("scores, -np.inf)  #", "scores, -10.0)  #"),
    "the bias forgotten": ("biased = scores + b", "biased = scores + 0 * b"),
    "the diagonal left out": ("return j <= i", "return j < i"),
    "the last of a tie": (
        "scores.argmax(axis=-1, keepdims=True)",
        "(n_k - 1 - scores[..., ::-1].argmax(axis=-1, keepdims=True))",
    ),
    "key from w_q": ("K = X @ W_K", "K = X @ W_Q"),
}


def broken_copy(folder: Path, fault: tuple[str, str]) -> Path:
    """Copy what the tests of attention need, with one fault put into the maths."""
    was, becomes = fault
    source = (ROOT / "qkvdocs" / "attention.py").read_text(encoding="utf-8")
    assert source.count(was) >= 1, f"no longer in attention.py: {was!r}; choose the fault anew"
    package, tests = folder / "qkvdocs", folder / "tests"
    package.mkdir()
    tests.mkdir()
    (package / "__init__.py").touch()
    (package / "attention.py").write_text(source.replace(was, becomes), encoding="utf-8")
    shutil.copy(ROOT / "tests" / "test_attention.py", tests)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def run_tests(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "tests/test_attention.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_in_attention_is_found(tmp_path: Path, fault: tuple[str, str]) -> None:
    done = run_tests(broken_copy(tmp_path, fault))
    assert done.returncode == 1, done.stdout[-2000:]
    assert "1 failed" in done.stdout


def test_the_copy_without_a_fault_passes(tmp_path: Path) -> None:
    done = run_tests(broken_copy(tmp_path, ("return j <= i", "return j <= i")))
    assert done.returncode == 0, done.stdout[-2000:]
