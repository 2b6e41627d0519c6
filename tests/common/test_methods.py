"""Properties that every method has."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import FEW, QUICK, focus, label_tables, random_labels

import likelier as lk
from likelier import Outcomes, methods, metrics
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier.decision import ThreeProbabilities
from likelier.interval import Rope
from likelier.streams import Streams

POSTERIOR = {
    "paired": methods.Paired(),
    "paired uniform": methods.Paired("uniform"),
    "paired objective": methods.Paired("objective"),
    "paired bootstrap": methods.Paired("bootstrap"),
    "unpaired": methods.Unpaired(),
    "unpaired uniform": methods.Unpaired("uniform"),
    "unpaired objective": methods.Unpaired("objective"),
    "unpaired bootstrap": methods.Unpaired("bootstrap"),
}
# Only the totals of each system: these need a metric that has a law.
BY_TOTALS = {
    "independent": methods.Independent(),
    "monte-carlo": methods.MonteCarlo(),
}
DRAWN_NULL = {
    "bootstrap": methods.Bootstrap(),
    "bootstrap ties": methods.Bootstrap(ties=True),
    "bootstrap two-sided": methods.Bootstrap(alternative="two-sided"),
    "bootstrap greater": methods.Bootstrap(alternative="greater"),
    "bootstrap less": methods.Bootstrap(alternative="less"),
    "randomization draws": methods.Randomization(exact=False),
}
EXACT_NULL = {
    "randomization": methods.Randomization(),
    "mcnemar": methods.McNemar(),
    "mcnemar-midp": methods.McNemar(mid_p=True),
    "sign": methods.SignTest(),
    "s-test": methods.STest(),
    "p-test": methods.PTest(),
}
NULL = DRAWN_NULL | EXACT_NULL
SAMPLING = {"bootstrap": methods.Bootstrap()}
# All classes at once: compare_groups() asks it, and tests/methods tests it.
JOINT = {"hierarchical": methods.HierarchicalClasses()}
CREDIBLE = {"counts": methods.ExactLaw(), "paired": methods.Paired()}

# One metric of each shape: linear, one class, averaged, formula of its own.
SHAPES = ["accuracy", "f1", "macro_f1", "samples_f1", "mcc", "error_rate"]


def by_name(table):
    return pytest.mark.parametrize("method", table.values(), ids=table.keys())


def posterior(method, table, name, *, draws=500, seed=0, workers=1):
    streams = Streams.of(seed, draws=draws, workers=workers)
    return method.posterior(focus(table, name), metrics.named(name), streams)


def null(method, table, name="accuracy", *, draws=500, seed=0, workers=1):
    streams = Streams.of(seed, draws=draws, workers=workers)
    return method.null(focus(table, name), metrics.named(name), streams)


def sampling(method, table, name, *, draws=500, seed=0, workers=1):
    streams = Streams.of(seed, draws=draws, workers=workers)
    return method.estimate(focus(table, name), metrics.named(name), streams).values


def same(first, second):
    return first.values.tobytes() == second.values.tobytes()


def test_no_method_is_left_out():
    # DeLong's test is of one metric only, and has its own tests.
    alone = {"delong": methods.DeLong()}
    tables = (POSTERIOR, BY_TOTALS, NULL, SAMPLING, CREDIBLE, JOINT, alone)
    classes = {type(method).__name__ for table in tables for method in table.values()}
    items = {
        name
        for name in methods.__all__
        if getattr(methods, name).__module__.startswith("likelier.methods.items")
    }

    assert classes == items - {"has_law"}
    assert {*POSTERIOR_METHODS} <= {*POSTERIOR, *BY_TOTALS}
    assert {*NULL_METHODS} <= {*NULL, *alone}


@by_name(POSTERIOR)
def test_posterior_draws_do_not_know_the_order_of_items(method):
    table = random_labels(3, n=60)
    mixed = table.taken(np.random.default_rng(0).permutation(60)).outcomes()
    for name in SHAPES:
        one = posterior(method, table.outcomes(), name)
        other = posterior(method, mixed, name)

        assert same(one.difference, other.difference)
        assert all(map(same, one.systems, other.systems))


@by_name(NULL)
def test_nulls_do_not_know_the_order_of_items(method):
    table = random_labels(4, n=60)
    mixed = table.taken(np.random.default_rng(0).permutation(60))

    assert null(method, table.outcomes()) == null(method, mixed.outcomes())


@pytest.mark.parametrize("name", SHAPES)
def test_sampling_draws_do_not_know_the_order_of_items(name):
    table = random_labels(5, n=60)
    mixed = table.taken(np.random.default_rng(0).permutation(60))
    method = methods.Bootstrap()

    assert same(
        sampling(method, table.outcomes(), name),
        sampling(method, mixed.outcomes(), name),
    )


@by_name(POSTERIOR)
@pytest.mark.parametrize("name", ["accuracy", "f1", "macro_f1"])
def test_swapping_systems_mirrors_the_posterior(method, name):
    table = random_labels(6, n=80).outcomes()
    one = posterior(method, table, name, draws=8000).difference
    other = posterior(method, table.swapped().merged(), name, draws=8000).difference
    error = 5 * np.hypot(one.mcse(), other.mcse())

    assert abs(one.mean() + other.mean()) < error
    assert one.share_above(0) == pytest.approx(other.share_below(0), abs=0.04)
    assert one.std() == pytest.approx(other.std(), rel=0.06)


@FEW
@given(table=label_tables(items=(1, 25)))
def test_swapping_systems_leaves_an_exact_p_value(table):
    for method in EXACT_NULL.values():
        here = null(method, table.outcomes())
        there = null(method, table.outcomes().swapped().merged())

        assert here.p_value == pytest.approx(there.p_value, rel=1e-12)
        assert here.statistic == pytest.approx(-there.statistic)


@by_name(DRAWN_NULL)
@pytest.mark.parametrize("name", ["accuracy", "f1", "macro_f1"])
def test_swapping_systems_leaves_a_drawn_p_value(method, name):
    table = random_labels(7, n=60).outcomes()
    mirrored = method
    if getattr(method, "alternative", None) in ("greater", "less"):
        turned = {"greater": "less", "less": "greater"}[method.alternative]
        mirrored = replace(method, alternative=turned)
    one = null(method, table, name, draws=8000)
    other = null(mirrored, table.swapped().merged(), name, draws=8000, seed=1)

    assert one.statistic == -other.statistic
    assert abs(one.p_value - other.p_value) <= 5 * np.hypot(one.mcse, other.mcse)


@QUICK
@given(table=label_tables(), half=st.sampled_from([None, 0.0, 0.01, 0.2]))
def test_probabilities_sum_to_one(table, half):
    rope = None if half is None else Rope.of(half)
    for method in POSTERIOR.values():
        drawn = posterior(method, table.outcomes(), "accuracy", draws=50).difference
        p = ThreeProbabilities.of(drawn, rope)

        assert p.worse + p.equivalent + p.better == pytest.approx(1, abs=1e-15)
        assert min(p.worse, p.equivalent, p.better) >= 0
        assert p.equivalent == 0 or rope is not None


@FEW
@given(table=label_tables(), name=st.sampled_from(SHAPES))
def test_draws_of_a_posterior_lie_in_the_bounds(table, name):
    low, high = metrics.named(name).bounds
    for method in POSTERIOR.values():
        for system in posterior(method, table.outcomes(), name, draws=100).systems:
            assert np.isfinite(system.values).all()
            assert system.values.min() >= low
            assert system.values.max() <= high


@FEW
@given(table=label_tables())
def test_a_p_value_is_a_probability_and_never_0(table):
    for method in NULL.values():
        assert 0 < null(method, table.outcomes(), draws=60).p_value <= 1


# --- methods that use totals only ------------------------------------------


@by_name(BY_TOTALS)
@pytest.mark.parametrize("name", ["accuracy", "error_rate", "f1", "recall", "f2"])
def test_totals_depend_on_neither_order_nor_side(method, name):
    table = random_labels(21, n=80, right=(0.5, 0.6))
    mixed = table.taken(np.random.default_rng(0).permutation(80)).outcomes()
    here = posterior(method, table.outcomes(), name, draws=8000).difference
    again = posterior(method, mixed, name, draws=8000).difference
    there = posterior(method, mixed.swapped().merged(), name, draws=8000).difference
    near = 0 if here.n_draws == 0 else 0.04

    assert here.mean() == again.mean()
    assert here.share_above(0.01) == again.share_above(0.01)
    assert here.share_above(0) == pytest.approx(there.share_below(0), abs=near + 1e-9)
    assert here.mean() == pytest.approx(-there.mean(), abs=near / 4 + 1e-9)
    assert here.share_above(0) + here.share_below(0) == pytest.approx(1, abs=1e-9)


@by_name(BY_TOTALS)
@pytest.mark.parametrize("name", ["accuracy", "f1"])
def test_totals_of_a_system_against_itself(method, name):
    table = random_labels(22)
    twice = table._replace(predictions=table.predictions[:1] * 2).outcomes()
    drawn = posterior(method, twice, name, draws=2000).difference

    p = ThreeProbabilities.of(drawn, None)
    assert p.better == pytest.approx(0.5, abs=1e-9)
    assert p.worse == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("name", ["accuracy", "error_rate", "f1", "precision", "f2"])
def test_the_exact_difference_is_that_of_draws(name):
    table = random_labels(23, n=100, right=(0.5, 0.6)).outcomes()
    exact = posterior(methods.Independent(), table, name).difference
    drawn = posterior(methods.MonteCarlo(), table, name, draws=20_000).difference

    assert exact.mean() == pytest.approx(drawn.mean(), abs=5 * drawn.mcse())
    assert exact.std() == pytest.approx(drawn.std(), rel=6 / np.sqrt(2 * 20_000))
    for x in (-0.1, 0.0, 0.05):
        share = drawn.share_above(x)
        error = 5 * np.sqrt(share * (1 - share) / 20_000) + 1e-4
        assert exact.share_above(x) == pytest.approx(share, abs=error)


@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_draws_of_totals(seed):
    method, table = methods.MonteCarlo(), random_labels(24).outcomes()
    one, again, other = (
        posterior(method, table, "f1", draws=2000, seed=s).difference
        for s in (seed, seed, seed + 1)
    )

    assert same(one, again)
    assert not np.isin(one.values, other.values).any()
    assert abs(np.corrcoef(one.values, other.values)[0, 1]) < 4 / np.sqrt(2000)
    two = posterior(method, table, "f1", draws=20_000, seed=seed, workers=2)
    expected = posterior(method, table, "f1", draws=20_000, seed=seed)
    assert same(two.difference, expected.difference)


@by_name(BY_TOTALS)
def test_what_has_no_law_is_refused(method):
    with pytest.raises(lk.LikelierError, match="law"):
        posterior(method, random_labels(25).outcomes(), "macro_f1")


# --- seeds and workers ------------------------------------------------------


@by_name(POSTERIOR)
@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_posterior(method, seed):
    table = random_labels(8).outcomes()
    one, again = (posterior(method, table, "macro_f1", seed=seed) for _ in range(2))
    other = posterior(method, table, "macro_f1", seed=seed + 1)

    assert same(one.difference, again.difference)
    assert not np.isin(one.difference.values, other.difference.values).any()


@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_bootstrap(seed):
    table, method = random_labels(8, n=999).outcomes(), methods.Bootstrap()
    one, again = (sampling(method, table, "f1", seed=seed) for _ in range(2))

    assert same(one, again)
    assert not same(one, sampling(method, table, "f1", seed=seed + 1))


@by_name(DRAWN_NULL)
@pytest.mark.parametrize("seed", [0, 7])
def test_the_same_seed_gives_the_same_p_value(method, seed):
    table = random_labels(9).outcomes()
    one, again = (null(method, table, "f1", seed=seed, draws=5000) for _ in range(2))
    others = {
        null(method, table, "f1", seed=s, draws=5000).p_value for s in range(20, 26)
    }

    assert one == again
    assert len(others) > 1


@by_name(POSTERIOR)
def test_workers_change_no_draw(method):
    table = random_labels(10, n=50).outcomes()
    one = posterior(method, table, "f1", draws=20_000, workers=1)
    two = posterior(method, table, "f1", draws=20_000, workers=2)

    assert same(one.difference, two.difference)


@by_name(DRAWN_NULL)
def test_workers_change_no_p_value(method):
    table = random_labels(10, n=50).outcomes()

    assert null(method, table, "f1", draws=20_000, workers=1) == null(
        method, table, "f1", draws=20_000, workers=2
    )


@by_name(POSTERIOR)
def test_neighbouring_seeds_are_not_correlated(method):
    table = random_labels(11).outcomes()
    one, other = (
        posterior(method, table, "f1", draws=4000, seed=s).difference.values
        for s in (1, 2)
    )
    for lag in (0, 1, -1):
        correlation = np.corrcoef(one, np.roll(other, lag))[0, 1]
        assert abs(correlation) < 4 / np.sqrt(4000)


def test_neighbouring_seeds_share_no_resample():
    table = Outcomes.from_scores(*np.random.default_rng(0).random((2, 300)))
    method = methods.Bootstrap()
    one, other = (sampling(method, table, "mean", seed=s).values for s in (1, 2))

    assert not np.isin(one, other).any()
    assert abs(np.corrcoef(one, other)[0, 1]) < 4 / np.sqrt(500)


# --- a system against itself ------------------------------------------------


@QUICK
@given(table=label_tables(systems=1))
def test_a_system_against_itself_has_p_of_1(table):
    twice = table._replace(predictions=table.predictions * 2)
    for method in NULL.values():
        assert null(method, twice.outcomes(), draws=40).p_value == 1


@by_name(DRAWN_NULL)
def test_a_system_against_itself_has_p_of_1_on_every_metric(method):
    table = random_labels(12)
    twice = table._replace(predictions=table.predictions[:1] * 2)
    for name in SHAPES:
        assert null(method, twice.outcomes(), name).p_value == 1


@by_name(POSTERIOR)
def test_a_system_against_itself_is_as_often_better_as_worse(method):
    table = random_labels(12)
    twice = table._replace(predictions=table.predictions[:1] * 2).outcomes()
    for name, draws in product(SHAPES, (1, 500, 501)):
        drawn = posterior(method, twice, name, draws=draws).difference
        p = ThreeProbabilities.of(drawn, None)

        assert p.better == p.worse == 0.5
        assert drawn.mean() == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("method", ["paired", "unpaired"])
@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "mcc"])
def test_the_evidence_for_a_system_against_itself_is_for_equivalence(method, metric):
    table = random_labels(13, n=400)
    columns = table.gold, table.predictions[0], table.predictions[0]
    settings = {"metric": metric, "method": method, "draws": 4000, "seed": 0}
    for rope in (0.001, 0.01, 0.3):
        result = lk.compare(*columns, rope=rope, factor="rope", **settings)

        assert result.factor is not None
        assert result.factor.bf01 >= 1
        assert result.probability.worse == result.probability.better


# --- patterns against items, by slow and independent code -------------------


def slow_values(name, gold, predicted, weights):
    """A metric from labels and weights of single items; no code of the library."""
    classes = sorted(set(gold) | set(predicted))
    gold, predicted = np.array(gold), np.array(predicted)

    def counts(label):
        g, s = gold == label, predicted == label
        return (
            weights[:, g & s].sum(1),
            weights[:, ~g & s].sum(1),
            weights[:, g & ~s].sum(1),
        )

    def f1(label):
        tp, fp, fn = counts(label)
        return 2 * tp / np.maximum(2 * tp + fp + fn, 1e-300)

    if name == "accuracy":
        return weights[:, gold == predicted].sum(1) / weights.sum(1)
    if name == "f1":
        return f1("a")
    if name == "recall":
        tp, _, fn = counts("a")
        return tp / np.maximum(tp + fn, 1e-300)
    return np.mean([f1(label) for label in classes], axis=0)


def slow_differences(name, table, weights):
    first, second = (
        slow_values(name, table.gold, predicted, weights)
        for predicted in table.predictions
    )
    return second - first


def agree(drawn, slow):
    """Compare mean and standard deviation within 5 Monte-Carlo errors."""
    error = np.hypot(drawn.std() / len(drawn) ** 0.5, slow.std() / len(slow) ** 0.5)
    assert abs(drawn.mean() - slow.mean()) < 5 * error
    spread = np.hypot(
        drawn.std() / (2 * len(drawn)) ** 0.5, slow.std() / (2 * len(slow)) ** 0.5
    )
    assert abs(drawn.std() - slow.std()) < 6 * spread


SLOW = ["accuracy", "f1", "recall", "macro_f1"]


@pytest.mark.parametrize("name", SLOW)
def test_bootstrap_of_patterns_is_that_of_items(name):
    table = random_labels(14, n=50)
    rng = np.random.default_rng(1)
    picked = rng.integers(50, size=(6000, 50))
    weights = np.array([np.bincount(row, minlength=50) for row in picked], dtype=float)
    drawn = sampling(methods.Bootstrap(), table.outcomes(), name, draws=20_000)

    agree(drawn.values, slow_differences(name, table, weights))


@pytest.mark.parametrize("name", SLOW)
def test_dirichlet_weights_of_patterns_are_those_of_items(name):
    table = random_labels(15, n=50)
    weights = np.random.default_rng(2).standard_gamma(1.0, size=(20_000, 50))
    drawn = posterior(methods.Paired("bootstrap"), table.outcomes(), name, draws=20_000)

    agree(drawn.difference.values, slow_differences(name, table, weights))


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("prior", ["uniform", "objective"])
def test_a_prior_is_one_more_item_per_cell(name, prior):
    if name in ("f1", "recall"):
        table = random_labels(16, n=50, classes=2)
        k = 2
    else:
        table = random_labels(16, n=50, classes=3)
        k = 3
    rng = np.random.default_rng(3)
    cells = list(product(["a", "b", "NA"][:k], repeat=3))
    added = table.__class__(
        [*table.gold, *(c[0] for c in cells)],
        [
            [*table.predictions[0], *(c[1] for c in cells)],
            [*table.predictions[1], *(c[2] for c in cells)],
        ],
    )
    mass = 1.0 if prior == "uniform" else 1 / k**2
    shapes = np.array([1.0] * 50 + [mass] * len(cells))
    weights = rng.standard_gamma(shapes, size=(20_000, len(shapes)))
    for label in set(added.gold):  # the gold class has a Dirichlet of its own
        here = np.array(added.gold) == label
        share = rng.standard_gamma(table.gold.count(label) + 1, size=20_000)
        weights[:, here] *= (share / weights[:, here].sum(1))[:, np.newaxis]
    drawn = posterior(methods.Paired(prior), table.outcomes(), name, draws=20_000)

    agree(drawn.difference.values, slow_differences(name, added, weights))


@pytest.mark.parametrize("name", SLOW)
def test_unpaired_draws_are_those_of_two_separate_posteriors(name):
    table = random_labels(17, n=50, right=(0.5, 0.8))
    rng = np.random.default_rng(4)
    first, second = (
        slow_values(
            name, table.gold, column, rng.standard_gamma(1.0, size=(20_000, 50))
        )
        for column in table.predictions
    )
    method = methods.Unpaired("bootstrap")
    drawn = posterior(method, table.outcomes(), name, draws=20_000)

    agree(drawn.difference.values, second - first)


def exact_metric(name, gold, predicted):
    """A metric as a fraction."""
    n = len(gold)
    if name == "accuracy":
        return Fraction(sum(g == s for g, s in zip(gold, predicted, strict=True)), n)
    scores = []
    for label in ["a"] if name == "f1" else sorted({*gold, *predicted}):
        tp = sum(g == s == label for g, s in zip(gold, predicted, strict=True))
        whole = gold.count(label) + predicted.count(label)
        scores.append(Fraction(2 * tp, whole) if whole else Fraction(0))
    return sum(scores) / len(scores)


def enumerated(name, table):
    """The p-value over all swaps of items, exactly."""
    first, second = table.predictions
    observed = abs(
        exact_metric(name, table.gold, second) - exact_metric(name, table.gold, first)
    )
    differ = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    reached = 0
    for choice in product([False, True], repeat=len(differ)):
        a, b = list(first), list(second)
        for i, swap in zip(differ, choice, strict=True):
            if swap:
                a[i], b[i] = b[i], a[i]
        gap = exact_metric(name, table.gold, b) - exact_metric(name, table.gold, a)
        reached += abs(gap) >= observed
    return Fraction(reached, 2 ** len(differ))


@FEW
@given(table=label_tables(items=(1, 10), classes=(2, 3)))
def test_swaps_of_patterns_are_swaps_of_items_exactly(table):
    p = null(methods.Randomization(), table.outcomes()).p_value

    assert p == pytest.approx(float(enumerated("accuracy", table)), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["accuracy", "f1", "macro_f1"])
def test_drawn_swaps_of_patterns_are_swaps_of_items(name, seed):
    # Every class is predicted by both systems, whatever is swapped.
    table = random_labels(seed, n=14, classes=2, right=(0.4, 0.9))
    truth = float(enumerated(name, table))
    method = methods.Randomization(exact=False)
    p = null(method, table.outcomes(), name, draws=20_000).p_value

    assert abs(p - truth) < 4.5 * np.sqrt(truth * (1 - truth) / 20_000) + 1e-4
