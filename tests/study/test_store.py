"""The file of a study: whatever happens to it, the message says what is the matter."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.study.conftest import Toy

from likelier.study import Store, read_study
from likelier.study.schedule import FORMAT
from likelier.study.store_file import StoreError, database_error
from likelier.study.stored_rows import checksum

FOLDS = 12
NOBODY = 65534


@pytest.fixture
def refusal(call):
    """Run or show what must be refused: exit 2, one paragraph, no traceback."""

    def refusal(word, path, *words):
        ended = call(word, path, *words)
        assert (ended.code, ended.out) == (2, ""), ended
        # Lines of folds may come before, if there are any.
        lines, mark, error = ended.err.rpartition("likelier: ")
        assert mark
        assert all(line.startswith(("toy: ", "[")) for line in lines.splitlines())
        message, _, hint = error.rstrip("\n").partition("\n\nHint: ")
        assert "\n" not in message + hint, error
        return error

    return refusal


def refused_run(toy, refusal):
    return refusal("study", "run", toy.toml, "--workers", 1, "--engine", "threads")


def no_database(path):
    path.write_text("system,score\n" * 500)


def another_program(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE results (a, b)")


def another_application(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA application_id = 7")
        connection.execute("CREATE TABLE other (a)")


def older_version(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 0")


def later_version(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")


def truncated(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def header_only(path):
    path.write_bytes(path.read_bytes()[:100])


def garbled(path):
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)


def folder(path):
    path.mkdir()


NEW = {
    no_database: "file is not a database",
    another_program: "must be the store of a study; it is another's",
    another_application: "must be the store of a study; it is another's",
    folder: "study.db must be a file that can be written",
}
SPOILT = {
    older_version: "must be a store of version 1; got 0",
    later_version: "must be a store of version 1; got 99",
    truncated: "database disk image is malformed",
    header_only: "database disk image is malformed",
    garbled: "database disk image is malformed",
}


@pytest.mark.parametrize("make", NEW, ids=lambda make: make.__name__)
def test_files_of_others_are_left_alone(toy, refusal, make):
    make(toy.db)
    before = toy.db.read_bytes() if toy.db.is_file() else None
    assert NEW[make] in refused_run(toy, refusal)
    refusal("study", "show", toy.db)
    assert (toy.db.read_bytes() if toy.db.is_file() else None) == before
    assert toy.trained().total() == 0


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_stores_that_cannot_be_read(done, refusal, spoil):
    spoil(done.db)
    before = done.db.read_bytes()
    assert SPOILT[spoil] in refused_run(done, refusal)
    message = refusal("study", "show", done.db)
    assert SPOILT[spoil] in message
    cure = "another file" if "version" in spoil.__name__ else "Restore it from a copy"
    assert cure in message
    assert done.db.read_bytes() == before
    assert done.trained().total() == FOLDS


def test_an_empty_file_is_a_new_store(toy, refusal):
    toy.db.touch()
    refusal("study", "show", toy.db)
    toy.run()
    assert len(toy.rows()) == FOLDS


def test_a_store_without_a_plan(toy, refusal):
    with Store(toy.db):
        pass
    assert "nothing was run yet" in refusal("study", "show", toy.db)
    toy.run()
    assert len(toy.rows()) == FOLDS


def test_a_missing_store(toy, refusal):
    assert "there is no such file" in refusal("study", "show", toy.db)
    assert not toy.db.exists()
    words = ("--store", toy.folder / "no" / "such" / "study.db")
    assert "must be in a folder that can be written" in refusal(
        "study", "run", toy.toml, *words
    )


COLUMNS = {
    "record": b"x\x9c\x00\x00",
    "versions": '{"python": "2.7"}',
    "fold": 7,
    "repetition": 5,
    "dataset": "post",
    "system": "b",
    "origin": "{}",
    "fit_seconds": 1e6,
    "checksum": "0" * 64,
}


def test_damaged_rows_are_found_and_run_again(done, call):
    """Each row has another column damaged; those of system a come first."""
    whole, before = call("study", "show", done.db, "--json", "-").out, done.rows()
    rows = done.do("SELECT key FROM results ORDER BY system, key")
    damaged = dict(zip(COLUMNS, (key for (key,) in rows), strict=False))
    for column, key in damaged.items():
        ((value,),) = done.do(f"SELECT {column} FROM results WHERE key = ?", key)
        assert value != COLUMNS[column]
        done.do(f"UPDATE results SET {column} = ? WHERE key = ?", COLUMNS[column], key)
    output = call("study", "show", done.db)
    assert f"{FOLDS - len(COLUMNS)} of {FOLDS} folds finished" in output.out
    assert "LIK140" in output.out
    trained = done.trained()
    report = done.run().report
    assert report.damaged == len(COLUMNS)
    left = {planned.fingerprint for planned in report.left}
    assert left == set(damaged.values())
    assert (done.trained() - trained).total() == len(COLUMNS)
    assert done.rows() == before
    assert call("study", "show", done.db, "--json", "-").out == whole


def test_every_bit_of_a_record_counts(done):
    rows = done.do("SELECT key, record FROM results ORDER BY key LIMIT 3")
    for (key, record), index in zip(rows, (3, 40, -1), strict=True):
        content = bytearray(record)
        content[index] ^= 1
        done.do("UPDATE results SET record = ? WHERE key = ?", bytes(content), key)
    with Store(done.db, readonly=True) as store:
        sound, damaged = store.fingerprints()
    assert len(sound) == FOLDS - 3
    numbers = ", ".join(map(str, damaged))
    query = f"SELECT key FROM results WHERE rowid IN ({numbers}) ORDER BY key"
    assert done.do(query) == [(key,) for key, _ in rows]


def test_text_that_is_no_text_any_more(done):
    ((key,),) = done.do("SELECT key FROM results ORDER BY key LIMIT 1")
    text = "CAST(x'22ff' AS TEXT)"
    done.do(f"UPDATE results SET versions = {text} WHERE key = ?", key)
    assert done.run().report.damaged == 1


def test_a_key_that_is_damaged(done):
    before = done.rows()
    ((key,),) = done.do("SELECT key FROM results ORDER BY key LIMIT 1")
    done.do("UPDATE results SET key = ? WHERE key = ?", "0" * 64, key)
    heard = done.run()
    assert (heard.report.damaged, len(heard.finished)) == (1, 1)
    assert done.rows() == before


def test_a_damaged_plan(done, refusal):
    done.do("UPDATE plan SET content = replace(content, '0.05', '0.06')")
    assert "must have an undamaged plan" in refusal("study", "show", done.db)
    assert done.run().started == []
    assert read_study(done.db).settings.seed == 1


def test_a_plan_of_an_older_format(done, refusal):
    """Results are kept: a run writes the plan anew, and trains nothing."""
    ((content,),) = done.do("SELECT content FROM plan")
    older = json.dumps(json.loads(content) | {"format": FORMAT - 1})
    done.do("UPDATE plan SET content = ?, checksum = ?", older, checksum(older))
    message = refusal("study", "show", done.db)
    assert f"A plan must have the format {FORMAT}; this one has another." in message
    assert "Hint: Run the study again; results are kept." in message
    assert done.run().started == []
    assert read_study(done.db).finished


def test_rows_of_a_write_ahead_log_are_kept(done):
    # Someone opened the file with another program, which left it in that mode.
    ((mode,),) = done.do("PRAGMA journal_mode = WAL")
    assert mode == "wal"
    before = done.rows("*")
    assert done.run().started == []
    assert done.do("PRAGMA journal_mode") == [("delete",)]
    assert done.rows("*") == before
    assert not Path(f"{done.db}-wal").exists()


def limited(monkeypatch, pages):
    """Let the disk be full when the file has so many pages."""
    connected = Store._connect

    def small(self, *, readonly):
        connection = connected(self, readonly=readonly)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(Store, "_connect", small)


def test_a_full_disk(done, refusal, monkeypatch, call):
    toy, ((pages,),) = done, done.do("PRAGMA page_count")
    toy.db.unlink()
    with monkeypatch.context() as patch:
        limited(patch, pages - 1)
        message = refused_run(toy, refusal)
    assert "study.db must have room on its disk; the disk is full." in message
    assert "Make room and run again: what is finished is kept." in message
    before = toy.rows("*")
    assert 0 < len(before) < FOLDS
    assert call("study", "show", toy.db).code == 0
    heard = toy.run()
    assert len(heard.finished) == FOLDS - len(before)
    assert set(before) < set(toy.rows("*"))


def test_a_disk_that_is_full_at_once(toy, refusal, monkeypatch):
    with monkeypatch.context() as patch:
        limited(patch, 2)
        assert "the disk is full" in refused_run(toy, refusal)
    toy.run()
    assert len(toy.rows()) == FOLDS


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own for the store, where this may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.getuid() != 0:
        pytest.skip("needs root")
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("needs to mount a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_gets_full(toy, refusal, small_disk, call):
    store = small_disk / "study.db"
    words = ("--store", store, "--workers", 1, "--engine", "threads")
    assert "disk" in refusal("study", "run", toy.toml, *words)
    before = toy.rows("*", store=store)
    assert 0 < len(before) < FOLDS
    assert call("study", "show", store).code == 0
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    assert call("study", "run", toy.toml, *words).code == 0
    after = toy.rows("*", store=store)
    assert set(before) < set(after)
    assert len(after) == FOLDS


def names_that_lead_nowhere(folder):
    """Give names of stores, and what must be said of them."""
    loop, lost, found = (folder / f"{name}.db" for name in ("loop", "lost", "found"))
    loop.symlink_to(loop)
    lost.symlink_to(folder / "no" / "such.db")
    found.symlink_to(folder / "target.db")
    return {
        loop: "its links lead in circles",
        lost: f"{folder / 'no'}, where it leads, is not",
        folder / ("n" * 300): "name too long",
        found: None,
    }


def test_names_that_lead_nowhere(toy, refusal, call):
    words = ("--workers", 1, "--engine", "threads", "--store")
    for store, message in names_that_lead_nowhere(toy.folder).items():
        if message is None:
            assert "there is no such file" in refusal("study", "show", store)
            assert call("study", "run", toy.toml, *words, store).code == 0
            assert (toy.folder / "target.db").is_file()
            continue
        assert message in refusal("study", "show", store).replace("N", "n")
        assert message in refusal("study", "run", toy.toml, *words, store).replace(
            "N", "n"
        )


@contextmanager
def unprivileged():
    """Be nobody for a while, where this is root, whom no permission stops."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def public():
    """A finished study where everybody may look; pytest's folders are private."""
    with tempfile.TemporaryDirectory() as made:
        path = Path(made)
        path.chmod(0o755)
        toy = Toy(path)
        toy.run()
        yield toy
        path.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="needs setresuid")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_cannot_be_written_can_be_shown(public, call, what):
    output = call("study", "show", public.db)
    toml = public.toml.read_text()
    public.toml.write_text(toml.replace("seed = 1", "seed = 2"))
    readonly = public.db if what == "file" else public.folder
    readonly.chmod(0o444 if what == "file" else 0o555)
    if what == "file" and os.getuid() == 0:
        public.folder.chmod(0o777)
    with unprivileged():
        assert call("study", "show", public.db) == output
        ended = call("study", "run", public.toml, "--workers", 1, "--engine", "threads")
    assert ended.code == 2
    name = str(public.db)
    starts = {
        "file": f"likelier: {name} must be a file that can be written; ",
        "folder": f"likelier: {name} must be in a folder that can be written; ",
    }
    assert ended.err.startswith(starts[what])


def test_messages_without_a_name(tmp_path):
    error = database_error(tmp_path, sqlite3.OperationalError("disk I/O error"))
    assert "cannot be used: disk I/O error." in error.message
    assert isinstance(error, StoreError)
