"""Tables of densities: against integrals and mpmath, and what rests on them."""

import json

import numpy as np
import pytest
from scipy import stats
from tests.methods.folds.exact_sums import FILE, arguments_of
from tests.methods.folds.fold_tables import ROPE, drawn, population

from likelier.methods.folds import fold_likelihood, refinement
from likelier.methods.folds.density_table import DensityTable, density_table
from likelier.methods.folds.student_sum import log_sum_density

EXACT = json.loads(FILE.read_text(encoding="utf-8"))
UNEQUAL = [*drawn(1, sets=3, folds=5), *drawn(2, sets=3), *drawn(3, sets=1, folds=20)]


def looked_up(table, gap, log_ratio):
    return table.log_density(np.atleast_1d(gap)[:, None], np.atleast_1d(log_ratio))


@pytest.mark.parametrize("region", ["like widths", "a narrow population"])
def test_against_mpmath(region):
    rows = zip(*arguments_of(region), EXACT[region], strict=True)
    for gap, ratio, inner, outer, expected in rows:
        table = DensityTable(inner, outer)
        assert looked_up(table, gap, np.log(ratio)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("df", [1.0, 8.0, 98.0])
@pytest.mark.parametrize("nu", [1.001, 3.0, 40.0, 2001.0])
def test_against_integrals(df, nu):
    rng = np.random.default_rng(0)
    log_ratio = rng.uniform(-4, 3, 1000)
    scale = np.hypot(1, np.exp(log_ratio))
    gap = scale * np.sinh(rng.uniform(0, 2, 1000))
    ours = looked_up(DensityTable(df, nu), gap, log_ratio)[:, 0]
    error = np.abs(ours - log_sum_density(gap, np.exp(log_ratio), df, nu, points=120))
    assert error.mean() < 2e-7
    assert error.max() < 1e-5


def test_cauchy_and_cauchy_is_cauchy():
    log_ratio, gap = np.linspace(-12, 8, 60), np.linspace(-40, 40, 60)
    expected = stats.cauchy.logpdf(gap, scale=1 + np.exp(log_ratio))
    ours = looked_up(DensityTable(1.0, 1.0), gap, log_ratio)[:, 0]
    assert ours == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("gap", "log_ratio"), [(1e4, 0.0), (-1e7, -2.0), (2.0, -40.0), (5e3, 11.5)]
)
def test_beyond_the_ends_of_a_table_stands_the_integral(gap, log_ratio):
    expected = log_sum_density(gap, np.exp(log_ratio), 8.0, 3.0, points=64)
    ours = looked_up(DensityTable(8.0, 3.0), gap, log_ratio)
    assert ours == pytest.approx(float(expected), rel=1e-12)


def test_no_digit_depends_on_what_was_looked_up_before():
    rng = np.random.default_rng(1)
    gap, log_ratio = rng.normal(0, 3, (200, 8)), rng.uniform(-6, 4, 200)
    fresh, used = DensityTable(8.0, 2.0), DensityTable(8.0, 2.0)
    for start in range(190, -10, -10):
        used.log_density(gap[start : start + 10], log_ratio[start : start + 10])
    whole = fresh.log_density(gap, log_ratio)
    assert whole.tobytes() == used.log_density(gap, log_ratio).tobytes()
    assert whole[7:9].tobytes() == used.log_density(gap[7:9], log_ratio[7:9]).tobytes()
    assert density_table(8.0, 2.0) is density_table(8.0, 2.0)


@pytest.mark.parametrize("folds", [drawn(5, sets=4), UNEQUAL])
def test_shares_from_tables_are_those_from_integrals(folds, monkeypatch):
    tabled = population(folds, tolerance=1e-3)
    monkeypatch.setattr(fold_likelihood, "_LEAST_TABLED", len(folds) + 1)
    monkeypatch.setattr(fold_likelihood, "_POINTS", 64)
    integrated = population(folds, tolerance=1e-3)
    assert tabled.shares(*ROPE) == pytest.approx(integrated.shares(*ROPE), abs=1e-6)
    assert tabled.predictive() == pytest.approx(integrated.predictive(), abs=1e-6)


def test_where_tables_are_too_coarse_densities_are_integrated(monkeypatch):
    folds = drawn(5, sets=3)
    usual = population(folds, tolerance=1e-3)
    monkeypatch.setattr(refinement, "_MOST_DENSITY_ERROR", 1e-9)
    exact = population(folds, tolerance=1e-3)
    assert exact.shares(*ROPE) == pytest.approx(usual.shares(*ROPE), abs=1e-6)
    assert 0 < usual.error - exact.error < 1e-5


def test_a_data_set_far_out_costs_no_honesty():
    folds = [*drawn(6, sets=4), drawn(7, sets=1)[0] + 40.0]
    answer = population(folds)
    assert sum(answer.shares(*ROPE)) == pytest.approx(1)
    finer = population(folds, tolerance=1e-5)
    gap = np.abs(np.subtract(answer.shares(*ROPE), finer.shares(*ROPE))).max()
    assert gap <= answer.error + finer.error
