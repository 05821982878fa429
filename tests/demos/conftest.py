"""Demos on a page of their own."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.demos.stand import Stand


@pytest.fixture
def any_stand(browser: Browser) -> Iterator[Stand]:
    """Shows demos that are meant to fail; the test says which faults it wants."""
    stand = Stand(browser)
    yield stand
    stand.close()


@pytest.fixture
def stand(any_stand: Stand) -> Iterator[Stand]:
    """Shows demos; at the end of the test none may have complained."""
    yield any_stand
    assert any_stand.faults == []
