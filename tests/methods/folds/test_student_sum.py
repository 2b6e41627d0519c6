import json

import numpy as np
import pytest
from scipy import stats
from tests.methods.folds.exact_sums import (
    FILE,
    REGIONS,
    arguments,
    arguments_of,
    exact_values,
)

from likelier.methods.folds.student_sum import log_sum_density

EXACT = json.loads(FILE.read_text(encoding="utf-8"))


def test_the_stored_values_are_those_of_mpmath():
    assert list(EXACT) == list(REGIONS)
    values = exact_values("a narrow population")
    assert values == pytest.approx(EXACT["a narrow population"], rel=1e-14)


@pytest.mark.parametrize("region", REGIONS)
def test_against_mpmath(region):
    allowed, expected = REGIONS[region][2], EXACT[region]
    drawn = arguments_of(region)
    assert np.abs(log_sum_density(*drawn) - expected).max() < allowed
    # More points help everywhere: it is an integral, not a fit.
    fine = np.abs(log_sum_density(*drawn, points=160) - expected).max()
    assert fine < max(1e-9, 2e-3 * allowed)


@pytest.mark.parametrize("ratio", [1e-2, 0.3, 1.0, 7.0, 100.0])
def test_cauchy_and_cauchy_is_cauchy(ratio):
    gap = np.array([0.0, 0.1, -1.0, 5.0, 30.0])
    expected = stats.cauchy.logpdf(gap, scale=1 + ratio)
    assert log_sum_density(gap, ratio, 1.0, 1.0) == pytest.approx(expected, abs=3e-4)
    fine = log_sum_density(gap, ratio, 1.0, 1.0, points=160)
    assert fine == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("ratio", [0.1, 1.0, 10.0])
def test_many_degrees_of_freedom_are_two_normals(ratio):
    gap = np.linspace(-3, 3, 7) * np.hypot(1, ratio)
    expected = stats.norm.logpdf(gap, scale=np.hypot(1, ratio))
    assert log_sum_density(gap, ratio, 1e6, 1e6) == pytest.approx(expected, abs=1e-4)


def test_a_tiny_part_leaves_the_other():
    gap = np.array([0.0, 0.5, -2.0, 8.0])
    other = stats.t.logpdf(gap, 9)
    assert log_sum_density(gap, 1e-4, 9.0, 4.0) == pytest.approx(other, abs=2e-3)
    swapped = stats.t.logpdf(gap, 9, scale=1e4)
    assert log_sum_density(gap, 1e4, 4.0, 9.0) == pytest.approx(swapped, abs=2e-3)


def test_it_integrates_to_one_over_the_gap():
    nodes, weights = np.polynomial.legendre.leggauss(200)
    edge = np.arcsinh(1e7)
    gap = np.sinh(edge * nodes)
    steps = edge * weights * np.cosh(edge * nodes)
    for ratio, inner, outer in [(0.2, 8, 3.0), (1.0, 3, 30.0), (5.0, 98, 2.0)]:
        whole = steps @ np.exp(log_sum_density(gap, ratio, float(inner), outer))
        assert whole == pytest.approx(1, abs=1e-4)


def test_signs_shapes_and_blocks_do_not_matter():
    gap, ratio, inner, outer = arguments(1, 10_000, gaps=(-2, 2), ratios=(-2, 2))
    whole = log_sum_density(gap, ratio, inner, outer)
    assert np.array_equal(whole, log_sum_density(-gap, ratio, inner, outer))
    table = [part.reshape(100, 100) for part in (gap, ratio, inner, outer)]
    assert np.array_equal(whole.reshape(100, 100), log_sum_density(*table))
    alone = [log_sum_density(gap[i], ratio[i], inner[i], outer[i]) for i in range(50)]
    assert whole[:50] == pytest.approx(np.array(alone), abs=1e-12)
    assert log_sum_density(np.empty(0), 1.0, 1.0, 1.0).shape == (0,)
