"""Comparing class by class: the same numbers as one class at a time."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.conftest import random_labels

import likelier as lk
from likelier import metrics
from likelier.decision import RULES
from likelier.methods.items.sign_tests import across_classes

FEW = {"draws": 1000, "seed": 0}


@cache
def grouped(table, metric="f1", rope=0.05):
    """Compare class by class, once for all tests that only look at the result."""
    return lk.compare_groups(table, metric=metric, rope=rope, **FEW)


@pytest.fixture(scope="module")
def labels():
    return random_labels(1, n=300, classes=4, right=(0.55, 0.7))


@pytest.fixture(scope="module")
def outcomes(labels):
    return labels.outcomes()


@pytest.fixture(scope="module")
def sets():
    rng = np.random.default_rng(5)
    flags = rng.random((3, 150, 3)) < [0.5, 0.3, 0.1]
    flags[1:] = np.where(rng.random((2, 150, 3)) < 0.7, flags[0], flags[1:])
    columns = [[{"xyz"[i] for i in np.flatnonzero(row)} for row in c] for c in flags]
    return lk.Outcomes.from_sets(*columns)


@pytest.fixture(scope="module")
def chunks():
    gold = [["B-P", "O", "B-L"], ["B-P", "I-P", "O"], ["O", "B-L", "O"]] * 30
    first = [["B-P", "O", "O"], ["B-P", "O", "O"], ["O", "B-L", "O"]] * 30
    second = [["B-P", "O", "B-L"], ["B-P", "I-P", "O"], ["O", "O", "O"]] * 30
    return lk.Outcomes.from_chunks(gold, first, second, scheme="iob2")


@pytest.fixture(scope="module")
def clusters(labels):
    return lk.Outcomes.from_labels(*labels.columns, cluster=np.arange(300) // 4)


@pytest.fixture(scope="module", params=["outcomes", "sets", "chunks", "clusters"])
def table(request):
    return request.getfixturevalue(request.param)


# --- the same as one at a time ----------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rope"), [("f1", 0.05), ("precision", 0.05), ("recall", None)]
)
def test_each_row_is_a_comparison_of_its_class(table, name, rope):
    # What other tests say of the same items does not depend on the metric.
    details = name == "f1"
    result = grouped(table, name, rope)

    assert [row.name for row in result.rows] == list(table.classes)
    for row in result.rows:
        alone = lk.compare(table, metric=name, positive=row.name, rope=rope, **FEW)
        expected = alone.to_dict(details=details)
        assert row.comparison.to_dict(details=details) == expected
        assert result[row.name] is row.comparison


def test_averages_are_comparisons_of_their_own(table):
    result = lk.compare_groups(table, metric="recall", rope=0.03, **FEW)
    for one, average in zip(
        result.averages, ("micro", "macro", "weighted"), strict=True
    ):
        alone = lk.compare(table, metric=f"{average}_recall", rope=0.03, **FEW)
        assert one.to_dict(details=False) == alone.to_dict(details=False)


@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_rules_masses_and_methods_are_passed_on(labels, method):
    table = labels.outcomes()
    for rule in RULES:
        settings = {"rule": rule, "mass": 0.8, "method": method, "rope": 0.05} | FEW
        for row in lk.compare_groups(table, averages=(), **settings).rows:
            alone = lk.compare(table, metric="f1", positive=row.name, **settings)
            expected = alone.to_dict(details=False)
            assert row.comparison.to_dict(details=False) == expected


@pytest.mark.parametrize("factor", ["point", "kde"])
def test_factors_are_passed_on(labels, factor):
    settings = {"metric": "recall", "factor": factor} | FEW
    result = lk.compare_groups(*labels.columns, averages=(), **settings)

    for row in result.rows:
        alone = lk.compare(*labels.columns, positive=row.name, **settings)
        assert row.comparison.factor == alone.factor is not None


def test_p_values_are_those_of_the_class_against_the_rest(labels):
    table = labels.outcomes()
    for row in lk.compare_groups(table, **FEW).rows:
        one = table.binary(row.name)
        sign = lk.null_test(one, metric="accuracy", method="sign").p_value
        share = lk.null_test(one, metric="accuracy", method="p-test").p_value
        assert (row.sign, row.p_test) == (sign, share)
        gold = np.array(labels.gold) == row.name
        right = [gold == (np.array(x) == row.name) for x in labels.predictions]
        up, down = (right[1] & ~right[0]).sum(), (right[0] & ~right[1]).sum()
        exact = stats.binomtest(int(up), int(up + down)).pvalue if up + down else 1.0
        assert row.sign == pytest.approx(exact, rel=1e-9)
        assert row.support == gold.sum()


def test_items_of_clusters_are_not_tested_as_if_alone(clusters):
    for row in lk.compare_groups(clusters, **FEW).rows:
        assert row.p_test is None


@pytest.mark.parametrize("k", [2, 3, 12, 40])
def test_tests_over_the_classes_against_scipy(k):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        first = rng.random(k).round(2)
        second = (first + rng.normal(0.02, 0.05, k)).round(2)
        tests = across_classes(second - first)
        up, down = int((second - first > 0).sum()), int((second - first < 0).sum())
        exact = stats.binomtest(up, up + down).pvalue if up + down else 1.0

        assert tests["s-test"] == pytest.approx(exact, rel=1e-9)
        if np.ptp(second - first) > 1e-9:
            expected = stats.ttest_rel(second, first).pvalue
            assert tests["t-test"] == pytest.approx(expected, rel=1e-9)


def test_across_is_over_the_classes_of_the_rows(labels):
    result = lk.compare_groups(*labels.columns, **FEW)
    values = np.array([row.comparison.difference for row in result.rows])

    assert result.across == across_classes(values)
    expected = stats.ttest_1samp(values, 0).pvalue
    assert result.across["t-test"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gaps", "sign", "t"),
    [([0.0, 0.0, 0.0], 1.0, 1.0), ([0.1, 0.1, 0.1], 0.25, None), ([0.1], 1.0, None)],
)
def test_differences_without_spread(gaps, sign, t):
    assert across_classes(np.array(gaps)) == {"s-test": sign, "t-test": t}


# --- Table 4 of Zhang et al. (2016) ----------------------------------------------

TABLE4 = Path(__file__).parent / "reference" / "zhang_table4.json"
MIRRORED = {"<<": "≫", ">>": "≪", "<": ">", ">": "<"}


def test_table_4_is_rebuilt_by_one_call():
    rows = json.loads(TABLE4.read_text())["rows"]
    flags = np.zeros((3, 7532, 20), dtype=bool)
    for k, row in enumerate(rows):
        counts = [*row["positive"], *row["negative"]]
        codes = np.repeat(np.arange(8), counts)
        codes = np.pad(codes, (0, 7532 - len(codes)), constant_values=4)[:7532]
        flags[:, :, k] = codes < 4, codes % 4 >= 2, codes % 2 == 1
    table = lk.Outcomes.from_sets(
        *flags, systems=["A", "B"], classes=[str(row["category"]) for row in rows]
    )
    # The paper's prior; sets of labels have none for their averages.
    settings = {"rope": 0.05, "rule": "zhang", "averages": (), "seed": 0}
    result = lk.compare_groups(table, prior="uniform", **settings)

    assert len(result.rows) == 20
    assert all(row.comparison.settings.draws == 50_000 for row in result.rows)
    for row in rows:
        made = next(r for r in result.rows if r.name == str(row["category"]))
        one = made.comparison
        assert -one.posterior.difference.mean() == pytest.approx(row["mean"], abs=0.003)
        assert [-one.hdi.high, -one.hdi.low] == pytest.approx(row["hdi"], abs=0.006)
        assert one.verdict.symbol == MIRRORED[row["decision"]]
        assert round(made.sign, 3) == row["sign_p"]
        assert made.p_test == pytest.approx(row["t_p"], abs=0.002)


# --- which classes ----------------------------------------------------------------


def test_classes_are_chosen_by_name(labels):
    result = lk.compare_groups(*labels.columns, classes=["b", "007", "b"], **FEW)
    full = lk.compare_groups(*labels.columns, **FEW)

    assert [row.name for row in result.rows] == ["b", "007"]
    assert result["007"].to_dict() == full["007"].to_dict()
    # Averages stay those over all classes.
    assert [c.to_dict() for c in result.averages] == [
        c.to_dict() for c in full.averages
    ]


def test_whole_numbers_are_labels_here_too():
    columns = [0, 1, 2] * 20, [0, 1, 1] * 20, [0, 1, 2] * 20
    result = lk.compare_groups(*columns, classes=[2, 0], **FEW)

    assert [row.name for row in result.rows] == ["2", "0"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"classes": ["zz"]}, "class must be one of"),
        ({"classes": []}, "at least one class"),
        ({"averages": ["mean"]}, "average must be one of"),
        ({"metric": "accuracy"}, "single class"),
        ({"metric": "macro_f1"}, "single class"),
        ({"metric": "mcc"}, "single class"),
        ({"metric": "mean"}, "single class"),
        ({"method": "mcnemar"}, "null_test"),
        ({"method": "hierarchic"}, "method must be one of"),
        ({"rule": "x"}, "rule must be one of"),
        ({"factor": "x"}, "factor must be one of"),
        ({"rope": 1}, "narrower"),
        ({"mass": 0}, "mass must"),
        ({"draws": 0}, "draws must"),
    ],
)
def test_bad_settings(labels, settings, message):
    with pytest.raises(lk.LikelierError, match=message):
        lk.compare_groups(*labels.columns, **FEW | settings)


def test_unknown_rows_are_refused_by_name(labels):
    result = lk.compare_groups(*labels.columns, averages=(), **FEW)

    assert result.averages == ()
    with pytest.raises(lk.LikelierError, match="class must be one of"):
        result["zz"]


def test_one_class_is_refused():
    with pytest.raises(lk.LikelierError, match="several classes"):
        lk.compare_groups(["a"] * 9, ["a"] * 9, ["a"] * 9)


def test_three_systems_are_refused(labels):
    with pytest.raises(lk.LikelierError, match="two systems"):
        lk.compare_groups(*labels.columns, labels.gold)


def test_two_classes():
    table = random_labels(2, classes=2)
    result = lk.compare_groups(*table.columns, rope=0.05, **FEW)

    assert [row.name for row in result.rows] == ["a", "b"]
    # An item right as to one of two classes is right as to the other.
    assert result.rows[0].sign == result.rows[1].sign


def test_a_class_that_is_never_gold():
    gold, first, second = ["a", "b"] * 30, ["a", "c"] * 30, ["a", "b"] * 30
    result = lk.compare_groups(gold, first, second, rope=0.05, **FEW)

    assert result.rows[2].name == "c"
    assert result.rows[2].support == 0
    codes = [finding.code for finding in result.findings]
    assert "LIK107" in codes
    assert len(codes) == len(set(result.findings))


@pytest.mark.parametrize("method", ["paired", "unpaired", "hierarchical"])
def test_a_system_against_itself(labels, method):
    gold, first, _ = labels.columns
    result = lk.compare_groups(gold, first, first, rope=0.02, method=method, **FEW)

    assert result.across == {"s-test": 1.0, "t-test": 1.0}
    for one in (*(row.comparison for row in result.rows), *result.averages):
        assert one.probability.worse == one.probability.better
        assert one.posterior.difference.mean() == pytest.approx(0, abs=1e-12)
    assert {(row.sign, row.p_test) for row in result.rows} == {(1.0, 1.0)}


def assert_many_classes(classes, method):
    rng, n = np.random.default_rng(0), 15 * classes
    gold = rng.integers(classes, size=n)
    systems = [np.where(rng.random(n) < p, gold, rng.integers(classes, size=n))
               for p in (0.5, 0.6)]  # fmt: skip
    result = lk.compare_groups(gold, *systems, method=method, seed=0, draws=50)

    assert len(result.rows) == classes
    assert f"{classes} classes" in result.sentence()
    json.dumps(result.to_dict(), allow_nan=False)


@pytest.mark.parametrize("method", ["paired", "hierarchical"])
def test_many_classes(method):
    """Forty of them; tests/slow/test_many_classes.py has two hundred."""
    assert_many_classes(40, method)


# --- classes that learn from each other -------------------------------------------


def test_hierarchical_borrows_for_classes_of_few_items():
    rng = np.random.default_rng(3)
    gold = np.array(["a"] * 200 + ["b"] * 200 + ["c"] * 200 + ["d"] * 4)
    wrong = rng.choice(np.array(list("abcd")), 604)
    systems = [np.where(rng.random(604) < p, gold, wrong) for p in (0.6, 0.8)]
    settings = {"metric": "recall", "seed": 0, "draws": 4000}
    alone = lk.compare_groups(gold, *systems, **settings)
    shared = lk.compare_groups(gold, *systems, method="hierarchical", **settings)

    def spread(result, name):
        return result[name].posterior.difference.std()

    ratios = {name: spread(shared, name) / spread(alone, name) for name in "abcd"}
    assert min(ratios, key=ratios.get) == "d"
    assert "hierarchical" in shared.recipe
    # Averages have a joint posterior of their own.
    expected = [c.to_dict() for c in alone.averages]
    assert [c.to_dict() for c in shared.averages] == expected


def test_hierarchical_takes_settings_and_labels_only(labels, chunks, clusters):
    method = lk.methods.HierarchicalClasses(concentration=4, centre="uniform")
    result = lk.compare_groups(*labels.columns, method=method, **FEW)

    assert "concentration=4" in result.recipe
    for table in (chunks, clusters):
        with pytest.raises(lk.LikelierError, match="items with labels"):
            lk.compare_groups(table, method="hierarchical", **FEW)
    with pytest.raises(lk.LikelierError, match="point null"):
        lk.compare_groups(*labels.columns, method="hierarchical", factor="point", **FEW)


# --- words and JSON ---------------------------------------------------------------


def test_the_json_has_its_keys(table):
    document = grouped(table).to_dict()

    assert list(document) == [
        *["schema", "kind", "systems", "metric", "positive", "higher_is_better"],
        *["items", "units", "patterns", "rope", "groups", "averages", "across"],
        *["method", "recipe", "findings"],
    ]
    assert (document["kind"], document["metric"], document["positive"]) == (
        "groups",
        "f1",
        None,
    )
    for row in document["groups"]:
        assert {"group", "support", "tests", "difference", "verdict"} <= set(row)
        assert {"schema", "kind", "systems", "recipe"}.isdisjoint(row)
        assert set(row["tests"]) == {"sign", "p-test"}
        assert row["sides"]["worse"] + row["sides"]["better"] == pytest.approx(1)
        assert row["sides"]["equivalent"] == 0
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text) == document


def test_the_sentence_counts_verdicts(outcomes):
    result = grouped(outcomes)
    text = result.sentence()

    assert text.startswith("second against first on F1 of 4 classes: ")
    counts = [int(part.split(" in ")[1]) for part in text.split(": ")[1].split(", ")]
    assert sum(counts) == 4
    assert repr(result) == f"<GroupComparison {text}>"


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_the_frame_holds_measures_only(outcomes, backend):
    result = grouped(outcomes)
    frame = result.frame(backend)
    names = (
        [str(name) for name in frame["name"].to_pylist()]
        if (backend == "pyarrow")
        else list(frame["name"])
    )

    assert len(names) > 60
    assert len(names) == len(set(names))
    assert [n for n in names if n.endswith(("schema", "seed"))] == []


def test_the_same_seed_gives_the_same_bytes(labels):
    settings = {"rope": 0.05, "draws": 9000, "seed": 3, "averages": ("macro",)}
    one, two = (
        lk.compare_groups(*labels.columns, workers=n, **settings).to_dict()
        for n in (1, 3)
    )

    assert json.dumps(one) == json.dumps(two)


def test_a_metric_of_ones_own(labels):
    mine = metrics.Metric(
        "mine", ("tp", "fp"), lambda tp, fp: tp / np.maximum(tp + fp, 1e-9)
    )
    here = lk.compare_groups(*labels.columns, metric=mine, **FEW)
    there = lk.compare_groups(*labels.columns, metric="precision", **FEW)

    for one, other in zip(here.rows, there.rows, strict=True):
        assert one.comparison.difference == pytest.approx(other.comparison.difference)
