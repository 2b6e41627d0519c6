"""What a worker does: it trains a system on a fold, tests it, and writes that down."""

import random
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from likelier.errors import LikelierError, SettingError
from likelier.formatting import plain
from likelier.study.jobs import Job
from likelier.study.orphans import end_with
from likelier.study.record import Expected
from likelier.study.sources import version_of

_LONGEST_ERROR, _LONGEST_DETAILS = 500, 100_000


@dataclass(frozen=True)
class Finished:
    """What came of a fold: a record, or an error."""

    key: str
    record: bytes | None
    fit_seconds: float
    predict_seconds: float
    versions: dict[str, str]
    error: str = ""
    details: str = ""


def work(job: Job) -> Finished:
    """Train and test one system on one fold; an error of the system is a result too."""
    end_with(job.driver)
    started = perf_counter()
    try:
        with _quiet(job.seed):
            return _worked(job)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # A system that calls exit() must not end the worker.
        seconds = perf_counter() - started
        told, details = _told(error)
        return Finished(job.key, None, seconds, 0.0, _versions(job), told, details)


def _worked(job: Job) -> Finished:
    expected = Expected.of(job.test, job.train.inputs)
    if job.system.digest() != job.system_digest:
        message = (
            "The code of the system must be that of the run; this worker's is not."
        )
        raise SettingError(message, hint="Save it, start Python anew, and run again.")
    predictor = job.system.made(job.seed, job.test.task)
    started = perf_counter()
    predictor.fit(job.train.inputs, job.train.gold)
    fitted = perf_counter()
    predictions = predictor.predict(job.test.inputs)
    ended = perf_counter()
    record = expected.record(predictions)
    return Finished(
        job.key, record.to_bytes(), fitted - started, ended - fitted, _versions(job)
    )


@contextmanager
def _quiet(seed: int) -> Iterator[None]:
    """Fix all that could make a fold depend on where it runs.

    Systems that draw from the random numbers of the whole process get the fold's; and
    libraries add in one thread, since the order of additions changes last digits.
    """
    from threadpoolctl import threadpool_limits

    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (systems of users draw from there)
    try:
        with threadpool_limits(1):
            yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])  # noqa: NPY002


def _versions(job: Job) -> dict[str, str]:
    here = {"python": ".".join(map(str, sys.version_info[:3]))}
    return here | {name: version_of(name) for name in ("likelier", *job.packages)}


def _told(error: BaseException) -> tuple[str, str]:
    kind = type(error).__name__
    try:
        line = error.message if isinstance(error, LikelierError) else f"{kind}: {error}"
        log = getattr(error, "log", "") if isinstance(error, LikelierError) else ""
        details = log or "".join(traceback.format_exception(error))
    except Exception:
        # An error that cannot even say what it is.
        line = details = kind
    if len(line) > _LONGEST_ERROR:
        line = f"{line[:_LONGEST_ERROR]} …"
    if len(details) > _LONGEST_DETAILS:
        half = _LONGEST_DETAILS // 2
        details = f"{details[:half]}\n…\n{details[-half:]}"
    whole = plain(line.removesuffix(": "))
    return whole, details.encode(errors="backslashreplace").decode()
