"""What mkdocs-jupyter does here: it takes labs for notebooks and runs them in a kernel.

Its pages are not used; see `qkvdocs.site.labs`.
"""

import importlib.util
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

NAME = "mkdocs-jupyter"

# What it has to be told. Otherwise pages would have cells without outputs, errors for outputs, or
# those of another Python.
SETTINGS = {"execute": True, "allow_errors": False, "kernel_name": "python3"}


def _import_when_used(name: str) -> None:
    """Let a module be imported when something of it is asked for, as `importlib` describes it."""
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    parent, _, child = name.rpartition(".")
    setattr(sys.modules[parent], child, module)


# It brings nbconvert, of which a build that finds all outputs in its cache needs nothing. This
# works where qkvdocs stands before mkdocs-jupyter in mkdocs.yml.
_import_when_used("mkdocs_jupyter.convert")

from mkdocs_jupyter.plugin import NotebookFile  # noqa: E402


def notebooks(files: Files, config: MkDocsConfig) -> list[NotebookFile]:
    """Return the labs, all of which mkdocs-jupyter has taken for notebooks.

    Raises
    ------
    PluginError
        If it has passed over one, or would not run them as labs are run.
    """
    labs = [file for file in files if _is_lab(file)]
    configuration = Path(config.config_file_path)
    for file in labs:
        if not isinstance(file, NotebookFile):
            path = Path(str(file.abs_src_path)).relative_to(configuration.parent)
            raise PluginError(
                f"{path.as_posix()}: wanted a notebook of {NAME}; got a file that it passes over: "
                f'list {NAME} under plugins in mkdocs.yml, with include: ["labs/*.py"]'
            )
        _check_settings(config.plugins[NAME].config, configuration.name)
    return labs


def _is_lab(file: File) -> bool:
    path = Path(file.src_uri)
    return path.suffix == ".py" and path.parts[0] == "labs"


def _check_settings(given: Mapping[str, object], configuration: str) -> None:
    for option, wanted in SETTINGS.items():
        if given[option] != wanted:
            raise PluginError(
                f"{configuration}: wanted {NAME} with {option}: {json.dumps(wanted)}; got "
                f"{json.dumps(given[option])}: labs show what their code gives, so correct it"
            )
