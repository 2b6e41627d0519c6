"""Populations of real scores, of repeated answers, of clusters, and of chunks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy.special import beta
from tests.slow.calibration import peers
from tests.slow.calibration.peers import Array, Formula
from tests.slow.calibration.populations import RIGHT, Sample, right_wrong

from likelier import Outcomes
from likelier.readers.logs.repeat_metrics import pass_at

_MANY = 50_000
Generator = np.random.Generator


@dataclass(frozen=True)
class Units:
    """Population of units that are drawn one by one.

    Attributes
    ----------
    formula
        Metric, as `peers` has it.
    values
        True metric of both systems.
    draw
        Draws the rows of n units, as `peers` has them.
    outcomes
        Makes outcomes of such rows.
    """

    formula: Formula
    values: Array
    draw: Callable[[Generator, int], Array]
    outcomes: Callable[[Array], Outcomes]

    @cached_property
    def spread(self) -> float:
        """Standard error of the observed difference, times the root of n."""
        rows = self.draw(np.random.default_rng(0), _MANY)
        each = peers.influence(self.formula, rows, np.full(_MANY, 1 / _MANY))
        return float(np.sqrt((each**2).mean()))

    def samples(
        self, rng: Generator, n: int, size: int
    ) -> Iterator[tuple[Sample, int]]:
        """Draw samples of n units, one after the other."""
        for _ in range(size):
            rows = self.draw(rng, n)
            distinct, counts = np.unique(rows, axis=0, return_counts=True)
            outcomes = partial(self.outcomes, rows)
            yield Sample(distinct, counts.astype(float), outcomes), 1


# --- real scores ------------------------------------------------------------


def normal(rng: Generator, n: int) -> Array:
    """Differences with a normal distribution."""
    return rng.normal(size=n)


def heavy(rng: Generator, n: int) -> Array:
    """Differences with heavy tails: Student's t with three degrees of freedom."""
    return rng.standard_t(3, size=n)


def skewed(rng: Generator, n: int) -> Array:
    """Differences with one long tail: lognormal, less their mean."""
    return rng.lognormal(size=n) - np.exp(0.5)


def mostly_none(rng: Generator, n: int) -> Array:
    """Differences that are 0 for four items of five."""
    return rng.normal(size=n) * (rng.random(n) < 0.2)


def real_scores(
    differences: Callable[[Generator, int], Array], ahead: float, *, marks: bool = False
) -> Units:
    """Items with a score by each system; `ahead` is added to every difference.

    With `marks` the first system's scores are whole numbers from 0 to 4, and only
    differences other than 0 are moved.
    """

    def draw(rng: Generator, n: int) -> Array:
        first = rng.integers(5, size=n).astype(float) if marks else rng.normal(size=n)
        gains = differences(rng, n)
        moved = ahead * (gains != 0) / 0.2 if marks else ahead
        return score_rows(first, first + gains + moved)

    middle = 2.0 if marks else 0.0
    return Units(peers.mean, np.array([middle, middle + ahead]), draw, score_outcomes)


def score_outcomes(rows: Array) -> Outcomes:
    """Make outcomes of rows of scores."""
    return Outcomes.from_scores(rows[:, 0, 0], rows[:, 1, 0])


def score_rows(first: Array, second: Array) -> Array:
    """Make rows of the scores of items, as `peers` has them."""
    return _rows(first, second, np.ones(len(first)))


def _rows(first: Array, second: Array, size: Array) -> Array:
    nothing = np.zeros(len(size))
    return np.stack([first, second, nothing, nothing, size], axis=1)[..., np.newaxis]


# --- repeated answers ---------------------------------------------------------

# Ten answers to each item, of which five are imagined to be drawn. The chance that an
# answer is right has a Beta distribution over items; systems share it on some items.
_ANSWERS, _TAKEN = 10, 5
_RIGHT, _WRONG = 0.4, 1.6
_SHARED = 0.7
_PASS = np.array([pass_at(right, _ANSWERS, _TAKEN) for right in range(_ANSWERS + 1)])


def repeated(_share: float, ahead: float) -> Units:
    """Items with ten answers each, scored by pass@5.

    The second system's answers are wrong less often, by the factor 1 - `ahead`.
    """

    def draw(rng: Generator, n: int) -> Array:
        each, shared = (rng.beta(_WRONG, _RIGHT, (n, k)) for k in (2, 1))
        wrong = np.where(rng.random((n, 1)) < _SHARED, shared, each)
        wrong = wrong * [1.0, 1.0 - ahead]
        first, second = _PASS[rng.binomial(_ANSWERS, 1 - wrong)].T
        return _rows(first, second, np.ones(n))

    # P(five answers are wrong) is the fifth moment of the Beta distribution.
    none = beta(_WRONG + _TAKEN, _RIGHT) / beta(_WRONG, _RIGHT)
    values = 1 - none * np.array([1.0, (1 - ahead) ** _TAKEN])
    return Units(peers.mean, values, draw, score_outcomes)


# --- clusters ---------------------------------------------------------------

# Probabilities of a cluster are Dirichlet of this many times those of all items, so
# that two items of a cluster are correlated by 1 / (1 + 4).
_ALIKE = 4.0


def equal_sizes(rng: Generator, n: int) -> Array:
    """Clusters of five items."""
    return np.full(n, 5)


def unequal_sizes(rng: Generator, n: int) -> Array:
    """Clusters of lognormal sizes, three items in the middle."""
    return np.ceil(rng.lognormal(np.log(2.5), 1.0, size=n)).astype(np.int64)


def clusters(
    discordant: float, ahead: float, *, sizes: Callable[[Generator, int], Array]
) -> Units:
    """Clusters of right and wrong items that are alike within a cluster."""
    shares = right_wrong(discordant, ahead)

    def draw(rng: Generator, n: int) -> Array:
        size = sizes(rng, n)
        both, first, second, _ = rng.multinomial(
            size, rng.dirichlet(_ALIKE * shares, size=n)
        ).T
        rows = _rows(both + first, both + second, size)
        rows[:, 2, 0] = both  # to make items of the sums again
        return rows

    values = np.array([RIGHT - ahead / 2, RIGHT + ahead / 2])
    return Units(peers.mean, values, draw, _items_of_clusters)


def _items_of_clusters(rows: Array) -> Outcomes:
    right_1, right_2, both, _, size = rows[..., 0].T
    counts = np.stack([both, right_1 - both, right_2 - both])
    counts = np.vstack([counts, size - counts.sum(axis=0)]).ravel()
    n, seen = len(rows), counts > 0
    first = np.repeat([1.0, 1.0, 0.0, 0.0], n)
    second = np.repeat([1.0, 0.0, 1.0, 0.0], n)
    cluster = np.tile(np.arange(n), 4)
    return Outcomes.from_scores(
        first[seen], second[seen], counts=counts[seen], cluster=cluster[seen]
    )


# --- chunks -----------------------------------------------------------------

# Gold chunks of a sentence, on average; false chunks of a system to each gold chunk.
_CHUNKS, _FALSE = 1.5, 0.2


def chunks(discordant: float, ahead: float) -> Units:
    """Sentences with gold chunks, alike within a sentence, and false chunks."""
    shares = right_wrong(discordant, ahead)
    apart = discordant / 0.4

    def draw(rng: Generator, n: int) -> Array:
        gold = rng.poisson(_CHUNKS, size=n)
        found = rng.multinomial(gold, rng.dirichlet(_ALIKE * shares, size=n))
        right = found[:, :1] + found[:, 1:3]
        rates = _CHUNKS * _FALSE * np.array([1 - apart, apart, apart])
        false = rng.poisson(rates, size=(n, 3))
        predicted = right + false[:, :1] + false[:, 1:]
        return np.column_stack([right, predicted, gold])[..., np.newaxis].astype(float)

    right = np.array([RIGHT - ahead / 2, RIGHT + ahead / 2])
    return Units(peers.f1, 2 * right / (1 + right + _FALSE), draw, _sentences)


def _sentences(rows: Array) -> Outcomes:
    right, predicted, gold = rows[:, :2, 0], rows[:, 2:4, 0], rows[:, 4:, 0]
    return Outcomes.from_statistics(
        {"tp": right, "fp": predicted - right, "fn": gold - right}
    )
