"""From the words of the command line to calls of the library."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from likelier import metrics
from likelier.asking import NULL_METHODS, POSTERIOR_METHODS
from likelier.cli.outputs import working
from likelier.decision import RULES, Rope
from likelier.errors import SettingError, unknown_name
from likelier.evidence import FACTORS, FactorName
from likelier.findings import Finding
from likelier.interval import IntervalKind, checked_mass
from likelier.methods import (
    Bootstrap,
    Hierarchical,
    Independent,
    MonteCarlo,
    Paired,
    PosteriorMethod,
    Unpaired,
)
from likelier.methods.cells import PRIORS
from likelier.metrics import Metric
from likelier.outcomes import Outcomes
from likelier.questions import (
    compare,
    compare_classes,
    estimate,
    null_test,
    sensitivity,
)
from likelier.readers.files import Reading, read_files
from likelier.results import (
    ClassComparison,
    Comparison,
    Estimate,
    NullTest,
    Sensitivity,
)
from likelier.streams import as_seed


@dataclass(frozen=True)
class Asked:
    """The metrics, and the class they speak of."""

    metrics: tuple[Metric, ...]
    positive: str | None

    @classmethod
    def of(
        cls,
        names: str,
        *,
        beta: float | None,
        alpha: float | None,
        positive: str | None,
    ) -> "Asked":
        """Look up the metrics of a comma-separated list."""
        chosen = []
        if (beta, alpha) != (None, None) and "fbeta" not in (listed_names(names) or ()):
            message = "beta and alpha must come with the metric fbeta; there is none."
            raise SettingError(message)
        for name in listed_names(names) or ():
            if name == "fbeta":
                chosen.append(metrics.fbeta(beta, alpha=alpha))
            else:
                chosen.append(metrics.named(name))
        if not chosen:
            message = "metric must name at least one metric; got none."
            raise SettingError(message)
        if len({metric.takes_scores for metric in chosen}) > 1:
            message = "Metrics of labels and of scores must be asked for separately."
            raise SettingError(message)
        return cls(tuple(chosen), positive)

    def pooled(self) -> "Asked":
        """Pool the classes for metrics of one class, where none is named."""
        if self.positive is not None:
            return self
        chosen = tuple(
            metrics.averaged(metric, "micro") if metric.of_one_class else metric
            for metric in self.metrics
        )
        return replace(self, metrics=chosen)


@dataclass(frozen=True)
class Source:
    """The files and their columns."""

    files: Sequence[Path]
    gold: str
    systems: tuple[str, ...] | None
    id: str | None
    label: str | None
    cluster: str | None
    separator: str | None
    sets: bool

    def read(self, asked: Asked) -> Reading:
        """Count the items of the files."""
        kind = "labels"
        if self.sets or self.separator is not None:
            kind = "sets"
        if asked.metrics[0].takes_scores:
            kind = "scores"
        with working("counting items"):
            reading = read_files(
                self.files,
                gold=self.gold,
                systems=self.systems,
                kind=kind,
                id=self.id,
                label=self.label,
                cluster=self.cluster,
                separator=self.separator,
            )
        if self.systems is None and len(self.files) == 1:
            _check_guess(reading.outcomes)
        return reading


def _check_guess(outcomes: Outcomes) -> None:
    """Refuse a column that was taken for a system and never holds a gold label."""
    if outcomes.labels is None:
        return
    known = np.unique(outcomes.labels[:, 0])
    for place, name in enumerate(outcomes.systems, 1):
        if not np.isin(outcomes.labels[:, place], known).any():
            message = (
                f"Every column but gold is taken for a system; {name!r} never holds a "
                "gold label."
            )
            raise SettingError(message, hint="Name the systems: --systems a,b")


@dataclass(frozen=True)
class Way:
    """How to compare."""

    method: str
    prior: str | None
    rule: str
    rope: Rope | None
    mass: float
    draws: int | None
    seed: int | None
    strength: float = 1.0
    factor: str = "rope"

    @property
    def null(self) -> FactorName:
        """Return what the Bayes factor is of."""
        found = next((name for name in FACTORS if name == self.factor), None)
        if found is None:
            raise unknown_name(self.factor, FACTORS, kind="factor")
        return found

    def settings(self, seed: int) -> dict[str, Any]:
        """Give what every comparison takes beside its data and method."""
        return {
            "rope": self.rope,
            "mass": self.mass,
            "rule": self.rule,
            "factor": self.null,
            "draws": self.draws,
            "seed": seed,
        }

    def posterior(self) -> PosteriorMethod | None:
        """Return the method, if it is one that gives a posterior."""
        if self.prior is not None and self.prior not in PRIORS:
            raise unknown_name(self.prior, PRIORS, kind="prior")
        prior = next((name for name in PRIORS if name == self.prior), None)
        ways: dict[str, PosteriorMethod] = {
            "paired": Paired(prior, self.strength),
            "unpaired": Unpaired(prior, self.strength),
            "independent": Independent(),
            "monte-carlo": MonteCarlo(),
        }
        if self.rule not in RULES:
            raise unknown_name(self.rule, RULES, kind="rule")
        checked_mass(self.mass)
        if self.method in NULL_METHODS:
            if self.prior is not None or self.rope is not None:
                message = f"{self.method} takes neither a prior nor a rope."
                raise SettingError(message, hint="--method paired takes both.")
            return None
        if self.method == "hierarchical":
            message = "hierarchical must have classes to learn from each other."
            raise SettingError(message, hint="Add --each-class.")
        if self.method not in ways:
            known = (*POSTERIOR_METHODS, *NULL_METHODS)
            raise unknown_name(self.method, known, kind="method")
        return ways[self.method]

    def proper(self) -> PosteriorMethod:
        """Return the method, which must be one that gives a posterior."""
        found = self.posterior()
        if found is None:
            message = f"method must give a posterior here; got {self.method}."
            raise SettingError(message, hint="Use paired or unpaired.")
        return found


def listed_names(text: str | None) -> tuple[str, ...] | None:
    """Split a comma-separated list.

    Examples
    --------
    >>> listed_names("a, b")
    ('a', 'b')
    """
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip())


def rope_of(text: str | None) -> Rope | None:
    """Read a rope: a half width, or a low and a high end.

    Examples
    --------
    >>> rope_of("0.01"), rope_of("-0.01,0.02")
    (Rope(low=-0.01, high=0.01), Rope(low=-0.01, high=0.02))
    """
    if text is None:
        return None
    try:
        ends = [float(part) for part in text.split(",")]
    except ValueError as error:
        message = f"rope must be a number, or LOW,HIGH; got {text!r}."
        raise SettingError(message) from error
    return Rope.of(ends[0] if len(ends) == 1 else ends)


class Readable(Protocol):
    """Files that can be counted."""

    def read(self, asked: Asked) -> "Counted":
        """Count the items of the files."""


class Counted(Protocol):
    """What a reader gives."""

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files."""


def compared(
    source: Readable, asked: Asked, way: Way
) -> list[Comparison] | list[NullTest]:
    """Compare every further system with the first, on every metric."""
    posterior = way.posterior()
    seed = as_seed(way.seed)  # one for all, so that one recipe makes them again
    reading = source.read(asked)
    pairs = _pairs(reading.outcomes)
    with working("drawing"):
        if posterior is None:
            return [
                null_test(
                    pair,
                    metric=metric,
                    method=way.method,
                    positive=asked.positive,
                    draws=way.draws,
                    seed=seed,
                    findings=reading.findings,
                )
                for metric in asked.metrics
                for pair in pairs
            ]
        return [
            compare(
                pair,
                metric=metric,
                positive=asked.positive,
                method=posterior,
                findings=reading.findings,
                **way.settings(seed),
            )
            for metric in asked.metrics
            for pair in pairs
        ]


def each_class(source: Readable, asked: Asked, way: Way) -> list[ClassComparison]:
    """Compare every further system with the first, on every class."""
    if asked.positive is not None:
        message = "Every class is asked for; a positive class must not be named."
        raise SettingError(message)
    learned = way.method == "hierarchical"
    if learned and (way.prior is not None or way.strength != 1):
        message = "hierarchical learns its prior; neither prior nor strength is taken."
        raise SettingError(message)
    method = Hierarchical() if learned else way.proper()
    seed = as_seed(way.seed)
    reading = source.read(asked)
    with working("drawing"):
        return [
            compare_classes(
                pair,
                metric=metric,
                method=method,
                findings=reading.findings,
                **way.settings(seed),
            )
            for metric in asked.metrics
            for pair in _pairs(reading.outcomes)
        ]


def sensitive(source: Readable, asked: Asked, way: Way) -> list[Sensitivity]:
    """Compare every further system with the first, under many priors."""
    method, seed = way.proper(), as_seed(way.seed)
    reading = source.read(asked)
    with working("drawing"):
        return [
            sensitivity(
                pair,
                metric=metric,
                positive=asked.positive,
                method=method,
                findings=reading.findings,
                **way.settings(seed),
            )
            for metric in asked.metrics
            for pair in _pairs(reading.outcomes)
        ]


def _pairs(outcomes: Outcomes) -> list[Outcomes]:
    if len(outcomes.systems) < 2:
        message = f"There must be two systems; got {', '.join(outcomes.systems)}."
        raise SettingError(message, hint="likelier score looks at one system.")
    return [outcomes.pair(0, second) for second in range(1, len(outcomes.systems))]


def interval_kind(name: str, *kinds: IntervalKind) -> IntervalKind:
    """Look up the kind of an interval among those that make sense."""
    found = next((kind for kind in kinds if kind == name), None)
    if found is None:
        raise unknown_name(name, kinds, kind="interval")
    return found


def scored(
    source: Source,
    asked: Asked,
    *,
    interval: str,
    mass: float,
    draws: int | None,
    seed: int | None,
) -> list[Estimate]:
    """Estimate every metric of every system."""
    kind = interval_kind(interval, "hdi", "equal-tailed", "confidence")
    one_seed = as_seed(seed)
    reading = source.read(asked)
    with working("drawing"):
        return [
            estimate(
                reading.outcomes.keep(position),
                metric=metric,
                method=Bootstrap() if kind == "confidence" else None,
                interval=kind,
                positive=asked.positive,
                mass=mass,
                draws=draws,
                seed=one_seed,
                findings=reading.findings,
            )
            for metric in asked.metrics
            for position in range(len(reading.outcomes.systems))
        ]
