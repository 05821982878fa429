"""One Markdown page taken apart: what the checks of the content look at."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from qkvdocs.languages import Language

DOCS = Path(__file__).parents[2] / "docs"

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<info>[^\n`]*)$")
HEADING = re.compile(r"^(?P<level>#{1,6}) +(?P<text>.*?)(?: *\{(?P<attributes>[^}]*)\})? *$")
ASK = re.compile(r"^ */// *(?P<kind>[a-z-]+) *(?:\| *(?P<name>[\w-]+))? *$")
VALUE = re.compile(r"\{value:(?P<ask>[^{}]*)\}")
DISPLAY_MATHS = re.compile(r"\$\$(?P<tex>.+?)\$\$", re.DOTALL)
INLINE_MATHS = re.compile(r"(?<![\\$])\$(?P<tex>[^$\n]+?)\$(?!\d)")
CODE_SPAN = re.compile(r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)")
LINK = re.compile(
    r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)(?:\s+\"[^\"]*\")?\)"
)
REFERENCE = re.compile(r"\[(?P<text>[^\[\]]+)\]\[(?P<target>[^\[\]]+)\]")
ANCHOR = re.compile(r"\{[^{}]*#(?P<anchor>[\w-]+)[^{}]*\}")
ATTRIBUTES = re.compile(r"\{:? *[.#][^{}]*\}")
FOLD = re.compile(r"^ *\?\?\?\+? +(?P<kind>[a-z]+)")
TABLE_RULE = re.compile(r"^ *\|? *:?-{3,}:? *(\| *:?-{3,}:? *)*\|? *$")
NUMERAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


@dataclass
class Line:
    """One line of prose, with its number in the file; code and maths are masked out of `text`."""

    number: int
    text: str


@dataclass
class Section:
    """What stands under one heading."""

    level: int
    anchor: str | None
    line: int
    snippets: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    displayed: list[str] = field(default_factory=list)
    asks: list[tuple[str, str]] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    tables: list[tuple[int, int]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    folds: list[str] = field(default_factory=list)
    numerals: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"#{self.anchor}" if self.anchor else "the top of the page"


@dataclass
class Page:
    """A page: its path below docs/<language>/, and its sections in order."""

    language: Language
    path: Path
    sections: list[Section]

    @property
    def shown(self) -> str:
        return f"docs/{self.language}/{self.path.as_posix()}"

    def lines(self) -> Iterator[Line]:
        for section in self.sections:
            yield from section.lines


def paths(language: Language) -> list[Path]:
    """Return all source files of a language, relative to its folder."""
    root = DOCS / language
    return sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())


def load(language: Language, path: Path) -> Page:
    """Read a page from docs/."""
    text = (DOCS / language / path).read_text(encoding="utf-8")
    return parse(language, path, text)


def parse(language: Language, path: Path, text: str) -> Page:
    """Take the text of a page apart; a notebook's text is that of its Markdown cells."""
    if path.suffix == ".py":
        text = markdown_of_notebook(text)
    text = FRONT_MATTER.sub(lambda match: "\n" * match.group().count("\n"), text)
    sections = [Section(level=0, anchor=None, line=1)]
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        if fence := FENCE.match(lines[index]):
            end = closing_fence(lines, index, fence["fence"])
            if fence["info"].split()[:1] in (["pycon"], ["python"]):
                sections[-1].snippets.append("\n".join(x.strip() for x in lines[index + 1 : end]))
            index = end + 1
            continue
        if (heading := HEADING.match(lines[index])) and heading["level"]:
            anchor = re.search(r"#([\w-]+)", heading["attributes"] or "")
            found = anchor.group(1) if anchor else None
            sections.append(Section(len(heading["level"]), found, index + 1))
        index = read_line(sections[-1], lines, index)
    return Page(language, path, sections)


def closing_fence(lines: list[str], start: int, fence: str) -> int:
    for index in range(start + 1, len(lines)):
        if lines[index].strip().startswith(fence):
            return index
    raise ValueError(f"line {start + 1}: wanted a closing {fence}, got the end of the page")


def read_line(section: Section, lines: list[str], index: int) -> int:
    """Read one line, or one display formula over several lines; return the index after it."""
    start, text = index, lines[index]
    while text.count("$$") % 2 and index + 1 < len(lines):
        index += 1
        text += "\n" + lines[index]
    if ask := ASK.match(text):
        section.asks.append((ask["kind"], ask["name"] or ""))
    if fold := FOLD.match(text):
        section.folds.append(fold["kind"])
    if TABLE_RULE.match(text) and "|" in text:
        section.tables.append(table_shape(lines, index))
    elif not ask:
        section.lines.append(Line(start + 1, prose_of(section, text)))
    return index + 1


def table_shape(lines: list[str], rule: int) -> tuple[int, int]:
    end = rule + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end - rule - 1, len(lines[rule].strip().strip("|").split("|"))


def prose_of(section: Section, text: str) -> str:
    """Collect what a line asks for; return its prose with a stand-in for each computed thing."""

    def value(match: re.Match[str]) -> str:
        section.values.append(" ".join(match["ask"].split()))
        return "⟨0⟩"

    def formula(match: re.Match[str]) -> str:
        section.formulas.append(" ".join(match["tex"].split()))
        return "⟨x⟩"

    def link(match: re.Match[str]) -> str:
        section.links.append(match["target"])
        return match["text"]

    text = VALUE.sub(value, text)
    section.displayed.extend(match["tex"].strip() for match in DISPLAY_MATHS.finditer(text))
    text = CODE_SPAN.sub("⟨c⟩", DISPLAY_MATHS.sub(formula, text))
    text = INLINE_MATHS.sub(formula, text)
    text = REFERENCE.sub(link, LINK.sub(link, text))
    section.anchors.extend(match["anchor"] for match in ANCHOR.finditer(text))
    text = ATTRIBUTES.sub("", text)
    text = re.sub(r"<https?://[^>]*>|https?://[^\s)>）]*|arXiv:\d{4}\.\d{4,5}", "⟨l⟩", text)
    section.numerals.extend(NUMERAL.findall(text))
    return re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", "", text)


def markdown_of_notebook(text: str) -> str:
    """Return the Markdown cells of a percent script, every other line blank, numbers kept."""
    kept, in_markdown = [], False
    for line in text.split("\n"):
        if line.startswith("# %%"):
            in_markdown = "[markdown]" in line
            kept.append("")
        else:
            kept.append(re.sub(r"^# ?", "", line) if in_markdown else "")
    return "\n".join(kept)


def code_of_notebook(text: str) -> list[str]:
    """Return the code cells of a percent script."""
    cells = re.split(r"^# %%(.*)$", text, flags=re.MULTILINE)
    pairs = zip(cells[1::2], cells[2::2], strict=True)
    return [body.strip() for head, body in pairs if "[markdown]" not in head]
