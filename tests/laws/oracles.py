"""The laws again, written independently in 40 digits with mpmath.

`python -m tests.laws.oracles` computes the cases of `oracles.json` (a minute), which
the tests read; `test_oracles.py` computes one case of each kind again.
"""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from itertools import product
from pathlib import Path

import mpmath as mp
import numpy as np

from likelier.laws import BetaLaw, F1Law, FbetaLaw

FILE = Path(__file__).with_suffix(".json")
DIGITS = 40

# In spreads of the logit: the middle, P about 1e-300, log P about -1e4.
DISTANCES = np.array([0, -0.4, 1.5, -6, 9, -25, 25, -37, 37, -140, 140])
BETA_COUNTS = [0, 1, 2, 5, 50, 1e3, 1e6, 1e9]
F1_COUNTS = [0, 1, 5, 1e3, 1e6, 1e9]
PRIORS = [0.5, 1.0]
FBETA = [
    (1, 1, 1, 2),
    (0.5, 0.5, 0.5, 0.5),
    (81, 21, 11, 2),
    (1e3, 1, 1, 0.5),
    (1, 1e9, 1, 2),
    (1e9 + 1, 1e9 + 1, 1e9 + 1, 2),
    (1e9, 1e3, 1e6, 0.5),
    (1e6, 2, 50, 10),
    (1e5, 2e5, 3e5, 2),
]
PAIRS = [
    ((81, 21), (60, 40)),
    ((0.5, 0.5), (0.5, 1.5)),
    ((1, 1e3), (50, 50)),
    ((1e9, 1e9), (1.0005e9, 1e9)),
    ((1, 1e9), (3, 1e9)),
    ((1e9, 1), (1e6, 1)),
    ((30, 1e9), (200, 1e9)),
    ((1e6 + 1, 1e3 + 1), (1e6 + 1, 1.9e3)),
]
# 29 to 140 standard deviations apart, at 1e9 items each.
FAR_PAIRS = [((1e9, 1e9), (1e9 + d, 1e9 - d)) for d in (9.2e5, 4.4e6)]
DIFFERENCES = [
    ((60, 31), (71, 23)),
    ((20, 5), (1, 1)),
    ((101, 1), (100, 2)),
    ((1, 9), (3, 40)),
]
# Below, logarithms are not compared.
LEAST = -3e4


def log_kernel(a, b, x, y):
    """Log of u^a (1-u)^b / B(a, b) at the odds x : y."""
    a, b, x, y = map(mp.mpf, (a, b, x, y))
    return a * mp.log(x / (x + y)) + b * mp.log(y / (x + y)) - _log_beta(a, b)


@cache
def _log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def log_tails(a, b, x, y):
    """Logs of both tails of Beta(a, b) at the odds x : y."""
    a, b, x, y = map(mp.mpf, (a, b, x, y))
    if x / (x + y) > (a + 1) / (a + b + 2):
        return log_tails(b, a, y, x)[::-1]
    small = log_kernel(a, b, x, y) + mp.log(_fraction(a, b, x / (x + y)))
    return small, mp.log1p(-mp.exp(small))


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


def law_at(a, b, scale, x):
    """Logs of lower tail, upper tail and density; odds of the Beta value / scale."""
    x = mp.mpf(x)
    lower, upper = log_tails(a, b, x, scale * (1 - x))
    return lower, upper, log_kernel(a, b, x, scale * (1 - x)) - mp.log(x * (1 - x))


def fbeta_at(tp, fp, fn, beta, f, nodes=64):
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


def log_greater(first, second, margin, scale=1, nodes=100):
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


def fbeta_moments(tp, fp, fn, beta):
    """Mean and variance of Fbeta, by a double integral."""
    square = mp.mpf(beta) ** 2

    def moment(power):
        def integrand(u, v):
            value = (1 + square) * u
            value /= value + (1 - u) * (1 - v + square * v)
            weight = u ** (tp - 1) * (1 - u) ** (fp + fn - 1)
            return value**power * weight * v ** (fn - 1) * (1 - v) ** (fp - 1)

        whole = mp.beta(tp, fp + fn) * mp.beta(fn, fp)
        return mp.quad(integrand, [0, 1], [0, 1]) / whole

    mean = moment(1)
    return mean, moment(2) - mean**2


def largest_errors(actual, expected):
    """Return the largest errors of logarithms: of P above 1e-300, and below."""
    pairs = [
        (Decimal(float(ours)), Decimal(theirs))
        for ours, theirs in zip(np.ravel(actual), expected, strict=True)
        if theirs is not None
    ]
    near = [abs(ours - theirs) for ours, theirs in pairs if theirs >= -690]
    far = [abs(ours - theirs) for ours, theirs in pairs if theirs < -690]
    return max(near, default=0), max(far, default=0)


def _points(law, distances):
    middle, spread = law.centre()
    logits = np.clip(middle + spread * np.asarray(distances), -600, 600)
    x = 1 / (1 + np.exp(-logits))
    return [float(value) for value in x if 0 < value < 1]


def _texts(values):
    return [mp.nstr(value, 22) if value > LEAST else None for value in values]


def _law_cases(kind, scale, counts):
    for prior, tp, errors in product(PRIORS, counts, counts):
        a, b = tp + prior, errors + prior * scale
        x = _points(kind(a, b), DISTANCES)
        rows = zip(*(_texts(law_at(a, b, scale, value)) for value in x), strict=True)
        yield {"law": [a, b], "x": x, **dict(zip(NAMES, rows, strict=True))}


NAMES = ("lower", "upper", "density")


def _fbeta_cases():
    for counts in FBETA:
        # The reference is slow near the mean of a law with many counts.
        distances = (-30, 33) if counts[0] > 1e8 else (-0.5, 2, -30, 33)
        points = _points(FbetaLaw(*counts), distances)
        x = [min(value, 1 - 1e-16) for value in points]
        rows = zip(*(_texts(fbeta_at(*counts, value)) for value in x), strict=True)
        yield {"law": counts, "x": x, **dict(zip(NAMES, rows, strict=True))}


def _greater_cases(pairs, margins, scales=(1, 2)):
    for (first, second), margin, scale in product(pairs, margins, scales):
        log = None
        if not _hopeless(first, second, margin, scale):
            (log,) = _texts([log_greater(first, second, margin, scale)])
        yield {"pair": [first, second], "margin": margin, "scale": scale, "log": log}


def _hopeless(first, second, margin, scale):
    """Whether the probability is so small that the reference would take hours."""
    from likelier.laws import log_probability_greater

    kind = BetaLaw if scale == 1 else F1Law
    return log_probability_greater(kind(*first), kind(*second), margin=margin) < LEAST


def all_cases():
    """Compute every case."""
    wide = (1e6, 1e6, 2, 100)
    f = float(FbetaLaw(*wide).ppf(0.3))
    narrow = dict(zip(NAMES, _texts(fbeta_at(*wide, f, nodes=700)), strict=True))
    many = 6e11 + 1, 4e11 + 1
    x = _points(BetaLaw(*many), DISTANCES)[3:]
    with mp.workdps(20):
        moments = [mp.nstr(value, 20) for value in fbeta_moments(4, 3, 2, 2)]
    return {
        "beta": list(_law_cases(BetaLaw, 1, BETA_COUNTS)),
        "f1": list(_law_cases(F1Law, 2, F1_COUNTS)),
        "fbeta": list(_fbeta_cases()),
        "fbeta of a narrow tail": [{"law": wide, "x": f, **narrow}],
        "beta of 1e12 items": [
            {"law": many, "x": x, "lower": _texts(law_at(*many, 1, v)[0] for v in x)}
        ],
        "fbeta moments": [{"law": [4, 3, 2, 2], "mean, variance": moments}],
        "greater": list(_greater_cases(PAIRS, [0, 0.01, -0.2])),
        "greater, far apart": list(_greater_cases(FAR_PAIRS, [0], [1])),
        "difference": list(_greater_cases(DIFFERENCES, [-0.2, 0.0, 0.05])),
    }


@cache
def stored(kind):
    """Return the stored cases of one kind."""
    return json.loads(FILE.read_text())[kind]


def main():
    """Write the file."""
    with mp.workdps(DIGITS):
        cases = all_cases()
    kinds = (
        f"{json.dumps(kind)}: [\n" + ",\n".join(map(json.dumps, rows)) + "\n]"
        for kind, rows in cases.items()
    )
    FILE.write_text("{\n" + ",\n".join(kinds) + "\n}\n")


if __name__ == "__main__":
    main()
