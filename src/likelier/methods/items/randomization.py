"""Binomial swaps per pattern: approximate randomization, exact where it can be."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy import sparse, special

from likelier._typing import FloatArray, IntArray
from likelier.citations import Sentence
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import weigh
from likelier.distribution import Null
from likelier.errors import SettingError
from likelier.methods.items.p_values import fair_coin, null_by_draws
from likelier.metrics.metric import Metric
from likelier.metrics.ranked import RANKED
from likelier.settings import Settings
from likelier.streams import Streams

_MOST_STEPS = 300_000_000
_MOST_DECIMALS = 6
# Of fewer patterns that occur once, coins are tossed as those of all others.
_MANY_COINS = 64


@dataclass(frozen=True)
class Randomization:
    """Swap what the two systems did, item by item, by a fair coin.

    If the systems do not differ, swapping changes nothing but chance; the p-value is
    the share of swaps with a difference at least as large, in either direction, as
    the observed one (Noreen 1989). A metric that is a sum over items, of differences
    with few decimals, is tested exactly, without draws.

    Parameters
    ----------
    exact
        True: exactly or not at all; False: by draws; None: exactly where possible.

    Examples
    --------
    >>> from likelier import metrics, Outcomes
    >>> table = Outcomes.from_scores([0, 0, 0, 0, 1], [1, 1, 1, 1, 1])
    >>> Randomization().null(table, metrics.mean, Streams.of(0)).p_value
    0.125
    """

    name: ClassVar[str] = "randomization"
    exact: bool | None = None

    def null(self, outcomes: Outcomes, metric: Metric, streams: Streams) -> Null:
        """Test by swaps that the two systems do not differ."""
        view = metric.view(outcomes).without_labels().merged()
        if self.exact is not False:
            exact = _exact(view, metric)
            if exact is not None:
                return exact
        if self.exact:
            message = f"{metric.name} has no exact randomization test on these data."
            raise SettingError(message, hint="Leave exact out to use draws.")
        return _by_draws(view, metric, streams)

    def parameters(self, _: Outcomes) -> dict[str, Any]:
        """Return whether the test was bound to be exact, or to be drawn."""
        return {} if self.exact is None else {"exact": self.exact}

    def sentences(self, settings: Settings) -> list[Sentence]:
        """Describe the test, by draws or exact."""
        unit = "cluster" if settings.data.clustered else "item"
        test = "the exact randomization test"
        if settings.draws:
            test = "approximate randomization"
        ranked = settings.metric in RANKED
        swapped = (
            "ranks by the two systems are" if ranked else "what the two systems did is"
        )
        text = (
            f"The test is {test}: {swapped} swapped by a fair coin, "
            f"{unit} by {unit}, and a difference counts that is at least as large as "
            "the observed one, in either direction"
        )
        cites = ("noreen1989", "venkatraman1996") if ranked else ("noreen1989",)
        return [Sentence(text, cites)]


def _by_draws(view: Outcomes, metric: Metric, streams: Streams) -> Null:
    """Count the swaps with a difference at least as large as the observed one."""
    observed, drawn, slack = (
        _sums_of_gains(view, metric, streams)
        if metric.is_sum(view)
        else _differences(view, metric, streams)
    )
    return null_by_draws(
        int((np.abs(drawn) >= abs(observed) - slack).sum()),
        len(drawn),
        difference=float(metric.differences(metric.values(view))),
        alternative="two-sided",
    )


def _sums_of_gains(
    view: Outcomes, metric: Metric, streams: Streams
) -> tuple[float, FloatArray, float]:
    gains, n = metric.gains(view), _whole_counts(view.counts)

    def block(generator: np.random.Generator, size: int) -> FloatArray:
        signs = n - 2 * _heads(generator, n, size)
        return weigh(signs, gains[np.newaxis])[:, 0]

    drawn = streams.run(block, width=len(n), purpose=0)
    return float(n @ gains), drawn, 1e-13 * float(n @ np.abs(gains))


def _differences(
    view: Outcomes, metric: Metric, streams: Streams
) -> tuple[float, FloatArray, float]:
    both = _with_swapped(view)
    n = _whole_counts(view.counts)
    as_is = np.concatenate([view.counts, np.zeros(len(n))])
    observed = metric.values(both, as_is)

    def block(generator: np.random.Generator, size: int) -> FloatArray:
        swaps = _heads(generator, n, size)
        return metric.values(both, np.hstack([n - swaps, swaps]))

    values = streams.run(block, width=2 * len(n), purpose=0)
    # Equal tables must tie, whatever the order in which they were added up.
    slack = 1e-12 * float(np.abs(observed).max(initial=np.abs(values).max()))
    return float(metric.differences(observed)), metric.differences(values), slack


def _heads(generator: np.random.Generator, n: IntArray, size: int) -> FloatArray:
    """Toss n fair coins for each pattern (draw, pattern); many single ones as bits."""
    alone = n == 1
    n_alone = int(alone.sum())
    if n_alone < _MANY_COINS:
        return generator.binomial(n, 0.5, size=(size, len(n))).astype(np.float64)
    eight = generator.integers(256, size=(size, -(-n_alone // 8)), dtype=np.uint8)
    coins = np.unpackbits(eight, axis=1, count=n_alone).astype(np.float64)
    if n_alone == len(n):
        return coins
    heads = np.empty((size, len(n)))
    heads[:, alone] = coins
    several = n[~alone]
    heads[:, ~alone] = generator.binomial(several, 0.5, size=(size, len(several)))
    return heads


def _with_swapped(view: Outcomes) -> Outcomes:
    """List every pattern a second time with the two systems exchanged.

    Half the counts on each make the classes of averages the same for both systems,
    so that the statistic treats them alike.
    """
    return replace(
        view,
        rows=sparse.vstack([view.rows, view.swapped().rows], format="csr"),
        counts=np.tile(view.counts / 2, 2),
        sizes=np.tile(view.sizes, 2),
        strata=np.tile(view.strata, 2),
    )


def _exact(view: Outcomes, metric: Metric) -> Null | None:
    if not metric.is_sum(view):
        return None
    gains = _as_integers(metric.gains(view))
    if gains is None:
        return None
    n = _whole_counts(view.counts)
    if float(np.abs(gains).astype(float) @ n) > 2**60:
        return None
    steps, index = np.unique(np.abs(gains), return_inverse=True)
    sizes = np.bincount(index, weights=n).astype(np.int64)
    steps, sizes = steps[steps > 0], sizes[steps > 0]
    p = _two_sided(steps, sizes, abs(int(gains @ n)))
    return (
        None
        if p is None
        else Null(
            p_value=p,
            statistic=float(metric.differences(metric.values(view))),
            statistic_name="difference",
            alternative="two-sided",
            details={"swapped items": int(sizes.sum())},
        )
    )


def _as_integers(gains: FloatArray) -> IntArray | None:
    """Write the gains as multiples of one unit, if they have few decimals."""
    for decimals in range(_MOST_DECIMALS + 1):
        scaled = gains * 10.0**decimals
        nearest = np.round(scaled)
        if np.abs(nearest).max(initial=0) > 2**40:
            return None
        # A small gain beside large ones is a gain: no absolute slack.
        if np.allclose(scaled, nearest, rtol=1e-12, atol=0):
            whole = nearest.astype(np.int64)
            return np.asarray(whole // max(int(np.gcd.reduce(whole)), 1))
    return None


def _two_sided(steps: IntArray, sizes: IntArray, observed: int) -> float | None:
    """P(|sum of step x (heads - tails)| >= observed), with so many coins per step."""
    total = int(steps @ sizes)
    if observed == 0 or total == 0:
        return 1.0
    least = (total + observed + 1) // 2  # sum of step x heads that is far enough up
    if len(steps) == 1:
        heads = -(-least // int(steps[0]))
        return fair_coin(heads, int(sizes[0]) - heads)
    if total * int(sizes.sum()) > _MOST_STEPS:
        return None
    share = np.ones(1)
    for step, size in zip(steps, sizes, strict=True):
        share = _convolved(share, int(step), int(size))
    return float(min(1.0, 2 * share[least:].sum()))


def _convolved(share: FloatArray, step: int, size: int) -> FloatArray:
    heads = np.arange(size + 1)
    log_choose = special.gammaln(size + 1) - (
        special.gammaln(heads + 1) + special.gammaln(size - heads + 1)
    )
    binomial = np.exp(log_choose - size * np.log(2))
    wider = np.zeros(len(share) + step * size)
    for k in range(size + 1):
        wider[k * step : k * step + len(share)] += binomial[k] * share
    return wider


def _whole_counts(counts: FloatArray) -> IntArray:
    if (counts != np.floor(counts)).any():
        message = "Swapping needs whole counts of items; got fractions."
        raise SettingError(message)
    return counts.astype(np.int64)
