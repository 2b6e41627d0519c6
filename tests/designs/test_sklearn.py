"""Every design is a scikit-learn splitter."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import (
    GridSearchCV,
    check_cv,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from likelier.designs import (
    BlockedMx2,
    five_by_two,
    k_fold,
    repeated_k_fold,
    train_dev_test,
)

X, Y = make_classification(80, n_informative=4, random_state=0)
GROUPS = np.arange(80) // 4
NAMES = np.array(["no", "yes"])[Y]
DESIGNS = [
    BlockedMx2(3, seed=0),
    BlockedMx2(1, seed=0),
    BlockedMx2(3, seed=0, units=NAMES),
    k_fold(4, seed=0),
    repeated_k_fold(4, 2, seed=0),
    five_by_two(seed=0),
    train_dev_test((0.6, 0, 0.4), seed=0),
]
MODEL = GaussianNB()
GRID = {"var_smoothing": [1e-9, 1e-3]}


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("design", DESIGNS, ids=repr)
@pytest.mark.parametrize("labels", [Y, NAMES], ids=["numbers", "names"])
def test_cross_validation(design, labels):
    n = design.get_n_splits(X, labels)
    result = cross_validate(MODEL, X, labels, cv=design, return_indices=True)
    assert result["test_score"].shape == (n,)
    splits = list(design.split(X, labels))
    by_hand = [
        MODEL.fit(X[train], labels[train]).score(X[test], labels[test])
        for train, test in splits
    ]
    assert result["test_score"].tolist() == by_hand
    for indices, (_, test) in zip(result["indices"]["test"], splits, strict=True):
        assert indices.tolist() == test.tolist()


@pytest.mark.parametrize("design", DESIGNS, ids=repr)
def test_grid_search_with_groups(design):
    search = GridSearchCV(MODEL, GRID, cv=design).fit(X, Y, groups=GROUPS)
    assert search.n_splits_ == design.get_n_splits()


@pytest.mark.parametrize("design", DESIGNS, ids=repr)
def test_copies_split_alike(design):
    search = clone(GridSearchCV(MODEL, GRID, cv=design))
    assert search.cv is not design
    assert repr(search.cv) == repr(design)
    pairs = zip(search.cv.split(X, Y), design.split(X, Y), strict=True)
    assert all((a[1] == b[1]).all() for a, b in pairs)
    assert check_cv(design) is design


def test_copies_of_an_unseeded_design_split_alike():
    design = BlockedMx2()
    copy = clone(design, safe=False)
    assert (copy.assign(X, Y).block == design.assign(X, Y).block).all()


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("design", DESIGNS, ids=repr)
def test_metadata_are_routed(design):
    params = {"groups": GROUPS}
    result = cross_validate(MODEL, X, Y, cv=design, params=params, return_indices=True)
    indices = result["indices"]
    for train, test in zip(indices["train"], indices["test"], strict=True):
        assert not set(GROUPS[train]) & set(GROUPS[test])
    search = GridSearchCV(MODEL, GRID, cv=design).fit(X, Y, groups=GROUPS)
    assert search.n_splits_ == design.get_n_splits()
    assert len(cross_val_score(MODEL, X, Y, cv=design)) == design.get_n_splits()


def test_predictions_need_a_partition():
    predicted = cross_val_predict(MODEL, X, Y, cv=BlockedMx2(1, seed=0))
    assert predicted.shape == Y.shape
    assert len(cross_val_predict(MODEL, X, Y, cv=k_fold(4, seed=0))) == 80
    with pytest.raises(ValueError, match="only works for partitions"):
        cross_val_predict(MODEL, X, Y, cv=BlockedMx2(3, seed=0))


def test_regression_needs_to_say_so():
    numbers = X[:, 0]
    with pytest.raises(ValueError, match="stratify=False"):
        cross_val_score(DummyRegressor(), X, numbers, cv=BlockedMx2())
    design = BlockedMx2(stratify=False, seed=0)
    assert len(cross_val_score(DummyRegressor(), X, numbers, cv=design)) == 6
