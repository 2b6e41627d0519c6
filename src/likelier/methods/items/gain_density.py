"""Density of no difference where each gold class has gains of its own.

The difference is a sum over gold classes: the class's share times its gain, of which
shares and gains have Dirichlet distributions. Importance draws give its density at 0,
also many standard deviations away, by one of two methods. With enough items the whole
is nearly one Dirichlet distribution, from which draws with no difference are exact;
they are weighed for the rest. With few items all shares and all gains but one are
drawn, near where the sum is 0, and the density of the last gain is exact.
"""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import log

import numpy as np
from scipy.special import betaln, gammaln

from likelier._typing import FloatArray, IntArray
from likelier.bayes_factor import LogDensity, equal_gains, equal_rates
from likelier.errors import NotDefinedError
from likelier.streams import Streams

# How unlike one Dirichlet distribution all classes together are: so little that it can
# stand for them, or so much that it cannot.
_ALIKE, _UNLIKE = 0.5, 10.0
# Of one sample of items, and of two.
_LEAST_POWER, _LEAST_POWER_OF_TWO = 1.79, 2.39
# Above this relative error so many times as many draws are made.
_ROUGH, _MORE = 0.02, 16
_MOST_UP = 1 - 2.0**-53


@dataclass(frozen=True, eq=False)
class GainParameters:
    """Dirichlet parameters of the gains of all gold classes.

    Attributes
    ----------
    lost, won, tied
        Of the items of a class (class,): only the first system has them right, only
        the second, both or neither. Where systems saw other items each has classes of
        its own, and `tied` is 0: a right item of the first is lost, a wrong one won.
    shares
        Of the classes among the items (class,).
    group
        Number of the sample that each class belongs to (class,): shares add up to 1
        in a group.
    """

    lost: FloatArray
    won: FloatArray
    tied: FloatArray
    shares: FloatArray
    group: IntArray

    @property
    def items(self) -> FloatArray:
        """Sum of the parameters of each class."""
        return self.lost + self.won + self.tied

    @cached_property
    def member(self) -> FloatArray:
        """Membership of classes in groups, 0 or 1 (class, group)."""
        return np.eye(int(self.group.max()) + 1)[self.group]

    def totals(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Add up what is lost, won and tied in each group (group,)."""
        lost, won, tied = (x @ self.member for x in (self.lost, self.won, self.tied))
        return lost, won, tied

    @property
    def spread(self) -> FloatArray:
        """Standard deviation of each class's gain."""
        mean = (self.won - self.lost) / self.items
        second = (self.won + self.lost) / self.items
        return np.sqrt((second - mean**2) / (self.items + 1))

    @property
    def log_norm(self) -> float:
        """Logarithm of the constant of the density of the shares."""
        total = gammaln(self.shares @ self.member).sum()
        return float(total - gammaln(self.shares).sum())

    def normalized(self, drawn: FloatArray) -> FloatArray:
        """Divide numbers (draw, class) by the sum of their group."""
        whole = (drawn @ self.member) @ self.member.T
        return np.divide(drawn, whole, out=np.zeros_like(drawn), where=whole > 0)

    def pooled_density(self) -> LogDensity:
        """Return the density of no difference as if all were one Dirichlet."""
        lost, won, tied = self.totals()
        if len(lost) == 1:
            return equal_gains(float(lost[0]), float(won[0]), float(tied[0]))
        return equal_rates((lost[0], won[0]), (won[1], lost[1]))

    def shift_to_zero(self) -> "GainParameters":
        """Move the parameters to where no difference is most probable."""
        lost, won, _ = self.totals()
        if len(lost) == 1:
            level = (lost + won) / 2
            down, up = level / lost, level / won
        else:
            # The same share is right in both groups: the first loses what is right.
            right, wrong = lost[0] + won[1], won[0] + lost[1]
            rate, whole = right / (right + wrong), lost + won
            down = np.array([rate, 1 - rate]) * whole / lost
            up = np.array([1 - rate, rate]) * whole / won
        moved = replace(
            self, lost=self.lost * down[self.group], won=self.won * up[self.group]
        )
        return replace(moved, shares=self.shares * moved.items / self.items)

    def powers(self, part: FloatArray) -> list[float]:
        """Compute the power of eps at which a part is within eps of 0, by group."""
        small = np.minimum(part, self.shares)
        return [
            float((part - small)[group].min() + small[group].sum())
            for group in self.member.T > 0
        ]


def density_at_zero(
    gains: GainParameters, streams: Streams, *, purpose: int
) -> LogDensity:
    """Compute the density of no difference, by importance draws."""
    _check_finite(gains)
    density = _density(gains, streams, purpose)
    if density.mcse <= _ROUGH:
        return density
    more = replace(streams, draws=_MORE * streams.draws_for(3 * len(gains.lost)))
    return _density(gains, more, purpose)


def _check_finite(gains: GainParameters) -> None:
    """Refuse a density that is infinite, or so nearly that draws do not find it.

    The difference is within eps of 0 with a probability of eps to some power: each
    class must have a small gain, or be rare, and one cannot be rare. Only a power
    above 1 leaves a density, and well above 1 weights of bounded variance.
    """
    if gains.member.shape[1] == 1:
        power, least = gains.powers(gains.lost + gains.won)[0], _LEAST_POWER
    else:
        lost, won = gains.powers(gains.lost), gains.powers(gains.won)
        power, least = min(lost[0] + won[1], won[0] + lost[1]), _LEAST_POWER_OF_TWO
    if power < least:
        message = (
            "A point null must have a finite prior density at 0; under so weak a "
            "prior it is infinite, or nearly."
        )
        raise NotDefinedError(message, hint="Use a strength of at least 0.6.")


def _density(gains: GainParameters, streams: Streams, purpose: int) -> LogDensity:
    """Use the more exact of the two methods, or the only safe one."""
    unlike = float(((gains.items - gains.shares) ** 2 / gains.items).sum())
    # Elsewhere the weights of the first method would have no variance.
    bounded = bool((2 * gains.shares - gains.items > 1).all())
    if not bounded or unlike > _UNLIKE:
        return _by_last_gain(gains, streams, purpose)
    pooled = _by_pooled_draws(gains, streams, purpose)
    if unlike < _ALIKE:
        return pooled
    last = _by_last_gain(gains, streams, purpose)
    return min(pooled, last, key=lambda density: density.mcse)


def _log_mean(logs: FloatArray, *, constant: float) -> LogDensity:
    top = float(logs.max())
    weights = np.exp(logs - top)
    mean = float(weights.mean())
    relative = float(weights.std()) / mean / np.sqrt(len(weights))
    return LogDensity(top + log(mean) + constant, float(relative))


def _by_pooled_draws(
    gains: GainParameters, streams: Streams, purpose: int
) -> LogDensity:
    """Draw where there is no difference, as if all were one Dirichlet distribution."""
    block = partial(_log_corrections, gains)
    logs = streams.run(block, width=3 * len(gains.lost), purpose=purpose)
    return _log_mean(logs, constant=gains.pooled_density().log)


def _log_corrections(
    gains: GainParameters, generator: np.random.Generator, n: int
) -> FloatArray:
    """Draw the classes' shares where there is no difference; weigh them by theirs."""
    split = [
        gains.normalized(generator.standard_gamma(part, size=(n, len(part))))
        for part in (gains.lost, gains.won, gains.tied)
    ]
    fall, rise, rest = _group_shares(gains, generator, n)
    share = fall * split[0] + rise * split[1] + rest * split[2]
    logs = np.log(share) @ (gains.shares - gains.items)
    constant = gammaln(gains.items).sum() - gammaln(gains.items @ gains.member).sum()
    return logs + float(constant) + gains.log_norm


def _group_shares(
    gains: GainParameters, generator: np.random.Generator, n: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw the lost, won and tied shares of each class's group (draw, class)."""
    lost, won, tied = gains.totals()
    if len(lost) == 1:
        differ = generator.beta(lost[0] + won[0] - 1, tied[0], size=(n, 1))
        return differ / 2, differ / 2, 1 - differ
    right, wrong = lost[0] + won[1] - 1, won[0] + lost[1] - 1
    rate = generator.beta(right, wrong, size=(n, 1))
    fall = np.where(gains.group == 0, rate, 1 - rate)
    return fall, 1 - fall, np.zeros((n, 1))


def _by_last_gain(gains: GainParameters, streams: Streams, purpose: int) -> LogDensity:
    """Draw all gains but one, near where the sum is 0."""
    block = partial(_log_weights, gains, gains.shift_to_zero())
    logs = streams.run(block, width=3 * len(gains.lost), purpose=purpose)
    # The gains of two groups add up to twice the difference.
    return _log_mean(logs, constant=log(2) if gains.member.shape[1] == 2 else 0.0)


def _log_weights(
    target: GainParameters,
    proposal: GainParameters,
    generator: np.random.Generator,
    n: int,
) -> FloatArray:
    """Draw all but the last gain from the proposal; weigh them by the target."""
    size = (n, len(target.lost))
    share = target.normalized(generator.standard_gamma(proposal.shares, size=size))
    logs = np.log(share) @ (target.shares - proposal.shares)
    logs = logs + target.log_norm - proposal.log_norm
    differ = np.ones(size)
    if proposal.tied.any():
        whole = proposal.lost + proposal.won
        differ = generator.beta(whole, proposal.tied, size=size)
    up = generator.beta(proposal.won, proposal.lost, size=size)
    up = np.clip(up, np.finfo(float).tiny, _MOST_UP)
    gain = differ * (2 * up - 1)
    # The last gain is that of the class whose share of the sum varies most.
    last, row = np.argmax(share * target.spread, axis=1), np.arange(n)
    rest = (share * gain).sum(axis=1) - share[row, last] * gain[row, last]
    needed = -rest / share[row, last]
    free = np.arange(size[1]) != last[:, np.newaxis]
    logs = logs + _differ_ratio(target, proposal, differ).sum(axis=1)
    logs += (_up_ratio(target, proposal, up) * free).sum(axis=1)
    logs += _last_density(target, last, needed, differ[row, last])
    return logs - np.log(share[row, last])


def _differ_ratio(
    target: GainParameters, proposal: GainParameters, differ: FloatArray
) -> FloatArray:
    if not target.tied.any():
        return np.zeros_like(differ)
    whole, drawn = target.lost + target.won, proposal.lost + proposal.won
    constant = betaln(drawn, proposal.tied) - betaln(whole, target.tied)
    return (whole - drawn) * np.log(differ) + constant


def _up_ratio(
    target: GainParameters, proposal: GainParameters, up: FloatArray
) -> FloatArray:
    constant = betaln(proposal.won, proposal.lost) - betaln(target.won, target.lost)
    more = (target.won - proposal.won) * np.log(up)
    return more + (target.lost - proposal.lost) * np.log1p(-up) + constant


def _last_density(
    gains: GainParameters, last: IntArray, needed: FloatArray, differ: FloatArray
) -> FloatArray:
    """Compute the log density of the needed gain, at such a share of differences."""
    won, lost = gains.won[last], gains.lost[last]
    up = (1 + needed / differ) / 2
    possible = (up > 0) & (up < 1)
    inside = np.where(possible, up, 0.5)
    logs = (won - 1) * np.log(inside) + (lost - 1) * np.log1p(-inside)
    return np.where(possible, logs - betaln(won, lost) - np.log(2 * differ), -np.inf)
