"""Means over groups beside loops over them: scikit-learn's values, Dirichlet draws."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn import metrics as sk
from tests.metrics.grouped import LABELS, SCORES, of_labels, of_scores

from likelier import Outcomes, metrics
from likelier._compare import compare_outcomes
from likelier.data.grouped_outcomes import all_items, side_by_side
from likelier.errors import NotDefinedError
from likelier.methods import Bootstrap, Paired, Randomization, Unpaired
from likelier.methods.items.class_sums import ClassSums
from likelier.methods.items.condensed_units import condensed
from likelier.methods.items.dirichlet import listed_cells
from likelier.methods.items.dirichlet_cells import Prior
from likelier.metrics.group_mean import mean_over_groups
from likelier.metrics.positive import select_positive
from likelier.results.confusion import confusion_of
from likelier.streams import Streams

OF_SKLEARN = {
    "accuracy": sk.accuracy_score,
    "f1": lambda g, p, **w: sk.f1_score(g == "1", p == "1", **w),
    "precision": lambda g, p, **w: sk.precision_score(g == "1", p == "1", **w),
    "recall": lambda g, p, **w: sk.recall_score(g == "1", p == "1", **w),
    "specificity": lambda g, p, **w: sk.recall_score(g != "1", p != "1", **w),
    "macro_f1": lambda g, p, **w: sk.f1_score(g, p, average="macro", **w),
    "micro_f1": lambda g, p, **w: sk.f1_score(g, p, average="micro", **w),
    "weighted_f1": lambda g, p, **w: sk.f1_score(g, p, average="weighted", **w),
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": lambda g, p, **w: sk.cohen_kappa_score(g, p, **w),
}


def grouped(name, tables, positive="1"):
    metric = metrics.named(name)
    positive = positive if metric.of_one_class else None
    chosen = {g: select_positive(t, metric, positive)[0] for g, t in tables.items()}
    return mean_over_groups(metric, chosen, name=f"{name}_mean_over_tasks")


def compared(metric, table, method=None, **settings):
    settings = {"rope": None, "mass": 0.95, "rule": "hdi-rope"} | settings
    streams = Streams.of(0, draws=settings.pop("draws", 4000))
    return compare_outcomes(
        table,
        metric=metric,
        positive=None,
        method=method or Paired(),
        streams=streams,
        **settings,
    )


@pytest.mark.parametrize("name", OF_SKLEARN)
def test_the_observed_mean_is_that_of_a_loop_over_groups(name):
    metric, table = grouped(name, of_labels())
    expected = [
        np.mean([OF_SKLEARN[name](gold, own[i]) for gold, *own in LABELS.values()])
        for i in (0, 1)
    ]
    assert metric.observed(table) == pytest.approx(expected)
    assert metric.values(metric.view(table)) == pytest.approx(expected)


def f1_of(gold, own, weights, label="1"):
    called, there = own == label, gold == label
    right, called, there = (weights @ some for some in (called & there, called, there))
    return 2 * right / (called + there)


PLAIN = {
    "f1": f1_of,
    "macro_f1": lambda g, p, w: np.mean([f1_of(g, p, w, c) for c in "012"], axis=0),
    "accuracy": lambda g, p, w: w @ (g == p) / w.sum(axis=1),
}


@pytest.mark.parametrize("name", PLAIN)
def test_draws_without_prior_are_those_of_weights_of_items(name):
    metric, table = grouped(name, of_labels())
    rng = np.random.default_rng(1)
    slow = np.zeros(4000)
    for gold, *systems in LABELS.values():
        weights = rng.standard_exponential((len(slow), len(gold)))
        one, other = (PLAIN[name](gold, own, weights) for own in systems)
        slow += (other - one) / len(LABELS)
    law = compared(metric, table, Paired("bootstrap"), draws=20_000)
    law = law.posterior.difference
    error = slow.std() / np.sqrt(len(slow))
    assert law.mean() == pytest.approx(slow.mean(), abs=4 * error)
    assert law.std() == pytest.approx(slow.std(), rel=0.05)


@pytest.mark.parametrize(
    "name", ["f1", "precision", "micro_f1", "kappa", "weighted_f1"]
)
def test_groups_vary_on_their_own(name):
    tables = of_labels(times=4)
    metric, table = grouped(name, tables)
    one = metrics.named(name)
    alone = [
        compared(one, select_positive(t, one, "1" if one.of_one_class else None)[0])
        for t in tables.values()
    ]
    spread = np.linalg.norm([a.posterior.difference.std() for a in alone])
    law = compared(metric, table).posterior.difference
    assert law.std() == pytest.approx(spread / len(alone), rel=0.05)
    means = [a.posterior.difference.mean() for a in alone]
    assert law.mean() == pytest.approx(np.mean(means), abs=0.1 * law.std())


def test_means_of_scores():
    tables = of_scores()
    metric, table = grouped("mean", tables)
    observed = [np.mean([np.mean(s[i]) for s in SCORES.values()]) for i in (0, 1)]
    assert metric.observed(table) == pytest.approx(observed)
    variances = [np.var(b - a, ddof=1) / len(a) for a, b in SCORES.values()]
    spread = np.sqrt(np.sum(variances)) / len(variances)
    law = compared(metric, table).posterior.difference
    assert law.std() == pytest.approx(spread, rel=0.1)


def test_few_units_stand_for_many_scores_of_each_group():
    rng = np.random.default_rng(3)
    tables, expected = {}, []
    for group, n in (("x", 4000), ("y", 8000)):
        first = rng.normal(0, 1, n)
        second = first + rng.gamma(0.5, 1, n)
        tables[group] = Outcomes.from_scores(first, second, systems=["a", "b"])
        expected.append((second - first).var(ddof=1) / n)
    metric, table = grouped("mean", tables)
    few = condensed(metric.view(table), metric)
    assert few.n_patterns < 200
    for name, sums in table.sums().items():
        assert few.sums()[name] == pytest.approx(sums)
    law = compared(metric, table, draws=20_000).posterior.difference
    assert law.std() == pytest.approx(np.sqrt(np.sum(expected)) / 2, rel=0.02)
    assert law.mean() == pytest.approx(np.diff(metric.observed(table))[0], abs=2e-3)


@pytest.mark.parametrize(("n", "few"), [(200, True), (3000, False)])
def test_a_large_group_of_long_tails_leaves_all_units(n, few):
    rng = np.random.default_rng(3)
    light, heavy = rng.normal(size=(2, 6000)), rng.lognormal(0, 3, (2, n))
    tables = {"x": Outcomes.from_scores(*light), "y": Outcomes.from_scores(*heavy)}
    metric, table = grouped("mean", tables)
    assert (condensed(metric.view(table), metric) is not None) == few


def test_a_mean_over_samples():
    rng = np.random.default_rng(0)
    tables, expected = {}, []
    for group, n in (("x", 30), ("y", 60)):
        sets = [rng.random((n, 3)) < p for p in (0.5, 0.4, 0.6)]
        names = [[{"abc"[j] for j in np.flatnonzero(row)} for row in t] for t in sets]
        tables[group] = Outcomes.from_sets(*names, systems=["a", "b"])
        expected.append(
            [
                sk.f1_score(sets[0], own, average="samples", zero_division=0)
                for own in sets[1:]
            ]
        )
    metric, table = grouped("samples_f1", tables)
    assert metric.observed(table) == pytest.approx(np.mean(expected, axis=0))


@pytest.mark.parametrize("name", ["f1", "macro_f1", "mcc", "mean"])
@pytest.mark.parametrize("method", [Paired(), Unpaired(), Paired("bootstrap")])
def test_exchanged_systems_have_the_opposite_difference(name, method):
    metric, table = grouped(name, of_scores() if name == "mean" else of_labels())
    law = compared(metric, table, method).posterior.difference
    other = compared(metric, table.only(1, 0), method).posterior.difference
    assert other.mean() == pytest.approx(-law.mean(), abs=0.1 * law.std())
    assert other.std() == pytest.approx(law.std(), rel=0.05)


@pytest.mark.parametrize("name", ["f1", "macro_f1", "mcc", "mean"])
def test_systems_that_never_differ_are_as_probably_better_as_worse(name):
    tables = of_scores() if name == "mean" else of_labels()
    metric, table = grouped(name, {g: t.only(0, 0) for g, t in tables.items()})
    law = compared(metric, table).posterior.difference
    assert law.mean() == 0
    assert 0 < law.std() < 0.1


@pytest.mark.parametrize("method", [Bootstrap(), Randomization()])
def test_methods_of_p_values_know_groups(method):
    metric, table = grouped("f1", of_labels())
    null = method.null(table, metric, Streams.of(0, draws=500))
    assert 0 < null.p_value <= 1


def test_the_order_of_groups_changes_no_digit():
    tables = of_labels()
    metric, table = grouped("macro_f1", tables)
    other = grouped("macro_f1", dict(reversed(tables.items())))[1]
    assert other.digest == table.digest
    means = [compared(metric, t).posterior.difference.mean() for t in (table, other)]
    assert means[0] == means[1]


def test_exchanged_systems_have_the_same_draws_where_sums_are_drawn():
    rng = np.random.default_rng(0)
    tables = {"x": [], "y": []}
    for group in tables:
        gold, one, two = rng.integers(0, 8, (3, 600))
        first = np.where(rng.random(600) < 0.6, gold, one)
        second = np.where(rng.random(600) < 0.6, first, two)
        tables[group] = [gold, first, second]
    laws = []
    for order in ([0, 1, 2], [0, 2, 1]):
        own = {
            group: Outcomes.from_labels(*(columns[i].astype(str) for i in order))
            for group, columns in tables.items()
        }
        metric, table = grouped("macro_f1", own)
        cells = listed_cells(table, metric, Prior("swap")).merged_for(metric)
        units = replace(cells.view, counts=cells.shapes(cells.view.counts))
        assert ClassSums.of(units, metric) is not None
        laws.append(compared(metric, table).posterior.difference)
    assert laws[0].mean() == -laws[1].mean()
    assert laws[0].share_above(0.01) == laws[1].share_below(-0.01)


def test_many_groups_are_sorted_group_by_group():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 9, (50, 2, 100)) / 8
    table = side_by_side(
        {f"{i}": Outcomes.from_scores(*own) for i, own in enumerate(scores)}
    )
    units = replace(
        table,
        rows=sparse.vstack([table.rows, table.swapped().rows], format="csr"),
        counts=np.tile(table.counts, 2),
        sizes=np.tile(table.sizes, 2),
        strata=np.tile(table.strata, 2),
    )
    tracemalloc.start()
    merged, cell = units.grouped()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < units.rows.shape[0] * units.rows.shape[1]  # dense, it is 8 times that
    assert (units.rows != merged.rows[cell]).nnz == 0
    assert (np.bincount(cell, units.counts) == merged.counts).all()
    assert merged.n_patterns == len({tuple(row) for row in merged.rows.toarray()})
    assert table.lean == -table.swapped().lean != 0


def test_rows_of_groups_are_put_back_where_they_were():
    table = side_by_side(of_labels())
    assert (table.with_rows(lambda group: group.rows) != table.rows).nnz == 0
    shuffled = table.only(1, 0)
    assert (shuffled.with_rows(lambda group: group.rows) != shuffled.rows).nnz == 0


def test_members_are_the_tables_of_groups():
    tables = of_labels()
    for member, own in zip(side_by_side(tables).members, tables.values(), strict=True):
        for name, sums in own.sums().items():
            np.testing.assert_array_equal(member.sums()[name], sums)
        assert (member.negatives, member.classes) == (own.negatives, own.classes)


def test_all_items_together_are_those_of_one_list():
    columns = [np.concatenate(c) for c in zip(*LABELS.values(), strict=True)]
    one_list = Outcomes.from_labels(*columns, systems=["a", "b"])
    together = all_items(of_labels())
    assert together.digest == one_list.digest
    assert (together.labels == one_list.labels).all()
    assert confusion_of(together) == confusion_of(one_list)
    of_one = {group: table.binary("1") for group, table in of_labels().items()}
    spam = all_items(of_one)
    assert spam.digest == one_list.binary("1").digest
    assert confusion_of(spam) == confusion_of(one_list.binary("1"))


def test_a_table_without_groups_is_refused():
    metric, _ = grouped("f1", of_labels())
    with pytest.raises(NotDefinedError, match="of groups"):
        metric.observed(Outcomes.from_labels("ab", "ab"))
