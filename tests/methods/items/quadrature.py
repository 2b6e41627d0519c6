"""The density of no difference by nested quadrature: slow, but without any draws.

Every integral is taken over a logit by the trapezoid rule, on a stretch narrowed down
to where the integrand counts, and all is in logarithms, so that tails are exact too.
"""

import numpy as np
from scipy.special import betaln, expit, gammaln, logsumexp

REACH, COARSE, FINE, DROP = 50.0, 13, 81, 24.0


def log_integral(log_f, shape):
    """Integrate exp(log_f) for each element of a shape; log_f takes (*shape, point)."""
    low, high = np.full(shape, -REACH), np.full(shape, REACH)
    shrinks = True
    while shrinks:
        z = _points(low, high, COARSE)
        values = _clean(log_f(z))
        keep = values > values.max(axis=-1, keepdims=True) - DROP
        first = np.maximum(keep.argmax(axis=-1) - 1, 0)
        last = np.minimum(COARSE - keep[..., ::-1].argmax(axis=-1), COARSE - 1)
        before = high - low
        low, high = (
            np.take_along_axis(z, end[..., np.newaxis], -1)[..., 0]
            for end in (first, last)
        )
        shrinks = bool(np.any(high - low < 0.7 * before))
    values = _clean(log_f(_points(low, high, FINE)))
    return logsumexp(values, axis=-1) + np.log((high - low) / (FINE - 1))


def _points(low, high, n):
    return low[..., np.newaxis] + (high - low)[..., np.newaxis] * np.linspace(0, 1, n)


def _clean(values):
    return np.where(np.isnan(values), -np.inf, values)


def _log_sides(z):
    """Compute the logs of a share and of the rest, from the share's logit."""
    return -np.logaddexp(0, -z), -np.logaddexp(0, z)


def log_gain_density(log_size, lost, won, tied, *, up):
    """Compute the log density of won - lost = ±size, of one Dirichlet distribution."""
    size = np.exp(log_size)[..., np.newaxis]
    half = -np.expm1(log_size)[..., np.newaxis] / 2
    less, more = (lost, won) if up else (won, lost)
    norm = gammaln(lost + won + tied) - gammaln(lost) - gammaln(won) - gammaln(tied)

    def log_f(z):  # over the smaller of the two
        inner, outer = _log_sides(z)
        small = half * np.exp(inner)
        rest = (tied - 1) * np.log(2 * half * np.exp(outer))
        both = (less - 1) * np.log(small) + (more - 1) * np.log(small + size)
        return both + rest + np.log(half) + inner + outer

    return log_integral(log_f, np.shape(log_size)) + norm


def paired(positive, negative, shares):
    """Compute the log density at 0 of the sum of two classes' shares times their gains.

    Parameters
    ----------
    positive, negative
        Parameters of what is lost, won and tied in each class.
    shares
        Parameters of the classes' shares.
    """

    def over_share(z):
        log_mu, log_nu = _log_sides(z)
        most = np.minimum(0, log_nu - log_mu)[..., np.newaxis]
        ratio = (log_mu - log_nu)[..., np.newaxis]

        def side(*, up):
            def log_f(x):
                inner, outer = _log_sides(x)
                other = np.minimum(most + inner + ratio, -1e-17)
                first = log_gain_density(most + inner, *positive, up=up)
                second = log_gain_density(other, *negative, up=not up)
                return first + second + most + inner + outer

            return log_integral(log_f, np.shape(z))

        weight = shares[0] * log_mu + shares[1] * log_nu - betaln(*shares)
        return np.logaddexp(side(up=True), side(up=False)) - log_nu + weight

    with np.errstate(all="ignore"):
        return float(log_integral(over_share, ()))


def _log_accuracy_density(z, right, wrong, shares):
    """Compute the log density of an accuracy at expit(z), its two classes nested."""
    x, y = expit(z)[..., np.newaxis, np.newaxis], expit(-z)[..., np.newaxis, np.newaxis]

    def over_right(zr):  # the positive class's part of what is right
        part, rest = (np.exp(side)[..., np.newaxis] for side in _log_sides(zr))

        def over_wrong(zw):
            inner, outer = _log_sides(zw)
            mu, nu = x * part + y * np.exp(inner), x * rest + y * np.exp(outer)
            nested = (shares[0] - right[0] - wrong[0]) * np.log(mu)
            nested = nested + (shares[1] - right[1] - wrong[1]) * np.log(nu)
            return wrong[0] * inner + wrong[1] * outer + nested

        inner, outer = _log_sides(zr)
        within = log_integral(over_wrong, np.shape(zr))
        return within + right[0] * inner + right[1] * outer

    norm = betaln(*shares) + betaln(right[0], wrong[0]) + betaln(right[1], wrong[1])
    log_x, log_y = _log_sides(z)
    sides = (sum(right) - 1) * log_x + (sum(wrong) - 1) * log_y
    return log_integral(over_right, np.shape(z)) + sides - norm


def unpaired(first, second):
    """Compute the log density of equal accuracies; (right, wrong, shares) of each."""

    def log_f(z):
        both = _log_accuracy_density(z, *first) + _log_accuracy_density(z, *second)
        return both + sum(_log_sides(z))

    with np.errstate(all="ignore"):
        return float(log_integral(log_f, ()))
