"""Labs are run by a Jupyter kernel, cell after cell, and what they print is kept."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from qkvdocs.markdown.cache import Cache
from qkvdocs.site.lab_source import Cell, Lab, LabError

# What one cell may take before the build gives up on it.
SECONDS = 120


@dataclass(frozen=True)
class Output:
    """What a cell shows.

    Parameters
    ----------
    printed
        what it prints
    value
        the text of its last expression, without a line break at the end
    picture
        the value as SVG, where it has such a picture
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
    kept = cache.get("labs", json.dumps(code), lambda: json.dumps(_run(lab)))
    return [Output(**output) for output in json.loads(kept)]


def _run(lab: Lab) -> list[dict[str, str]]:
    # Imported here, for a build that finds all outputs in its cache needs no kernel.
    from qkvdocs.site.lab_kernel import CellFailedError, run_notebook

    try:
        notebook = run_notebook(lab.notebook, SECONDS)
    except CellFailedError as error:
        raise _failed(lab, lab.cells[error.index], error.got) from error
    shown = zip(lab.cells, notebook.cells, strict=True)
    return [asdict(_output(lab, cell, run.outputs)) for cell, run in shown if cell.kind == "code"]


def _failed(lab: Lab, cell: Cell, got: str) -> LabError:
    number = lab.code.index(cell) + 1
    return LabError(
        f"{lab.path}:{cell.line}: wanted a cell that runs; cell {number} of code got {got}: "
        "correct the cell"
    )


def _output(lab: Lab, cell: Cell, outputs: Sequence[Any]) -> Output:
    printed, value, picture = "", "", ""
    for output in outputs:
        if output.output_type == "stream" and output.name == "stderr":
            # It would name files of this machine, and no reader expects a warning.
            raise _failed(lab, cell, f"a warning: {output.text.strip()}")
        if output.output_type == "stream":
            printed += output.text
        else:
            value = output.data["text/plain"]
            picture = output.data.get("image/svg+xml", "")
    return Output(printed, value, picture)
