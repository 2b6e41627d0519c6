"""Cells of the study: a metric, the kind of data, a share of discordance, a size."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import brentq
from tests.slow.calibration import peers, queries, ranks, sums, units
from tests.slow.calibration import populations as tables
from tests.slow.calibration.populations import Population

from likelier.metrics import Metric

SIZES = (20, 30, 50, 100, 200, 500, 2000)
# Larger samples, of texts only.
LARGEST = 3000
# Distance of two systems that differ, in standard errors of the difference.
DISTANCE = 2.5
# Where items are too few for it: this share of the discordant ones, less the rest.
_MOST = 0.9


@dataclass(frozen=True)
class Kind:
    """Metric and kind of data.

    Attributes
    ----------
    name, title
        Short name, and a title for readers.
    metric
        The metric, or its name.
    make
        Makes a population of a share of discordance and by how much the second system
        is ahead.
    shares
        Shares of discordance, each with its sample sizes.
    cross
        Makes a population of systems that are equal but not exchangeable.
    positive
        Positive class, for metrics of one class.
    paired
        Whether units have scores of their own that people put into a t-test.
    zero_one
        Whether each unit is right or wrong, as McNemar's test needs it.
    skewed
        Whether the differences have one long tail.
    loss
        Whether less of the metric is better; true values are then negative.
    apart_to
        Largest sample in which systems that differ are simulated too.
    times
        Number of times as many replications as usual.
    draws
        Number of draws of a posterior.
    """

    name: str
    title: str
    metric: str | Metric
    make: Callable[[float, float], Population]
    shares: dict[float, Sequence[int]]
    cross: Callable[[float], Population] | None = None
    positive: str | None = None
    paired: bool = False
    zero_one: bool = False
    skewed: bool = False
    loss: bool = False
    apart_to: int = 2000
    times: int = 1
    draws: int = 1000


@dataclass(frozen=True)
class Cell:
    """Kind of data with a share of discordance and a number of units."""

    kind: Kind
    share: float
    n: int

    @property
    def name(self) -> str:
        """Name such as mean01/0.15/100."""
        return f"{self.kind.name}/{self.share:g}/{self.n}"

    @property
    def truths(self) -> tuple[str, ...]:
        """Names of what is true: equal systems, crossed ones, and some apart."""
        crossed = ("crossed",) if self.kind.cross is not None else ()
        return (
            "equal",
            *crossed,
            *(("apart",) if self.n <= self.kind.apart_to else ()),
        )

    def population(self, truth: str) -> Population:
        """Population of which this is true."""
        if truth == "crossed":
            return self.kind.cross(self.share)
        equal = self.kind.make(self.share, 0.0)
        return equal if truth == "equal" else self._apart(equal)

    def _apart(self, equal: Population) -> Population:
        """Move the second system ahead by 2.5 standard errors, or as far as it goes."""
        aim, most = DISTANCE * equal.spread / np.sqrt(self.n), _MOST * self.share

        def short(ahead: float) -> float:
            first, second = self.kind.make(self.share, ahead).values
            return second - first - aim

        ahead = most if short(most) < 0 else brentq(short, 0.0, most, xtol=1e-9)
        return self.kind.make(self.share, float(ahead))


def _sizes(least: int, most: int = 2000) -> tuple[int, ...]:
    return tuple(n for n in SIZES if least <= n <= most)


def _shares(least: int = 20, most: int = 2000) -> dict[float, Sequence[int]]:
    """All sizes with a middling share of discordance; one size with the others."""
    return {0.05: (100,), 0.15: _sizes(least, most), 0.3: (100,)}


def _labels(
    name: str, title: str, metric: str, gold: Sequence[float], **more: object
) -> Kind:
    formula = {"kappa": peers.kappa, "mcc": peers.mcc, "macro_f1": peers.f1}
    make = partial(tables.classes, gold=gold, formula=formula.get(metric, peers.mean))
    return Kind(name, title, metric, make, **{"shares": _shares(), **more})


def _f1(percent: int, least: int) -> Kind:
    make = partial(tables.binary, positives=percent / 100)
    cross = partial(tables.crossed, positives=percent / 100)
    shares = {0.15: _sizes(least), 0.3: (200,)}
    return Kind(
        f"f1-{percent}",
        f"F1, {percent} % positives",
        "f1",
        make,
        shares,
        cross=cross,
        positive=tables.POSITIVE,
    )


def _f1_of_tasks(percent: int) -> Kind:
    return Kind(
        f"tasks-{percent}",
        "mean F1 of 4 tasks",
        tables.mean_f1(),
        partial(tables.tasks, positives=percent / 100),
        {0.15: (100, 200, 500, 2000), 0.3: (200,)},
        apart_to=500,
    )


def _real(name: str, title: str, differences: Callable, sizes: Sequence[int]) -> Kind:
    def make(share: float, ahead: float) -> Population:
        return units.real_scores(differences, ahead, marks=share < 1)

    share = 0.2 if differences is units.mostly_none else 1.0
    skewed = differences is units.skewed
    return Kind(
        name,
        title,
        "mean",
        make,
        {share: sizes},
        paired=True,
        skewed=skewed,
        apart_to=200,
    )


def _clusters(name: str, title: str, sizes: Callable) -> Kind:
    make = partial(units.clusters, sizes=sizes)
    return Kind(
        name, title, "mean", make, {0.15: SIZES, 0.3: (100,)}, paired=True, apart_to=500
    )


def _ranked(name: str, title: str, metric: ranks.Area) -> Kind:
    return Kind(
        name,
        title,
        metric,
        partial(ranks.normal_scores, metric=metric),
        {0.5: (50, 200, 1000)},
        cross=partial(ranks.crossed, metric=metric),
        positive=tables.POSITIVE,
    )


RIGHT_WRONG = {"paired": True, "zero_one": True}
# Bars of 0/1 scores are the strictest, and draws of their small tables cost little.
SCORES = {**RIGHT_WRONG, "draws": 4000}


def _independent(percent: int, sizes: Sequence[int]) -> Kind:
    """Two systems that are right independently of each other; equal ones only."""
    right = percent / 100
    return Kind(
        f"independent-{percent}",
        f"mean of 0/1, two independent systems of {percent} %",
        "mean",
        partial(tables.scores, right=right),
        {2 * right * (1 - right): sizes},
        apart_to=0,
        times=5,
        **SCORES,
    )


ALL_SHARES = {0.05: _sizes(20, 500), 0.15: SIZES, 0.3: _sizes(20, 500)}

KINDS = (
    Kind("mean01", "mean of 0/1", "mean", tables.scores, ALL_SHARES, **SCORES),
    _independent(95, (30, 100, 500)),
    _independent(80, (30, 100)),
    _labels(
        "accuracy",
        "accuracy, 5 classes",
        "accuracy",
        tables.zipf(5),
        shares={0.15: (20, 50, 200)},
        **RIGHT_WRONG,
    ),
    _f1(1, 200),
    _f1(5, 50),
    _f1(30, 20),
    _f1_of_tasks(30),
    _labels("macro5", "macro F1, 5 classes", "macro_f1", tables.zipf(5)),
    _labels(
        "macro10",
        "macro F1, 10 classes",
        "macro_f1",
        tables.zipf(10),
        shares=_shares(50),
        apart_to=500,
    ),
    _labels(
        "macro30",
        "macro F1, 30 classes",
        "macro_f1",
        tables.evenly(30),
        shares={0.15: _sizes(100), 0.3: (100,)},
        apart_to=200,
    ),
    _labels(
        "zipf30",
        "macro F1, 30 classes of Zipf",
        "macro_f1",
        tables.zipf(30),
        shares={0.3: (200,)},
    ),
    _labels("kappa", "kappa, 3 classes", "kappa", tables.zipf(3)),
    _labels("mcc", "mcc, 2 classes", "mcc", tables.zipf(2)),
    Kind(
        "chunks", "chunk F1", "f1", units.chunks, _shares(), paired=True, apart_to=500
    ),
    _clusters("clusters", "mean, clusters of 5", units.equal_sizes),
    _clusters("unequal", "mean, clusters of unequal size", units.unequal_sizes),
    _real("normal", "mean, normal scores", units.normal, (20, 50, 200)),
    _real("heavy", "mean, heavy tails (t3)", units.heavy, _sizes(20)),
    _real("skewed", "mean, skewed (lognormal)", units.skewed, _sizes(20, 500)),
    _real("zeros", "mean, 80 % no difference", units.mostly_none, _sizes(20, 500)),
    Kind(
        "pass5",
        "pass@5 of 10 answers",
        "mean",
        units.repeated,
        {1.0: (50, 200)},
        paired=True,
    ),
    Kind(
        "ndcg",
        "nDCG@10 of queries",
        "mean",
        queries.queries,
        {1.0: (20, 50, 200)},
        paired=True,
        apart_to=200,
    ),
    Kind("bleu", "BLEU", "bleu", sums.segments, {1.0: (500, 3000)}, apart_to=500),
    Kind(
        "wer",
        "WER, clusters of a speaker",
        "wer",
        sums.speakers,
        {1.0: (20, 50, 200)},
        loss=True,
    ),
    Kind(
        "rmse",
        "RMSE, heavy tails (t5)",
        "rmse",
        sums.heavy_errors,
        {1.0: (50, 200, 500, 2000)},
        loss=True,
        apart_to=500,
    ),
    _ranked("auc", "ROC AUC, 10 % positives", "roc_auc"),
)

CELLS = tuple(
    Cell(kind, share, n)
    for kind in KINDS
    for share, sizes in kind.shares.items()
    for n in sizes
)
