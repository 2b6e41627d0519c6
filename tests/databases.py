"""One database for many reads, as to open one takes longer than to read a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from likelier.readers import engine


@contextmanager
def shared_database() -> Iterator[Any]:
    """Open a database, of which each read takes a cursor.

    Views and tables are temporary, so each read has its own. What a database may reach
    is tested with those that readers open themselves (`tests/readers/test_files`).
    """
    import duckdb  # not before the tests are collected: see pytest_collection_finish

    with duckdb.connect(":memory:", config=engine._SETTINGS) as opened:
        opened.execute("SET enable_external_file_cache = false")
        yield opened
