"""Labs are run by a Jupyter kernel, cell after cell, and what they print is kept."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from tempfile import TemporaryDirectory
from typing import Any

from qkvdocs.markdown.cache import Cache
from qkvdocs.site.lab_source import Lab, LabError

# What one cell may take before the build gives up on it.
SECONDS = 120


@dataclass(frozen=True)
class Output:
    """What a cell shows.

    Parameters
    ----------
    printed : what it prints
    value : the text of its last expression, without a line break at the end
    picture : the value as SVG, where it has such a picture
    """

    printed: str
    value: str
    picture: str

    @property
    def text(self) -> str:
        """All text that the cell shows."""
        return self.printed + (f"{self.value}\n" if self.value else "")


def run_lab(lab: Lab, cache: Cache) -> list[Output]:
    """Return what each cell of code shows, from the cache or from running the lab.

    Raises
    ------
    LabError
        If a cell raises, warns, or takes too long.
    """
    code = [cell.text for cell in lab.code]
    # Both languages have the same code, so the second finds what the first has run.
    kept = cache.get("labs", json.dumps(code), lambda: json.dumps(_run(lab, code)))
    return [Output(**output) for output in json.loads(kept)]


def _run(lab: Lab, code: Sequence[str]) -> list[dict[str, str]]:
    # Imported here, for a build that finds all outputs in its cache needs no kernel.
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in code]
    content = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    notebook = nbformat.from_dict(content)  # type: ignore[no-untyped-call]
    outputs = []
    with TemporaryDirectory(prefix="lab-") as folder:
        client = NotebookClient(
            notebook, config=_kernel_config(folder), kernel_name="python3", timeout=SECONDS
        )
        with client.setup_kernel():
            for number, cell in enumerate(notebook.cells):
                try:
                    client.execute_cell(cell, number)
                except CellExecutionError as error:
                    raise _failed(lab, number, f"{error.ename}: {error.evalue}") from error
                except CellTimeoutError as error:
                    raise _failed(lab, number, f"no end within {SECONDS} s") from error
                outputs.append(asdict(_output(lab, number, cell.outputs)))
    return outputs


def _kernel_config(folder: str) -> Any:
    """Return how to reach a kernel by sockets in a folder of its own."""
    from traitlets.config import Config

    if sys.platform == "win32":
        return Config()
    # The kernel warns of TCP, which all users of a machine can read. Left to its default, the
    # sockets of all kernels that start in one folder have one name, and two builds get mixed up.
    return Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})


def _failed(lab: Lab, number: int, got: str) -> LabError:
    line = lab.code[number].line
    return LabError(
        f"{lab.path}:{line}: wanted a cell that runs; cell {number + 1} of code got {got}: "
        "correct the cell"
    )


def _output(lab: Lab, number: int, outputs: Sequence[Any]) -> Output:
    printed, value, picture = "", "", ""
    for output in outputs:
        if output.output_type == "stream" and output.name == "stderr":
            # It would name files of this machine, and no reader expects a warning.
            raise _failed(lab, number, f"a warning: {output.text.strip()}")
        if output.output_type == "stream":
            printed += output.text
        else:
            value = output.data["text/plain"]
            picture = output.data.get("image/svg+xml", "")
    return Output(printed, value, picture)
