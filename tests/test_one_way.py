"""LIK111: a posterior of observed patterns only, all of which favour one system."""

import pytest

import likelier as lk
from likelier import Outcomes

SENTENCE = ["B-PER", "O", "O"]
MISSED, INVENTED = ["O", "O", "O"], ["B-PER", "O", "B-LOC"]


def compared(first, second, *, n=120, **settings):
    """Compare two taggers that are right except for their first sentences."""
    gold = [SENTENCE] * n
    tagged = [[*part, *gold[len(part) :]] for part in (first, second)]
    table = Outcomes.from_chunks(gold, *tagged, scheme="iob2")
    return lk.compare(table, metric="micro_f1", draws=2000, seed=0, **settings)


def finding(result):
    return next((f for f in result.findings if f.code == "LIK111"), None)


@pytest.mark.parametrize("error", [MISSED, INVENTED])
def test_one_sentence_of_many(error):
    result = compared([error], [])
    assert result.probability.worse == 0
    assert finding(result).severity == "problem"
    message = finding(result).message
    assert "amounts to 1 sentences, all in favour of second" in message
    assert message.endswith("chance would still have 0.25.")


def test_in_favour_of_the_first():
    message = finding(compared([], [MISSED] * 3)).message
    assert "amounts to 3 sentences, all in favour of first" in message
    assert message.endswith("chance would still have 0.062.")


def test_errors_where_the_metric_of_the_sentence_alone_is_silent():
    # Nothing is right in this sentence, and one of them invents a chunk besides.
    wrong, worse = ["O", "B-LOC", "O"], ["O", "B-LOC", "B-LOC"]
    assert "favour of second" in finding(compared([worse], [wrong])).message


def test_both_ways_leave_no_finding():
    assert finding(compared([MISSED], [SENTENCE, MISSED])) is None


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
