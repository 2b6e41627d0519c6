"""The folds of data sets, dealt by a design."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likelier._typing import IntArray
from likelier.designs import BlockedMx2, Design, Folds
from likelier.designs.design import Split
from likelier.errors import LikelierError
from likelier.findings import Finding
from likelier.study.data import StudyData
from likelier.study.digest import digest
from likelier.study.plan import Place


@dataclass(frozen=True, eq=False)
class Fold:
    """The items of one fold, by their positions."""

    repetition: int
    number: int
    train: IntArray
    test: IntArray

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the positions."""
        return digest(self.train, self.test)


@dataclass(frozen=True, eq=False)
class Dealt:
    """The folds of one data set, and how they came about."""

    folds: tuple[Fold, ...]
    described: str
    findings: tuple[Finding, ...]

    def at(self, place: Place) -> Fold:
        """Find a fold."""
        return next(
            fold
            for fold in self.folds
            if (fold.repetition, fold.number) == (place.repetition, place.fold)
        )


def deal(data: StudyData, design: Design, name: str) -> Dealt:
    """Split the items of a data set."""
    try:
        splits, described, found = _splits(data, design)
        count = folds_per_run(design)
        folds = tuple(
            Fold(place // count + 1, place % count + 1, np.array(train), np.array(test))
            for place, (train, test) in enumerate(splits)
        )
    except LikelierError as error:
        message = f"Data set {name!r}: {error.message}"
        raise type(error)(message, hint=error.hint) from error
    return Dealt(folds, described, found)


def _splits(
    data: StudyData, design: Design
) -> tuple[Iterator[Split], str, tuple[Finding, ...]]:
    n, y = len(data), data.classes()
    if isinstance(design, BlockedMx2):
        units = data.bags() if design.units is None else None
        if design.stratify is False:
            units = data.units
        dealt = design.assign(n, y, data.groups, units)
        return dealt.splits(), dealt.described(), dealt.findings()
    found = design.findings(n, y) if isinstance(design, Folds) else ()
    told = design.described()
    if y is None:
        told = told.replace(" stratified", " unstratified")
    return design.split(n, y, data.groups), told, found


def folds_per_run(design: Any) -> int:
    """Tell how many folds test every item once."""
    return int(design.get_n_splits()) // repeats(design)


def repeats(design: Any) -> int:
    """Tell how many times every item is tested."""
    counts = (getattr(design, name, None) for name in ("repeats", "m"))
    return next((int(count) for count in counts if count is not None), 1)


def blocked_repetitions(design: Any) -> int | None:
    """Tell the repetitions of m x 2, for the Bayes test; None for other designs."""
    return int(design.m) if isinstance(design, BlockedMx2) else None
