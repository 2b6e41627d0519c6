"""One fold in a worker: a system is trained, tested, and its predictions recorded."""

import random
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from likelier.errors import LikelierError, SettingError
from likelier.formatting import plain
from likelier.study.lifetime import end_with
from likelier.study.own_modules import version_of
from likelier.study.records import GoldAnswers
from likelier.study.schedule import FoldResult, Job

_LONGEST_ERROR, _LONGEST_DETAILS = 500, 100_000


def run_job(job: Job) -> FoldResult:
    """Train and test one system on one fold; an error of the system is a result too."""
    end_with(job.driver)
    started = time.perf_counter()
    try:
        with _isolated(job.seed):
            return _train_and_test(job)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # A system that calls exit() must not end the worker.
        seconds = time.perf_counter() - started
        return FoldResult(
            job.planned, None, seconds, 0.0, _versions(job), *_describe(error)
        )


def _train_and_test(job: Job) -> FoldResult:
    answers = GoldAnswers.of(job.test, job.train.inputs)
    if job.system.digest() != job.planned.origin["system"]:
        message = (
            "The code of the system must be that of the run; this worker's is not."
        )
        raise SettingError(message, hint="Save it, start Python anew, and run again.")
    predictor = job.system.make(job.seed, job.test.task)
    start = time.perf_counter()
    predictor.fit(job.train.inputs, job.train.gold)
    fitted = time.perf_counter()
    predictions = predictor.predict(job.test.inputs)
    end = time.perf_counter()
    record = answers.record(predictions).to_bytes()
    return FoldResult(job.planned, record, fitted - start, end - fitted, _versions(job))


@contextmanager
def _isolated(seed: int) -> Iterator[None]:
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
    python = {"python": ".".join(map(str, sys.version_info[:3]))}
    return python | {name: version_of(name) for name in ("likelier", *job.packages)}


def _describe(error: BaseException) -> tuple[str, str]:
    """Return an error in a line, and all of it."""
    kind = type(error).__name__
    try:
        line, log = f"{kind}: {error}", ""
        if isinstance(error, LikelierError):
            line, log = error.message, getattr(error, "log", "")
        details = log or "".join(traceback.format_exception(error))
    except Exception:
        # An error that cannot even be written.
        line = details = kind
    if len(line) > _LONGEST_ERROR:
        line = f"{line[:_LONGEST_ERROR]} …"
    if len(details) > _LONGEST_DETAILS:
        half = _LONGEST_DETAILS // 2
        details = f"{details[:half]}\n…\n{details[-half:]}"
    line = plain(line.removesuffix(": "))
    return line, details.encode(errors="backslashreplace").decode()
