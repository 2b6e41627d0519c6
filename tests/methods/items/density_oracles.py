"""Exact densities of no difference, stored, and the slow code that computed them.

`python -m tests.methods.items.density_oracles` writes `density_oracles.json` anew; what
is not stored is computed when needed.
"""

import json
from itertools import product
from math import log
from pathlib import Path

import mpmath as mp
import numpy as np
from tests.methods.items import quadrature

PATH = Path(__file__).with_suffix(".json")
LOST, WON, TIED = (0.6, 1.0, 3.0, 40.0), (0.6, 1.0, 9.5, 400.0), (0.5, 2.0, 1000.0)
BETAS = [(1.0, 1.0), (0.7, 2.0), (5.0, 3.0), (400.0, 30.0), (20.0, 500.0)]
FIRST_F1 = [(0, 0, 0), (40, 9, 3), (300, 10, 20), (3, 80, 90)]
SECOND_F1 = [(0, 0, 0), (30, 20, 5), (5, 400, 200)]
CLASSES, ITEMS = (3, 10), (0, 2, 20, 200)
# Counts of the eight cells: gold n (nn, ny, yn, yy), then gold y.
COUNTS = (60, 9, 4, 10, 12, 25, 8, 40)

# Items lost, won and tied in both classes; then how far 0 is, in standard deviations.
TABLES = [
    ((0, 0, 0), (0, 0, 0)),
    ((0, 0, 1), (1, 0, 0)),
    ((2, 0, 1), (0, 2, 0)),
    ((0, 0, 0), (20, 22, 158)),
    ((10, 20, 70), (5, 7, 88)),
    ((52, 23, 176), (119, 22, 147)),  # 9
    ((30, 63, 38), (5, 43, 34)),  # 6
    ((1, 0, 2), (3760, 3361, 54068)),  # 5
    ((0, 3, 1), (6364, 5517, 22959)),  # 8
    ((1, 90, 400), (2, 60, 50)),  # 10
    ((1100, 1400, 250_000), (1000, 1216, 750_000)),  # 8
    ((38_932_289, 38_979_340, 25e7), (38_932_289, 38_969_340, 75e7)),  # 7
]
# Right and wrong items of both classes, for either system.
OTHER_ITEMS = [
    ([(0, 0), (0, 0)], [(0, 0), (0, 0)]),
    ([(1, 0), (0, 2)], [(0, 1), (1, 1)]),
    ([(0, 0), (130, 70)], [(0, 0), (126, 74)]),
    ([(40, 10), (60, 10)], [(25, 25), (30, 40)]),  # 6
    ([(90, 10), (95, 5)], [(60, 40), (50, 50)]),  # 9
    ([(2, 1), (43_513, 24_066)], [(1, 2), (42_650, 24_929)]),  # 5
    ([(400_000, 100_000)] * 2, [(398_000, 102_000)] * 2),  # 7
    ([(4e8, 1e8)] * 2, [(4e8 + 5e4, 1e8 - 5e4)] * 2),  # 6
]


def over_logit(a, b, extra=lambda x: 1):
    """Integrate x^a (1-x)^b extra(x) over the logit of x."""
    middle, width = mp.log(mp.mpf(a) / b), mp.sqrt(1 / mp.mpf(a) + 1 / mp.mpf(b))

    def f(z):
        x, y = 1 / (1 + mp.exp(-z)), 1 / (1 + mp.exp(z))
        return x**a * y**b * extra(x)

    # The trapezoid rule: such integrands fall off on both sides.
    return mp.fsum(f(middle + k * width / 5) for k in range(-320, 321)) * width / 5


def gains(lost, won, tied):
    """Density of y - x at 0: the integral over t of the density at x = y = t."""
    with mp.workdps(25):
        integral = over_logit(lost + won - 1, tied) / mp.mpf(2) ** (lost + won - 1)
        gammas = mp.loggamma(lost) + mp.loggamma(won) + mp.loggamma(tied)
        return float(mp.log(integral) + mp.loggamma(lost + won + tied) - gammas)


def rates(first, second):
    """Density of equal rates: the integral of both densities."""
    with mp.workdps(25):
        integral = over_logit(first[0] + second[0] - 1, first[1] + second[1] - 1)
        return float(mp.log(integral / (mp.beta(*first) * mp.beta(*second))))


def f1(first, second):
    """Density of equal F1: F = 2U/(1+U), so that dF/dU = 2/(1+U)²."""
    (a, b), (c, d) = ((x[0] + 1, x[1] + x[2] + 2) for x in (first, second))
    with mp.workdps(25):
        integral = over_logit(a + c - 1, b + d - 1, lambda u: (1 + u) ** 2 / 2)
        return float(mp.log(integral / (mp.beta(a, b) * mp.beta(c, d))))


def class_parameters(classes, items):
    """Parameters (class, lost won tied) of random classes, and of their shares."""
    rng = np.random.default_rng(classes + items)
    prior = np.array([classes - 1, classes - 1, classes**2 - 2 * classes + 2])
    counts = rng.multinomial(items, [0.1, 0.12, 0.78], size=classes)
    return (counts + prior).astype(float), counts.sum(axis=1) + 1.0, rng


def plain_draws(classes, items):
    """Density of no difference by plain draws near 0, and its relative error."""
    parts, shares, rng = class_parameters(classes, items)
    n = 400_000
    drawn = np.zeros(n)
    weights = rng.standard_gamma(shares, size=(n, classes))
    for weight, part in zip(weights.T, parts, strict=True):
        lost, won, tied = rng.standard_gamma(part[:, np.newaxis], size=(3, n))
        drawn += weight * (won - lost) / (lost + won + tied)
    drawn /= weights.sum(axis=1)
    window = 0.1 * drawn.std()
    share = np.mean(np.abs(drawn) < window)
    return [log(share / window / 2), float(np.sqrt((1 - share) / share / n))]


def paired(positive, negative, *, strength):
    """Density of equal accuracies on the same items, by quadrature."""
    prior = np.array([1, 1, 2]) * strength
    shares = sum(positive) + strength, sum(negative) + strength
    return quadrature.paired(
        np.array(positive) + prior, np.array(negative) + prior, shares
    )


def unpaired(first, second, *, strength):
    """Density of equal accuracies on other items, by quadrature."""
    a, b = (np.array(x) + strength for x in (first, second))
    shares = np.sum(first, axis=1) + strength
    return quadrature.unpaired((*a.T, shares), (*b.T, shares))


def items_of(counts, method):
    """Items as `paired` or `unpaired` take them, of the eight cells."""
    n, p = np.array(counts[:4]), np.array(counts[4:])
    if method == "paired":
        parts = (p[2], p[1], p[0] + p[3]), (n[1], n[2], n[0] + n[3])
    else:
        parts = (
            [(p[2] + p[3], p[0] + p[1]), (n[0] + n[1], n[2] + n[3])],
            [(p[1] + p[3], p[0] + p[2]), (n[0] + n[2], n[1] + n[3])],
        )
    return [np.array(part).tolist() for part in parts]


FUNCTIONS = {
    function.__name__: function
    for function in (gains, rates, f1, plain_draws, paired, unpaired)
}
STORED = json.loads(PATH.read_text()) if PATH.exists() else {}


def key_of(name, arguments, settings):
    return json.dumps([name, arguments, settings])


def oracle(name, *arguments, **settings):
    """Return a stored value, or compute it."""
    stored = STORED.get(key_of(name, arguments, settings))
    return compute(name, *arguments, **settings) if stored is None else stored


def compute(name, *arguments, **settings):
    return FUNCTIONS[name](*arguments, **settings)


def cases():
    """Name and arguments of all that is stored."""
    yield from (("gains", case, {}) for case in product(LOST, WON, TIED))
    yield from (("rates", case, {}) for case in product(BETAS, repeat=2))
    yield from (("f1", case, {}) for case in product(FIRST_F1, SECOND_F1))
    yield from (("plain_draws", case, {}) for case in product(CLASSES, ITEMS))
    usual = {"strength": 1.0}
    yield from (("paired", case, usual) for case in TABLES)
    yield from (("unpaired", case, usual) for case in OTHER_ITEMS)
    for method in ("paired", "unpaired"):
        yield method, tuple(items_of(COUNTS, method)), usual


def main():
    """Compute and store all cases."""
    values = {key_of(*case): compute(case[0], *case[1], **case[2]) for case in cases()}
    PATH.write_text(json.dumps(values, indent=0) + "\n")


if __name__ == "__main__":
    main()
