"""Independent systems: exact laws, draws of them, and what has no law."""

import math

import numpy as np
import pytest

import likelier as lk
from likelier import Outcomes, laws, metrics
from likelier.errors import LikelierError, NotDefinedError
from likelier.laws import DifferenceLaw
from likelier.methods.items.exact_laws import Independent, MonteCarlo, has_law
from likelier.streams import Streams

COUNTS = {"tp": [[80, 85]], "fp": [[20, 15]], "fn": [[10, 5]]}
TABLE = Outcomes.from_statistics(COUNTS)
LABELS = Outcomes.from_labels("yynn" * 20, "ynnn" * 20, "yyyn" * 20).binary("y")
ANY = Streams.of(0, draws=20_000)


def posterior(metric, table=TABLE, method=None):
    return (method or Independent()).posterior(table, metrics.named(metric), ANY)


@pytest.mark.parametrize(
    ("metric", "law"),
    [
        ("precision", lambda tp, fp, fn: laws.precision(tp, fp)),
        ("recall", lambda tp, fp, fn: laws.recall(tp, fn)),
        ("f1", laws.f1),
        ("jaccard", laws.jaccard),
        ("f2", lambda *counts: laws.fbeta(*counts, beta=2)),
        ("f0.5", lambda *counts: laws.fbeta(*counts, beta=0.5)),
    ],
)
def test_each_system_has_the_law_of_its_counts(metric, law):
    result = posterior(metric)
    assert result.systems == (law(80, 20, 10), law(85, 15, 5))
    assert result.difference == DifferenceLaw(*result.systems)


def test_folds_are_summed():
    folds = Outcomes.from_statistics(
        {
            "tp": [[30, 40], [50, 45]],
            "fp": [[20, 5], [0, 10]],
            "fn": [[3, 5], [7, 0]],
        }
    )
    assert posterior("f1", folds) == posterior("f1")


def test_shares_of_counts():
    result = posterior("recall", TABLE.scaled(0.25))
    assert result.systems == (laws.recall(20, 2.5), laws.recall(21.25, 1.25))


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "specificity", "npv"])
def test_metrics_of_labels(metric):
    result = posterior(metric, LABELS)
    swapped = posterior(metric, LABELS.swapped())
    assert result.systems == swapped.systems[::-1]
    assert result.difference.share_above(0.0) == swapped.difference.share_below(0.0)


@pytest.mark.parametrize("kind", [Independent, MonteCarlo])
def test_fewer_errors_are_better(kind):
    table = Outcomes.from_labels("yynn" * 20, "ynnn" * 20, "yynn" * 20)
    difference = posterior("error_rate", table, kind()).difference
    assert difference.mean() > 0.2
    assert difference.share_above(0.1) > 0.99


def test_the_law_of_errors_mirrors_that_of_the_accuracy():
    error, right = posterior("error_rate", LABELS), posterior("accuracy", LABELS)
    assert error.difference.mean() == pytest.approx(right.difference.mean())
    assert error.difference.share_above(0.01) == pytest.approx(
        right.difference.share_above(0.01), abs=1e-12
    )


@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
def test_prior_is_added_to_each_count(prior):
    result = posterior("recall", method=Independent(prior))
    assert result.systems[0] == laws.recall(80, 10, prior=prior)
    assert Independent(prior).parameters(TABLE) == {"prior": prior}


@pytest.mark.parametrize("prior", [0.0, -1.0, float("nan")])
@pytest.mark.parametrize("kind", [Independent, MonteCarlo])
def test_a_prior_must_be_positive(kind, prior):
    with pytest.raises(LikelierError, match="prior"):
        posterior("recall", method=kind(prior))


def test_before_any_item_both_are_the_prior():
    prior = Independent().prior_distribution(TABLE, metrics.named("f1"), ANY)
    assert prior.systems == (laws.f1(0, 0, 0),) * 2
    assert prior.difference.share_above(0.0) == 0.5


@pytest.mark.parametrize("kind", [Independent, MonteCarlo])
@pytest.mark.parametrize("metric", ["macro_f1", "mcc", "informedness"])
def test_what_has_no_law_is_refused_with_a_cure(kind, metric):
    table = Outcomes.from_labels("abab", "abba", "aabb")
    table = table if metric != "informedness" else table.binary("a")
    with pytest.raises(NotDefinedError, match=r"(?s)no exact law.*Hint: .*paired"):
        posterior(metric, table, kind())


def test_clusters_have_no_law():
    table = Outcomes.from_labels("abab", "abba", "aabb", cluster=[0, 0, 1, 1])
    assert not has_law(table.keep(0), metrics.named("accuracy"))
    with pytest.raises(NotDefinedError, match="no exact law"):
        posterior("accuracy", table)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1", "f2", "jaccard"])
def test_draws_have_the_moments_and_shares_of_the_laws(metric):
    exact, drawn = posterior(metric), posterior(metric, method=MonteCarlo())
    n = drawn.difference.n_draws
    assert n == 20_000
    for law, draws in zip(exact.systems, drawn.systems, strict=True):
        assert abs(draws.mean() - law.mean()) < 4 * law.std() / math.sqrt(n)
        assert draws.std() == pytest.approx(law.std(), rel=0.03)
    for x in (0.0, 0.05):
        share = exact.difference.share_above(x)
        error = math.sqrt(share * (1 - share) / n)
        assert abs(drawn.difference.share_above(x) - share) < 4 * error


def test_draws_of_the_two_systems_are_independent():
    first, second = (
        draws.values for draws in posterior("f1", method=MonteCarlo()).systems
    )
    assert abs(np.corrcoef(first, second)[0, 1]) < 4 / math.sqrt(20_000)


def test_same_seed_same_draws_whatever_the_workers():
    metric = metrics.named("f1")
    one, four, other = (
        MonteCarlo().posterior(TABLE, metric, streams).difference.values
        for streams in (ANY, Streams.of(0, draws=20_000, workers=4), Streams.of(1))
    )
    assert np.array_equal(one, four)
    assert not np.array_equal(one, other[: len(one)])


@pytest.mark.parametrize("method", ["independent", "monte-carlo"])
def test_compare_takes_them_by_name(method):
    result = lk.compare(
        TABLE,
        metric="f1",
        method=method,
        rope=0.01,
        factor="rope",
        draws=2000,
        seed=0,
    )
    assert result.to_dict()["method"]["name"] == method
    p = result.probability
    assert p.worse + p.equivalent + p.better == pytest.approx(1, abs=1e-12)
    assert result.factor is not None
    drawn = method == "monte-carlo"
    assert ("draws 2000 seed 0" in result.recipe) == drawn
    assert ("draws" in result.to_dict()["method"]) == drawn


def test_exact_comparisons_mirror_each_other():
    table = Outcomes.from_statistics(COUNTS, systems=["a", "b"])
    ours = lk.compare(table, metric="f1", method="independent", rope=0.02)
    theirs = lk.compare(table.swapped(), metric="f1", method="independent", rope=0.02)
    assert ours.probability.worse == theirs.probability.better
    assert ours.probability.better == theirs.probability.worse
    assert ours.difference == -theirs.difference
