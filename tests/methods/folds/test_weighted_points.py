import numpy as np
import pytest
from scipy import integrate, optimize, special, stats
from tests.methods.folds.dense import fold_likelihood, law_of, prior_of_nu, student
from tests.methods.folds.fold_tables import drawn, table_of

from likelier.methods.folds import refinement
from likelier.methods.folds.fold_likelihood import (
    FoldMeans,
    RopeRegion,
    log_prior_tails,
)
from likelier.methods.folds.hierarchical_folds import standardise
from likelier.methods.folds.refinement import solve


def test_prior_of_nu_with_shape_and_rate_integrated_out():
    nu = np.array([1e-6, 1e-3, 0.1, 1.0, 7.0, 30.0, 100.0, 400.0, 2000.0])
    expected = [np.log(prior_of_nu(x) * x) for x in nu]
    assert log_prior_tails(np.log(nu)) == pytest.approx(expected, abs=1e-5)


def test_prior_of_nu_is_a_density():
    logs = np.linspace(np.log(1e-6), np.log(5000), 2001)
    density = np.exp(log_prior_tails(logs))
    assert integrate.trapezoid(density, logs) == pytest.approx(1, abs=2e-6)


@pytest.mark.parametrize("rho", [0.0, 0.1, 1 / 3])
@pytest.mark.parametrize("n", [3, 5, 10])
def test_sigma_integrated_out_of_normal_folds_leaves_a_student_law(n, rho):
    folds = np.random.default_rng(n).normal(0.3, 1.0, n)
    law = law_of(folds, rho)
    delta = law[1] + law[2] * np.array([0.0, 0.5, -1.0, 2.0, -3.0])
    logs = fold_likelihood(folds, rho, delta, 1000 * folds.std())
    gap = logs - student(delta, *law)
    assert gap == pytest.approx(gap[0], abs=1e-4 if n == 3 else 1e-6)


def test_standardised_folds_are_that_law_in_units_of_the_mean_sd():
    folds = [*drawn(3, sets=2, folds=10), *drawn(4, sets=1, folds=4)]
    means, unit = standardise(table_of(folds))
    assert unit == pytest.approx(np.mean([x.std() for x in folds]))
    laws = np.array([law_of(x, 1 / len(x)) for x in folds]).T
    assert means.df.tolist() == [8, 8, 2]
    assert means.centre * unit == pytest.approx(laws[1])
    assert means.scale * unit == pytest.approx(laws[2])
    largest = max(np.abs(x).max() for x in folds)
    assert means.delta_bound * unit == pytest.approx(largest)
    among = np.std([x.mean() for x in folds])
    assert means.sigma_bound * unit == pytest.approx(1000 * among)


def test_the_stretch_wins_as_far_as_it_says():
    region = RopeRegion(-0.3, 0.7)
    spread, tails = np.log([0.05, 0.3, 0.6]), np.log([0.5, 9.0, 100.0])
    reach = region.reach(spread, tails)
    for sigma, nu, far in zip(np.exp(spread), 1 + np.exp(tails), reach, strict=True):
        law = stats.t(nu, region.middle + far, sigma)
        inside, above = law.cdf(0.7) - law.cdf(-0.3), law.sf(0.7)
        assert inside == pytest.approx(above, abs=1e-9)


def test_beyond_the_kink_the_stretch_never_wins():
    region, tails = RopeRegion(-1.0, 1.0), np.log([0.5, 9.0, 100.0])
    kink = region.kinks(tails, 9.0)[:, 0]
    for sigma, nu in zip(np.exp(kink), 1 + np.exp(tails), strict=True):
        assert stats.t.cdf(-1, nu, 0, sigma) == pytest.approx(1 / 3)
    assert np.all(region.reach(kink + 1e-6, tails) == 0)
    assert np.all(region.reach(kink - 1e-2, tails) > 0)
    assert np.all(np.isneginf(RopeRegion(0.2, 0.2).kinks(tails, 9.0)))


def test_where_the_stretch_ceases_to_win_at_the_bounds_of_delta0():
    region, tails = RopeRegion(-1.0, 1.2), np.log([0.5, 9.0, 100.0])
    _, high, low = region.kinks(tails, 0.7).T
    assert region.reach(high, tails) == pytest.approx([0.6] * 3, abs=1e-6)
    assert region.reach(low, tails) == pytest.approx([0.8] * 3, abs=1e-6)
    assert np.all(np.isneginf(region.kinks(tails, 1.3)[:, 2]))


def test_very_precise_data_sets_leave_the_population_alone():
    """Exact differences: the likelihood of (delta0, sigma0, nu) is a product of t."""
    centre = np.array([-1.0, 0.2, 0.4, 1.5, 0.1])
    n = len(centre)
    means = FoldMeans(centre, np.full(n, 1e-4), np.full(n, 500.0), 4.0, 1000.0)
    points = solve(means, RopeRegion(-0.5, 0.5), tolerance=1e-5)
    shares = points.shares(RopeRegion(-0.5, 0.5))
    expected = _shares_of_exact_means(centre, bound=4.0, widest=1000.0, half=0.5)
    assert shares == pytest.approx(expected, abs=4e-3)


def _shares_of_exact_means(centre, *, bound, widest, half):
    delta = np.linspace(-bound, bound, 401)
    spread = np.linspace(np.log(1e-3), np.log(widest), 141)
    tails = np.linspace(np.log(1e-5), np.log(2000), 31)
    shares = np.zeros(3)
    for tail in tails:
        nu = 1 + np.exp(tail)
        sigma = np.exp(spread)[:, None]
        logs = sum(student(c, nu, delta, sigma) for c in centre) + spread[:, None]
        weight = np.exp(logs + log_prior_tails(np.array([tail])))
        below = special.stdtr(nu, (-half - delta) / sigma)
        above = special.stdtr(nu, (delta - half) / sigma)
        winner = np.argmax([below, 1 - below - above, above], axis=0)
        shares += [weight[winner == region].sum() for region in range(3)]
    return shares / shares.sum()


def test_a_finer_quadrature_moves_the_shares_by_no_more_than_the_error():
    means, unit = standardise(table_of(drawn(5, sets=2)))
    region = RopeRegion(-0.01 / unit, 0.01 / unit)
    coarse, fine = (solve(means, region, tolerance=t) for t in (1e-2, 1e-5))
    gap = np.abs(np.subtract(coarse.shares(region), fine.shares(region))).max()
    assert gap <= coarse.error
    assert fine.error < coarse.error
    assert fine.masses.size > coarse.masses.size


def test_panels_that_seemed_light_are_added_beside_heavy_ones(monkeypatch):
    means, unit = standardise(table_of(drawn(5, sets=2)))
    region = RopeRegion(-0.01 / unit, 0.01 / unit)
    usual = solve(means, region, tolerance=1e-3)
    # Only panels within a factor of 3 of the heaviest are integrated at first.
    monkeypatch.setattr(refinement, "NEGLIGIBLE", 1.0)
    grown = solve(means, region, tolerance=1e-3)
    gap = np.abs(np.subtract(usual.shares(region), grown.shares(region))).max()
    assert gap <= usual.error + grown.error


def test_masses_are_probabilities():
    means, _ = standardise(table_of(drawn(6, sets=3)))
    points = solve(means, RopeRegion(0.0, 0.0), tolerance=1e-3)
    assert points.masses.min() >= 0
    assert points.masses.sum() == pytest.approx(1)


def test_the_kink_is_where_a_third_lies_on_each_side():
    region = RopeRegion(-0.2, 0.2)
    tails = np.array([np.log(3.0)])

    def third(log_sigma):
        return stats.t.cdf(-0.2, 4.0, 0, np.exp(log_sigma)) - 1 / 3

    assert region.kinks(tails, 9.0)[0, 0] == pytest.approx(
        optimize.brentq(third, -5, 5)
    )
