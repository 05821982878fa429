"""Builds leave drafts out, so what a draft asks for is looked up here."""

from pathlib import Path

import pytest
from markdown import Markdown
from mkdocs.config import load_config

from qkvdocs.languages import LANGUAGES, Language
from qkvdocs.markdown.errors import PageError
from qkvdocs.site.navigation import drafts

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = {"zh": "mkdocs.yml", "en": "mkdocs.en.yml"}


def render(text: str, language: Language, source: str, cache: Path) -> None:
    """Render a page as the site does, drafts and all."""
    config = load_config(str(ROOT / CONFIGURATIONS[language]))
    options = {**config.mdx_configs["qkvdocs"], "language": language, "source": source}
    options |= {"docs_root": f"docs/{language}", "cache": str(cache), "drafts": True}
    configs = {**config.mdx_configs, "qkvdocs": options}
    Markdown(extensions=config.markdown_extensions, extension_configs=configs).convert(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_drafts_ask_for_is_there(language: Language, tmp_path: Path) -> None:
    for draft in drafts():
        source = f"docs/{language}/{draft}"
        if (ROOT / source).exists():
            render((ROOT / source).read_text(encoding="utf-8"), language, source, tmp_path)


@pytest.mark.parametrize(
    "fault",
    [
        "/// figure | weight-heatmp\nA caption\n///",
        "$$\n\\summ_m x_m\n$$",
        "It is {value: engineer.wait(0) | .2f}.",
    ],
)
def test_a_fault_in_a_draft_is_found(fault: str, tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"^docs/en/lessons/04-a\.md:[34]: wanted"):
        render(f"# A draft\n\n{fault}", "en", "docs/en/lessons/04-a.md", tmp_path)
