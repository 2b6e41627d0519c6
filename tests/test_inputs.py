"""compare(), null_test() and estimate(): what they take, refuse and remark."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from tests.conftest import QUICK, bad_masses, bad_ropes, bad_scores, random_labels

import likelier as lk
from likelier.explanations import EXPLAINED
from likelier.findings import Finding
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired, Unpaired
from likelier.methods.items.randomization import Randomization
from likelier.methods.items.sign_tests import McNemar

GOLD = [1, 0, 1, 1, 0, 1, 0, 0] * 5
FIRST = [1, 1, 0, 1, 0, 0, 0, 1] * 5
SECOND = [1, 0, 1, 1, 0, 0, 0, 0] * 5
FAST = {"draws": 1000, "seed": 0}


def compared(gold=GOLD, first=FIRST, second=SECOND, **settings):
    return lk.compare(gold, first, second, **({"metric": "f1"} | FAST | settings))


def codes(result):
    return [finding.code for finding in result.findings]


# --- kinds of data ----------------------------------------------------------

HOLDERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "int8": lambda x: np.array(x, np.int8),
    "float labels": lambda x: np.array(x, float),
    "floats": lambda x: [float(v) for v in x],
    "numpy ints": lambda x: [np.int64(v) for v in x],
    "pandas": pd.Series,
    "pandas Int64": lambda x: pd.Series(x, dtype="Int64"),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "text": lambda x: [str(v) for v in x],
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS.keys())
def test_labels_of_any_kind_give_the_same_answer(hold):
    result = compared(hold(GOLD), hold(FIRST), hold(SECOND))

    assert result.to_dict() == compared().to_dict()


def test_booleans_are_true_and_false():
    columns = [np.array(c, bool) for c in (GOLD, FIRST, SECOND)]
    arrays, lists = compared(*columns), compared(*(c.tolist() for c in columns))

    assert arrays.settings.positive == lists.settings.positive == "true"
    assert arrays.to_dict() == lists.to_dict()
    expected, result = compared().probability, arrays.probability
    assert (expected.worse, expected.better) == (result.worse, result.better)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_are_taken_by_their_columns(make):
    frame = make({"g": GOLD, "second": SECOND, "first": FIRST})
    result = lk.compare(
        frame, gold="g", systems=["first", "second"], metric="f1", **FAST
    )

    assert result.to_dict() == compared().to_dict()


def test_frames_of_scores_need_no_gold():
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [2.0, 2.5, 3.0]})
    result = lk.compare(frame, systems=["a", "b"], metric="mean", **FAST)
    expected = lk.compare(
        frame["a"], frame["b"], systems=["a", "b"], metric="mean", **FAST
    )

    assert result.to_dict() == expected.to_dict()


def test_outcomes_are_taken_as_they_are():
    table = lk.Outcomes.from_labels(GOLD, FIRST, SECOND)

    assert lk.compare(table, metric="f1", **FAST).to_dict() == compared().to_dict()


def test_two_of_many_systems_are_picked():
    table = lk.Outcomes.from_labels(GOLD, GOLD, FIRST, SECOND, systems=["x", "y", "z"])
    result = lk.compare(table, systems=["y", "z"], metric="accuracy", **FAST)

    assert result.settings.systems == ("y", "z")
    assert result.difference == compared(metric="accuracy").difference
    with pytest.raises(
        lk.LikelierError, match="system must be one of x, y, z; got 'w'"
    ):
        lk.compare(table, systems=["y", "w"], metric="accuracy")


def test_label_sets_and_indicator_matrices_are_taken():
    sets = [[{"x"}, {"x", "y"}, set()] * 12, [{"x"}, {"y"}, {"x"}] * 12]
    matrix = [
        np.array([[1, 0], [1, 1], [0, 0]] * 12),
        np.array([[1, 0], [0, 1], [1, 0]] * 12),
    ]
    by_set = lk.compare(sets[0], sets[1], sets[0], metric="samples_f1", **FAST)
    by_matrix = lk.compare(matrix[0], matrix[1], matrix[0], metric="samples_f1", **FAST)

    assert by_set.settings.data.observed == by_matrix.settings.data.observed
    assert by_set.difference > 0


def test_a_metric_may_be_given_itself():
    result = compared(metric=lk.metrics.fbeta(2), positive=1)

    assert result.to_dict() == compared(metric="f2", positive="1").to_dict()


def test_clusters_are_units():
    cluster = np.repeat(np.arange(8), 5)
    result = compared(metric="accuracy", cluster=cluster)

    assert (result.settings.data.items, result.settings.data.units) == (40, 8)
    assert "in 8 clusters" in result.settings.data.size


# --- the positive class -----------------------------------------------------


@pytest.mark.parametrize("positive", [1, "1", np.int64(1), 1.0, np.float64(1)])
def test_the_positive_class_may_be_a_number(positive):
    assert compared(positive=positive).to_dict() == compared().to_dict()


@pytest.mark.parametrize("positive", [True, "true", np.True_])
def test_the_positive_class_may_be_a_boolean(positive):
    columns = [np.array(c, bool) for c in (GOLD, FIRST, SECOND)]

    assert compared(*columns, positive=positive).settings.positive == "true"


@pytest.mark.parametrize("positive", [0, "0", np.int8(0)])
def test_the_positive_class_may_be_0(positive):
    result = compared(positive=positive)

    assert result.settings.positive == "0"
    assert result.settings.data.observed != compared().settings.data.observed


def test_the_positive_class_must_be_named_where_nothing_tells_it():
    columns = [["spam" if x else "ham" for x in c] for c in (GOLD, FIRST, SECOND)]

    with pytest.raises(
        lk.LikelierError,
        match=r"(?s)labels are ham, spam.*Hint: .*positive='spam'.*macro_f1",
    ):
        compared(*columns)
    assert compared(*columns, positive="spam").difference == compared().difference


def test_an_unknown_positive_class_is_refused_with_the_labels():
    with pytest.raises(lk.LikelierError, match="positive must be one of 0, 1; got '2'"):
        compared(positive=2)


def test_a_table_of_another_positive_class_is_refused():
    table = lk.Outcomes.from_labels("abcabc", "abcabb", "abcabc").binary("a")

    assert lk.compare(table, metric="f1", **FAST).settings.positive == "a"
    assert lk.compare(table, metric="f1", positive="a", **FAST).settings.positive == "a"
    with pytest.raises(lk.LikelierError, match="positive"):
        lk.compare(table, metric="f1", positive="b", **FAST)


# --- direction --------------------------------------------------------------


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "f1", "mcc"])
def test_a_positive_difference_means_that_the_second_is_better(metric):
    result = compared(metric=metric)
    null = lk.null_test(GOLD, FIRST, SECOND, metric=metric, **FAST)
    both = lk.estimate(GOLD, FIRST, SECOND, metric=metric, **FAST)

    assert result.difference > 0
    assert null.difference == both.value == result.difference
    assert null.null.statistic > 0
    assert result.probability.better > 0.9
    assert result.posterior.difference.mean() > 0


def test_losses_are_turned_round():
    low, high = [0.1, 0.2, 0.3] * 12, [0.5, 0.7, 0.4] * 12
    loss = lk.compare(high, low, metric="mean_loss", **FAST)
    gain = lk.compare(low, high, metric="mean", **FAST)

    assert loss.settings.data.observed[0] > loss.settings.data.observed[1]
    assert loss.difference == pytest.approx(gain.difference)
    assert loss.verdict.name == gain.verdict.name == "better"
    assert lk.null_test(high, low, metric="mean_loss").null.statistic > 0


def test_error_rate_is_accuracy_turned_round():
    error, right = compared(metric="error_rate"), compared(metric="accuracy")

    assert error.difference == pytest.approx(right.difference)
    assert error.probability == right.probability
    assert tuple(error.hdi) == pytest.approx(tuple(right.hdi))


def test_separated_scores_point_the_right_way():
    tens, twenties = [10.0] * 20, [20.0] * 20
    result = lk.compare(tens, twenties, metric="mean", **FAST)

    assert result.probability.better > 0.999
    assert result.verdict.symbol == "≫"
    assert lk.compare(twenties, tens, metric="mean", **FAST).verdict.symbol == "≪"


# --- what is refused --------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metric": "f3x"}, "metric must be one of"),
        ({"method": "magic"}, r"method must be one of .*paired, unpaired; got 'magic'"),
        ({"method": "mcnemar"}, r"(?s)got 'mcnemar'.*mcnemar belongs to null_test\(\)"),
        ({"method": "bootstrap"}, r"belongs to null_test\(\)"),
        ({"method": "mcnemarr"}, r"Did you mean mcnemar, which belongs to null_test"),
        (
            {"method": "t-test"},
            r"(?s)got 't-test'.*a p-value: bootstrap, .*likelier fol",
        ),
        ({"method": "correlated-t"}, r"correlated-t is for scores of folds: compare_f"),
        (
            {"method": "unpaired", "prior": "swap"},
            "the method paired.*got the method u",
        ),
        ({"prior": "extremes"}, r"a system alone, as in estimate\(\)"),
        ({"method": McNemar()}, "null_test"),
        ({"method": Bootstrap()}, "null_test"),
        ({"rule": "majority"}, "rule must be one of"),
        ({"method": Paired("jeffreys")}, "prior must be one of"),
        ({"method": Unpaired("jeffreys")}, "prior must be one of"),
        ({"draws": 0}, "draws must be"),
        ({"seed": -1}, "must be a whole number of at least 0"),
        ({"workers": 0}, "workers must be"),
        ({"systems": ["a"]}, "systems must be 2"),
        ({"first": FIRST[:-1]}, "gold has 40, first has 39, second has 40"),
        ({"gold": [], "first": [], "second": []}, "at least one item"),
        ({"gold": [*GOLD[:-1], None]}, "gold must have a label for every item"),
        ({"second": [*SECOND[:-1], float("nan")]}, "second must have a label"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(lk.LikelierError, match=message):
        compared(**settings)


@QUICK
@given(mass=bad_masses())
def test_a_mass_must_lie_between_0_and_1(mass):
    with pytest.raises(lk.LikelierError, match="mass must"):
        compared(mass=mass)
    with pytest.raises(lk.LikelierError, match="mass must"):
        lk.estimate(GOLD, FIRST, metric="accuracy", mass=mass)


@QUICK
@given(rope=bad_ropes())
def test_a_rope_must_be_a_region_around_0(rope):
    with pytest.raises(lk.LikelierError, match="rope must"):
        compared(rope=rope)


@QUICK
@given(bad=bad_scores())
def test_scores_must_be_finite(bad):
    for ask in (lk.compare, lk.null_test):
        with pytest.raises(lk.LikelierError, match="scores of second must be finite"):
            ask([1.0, 2.0], [1.0, bad], metric="mean")


@pytest.mark.parametrize("ask", [lk.compare, lk.null_test])
def test_there_must_be_two_systems(ask):
    with pytest.raises(lk.LikelierError, match="two systems to compare; got 1: first"):
        ask(GOLD, FIRST, metric="accuracy")
    with pytest.raises(lk.LikelierError, match=r"(?s)got 3: .*rank\(\) takes all"):
        ask(GOLD, FIRST, SECOND, GOLD, metric="accuracy")


@pytest.mark.parametrize("data", [GOLD, 3, "abc", None])
def test_data_alone_must_be_a_frame(data):
    with pytest.raises(lk.LikelierError, match="data must be outcomes, a data frame"):
        lk.compare(data, metric="accuracy")


@pytest.mark.parametrize("ask", [lk.compare, lk.null_test])
def test_columns_must_be_sequences(ask):
    with pytest.raises(lk.LikelierError):
        ask(3, FIRST, SECOND, metric="accuracy")
    with pytest.raises(lk.LikelierError):
        ask(GOLD, 3, SECOND, metric="accuracy")


def test_a_frame_must_come_with_its_columns():
    frame = pd.DataFrame({"g": GOLD, "a": FIRST, "b": SECOND})

    with pytest.raises(
        lk.LikelierError, match=r"(?s)names of its columns.*gold=\"gold\""
    ):
        lk.compare(frame, metric="accuracy", systems=["a", "b"])
    with pytest.raises(lk.LikelierError, match="c"):
        lk.compare(frame, metric="accuracy", gold="g", systems=["a", "c"])


def test_outcomes_must_be_the_only_data():
    table = lk.Outcomes.from_labels(GOLD, FIRST, SECOND)

    with pytest.raises(lk.LikelierError, match="only data"):
        lk.compare(table, FIRST, metric="accuracy")
    with pytest.raises(lk.LikelierError, match="only data"):
        lk.compare(table, cluster=FIRST, metric="accuracy")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "paired"}, r"paired belongs to compare\(\)"),
        ({"method": "magic"}, "method must be one of bootstrap"),
        ({"method": Paired()}, "compare"),
        ({"draws": 0}, "draws must be"),
        ({"seed": -1}, "must be a whole number of at least 0"),
    ],
)
def test_wrong_settings_of_a_null_test_are_refused(settings, message):
    with pytest.raises(lk.LikelierError, match=message):
        lk.null_test(GOLD, FIRST, SECOND, **({"metric": "accuracy"} | settings))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"interval": "confidence", "method": "paired"},
            r"(?s)hdi or equal-tailed.*Bootstrap\(\)",
        ),
        ({"interval": "widest"}, "one of confidence, equal-tailed, hdi"),
        ({"method": McNemar()}, "method"),
        ({"method": Randomization()}, "method"),
    ],
)
def test_wrong_settings_of_an_estimate_are_refused(settings, message):
    with pytest.raises(lk.LikelierError, match=message):
        lk.estimate(GOLD, FIRST, **({"metric": "accuracy"} | settings))


def test_a_confidence_interval_is_that_of_the_bootstrap():
    settings = {"metric": "accuracy", **FAST}
    result = lk.estimate(GOLD, FIRST, interval="confidence", **settings)

    assert result.interval.kind == "confidence"
    named = lk.estimate(GOLD, FIRST, method="bootstrap", **settings)
    assert result.to_dict() == named.to_dict()


def test_an_estimate_is_of_one_system_or_two():
    with pytest.raises(lk.LikelierError, match="one or two systems; got 3"):
        lk.estimate(GOLD, FIRST, SECOND, GOLD, metric="accuracy")


# --- seeds ------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 5])
def test_the_same_seed_gives_the_same_answer(seed):
    settings = {"metric": "f1", "seed": seed, "rope": 0.01, "draws": 300}
    other = settings | {"seed": seed + 1}
    for ask in (compared, lambda **s: lk.estimate(GOLD, FIRST, method=Paired(), **s)):
        settings = (
            settings
            if ask is compared
            else {k: v for k, v in settings.items() if k != "rope"}
        )
        turned = settings | {"seed": other["seed"]}
        assert ask(**settings).to_dict() == ask(**settings).to_dict()
        assert ask(**settings).to_dict() != ask(**turned).to_dict()


@pytest.mark.parametrize("draws", [1, 7, 300])
def test_there_are_as_many_draws_as_asked_for(draws):
    plain, mirrored = compared(draws=draws), compared(second=FIRST, draws=draws)

    assert len(plain.posterior.difference) == draws
    # Draws of equal systems come in pairs, and the recipe tells how many there are.
    assert len(mirrored.posterior.difference) in (draws, draws + 1)
    for result in (plain, mirrored):
        draws = result.to_dict()["method"]["draws"]
        assert draws == len(result.posterior.difference)


def test_a_generator_moves_on():
    generator = np.random.default_rng(0)
    one, two = (compared(seed=generator).to_dict() for _ in range(2))

    assert one != two


# --- findings ---------------------------------------------------------------


def test_plain_data_leave_no_finding():
    table = random_labels(0)

    assert codes(compared(table.gold, *table.predictions, metric="macro_f1")) == []


@pytest.mark.parametrize(("n", "few"), [(29, True), (30, False)])
def test_few_items_are_remarked(n, few):
    table = random_labels(0, n=n)
    result = compared(table.gold, *table.predictions, metric="accuracy")

    assert ("LIK101" in codes(result)) == few


def test_few_clusters_are_remarked_however_many_items():
    result = compared(metric="accuracy", cluster=np.repeat(np.arange(8), 5))

    (finding,) = [f for f in result.findings if f.code == "LIK101"]
    assert "8 clusters" in finding.message


UNDEFINED = {
    "precision": (["y", "n"] * 20, ["n"] * 40, True),
    "npv": (["y", "n"] * 20, ["y"] * 40, True),
    "recall": (["n"] * 40, ["y", "n"] * 20, True),
    "specificity": (["y"] * 40, ["y", "n"] * 20, True),
    "f1": (["n"] * 40, ["n"] * 40, True),
    "markedness": (["y", "n"] * 20, ["n"] * 40, True),
    "informedness": (["n"] * 40, ["y", "n"] * 20, True),
}
DEFINED = {
    "recall": (["y", "n"] * 20, ["n"] * 40),
    "specificity": (["y", "n"] * 20, ["y"] * 40),
    "f1": (["y", "n"] * 20, ["n"] * 40),
    "informedness": (["y", "n"] * 20, ["n"] * 40),
    "accuracy": (["n"] * 40, ["n"] * 40),
    "balanced_accuracy": (["y", "n"] * 20, ["n"] * 40),
}


@pytest.mark.parametrize("metric", UNDEFINED)
def test_zero_by_zero_is_remarked(metric):
    gold, predicted, _ = UNDEFINED[metric]
    table = lk.Outcomes.from_labels(
        gold, predicted, predicted[::-1], classes=["n", "y"]
    )
    result = lk.compare(table, metric=metric, positive="y", **FAST)

    (finding,) = [f for f in result.findings if f.code == "LIK102"]
    assert finding.severity in ("warning", "block")
    assert finding.message.startswith(metric)
    assert "0/0, counted as 0, for first" in finding.message


@pytest.mark.parametrize("metric", DEFINED)
def test_what_is_only_0_is_not_remarked(metric):
    gold, predicted = DEFINED[metric]
    table = lk.Outcomes.from_labels(gold, predicted, gold, classes=["n", "y"])
    result = lk.compare(table, metric=metric, positive="y", **FAST)

    assert "LIK102" not in codes(result)


@pytest.mark.parametrize(
    "metric", ["balanced_accuracy", "mcc", "kappa", "macro_recall"]
)
def test_a_class_never_predicted_leaves_other_metrics_defined(metric):
    gold, predicted = list("abc") * 20, list("aba") * 20
    result = compared(gold, predicted, gold, metric=metric)

    assert "LIK102" not in codes(result)


@pytest.mark.parametrize("metric", ["macro_f1", "f1_of_macro", "weighted_f1"])
def test_a_class_that_only_the_other_system_predicts_is_not_remarked(metric):
    gold = list("ab") * 20
    result = compared(gold, ["x", *gold[1:]], gold[::-1], metric=metric)

    assert "second (x)" not in " ".join(f.message for f in result.findings)


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_a_constant_gold_column_leaves_no_correlation(metric):
    result = compared(["a"] * 40, ["a"] * 40, ["a"] * 40, metric=metric)

    assert "LIK102" in codes(result)
    assert result.settings.data.observed == (0, 0)


def test_a_direction_read_off_the_data_is_remarked():
    def codes_of(method):
        return codes(
            lk.null_test(GOLD, FIRST, SECOND, metric="f1", method=method, **FAST)
        )

    assert "LIK105" in codes_of("bootstrap")
    assert "LIK105" not in codes_of(Bootstrap(alternative="two-sided"))
    assert "LIK105" not in codes_of(Bootstrap(alternative="greater"))
    assert "LIK105" not in codes_of("randomization")


def test_systems_that_never_differ_are_remarked():
    (finding,) = [f for f in compared(second=FIRST).findings if f.code == "LIK106"]

    assert finding.severity == "warning"
    assert "second and first never differ" in finding.message
    assert "LIK106" not in codes(compared())
    scores = lk.compare([1.0] * 40, [1.0] * 40, metric="mean", **FAST)
    assert "LIK106" in codes(scores)


def test_systems_that_are_wrong_in_other_ways_differ():
    gold = list("aaab") * 10
    result = compared(gold, list("bccb") * 10, list("cbbb") * 10, metric="accuracy")

    assert result.difference == 0
    assert "LIK106" not in codes(result)


def test_labels_that_are_never_gold_are_remarked():
    gold = ["a", "b"] * 20
    result = compared(gold, ["c", *gold[1:]], gold, metric="accuracy")

    (finding,) = [f for f in result.findings if f.code == "LIK107"]
    assert "'c'" in finding.message
    assert "LIK107" not in codes(compared(gold, gold, gold[::-1], metric="accuracy"))
    odd = ["a", *(f"x{i:02}" for i in range(39))]
    many = compared(gold, odd, gold, metric="accuracy")
    (finding,) = [f for f in many.findings if f.code == "LIK107"]
    assert "and 34 more" in finding.message


def test_one_gold_class_is_remarked():
    result = compared([1] * 40, FIRST, SECOND, metric="accuracy")

    assert "LIK110" in codes(result)
    assert "LIK110" not in codes(compared(metric="accuracy"))


def test_every_finding_has_a_documented_code():
    table = random_labels(0, n=10)
    for result in (
        compared(table.gold, table.gold, table.gold, metric="f1", positive="a"),
        compared(["a"] * 9, ["b"] * 9, ["c"] * 9, metric="macro_precision"),
        lk.null_test(GOLD, FIRST, SECOND, metric="f1", method="bootstrap", **FAST),
    ):
        assert result.findings
        assert set(codes(result)) <= set(EXPLAINED)
        rows = result.to_dict()["findings"]
        keys = ["code", "severity", "message", "blocks"]
        assert [list(row) for row in rows] == [keys] * len(rows)


@pytest.mark.parametrize("ask", [lk.compare, lk.null_test, lk.estimate])
def test_findings_of_a_reader_are_passed_on(ask):
    remark = Finding("LIK103", "cut off", severity="warning")
    table = lk.Outcomes.from_labels(GOLD, FIRST, SECOND)
    result = ask(replace(table, findings=(remark,)), metric="accuracy", **FAST)

    assert remark in result.findings


def test_texts_of_frames_and_sequences():
    texts = [f"t {i}" for i in range(len(GOLD))]
    frame = pd.DataFrame({"gold": GOLD, "a": FIRST, "b": SECOND, "input": texts})
    columns = {"gold": "gold", "systems": ["a", "b"], "metric": "accuracy"} | FAST
    chosen = lk.compare(frame, **columns).items.table.items.texts
    given_name = lk.compare(frame, text="input", **columns).items.table.items.texts
    assert chosen == given_name
    assert chosen["row 1"].text == "t 1"
    assert lk.compare(frame, text="", **columns).items.table.items.texts == {}
    several = lk.compare(GOLD, FIRST, SECOND, metric="accuracy", text=texts, **FAST)
    assert several.items.table.items.texts["item 1"].text == "t 1"
    for call in (lk.rank, lk.compare_groups, lk.sensitivity):
        settings = columns | ({"metric": "f1"} if call is lk.compare_groups else {})
        assert call(frame, text="input", **settings)
    table = lk.Outcomes.from_labels(GOLD, FIRST, SECOND)
    with pytest.raises(lk.errors.SettingError, match="must be the only data"):
        lk.compare(table, metric="accuracy", text=texts)
