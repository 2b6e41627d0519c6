"""The swap prior: closed forms, a slow implementation, exchange of the systems."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.special import betainc

import likelier as lk
from likelier import LikelierError, Outcomes, metrics
from likelier.methods.items import dirichlet, swap_process
from likelier.methods.items.dirichlet import Paired
from likelier.methods.items.swap_prior import SwapCells
from likelier.methods.items.swap_process import SwapProcess
from likelier.streams import Streams

SWAP = Paired("swap")
DRAWS = 40_000


def zero_one(wins, losses, n):
    """Return outcomes of 0/1 scores: the second alone right, the first alone right."""
    first = [0] * wins + [1] * losses + [1] * (n - wins - losses)
    second = [1] * wins + [0] * losses + [1] * (n - wins - losses)
    return Outcomes.from_scores(first, second)


def labels(seed=0, *, n=60, classes="abc", skill=(0.6, 0.75), systems=2):
    rng = np.random.default_rng(seed)
    names = np.array(list(classes))
    gold = rng.choice(names, n)
    columns = [
        np.where(rng.random(n) < skill[i % 2], gold, rng.choice(names, n))
        for i in range(systems)
    ]
    return gold, *columns


def both_wrong(cluster=None):
    gold, first, _ = labels()
    second = [x if x == g else x.upper() for g, x in zip(gold, first, strict=True)]
    return Outcomes.from_labels(gold, first, second, cluster=cluster)


def tables():
    gold, first, second = labels()
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(2, 40)).round(1)
    cluster = rng.integers(0, 12, 60)
    of_labels = Outcomes.from_labels(gold, first, second)
    return {
        "accuracy": (of_labels, metrics.accuracy),
        "error rate": (of_labels, metrics.error_rate),
        "macro F1": (of_labels, metrics.macro_f1),
        "MCC": (of_labels, metrics.mcc),
        "balanced accuracy": (of_labels, metrics.balanced_accuracy),
        "samples F1": (of_labels, metrics.named("samples_f1")),
        "F1": (of_labels.binary("a"), metrics.f1),
        "mean": (Outcomes.from_scores(*scores), metrics.mean),
        "loss": (Outcomes.from_scores(*scores), metrics.mean_loss),
        "clusters": (
            Outcomes.from_labels(gold, first, second, cluster=cluster),
            metrics.micro_f1,
        ),
        "identical": (Outcomes.from_labels(gold, first, first), metrics.macro_f1),
        # Each wrong in words of its own: for these metrics nothing differs.
        "alike, both wrong": (both_wrong(), metrics.named("balanced_accuracy")),
        "alike, right or wrong": (both_wrong(), metrics.accuracy),
        "alike, clusters": (both_wrong(cluster), metrics.named("balanced_accuracy")),
        "identical scores": (Outcomes.from_scores(*scores[[0, 0]]), metrics.mean),
    }


TABLES = tables()


def posterior(table, metric, *, seed=0, draws=DRAWS, method=SWAP):
    return method.posterior(table, metric, Streams.of(seed, draws=draws))


def values(table, metric, **settings):
    return posterior(table, metric, **settings).difference.values


def close(share, exact, draws=DRAWS):
    error = np.sqrt(max(exact * (1 - exact), 1 / draws) / draws)
    return abs(share - exact) < 4.5 * error


@pytest.mark.parametrize("strength", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (5, 0), (6, 1), (30, 20)])
def test_right_and_wrong_are_mcnemars_mid_p(wins, losses, strength):
    n = 100
    method = Paired("swap", strength)
    difference = posterior(zero_one(wins, losses, n), metrics.mean, method=method)
    less = 1 - 1 / n
    exact = betainc(less * wins + strength, less * losses + strength, 0.5)
    assert close(difference.difference.share_below(0), exact)


def test_five_to_none_is_better_and_four_to_none_is_not():
    """Without the factor 1 - 1/n the share is the one-sided mid-p, 2 ** -(wins + 1)."""
    for wins, expected in ((4, "undecided"), (5, "better")):
        result = lk.compare(zero_one(wins, 0, 100), metric="mean", prior="swap", seed=0)
        assert result.verdict.name == expected
        share = result.probability.worse
        assert share == pytest.approx(2.0 ** -(wins + 1), rel=0.1)


@pytest.mark.parametrize("n", [30, 300, 3000])
def test_where_nothing_differs_the_rule_of_three_holds(n):
    drawn = values(zero_one(0, 0, n), metrics.mean)
    assert drawn.mean() == pytest.approx(0, abs=1e-15)
    inside = (np.abs(drawn) < np.log(20) / n).mean()
    # Weights are divided by a sum that varies: exact only for very many.
    assert inside == pytest.approx(0.95, abs=0.004 + 0.3 / n)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("most", [0, 10**6])
def test_exchanged_systems_have_the_same_draws(monkeypatch, name, most):
    monkeypatch.setattr(dirichlet, "_MOST_LISTED", most)
    table, metric = TABLES[name]
    there = values(table, metric, draws=500)
    back = values(table.swapped(), metric, draws=500)
    if name.startswith(("identical", "alike")):  # mirrored by itself
        assert np.array_equal(np.sort(there), np.sort(-there))
        there, back = np.sort(there), -np.sort(-back)
    assert np.array_equal(there, -back)


@pytest.mark.parametrize("name", TABLES)
def test_the_process_is_the_same_posterior(monkeypatch, name):
    table, metric = TABLES[name]
    listed = values(table, metric)
    monkeypatch.setattr(dirichlet, "_MOST_LISTED", 0)
    drawn = values(table, metric, seed=1)
    assert stats.ks_2samp(listed, drawn).pvalue > 1e-4
    assert drawn.std() == pytest.approx(listed.std(), rel=0.03)


def slow_draws(columns, metric, draws, seed):
    """Weigh every item, and every item that differs once more in both orders."""
    gold, first, second = columns
    n = len(gold)
    mass = 1.0
    if metric == "macro_f1":
        each = np.array([1 / (gold == k).sum() for k in np.unique(gold)])
        less = mass = (1 - np.average(each, weights=each)) ** 1.25
        apart = np.flatnonzero(first != second)
    else:
        less = 1 - 1 / n
        apart = np.flatnonzero((first == gold) != (second == gold))
    units = [(gold, first, second)]
    units += [(gold[apart], first[apart], second[apart])]
    units += [(gold[apart], second[apart], first[apart])]
    gold, first, second = (
        np.concatenate(column) for column in zip(*units, strict=True)
    )
    shapes = np.repeat([less, mass / len(apart)], [n, 2 * len(apart)])
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(draws):
        weights = rng.gamma(shapes)
        pair = []
        for said in (first, second):
            if metric == "accuracy":
                pair.append(weights[said == gold].sum() / weights.sum())
                continue
            f1s = []
            for k in np.unique(columns[0]):
                tp = weights[(gold == k) & (said == k)].sum()
                wrong = weights[(gold == k) != (said == k)].sum()
                f1s.append(2 * tp / (2 * tp + wrong))
            pair.append(np.mean(f1s))
        rows.append(pair[1] - pair[0])
    return np.array(rows)


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_slow_code_gives_the_same(metric):
    columns = labels(3, n=40)
    slow = slow_draws(columns, metric, 4000, seed=5)
    fast = values(Outcomes.from_labels(*columns), metrics.named(metric))
    assert stats.ks_2samp(slow, fast).pvalue > 1e-4
    assert slow.std() == pytest.approx(fast.std(), rel=0.06)


GOLD = list("abcabc" * 5)
ALIKE = {
    "labels": Outcomes.from_labels(GOLD, ["b", *GOLD[1:]], ["c", *GOLD[1:]]),
    "sets": Outcomes.from_sets(
        *([{*one}, *map(set, GOLD[1:])] for one in ("a", "b", "bc"))
    ),
}


@pytest.mark.parametrize("kind", ALIKE)
def test_labels_that_count_alike_do_not_differ(kind):
    """For accuracy two wrong labels are the same; macro F1 tells them apart."""
    table = ALIKE[kind]
    for metric, differs in ((metrics.accuracy, False), (metrics.macro_f1, True)):
        cells = SwapCells.of_metric(table, metric, strength=1.0, generic=False)
        seen = cells.differs & (cells.view.counts > 0)
        assert seen.any() == differs


@pytest.mark.parametrize("name", TABLES)
def test_mass_is_that_of_two_units_and_counts_are_reduced(name):
    table, metric = TABLES[name]
    cells = SwapCells.of_metric(table, metric, strength=1.5, generic=True)
    shapes = cells.merged_for(metric).shapes(cells.merged_for(metric).view.counts)
    n = table.n_units
    expected = n - 1 + 3.0
    if metric.averages_classes:
        tp, fn = (table.statistics.index(name) for name in ("tp", "fn"))
        cube = table.cube()[:, 0]
        gold = table.counts @ (cube[..., tp] + cube[..., fn] > 0)
        each = 1 / gold[gold > 0]
        expected = (1 - np.average(each, weights=each)) ** 1.25 * (n + 3.0)
    assert shapes.sum() == pytest.approx(expected)


def test_classes_with_one_item_each_block_the_verdict():
    columns = "abcd", "abca", "abdd"
    for metric, blocked in (("macro_f1", True), ("accuracy", False)):
        result = lk.compare(*map(list, columns), metric=metric, seed=0)
        assert (result.verdict.reason == "every class has one item") == blocked
        assert np.isfinite(result.posterior.difference.values).all()


def test_both_systems_are_averaged_over_the_same_classes():
    """Only the second says c, which no item is: alone its value is lower by a third."""
    gold, first = list("ab" * 50), list("ab" * 45 + "ba" * 5)
    second = ["c", *first[1:]]
    result = lk.compare(gold, first, second, metric="macro_f1", seed=0)
    values = result.settings.data.observed
    assert values == pytest.approx((0.9, 0.9), abs=0.01)
    assert values[1] - values[0] == pytest.approx(result.difference)
    assert -0.02 < result.difference < 0
    assert result.hdi.low < result.difference < result.hdi.high
    assert "LIK119" in [finding.code for finding in result.findings]


def test_each_pair_of_many_systems_is_as_in_a_comparison_of_two():
    columns = labels(7, n=80, classes="ab", systems=4)
    table = Outcomes.from_labels(*columns)
    drawn = SWAP.draw_systems(table, metrics.accuracy, Streams.of(0, draws=DRAWS))
    for i, j in ((0, 1), (1, 2), (0, 3)):
        pair = values(table.keep(i, j), metrics.accuracy)
        gap = drawn[:, j] - drawn[:, i]
        for quantile in (0.05, 0.5, 0.95):
            assert np.quantile(gap, quantile) == pytest.approx(
                np.quantile(pair, quantile), abs=0.15 * pair.std()
            )
        assert (gap > 0).mean() == pytest.approx((pair > 0).mean(), abs=0.02)


def test_pairs_of_many_systems_are_mcnemars_mid_p_too():
    """Few units differ, each on one system only: the mass of a pair shows."""
    n = 20
    scores = np.ones((5, n))
    scores[1, :2], scores[2, 2] = 0, 0
    table = Outcomes.from_scores(*scores)
    drawn = SWAP.draw_systems(table, metrics.mean, Streams.of(0, draws=DRAWS))
    less = 1 - 1 / n
    for i, j, wins, losses in ((1, 0, 2, 0), (2, 0, 1, 0), (1, 2, 2, 1), (3, 4, 0, 0)):
        exact = betainc(less * wins + 1, less * losses + 1, 0.5)
        assert close((drawn[:, j] < drawn[:, i]).mean(), exact)


def test_renaming_systems_changes_no_rank():
    columns = labels(8, n=50, systems=3)
    shares = []
    for order in ((0, 1, 2), (2, 0, 1)):
        table = Outcomes.from_labels(columns[0], *(columns[1 + i] for i in order))
        drawn = SWAP.draw_systems(table, metrics.macro_f1, Streams.of(0, draws=DRAWS))
        best = np.bincount(drawn.argmax(axis=1), minlength=3) / DRAWS
        shares.append(best[np.argsort(order)])
    assert shares[0] == pytest.approx(shares[1], abs=0.015)


@pytest.mark.parametrize("name", ["accuracy", "macro F1", "F1", "mean", "clusters"])
def test_many_tables_at_once_are_drawn_as_one_by_one(name):
    """Plans draw many tables of the same patterns, some without any difference."""
    table, metric = TABLES[name]
    rng = np.random.default_rng(2)
    n = int(table.counts.sum())
    counts = rng.multinomial(n, table.counts / n, size=2).astype(float)
    same = ~SwapCells.of_metric(table, metric, strength=1, generic=False).differs
    pattern = SwapCells.of_metric(
        table, metric, strength=1, generic=False
    ).cell_of_pattern
    counts[1] *= same[pattern]
    drawn = SWAP.draw_tables(table, metric, counts, rng, draws=20_000)
    for row, some in zip(counts, drawn, strict=True):
        alone = values(replace(table, counts=row), metric, draws=20_000)
        assert stats.ks_2samp(metric.differences(some), alone).pvalue > 1e-4


def test_a_plan_takes_it():
    pilot = lk.Assumed.pilot(Outcomes.from_labels(*labels(2)))
    settings = {"metric": "accuracy", "prior": "swap", "replications": 20, "seed": 0}
    chances = lk.plan(pilot, **settings).chances([100])
    assert sum(chances.chance(v, 100) for v in ("better", "worse", "undecided")) == 1


def test_the_answer_names_it():
    result = lk.compare(*labels(), metric="accuracy", prior="swap", seed=0)
    assert "prior=swap strength=1" in result.recipe
    assert "2 imaginary items" in result.paragraph()
    assert result.factor is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: lk.compare(
                *labels(), metric="accuracy", prior="swap", method="unpaired"
            ),
            "swap must come with the method paired, .*; got the method unpaired",
        ),
        (
            lambda: lk.estimate(
                *labels()[:2], metric="macro_f1", method=Paired("swap")
            ),
            "swap must have two systems or more on the same items; got one",
        ),
        (
            lambda: lk.compare(*labels(), metric="accuracy", prior="extremes"),
            "extremes must have a system alone",
        ),
        (lambda: Paired("swap", -1).parameters(zero_one(1, 0, 9)), "strength must"),
    ],
)
def test_what_it_cannot_do_is_refused(call, message):
    with pytest.raises(LikelierError, match=message):
        call()


@pytest.mark.parametrize("name", TABLES)
def test_a_strong_process_lists_what_it_would_draw(monkeypatch, name):
    table, metric = TABLES[name]
    process = SwapProcess.of_metric(table, metric, strength=4.0)
    streams = Streams.of(0, draws=5000)
    drawn = process.draw(metric, streams, purpose=0)
    monkeypatch.setattr(swap_process, "_MANY_BREAKS", 0)
    listed = process.draw(metric, streams, purpose=1)
    for one, other in ((drawn, listed), (np.diff(drawn), np.diff(listed))):
        assert stats.ks_2samp(one[:, 0], other[:, 0]).pvalue > 1e-4


@pytest.mark.parametrize("systems", [2, 3])
def test_a_prior_of_any_strength_is_drawn(systems):
    scores = (
        np.random.default_rng(0).normal(size=(systems, 1200))
        + [[1], [0], [0]][:systems]
    )
    table, streams = Outcomes.from_scores(*scores), Streams.of(0, draws=500)
    drawn = Paired("swap", 1e5).draw_systems(table, metrics.mean, streams)
    # The systems are as good as exchanged on all but a few items.
    assert np.abs(drawn.mean(axis=0) - scores.mean()).max() < 0.05
    assert len(drawn) == 500


def test_a_prior_of_too_many_units_is_refused():
    scores = np.random.default_rng(0).normal(size=(7, 50))
    table, streams = Outcomes.from_scores(*scores), Streams.of(0, draws=500)
    with pytest.raises(LikelierError, match="must weigh at most 174 units") as caught:
        Paired("swap", 1e5).draw_systems(table, metrics.mean, streams)
    assert caught.value.hint == "Give it less strength."


def test_breaks_of_many_draws_come_in_parts(monkeypatch):
    table = Outcomes.from_labels(*labels(systems=5))
    process = SwapProcess.of_metric(table, metrics.accuracy, strength=20.0)
    streams = Streams.of(0, draws=2000)
    whole = process.draw(metrics.accuracy, streams, purpose=0)
    monkeypatch.setattr(swap_process, "_MOST_NUMBERS", 10_000)
    parts = process.draw(metrics.accuracy, streams, purpose=0)
    assert parts.shape == whole.shape
    assert stats.ks_2samp(parts[:, 0], whole[:, 0]).pvalue > 1e-4


def test_many_patterns_are_drawn_by_the_process():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(2, 1200))
    table = Outcomes.from_scores(*scores)
    model = dirichlet._model(table, metrics.mean, dirichlet.Prior("swap"))
    assert isinstance(model, SwapProcess)
    drawn = values(table, metrics.mean, draws=4000)
    gaps = scores[1] - scores[0]
    assert drawn.mean() == pytest.approx(gaps.mean(), abs=0.1 * gaps.std() / 30)
    assert drawn.std() == pytest.approx(gaps.std() / np.sqrt(1200), rel=0.06)
