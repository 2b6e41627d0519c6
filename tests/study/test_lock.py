"""One run at a time on a store; a lock that was left behind is no obstacle."""

import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest
from tests.study.conftest import PATIENCE, until

from likelier.errors import InputError
from likelier.study.runner import StoreBusyError, locked

HOLD = """
import sys
from pathlib import Path
from likelier.study.runner import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock of a store."""
    path = tmp_path / "study.db"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process, path
    process.kill()
    process.communicate()


def lock_of(path):
    return Path(f"{path}.lock")


def test_it_is_gone_afterwards(tmp_path):
    path = tmp_path / "study.db"
    with locked(path):
        assert lock_of(path).exists()
    assert list(tmp_path.iterdir()) == []
    with locked(path):
        pass


def test_errors_free_it(tmp_path):
    path = tmp_path / "study.db"
    with pytest.raises(KeyError), locked(path):
        raise KeyError
    with locked(path):
        pass


def test_the_same_process_cannot_have_it_twice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with locked(tmp_path / "study.db"):
        for other in (tmp_path / "study.db", Path("study.db")):
            with (
                pytest.raises(StoreBusyError, match="another run is using it"),
                locked(other),
            ):
                pass
    with locked(Path("study.db")):
        pass


def test_by_another_name(tmp_path):
    link = tmp_path / "link.db"
    (tmp_path / "study.db").touch()
    link.symlink_to(tmp_path / "study.db")
    with (
        locked(tmp_path / "study.db"),
        pytest.raises(StoreBusyError),
        locked(link),
    ):
        pass


def test_another_process_has_it_until_it_is_killed(holder):
    process, path = holder
    with pytest.raises(StoreBusyError, match="another run is using it"), locked(path):
        pass
    # Whoever was refused did not take the lock away from its holder.
    with pytest.raises(StoreBusyError), locked(path):
        pass
    # One that is killed leaves no obstacle.
    process.kill()
    process.wait()
    assert lock_of(path).exists()
    with locked(path):
        pass
    assert not lock_of(path).exists()


def test_any_old_file_of_that_name_is_no_obstacle(tmp_path):
    path = tmp_path / "study.db"
    lock_of(path).write_text("12345\n")
    with locked(path):
        pass


def test_one_of_many_gets_it(tmp_path):
    path, inside, most, got = tmp_path / "study.db", [], [], []

    def compete():
        for _ in range(200):
            try:
                with locked(path):
                    inside.append(1)
                    most.append(len(inside))
                    got.append(1)
                    inside.pop()
            except StoreBusyError:
                pass

    threads = [Thread(target=compete) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert max(most) == 1
    assert len(got) > 1


def test_a_folder_that_is_missing(tmp_path):
    path = tmp_path / "no" / "study.db"
    message = "must be in a folder that can be written; No such file"
    with pytest.raises(InputError, match=message), locked(path):
        pass


def test_the_second_run_is_refused_while_results_can_be_shown(toy, call):
    toy.spoil("fit waits", "mail", "b", 2, 1)
    running = toy.started("--workers", 1)
    until(lambda: toy.trained().total() == 6)
    second = call("study", "run", toy.toml, "--workers", 1, "--engine", "threads")
    assert (second.code, second.out) == (2, "")
    assert "study.db must be free; another run is using it." in second.err
    assert "Hint: Wait until it has ended." in second.err
    output = call("study", "show", toy.db)
    assert output.code == 0
    assert "5 of 12 folds finished" in output.out
    toy.go()
    _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, err
    assert set(toy.trained().values()) == {1}
    assert len(toy.rows()) == 12
    assert not lock_of(toy.db).exists()
