"""The two files of a lab that a reader takes home: a Jupyter notebook and a Python script."""

import json
import posixpath
import re
from collections.abc import Callable, Sequence

from qkvdocs.markdown.maths import ROLES
from qkvdocs.site.lab_run import Output
from qkvdocs.site.lab_source import Cell, Lab

ATTRIBUTES = re.compile(r"[ \t]*\{ *[#.][^{}\n]*\}")
ROLE = re.compile(rf"\\(?:{'|'.join(role.macro for role in ROLES)})(?={{)")
LINK = re.compile(r"\]\((?![a-z]+:)(?P<path>[^()#\s]*)(?P<anchor>#[\w-]+)?\)")

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def script(lab: Lab, address_of: Callable[[str], str]) -> str:
    """Return a lab as a Python file that stands alone.

    Parameters
    ----------
    lab
        the lab
    address_of
        gives the address of a page from its path, as a link from the lab has it
    """
    parts = []
    for cell in lab.cells:
        if cell.kind == "code":
            parts.append(f"# %%\n{cell.text}\n")
        else:
            lines = [f"# {line}".rstrip() for line in _portable(cell, address_of).split("\n")]
            parts.append("\n".join(["# %% [markdown]", *lines, ""]))
    return "\n".join(parts)


def notebook(lab: Lab, outputs: Sequence[Output], address_of: Callable[[str], str]) -> str:
    """Return a lab as an .ipynb file with what its cells show; see `script`."""
    shown = iter(outputs)
    count = 0
    cells: list[dict[str, object]] = []
    for number, cell in enumerate(lab.cells):
        entry: dict[str, object] = {"cell_type": cell.kind, "id": f"cell-{number}", "metadata": {}}
        if cell.kind == "code":
            count += 1
            entry |= {"execution_count": count, "outputs": _outputs(next(shown), count)}
        source = cell.text if cell.kind == "code" else _portable(cell, address_of)
        cells.append(entry | {"source": _lines(source)})
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _outputs(output: Output, count: int) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = []
    if output.printed:
        text = _lines(output.printed)
        entries.append({"output_type": "stream", "name": "stdout", "text": text})
    if output.value:
        data = {"text/plain": _lines(output.value)}
        if output.picture:
            data["image/svg+xml"] = _lines(output.picture)
        entries.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "data": data,
                "metadata": {},
            }
        )
    return entries


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _portable(cell: Cell, address_of: Callable[[str], str]) -> str:
    """Return a cell's Markdown without what only this site reads, its links made absolute."""

    def absolute(found: re.Match[str]) -> str:
        return f"]({address_of(found['path'])}{found['anchor'] or ''})"

    return LINK.sub(absolute, ROLE.sub("", ATTRIBUTES.sub("", cell.text)))


def page_of(link: str, linked_from: str) -> str:
    """Return the path of the page that a link leads to, from the folder of all pages.

    Examples
    --------
    >>> page_of("../index.md", linked_from="labs/engineer.py")
    'index.md'
    >>> page_of("", linked_from="labs/engineer.py")
    'labs/engineer.py'
    """
    if not link:
        return linked_from
    return posixpath.normpath(posixpath.join(posixpath.dirname(linked_from), link))
