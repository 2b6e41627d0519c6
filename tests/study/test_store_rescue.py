"""Damaged stores: what was not hit is read, or saved into a new store."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from tests.study.conftest import Toy

from likelier.errors import LikelierError
from likelier.study import Store, rescue
from likelier.study.fold_results import FoldResults
from likelier.study.runner import locked
from likelier.study.store_rescue import read_sound

FOLDS, PAGE = 12, 4096


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The store of a study of 12 folds."""
    toy = Toy(tmp_path_factory.mktemp("small"))
    toy.run()
    return toy


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def flip_bits(toy, path, step):
    """Flip one bit after the other; count what is read, and what is saved."""
    content = toy.db.read_bytes()
    sound = read_sound(toy.db).results
    refused, read, saved, plans = 0, [], [], 0
    for bit in range(0, 8 * len(content), step):
        path.write_bytes(flipped(content, bit))
        rescued = read_sound(path)
        for fingerprint, result in rescued.results.items():
            assert result == sound[fingerprint]
        saved.append(len(rescued.results))
        plans += rescued.schedule is not None
        try:
            with Store(path, readonly=True) as store:
                read.append(len(FoldResults.of(store).results))
        except LikelierError:
            refused += 1
    return refused, read, saved, plans


def test_flips_of_bits(small, tmp_path):
    refused, read, saved, plans = flip_bits(small, tmp_path / "flipped.db", 1999)
    flips = len(saved)
    # A flip hits one row, or none: rows take a third of the pages, the plan a tenth.
    assert min(saved) == FOLDS - 1
    assert saved.count(FOLDS) > 0.6 * flips
    assert plans > 0.8 * flips
    assert min(read) >= FOLDS - 1
    assert refused < 0.25 * flips


def zero(path, first, last=None):
    """Write zeros over pages, counted from 1."""
    content = bytearray(path.read_bytes())
    start, end = (first - 1) * PAGE, (last or first) * PAGE
    content[start:end] = bytes(len(content[start:end]))
    path.write_bytes(content)


def root(toy, name):
    ((page,),) = toy.do(f"SELECT rootpage FROM sqlite_master WHERE name = '{name}'")
    return page


def test_a_damaged_index_loses_nothing(done, call):
    before = call("study", "show", done.db, "--json", "-")
    zero(done.db, root(done, "sqlite_autoindex_results_1"))
    assert call("study", "show", done.db, "--json", "-") == before
    # But nothing is written to a file whose pages are damaged.
    content = done.db.read_bytes()
    ended = call("study", "run", done.toml, "--workers", 1, "--engine", "threads")
    assert ended.code == 2
    assert "likelier study rescue" in ended.err
    assert done.db.read_bytes() == content


@pytest.mark.parametrize("page", ["first", "results", "failures"])
def test_a_page_above_others(done, call, tmp_path, page):
    """All folds and the plan are saved, and answer as before."""
    before, rows = call("study", "show", done.db, "--json", "-").out, done.rows("*")
    zero(done.db, 1 if page == "first" else root(done, page))
    damaged, new = done.db.read_bytes(), tmp_path / "new.db"
    ended = call("study", "rescue", done.db, new)
    assert (ended.code, ended.err) == (0, "")
    assert f"{FOLDS} stored folds and the plan saved; all {FOLDS} folds" in ended.out
    assert call("study", "show", new, "--json", "-").out == before
    assert done.rows("*", store=new) == rows
    assert done.db.read_bytes() == damaged
    assert sorted(path.name for path in tmp_path.glob("*.db*")) == [
        "new.db",
        "study.db",
    ]
    words = ("--store", new, "--workers", 1, "--engine", "threads")
    assert call("study", "run", done.toml, *words).code == 0
    assert done.trained().total() == FOLDS


def test_what_is_missing_is_run_again(done, call, tmp_path):
    content = done.db.read_bytes()
    done.db.write_bytes(content[:-PAGE])
    rescued = rescue(done.db, tmp_path / "new.db")
    assert 0 < len(rescued.results) < FOLDS
    assert rescued.missing == FOLDS - len(rescued.results)
    heard = done.run(tmp_path / "new.db")
    assert len(heard.finished) == rescued.missing


def test_a_plan_that_is_lost(done, call, tmp_path):
    zero(done.db, root(done, "plan"))
    new = tmp_path / "new.db"
    ended = call("study", "rescue", done.db, new)
    assert ended.code == 0
    assert f"{FOLDS} stored folds saved; the plan cannot be read" in ended.out
    assert f"--store {new}" in ended.out
    assert "nothing was run yet" in call("study", "show", new).err
    assert done.run(new).started == []


def test_what_a_killed_run_left_is_taken_back(done, tmp_path):
    """Half of a transaction is in the file, and its journal beside it."""
    with closing(sqlite3.connect(done.db, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE results SET record = zeroblob(20000)")
        (tmp_path / "killed").mkdir()
        for path in tmp_path.glob("study.db*"):
            shutil.copy(path, tmp_path / "killed" / path.name)
        connection.execute("ROLLBACK")
    old = tmp_path / "killed" / "study.db"
    files = {path: path.read_bytes() for path in old.parent.iterdir()}
    assert len(files) == 2
    assert len(read_sound(old).results) < FOLDS
    rescued = rescue(old, tmp_path / "new.db")
    assert (len(rescued.results), rescued.missing) == (FOLDS, 0)
    assert {path: path.read_bytes() for path in old.parent.iterdir()} == files


def test_long_records_lie_on_many_pages(tmp_path):
    toy = Toy(tmp_path)
    toy.study["data"]["mail"]["items"] = 60_000
    toy.study["design"]["m"] = 2
    toy.write()
    toy.run()
    assert len(toy.rows("record")[0][0]) > 2 * PAGE
    zero(toy.db, 1)
    assert len(rescue(toy.db, tmp_path / "new.db").results) == 8
    assert [row[6] for row in toy.rows(store=tmp_path / "new.db")]


@pytest.mark.parametrize("size", [1024, 32768])
def test_pages_of_other_sizes(done, tmp_path, size):
    done.do(f"PRAGMA page_size = {size}")
    done.do("VACUUM")
    rescued = rescue(done.db, tmp_path / "new.db")
    assert (len(rescued.results), rescued.missing) == (FOLDS, 0)


@pytest.mark.parametrize("content", [b"", b"x", bytes(3 * PAGE), b"\x0d" * 9 * PAGE])
def test_files_without_anything_sound(call, tmp_path, content):
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    old.write_bytes(content)
    ended = call("study", "rescue", old, new)
    assert (ended.code, ended.out) == (2, "")
    assert "it has none" in ended.err
    assert not new.exists()


def test_what_cannot_be_rescued(done, call, tmp_path):
    new = tmp_path / "new.db"
    (tmp_path / "there.db").write_text("mine")
    loop, lost = tmp_path / "loop.db", tmp_path / "lost.db"
    loop.symlink_to(loop)
    lost.symlink_to(tmp_path / "no" / "such.db")
    for old, target, message in (
        (tmp_path / "missing.db", new, "there is no such file"),
        (tmp_path, new, "it is a folder"),
        (loop, new, "circles"),
        (lost, new, "no"),
        (tmp_path / ("n" * 300), new, "name too long"),
        (done.db, tmp_path / "there.db", "must be a new file"),
        (done.db, done.db, "must not be an input and an output"),
        (done.db, loop, "itself"),
        (done.db, tmp_path / ("n" * 300), "name too long"),
        (done.db, tmp_path / "no" / "new.db", "must be in a folder that exists"),
    ):
        ended = call("study", "rescue", old, target)
        assert (ended.code, ended.out) == (2, ""), ended
        assert message in ended.err
    assert (tmp_path / "there.db").read_text() == "mine"
    assert not new.exists()
    with locked(done.db):
        assert "another run is using it" in call("study", "rescue", done.db, new).err
    assert not new.exists()
