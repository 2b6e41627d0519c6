"""The chance of every verdict, against plain code and against compare()."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import EIGHT, SHORT, THREE, random_labels

import likelier as lk
from likelier import Assumed
from likelier.decision import NAMES, RULES, TESTED

MIRROR = {
    "better": "worse",
    "worse": "better",
    "leans better": "leans worse",
    "leans worse": "leans better",
}


def planned(assumed, *, sizes, **settings):
    return lk.plan(assumed, **settings).chances(sizes)


def chances(assumed, size, **settings):
    settings = SHORT | {"metric": "accuracy"} | settings
    return planned(assumed, sizes=[size], **settings).chances[0]


def ruled(result, rule):
    """The comparison with another rule of its verdict."""
    return replace(result, settings=replace(result.settings, rule=rule))


def shares_of(verdicts):
    return {name: verdicts.count(name) / len(verdicts) for name in {*verdicts}}


def near(actual, expected, *, runs, slack=0.0):
    """Compare shares of verdicts, each counted in so many runs."""
    for name in {*actual, *expected}:
        one, other = actual.get(name, 0.0), expected.get(name, 0.0)
        middle = np.clip((one + other) / 2, 0.01, 0.99)
        error = np.sqrt(middle * (1 - middle) * sum(1 / n for n in runs))
        assert one == pytest.approx(other, abs=4 * error + slack), name


# --- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    "size", [0, -1, 1.5, 100.0, True, "100", None, float("nan"), 10**12 + 1]
)
def test_a_size_is_a_whole_number(apart, size):
    with pytest.raises(lk.LikelierError, match="sizes must be whole numbers"):
        planned(apart, metric="accuracy", sizes=[100, size])


def test_there_is_a_size(apart):
    with pytest.raises(lk.LikelierError, match="sizes must"):
        planned(apart, metric="accuracy", sizes=[])


def test_a_lone_size_is_a_list_of_one(apart):
    assert planned(apart, metric="accuracy", sizes=50, **SHORT).sizes == (50,)


BAD = [
    ({"metric": "accurate"}, "metric must be one of"),
    ({"metric": 7}, "metric must be"),
    ({"metric": "f1"}, "positive class"),
    ({"metric": "f1", "positive": "spam"}, "positive must be one of no, yes"),
    ({"metric": "mean"}, "statistics"),
    ({"rule": "hdi"}, "rule must be one of"),
    ({"items": "others"}, "items must be one of"),
    ({"items": "other"}, "paired must have the same items"),
    ({"method": "mcnemar"}, "belongs to null_test"),
    ({"method": "bootstrap"}, "belongs to null_test"),
    ({"method": "independent"}, "paired or unpaired"),
    ({"method": "pared"}, "method must be one of"),
    ({"method": lk.methods.McNemar()}, "posterior"),
    ({"method": lk.methods.HierarchicalClasses()}, "posterior|hierarchical"),
    ({"rope": 1}, "narrower than what accuracy can differ by, 1"),
    ({"rope": (-2, 0.1)}, "narrower than what accuracy can differ by, 1"),
    ({"rope": -0.1}, "rope must"),
    ({"rope": (0.1, 0.2)}, "rope must"),
    ({"rope": float("nan")}, "rope must"),
    ({"mass": 0}, "mass must"),
    ({"mass": 1.0}, "mass must"),
    ({"mass": float("nan")}, "mass must"),
    ({"replications": 0}, "replications must"),
    ({"replications": 1.5}, "replications must"),
    ({"draws": 0}, "draws must"),
    ({"workers": 0}, "workers must"),
    ({"seed": -1}, "seed must"),
    ({"seed": 1.5}, "seed must"),
]


@pytest.mark.parametrize(("bad", "message"), BAD, ids=lambda x: str(x)[:40])
def test_bad_settings_are_refused_by_their_name(apart, bad, message):
    with pytest.raises(lk.LikelierError, match=message):
        planned(apart, **{"metric": "accuracy", "sizes": [50]} | bad)


def test_chances_are_read_by_name_and_size(apart):
    result = planned(apart, metric="accuracy", sizes=[50], **SHORT)

    assert result.chance("worse", 50) == result.chances[0].get("worse", 0)
    assert result.chance("equivalent", 50) == 0
    with pytest.raises(lk.LikelierError, match="verdict must be one of"):
        result.chance("beter", 50)
    with pytest.raises(lk.LikelierError, match="size must be one of 50; got 51"):
        result.chance("better", 51)


# --- seeds, workers, sizes ------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes(eight):
    settings = {"metric": "f1", "positive": "y", "rope": 0.05} | SHORT
    one = planned(eight, sizes=[40, 300, 90], **settings)
    two = planned(eight, sizes=[90, 40, 300, 40], workers=3, **settings)
    lone = planned(eight, sizes=[300], workers=2, **settings)
    other = planned(eight, sizes=[300], **settings | {"seed": 1})

    assert one.sizes == two.sizes == (40, 90, 300)
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())
    assert one.chances[2] == lone.chances[0] != other.chances[0]


def test_workers_share_many_blocks(three):
    settings = {"metric": "macro_f1", "replications": 70, "draws": 2000}
    results = [chances(three, 200, workers=n, **settings) for n in (1, 2, 5)]

    assert results[0] == results[1] == results[2]


def test_a_seed_that_nobody_chose_is_in_the_recipe(apart):
    first = planned(apart, metric="accuracy", sizes=[60], replications=50)
    seed = int(first.recipe.split("seed ")[1].split(" ")[0])
    again = planned(apart, metric="accuracy", sizes=[60], replications=50, seed=seed)

    assert first.to_dict() == again.to_dict()


@pytest.mark.parametrize("rope", [None, 0.0, 0.05, (-0.01, 0.1)])
def test_chances_add_up_to_one(eight, rope):
    settings = {"metric": "mcc", "rope": rope, "replications": 100, "draws": 100}
    for rule in RULES:
        result = planned(eight, sizes=[1, 2, 60], rule=rule, seed=0, **settings)
        rows = result.to_dict()["sizes"]
        for chance, row in zip(result.chances, rows, strict=True):
            assert sum(chance.values()) == pytest.approx(1, abs=1e-12)
            assert min(chance.values()) > 0
            assert set(chance) <= set(NAMES.values())
            assert row["chance"] == chance
        json.dumps(result.to_dict(), allow_nan=False)
        assert result.sentence().isprintable()
        assert len(result.frame()) > 0


# --- against plain code -----------------------------------------------------------


def label_codes(cells):
    names = sorted({label for key in cells for label in key})
    return np.array([[names.index(x) for x in key] for key in cells]), len(names)


def drawn_shares(tables, codes, k, prior, rng, draws):
    """Weights (table, draw, cell) of Zhang's model; cells are (gold, predicted …)."""
    n = k ** codes.shape[1]
    cells = codes @ (k ** np.arange(codes.shape[1])[::-1])
    counts = np.zeros((len(tables), n))
    for column, cell in enumerate(cells):
        counts[:, cell] += tables[:, column]
    per_gold = n // k
    counts = counts.reshape(len(tables), 1, k, per_gold)
    inner = 1.0 if prior == "uniform" else 1.0 / per_gold
    shape = (len(tables), draws, k, per_gold)
    predicted = rng.standard_gamma(np.broadcast_to(counts + inner, shape))
    predicted /= predicted.sum(-1, keepdims=True)
    gold = rng.standard_gamma(np.broadcast_to(counts.sum(-1) + 1.0, shape[:3]))
    gold /= gold.sum(-1, keepdims=True)
    return (gold[..., np.newaxis] * predicted).reshape(len(tables), draws, n)


def slow_metric(name, weights, k, column, width):
    cell = np.array(np.unravel_index(np.arange(weights.shape[-1]), (k,) * width))
    gold, label = cell[0], cell[column]
    if name == "accuracy":
        return weights[..., gold == label].sum(-1)

    def f1(code):
        tp = weights[..., (gold == code) & (label == code)].sum(-1)
        both = weights[..., gold == code].sum(-1) + weights[..., label == code].sum(-1)
        return 2 * tp / both

    if name == "f1":
        return f1(1)
    return sum(f1(code) for code in range(k)) / k


def slow_differences(cells, n, name, method, rng, tables, draws):
    codes, k = label_codes(cells)
    prior = "uniform" if k == 2 else "objective"
    counts = rng.multinomial(n, list(cells.values()), size=tables)
    if method == "paired":
        weights = drawn_shares(counts, codes, k, prior, rng, draws)
        first, second = (slow_metric(name, weights, k, c, 3) for c in (1, 2))
    else:
        values = []
        for column in (1, 2):
            part = codes[:, [0, column]]
            weights = drawn_shares(counts, part, k, prior, rng, draws)
            values.append(slow_metric(name, weights, k, 1, 2))
        first, second = values
    return np.sort(second - first, axis=1)


def slow_verdict(row, rule, rope):
    low_edge, high_edge = (0.0, 0.0) if rope is None else rope
    worse, better = (row < low_edge).mean(), (row > high_edge).mean()
    if rule == "bayes-test":
        return TESTED[0] if better > 0.5 else TESTED[1]
    if rule in ("regions", "region-mass"):
        shares = {"worse": worse, "better": better}
        shares |= {} if rope is None else {"equivalent": 1 - worse - better}
        most = max(shares, key=shares.get)
        if rule == "regions" or shares[most] >= 0.95:
            return most
        return f"leans {most}"
    low, high = slow_hdi(row)
    if low > high_edge:
        return "better"
    if high < low_edge:
        return "worse"
    crossed = (low < low_edge, high > high_edge)
    if rope is None or all(crossed):
        side = "leans better" if low + high > 0 else "leans worse"
        return "undecided" if rule == "hdi-rope" else side
    if not any(crossed):
        return "equivalent"
    side, share = ("worse", worse) if crossed[0] else ("better", better)
    even = rule == "hdi-rope" and share <= 1 - worse - better
    return "leans equivalent" if even else f"leans {side}"


def slow_hdi(row, mass=0.95):
    size = int(np.ceil(mass * len(row)))
    widths = row[size - 1 :] - row[: len(row) - size + 1]
    start = int(np.argmin(widths))
    return row[start], row[start + size - 1]


TABLES, DRAWS = 800, 300
CASES = [
    (EIGHT, "accuracy", "paired", 0.05, 400),
    (EIGHT, "accuracy", "unpaired", None, 600),
    (EIGHT, "f1", "paired", None, 250),
    (EIGHT, "f1", "unpaired", 0.03, 500),
    (THREE, "macro_f1", "paired", 0.04, 300),
    (THREE, "macro_f1", "unpaired", None, 300),
]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda c: "-".join(str(part) for part in c[1:])
)
def test_a_plan_is_that_of_slow_code(case):
    cells, name, method, half, n = case
    rope = None if half is None else (-half, half)
    differences = slow_differences(
        cells, n, name, method, np.random.default_rng(9), TABLES, DRAWS
    )
    settings = {"metric": name, "method": method, "rope": rope, "draws": DRAWS}
    settings |= {"positive": "y" if name == "f1" else None, "replications": 500}
    # A rule does not know the metric: one by intervals and one by shares will do.
    for rule in RULES if name == "accuracy" else ("hdi-rope", "region-mass"):
        verdicts = [slow_verdict(row, rule, rope) for row in differences]
        actual = chances(Assumed.cells(cells), n, rule=rule, **settings)
        near(actual, shares_of(verdicts), runs=(TABLES, 500), slack=0.02)


def verdicts_of_compare(cells, n, *, runs, seed, rope=None, **settings):
    """Verdicts (by rule) of comparisons of simulated tables."""
    rng, columns = np.random.default_rng(seed), list(zip(*cells, strict=True))
    results = []
    for run in range(runs):
        drawn = rng.multinomial(n, list(cells.values()))
        table = lk.Outcomes.from_patterns(columns, drawn, systems=["a", "b"])
        results.append(lk.compare(table, rope=rope, seed=run, **settings))
    return {rule: [ruled(one, rule).verdict.name for one in results] for rule in RULES}


@pytest.mark.parametrize("case", CASES[2::2], ids=lambda c: "-".join(map(str, c[1:])))
def test_a_plan_is_that_of_compare(case):
    cells, name, method, half, n = case
    settings = {"metric": name, "method": method, "rope": half}
    settings["positive"] = "y" if name == "f1" else None
    verdicts = verdicts_of_compare(cells, n, runs=80, seed=4, draws=2000, **settings)
    for rule in RULES:
        actual = chances(Assumed.cells(cells), n, rule=rule, **settings)
        near(actual, shares_of(verdicts[rule]), runs=(80, 300))


@pytest.mark.parametrize(("n", "method"), [(5, "paired"), (12, "unpaired")])
def test_ties_are_decided_as_compare_decides_them(n, method):
    """With few items both systems are often right equally often."""
    cells = {("y", "y", "y"): 0.5, ("y", "n", "y"): 0.2, ("y", "y", "n"): 0.2}
    cells |= {("n", "n", "n"): 0.1}
    settings = {"metric": "accuracy", "method": method, "draws": 1000}
    verdicts = verdicts_of_compare(cells, n, runs=150, seed=2, **settings)
    for rule in RULES:
        actual = chances(Assumed.cells(cells), n, rule=rule, **settings)
        near(actual, shares_of(verdicts[rule]), runs=(150, 300))


@pytest.mark.parametrize(
    ("rule", "verdict"), [("regions", "undecided"), ("bayes-test", TESTED[1])]
)
def test_systems_that_never_differ_are_never_better(rule, verdict):
    same = Assumed.accuracies(0.8, 0.8, agreement=1)

    assert chances(same, 100, rule=rule) == {verdict: 1.0}


@pytest.mark.parametrize("rule", ["hdi-rope", "zhang", "regions"])
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_swapped_systems_mirror_the_verdicts(rule, method):
    swapped = {(g, b, a): share for (g, a, b), share in EIGHT.items()}
    settings = {"metric": "f1", "positive": "y", "rule": rule, "method": method}
    settings |= {"rope": 0.04, "replications": 300, "draws": 200}
    here = chances(Assumed.cells(EIGHT), 200, **settings)
    there = chances(Assumed.cells(swapped), 200, **settings | {"seed": 5})

    mirrored = {MIRROR.get(name, name): share for name, share in there.items()}
    near(here, mirrored, runs=(300, 300))


def test_metrics_where_less_is_better_are_turned(apart):
    here = planned(apart, metric="accuracy", sizes=[200], **SHORT)
    there = planned(apart, metric="error_rate", sizes=[200], **SHORT)

    assert here.assumed.difference == pytest.approx(0.05)
    assert there.assumed.difference == pytest.approx(0.05)
    near(here.chances[0], there.chances[0], runs=(300, 300))


# --- pilots ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def pilot():
    """A pilot in which the second mends some errors of the first, and makes none."""
    rng = np.random.default_rng(0)
    gold = rng.integers(2, size=300)
    first = np.where(rng.random(300) < 0.8, gold, 1 - gold)
    mended = (first != gold) & (rng.random(300) < 0.15)
    return lk.Outcomes.from_labels(gold, first, np.where(mended, gold, first))


def test_a_pilot_as_truth_is_its_shares():
    table = random_labels(1, n=150).outcomes()
    shares = {}
    for codes, count in zip(table.labels.tolist(), table.counts, strict=True):
        shares[tuple(table.classes[c] for c in codes)] = count / 150
    here = chances(Assumed.pilot(table, certain=True), 80, metric="macro_f1")
    there = chances(Assumed.cells(shares), 80, metric="macro_f1")

    assert here == there


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("classes", [2, 3])
def test_with_endless_items_only_the_pilot_is_unsure(seed, classes):
    table = random_labels(seed, n=60, classes=classes, right=(0.6, 0.66)).outcomes()
    pilot = lk.compare(table, metric="accuracy", rope=0.02, seed=0).probability
    actual = chances(
        Assumed.pilot(table), 10**10, rope=0.02, replications=1500, draws=100
    )

    names = ("better", "worse", "equivalent")
    expected = {name: getattr(pilot, name) for name in names}
    near(actual, expected, runs=(1500, 50_000))


def test_a_pilot_as_evidence_is_less_sure_than_as_truth(pilot):
    sure = chances(Assumed.pilot(pilot, certain=True), 250, rope=0.01)
    unsure = chances(Assumed.pilot(pilot), 250, rope=0.01)

    assert sure["better"] > unsure["better"] + 0.05


@pytest.mark.parametrize("items", ["same", "other"])
def test_an_experiment_has_one_truth(pilot, items):
    assert lk.compare(pilot, metric="accuracy", seed=0).probability.better > 0.99
    actual = chances(Assumed.pilot(pilot), 10**9, method="unpaired", items=items)

    assert actual.get("better", 0) > 0.97


def test_other_items_show_less(apart):
    same = chances(apart, 1500, method="unpaired", items="same")
    other = chances(apart, 1500, method="unpaired", items="other")

    assert same["better"] > other["better"] + 0.02
    # Two samples of their own: z = .05 / sqrt((.8 * .2 + .85 * .15) / 1500)
    assert other["better"] == pytest.approx(0.950, abs=0.05)


def test_a_pilot_of_scores():
    rng = np.random.default_rng(3)
    base = rng.random(200)
    table = lk.Outcomes.from_scores(base, base + rng.normal(0.05, 0.2, 200))
    settings = {"metric": "mean", "draws": 100, "replications": 100}
    few, many = (
        chances(Assumed.pilot(table, certain=True), n, **settings) for n in (20, 400)
    )

    assert few.get("better", 0) < many["better"]


def test_a_wide_mass_has_enough_draws(apart):
    usual = chances(apart, 300, mass=0.9999, draws=None)
    exact = chances(apart, 300, mass=0.9999, draws=20_000, replications=60)

    near(usual, exact, runs=(300, 60))


# --- words and JSON -------------------------------------------------------------


def test_the_json_has_its_keys(eight):
    settings = {"metric": "f1", "positive": "y", "rope": 0.05} | SHORT
    document = planned(eight, sizes=[40, 90], **settings).to_dict()

    assert list(document) == [
        *["schema", "kind", "systems", "metric", "positive", "higher_is_better"],
        *["assumed", "rope", "mass", "rule", "replications", "unit", "largest_mcse"],
        *["sizes", "method", "recipe", "findings"],
    ]
    assert document["kind"] == "chances"
    assert document["assumed"] == {
        "source": "8 cells",
        "difference": pytest.approx(2 * 0.3 / 0.81 - 2 * 0.24 / 0.77),
        "certain": True,
        "items": "same",
    }
    assert [row["size"] for row in document["sizes"]] == [40, 90]
    for row in document["sizes"]:
        for name, chance in row["chance"].items():
            error = np.sqrt(chance * (1 - chance) / 300)
            assert row["mcse"][name] == pytest.approx(error)
    # What never came up has a chance too.
    errors = (error for row in document["sizes"] for error in row["mcse"].values())
    assert document["largest_mcse"] == pytest.approx(max(*errors, 3 / 300 / 2))


def test_the_recipe_of_hostile_labels_stays_on_its_line():
    bad = "a\x1b[31m\nb\u202e"
    assumed = Assumed.cells({(bad, bad, bad): 0.5, ("n", "n", bad): 0.5})
    settings = SHORT | {"replications": 20}
    result = planned(assumed, metric="f1", positive=bad, sizes=[20], **settings)

    assert result.recipe.isprintable()
    assert result.sentence().isprintable()
    assert repr(result).isprintable()


def ranked(n):
    """Positives and negatives in turn, with scores that no two items share."""
    scores = np.random.default_rng(n).normal(size=(2, n))
    return Assumed.pilot(lk.Outcomes.from_ranked(list("yn") * (n // 2), *scores))


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_ranked_metrics_take_fewer_experiments(metric):
    settings = {"metric": metric, "positive": "y", "seed": 0}
    by_itself = {n: lk.plan(ranked(n), **settings).streams.draws for n in (30, 120)}
    assert 100 <= by_itself[120] < by_itself[30] <= 1000
    asked = lk.plan(ranked(120), **settings, replications=1000)
    assert asked.streams.draws == 1000


def test_too_large_a_pilot_of_ranks_is_refused_with_a_cure():
    settings = {"metric": "roc_auc", "positive": "y", "seed": 0}
    with pytest.raises(lk.LikelierError, match="smaller") as error:
        lk.plan(ranked(6000), **settings)
    assert "replications=100" in error.value.hint
