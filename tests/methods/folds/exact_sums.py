"""Log density of the sum of two Student variables by mpmath, in 20 digits.

``python -m tests.methods.folds.exact_sums`` computes it at all arguments anew, in half
a minute, and writes it to exact_sums.json.
"""

import json
from pathlib import Path

import mpmath as mp
import numpy as np

FILE = Path(__file__).with_name("exact_sums.json")


def exact(gap, ratio, inner_df, outer_df):
    """Return the log density of the sum, by mpmath, between cuts around both peaks."""
    with mp.workdps(20):
        x, r, a, b = map(mp.mpf, (gap, ratio, inner_df, outer_df))

        def height(df):
            return mp.gammaprod([(df + 1) / 2], [df / 2]) / mp.sqrt(df * mp.pi)

        def density(y):
            inner = (1 + y * y / a) ** (-(a + 1) / 2)
            return inner * (1 + ((x - y) / r) ** 2 / b) ** (-(b + 1) / 2)

        far = [mp.mpf(s) * mp.mpf(9) ** k for k in range(6) for s in (-1, 1)]
        cuts = sorted({mp.mpf(0), x, *far, *(x + r * step for step in far)})
        whole = mp.quad(density, [-mp.inf, *cuts, mp.inf], maxdegree=6)
        return float(mp.log(whole * height(a) * height(b) / r))


def arguments(seed, n, *, gaps, ratios):
    """Draw arguments, each even in its logarithm."""
    rng = np.random.default_rng(seed)
    gap = 10 ** rng.uniform(*gaps, n) * rng.choice([0, 1, 1, 1, -1], n)
    ratio = 10 ** rng.uniform(*ratios, n)
    inner = rng.choice([1.0, 2, 3, 8, 28, 98, 998], n)
    outer = 1 + 10 ** rng.uniform(-4, np.log10(1999), n)
    return gap, ratio, inner, outer


# Where the posterior has its mass; then further and further out. The last number is
# the largest error of a logarithm.
REGIONS = {
    "like widths": ((-2, 1), (-1, 1), 1e-6),
    "a narrow population": ((-2, 1), (-3, -1), 1e-4),
    "a wide population": ((-2, 2), (1, 3), 1e-4),
    "far apart": ((1, 2), (-1, 1), 2e-3),
    "very far apart": ((2, 4), (-3, 3), 0.1),
    "a spike": ((-2, 4), (-7, -3), 0.1),
    "a plain": ((-2, 4), (3, 5), 2e-3),
}


def arguments_of(region):
    """Draw the arguments of a region at which the density is stored."""
    gaps, ratios, _ = REGIONS[region]
    return arguments(0, 7, gaps=gaps, ratios=ratios)


def exact_values(region):
    """Compute the log density at the arguments of a region."""
    return [exact(*row) for row in zip(*arguments_of(region), strict=True)]


def main():
    """Compute the log density for all regions, and write it to the file."""
    values = {region: exact_values(region) for region in REGIONS}
    FILE.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
