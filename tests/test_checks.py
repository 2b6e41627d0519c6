"""Checks on items and on scores of folds, and the findings they return."""

import numpy as np
import pytest
from tests.data.score_tables import drawn

import likelier as lk
from likelier import Outcomes, Scores, compare_folds, metrics
from likelier.checks.data_checks import small_classes
from likelier.checks.fold_checks import (
    constant_folds,
    few_data_sets,
    mean_disagrees,
    never_differ,
    rough_quadrature,
)
from likelier.decision import EQUIVALENT
from likelier.metrics.group_mean import mean_over_groups

# --- LIK111: only observed patterns can occur, and all favour one system -----

SENTENCE = ["B-PER", "O", "O"]
MISSED, INVENTED = ["O", "O", "O"], ["B-PER", "O", "B-LOC"]


def compared(first, second, *, n=120, **settings):
    """Compare two taggers that are right except for their first sentences."""
    gold = [SENTENCE] * n
    tagged = [[*part, *gold[len(part) :]] for part in (first, second)]
    table = Outcomes.from_chunks(gold, *tagged, scheme="iob2")
    settings = {"prior": "bootstrap", "draws": 2000, "seed": 0, **settings}
    return lk.compare(table, metric="micro_f1", **settings)


def finding(result, code="LIK111"):
    return next((f for f in result.findings if f.code == code), None)


@pytest.mark.parametrize("error", [MISSED, INVENTED])
def test_one_sentence_of_many(error):
    result = compared([error], [])
    assert result.probability.worse == 0
    assert finding(result).severity == "block"
    message = finding(result).message
    assert "only 1 sentence differs, all in favour of second" in message
    assert result.verdict.name == "undecided"
    assert result.verdict.reason == "too few sentences differ"


def test_in_favour_of_the_first():
    message = finding(compared([], [MISSED] * 3)).message
    assert "only 3 sentences differ, all in favour of first" in message


def test_errors_where_the_metric_of_the_sentence_alone_is_silent():
    # Nothing is right in this sentence, and one of them invents a chunk besides.
    wrong, worse = ["O", "B-LOC", "O"], ["O", "B-LOC", "B-LOC"]
    assert "favour of second" in finding(compared([worse], [wrong])).message


def test_both_ways_leave_no_finding():
    assert finding(compared([MISSED], [SENTENCE, MISSED])) is None


def test_an_item_that_counts_alike_does_not_differ():
    first, second = [MISSED, INVENTED], [SENTENCE, ["B-PER", "O", "B-ORG"]]
    assert "only 1 sentence differs" in finding(compared(first, second)).message


def test_a_unit_that_the_metric_does_not_count_makes_nothing_surer():
    """Three wins to none on recall, and false positives beside them."""
    gold = ["1"] * 40 + ["0"] * 40
    first = ["0"] * 3 + ["1"] * 37 + ["0"] * 40
    second = ["1"] * 40 + ["1"] * 5 + ["0"] * 35
    settings = {"metric": "recall", "positive": "1", "draws": 2000, "seed": 0}
    blocked = lk.compare(gold, first, second, prior="bootstrap", **settings)
    assert blocked.verdict.reason == "too few items differ"
    with_fp, alone = (
        lk.compare(gold, first, said, **settings).probability.better
        for said in (second, gold)
    )
    assert with_fp == pytest.approx(alone, abs=0.02)


def test_balanced_accuracy_and_macro_recall_are_one():
    gold = np.array(["a", "b", "c", "d"] * 50)
    first, second = gold.copy(), gold.copy()
    first[:80:2], second[:80:2] = "x", "y"  # both wrong, with other labels
    first[81:85] = "x"
    settings = {"draws": 4000, "seed": 0}
    balanced, recall = (
        lk.compare(gold, first, second, metric=metric, **settings)
        for metric in ("balanced_accuracy", "macro_recall")
    )
    assert balanced.difference == pytest.approx(recall.difference)
    assert balanced.probability.better == pytest.approx(
        recall.probability.better, abs=0.02
    )


def test_many_leave_no_finding():
    assert finding(compared([MISSED] * 20, [])) is None


def test_equal_systems_leave_no_finding():
    assert finding(compared([MISSED], [MISSED])) is None


def test_a_prior_on_all_patterns_leaves_no_finding():
    gold = ["a", "b"] * 40
    first = ["b", *gold[1:]]
    result = lk.compare(gold, first, gold, metric="accuracy", draws=2000, seed=0)
    assert result.probability.worse > 0
    assert finding(result) is None
    bare = lk.methods.Paired(prior="bootstrap")
    result = lk.compare(
        gold, first, gold, metric="accuracy", method=bare, draws=2000, seed=0
    )
    assert "favour of second" in finding(result).message


def test_clusters_are_counted():
    gold = ["a", "b"] * 40
    first = ["b", "a", *gold[2:]]
    cluster = [i // 4 for i in range(80)]
    result = lk.compare(
        gold,
        first,
        gold,
        metric="accuracy",
        cluster=cluster,
        prior="bootstrap",
        draws=2000,
        seed=0,
    )
    assert "only 1 cluster" in finding(result).message


@pytest.mark.parametrize(
    ("clusters", "severity"), [(9, "warning"), (10, "note"), (29, "note"), (30, None)]
)
def test_few_clusters_of_many_items(clusters, severity):
    gold = ["a", "b"] * 10 * clusters
    first = ["b", *gold[1:]]
    cluster = [i // 20 for i in range(len(gold))]
    settings = {"metric": "accuracy", "draws": 200, "seed": 0}
    few = finding(lk.compare(gold, first, gold, cluster=cluster, **settings), "LIK101")
    assert (None if few is None else few.severity) == severity
    if few is not None:
        assert few.message.startswith(f"only {clusters} clusters")


# --- findings of an answer ------------------------------------------------------


@pytest.mark.parametrize("draws", [1, 999, 1000])
@pytest.mark.parametrize("method", ["paired", "unpaired", "monte-carlo"])
def test_too_few_draws_block(draws, method):
    gold = ["a", "b"] * 40
    first = ["b", "a"] * 20 + gold[40:]
    result = lk.compare(
        gold, first, gold, metric="recall", positive="a", method=method, draws=draws
    )
    assert (finding(result, "LIK112") is None) == (draws >= 1000)
    if draws < 1000:
        assert result.verdict.symbol == "?"
        assert result.verdict.reason == "too few draws"
        assert result.outlook is None
        assert "too few draws" in result.sentence()
    exact = lk.compare(
        gold, first, gold, metric="recall", positive="a", method="independent"
    )
    assert finding(exact, "LIK112") is None


def test_an_estimate_of_few_draws_is_blocked_too():
    scores = [0.1, 0.5, 0.7] * 20
    assert finding(lk.estimate(scores, metric="mean", draws=99), "LIK112") is not None
    assert finding(lk.estimate(scores, metric="mean", draws=1000), "LIK112") is None


@pytest.mark.parametrize(("n", "pull"), [(9, "20 %"), (19, "10 %"), (20, None)])
def test_few_items_are_pulled_to_0(n, pull):
    gold = ["a"] * n
    result = lk.compare(gold, ["b", *gold[1:]], gold, metric="accuracy", seed=0)
    pulled = finding(result, "LIK113")
    assert (pulled is None) == (pull is None)
    if pull is not None:
        assert pull in pulled.message
        # What is told is what happens to the mean.
        mean = result.posterior.difference.mean()
        told = 1 - float(pull[:-2]) / 100
        assert mean / result.difference == pytest.approx(told, abs=0.02)


TAIL = [0.4] * 30 + [0.6] * 15 + [-3.0] * 2


def tailed(differences, **settings):
    zeros = [0.0] * len(differences)
    settings = {"metric": "mean", "draws": 4000, "seed": 0, **settings}
    return lk.compare(zeros, differences, **settings)


def test_a_long_tail_against_the_difference_blocks():
    result = tailed(TAIL)
    assert result.probability.better > 0.97
    assert finding(result, "LIK114").severity == "block"
    assert result.verdict.reason == "the largest differences point the other way"
    mirrored = tailed([-gap for gap in TAIL])
    assert mirrored.verdict.reason == result.verdict.reason


def test_a_long_tail_with_the_difference_blocks_nothing_but_equivalence():
    result = tailed([*[0.4] * 30, *[0.6] * 15, *[3.0] * 2])
    assert finding(result, "LIK114").severity == "note"
    assert finding(result, "LIK114").blocks == EQUIVALENT
    assert result.verdict.name == "better"


def test_a_tail_against_the_difference_does_not_block_equivalence():
    tail = [0.4] * 30 + [0.6] * 15 + [-0.4] * 6
    result = tailed(tail, rope=1.0)
    assert finding(result, "LIK114").severity == "warning"
    assert result.verdict.name == "equivalent"
    assert tailed(tail).verdict.reason == "the largest differences point the other way"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_very_long_tail_on_any_side_blocks_equivalence(sign):
    tail = [0.0] * 30 + [0.2] * 15 + [sign * 3.0]
    result = tailed(tail, rope=1.0)
    assert finding(result, "LIK114").severity == "block"
    assert result.verdict.reason is not None
    assert result.probability.equivalent > 0.95


def test_unanimous_scores_are_not_blocked():
    result = tailed([1.0] * 47 + [0.0] * 3 + [2.0])
    assert finding(result, "LIK114") is None
    assert result.verdict.name == "better"


def test_invented_labels_do_not_hide_a_difference():
    gold = ["a", "b"] * 100
    second = [x if i % 4 < 2 else f"junk{i}" for i, x in enumerate(gold)]
    settings = {"metric": "macro_f1", "rope": 0.02, "draws": 1000, "seed": 0}
    for method in ("paired", "unpaired"):
        result = lk.compare(gold, list(gold), second, method=method, **settings)
        assert result.verdict.name == "worse"
        assert result.difference < -0.3


def test_zero_one_scores_have_no_tail():
    first, second = [0] * 30 + [1] * 8 + [1] * 60, [1] * 30 + [0] * 8 + [1] * 60
    assert finding(lk.compare(first, second, metric="mean", seed=0), "LIK114") is None


@pytest.mark.parametrize(("n", "blocks"), [(899, True), (1100, False)])
def test_a_prior_that_outweighs_the_data_blocks(n, blocks):
    gold = [str(i % 10) for i in range(n)]
    first = ["1", *gold[1:]]
    settings = {"metric": "accuracy", "draws": 1000, "seed": 0}
    result = lk.compare(gold, first, gold, prior="uniform", **settings)
    assert (finding(result, "LIK116") is not None) == blocks
    if blocks:
        assert result.verdict.reason == "the prior outweighs the data"
    strong = lk.compare(gold, first, gold, strength=n, **settings)
    assert strong.verdict.reason == "the prior outweighs the data"
    assert lk.compare(gold, first, gold, **settings).verdict.reason is None


def test_the_prior_of_a_factor_is_asked_too():
    gold = [str(i % 10) for i in range(60)]
    first = ["1", *gold[1:]]
    settings = {"metric": "accuracy", "rope": 0.1, "draws": 1000, "seed": 0}
    without = lk.compare(gold, first, gold, **settings)
    result = lk.compare(gold, first, gold, factor="rope", strength=7, **settings)
    assert {"LIK116", "LIK118"}.isdisjoint(f.code for f in without.findings)
    heavy = finding(result, "LIK116")
    start = "for the Bayes factor only: the prior objective "
    assert heavy.message.startswith(f"{start}weighs as much as 70 items, more than")
    assert finding(result, "LIK118") is None
    # No verdict rests on it.
    assert heavy.severity == "warning"
    assert (heavy.reason, heavy.blocks) == ("", ())
    assert result.verdict.reason is None


def test_a_prior_that_is_also_that_of_the_factor_is_remarked_once():
    gold = [str(i % 10) for i in range(60)]
    first = ["1", *gold[1:]]
    settings = {"metric": "accuracy", "rope": 0.1, "draws": 1000, "seed": 0}
    result = lk.compare(gold, first, gold, factor="rope", prior="uniform", **settings)
    assert [f.severity for f in result.findings if f.code == "LIK116"] == ["block"]


def test_a_prior_that_moves_a_value_is_remarked():
    gold = [str(i % 10) for i in range(2000)]
    first = ["1", *gold[1:]]
    settings = {"metric": "macro_f1", "draws": 1000, "seed": 0}
    moved = finding(
        lk.compare(gold, first, gold, prior="uniform", **settings), "LIK118"
    )
    assert moved.severity == "warning"  # out of its interval
    assert finding(lk.compare(gold, first, gold, **settings), "LIK118") is None


def test_small_classes_are_remarked():
    gold = list("aaaabbbbbbbb" * 3 + "cccc")
    settings = {"metric": "macro_f1", "draws": 1000, "seed": 0}
    few = finding(lk.compare(gold, [*gold[1:], "a"], gold, **settings), "LIK117")
    assert few.message.startswith("1 of 3 classes has fewer than 5 gold items")
    more = [*gold, "c"]
    assert finding(lk.compare(more, [*gold, "a"], more, **settings), "LIK117") is None


def test_small_classes_are_counted_in_clusters():
    gold = list("ab" * 60)
    clusters = {"a": [0, 1, 2] * 20, "b": list(range(60))}
    cluster = [clusters[x][i // 2] for i, x in enumerate(gold)]
    second = ["b", *gold[1:]]
    settings = {"cluster": cluster, "draws": 1000, "seed": 0}
    average = lk.compare(gold, gold, second, metric="macro_f1", **settings)
    few = finding(average, "LIK117")
    expected = "1 of 2 classes has fewer than 5 clusters with gold items: "
    assert few.message.startswith(expected)
    one = {"metric": "f1", "positive": "a", **settings}
    few = finding(lk.compare(gold, gold, second, **one), "LIK117")
    assert few.message.startswith("only 3 clusters have a: ")
    assert few.blocks == EQUIVALENT
    # As many clusters as items, but each class has one of its own.
    settings["cluster"] = gold
    block = finding(
        lk.compare(gold, gold, second, metric="macro_f1", **settings), "LIK115"
    )
    assert block.reason == "every class has one cluster"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("macro_f1", "4 of 5 classes of tasks have fewer than 5 gold items"),
        ("accuracy", "1 of 2 tasks has fewer than 5 gold items"),
        ("mean", "1 of 2 tasks has fewer than 5 items"),
    ],
)
def test_small_tasks_are_not_taken_for_their_classes(name, what):
    gold = {"x": "aabb", "y": "aaabbbbbcccc"}
    tables = {
        task: Outcomes.from_scores([1.0] * len(own), [0.5] * len(own))
        if name == "mean"
        else Outcomes.from_labels(own, own, own[::-1])
        for task, own in gold.items()
    }
    metric, table = mean_over_groups(metrics.named(name), tables, name="mean_of_tasks")
    assert small_classes(table, metric).message.startswith(f"{what}: ")


def test_classes_of_sentences_are_counted_in_sentences():
    gold = [["B-PER", "I-PER"] * 3 + ["B-LOC"]] * 3 + [["B-LOC"]] * 30
    first = [["B-LOC"] * 7, *gold[1:]]
    table = Outcomes.from_chunks(gold, first, gold, scheme="IOB2")
    settings = {"draws": 1000, "seed": 0}
    few = finding(lk.compare(table, metric="macro_f1", **settings), "LIK117")
    assert "1 of 2 classes has fewer than 5 sentences with gold items" in few.message
    one = lk.compare(table, metric="f1", positive="PER", **settings)
    assert finding(one, "LIK117").reason == "only 3 sentences have PER"


@pytest.mark.parametrize(
    ("error", "severity"), [(5e-5, None), (5e-4, "note"), (5e-3, "block")]
)
def test_a_rough_quadrature(error, severity):
    rough = rough_quadrature(error, 1e-4)
    assert (None if rough is None else rough.severity) == severity


@pytest.mark.parametrize("chance", [True, False])
def test_folds_near_chance_are_remarked(chance):
    rng = np.random.default_rng(0)
    gold = rng.choice(["a", "b"], 600)
    right = 0.5 if chance else 0.8
    first, second = (
        np.where(rng.random(600) < right, gold, np.where(gold == "a", "b", "a"))
        for _ in range(2)
    )
    result = compare_folds(
        gold, first, second, metric="accuracy", repetitions=3, draws=1000, seed=0
    )
    assert (finding(result, "LIK124") is not None) == chance


# --- scores of folds ---------------------------------------------------------


def test_systems_that_never_differ():
    table = Scores.from_arrays([0.1, 0.2], [0.1, 0.2], systems=["old", "new"])
    finding = never_differ(table)
    assert (finding.code, finding.severity) == ("LIK106", "warning")
    assert finding.message == "new and old have the same score on every fold."
    assert never_differ(Scores.from_arrays([0.1, 0.2], [0.1, 0.3])) is None


def test_folds_that_differ_by_the_same_amount():
    table = Scores.from_arrays(
        [[0.1, 0.2], [0.1, 0.3], [0.5]],
        [[0.2, 0.3], [0.2, 0.3], [0.6]],
        datasets=["x", "y", "z"],
    )
    finding = constant_folds(table)
    # The gaps of x are equal up to rounding; z has one score.
    assert finding.code == "LIK130"
    assert "'x'" in finding.message
    assert "'y'" not in finding.message
    assert "'z'" not in finding.message
    assert constant_folds(table.only("y")) is None


@pytest.mark.parametrize(("count", "few"), [(2, True), (4, True), (5, False)])
def test_few_data_sets(count, few):
    unsure, sure = (
        few_data_sets(drawn(sets=count, folds=3), certain=certain)
        for certain in (False, True)
    )
    assert (unsure is not None, sure is not None) == (few, few)
    if few:
        assert unsure.message.startswith(f"{count} data sets say little")
        assert unsure.severity == "note"
        assert sure.message.startswith(f"{count} data sets are too few")
        assert sure.severity == "warning"


def test_a_mean_that_most_data_sets_contradict():
    first = [0.8] * 20
    table = Scores.from_arrays(
        first, [0.81] * 19 + [0.2], datasets=[f"d{i}" for i in range(20)]
    )
    assert mean_disagrees(table).code == "LIK132"
    assert "LIK132" in [
        f.code for f in compare_folds(table, seed=0, draws=200).findings
    ]
    agreeing = Scores.from_arrays(
        first, [0.81] * 20, datasets=[f"d{i}" for i in range(20)]
    )
    assert mean_disagrees(agreeing) is None


def clustered(sizes, seed=0):
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    first, second = (rng.random((2, len(cluster))) < 0.7).astype(float)
    return lk.compare(first, second, metric="mean", cluster=cluster, draws=1000, seed=0)


@pytest.mark.parametrize(
    ("sizes", "severity"),
    [
        ([10] * 50, None),
        ([10] * 30 + [20] * 20, None),
        ([490] + [10] * 49, "block"),
        ([160] + [10] * 49, "warning"),
        ([100] * 4 + [10] * 40, "warning"),
        ([200] + [5] * 119, "warning"),
    ],
)
def test_few_clusters_that_carry_the_answer_are_remarked(sizes, severity):
    result = clustered(sizes)
    severities = [f.severity for f in result.findings if f.code == "LIK127"]
    assert severities == ([] if severity is None else [severity])
    assert (result.verdict.reason is not None) == (severity == "block")


@pytest.mark.parametrize(("n", "remarked"), [(19, False), (20, True)])
def test_a_system_that_is_the_gold_is_remarked(n, remarked):
    gold = (["a", "b"] * n)[:n]
    result = lk.compare(gold, ["a"] * n, gold, metric="accuracy", draws=1000, seed=0)
    messages = [f.message for f in result.findings if f.code == "LIK126"]
    assert [text.split()[0] for text in messages] == ["second"] * remarked
