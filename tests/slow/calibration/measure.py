"""Replications of a cell: what likelier and its peers answer, and how often wrongly."""

import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from tests.slow.calibration import peers
from tests.slow.calibration.grid import Cell, Kind
from tests.slow.calibration.peers import Array, Ends
from tests.slow.calibration.populations import Population, Sample
from tests.slow.calibration.ranks import Ranks, intervals

import likelier as lk
from likelier.errors import LikelierError
from likelier.interval import Interval, Rope

REPLICATIONS = 2000
# Rounding of sums.
_NOISE = 1e-12
Figures = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """Answer of one method to one sample.

    Attributes
    ----------
    ends
        Interval of the difference; none where the method tests only.
    alarm
        Whether it says better or worse.
    equivalent
        Whether it says equivalent.
    systems
        Intervals of each system, where the method has them.
    blocked
        Whether a finding blocks its verdict.
    """

    ends: Ends | None
    alarm: int
    equivalent: bool = False
    systems: tuple[Ends, ...] = ()
    blocked: bool = False


def answer(
    outcomes: lk.Outcomes, kind: Kind, *, rope: Rope | None, seed: int
) -> Answer:
    """Ask likelier, without a rope; where there is one, also with it, and of each."""
    within = lk.compare(
        outcomes,
        metric=kind.metric,
        positive=kind.positive,
        rope=rope,
        draws=kind.draws,
        seed=seed,
    )
    # The rope moves no draw: without it the verdict is another, all else is the same.
    result = replace(within, settings=replace(within.settings, rope=None))
    alarm = {"better": 1, "worse": -1}.get(result.verdict.name, 0)
    blocked = result.verdict.reason is not None
    if rope is None:
        return Answer(tuple(result.hdi), alarm, blocked=blocked)
    intervals = result.system_intervals
    return Answer(
        tuple(result.hdi),
        alarm,
        within.verdict.name == "equivalent",
        tuple(_turned(one) if kind.loss else tuple(one) for one in intervals),
        blocked,
    )


def _turned(ends: Interval) -> Ends:
    return -ends.high, -ends.low


def peer_answers(
    sample: Sample,
    population: Population,
    kind: Kind,
    *,
    rope: Rope,
    rng: np.random.Generator,
) -> dict[str, Answer]:
    """Ask the peers that people would use for this kind of data."""
    if isinstance(population, Ranks):
        own = intervals(population.metric, sample.rows, rng)
        return {name: _of_ends(one, rope) for name, one in own.items()}
    units = population.formula, sample.rows, sample.counts
    ends = {"wald": peers.wald(*units), "bootstrap": peers.bootstrap(*units, rng)}
    if kind.paired:
        ends["t"] = peers.paired_t(*units)
    answers = {name: _of_ends(one, rope) for name, one in ends.items()}
    if "t" in ends and kind.metric == "f1":
        # The mean of the sentences' own F1 is another number than F1.
        answers["t"] = Answer(None, answers["t"].alarm)
    if kind.zero_one:
        gain = peers.difference(
            population.formula, np.tensordot(sample.counts, sample.rows, axes=1)
        )
        clear = peers.mcnemar(*units) <= peers.LEVEL
        answers["mcnemar"] = Answer(None, int(np.sign(gain)) if clear else 0)
    return answers


def _of_ends(ends: Ends, rope: Rope | None) -> Answer:
    low, high = ends
    alarm = int(low > 0) - int(high < 0)
    inside = rope is not None and rope.low <= low and high <= rope.high
    return Answer(ends, alarm, inside)


def run(cell: Cell, truth: str, replications: int = REPLICATIONS) -> Figures:
    """Count the answers of each method to samples of a cell."""
    kind, population = cell.kind, cell.population(truth)
    # Samples do not depend on what is asked of them.
    drawing, resampling = np.random.default_rng(
        zlib.crc32(f"{cell.name}/{truth}".encode())
    ).spawn(2)
    gain = float(np.diff(population.values)[0])
    # A rope that ends at the true difference: "equivalent" is then wrong.
    rope = Rope.of(gain) if truth == "apart" else None
    answered, counts = 0, defaultdict(Counter)
    drawn = population.samples(drawing, cell.n, replications * kind.times)
    for index, (sample, times) in enumerate(drawn):
        try:
            ours = answer(sample.outcomes(), kind, rope=rope, seed=index)
        except LikelierError:
            continue
        answers = peer_answers(sample, population, kind, rope=rope, rng=resampling)
        answered += times
        for method, one in {"likelier": ours, **answers}.items():
            counts[method].update(
                dict.fromkeys(_kinds(one, population.values, gain), times)
            )
    return {
        "difference": round(gain, 6),
        "replications": replications * kind.times,
        "answered": answered,
        **{method: dict(sorted(counts[method].items())) for method in sorted(counts)},
    }


def _kinds(one: Answer, values: Array, gain: float) -> list[str]:
    """Name what an answer is: better, worse, equivalent; and what it covers."""
    first, second = one.systems or ((1, 0), (1, 0))
    is_so = {
        "better": one.alarm > 0,
        "worse": one.alarm < 0,
        "equivalent": one.equivalent,
        "blocked": one.blocked,
        "covers": one.ends is not None and _holds(one.ends, gain),
        "covers first": _holds(first, values[0]),
        "covers second": _holds(second, values[1]),
    }
    return [what for what, true in is_so.items() if true]


def _holds(ends: Ends, value: float) -> bool:
    return ends[0] - _NOISE <= value <= ends[1] + _NOISE
