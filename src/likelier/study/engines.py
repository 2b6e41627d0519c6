"""Where folds are run: processes, threads, or a cluster, all through joblib."""

import logging
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import uuid4

import joblib
from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS, get_active_backend

from likelier.errors import SettingError
from likelier.study.jobs import Job
from likelier.study.orphans import begin
from likelier.study.working import Finished, work

PROCESSES = "processes"
_BACKENDS = {PROCESSES: "loky", "threads": "threading"}
# Broken pools come under several names, by joblib's backend.
_BROKEN = ("BrokenProcessPool", "RayError", "RayActorError", "WorkerCrashedError")
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
    def configured(self) -> Iterator["Pool"]:
        """Choose where folds run, for the time of a run."""
        if self.name is not None and self.name.partition(":")[0] == "dask":
            with _dask(self.name.partition(":")[2], self.workers) as client:
                workers = self.workers or max(1, len(client.nthreads()))
                yield Pool(workers, partial(_by_futures, client))
            return
        asked = joblib.Parallel().n_jobs
        with self._backend():
            usual = joblib.effective_n_jobs(asked if asked not in (None, 1) else -1)
            count = int(usual) if self.workers is None else self.workers
            yield Pool(count, _parallel)

    def _backend(self) -> AbstractContextManager[Any]:
        kind, _, address = (self.name or _active()).partition(":")
        if kind == "ray" and self.name is not None:
            return _ray(address)
        backend = _BACKENDS.get(kind, kind)
        if backend == _BACKENDS[PROCESSES]:
            # Workers of an earlier call are not used: these begin alike, and end with
            # the run even if they never get a fold. Arrays are copies of their own.
            return joblib.parallel_config(
                backend=backend,
                initializer=begin,
                initargs=(os.getpid(),),
                max_nbytes=None,
            )
        if backend == _BACKENDS["threads"]:
            # For all threads together: one that ends must not loosen it for others.
            return _threads(self.name is not None)
        return nullcontext() if self.name is None else _config(backend)


Run = Callable[[Iterator[Job], int], Generator[Finished, None, None]]


class Pool(NamedTuple):
    """Where folds run: how many at a time, and what runs them."""

    workers: int
    run: Run


def _config(backend: str) -> AbstractContextManager[Any]:
    return joblib.parallel_config(backend=backend)


@contextmanager
def _threads(chosen: bool) -> Iterator[None]:  # noqa: FBT001
    from threadpoolctl import threadpool_limits

    backend = _config(_BACKENDS["threads"]) if chosen else nullcontext()
    with threadpool_limits(1), backend:
        yield


def _active() -> str:
    """Name the backend that joblib would take."""
    backend, _ = get_active_backend()
    names = {"LokyBackend": PROCESSES, "ThreadingBackend": "threads"}
    return names.get(type(backend).__name__, type(backend).__name__)


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[Any]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        message = "engine dask must have Dask's package distributed."
        raise SettingError(message, hint="pip install 'likelier[dask]'") from error
    if address in ("", "local"):
        count = workers or os.cpu_count() or 1
        # Workers that start now order their sets of text alike, as other engines' do;
        # and a fold that kills its worker is not tried again at once.
        settings = {
            f"{_BEFORE_SPAWN}.PYTHONHASHSEED": HASH_SEED,
            "distributed.scheduler.allowed-failures": 0,
        }
        with dask.config.set(settings):
            cluster: Any = LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                dashboard_address=None,
                # A heartbeat that comes late, when all is closed, is no news to anyone.
                silence_logs=logging.CRITICAL,
            )
    else:
        cluster = nullcontext(address)
    with cluster as place:
        try:
            client = Client(place, timeout="10s")
        except (OSError, ValueError) as error:
            message = f"A scheduler must answer at {address}; {error}."
            raise SettingError(message) from error
        with client:
            yield client


def _by_futures(
    client: Any, jobs: Iterator[Job], workers: int
) -> Generator[Finished, None, None]:
    """Run folds on a Dask cluster.

    Not by joblib: its backend never tells of a worker that died, and so would wait for
    ever.
    """
    from distributed import as_completed, wait

    def handed(job: Job) -> Any:
        return client.submit(work, job, key=f"{job.key}-{uuid4()}", pure=False)

    waiting = {handed(job): job for job in islice(jobs, 2 * workers)}
    done, suspects = as_completed(list(waiting)), []
    try:
        for future in done:
            job = waiting.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                suspects.append(job)
            for more in islice(jobs, 1):
                waiting[future := handed(more)] = more
                done.add(future)
        # A worker that died may have held more than the fold that killed it.
        for job in suspects:
            waiting[future := handed(job)] = job
            wait(future)
            yield future.result() if future.status == "finished" else _died(job)
            del waiting[future]
    finally:
        client.cancel(list(waiting))


def _died(job: Job) -> Finished:
    return Finished(job.key, None, 0.0, 0.0, {}, DIED, DIED)


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
    jobs: Iterable[Callable[[], Job]], *, pool: "Pool", started: Callable[[Job], None]
) -> Generator[Finished, None, None]:
    """Run folds, and give each as soon as it has ended, in any order.

    A worker that dies takes others down with it; what was under way then is run one
    by one, so that only the fold that kills its worker fails.

    Parameters
    ----------
    jobs
        Make the folds, one by one, when there is room for them.
    pool
        Where they run.
    started
        Is told of every fold that is handed out.
    """
    waiting = iter(jobs)
    while True:
        handed: dict[str, Job] = {}
        try:
            given = _handing(waiting, handed, started)
            with closing(pool.run(given, pool.workers)) as running:
                for finished in running:
                    handed.pop(finished.key, None)
                    yield finished
        except Exception as error:
            if not _is_broken(error):
                raise
            yield from _one_by_one(list(handed.values()), pool)
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


def _is_broken(error: Exception) -> bool:
    return bool({kind.__name__ for kind in type(error).__mro__} & set(_BROKEN))


def _one_by_one(jobs: Sequence[Job], pool: "Pool") -> Iterator[Finished]:
    for job in jobs:
        try:
            yield from pool.run(iter([job]), pool.workers)
        except Exception as error:
            if not _is_broken(error):
                raise
            yield _died(job)


def _parallel(jobs: Iterator[Job], workers: int) -> Generator[Finished, None, None]:
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
        # Not `yield from`: who closes this one must not reach the other first.
        for finished in results:  # noqa: UP028
            yield finished
    finally:
        with warnings.catch_warnings():
            # What was under way is stopped on purpose, and run again some time.
            warnings.simplefilter("ignore", UserWarning)
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
