"""What MkDocs and Material do alone, to compare with.

``plain_site.py PROJECT OUTPUT`` builds both languages: the pages, the theme's settings, the other
plugins and extensions are those of the project. What the project itself adds is left out; formulas
are marked up for a script by arithmatex.
"""

import sys
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import yaml_load

OURS = "qkvdocs"
# Plain MkDocs has no labs, and what this imports would only make it slower.
NOTEBOOKS = "mkdocs-jupyter"


def build_plain(project: Path, configuration: str, output: Path) -> None:
    path = project / configuration
    with path.open("rb") as file:
        settings = yaml_load(file)
    theme = {key: value for key, value in settings["theme"].items() if key != "custom_dir"}
    left_out = {OURS, NOTEBOOKS}
    plugins = {key: value for key, value in settings["plugins"].items() if key not in left_out}
    extensions = {
        key: value for key, value in settings["markdown_extensions"].items() if key != OURS
    }
    extensions["pymdownx.arithmatex"] = {"generic": True}
    config = load_config(
        config_file=str(path),
        theme=theme,
        plugins=plugins,
        markdown_extensions=extensions,
        extra={},
        site_dir=str(output),
    )
    _build(config)


def plain_page(folder: Path) -> Path:
    """Build a site of one page with a few words in ``folder`` and return where it lies."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text("# Plain\n\nA few words.\n", encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        "site_name: Plain\ntheme:\n  name: material\n  font: false\n", encoding="utf-8"
    )
    _build(load_config(config_file=str(folder / "mkdocs.yml")))
    return folder / "site"


def _build(config: MkDocsConfig) -> None:
    config.plugins.on_startup(command="build", dirty=False)
    build(config)


if __name__ == "__main__":
    project, output = Path(sys.argv[1]), Path(sys.argv[2])
    build_plain(project, "mkdocs.yml", output)
    build_plain(project, "mkdocs.en.yml", output / "en")
