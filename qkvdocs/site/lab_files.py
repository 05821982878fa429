"""A lab among MkDocs' files: a page, and two files to download beside it."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from qkvdocs.markdown.cache import Cache
from qkvdocs.site.lab_downloads import notebook, page_of, script
from qkvdocs.site.lab_run import run_lab
from qkvdocs.site.lab_source import Lab, read_lab


class LabFile(File):
    """A Python file that is a page."""

    def __init__(self, lab: Lab, src_uri: str, config: MkDocsConfig) -> None:
        super().__init__(src_uri, config.docs_dir, config.site_dir, config.use_directory_urls)
        self.lab = lab

    def is_documentation_page(self) -> bool:
        """Return True: MkDocs itself takes Markdown files alone for pages."""
        return True


def is_lab(file: File) -> bool:
    """Return whether a file is a lab, to be told from other Python files by its folder."""
    path = Path(file.src_uri)
    return path.suffix == ".py" and path.parts[0] == "labs"


def lab_files(file: File, config: MkDocsConfig, cache: Cache) -> list[File]:
    """Return the page of a lab, its script and its notebook.

    Raises
    ------
    LabError
        If it can't be read or a cell fails.
    """
    path = Path(str(file.abs_src_path))
    lab = read_lab(path, path.relative_to(Path(config.config_file_path).parent).as_posix())

    def address_of(link: str) -> str:
        uri = page_of(link, linked_from=file.src_uri)
        # MkDocs gives pages their addresses by their suffix.
        page = File(
            Path(uri).with_suffix(".md").as_posix(),
            config.docs_dir,
            config.site_dir,
            config.use_directory_urls,
        )
        return f"{config.site_url}{page.url.removeprefix('./')}"

    folder = f"labs/{lab.name}"
    written = {
        f"{folder}/{lab.name}.py": script(lab, address_of),
        f"{folder}/{lab.name}.ipynb": notebook(lab, run_lab(lab, cache), address_of),
    }
    added = [File.generated(config, uri, content=text) for uri, text in written.items()]
    return [LabFile(lab, file.src_uri, config), *added]
