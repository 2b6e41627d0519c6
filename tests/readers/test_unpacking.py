"""Compressed data: read whole, or refused where they are too many."""

import gzip

import duckdb
import pytest

from likelier.readers import read_files, unpacking
from likelier.readers.engine import connected
from likelier.readers.file import find_file
from likelier.readers.unpacking import Allowance, TooLargeError


@pytest.fixture
def small(monkeypatch):
    """Let little be free, so that bombs may be small, too."""
    monkeypatch.setattr(unpacking, "_FREE", 20_000)


# --- what is counted -----------------------------------------------------------------


def test_parts_share_an_allowance(small):
    allowance = Allowance("this", 10)
    for size in (20_000, 900, 100):
        allowance.take(size)
    assert allowance.left == 0
    with pytest.raises(TooLargeError, match="this must unpack to at most"):
        allowance.take(1)


@pytest.mark.parametrize("members", [1, 3])
def test_gzip_is_read_whole_or_refused(tmp_path, monkeypatch, members):
    path = tmp_path / "t.csv.gz"
    data = b"gold,a,b\n" + b"1,1,1\n" * 50_000
    step = -(-len(data) // members)
    parts = [data[i : i + step] for i in range(0, len(data), step)]
    path.write_bytes(b"".join(map(gzip.compress, parts)))
    exact = len(data) - 100 * path.stat().st_size
    for free, fits in ((exact, True), (exact - 1, False)):
        monkeypatch.setattr(unpacking, "_FREE", free)
        with find_file(path).open() as handle:
            if fits:
                assert handle.read() == data
            else:
                with pytest.raises(TooLargeError, match=r"t\.csv\.gz must unpack"):
                    handle.read()


def test_rows_that_are_all_alike_are_read(tmp_path):
    """They shrink to less than a hundredth, but the free part is enough."""
    path = tmp_path / "t.csv.gz"
    n = 100_000
    data = b"gold,a,b\n" + b"1,1,1\n" * n
    path.write_bytes(gzip.compress(data))
    assert len(data) > 300 * path.stat().st_size
    assert read_files(path).n_items == n


@pytest.mark.parametrize("rows", [1, 12_000_000])
def test_engine_takes_little_memory_for_a_small_file(tmp_path, rows):
    path = tmp_path / "t.csv"
    with path.open("wb") as handle:
        handle.write(b"gold,a\n")
        handle.truncate(7 * rows)
    sql = "SELECT current_setting('memory_limit') AS memory"
    with connected([find_file(path)]) as engine:
        [row] = engine.fetch(sql, name="t.csv").to_pylist()
    own = duckdb.connect().sql(sql).to_arrow_table().to_pylist()
    assert ([row] == own) == (rows > 1)
