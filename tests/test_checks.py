"""Checks on items and on scores of folds, and the findings they return."""

import pytest
from tests.data.score_tables import drawn

import likelier as lk
from likelier import Outcomes, Scores, compare_folds
from likelier.checks import constant_folds, few_data_sets, mean_disagrees, never_differ

# --- LIK111: only observed patterns can occur, and all favour one system -----

SENTENCE = ["B-PER", "O", "O"]
MISSED, INVENTED = ["O", "O", "O"], ["B-PER", "O", "B-LOC"]


def compared(first, second, *, n=120, **settings):
    """Compare two taggers that are right except for their first sentences."""
    gold = [SENTENCE] * n
    tagged = [[*part, *gold[len(part) :]] for part in (first, second)]
    table = Outcomes.from_chunks(gold, *tagged, scheme="iob2")
    return lk.compare(table, metric="micro_f1", draws=2000, seed=0, **settings)


def finding(result, code="LIK111"):
    return next((f for f in result.findings if f.code == code), None)


@pytest.mark.parametrize("error", [MISSED, INVENTED])
def test_one_sentence_of_many(error):
    result = compared([error], [])
    assert result.probability.worse == 0
    assert finding(result).severity == "warning"
    message = finding(result).message
    assert "amounts to 1 sentences, all in favour of second" in message
    assert message.endswith("a probability of 0.25.")


def test_in_favour_of_the_first():
    message = finding(compared([], [MISSED] * 3)).message
    assert "amounts to 3 sentences, all in favour of first" in message
    assert message.endswith("a probability of 0.062.")


def test_errors_where_the_metric_of_the_sentence_alone_is_silent():
    # Nothing is right in this sentence, and one of them invents a chunk besides.
    wrong, worse = ["O", "B-LOC", "O"], ["O", "B-LOC", "B-LOC"]
    assert "favour of second" in finding(compared([worse], [wrong])).message


def test_both_ways_leave_no_finding():
    assert finding(compared([MISSED], [SENTENCE, MISSED])) is None


def test_an_item_that_favours_nobody_leaves_no_finding():
    first, second = [MISSED, INVENTED], [SENTENCE, ["B-PER", "O", "B-ORG"]]
    assert finding(compared(first, second)) is None


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
        gold, first, gold, metric="accuracy", cluster=cluster, draws=2000, seed=0
    )
    assert "amounts to 1 clusters" in finding(result).message


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
