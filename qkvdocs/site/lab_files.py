"""A lab among MkDocs' files: a page, and two files to download beside it."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from qkvdocs.markdown.cache import Cache
from qkvdocs.site.labs import lab_notebook


class LabFile(File):
    """A Python file that is a page."""

    def is_documentation_page(self) -> bool:
        """Return True: MkDocs itself takes Markdown files alone for pages."""
        return True


def is_lab(file: File) -> bool:
    """Return whether a file is a lab, to be told from other Python files by its folder."""
    path = Path(file.src_uri)
    return path.suffix == ".py" and path.parts[0] == "labs"


def lab_files(file: File, config: MkDocsConfig, cache: Cache) -> list[File]:
    """Return the page of a lab, its source and its notebook."""
    path = Path(str(file.abs_src_path))
    page = LabFile(file.src_uri, config.docs_dir, config.site_dir, config.use_directory_urls)
    folder = Path(file.src_uri).with_suffix("").as_posix()
    source = path.read_text(encoding="utf-8")
    return [
        page,
        File.generated(config, f"{folder}/{path.name}", content=source),
        File.generated(config, f"{folder}/{path.stem}.ipynb", content=lab_notebook(path, cache)),
    ]
