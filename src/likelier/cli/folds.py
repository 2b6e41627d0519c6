"""Cross-validation on the command line: counts of folds, and the splits themselves."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier import designs
from likelier.cli.calls import Asked
from likelier.cli.outputs import working
from likelier.decision import Rope
from likelier.errors import InputError, SettingError, listed, unknown_name
from likelier.findings import Finding
from likelier.interval import IntervalKind
from likelier.questions import bayes_test
from likelier.readers.folds import (
    FoldReading,
    holds_counts,
    read_counts,
    read_fold_predictions,
)
from likelier.readers.items import read_columns
from likelier.results import Comparison
from likelier.streams import as_seed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Range = float | tuple[float, float]


@dataclass(frozen=True)
class Test:
    """How to test the counts of folds."""

    method: str | None
    margin: float
    rho1: Range
    rho2: Range
    rope: Rope | None
    interval: IntervalKind
    mass: float
    draws: int | None
    seed: int | None


def range_of(text: str, *, name: str) -> Range:
    """Read a correlation: a number, or a low and a high end.

    Examples
    --------
    >>> range_of("0.25,0.5", name="rho2"), range_of("1", name="rho1")
    ((0.25, 0.5), 1.0)
    """
    try:
        ends = [float(part) for part in text.split(",")]
    except ValueError as error:
        message = f"{name} must be a number, or LOW,HIGH; got {text!r}."
        raise SettingError(message) from error
    if len(ends) > 2:
        message = f"{name} must be a number, or LOW,HIGH; got {text!r}."
        raise SettingError(message)
    return ends[0] if len(ends) == 1 else (ends[0], ends[1])


def read_folds(
    path: Path,
    *,
    gold: str,
    systems: Sequence[str] | None,
    repetition: str,
    fold: str,
) -> tuple[FoldReading, bool]:
    """Read counts or predictions of folds, and say which they were."""
    with working("counting items"):
        if holds_counts(path):
            read = read_counts(path, repetition=repetition, fold=fold)
            return _chosen(read, systems), True
        reading = read_fold_predictions(
            path, gold=gold, systems=systems, repetition=repetition, fold=fold
        )
        return reading, False


def _chosen(reading: FoldReading, systems: Sequence[str] | None) -> FoldReading:
    if systems is None:
        return reading
    known = reading.outcomes.systems
    for name in systems:
        if name not in known:
            raise unknown_name(name, known, kind="system")
    kept = reading.outcomes.keep(*(known.index(name) for name in systems))
    return replace(reading, outcomes=kept)


def tested(
    reading: FoldReading, asked: Asked, test: Test, *, counts: bool
) -> list[Comparison]:
    """Test every further system against the first, on every metric."""
    seed = as_seed(test.seed)
    outcomes = reading.outcomes
    if len(outcomes.systems) < 2:
        message = f"There must be two systems; got {', '.join(outcomes.systems)}."
        raise SettingError(message)
    return [
        bayes_test(
            outcomes.pair(0, second),
            metric=metric,
            repetitions=reading.repetitions,
            rho1=test.rho1,
            rho2=test.rho2,
            margin=test.margin,
            method=test.method or ("independent" if counts else "paired"),
            positive=asked.positive,
            rope=test.rope,
            interval=test.interval,
            mass=test.mass,
            draws=test.draws,
            seed=seed,
            findings=reading.findings,
        )
        for metric in asked.metrics
        for second in range(1, len(outcomes.systems))
    ]


def figure_of(results: Sequence[Comparison], beside: Sequence[Comparison]) -> "Figure":
    """Draw the densities of all metrics, beside those of the 2015 variant."""
    if len({result.question.systems for result in results}) > 1:
        message = "A plot must have two systems; name them."
        raise SettingError(message, hint="--systems baseline,candidate")
    from likelier.plots.densities import densities

    return densities(results, beside=beside)


@dataclass(frozen=True)
class Split:
    """Which design to lay over the items of a file."""

    design: str
    m: int
    k: int
    repeats: int
    stratify: str | None
    groups: str | None
    id: str | None
    seed: int | None

    def made(self) -> Any:
        """Make the design."""
        seed, stratify = as_seed(self.seed), self.stratify is not None
        makers: dict[str, Callable[[], Any]] = {
            "mx2": lambda: designs.BlockedMx2(self.m, stratify=stratify, seed=seed),
            "kfold": lambda: designs.k_fold(self.k, stratify=stratify, seed=seed),
            "repeated": lambda: designs.repeated_k_fold(
                self.k, self.repeats, stratify=stratify, seed=seed
            ),
            "5x2": lambda: designs.five_by_two(stratify=stratify, seed=seed),
            "train-dev-test": lambda: designs.train_dev_test(
                stratify=stratify, seed=seed
            ),
        }
        if self.design not in makers:
            raise unknown_name(self.design, makers, kind="design")
        return makers[self.design]()


@dataclass(frozen=True)
class Assigned:
    """The items of a file with their repetition and fold."""

    rows: list[dict[str, Any]]
    described: str
    findings: tuple[Finding, ...]

    def as_csv(self) -> str:
        """Write the rows as CSV."""
        text = io.StringIO()
        # A lone carriage return would pass for a line end unless it is quoted.
        odd = any("\r" in str(row["id"]) for row in self.rows)
        writer = csv.DictWriter(
            text,
            list(self.rows[0]),
            lineterminator="\n",
            quoting=csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL,
        )
        writer.writeheader()
        writer.writerows(self.rows)
        return text.getvalue()

    def as_jsonl(self) -> str:
        """Write the rows as JSONL."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)


def assigned(path: Path, split: Split) -> Assigned:
    """Lay a design over the items of a file."""
    design = split.made()
    wanted = [n for n in (split.id, split.stratify, split.groups) if n is not None]
    columns, n = read_columns(path, wanted)
    ids = columns.get(split.id or "", [str(i) for i in range(n)])
    twice = [name for name, count in Counter(ids).items() if count > 1]
    if twice:
        message = (
            f"Column {split.id!r} of {path} must have different ids; double: "
            f"{listed(twice)}."
        )
        raise InputError(message)
    y, groups = columns.get(split.stratify or ""), columns.get(split.groups or "")
    rows = [
        {"id": ids[row.item], "repetition": row.repetition, "fold": row.fold}
        | ({"role": row.role} if split.design == "train-dev-test" else {})
        for row in designs.assignment_rows(design, n, y, groups)
    ]
    return Assigned(rows, *_told(design, n, y, groups))


def _told(design: Any, n: int, y: Any, groups: Any) -> tuple[str, tuple[Finding, ...]]:
    if isinstance(design, designs.BlockedMx2):
        dealt = design.assign(n, y, groups)
        told = f"{dealt.described()}: {dealt.imbalance.sentence()}"
        return told, dealt.findings()
    if isinstance(design, designs.Folds):
        return design.described(), design.findings(n, y)
    return design.described(), ()


def lines(result: Assigned) -> Iterator[str]:
    """Say how the items were split, and what is remarkable in it."""
    yield result.described
    yield from (str(finding) for finding in result.findings)
