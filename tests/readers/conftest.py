"""One database for modules that read hundreds of small files."""

import pytest
from tests.databases import shared_database

from likelier.readers import engine


@pytest.fixture(scope="module")
def one_database():
    """Share a database between reads."""
    with shared_database() as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_connect", lambda files: database.cursor())
        yield
