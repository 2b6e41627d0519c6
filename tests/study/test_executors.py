"""Wherever folds are run, the store holds the same."""

import os
import subprocess
import sys

import joblib
import pytest
from tests.study.conftest import PATIENCE, Recorder, Toy

from likelier.errors import SettingError
from likelier.study import read_toml, run
from likelier.study.executors import DIED

# Systems that draw from their random state, and some that draw from elsewhere.
STEADY, OTHERS = ("a", "b"), ("python", "numpy", "sets")
ALL = (*STEADY, *OTHERS)

CLUSTER = """
import os
import sys
from distributed import LocalCluster
from likelier.cli import main
from likelier.study import read_toml, run

if __name__ == "__main__":
    toml, first, second, later, bad = sys.argv[1:]
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as c:
        engine = f"dask:{c.scheduler_address}"
        run(read_toml(toml), first, engine=engine)
    os.rename(later, bad)
    words = ["--engine", "dask:local", "--workers", "2", "--store", second]
    sys.argv = ["likelier", "study", "run", toml, *words]
    main()
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study of all kinds of systems, run by two processes."""
    toy = Toy(tmp_path_factory.mktemp("engines"))
    for name in OTHERS:
        toy.study["systems"][name] = toy.system(name, 0.7, name.capitalize())
    toy.write()
    ended = toy.ran("--workers", 2)
    assert ended.returncode == 0, ended.stderr
    return toy


def content(toy, store, systems):
    """Read everything about some systems but how long they took."""
    return [row for row in toy.rows(store=store) if row[2] in systems]


def check_same(toy, call, store, systems):
    same = content(toy, store, systems)
    assert len(same) == 6 * len(systems)
    assert same == content(toy, toy.db, systems)
    words = ("--systems", ",".join(systems), "--draws", "1000", "--json", "-")
    output, usual = (
        call("study", "show", store, *words),
        call("study", "show", toy.db, *words),
    )
    assert (output.code, output.out) == (0, usual.out)


def test_systems_differ_where_they_can(study):
    # Or else nothing would be shown by stores that are equal.
    records = [row[0] for row in study.rows("record")]
    assert len(set(records)) > 0.9 * len(records)


def test_processes_of_python(study, call, tmp_path, monkeypatch):
    # These workers live on, and have hashes of their own.
    joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(i) for i in range(4))
    for workers in (2, 1):
        store = tmp_path / f"{workers}.db"
        report = run(read_toml(study.toml), store, workers=workers)
        assert report.failures == ()
        check_same(study, call, store, ALL)
        # The same in another environment.
        monkeypatch.setenv("PYTHONHASHSEED", "random")


def test_threads(study, call, tmp_path):
    # They share the generators of the process, and its hashes.
    store = tmp_path / "threads.db"
    study.run(store, workers=2, engine="threads")
    check_same(study, call, store, STEADY)


def test_what_joblib_is_told_is_respected(study, call, tmp_path):
    store, heard = tmp_path / "config.db", Recorder()
    workers = Workers()
    with joblib.parallel_config(backend="threading", n_jobs=2):
        run(read_toml(study.toml), store, watcher=heard)
    assert heard.workers == 2
    assert workers.started() == set()
    check_same(study, call, store, STEADY)


class Workers:
    """Processes that were started since."""

    def __init__(self):
        self.before = self._children()

    def started(self):
        return self._children() - self.before

    @staticmethod
    def _children():
        import multiprocessing

        return {child.pid for child in multiprocessing.active_children()}


def test_a_dask_cluster_by_its_address_and_a_local_one_where_a_worker_dies(
    study, call, tmp_path
):
    """Both in one process, as it takes long to import Dask."""
    stores = [tmp_path / "address.db", tmp_path / "local.db"]
    script, later, bad = (
        tmp_path / "c.py",
        tmp_path / "l.json",
        study.folder / "bad.json",
    )
    script.write_text(CLUSTER)
    failing = study.spoil("fit leaves", "mail", "b", 1, 2)
    bad.rename(later)
    ended = subprocess.run(
        [sys.executable, *map(str, (script, study.toml, *stores, later, bad))],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    study.heal()
    assert ended.returncode == 4, ended.stderr
    assert "Traceback" not in ended.stderr
    check_same(study, call, stores[0], (*STEADY, "numpy", "sets"))
    failures = study.rows("key, error", store=stores[1], table="failures")
    assert failures == [(failing.fingerprint, DIED)]
    assert len(content(study, stores[1], ["b"])) == 5
    # Dask's own threads draw from Python's generator as well.
    check_same(study, call, stores[1], ("a", "numpy", "sets"))


def test_an_engine_that_is_none(toy):
    message = "engine must be processes, threads, dask:ADDRESS, ray"
    with pytest.raises(SettingError, match=message):
        toy.run(engine="procesess")
    assert toy.trained().total() == 0


def test_a_cluster_that_does_not_answer(toy, monkeypatch):
    def silent(*_, **__):
        message = "Timed out trying to connect"
        raise OSError(message)

    monkeypatch.setattr("distributed.Client", silent)
    message = "A scheduler must answer at tcp://127.0.0.1:9; Timed out"
    with pytest.raises(SettingError, match=message):
        toy.run(engine="dask:tcp://127.0.0.1:9")
    assert toy.trained().total() == 0


def test_too_few_workers(toy):
    with pytest.raises(SettingError, match="workers must be at least 1; got 0"):
        toy.run(workers=0)


@pytest.mark.parametrize("before", [None, "5"])
def test_the_environment_is_as_before(toy, monkeypatch, before):
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONHASHSEED", before)
    toy.run()
    assert os.environ.get("PYTHONHASHSEED") == before
