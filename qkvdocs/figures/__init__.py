"""The figures of the pages, by name: drawn by matplotlib, handed out as clean, inline SVG.

Nothing here imports matplotlib until a figure really has to be drawn: a build that finds all its
figures in the cache doesn't pay for it.
"""

import hashlib
import json
import tempfile
from dataclasses import asdict, dataclass
from functools import cache as once
from importlib import import_module, metadata
from pathlib import Path

from qkvdocs.languages import Language

FUNCTIONS = {
    "one-vector": "qkvdocs.figures.recall.one_vector",
    "recall-curve": "qkvdocs.figures.recall.recall_curve",
    "numbers-kept": "qkvdocs.figures.recall.numbers_kept",
    "alignment": "qkvdocs.figures.recall.alignment",
    "plain-weighted": "qkvdocs.figures.recall.plain_weighted",
    "path-length": "qkvdocs.figures.recall.path_length",
    "lookup-flow": "qkvdocs.figures.lookup.lookup_flow",
    "projection": "qkvdocs.figures.lookup.projection",
    "score-heatmap": "qkvdocs.figures.heatmaps.score_heatmap",
    "weight-heatmap": "qkvdocs.figures.heatmaps.weight_heatmap",
    "directed-scores": "qkvdocs.figures.heatmaps.directed_scores",
    "temperature": "qkvdocs.figures.retrieval.temperature",
    "retrieval-gradients": "qkvdocs.figures.retrieval.retrieval_gradients",
    "dilution": "qkvdocs.figures.retrieval.dilution",
    "before-after": "qkvdocs.figures.context.before_after",
    "coreference": "qkvdocs.figures.context.coreference",
    "formula-flow": "qkvdocs.figures.formula.formula_flow",
    "product-grid": "qkvdocs.figures.formula.product_grid",
    "scaled-weights": "qkvdocs.figures.formula.scaled_weights",
    "row-column": "qkvdocs.figures.formula.row_column",
    "shape-flow": "qkvdocs.figures.formula.shape_flow",
    "training": "qkvdocs.figures.training.training",
}

DRAWN_WITH = ("numpy", "matplotlib", "noto-cjk-sans-otc")


@dataclass(frozen=True)
class Svg:
    """A figure as a page takes it in.

    Parameters
    ----------
    svg
        one `<svg>` element, for use inside HTML
    description
        what it shows, with its numbers, for those who can't see it
    function
        the dotted name of the function that drew it
    """

    svg: str
    description: str
    function: str


def names() -> tuple[str, ...]:
    """Return the names of all figures."""
    return tuple(FUNCTIONS)


def render(name: str, language: Language, *, cache: Path | None = None) -> Svg:
    """Return the figure `name` with its texts in `language`.

    Parameters
    ----------
    name : one of `names()`
    language
        "zh" or "en"
    cache
        a directory where drawn figures are kept; None draws anew

    Raises
    ------
    ValueError
        If there is no figure of this name.
    """
    if name not in FUNCTIONS:
        raise ValueError(
            f"wanted the name of a figure; got {name!r}: use one of {', '.join(names())}"
        )
    if cache is None:
        return _draw(name, language)
    if found := kept(name, language, cache):
        return found
    figure = _draw(name, language)
    entry = {"state": _state(name, language), "figure": asdict(figure)}
    _write(_file(name, language, cache), json.dumps(entry, ensure_ascii=False))
    return figure


def kept(name: str, language: Language, cache: Path) -> Svg | None:
    """Return a figure that was drawn from the same sources before; None if there is none."""
    file = _file(name, language, cache)
    if not file.exists():
        return None
    entry = json.loads(file.read_text(encoding="utf-8"))
    return Svg(**entry["figure"]) if entry["state"] == _state(name, language) else None


def _file(name: str, language: Language, cache: Path) -> Path:
    return cache / "figures" / f"{name}.{language}.json"


def _state(name: str, language: Language) -> dict[str, str]:
    return {"sources": _sources(), "name": name, "language": language}


def _draw(name: str, language: Language) -> Svg:
    from qkvdocs.figures.svg import draw

    module, function = FUNCTIONS[name].rsplit(".", 1)
    svg, description = draw(name, getattr(import_module(module), function), language)
    return Svg(svg, description, FUNCTIONS[name])


@once
def _sources() -> str:
    """Hash all that a drawing depends on.

    Once a process: sources that change later are not the ones this process runs.
    """
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    drawn_by = [package, package / "experiments", package / "figures"]
    for file in sorted(file for folder in drawn_by for file in folder.glob("*.py")):
        digest.update(f"{file.relative_to(package).as_posix()}\0".encode())
        digest.update(file.read_bytes())
    for distribution in DRAWN_WITH:
        digest.update(f"{distribution}=={metadata.version(distribution)}\0".encode())
    return digest.hexdigest()


def _write(file: Path, text: str) -> None:
    # Two builds may share the cache: whoever reads finds a whole file or none.
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=file.parent, suffix=".part", delete=False
    ) as part:
        part.write(text)
    Path(part.name).replace(file)
