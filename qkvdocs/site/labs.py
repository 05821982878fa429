"""Labs: jupytext percent files, run by a Jupyter kernel and written out as Markdown.

Markdown, not nbconvert's HTML: so the formulas, headings, code and search of a lab are those of
every other page, and a lab page carries no style of its own.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from qkvdocs.languages import Label, Language
from qkvdocs.markdown.cache import Cache

OUTPUT = Label(zh="输出", en="Output")
DOWNLOAD = Label(zh="下载这个实验：", en="Download this lab: ")

# What a lab may take before the build gives up on it.
SECONDS = 120


class LabError(Exception):
    """A cell of a lab failed; the text names the file and the line at which the cell starts."""


def lab_markdown(path: Path, language: Language, cache: Cache) -> str:
    """Return the lab as a Markdown page, its code run and its outputs below each cell.

    Parameters
    ----------
    path : Path
        A jupytext percent file.
    language : Language
        The language of the page.
    cache : Cache
        What keeps the outputs, by the code of the lab and of the package.

    Raises
    ------
    LabError
        If a cell raises.
    """
    text = path.read_text(encoding="utf-8")
    # Kept whole as well, for reading a notebook means to import jupytext, which takes its time.
    return cache.get("lab-pages", f"{language}\0{text}", lambda: _page(path, language, cache))


def lab_notebook(path: Path, cache: Cache) -> str:
    """Return the lab as an .ipynb file without outputs."""
    return cache.get("lab-notebooks", path.read_text(encoding="utf-8"), lambda: _notebook(path))


def _page(path: Path, language: Language, cache: Cache) -> str:
    import jupytext

    notebook = jupytext.read(path)
    front, cells = _front_matter(notebook.cells)
    outputs = iter(_outputs(path, notebook, cache))
    parts = [front]
    for position, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(_fence("python", cell.source))
            parts += [_output(output, language) for output in next(outputs)]
        if position == 0:
            parts.append(_downloads(path, language))
    return "\n\n".join(part for part in parts if part) + "\n"


def _notebook(path: Path) -> str:
    import jupytext

    notebook = jupytext.read(path)
    _, notebook.cells = _front_matter(notebook.cells)
    # Jupytext gives each cell a new random identity at each reading.
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
    return str(jupytext.writes(notebook, fmt="ipynb"))


def _front_matter(cells: list[Any]) -> tuple[str, list[Any]]:
    # Jupytext hands YAML that it does not use itself over as a first raw cell.
    if cells and cells[0].cell_type == "raw":
        return cells[0].source, cells[1:]
    return "", cells


def _outputs(path: Path, notebook: Any, cache: Cache) -> list[list[dict[str, Any]]]:
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    # Both languages have the same code, so the second finds what the first has run.
    outputs = cache.get("labs", json.dumps(code), lambda: json.dumps(_run(path, code)))
    found: list[list[dict[str, Any]]] = json.loads(outputs)
    return found


def _run(path: Path, code: list[str]) -> list[list[dict[str, Any]]]:
    # Imported here, for a build that finds all outputs in its cache needs no kernel.
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
    from traitlets.config import Config

    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in code]
    content = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}
    notebook = nbformat.from_dict(content)  # type: ignore[no-untyped-call]
    # Sockets in the file system where there are any: the kernel warns of TCP, which all can read.
    config = Config(KernelManager={"transport": "tcp" if sys.platform == "win32" else "ipc"})
    client = NotebookClient(notebook, config=config, kernel_name="python3", timeout=SECONDS)
    try:
        client.execute()
    except CellExecutionError as error:
        failed = next(
            cell for cell in notebook.cells if any(o.output_type == "error" for o in cell.outputs)
        )
        line = _line_of(path, failed.source)
        raise LabError(
            f"{path}:{line}: wanted a cell that runs; got {error.ename}: {error.evalue}: "
            "correct the cell"
        ) from error
    return [json.loads(json.dumps(cell.outputs)) for cell in notebook.cells]


def _line_of(path: Path, source: str) -> int:
    text = path.read_text(encoding="utf-8")
    return text[: max(text.find(source), 0)].count("\n") + 1


def _fence(language: str, text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def _output(output: dict[str, Any], language: Language) -> str:
    if output["output_type"] == "stream":
        return _box(_fence("text", output["text"].rstrip("\n")), language)
    data = output["data"]
    if "image/svg+xml" in data:
        return _box(str(data["image/svg+xml"]), language)
    return _box(_fence("text", data["text/plain"]), language)


def _box(markdown: str, language: Language) -> str:
    label = f'<p class="qkv-lab__label">{OUTPUT[language]}</p>'
    return f'<div class="qkv-lab__output no-copy" markdown="1">\n{label}\n\n{markdown}\n\n</div>'


def _downloads(path: Path, language: Language) -> str:
    names = [f"{path.stem}.ipynb", f"{path.stem}.py"]
    links = " · ".join(f'<a href="{name}" download>{name}</a>' for name in names)
    return f'<p class="qkv-lab__files">{DOWNLOAD[language]}{links}</p>'
