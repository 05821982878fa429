"""Build both languages with MkDocs and Material alone: ``plain_site.py PROJECT OUTPUT``.

The pages, the theme's settings, the other plugins and extensions are those of the project. What
is left out is what the project itself adds; formulas are marked up for a script by arithmatex.
"""

import sys
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.utils.yaml import yaml_load

OURS = "qkvdocs"


def build_plain(project: Path, configuration: str, output: Path) -> None:
    path = project / configuration
    with path.open("rb") as file:
        settings = yaml_load(file)
    theme = {key: value for key, value in settings["theme"].items() if key != "custom_dir"}
    plugins = {key: value for key, value in settings["plugins"].items() if key != OURS}
    extensions = {
        key: value for key, value in settings["markdown_extensions"].items() if key != OURS
    }
    extensions["pymdownx.arithmatex"] = {"generic": True}
    config = load_config(
        config_file=str(path),
        theme=theme,
        plugins=plugins,
        markdown_extensions=extensions,
        site_dir=str(output),
    )
    config.plugins.on_startup(command="build", dirty=False)
    build(config)


if __name__ == "__main__":
    project, output = Path(sys.argv[1]), Path(sys.argv[2])
    build_plain(project, "mkdocs.yml", output)
    build_plain(project, "mkdocs.en.yml", output / "en")
