"""Where folds are run: processes, threads, or a cluster, all through joblib."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any

import joblib
from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS, get_active_backend

from likelier.errors import SettingError
from likelier.study.jobs import Job
from likelier.study.orphans import end_with
from likelier.study.working import Finished, work

PROCESSES = "processes"
_BACKENDS = {PROCESSES: "loky", "threads": "threading"}
# Broken pools come under several names, by joblib's backend.
_BROKEN = ("TerminatedWorkerError", "BrokenProcessPool", "KilledWorker")
# The seed that Dask gives its own workers, so that all engines have the same.
HASH_SEED = "6640"
_BEFORE_SPAWN = "distributed.nanny.pre-spawn-environ"
DIED = "The worker died while it ran this fold: killed, out of memory, or crashed."


@dataclass(frozen=True)
class Engine:
    """Where folds are run.

    Attributes
    ----------
    name
        ``processes``, ``threads``, ``dask:ADDRESS``, ``ray`` or ``ray:ADDRESS``, or a
        backend that is registered with joblib. None takes what `joblib.parallel_config`
        says, and processes where it says nothing.
    workers
        How many folds run at a time; None for one per core, or what the cluster has.
    """

    name: str | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            message = f"workers must be at least 1; got {self.workers}."
            raise SettingError(message)
        kind = None if self.name is None else self.name.partition(":")[0]
        if kind not in (None, "dask", "ray", *_BACKENDS, *BACKENDS, *EXTERNAL_BACKENDS):
            message = (
                "engine must be processes, threads, dask:ADDRESS, ray, or a backend "
                f"that joblib knows; got {self.name!r}."
            )
            raise SettingError(message)

    @contextmanager
    def configured(self) -> Iterator[int]:
        """Choose the backend for the time of a run, and tell how many folds run."""
        asked = joblib.Parallel().n_jobs
        with self._backend():
            usual = joblib.effective_n_jobs(asked if asked not in (None, 1) else -1)
            yield int(usual) if self.workers is None else self.workers

    def _backend(self) -> AbstractContextManager[Any]:
        kind, _, address = (self.name or _active()).partition(":")
        if kind == "dask" and self.name is not None:
            return _dask(address, self.workers)
        if kind == "ray" and self.name is not None:
            return _ray(address)
        backend = _BACKENDS.get(kind, kind)
        if backend == _BACKENDS[PROCESSES]:
            # Workers of an earlier call are not used: these begin alike, and end with
            # the run even if they never get a fold.
            return joblib.parallel_config(
                backend=backend, initializer=end_with, initargs=(os.getpid(),)
            )
        if self.name is None:
            return nullcontext()
        return joblib.parallel_config(backend=backend)


def _active() -> str:
    """Name the backend that joblib would take."""
    backend, _ = get_active_backend()
    loky = type(backend).__name__ == "LokyBackend"
    return PROCESSES if loky else type(backend).__name__


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[None]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        message = "engine dask must have Dask's package distributed."
        raise SettingError(message, hint="pip install 'likelier[dask]'") from error
    if address in ("", "local"):
        count = workers or os.cpu_count() or 1
        # Workers that start now order their sets of text alike, as other engines' do.
        with dask.config.set({f"{_BEFORE_SPAWN}.PYTHONHASHSEED": HASH_SEED}):
            cluster: Any = LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address=None
            )
    else:
        cluster = nullcontext(address)
    with cluster as place:
        try:
            client = Client(place, timeout="10s")
        except (OSError, ValueError) as error:
            message = f"A scheduler must answer at {address}; {error}."
            raise SettingError(message) from error
        with client, joblib.parallel_config(backend="dask", client=client):
            yield


@contextmanager
def _ray(address: str) -> Iterator[None]:
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError as error:
        message = "engine ray must have the package ray."
        raise SettingError(message, hint="pip install 'likelier[ray]'") from error
    if not ray.is_initialized():
        ray.init(address=address or None, log_to_driver=False)
    register_ray()
    with joblib.parallel_config(backend="ray"):
        yield


def run_jobs(
    jobs: Iterable[Callable[[], Job]], *, workers: int, started: Callable[[Job], None]
) -> Generator[Finished, None, None]:
    """Run folds, and give each as soon as it has ended, in any order.

    A worker that dies takes others down with it; what was under way then is run one
    by one, so that only the fold that kills its worker fails.

    Parameters
    ----------
    jobs
        Make the folds, one by one, when there is room for them.
    workers
        How many run at a time.
    started
        Is told of every fold that is handed out.
    """
    waiting = iter(jobs)
    while True:
        handed: dict[str, Job] = {}
        try:
            for finished in _parallel(_handing(waiting, handed, started), workers):
                handed.pop(finished.key, None)
                yield finished
        except Exception as error:
            if type(error).__name__ not in _BROKEN:
                raise
            yield from _one_by_one(list(handed.values()))
        else:
            return


def _handing(
    waiting: Iterator[Callable[[], Job]],
    handed: dict[str, Job],
    started: Callable[[Job], None],
) -> Iterator[Job]:
    for make in waiting:
        job = make()
        handed[job.key] = job
        started(job)
        yield job


def _one_by_one(jobs: Sequence[Job]) -> Iterator[Finished]:
    for job in jobs:
        try:
            yield from _parallel(iter([job]), 2)
        except Exception as error:
            if type(error).__name__ not in _BROKEN:
                raise
            yield Finished(job.key, None, 0.0, 0.0, {}, DIED, DIED)


def _parallel(jobs: Iterator[Job], workers: int) -> Iterator[Finished]:
    if not _gives_one_by_one():
        yield from _in_rounds(jobs, workers)
        return
    # One worker is a process of its own as well, where the engine has processes: a
    # system that crashes must not take the run down.
    count, ahead = (2, 1) if workers == 1 else (workers, 2 * workers)
    parallel = joblib.Parallel(
        n_jobs=count, batch_size=1, pre_dispatch=ahead, return_as="generator_unordered"
    )
    results = parallel(joblib.delayed(work)(job) for job in jobs)
    try:
        yield from results
    finally:
        results.close()


def _gives_one_by_one() -> bool:
    backend, _ = get_active_backend()
    return bool(getattr(backend, "supports_return_generator", False))


def _in_rounds(jobs: Iterator[Job], workers: int) -> Iterator[Finished]:
    """Run as many folds at a time as there are workers, and wait for all of them.

    Some backends, such as Ray's, give no result before all of a call are there.
    """
    while together := list(islice(jobs, workers)):
        parallel = joblib.Parallel(n_jobs=workers, batch_size=1)
        yield from parallel(joblib.delayed(work)(job) for job in together)
