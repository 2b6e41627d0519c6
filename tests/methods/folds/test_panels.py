import numpy as np
import pytest
from scipy import special, stats

from likelier.methods.folds.panels import (
    ORDER,
    Panels,
    integrate,
    partial_weights,
    worst_panels,
)

# Each line has a peak of its own centre and width, narrow ones among them.
CENTRES = np.array([0.0, 0.3, -2.7, 4.99])
WIDTHS = np.array([1.0, 0.01, 0.2, 1e-3])


def log_normal(x, line):
    return stats.norm.logpdf(x, CENTRES[line], WIDTHS[line]) + np.log(WIDTHS[line])


def whole_lines(count, low, high):
    line = np.arange(count)
    return line, np.full(count, low), np.full(count, high)


def test_partial_weights_integrate_polynomials_exactly():
    nodes, _ = np.polynomial.legendre.leggauss(ORDER)
    cuts = np.array([-1.0, -0.7, 0.0, 0.123, 0.9, 1.0])
    for power in range(ORDER):
        values = nodes**power
        below = partial_weights(cuts, lower=True) @ values
        above = partial_weights(cuts, lower=False) @ values
        exact = (cuts ** (power + 1) - (-1.0) ** (power + 1)) / (power + 1)
        whole = (1 - (-1.0) ** (power + 1)) / (power + 1)
        assert below == pytest.approx(exact, abs=1e-13)
        assert above == pytest.approx(whole - exact, abs=1e-13)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_integrals_are_as_good_as_they_say(tolerance):
    # Enough panels at first for each peak to lie near points of one of them.
    line, low, high = (np.repeat(part, 64) for part in whole_lines(4, -5.0, 5.0))
    index = np.tile(np.arange(64), 4)
    low, high = low + index * 10 / 64, low + (index + 1) * 10 / 64
    panels, errors = integrate(log_normal, line, low, high, tolerance=tolerance)
    masses = np.bincount(panels.line, panels.masses.sum(axis=1))
    ends = special.ndtr((5 - CENTRES) / WIDTHS) - special.ndtr((-5 - CENTRES) / WIDTHS)
    whole = WIDTHS * ends
    assert errors.sum() <= tolerance * whole.sum()
    assert np.abs(masses - whole).sum() <= max(errors.sum(), 1e-13)


def test_panels_cover_their_lines_once():
    line, low, high = whole_lines(4, -5.0, 5.0)
    panels, _ = integrate(log_normal, line, low, high, tolerance=1e-6)
    for number in range(4):
        own = panels.select(panels.line == number)
        order = np.argsort(own.low)
        assert (own.low[order[0]], own.high[order[-1]]) == (-5.0, 5.0)
        assert np.array_equal(own.high[order[:-1]], own.low[order[1:]])


def test_parts_below_and_above_a_cut():
    line, low, high = whole_lines(1, -8.0, 8.0)
    panels, _ = integrate(log_normal, line, low, high, tolerance=1e-9)
    for cut in (-20.0, -2.0, -0.3, 0.0, 1.7, 20.0):
        cuts = np.full(len(panels.line), cut)
        below, above = panels.below(cuts).sum(), panels.above(cuts).sum()
        assert below == pytest.approx(special.ndtr(cut), abs=1e-8)
        assert above == pytest.approx(special.ndtr(-cut), abs=1e-8)


def test_a_narrow_peak_between_points_is_found():
    """Steep sides tell of it: a peak of a hundredth of the panel."""
    at = np.array([0.37123])

    def log_f(x, line):
        return -0.5 * ((x - at[line]) / 5e-3) ** 2

    panels, _ = integrate(log_f, *whole_lines(1, -1.0, 1.0), tolerance=1e-6)
    exact = 5e-3 * np.sqrt(2 * np.pi)
    assert panels.masses.sum() == pytest.approx(exact, rel=1e-5)


def test_mass_of_other_lines_saves_panels_of_light_lines():
    line, low, high = whole_lines(4, -5.0, 5.0)
    alone, _ = integrate(log_normal, line, low, high, tolerance=1e-8)
    fewer, _ = integrate(
        log_normal, line, low, high, tolerance=1e-8, least_integral=1e6
    )
    assert len(fewer.line) < len(alone.line)


def test_worst_chooses_most_of_the_error():
    errors = np.array([1.0, 1e-3, 5.0, 1e-9])
    assert worst_panels(errors, 1.0).tolist() == [True, False, True, False]
    assert not worst_panels(errors, 10.0).any()


def test_joined_panels_keep_their_masses():
    line, low, high = whole_lines(2, -1.0, 1.0)
    logs = np.zeros((2, ORDER))
    both = Panels(line, low, high, logs).join(Panels(line, low, high, logs))
    assert both.masses.sum() == pytest.approx(8)
    assert both.select(np.array([True, False, False, True])).line.tolist() == [0, 1]
