"""The page of a lab: its prose as Markdown, its cells as the snippets of every other page.

Markdown, not nbconvert's HTML: so the formulas, headings, terms and search of a lab are those of
every other page, and a lab page carries no style of its own.
"""

from functools import partial
from html import escape

from qkvdocs.languages import Label, Language
from qkvdocs.markdown.cache import Cache
from qkvdocs.markdown.snippet import code_html
from qkvdocs.site.lab_run import Output, run_lab
from qkvdocs.site.lab_source import Lab

FILES = Label(
    zh="这一页是一本笔记本，可以下载：{notebook}（Jupyter）或 {script}（Python）。"
    "在你的电脑上运行，要先[装上 qkvdocs](../index.md#run-the-code)。",
    en="This page is a notebook. Download it as {notebook} for Jupyter or {script} for Python. "
    "To run it on your computer, first [install qkvdocs](../index.md#run-the-code).",
)

# A line break, for HTML and for us.
FOLD = "&#10;"


def lab_markdown(lab: Lab, language: Language, cache: Cache) -> str:
    """Return the lab as a Markdown page, its code run and its outputs below each cell.

    Each line of the page's prose is on the line that it has in the lab, so that whatever is said of
    a line of the page is true of the lab.

    Raises
    ------
    LabError
        If a cell fails.
    """
    lines = [""] * lab.lines
    lines[: len(lab.front_matter)] = lab.front_matter
    outputs = iter(run_lab(lab, cache))
    for position, cell in enumerate(lab.cells):
        mark = cell.line - 1
        if cell.kind == "code":
            # Highlighting is slow beside all else here.
            made_from = lab.name, cell.text, next(outputs), language
            lines[mark] = cache.get("cells", repr(made_from), partial(_cell_html, *made_from))
        else:
            text = cell.text.split("\n")
            lines[mark + 1 : mark + 1 + len(text)] = text
        if position == 1:
            lines[mark] = _downloads(lab, language) + lines[mark]
    return "\n".join(lines)


def cells_unfolded(html: str) -> str:
    """Return the page with the line breaks of its cells."""
    return html.replace(FOLD, "\n")


def _cell_html(notebook: str, code: str, output: Output, language: Language) -> str:
    html = code_html(f"{code}\n", output.text, language)
    # Cells of one notebook run in one namespace, each after those above it.
    opening, rest = html.split(">", 1)
    picture = f'<div class="qkv-snippet__picture">{output.picture}</div>' if output.picture else ""
    whole = f'{opening} data-notebook="{escape(notebook)}">{rest.removesuffix("</div>")}{picture}'
    # On one line, where nothing in the code or its output is read as Markdown.
    return f"{whole}</div>".replace("\n", FOLD)


def _downloads(lab: Lab, language: Language) -> str:
    names = {"notebook": f"{lab.name}.ipynb", "script": f"{lab.name}.py"}
    links = {
        what: f'[{name}]({lab.name}/{name}){{ download="{name}" }}' for what, name in names.items()
    }
    return f'<p class="qkv-lab__files" markdown="span">{FILES[language].format(**links)}</p>'
