"""Intervals of many answers on one scale, a row each."""

from collections.abc import Sequence
from dataclasses import dataclass

from likelier import wording
from likelier.decision import Rope
from likelier.interval import Interval
from likelier.results import Comparison, Estimate


@dataclass(frozen=True)
class ForestRow:
    """One answer: what it is of, its interval, and what it says.

    Attributes
    ----------
    label
        What the row is of.
    low, middle, high
        The interval and the point in it, in per cent of the width.
    value, interval
        The same in words.
    shares
        The probabilities of worse, equivalent and better, in words; none for estimates.
    symbol, verdict
        The verdict; empty for estimates.
    """

    label: str
    low: float
    middle: float
    high: float
    value: str
    interval: str
    shares: tuple[str, ...] = ()
    symbol: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Forest:
    """Rows on one scale.

    Attributes
    ----------
    rows
        One for each answer.
    interval_name
        What the intervals are.
    rope
        Where the rope lies, in per cent of the width, if there is one.
    zero
        Where no difference lies, if the rows are differences.
    ends
        What the scale runs from and to, in words.
    """

    rows: tuple[ForestRow, ...]
    interval_name: str
    rope: tuple[float, float] | None
    zero: float | None
    ends: tuple[str, str]


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float

    @classmethod
    def over(cls, values: Sequence[float]) -> "_Scale":
        low, high = min(values), max(values)
        margin = 0.05 * (high - low) or 0.01
        return cls(low - margin, high + margin)

    def place(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


def forest_of(results: Sequence[Comparison], labels: Sequence[str]) -> Forest:
    """Put comparisons on one scale of differences."""
    ends = [end for result in results for end in (*result.hdi, result.difference)]
    scale = _Scale.over([*ends, 0.0])
    rows = [_row(r, label, scale) for r, label in zip(results, labels, strict=True)]
    show = max(result.decimals for result in results)
    return Forest(
        tuple(rows),
        wording.interval_name("hdi", results[0].mass),
        _placed(results[0].rope, scale),
        scale.place(0.0),
        (
            wording.number(scale.low, show, signed=True),
            wording.number(scale.high, show, signed=True),
        ),
    )


def _placed(rope: Rope | None, scale: _Scale) -> tuple[float, float] | None:
    return None if rope is None else (scale.place(rope.low), scale.place(rope.high))


def _row(result: Comparison, label: str, scale: _Scale) -> ForestRow:
    show, p = result.decimals, result.probability
    shares = [p.shown(share) for share in (p.worse, p.equivalent, p.better)]
    if result.rope is None:
        shares[1] = "–"
    return ForestRow(
        label,
        scale.place(result.hdi.low),
        scale.place(result.difference),
        scale.place(result.hdi.high),
        wording.number(result.difference, show, signed=True),
        _told(result.hdi, show, signed=True),
        tuple(shares),
        result.verdict.symbol,
        result.verdict.name,
    )


def _told(interval: Interval, decimals: int, *, signed: bool = False) -> str:
    low, high = (wording.number(end, decimals, signed=signed) for end in interval)
    return f"{low} to {high}"


def forest_of_estimates(results: Sequence[Estimate]) -> Forest:
    """Put estimates on one scale of values."""
    scale = _Scale.over([x for r in results for x in (*r.interval, r.value)])
    rows = tuple(
        ForestRow(
            label_of_estimate(result),
            scale.place(result.interval.low),
            scale.place(result.value),
            scale.place(result.interval.high),
            wording.number(result.value, result.decimals),
            _told(result.interval, result.decimals),
        )
        for result in results
    )
    interval = results[0].interval
    show = max(result.decimals for result in results)
    ends = wording.number(scale.low, show), wording.number(scale.high, show)
    name = wording.interval_name(interval.kind, interval.mass)
    return Forest(rows, name, None, None, ends)


def label_of_estimate(result: Estimate) -> str:
    """Name the system, or two, and the metric of an estimate."""
    systems = " against ".join(reversed(result.question.shown_systems))
    return f"{systems}: {result.question.metric_name}"
