"""pass@k, pass^k and majority@k against a loop over all samples of answers."""

from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier.readers.logs.repeat_metrics import majority_at, pass_all, pass_at

ANSWERS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(ANSWERS, st.data())
def test_values_are_means_over_all_samples(labels, data):
    k = data.draw(st.integers(1, len(labels)))
    samples = list(combinations(labels, k))
    right = [[label == "a" for label in sample] for sample in samples]
    n, c = len(labels), labels.count("a")
    assert pass_at(c, n, k) == pytest.approx(np.mean([any(r) for r in right]))
    assert pass_all(c, n, k) == pytest.approx(np.mean([all(r) for r in right]))
    shares = []
    for sample in samples:
        counts = Counter(sample)
        top = [x for x, count in counts.items() if count == max(counts.values())]
        shares.append(("a" in top) / len(top))
    assert majority_at("a", labels, k) == pytest.approx(np.mean(shares))


def frame(n_repeats=5, n_items=30, seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        (system, item, repeat, rng.choice(["x", "y", "z"], p=[0.5, 0.3, 0.2]))
        for system in ("one", "two")
        for item in range(n_items)
        for repeat in range(n_repeats)
    ]
    table = pd.DataFrame(rows, columns=["system", "item", "repeat", "label"])
    table["gold"], table["right"] = "x", (table.label == "x").astype(float)
    return table


def read(table, **columns):
    return lk.read(table, system="system", id="item", repeat="repeat", **columns)


def test_an_item_is_a_unit_and_its_score_the_metric():
    table = frame()
    items = read(table, score="right")
    right = table.groupby(["system", "item"]).right.sum().astype(int)
    for name, rate in (("pass@2", pass_at), ("pass^3", pass_all), ("pass@1", pass_at)):
        result = lk.compare(items, metric=name, draws=1000, seed=0)
        k = int(name[5:])
        for system, value in zip(
            items.systems, result.settings.data.observed, strict=True
        ):
            expected = np.mean([rate(c, 5, k) for c in right[system]])
            assert value == pytest.approx(expected)
        assert result.settings.metric == name
        assert result.settings.data.units == 30
    mean = lk.compare(items, metric="right", draws=1000, seed=0)
    one = lk.compare(items, metric="pass@1", draws=1000, seed=0)
    assert one.settings.data.observed == pytest.approx(mean.settings.data.observed)


def test_majority_of_labels():
    table = frame()
    items = read(table, gold="gold", label="label")
    _, outcomes = items.table("majority@5")
    values = [
        np.mean(
            [majority_at("x", list(own), 5) for _, own in part.groupby("item").label]
        )
        for _, part in table.groupby("system")
    ]
    result = lk.compare(items, metric="majority@5", draws=1000, seed=0)
    assert result.settings.data.observed == pytest.approx(values)
    assert outcomes.n_units == 30


def test_answers_that_failed():
    table = frame()
    table.loc[[0, 1, 2, 3], "right"] = np.nan
    with pytest.raises(lk.LikelierError, match=r"at least 2 answers .* '0' has 1"):
        read(table, score="right").table("pass@2")
    _, outcomes = read(table, score="right", on_error="wrong").table("pass@2")
    assert outcomes.n_units == 30
    with pytest.raises(lk.LikelierError, match="must have answered"):
        read(table, score="right", on_error="fail").table("pass@2")
    table.loc[4, "right"] = np.nan
    _, outcomes = read(table, score="right").table("pass@2")
    assert outcomes.n_units == 29


@pytest.mark.parametrize("policy", ["drop", "wrong"])
def test_answers_that_failed_are_counted_aloud(policy):
    table = frame()
    table.loc[0, "right"] = np.nan
    items = read(table, score="right", on_error=policy)
    _, outcomes = items.table("pass@2")
    (finding,) = outcomes.findings
    assert finding.code == "LIK151"
    assert f"1 of {table.system[0]} ({table.item[0]})" in finding.message


def test_right_is_0_where_less_is_better():
    table = frame()
    table["wrong"] = 1 - table.right
    metric, outcomes = read(table, score="right").table("pass@2")
    items = read(table, score="wrong", higher_is_better=False)
    same, other = items.table("pass@2")
    assert same.higher_is_better
    assert metric.observed(outcomes).tolist() == same.observed(other).tolist()


def test_which_scores():
    table = frame()
    table["other"] = 1 - table.right
    items = read(table, score=["right", "other"])
    with pytest.raises(lk.LikelierError, match="which scores; there are right, other"):
        items.table("pass@2")
    metric, outcomes = items.table("other:pass@2")
    assert metric.name == "pass@2"
    _, same = read(table, score="other").table("pass@2")
    assert outcomes.digest == same.digest
    with pytest.raises(lk.LikelierError, match="labels of every answer"):
        items.table("majority@2")
    table["right"] /= 2
    with pytest.raises(lk.LikelierError, match=r"scores of 0 and 1; right is 0\.5"):
        read(table, score="right").table("pass@2")
    with pytest.raises(lk.LikelierError, match="metric must be one of"):
        items.table("pass@0")
