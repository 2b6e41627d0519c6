"""Density of no difference where each gold class has gains of its own.

The difference is a sum over gold classes: the class's share times its gain, of which
shares and gains have Dirichlet distributions. Importance draws give its density at 0,
also many standard deviations away, by one of two methods. With enough items the whole
is nearly one Dirichlet distribution, from which draws with no difference are exact;
they are weighed for the rest. With few items all shares and all gains but one are
drawn, near where the sum is 0, and the density of the last gain is exact.
"""

from dataclasses import dataclass, replace
from functools import cached_property
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


def density_at_zero(
    gains: GainParameters, streams: Streams, *, purpose: int
) -> LogDensity:
    """Compute the density of no difference, by importance draws."""
    _check_finite(gains)
    density = _density(gains, streams, purpose=purpose)
    if density.mcse <= _ROUGH:
        return density
    more = replace(streams, draws=_MORE * streams.draws_for(3 * len(gains.lost)))
    return _density(gains, more, purpose=purpose)


def _density(gains: GainParameters, streams: Streams, *, purpose: int) -> LogDensity:
    """Use the more exact of the two methods, or the only safe one."""
    unlike = float(((gains.items - gains.shares) ** 2 / gains.items).sum())
    # Elsewhere the weights of the first method would have no variance.
    bounded = bool((2 * gains.shares - gains.items > 1).all())
    if not bounded or unlike > _UNLIKE:
        return _by_last_gain(gains, streams, purpose=purpose)
    pooled = _by_pooled_draws(gains, streams, purpose=purpose)
    if unlike < _ALIKE:
        return pooled
    last = _by_last_gain(gains, streams, purpose=purpose)
    return min(pooled, last, key=lambda density: density.mcse)


def _by_pooled_draws(
    gains: GainParameters, streams: Streams, *, purpose: int
) -> LogDensity:
    """Draw where there is no difference, as if all were one Dirichlet distribution."""

    def block(generator: np.random.Generator, n: int) -> FloatArray:
        return _log_corrections(gains, generator, n)

    logs = streams.run(block, width=3 * len(gains.lost), purpose=purpose)
    return _log_mean(logs, constant=gains.pooled_density().log)


def _by_last_gain(
    gains: GainParameters, streams: Streams, *, purpose: int
) -> LogDensity:
    """Draw all gains but one, near where the sum is 0."""
    proposal = gains.shift_to_zero()

    def block(generator: np.random.Generator, n: int) -> FloatArray:
        return _log_weights(gains, proposal, generator, n)

    logs = streams.run(block, width=3 * len(gains.lost), purpose=purpose)
    # The gains of two groups add up to twice the difference.
    return _log_mean(logs, constant=log(2) if gains.member.shape[1] == 2 else 0.0)


def _log_mean(logs: FloatArray, *, constant: float) -> LogDensity:
    top = float(logs.max())
    weights = np.exp(logs - top)
    mean = float(weights.mean())
    relative = float(weights.std()) / mean / np.sqrt(len(weights))
    return LogDensity(top + log(mean) + constant, float(relative))


def _check_finite(gains: GainParameters) -> None:
    """Refuse a density that is infinite, or so nearly that draws do not find it.

    The difference is within eps of 0 with a probability of eps to some power: each
    class must have a small gain, or be rare, and one cannot be rare. Only a power
    above 1 leaves a density, and well above 1 weights of bounded variance.
    """
    if gains.member.shape[1] == 1:
        power, least = _powers(gains, gains.lost + gains.won)[0], _LEAST_POWER
    else:
        lost, won = _powers(gains, gains.lost), _powers(gains, gains.won)
        power, least = min(lost[0] + won[1], won[0] + lost[1]), _LEAST_POWER_OF_TWO
    if power < least:
        message = (
            "A point null must have a finite prior density at 0; under so weak a "
            "prior it is infinite, or nearly."
        )
        raise NotDefinedError(message, hint="Use a strength of at least 0.6.")


def _powers(gains: GainParameters, part: FloatArray) -> list[float]:
    """Compute the power of eps at which a part is within eps of 0, by group."""
    powers = []
    for group in gains.member.T > 0:
        small = np.minimum(part, gains.shares)[group]
        powers.append(float((part[group] - small).min() + small.sum()))
    return powers


def _log_corrections(
    gains: GainParameters, generator: np.random.Generator, n: int
) -> FloatArray:
    """Draw the classes' shares where there is no difference; weigh them by theirs."""
    split = [
        _shared(generator.standard_gamma(part, size=(n, len(part))), gains)
        for part in (gains.lost, gains.won, gains.tied)
    ]
    fall, rise, rest = _levels(gains, generator, n)
    share = fall * split[0] + rise * split[1] + rest * split[2]
    logs = np.log(share) @ (gains.shares - gains.items)
    constant = gammaln(gains.items).sum() - gammaln(gains.items @ gains.member).sum()
    return logs + float(constant) + _log_norm(gains)


def _levels(
    gains: GainParameters, generator: np.random.Generator, n: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw the lost, won and tied shares of each class's group (draw, class)."""
    lost, won, tied = gains.totals()
    if len(lost) == 1:
        differ = generator.beta(lost[0] + won[0] - 1, tied[0], size=(n, 1))
        return differ / 2, differ / 2, 1 - differ
    right, wrong = lost[0] + won[1] - 1, won[0] + lost[1] - 1
    rate = generator.beta(right, wrong, size=(n, 1))
    first = gains.group == 0
    fall = np.where(first, rate, 1 - rate)
    return fall, 1 - fall, np.zeros((n, 1))


def _shared(drawn: FloatArray, gains: GainParameters) -> FloatArray:
    """Divide numbers (draw, class) by the sum of their group."""
    whole = (drawn @ gains.member) @ gains.member.T
    return np.divide(drawn, whole, out=np.zeros_like(drawn), where=whole > 0)


def _log_weights(
    gains: GainParameters,
    proposal: GainParameters,
    generator: np.random.Generator,
    n: int,
) -> FloatArray:
    share, log_share = _drawn_shares(gains, proposal, generator, n)
    size = (n, len(gains.lost))
    differ = _differing(proposal, generator, size)
    up = generator.beta(proposal.won, proposal.lost, size=size)
    up = np.clip(up, np.finfo(float).tiny, _MOST_UP)
    gain = differ * (2 * up - 1)
    # The last gain is that of the class whose share of the sum varies most.
    last = np.argmax(share * _spread(gains), axis=1)
    row = np.arange(n)
    rest = (share * gain).sum(axis=1) - share[row, last] * gain[row, last]
    needed = -rest / share[row, last]
    free = np.arange(size[1]) != last[:, np.newaxis]
    logs = log_share + _differ_ratio(gains, proposal, differ).sum(axis=1)
    logs += (_up_ratio(gains, proposal, up) * free).sum(axis=1)
    logs += _last_density(gains, last, needed, differ[row, last])
    return logs - np.log(share[row, last])


def _drawn_shares(
    gains: GainParameters,
    proposal: GainParameters,
    generator: np.random.Generator,
    n: int,
) -> tuple[FloatArray, FloatArray]:
    """Draw the shares of the classes, and their log weights."""
    drawn = generator.standard_gamma(proposal.shares, size=(n, len(proposal.shares)))
    share = _shared(drawn, gains)
    ratio = np.log(share) @ (gains.shares - proposal.shares)
    return share, ratio + _log_norm(gains) - _log_norm(proposal)


def _log_norm(gains: GainParameters) -> float:
    total = gammaln(gains.shares @ gains.member).sum()
    return float(total - gammaln(gains.shares).sum())


def _differing(
    proposal: GainParameters, generator: np.random.Generator, size: tuple[int, int]
) -> FloatArray:
    """Draw the share of each class's items on which the systems differ."""
    if not proposal.tied.any():
        return np.ones(size)
    return generator.beta(proposal.lost + proposal.won, proposal.tied, size=size)


def _differ_ratio(
    gains: GainParameters, proposal: GainParameters, differ: FloatArray
) -> FloatArray:
    if not gains.tied.any():
        return np.zeros_like(differ)
    target, drawn = gains.lost + gains.won, proposal.lost + proposal.won
    constant = betaln(drawn, proposal.tied) - betaln(target, gains.tied)
    return (target - drawn) * np.log(differ) + constant


def _up_ratio(
    gains: GainParameters, proposal: GainParameters, up: FloatArray
) -> FloatArray:
    constant = betaln(proposal.won, proposal.lost) - betaln(gains.won, gains.lost)
    more = (gains.won - proposal.won) * np.log(up)
    return more + (gains.lost - proposal.lost) * np.log1p(-up) + constant


def _spread(gains: GainParameters) -> FloatArray:
    """Compute the standard deviation of each class's gain."""
    mean = (gains.won - gains.lost) / gains.items
    second = (gains.won + gains.lost) / gains.items
    return np.sqrt((second - mean**2) / (gains.items + 1))


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
