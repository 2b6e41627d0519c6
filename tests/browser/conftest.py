"""A browser for the tests of this folder; without one they are left out.

The tests are one group for xdist: one worker has them all, and one browser is enough.
"""

import os
from pathlib import Path

import pytest
from tests.browser.chromium import Chromium, executable
from tests.browser.opened import Opener

HERE = Path(__file__).parent
_chromium = Chromium()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """End the browser with the last test of the folder.

    Playwright leaves an event loop running in the thread of whoever calls it; tests
    of other folders may want one of their own.
    """
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        _chromium.close()


@pytest.fixture
def chromium():
    if executable() is None:
        message = "there is no Chromium; apt-get install chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return _chromium


@pytest.fixture
def opener(chromium, tmp_path):
    """Open pages, whatever they do."""
    pages = Opener(chromium, tmp_path)
    yield pages
    pages.close()


@pytest.fixture
def open_page(opener):
    """Open pages that may write no message, open no dialog and load nothing."""
    yield opener
    assert opener.close() == []
