"""Demos on a page of their own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.demos.stand import Pages, Stand


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Pages:
    return Pages(browser)


@pytest.fixture
def any_stand(pages: Pages) -> Iterator[Stand]:
    """Shows demos that are meant to fail; the test says which faults it wants."""
    stand = Stand(pages)
    yield stand
    stand.close()


@pytest.fixture
def stand(any_stand: Stand) -> Iterator[Stand]:
    """Shows demos; at the end of the test none may have complained."""
    yield any_stand
    assert any_stand.faults == []
