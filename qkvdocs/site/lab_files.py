"""The two files to download that stand beside the page of a lab."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from qkvdocs.markdown.cache import Cache
from qkvdocs.site.lab_downloads import notebook, page_of, script
from qkvdocs.site.lab_run import run_lab
from qkvdocs.site.lab_source import Lab


def lab_files(lab: Lab, src_uri: str, config: MkDocsConfig, cache: Cache) -> list[File]:
    """Return the script and the notebook of the lab whose page is written in `src_uri`.

    Raises
    ------
    LabError
        If a cell fails.
    """

    def address_of(link: str) -> str:
        uri = page_of(link, linked_from=src_uri)
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
    return [File.generated(config, uri, content=text) for uri, text in written.items()]
