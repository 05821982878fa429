"""The cells of a lab in a Jupyter kernel, run as mkdocs-jupyter runs those of any notebook."""

import sys
from copy import deepcopy
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs_jupyter.convert import get_nbconvert_app
from nbclient.exceptions import CellExecutionError, CellTimeoutError
from nbconvert.preprocessors import ExecutePreprocessor
from traitlets.config import Config

from qkvdocs.site.notebooks import SETTINGS


class CellFailedError(Exception):
    """A cell that has no end, or raises.

    Parameters
    ----------
    index
        which of the notebook's cells it is, from 0
    got
        what came of it
    """

    def __init__(self, index: int, got: str) -> None:
        super().__init__(index, got)
        self.index, self.got = index, got


def run_notebook(notebook: Any, seconds: int) -> Any:
    """Return the notebook with its outputs, `seconds` at most for each cell.

    Raises
    ------
    CellFailedError
        If a cell raises or takes too long.
    """
    with TemporaryDirectory(prefix="lab-") as folder:
        config = get_nbconvert_app(**SETTINGS).config
        config.merge(_kernel_config(folder))
        runner = _Runner(config=config, timeout=seconds)  # type: ignore[no-untyped-call]
        run, _ = runner.preprocess(deepcopy(notebook), {})
    return run


class _Runner(ExecutePreprocessor):
    """Says which cell failed, which the errors of nbclient don't."""

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> Any:
        try:
            return super().preprocess_cell(cell, resources, index)  # type: ignore[no-untyped-call]
        except CellExecutionError as error:
            raise CellFailedError(index, f"{error.ename}: {error.evalue}") from error
        except CellTimeoutError as error:
            raise CellFailedError(index, f"no end within {self.timeout} s") from error


def _kernel_config(folder: str) -> Config:
    """Return how to reach a kernel by sockets in a folder of its own."""
    if sys.platform == "win32":
        return Config()
    # The kernel warns of TCP, which all users of a machine can read. Left to its default, the
    # sockets of all kernels that start in one folder have one name, and two builds get mixed up.
    return Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})
