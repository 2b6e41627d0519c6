"""Items on which systems differ, against a plain loop over all items."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from tests.conftest import QUICK, label_tables, set_tables

from likelier.data.chunks import from_chunks
from likelier.data.constructors import (
    from_labels,
    from_patterns,
    from_scores,
    from_sets,
)
from likelier.data.differing_items import NAMED_ROWS
from likelier.data.item_examples import EXAMPLES, ItemText
from likelier.errors import InputError

NAMES = ("first", "second", "third")
ODD = ["", " ", "a\tb", "\n", "<b>&", "é", "e\u0301", "\0", "'", '"', "日本", "row 1"]


def looped(rows, ids, *, gold):
    """Count the rows on which not all systems agree, and list their least ids."""
    by_row = defaultdict(list)
    for row, name in zip(rows, ids, strict=True):
        predictions = row[1:] if gold else row
        if any(label != predictions[0] for label in predictions):
            by_row[tuple(row)].append(name)
    return {
        row: (len(some), tuple(sorted(some, key=lambda i: (len(i), i))[:EXAMPLES]))
        for row, some in by_row.items()
    }


def as_dict(items):
    """Return the count and the examples of each row."""
    rows = [tuple(map(items.text, row)) for row in items.cells]
    assert len(set(rows)) == len(rows)
    return {
        row: (count, items.examples(i))
        for i, (row, count) in enumerate(zip(rows, items.counts, strict=True))
    }


def item_names(n):
    return [f"item {i}" for i in range(n)]


@QUICK
@given(label_tables(systems=3, items=(1, 60)))
def test_labels_of_three_systems_and_of_each_pair(table):
    outcomes = table.outcomes()
    rows, ids = list(zip(*table.columns, strict=True)), item_names(len(table.gold))
    assert as_dict(outcomes.items) == looped(rows, ids, gold=True)
    for pair in combinations(range(3), 2):
        for i, j in (pair, pair[::-1]):
            kept = outcomes.items.pair(NAMES[i], NAMES[j])
            two = [(row[0], row[1 + i], row[1 + j]) for row in rows]
            assert as_dict(kept) == looped(two, ids, gold=True)
            assert list(kept.counts) == sorted(kept.counts, reverse=True)


@QUICK
@given(set_tables(items=(1, 30)))
def test_sets_of_labels(table):
    columns = [
        [", ".join(sorted(labels)) for labels in column] for column in table.columns
    ]
    rows = list(zip(*columns, strict=True))
    items = from_sets(*table.columns).items
    assert as_dict(items) == looped(rows, item_names(len(rows)), gold=True)


def test_scores_come_by_their_difference():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 6, size=(400, 3)) / 4
    items = from_scores(*values.T).items
    texts = [tuple(f"{v:g}" for v in row) for row in values]
    assert as_dict(items) == looped(texts, item_names(400), gold=False)
    spreads = np.ptp(items.cells, axis=1)
    assert list(spreads) == sorted(spreads, reverse=True)
    both = [(row[2], row[0]) for row in texts]
    kept = items.pair("third", "first")
    assert as_dict(kept) == looped(both, item_names(400), gold=False)


@pytest.mark.parametrize("kind", ["labels", "sets", "scores"])
def test_clusters_change_no_items(kind):
    rng = np.random.default_rng(1)
    make = {"labels": from_labels, "sets": from_sets, "scores": from_scores}[kind]
    columns = rng.integers(0, 2, size=(3, 300)).tolist()
    if kind == "sets":
        columns = [[{str(v), "x"} for v in column] for column in columns]
    cluster = rng.integers(0, 40, 300)
    plain, clustered = make(*columns), make(*columns, cluster=cluster)
    assert clustered.clustered
    assert as_dict(clustered.items) == as_dict(plain.items)


def test_ids_are_kept_byte_for_byte():
    n = len(ODD)
    items = from_labels("a" * n, "a" * n, "b" * n, ids=ODD).items
    assert items.ids == (tuple(sorted(ODD, key=lambda i: (len(i), i))),)
    labels = [f"{odd}!" for odd in ODD]
    hostile = from_labels(labels, labels, labels[::-1]).items
    assert set(as_dict(hostile)) == set(zip(labels, labels, labels[::-1], strict=True))


def test_the_same_items_in_another_order_give_the_same_record():
    rng = np.random.default_rng(2)
    columns = rng.integers(0, 4, size=(3, 500))
    ids = np.array([f"m{i}" for i in range(500)])
    order = rng.permutation(500)
    one = from_labels(*columns, ids=ids.tolist()).items
    two = from_labels(*columns[:, order], ids=ids[order].tolist()).items
    assert as_dict(one) == as_dict(two)
    assert np.array_equal(one.cells, two.cells)
    assert one.ids == two.ids


def test_many_items_and_many_rows():
    rng = np.random.default_rng(3)
    columns = rng.integers(0, 5, size=(3, 100_000))
    rows = [tuple(map(str, row)) for row in columns.T.tolist()]
    items = from_labels(*columns).items
    assert as_dict(items) == looped(rows, item_names(100_000), gold=True)
    scores = rng.normal(size=(NAMED_ROWS + 500, 2))
    record = from_scores(*scores.T).items
    assert len(record.counts) == NAMED_ROWS + 500
    assert len(record.ids) == NAMED_ROWS
    assert record.examples(NAMED_ROWS) == ()
    gaps = np.abs(np.diff(scores)[:, 0])
    largest = np.argsort(-gaps, kind="stable")[:NAMED_ROWS]
    assert record.ids == tuple((f"item {i}",) for i in largest)


def test_counted_rows_have_names_only_from_a_function():
    columns = [["a", "a", "b"], ["a", "b", "b"], ["b", "a", "b"]]
    bare = from_patterns(columns, [5, 3, 2], systems=["x", "y"]).items
    assert bare.counts.tolist() == [5, 3]
    assert bare.ids == ()

    def names(rows):
        return [[f"{row}/{i}" for i in range(2)] for row in rows]

    named = from_patterns(columns, [5, 3, 2], systems=["x", "y"], ids=names).items
    assert named.ids == (("0/0", "0/1"), ("1/0", "1/1"))


def test_the_record_is_carried_along_and_counts_for_nothing():
    table = from_labels("abcabc", "abbabc", "aacacb", "abcbbc", cluster="xxyyzz")
    bare = from_labels("abcabc", "abbabc", "aacacb", "abcbbc", ids=[*"uvwxyz"])
    for made in (
        table,
        table.binary("a"),
        table.pooled(),
        table.keep(0, 2),
        table.merged(),
        table.scaled(0.5),
    ):
        assert made.items is table.items
    other = from_labels("abcabc", "abbabc", "aacacb", "abcbbc")
    assert other.digest == bare.digest


def test_where_nothing_can_differ():
    assert from_labels("ab", "ab").items is None
    same = from_labels("ab", "ba", "ba").items
    assert as_dict(same) == {}
    assert as_dict(same.pair("second", "first")) == {}
    assert same.pair("first", "nobody") is None


def test_ids_must_be_one_per_item():
    with pytest.raises(
        InputError, match="ids must have one entry for each of 2 items; got 1"
    ):
        from_labels("ab", "ab", "ba", ids=["x"])


CHUNKS = {
    "gold": [["B-PER", "I-PER", "O"], ["O", "B-LOC"], ["O", "O"], ["B-PER", "B-LOC"]],
    "first": [["B-PER", "O", "O"], ["O", "B-LOC"], ["O", "B-LOC"], ["B-PER", "O"]],
    "second": [["B-PER", "I-PER", "O"], ["O", "O"], ["O", "O"], ["O", "B-LOC"]],
}


@pytest.mark.parametrize("cluster", [None, [0, 0, 1, 1] * 2])
def test_sentences_list_their_chunks(cluster):
    columns = [2 * column for column in CHUNKS.values()]
    items = from_chunks(*columns, scheme="iob2", cluster=cluster).items
    assert as_dict(items) == {
        ("PER 1 wrong, 1 missing", "PER 1 right"): (2, ("sentence 0", "sentence 4")),
        ("LOC 1 right", "LOC 1 missing"): (2, ("sentence 1", "sentence 5")),
        ("LOC 1 wrong", "nothing"): (2, ("sentence 2", "sentence 6")),
        ("LOC 1 missing; PER 1 right", "LOC 1 right; PER 1 missing"): (
            2,
            ("sentence 3", "sentence 7"),
        ),
    }
    seen = items.seen("PER")
    assert sum(items.counts[seen[:, 0] != seen[:, 1]]) == 4
    right = dict(zip(as_dict(items), items.right(None).tolist(), strict=True))
    assert right["LOC 1 wrong", "nothing"] == [False, True]
    assert right["LOC 1 right", "LOC 1 missing"] == [True, False]


@pytest.mark.parametrize("kind", ["labels", "sets", "scores"])
@pytest.mark.parametrize("cluster", [None, "ppqqqr"])
def test_texts_and_groups_of_examples(kind, cluster):
    make = {"labels": from_labels, "sets": from_sets, "scores": from_scores}[kind]
    columns = ["010101", "010011", "110110", "010111"]
    if kind == "sets":
        columns = [[{v, "x"} for v in column] for column in columns]
    if kind == "scores":
        columns = [[float(v) for v in column] for column in columns[1:]]
    texts = ["zero", "one one", None, "three", "four", "five"]
    items = make(*columns, texts=texts, cluster=cluster).items
    differ = [i for i in range(6) if len({str(c[i]) for c in columns[-3:]}) > 1]
    assert items.texts == {
        f"item {i}": ItemText.of(texts[i], cluster and cluster[i]) for i in differ
    }
    keys = [*"uvwxyz"]
    named = make(*columns, texts=np.array(texts, dtype=object), ids=keys).items
    assert named.texts == {keys[i]: ItemText.of(texts[i]) for i in differ}
    pair = named.pair("third", "first")
    assert {key for some in pair.ids for key in some} <= set(pair.texts)
    bare = make(*columns, cluster=cluster).items
    groups = {key: text.group for key, text in bare.texts.items()}
    assert groups == ({f"item {i}": cluster[i] for i in differ} if cluster else {})
    with pytest.raises(
        InputError, match="texts must have one entry for each of 6 items"
    ):
        make(*columns, texts=["one"])


def test_documents_of_sentences():
    items = from_chunks(*CHUNKS.values(), scheme="iob2", cluster="ddee").items
    groups = {key: text.group for key, text in items.texts.items()}
    assert groups == {f"sentence {i}": "ddee"[i] for i in range(4)}
