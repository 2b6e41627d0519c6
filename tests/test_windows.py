"""The shortest window over draws against exact highest-density intervals."""

import numpy as np
import pytest
from scipy import optimize, stats

from likelier.distribution import _vertices, shortest

LAWS = {
    "normal": stats.norm(),
    "beta": stats.beta(3, 30),
    "beta turned": stats.beta(60, 4),
    "t5": stats.t(5),
    "exponential": stats.expon(),
}
by_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def exact(law, mass):
    """Find the shortest interval of a law by its quantiles."""

    def width(low):
        return law.ppf(min(low + mass, 1.0)) - law.ppf(low)

    span = {"bounds": (0, 1 - mass), "method": "bounded", "options": {"xatol": 1e-12}}
    low = optimize.minimize_scalar(width, **span).x
    return law.ppf(low), law.ppf(low + mass)


def drawn(law, rows, n, seed=0):
    rng = np.random.default_rng(seed)
    return np.sort(law.rvs(size=(rows, n), random_state=rng), axis=1)


@by_law
def test_the_mass_inside_is_the_nominal_one(law):
    inside = {0.5: [], 0.95: []}
    for seed in range(4):
        ordered = drawn(law, 1000, 2000, seed)
        for mass, masses in inside.items():
            low, high = shortest(ordered, mass)
            masses.append(law.cdf(high) - law.cdf(low))

    for mass, masses in inside.items():
        error = np.std(masses) / np.sqrt(np.size(masses))
        # .0006 at 95 %; in the flat middle of a law more draws look shortest by luck.
        most = 0.0006 if mass == 0.95 else 0.004
        assert np.mean(masses) == pytest.approx(mass, abs=most + 3 * error)
        # Not noisier than the luck of so many draws makes any window.
        assert np.std(masses) < 1.1 * np.sqrt(mass * (1 - mass) / 2000)


@by_law
def test_the_ends_are_those_of_the_law(law):
    low, high = shortest(drawn(law, 20, 50_000), 0.95)
    ends, scale = exact(law, 0.95), law.std()

    assert low.mean() == pytest.approx(ends[0], abs=0.03 * scale)
    assert high.mean() == pytest.approx(ends[1], abs=0.03 * scale)
    assert max(low.std(), high.std()) < 0.03 * scale


@pytest.mark.parametrize("name", ["normal", "t5"])
def test_the_parabola_is_steadier_than_the_bare_minimum(name):
    ordered = drawn(LAWS[name], 400, 2000)
    gaps = int(np.ceil(0.95 * 2001))
    bare = np.argmin(ordered[:, gaps:] - ordered[:, :-gaps], axis=1)
    low, _ = shortest(ordered, 0.95)

    assert low.std() < 0.9 * ordered[np.arange(400), bare].std()


def test_parabolas_are_least_squares_fits():
    rng = np.random.default_rng(0)
    x = np.linspace(-1, 1, 60)
    close = rng.random((200, 60)) < rng.uniform(0.2, 1, (200, 1)) * (x > -0.7)
    centres = rng.uniform(-0.5, 0.5, (200, 1))
    heights = np.where(close, (x - centres) ** 2 + rng.uniform(0, 0.3, (200, 60)), 0)
    vertices, curved = _vertices(x, close.astype(float), heights)
    fits = [np.polyfit(x[c], h[c], 2) for c, h in zip(close, heights, strict=True)]
    bend, slope, _ = np.transpose(fits)

    assert (curved == (bend > 0)).all()
    assert curved.mean() > 0.9
    expected = np.clip(-0.5 * slope / bend, -1, 1)
    assert vertices[curved] == pytest.approx(expected[curved], abs=1e-9)


@by_law
@pytest.mark.parametrize("n", [1, 2, 7, 30, 500])
def test_rows_are_independent(law, n):
    ordered = drawn(law, 25, n)
    together = shortest(ordered, 0.9)
    alone = [shortest(row[np.newaxis], 0.9) for row in ordered]

    for end in (0, 1):
        assert together[end].tolist() == [float(ends[end][0]) for ends in alone]


@pytest.mark.parametrize("mass", [1e-9, 0.05, 0.5, 0.95, 1 - 1e-9])
def test_few_draws_and_extreme_masses(mass):
    for n in range(1, 31):
        check_few_draws(n, mass)


def check_few_draws(n, mass):
    ordered = drawn(stats.norm(), 40, n)
    low, high = shortest(ordered, mass)
    inside = (ordered >= low[:, np.newaxis]) & (ordered <= high[:, np.newaxis])

    # The ends are draws, in order, and hold at least as many gaps as the mass needs.
    assert (low <= high).all()
    assert all(
        a in row and b in row for a, b, row in zip(low, high, ordered, strict=True)
    )
    expected = min(n - 1, np.ceil(mass * (n + 1) - 1e-9))
    assert (inside.sum(axis=1) - 1 == expected).all()


@pytest.mark.parametrize("n", [1, 2, 50, 2000])
def test_constants(n):
    low, high = shortest(np.full((3, n), 0.25), 0.95)

    assert low.tolist() == high.tolist() == [0.25] * 3


@pytest.mark.parametrize("mass", [0.3, 0.8, 0.95])
def test_ties(mass):
    # Most draws are 0: the shortest window has no width, wherever the rest lies.
    ordered = np.sort(np.r_[np.zeros(1960), np.linspace(-1, 3, 40)])[np.newaxis]
    low, high = shortest(ordered, mass)

    assert low[0] == high[0] == 0


def test_rounded_draws():
    draws = np.sort(np.round(drawn(stats.norm(), 50, 2000), 1), axis=1)
    low, high = shortest(draws, 0.95)

    assert low.mean() == pytest.approx(-1.96, abs=0.1)
    assert high.mean() == pytest.approx(1.96, abs=0.1)


@by_law
@pytest.mark.parametrize("shift", [-5.0, 1e6])
def test_windows_move_with_their_draws(law, shift):
    ordered = drawn(law, 20, 2000)
    low, high = shortest(ordered, 0.95)
    moved = shortest(shift + 4 * ordered, 0.95)

    # Rounding may turn a window into its neighbour, no more.
    assert (moved[0] - shift) / 4 == pytest.approx(low, abs=0.02)
    assert (moved[1] - shift) / 4 == pytest.approx(high, abs=0.02)


def test_two_peaks_do_not_draw_the_window_between_them():
    rng = np.random.default_rng(0)
    draws = np.r_[rng.normal(-10, 1, 6000), rng.normal(10, 1, 4000)]
    low, high = shortest(np.sort(draws)[np.newaxis], 0.5)

    assert -14 < low[0] < high[0] < -6
