"""Sums, classes, clusters, systems and digest of a table of patterns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK, label_tables, random_labels, set_tables

from likelier import LikelierError, metrics
from likelier.data.constructors import (
    from_labels,
    from_patterns,
    from_scores,
    from_sets,
)


@QUICK
@given(table=label_tables(), data=st.data())
def test_the_digest_depends_on_the_data_but_not_on_their_order(table, data):
    order = data.draw(st.permutations(range(len(table.gold))))
    more = table.taken([*range(len(table.gold)), 0])

    assert table.taken(order).outcomes().digest == table.outcomes().digest
    assert more.outcomes().digest != table.outcomes().digest
    renamed = table.outcomes(systems=["x", "y"])
    assert renamed.digest != table.outcomes().digest


def test_the_digest_depends_on_the_classes_of_averages():
    columns = list("aabb"), list("axbb"), list("abbb")
    occurring = from_labels(*columns)
    listed = from_labels(*columns, classes=["a", "b", "x"])

    values = [metrics.macro_f1.observed(table)[1] for table in (occurring, listed)]
    assert values[0] != values[1]
    assert occurring.digest != listed.digest


@QUICK
@given(table=label_tables())
def test_sums_are_those_of_the_items(table):
    outcomes = table.outcomes()
    sums = outcomes.sums()
    gold = np.array(table.gold)
    for i, predicted in enumerate(map(np.array, table.predictions)):
        for j, label in enumerate(outcomes.classes):
            g, s = gold == label, predicted == label
            expected = (g & s).sum(), (~g & s).sum(), (g & ~s).sum(), (~g & ~s).sum()
            result = tuple(sums[name][i, j] for name in ("tp", "fp", "fn", "tn"))
            assert result == expected
        assert sums["correct"][i].sum() == (gold == predicted).sum()
    assert sums["items"].item() == len(gold)


@QUICK
@given(table=label_tables(classes=(2, 4)), data=st.data())
def test_a_class_against_the_rest_keeps_its_counts(table, data):
    positive = data.draw(st.sampled_from(sorted(set(table.gold))))
    whole = table.outcomes()
    code = whole.classes.index(positive)
    binary = whole.binary(positive)

    for name in ("tp", "fp", "fn", "tn"):
        result = binary.sums()[name][:, 0]
        assert result.tolist() == whole.sums()[name][:, code].tolist()
    assert binary.n_patterns <= 8
    assert binary.n_cells == 8


@QUICK
@given(table=set_tables(classes=(2, 3)))
def test_a_class_of_label_sets_is_one_of_labels(table):
    sets = from_sets(*table.columns).binary("a")
    two = [["a" if "a" in s else "b" for s in column] for column in table.columns]
    labels = from_labels(*two, classes=["a", "b"]).binary("a")

    assert sets.labels is not None
    for name in ("tp", "fp", "fn", "tn", "correct"):
        np.testing.assert_array_equal(sets.sums()[name], labels.sums()[name])
    assert sets.digest == labels.digest


@QUICK
@given(table=label_tables(classes=(1, 3)))
def test_completing_adds_only_patterns_that_did_not_occur(table):
    whole = table.outcomes()
    full = whole.completed()

    assert len(full.counts) == whole.n_cells == max(2, len(whole.classes)) ** 3
    assert full.n_items == whole.n_items
    assert full.n_patterns == whole.n_patterns
    assert full.digest == whole.digest or len(whole.classes) == 1
    for name, sums in whole.sums().items():
        result = full.sums()[name][..., : sums.shape[-1]]
        np.testing.assert_array_equal(result, sums)


def test_possible_patterns_need_labels():
    table = from_scores([1.0, 2.0])

    assert table.n_cells is None
    with pytest.raises(LikelierError, match="only where items have labels"):
        table.completed()


@QUICK
@given(table=label_tables())
def test_swapping_twice_changes_nothing(table):
    outcomes = table.outcomes()
    twice = outcomes.swapped().merged().swapped().merged()

    assert twice.digest == outcomes.merged().digest
    assert outcomes.swapped().merged().same_counts(outcomes) == outcomes.symmetric


def test_symmetry_is_of_counts():
    assert from_labels("aa", "ab", "ba").symmetric
    assert not from_labels("aaa", "abb", "baa").symmetric
    assert not from_labels("aa", "ab").symmetric


def test_systems_are_kept_by_their_positions():
    table = random_labels(0).outcomes()
    three = from_labels(
        random_labels(0).gold, *random_labels(0).predictions, random_labels(0).gold
    )

    assert three.keep(0, 1).sums()["tp"].tolist() == table.sums()["tp"].tolist()
    assert three.keep(2, 0).systems == ("third", "first")
    assert three.pair(0, 2).systems == ("first", "third")
    assert table.pair(0, 1) is table


def test_an_unknown_class_is_refused():
    with pytest.raises(LikelierError, match="positive must be one of a, b; got 'c'"):
        from_labels("ab", "ab").binary("c")


def test_clusters_need_one_entry_per_pattern():
    with pytest.raises(LikelierError, match="one entry for each of 2 patterns"):
        from_labels("ab", "ab").by([0])


def test_clusters_of_clusters_have_all_items():
    table = from_labels("aabbab", "abbbaa", cluster=[0, 0, 1, 1, 1, 2])
    together = table.by(np.zeros(3))

    assert (together.n_units, together.n_items) == (1, 6)
    assert metrics.accuracy.observed(together) == metrics.accuracy.observed(table)


def test_samples_need_items_and_not_clusters():
    table = from_sets([{"a"}, {"b"}], [{"a"}, {"a"}], cluster=[0, 0])

    with pytest.raises(LikelierError, match="not sums over clusters"):
        metrics.named("samples_f1").observed(table)


def test_whole_numbers_of_items_are_integers():
    table = from_labels("ab", "ab")
    part = from_patterns([["a"], ["a"]], [1.5], systems=["s"])

    assert isinstance(table.n_items, int)
    assert (table.n_items, part.n_items) == (2, 1.5)
    assert repr(table) == "<Outcomes of first: 2 items, 2 patterns, 2 classes>"


def test_wide_tables_are_summed_as_narrow_ones():
    labels = [f"{i:05}" for i in range(900)]
    table = from_labels(labels, labels[::-1], labels)

    assert table.rows.shape[0] * table.rows.shape[1] > 2_000_000
    weights = np.random.default_rng(0).random((3, 900))
    result = metrics.accuracy.values(metrics.accuracy.view(table), weights)
    np.testing.assert_allclose(result, [[0, 1]] * 3, atol=1e-12)
    assert metrics.macro_f1.observed(table).tolist() == [0, 1]
