"""Chunks are matched as nervaluate matches them, and best where it depends on order."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nervaluate.entities import Entity
from nervaluate.strategies import (
    EntityTypeEvaluation,
    ExactEvaluation,
    PartialEvaluation,
    StrictEvaluation,
)
from tests.conftest import QUICK

import likelier as lk
from likelier import metrics
from likelier.data.chunks import from_chunks
from likelier.data.tag_schemes import spans_to_tags, tags_to_spans
from likelier.errors import SettingError

PEERS = {
    "strict": StrictEvaluation,
    "exact": ExactEvaluation,
    "partial": PartialEvaluation,
    "type": EntityTypeEvaluation,
}
TAGS = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])
SENTENCE = st.lists(st.tuples(TAGS, TAGS, TAGS), min_size=1, max_size=9)
CORPUS = st.lists(SENTENCE, min_size=1, max_size=6)


def columns(corpus):
    """Sentences of gold tags and of those of two systems, with a chunk somewhere."""
    corpus = [*corpus, [("B-X", "B-X", "B-X")]]
    return [[[row[i] for row in rows] for rows in corpus] for i in range(3)]


def spans(tags):
    return [(s.start, s.end, s.type) for s in tags_to_spans(tags, "iob2")]


def entities(tags):
    return [Entity(label=kind, start=a, end=b - 1) for a, b, kind in spans(tags)]


def nervaluate(match, gold, predicted):
    """Credit, and numbers of correct, incorrect, partial, missed, spurious chunks."""
    names = ("correct", "incorrect", "partial", "missed", "spurious")
    total = np.zeros(5)
    for ours, theirs in zip(gold, predicted, strict=True):
        result, _ = PEERS[match]().evaluate(
            entities(ours), entities(theirs), ["X", "Y"]
        )
        total += [getattr(result, name) for name in names]
    return total


def sums(table, system=0):
    every = table.sums()
    return {name: every[name][system].sum() for name in table.statistics}


def five(table, system=0):
    part = sums(table, system)
    rest = [part[name] for name in ("incorrect", "partial", "missed", "spurious")]
    return np.array([part["tp"] - part["partial"] / 2, *rest])


@pytest.mark.parametrize("match", ["strict", "exact", "partial"])
@QUICK
@given(corpus=CORPUS)
def test_scores_are_those_of_nervaluate(match, corpus):
    gold, *systems = columns(corpus)
    table = from_chunks(gold, *systems, scheme="iob2", match=match)
    for system, predicted in enumerate(systems):
        correct, incorrect, partial, missed, spurious = counts = nervaluate(
            match, gold, predicted
        )
        if match == "partial":
            np.testing.assert_array_equal(five(table, system), counts)
        credit = correct + partial / 2
        actual = correct + incorrect + partial + spurious
        possible = correct + incorrect + partial + missed
        part = sums(table, system)
        assert part["tp"] == credit
        assert (part["tp"] + part["fp"], part["tp"] + part["fn"]) == (actual, possible)
        f1 = metrics.named("micro_f1").observed(table)[system]
        assert f1 == pytest.approx(2 * credit / (actual + possible))


def best(gold, predicted):
    """Most pairs of one type, then most pairs, by trying every choice of them."""
    pairs = [
        (i, j, one[2] == other[2])
        for i, one in enumerate(gold)
        for j, other in enumerate(predicted)
        if one[0] < other[1] and other[0] < one[1]
    ]
    choices = (c for n in range(len(pairs) + 1) for c in combinations(pairs, n))
    single = (
        (sum(same for *_, same in c), len(c))
        for c in choices
        if len({i for i, *_ in c}) == len(c) == len({j for _, j, _ in c})
    )
    right, every = max(single)
    return np.array(
        [right, every - right, 0, len(gold) - every, len(predicted) - every]
    )


@QUICK
@given(rows=SENTENCE)
def test_types_are_matched_as_well_as_can_be(rows):
    gold, first, second = columns([rows])
    table = from_chunks(gold, first, second, scheme="iob2", match="type")
    for system, predicted in enumerate((first, second)):
        wanted = sum(
            best(spans(ours), spans(theirs))
            for ours, theirs in zip(gold, predicted, strict=True)
        )
        np.testing.assert_array_equal(five(table, system), wanted)
        assert wanted[0] >= nervaluate("type", gold, predicted)[0]


@QUICK
@given(corpus=CORPUS)
def test_the_other_direction_of_writing_gives_the_same(corpus):
    gold, *systems = columns(corpus)

    def mirrored(sentences):
        return [
            spans_to_tags(
                [(len(t) - b, len(t) - a, kind) for a, b, kind in reversed(spans(t))],
                len(t),
                "iob2",
            )
            for t in sentences
        ]

    for match in ("partial", "type"):
        here = from_chunks(gold, *systems, scheme="iob2", match=match)
        there = from_chunks(
            *map(mirrored, (gold, *systems)), scheme="iob2", match=match
        )
        np.testing.assert_array_equal(five(here), five(there))
        np.testing.assert_array_equal(here.sums()["tp"], there.sums()["tp"])


# One gold chunk: nervaluate pairs it with the first chunk that overlaps it.
GOLD, FIRST = ["B-X", "I-X", "I-X"], ["B-Y", "B-X", "I-X"]


def test_nervaluate_depends_on_the_order_where_a_chunk_overlaps_two():
    mirrored = ["B-X", "I-X", "B-Y"]
    assert nervaluate("type", [GOLD], [FIRST])[0] == 0
    assert nervaluate("type", [GOLD], [mirrored])[0] == 1
    for predicted in (FIRST, mirrored):
        table = from_chunks([GOLD], [predicted], scheme="iob2", match="type")
        assert five(table).tolist() == [1, 0, 0, 0, 1]


def test_nervaluate_does_not_see_a_token_of_a_very_long_chunk():
    long = ["B-X", *["I-X"] * 149]
    short = ["B-X", *["O"] * 149]
    assert nervaluate("partial", [long], [short]).tolist() == [0, 0, 0, 1, 1]
    table = from_chunks([long], [short], scheme="iob2", match="partial")
    assert five(table).tolist() == [0, 0, 1, 0, 0]


def test_classes_are_types_where_types_count():
    gold, predicted = [["B-X", "I-X", "O", "B-Y"]], [["B-X", "O", "O", "B-X"]]
    found = {
        match: from_chunks(gold, predicted, scheme="iob2", match=match)
        for match in PEERS
    }
    assert {match: len(t.classes) for match, t in found.items()} == {
        "strict": 2, "exact": 1, "partial": 1, "type": 2
    }  # fmt: skip
    table = found["type"].sums()
    assert [table[name][0].tolist() for name in ("tp", "fp", "fn")] == [
        [1, 0], [1, 0], [0, 1]
    ]  # fmt: skip
    only = from_chunks(gold, predicted, scheme="iob2", match="partial", only="X")
    assert only.classes == ("X",)
    assert five(only).tolist() == [0, 0, 1, 0, 1]
    assert only.source == "chunks iob2 lenient only=X match=partial"
    with pytest.raises(SettingError, match="match must be one of"):
        from_chunks(gold, predicted, scheme="iob2", match="fuzzy")


def test_one_class_can_be_taken_alone():
    gold, predicted = [["B-X", "I-X", "O", "B-Y"]], [["B-X", "O", "O", "B-X"]]
    table = from_chunks(gold, predicted, scheme="iob2", match="type").binary("X")
    assert [sums(table)[name] for name in ("tp", "fp", "fn")] == [1, 1, 0]


@pytest.mark.parametrize("match", ["partial", "type"])
def test_every_question_takes_matches(match):
    rng = np.random.default_rng(0)
    whole, part, wrong = GOLD, ["B-X", "I-X", "O"], FIRST

    def system(shares):
        kinds = rng.choice(3, 60, p=shares)
        return [(whole, part, wrong)[kind] for kind in kinds]

    shares = [(0.3, 0.5, 0.2), (0.9, 0.05, 0.05), (0.5, 0.3, 0.2)]
    gold, systems = [whole] * 60, [system(one) for one in shares]
    table = from_chunks(gold, *systems, scheme="iob2", match=match,
                        cluster=np.arange(60) // 2)  # fmt: skip
    few = {"metric": "micro_f1", "draws": 1000, "seed": 0}
    two = table.named("first", "second")
    result = lk.compare(two, **few)
    assert result.to_dict()["items"] == 60
    assert ("0.5 right" in result.report().html) == (match == "partial")
    for method in ("randomization", "bootstrap"):
        assert 0 <= lk.null_test(two, method=method, **few).p_value <= 1
    assert len(lk.rank(table, **few).systems) == 3
    assert 0 < lk.estimate(table.named("first"), **few).value < 1
    apart = from_chunks(gold, *systems[:2], scheme="iob2", match=match)
    if match == "type":
        assert lk.compare_groups(apart, metric="f1", draws=1000, seed=0).to_dict()
    pilot = lk.Assumed.pilot(two, certain=True)
    assert lk.plan(pilot, metric="micro_f1", replications=20, seed=0).chances(40)


def test_a_statistic_of_matches_makes_a_metric():
    spurious = lk.metrics.Metric(
        "spurious_rate",
        ("spurious", "tp", "fp"),
        lambda spurious, tp, fp: spurious / (tp + fp),
        higher_is_better=False,
    )
    table = from_chunks([GOLD] * 9, [FIRST] * 9, scheme="iob2", match="type")
    pooled = lk.metrics.averaged(spurious, "micro")
    assert pooled.observed(table).tolist() == [0.5]
