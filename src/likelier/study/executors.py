"""Executors of folds: processes, threads, or a cluster, all but Dask through joblib."""

import logging
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple
from uuid import uuid4

import joblib
from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS, get_active_backend

from likelier.errors import SettingError
from likelier.study.lifetime import start_worker
from likelier.study.schedule import FoldResult, Job
from likelier.study.worker import run_job

PROCESSES = "processes"
_BACKENDS = {PROCESSES: "loky", "threads": "threading"}
# Broken pools come under several names, by joblib's backend.
_BROKEN = {"BrokenProcessPool", "RayError", "RayActorError", "WorkerCrashedError"}
# The seed that Dask gives its own workers, so that all engines have the same.
HASH_SEED = "6640"
_BEFORE_SPAWN = "distributed.nanny.pre-spawn-environ"
DIED = "The worker died while it ran this fold: killed, out of memory, or crashed."

Results = Generator[FoldResult, None, None]


class Pool(NamedTuple):
    """Workers: how many folds run at a time, and what runs them."""

    workers: int
    run: Callable[[Iterator[Job], int], Results]


@dataclass(frozen=True)
class Executor:
    """Choice of where folds are run.

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
    def pool(self) -> Iterator[Pool]:
        """Open the workers, for the time of a run."""
        kind, _, address = (self.name or "").partition(":")
        if kind == "dask":
            with _dask(address, self.workers) as client:
                workers = self.workers or max(1, len(client.nthreads()))
                yield Pool(workers, partial(_run_by_dask, client))
            return
        configured = joblib.Parallel().n_jobs
        with _ray(address) if kind == "ray" else self._backend():
            usual = configured if configured not in (None, 1) else -1
            workers = self.workers or int(joblib.effective_n_jobs(usual))
            yield Pool(workers, _run_by_joblib)

    def _backend(self) -> AbstractContextManager[Any]:
        name = (self.name or _active_backend()).partition(":")[0]
        backend = _BACKENDS.get(name, name)
        if backend == "loky":
            # Workers of an earlier call are not used: these begin alike, and end with
            # the run even if they never get a fold. Arrays are copies of their own.
            return joblib.parallel_config(
                backend=backend,
                initializer=start_worker,
                initargs=(os.getpid(),),
                max_nbytes=None,
            )
        config = (
            nullcontext()
            if self.name is None
            else joblib.parallel_config(backend=backend)
        )
        return _one_thread_each(config) if backend == "threading" else config


@contextmanager
def _one_thread_each(config: AbstractContextManager[Any]) -> Iterator[None]:
    from threadpoolctl import threadpool_limits

    # For all threads together: one that ends must not loosen it for others.
    with threadpool_limits(1), config:
        yield


def _active_backend() -> str:
    """Name the backend that joblib would take."""
    name = type(get_active_backend()[0]).__name__
    return {"LokyBackend": PROCESSES, "ThreadingBackend": "threads"}.get(name, name)


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


@contextmanager
def _dask(address: str, workers: int | None) -> Iterator[Any]:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError as error:
        message = "engine dask must have Dask's package distributed."
        raise SettingError(message, hint="pip install 'likelier[dask]'") from error
    cluster: Any = nullcontext(address)
    if address in ("", "local"):
        # Workers that start now order their sets of text alike, as other engines' do;
        # and a fold that kills its worker is not tried again at once.
        settings = {
            f"{_BEFORE_SPAWN}.PYTHONHASHSEED": HASH_SEED,
            "distributed.scheduler.allowed-failures": 0,
        }
        with dask.config.set(settings):
            cluster = LocalCluster(
                n_workers=workers or os.cpu_count() or 1,
                threads_per_worker=1,
                dashboard_address=None,
                # A heartbeat that comes late, when all is closed, is no news to anyone.
                silence_logs=logging.CRITICAL,
            )
    with cluster as scheduler:
        try:
            client = Client(scheduler, timeout="10s")
        except (OSError, ValueError) as error:
            message = f"A scheduler must answer at {address}; {error}."
            raise SettingError(message) from error
        with client:
            yield client


def run_jobs(
    jobs: Iterable[Callable[[], Job]], *, pool: Pool, started: Callable[[Job], None]
) -> Results:
    """Run folds, and give each as soon as it has ended, in any order.

    A worker that dies takes others down with it; what was running then is run one
    by one, so that only the fold that kills its worker fails.

    Parameters
    ----------
    jobs
        Make the folds, one by one, when there is room for them.
    pool
        Where they run.
    started
        Hears of every fold that is handed out.
    """
    waiting = iter(jobs)
    while True:
        unfinished: dict[str, Job] = {}
        try:
            handed_out = _hand_out(waiting, unfinished, started)
            with closing(pool.run(handed_out, pool.workers)) as running:
                for result in running:
                    unfinished.pop(result.planned.fingerprint, None)
                    yield result
        except Exception as error:
            if not _is_broken(error):
                raise
            for job in unfinished.values():
                yield from _run_alone(job, pool)
        else:
            return


def _hand_out(
    jobs: Iterator[Callable[[], Job]],
    unfinished: dict[str, Job],
    started: Callable[[Job], None],
) -> Iterator[Job]:
    for make in jobs:
        job = make()
        unfinished[job.planned.fingerprint] = job
        started(job)
        yield job


def _run_alone(job: Job, pool: Pool) -> Results:
    try:
        yield from pool.run(iter([job]), pool.workers)
    except Exception as error:
        if not _is_broken(error):
            raise
        yield _dead(job)


def _is_broken(error: Exception) -> bool:
    return bool({kind.__name__ for kind in type(error).__mro__} & _BROKEN)


def _dead(job: Job) -> FoldResult:
    return FoldResult(job.planned, None, error=DIED, details=DIED)


def _run_by_joblib(jobs: Iterator[Job], workers: int) -> Results:
    if not getattr(get_active_backend()[0], "supports_return_generator", False):
        # Some backends, such as Ray's, give no result before all of a call are there:
        # as many folds at a time as there are workers, and all of them are waited for.
        while together := list(islice(jobs, workers)):
            parallel = joblib.Parallel(n_jobs=workers, batch_size=1)
            yield from parallel(joblib.delayed(run_job)(job) for job in together)
        return
    # One worker is a process of its own as well, where the engine has processes: a
    # system that crashes must not take the run down.
    count, ahead = (2, 1) if workers == 1 else (workers, 2 * workers)
    parallel = joblib.Parallel(
        n_jobs=count, batch_size=1, pre_dispatch=ahead, return_as="generator_unordered"
    )
    results = parallel(joblib.delayed(run_job)(job) for job in jobs)
    try:
        # Not `yield from`: who closes this one must not reach the other first.
        for result in results:  # noqa: UP028
            yield result
    finally:
        with warnings.catch_warnings():
            # What was running is stopped on purpose, and run again some time.
            warnings.simplefilter("ignore", UserWarning)
            results.close()


def _run_by_dask(client: Any, jobs: Iterator[Job], workers: int) -> Results:
    """Run folds on a Dask cluster.

    Not by joblib: its backend never tells of a worker that died, and so would wait for
    ever.
    """
    from distributed import as_completed, wait

    def submit(job: Job) -> Any:
        name = f"{job.planned.fingerprint}-{uuid4()}"
        return client.submit(run_job, job, key=name, pure=False)

    waiting = {submit(job): job for job in islice(jobs, 2 * workers)}
    done, suspects = as_completed(list(waiting)), []
    try:
        for future in done:
            job = waiting.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                suspects.append(job)
            for more in islice(jobs, 1):
                waiting[future := submit(more)] = more
                done.add(future)
        # A worker that died may have had more than the fold that killed it.
        for job in suspects:
            waiting[future := submit(job)] = job
            wait(future)
            yield future.result() if future.status == "finished" else _dead(job)
            del waiting[future]
    finally:
        client.cancel(list(waiting))
