"""The laws again, written independently in 40 digits with mpmath."""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace

import mpmath as mp
import pytest


@cache
def _log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_kernel(a, b, x, y):
    """Log of u^a (1-u)^b / B(a, b) at the odds x : y."""
    a, b, x, y = map(mp.mpf, (a, b, x, y))
    return a * mp.log(x / (x + y)) + b * mp.log(y / (x + y)) - _log_beta(a, b)


def _fraction(a, b, u):
    """Classical continued fraction of the incomplete beta function, by Lentz."""
    c, d = mp.mpf(1), 1 / (1 - (a + b) * u / (a + 1))
    h, m = d, 0
    while True:
        m += 1
        for term in (
            m * (b - m) * u / ((a - 1 + 2 * m) * (a + 2 * m)),
            -(a + m) * (a + b + m) * u / ((a + 2 * m) * (a + 1 + 2 * m)),
        ):
            d, c = 1 / (1 + term * d), 1 + term / c
            h *= d * c
        if abs(d * c - 1) < mp.mpf(10) ** -20:
            return h / a


def log_tails(a, b, x, y):
    """Logs of both tails of Beta(a, b) at the odds x : y."""
    a, b, x, y = map(mp.mpf, (a, b, x, y))
    if x / (x + y) > (a + 1) / (a + b + 2):
        return log_tails(b, a, y, x)[::-1]
    small = log_kernel(a, b, x, y) + mp.log(_fraction(a, b, x / (x + y)))
    return small, mp.log1p(-mp.exp(small))


def _climb(log_f: Callable, t, step):
    top, growth = log_f(t), 2
    while True:
        left, right = log_f(t - step), log_f(t + step)
        if max(left, right) > top:
            t, top = (t - step, left) if left > right else (t + step, right)
            step *= growth
        elif top - min(left, right) < 1:
            return t, top, step
        else:
            step, growth = step / 2, 1


def log_integral(log_f: Callable, t, step, nodes=64):
    """Trapezoidal sum around the peak, with a step that suits the logit scale."""
    t, top, step = _climb(log_f, mp.mpf(t), mp.mpf(step))
    low = high = step
    while log_f(t - low) > top - 50:
        low *= mp.mpf("1.3")
    while log_f(t + high) > top - 50:
        high *= mp.mpf("1.3")
    nodes = max(nodes, int(4 * (low + high)))
    h = (low + high) / nodes
    total = mp.fsum(mp.exp(log_f(t - low + i * h) - top) for i in range(nodes + 1))
    return top + mp.log(total * h)


def fbeta(tp, fp, fn, beta, f, nodes=64):
    """Logs of lower tail, upper tail and density of Fbeta."""
    tp, fp, fn, f = map(mp.mpf, (tp, fp, fn, f))
    square = mp.mpf(beta) ** 2

    def integral(log_f):
        def over_logit(t):
            odds = mp.exp(t)
            x = f * (1 + square * odds) / (1 + odds)
            return log_kernel(fn, fp, odds, 1) + log_f(x, (1 - f) * (1 + square))

        spread = mp.sqrt(1 / fp + 1 / fn)
        return log_integral(over_logit, mp.log(fn / fp), spread / 2, nodes)

    return (
        integral(lambda x, y: log_tails(tp, fp + fn, x, y)[0]),
        integral(lambda x, y: log_tails(tp, fp + fn, x, y)[1]),
        integral(lambda x, y: log_kernel(tp, fp + fn, x, y)) - mp.log(f * (1 - f)),
    )


def greater(first, second, margin, scale=1, nodes=100):
    """Log of P(X > Y + margin), the odds of each Beta value divided by the scale."""
    r = mp.mpf(margin)
    (a, b), (c, d) = first, second
    low, high = max(mp.mpf(0), -r), min(mp.mpf(1), 1 - r)

    def log_f(t):
        p, q = mp.exp(t) / (1 + mp.exp(t)), 1 / (1 + mp.exp(t))
        y, rest = low + (high - low) * p, 1 - high + (high - low) * q
        tail = log_tails(a, b, y + r, scale * (rest - r))[1]
        density = log_kernel(c, d, y, scale * rest) - mp.log(y * rest)
        return density + tail + mp.log((high - low) * p * q)

    centre = mp.mpf(scale * c) / (scale * c + d)
    share = min(max((centre - low) / (high - low), mp.mpf("1e-6")), 1 - mp.mpf("1e-6"))
    spread = mp.sqrt(mp.mpf(1) / c + mp.mpf(1) / d)
    inside = log_integral(log_f, mp.log(share / (1 - share)), spread / 2, nodes)
    if r >= 0:
        return inside
    outside = log_tails(c, d, -r, scale * (1 + r))[0]
    return mp.log(mp.exp(inside) + mp.exp(outside))


@pytest.fixture
def exact():
    """The reference functions, in 40 digits."""
    with mp.workdps(40):
        yield SimpleNamespace(
            log_kernel=log_kernel, log_tails=log_tails, fbeta=fbeta, greater=greater
        )
