"""One database for modules that read hundreds of small files."""

import duckdb
import pytest

from likelier.readers import engine


@pytest.fixture(scope="module")
def one_database():
    """Share a database between reads: to open one takes longer than to read a table.

    Views and tables are temporary, so each read has its own. What a database may
    reach is tested with those that readers open themselves (`test_files`).
    """
    database = duckdb.connect(":memory:", config=engine._SETTINGS)
    database.execute("SET enable_external_file_cache = false")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_connect", lambda files: database.cursor())
        yield
    database.close()
