"""k-fold and its like, and training, development and test parts."""

import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier import designs
from likelier.designs import (
    assignment_rows,
    five_by_two,
    k_fold,
    repeated_k_fold,
    train_dev_test,
)
from likelier.errors import InputError, SettingError


@QUICK
@given(st.integers(2, 6), st.integers(1, 3), st.integers(12, 60), st.integers(0, 2**64))
def test_every_item_is_tested_once_per_repetition(k, repeats, n, seed):
    y = np.random.default_rng(n).integers(2, size=n)
    design = repeated_k_fold(k, repeats, seed=seed)
    splits = list(design.split(n, y))
    assert len(splits) == design.get_n_splits() == k * repeats
    table = design.assignments(n, y)
    assert table["item"].tolist() == list(range(n)) * repeats
    assert (np.bincount(table["repetition"])[1:] == n).all()
    for number, (train, test) in enumerate(splits):
        assert sorted([*train, *test]) == list(range(n))
        excess = np.bincount(y[test], minlength=2) - np.bincount(y) / k
        assert np.abs(excess).max() < 1
        fold = number // k + 1, number % k + 1
        rows = (table["repetition"] == fold[0]) & (table["fold"] == fold[1])
        assert table["item"][rows].tolist() == sorted(test.tolist())
    assert list(assignment_rows(design, n, y)) == table.tolist()


def test_repetitions_and_seeds_differ():
    folds = [test.tobytes() for _, test in repeated_k_fold(2, 20, seed=0).split(40)]
    assert len(set(folds)) == 40
    again = [test.tobytes() for _, test in repeated_k_fold(2, 20, seed=0).split(40)]
    assert again == folds
    other = [test.tobytes() for _, test in repeated_k_fold(2, 20, seed=1).split(40)]
    assert not set(other) & set(folds)


@pytest.mark.parametrize("y", [None, [0, 1] * 20])
def test_groups_are_never_split(y):
    group = np.arange(40) // 3
    for train, test in k_fold(4, seed=0).split(40, y, group):
        assert not set(group[train]) & set(group[test])


def test_described():
    assert k_fold(5, seed=0).described() == "5-fold stratified seed 0"
    assert repr(k_fold(5, seed=0)) == "Folds(5-fold stratified seed 0)"
    design = repeated_k_fold(5, 3, stratify=False, seed=1)
    assert design.described() == "3x5-fold unstratified seed 1"
    assert five_by_two(seed=0).described() == "5x2 stratified seed 0"
    assert (five_by_two().test_share, five_by_two().test_per_train) == (0.5, 1)
    assert (k_fold(10).test_share, k_fold(10).test_per_train) == (0.1, 1 / 9)
    assert train_dev_test().test_per_train == 0.125
    assert train_dev_test().test_share == 0.1


def test_rare_classes_are_a_finding():
    y = ["rare"] * 2 + ["often"] * 20
    assert len(list(k_fold(5, seed=0).split(22, y))) == 5
    (finding,) = k_fold(5, seed=0).findings(22, y)
    assert finding.code == "LIK120"
    assert "'rare'" in finding.message
    assert k_fold(2, seed=0).findings(22, y) == ()
    assert k_fold(5, seed=0).findings(22) == ()


def test_folds_refuse_bad_input():
    with pytest.raises(SettingError, match="k must be a whole number of at least 2"):
        k_fold(1)
    with pytest.raises(SettingError, match="repeats must be"):
        repeated_k_fold(5, 0)
    with pytest.raises(InputError, match="5 folds need at least 5 items; got 4"):
        k_fold(5).split(4)
    with pytest.raises(InputError, match="5 folds need at least 5 groups; got 2"):
        k_fold(5).split(6, groups=[0, 1] * 3)
    with pytest.raises(InputError, match="a class of at least 5 items"):
        k_fold(5).split(6, list("abcdef"))
    with pytest.raises(InputError, match="must have class labels"):
        k_fold(2).split(4, [0.1, 0.2, 0.3, 0.4])


def test_folds_need_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(SettingError, match=r"pip install 'likelier\[sklearn\]'"):
        k_fold(5).split(10)


# Training, development and test


@QUICK
@given(st.integers(20, 300), st.integers(1, 5), st.integers(0, 2**32))
def test_parts_have_exact_sizes_and_even_classes(n, k, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    shares = rng.dirichlet([8, 4, 4])
    design = train_dev_test(tuple(shares), seed=seed)
    parts = design.parts(n, y)
    assert sorted(np.concatenate(parts)) == list(range(n))
    for part, share in zip(parts, shares, strict=True):
        assert abs(len(part) - n * share) < 1
        even = np.bincount(y, minlength=k) * share
        assert np.abs(np.bincount(y[part], minlength=k) - even).max() < 2
    ((train, test),) = design.split(n, y)
    assert (train == parts.train).all()
    assert (test == parts.test).all()
    table = design.assignments(n, y)
    assert table["item"].tolist() == list(range(n))
    for name, part in parts._asdict().items():
        assert table["item"][table["role"] == name].tolist() == part.tolist()


def test_shares_that_are_whole_are_met():
    sizes = [len(part) for part in train_dev_test(seed=0).parts(100, [0, 1] * 50)]
    assert sizes == [80, 10, 10]
    sizes = [len(p) for p in train_dev_test((0.42, 0.29, 0.29), seed=0).parts(100)]
    assert sizes == [42, 29, 29]
    sizes = [len(p) for p in train_dev_test((0.7, 0, 0.3), seed=0).parts(10)]
    assert sizes == [7, 0, 3]


def test_parts_keep_groups_together():
    rng = np.random.default_rng(0)
    group = rng.integers(60, size=2000)
    y = rng.integers(3, size=2000)
    parts = train_dev_test(seed=0).parts(2000, y, group)
    assert sum(len(set(group[part])) for part in parts) == 60
    for part, share in zip(parts, (0.8, 0.1, 0.1), strict=True):
        ratio = np.bincount(y[part]) / (np.bincount(y) * share)
        assert np.abs(ratio - 1).max() < 0.1
    no_dev = train_dev_test((0.8, 0, 0.2), seed=0).parts(2000, y, group)
    assert len(no_dev.dev) == 0


def test_seeds_of_parts():
    tests = [tuple(train_dev_test(seed=s).parts(100).test) for s in (0, 0, 1)]
    assert tests[0] == tests[1] != tests[2]
    assert train_dev_test().get_n_splits() == 1


@pytest.mark.parametrize(
    "shares",
    [(0.5, 0.5), (1, 0, 0), (0, 0.5, 0.5), (0.8, 0.1, 0.2), (0.9, -0.1, 0.2), "abc", 1],
)
def test_refuses_what_are_no_shares(shares):
    with pytest.raises(SettingError, match="shares must be"):
        train_dev_test(shares)


def test_refuses_parts_without_items():
    with pytest.raises(InputError, match="one of the items or more; there are 3"):
        train_dev_test().parts(3)
    with pytest.raises(InputError, match="one of the groups or more; there are 2"):
        train_dev_test().parts(20, groups=[0, 1] * 10)


MAKERS = [designs.BlockedMx2, designs.k_fold, designs.train_dev_test]


@pytest.mark.parametrize("make", MAKERS)
def test_a_design_knows_whether_its_seed_was_set(make):
    assert make(seed=3).seeded
    drawn = make()
    assert not drawn.seeded
    again = replace(drawn, stratify=False)
    assert again.seed == drawn.seed
    assert not again.seeded
    assert replace(drawn, seed=5).seeded
    assert str(drawn.seed) in repr(drawn)
