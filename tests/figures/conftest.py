from collections.abc import Callable

import pytest

from qkvdocs.figures import Svg, names, render
from qkvdocs.languages import LANGUAGES, Language

FIGURES = [(name, language) for name in names() for language in LANGUAGES]

Drawn = Callable[[str, Language], Svg]


@pytest.fixture(scope="session")
def drawn() -> Drawn:
    """Each figure, drawn once for all tests."""
    kept: dict[tuple[str, Language], Svg] = {}

    def get(name: str, language: Language) -> Svg:
        if (name, language) not in kept:
            kept[name, language] = render(name, language)
        return kept[name, language]

    return get
