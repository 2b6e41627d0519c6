"""Paths of logs: files beside them, files that are none, and means without items."""

import pytest
from tests.readers.logs.made import write_log

import likelier as lk

VALUES = {str(i): i % 2 for i in range(30)}


@pytest.fixture
def folder(tmp_path):
    write_log(tmp_path / "a", VALUES, results={"results": {"t": {"acc,none": 0.5}}})
    return tmp_path / "a"


def test_the_files_of_a_folder_are_read_in_any_order(folder):
    paths = sorted(folder.iterdir())
    for given in (paths, paths[::-1]):
        (log,) = lk.read(*given).logs
        assert len(log.items) == 30
        about = lk.doctor(*given)
        assert about.tasks
        assert not about.notes


def test_a_file_beside_logs_is_noted_by_the_doctor_and_refused_elsewhere(folder):
    other = folder.parent / "README.txt"
    other.write_text("Two runs.\n")
    about = lk.doctor(other, folder)
    assert about.notes == (f"no logs, and not read: {other}",)
    assert str(other) not in about.commands[0].command
    with pytest.raises(lk.LikelierError, match=r"README.txt must be a log"):
        lk.read(folder, other)


def test_means_without_items_say_how_to_get_these(folder):
    for path in folder.glob("samples_*"):
        path.unlink()
    (results,) = folder.iterdir()
    for path in (folder, results):
        for ask in (lk.read, lk.doctor):
            with pytest.raises(lk.LikelierError, match="means over items") as raised:
                ask(path)
            assert "--log_samples" in raised.value.hint


def test_a_folder_without_logs_is_told_by_its_own_files(folder):
    (folder / "notes.txt").write_text("a\n")
    bare = folder.parent / "b"
    bare.mkdir()
    (bare / "table.csv").write_text("a\n")
    with pytest.raises(lk.LikelierError, match=r"b must hold .* it has '[^']*csv'\."):
        lk.read(folder, bare)


def test_a_path_given_twice_is_refused(folder):
    with pytest.raises(lk.LikelierError, match=r"paths must be different; .*a comes"):
        lk.read(folder, folder / ".." / "a")
