"""Items that several tasks share are remarked on."""

import pytest
from tests.readers.logs.made import write_log

import likelier as lk

FEW = {"draws": 500, "seed": 0}


@pytest.fixture
def folders(tmp_path):
    """Two systems on a task of 30 items, and on one of 10 of these and 5 more."""
    for k, system in enumerate("ab"):
        for task, first, last in (("t", 0, 30), ("u", 20, 35)):
            values = {str(i): (i + k) % 3 > 0 for i in range(first, last)}
            content = {"doc_hash": lambda item: f"doc {item}"}
            write_log(tmp_path / system, values, task=task, **content)
    return tmp_path / "a", tmp_path / "b"


def shared(result):
    return [f.message for f in result.findings if f.code == "LIK159"]


def test_items_of_two_tasks_are_counted_once(folders):
    items = lk.read(*folders)
    (text,) = shared(lk.compare_groups(items, by="task", **FEW))
    assert text.startswith("10 of 45 items are those of another task")
    assert "as in u:" in text
    assert shared(lk.estimate(lk.read(folders[0]), **FEW)) == [text]


def test_items_of_one_task_or_of_other_contents_are_separate(folders, tmp_path):
    assert not shared(lk.compare(lk.read(*folders, task="u"), **FEW))
    for system in "cd":
        for task in "tu":
            write_log(tmp_path / system, {str(i): i % 2 for i in range(9)}, task=task)
    items = lk.read(tmp_path / "c", tmp_path / "d")
    assert not shared(lk.compare_groups(items, by="task", **FEW))
