"""Results of cross_validate as scores, with the share tested and the runs."""

import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from likelier import LikelierError, compare_folds
from likelier.data.score_constructors import from_cross_validate
from likelier.designs import BlockedMx2, five_by_two, k_fold, repeated_k_fold

X, Y = make_classification(60, n_informative=4, random_state=0)
MODELS = {"dummy": DummyClassifier(), "bayes": GaussianNB()}


def results(design, **settings):
    return {
        name: cross_validate(model, X, Y, cv=design, **settings)
        for name, model in MODELS.items()
    }


DESIGNS = [
    (k_fold(5, seed=0), 0.2, 1),
    (repeated_k_fold(4, 3, seed=0), 0.25, 3),
    (five_by_two(seed=0), 0.5, 5),
    (BlockedMx2(3, seed=0), 0.5, 3),
    (KFold(5), 0.2, 1),
    (RepeatedKFold(n_splits=4, n_repeats=3, random_state=0), 0.25, 3),
    (RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), 1 / 3, 2),
    (ShuffleSplit(6, test_size=0.3, random_state=0), 0.3, 1),
    (StratifiedShuffleSplit(6, test_size=0.4, random_state=0), 0.4, 1),
    (LeaveOneOut(), 1 / 60, 1),
]


@pytest.mark.parametrize(
    ("design", "share", "runs"), DESIGNS, ids=[type(d).__name__ for d, *_ in DESIGNS]
)
def test_share_and_runs_of_a_design(design, share, runs):
    output = results(design)
    scores = from_cross_validate(output, design=design)
    (data,) = scores.datasets
    assert scores.systems == ("dummy", "bayes")
    assert data.values.T.tolist() == [
        output[name]["test_score"].tolist() for name in MODELS
    ]
    assert (data.test_share, data.runs) == (pytest.approx(share), runs)
    tested = [len(test) / len(X) for _, test in design.split(X, Y)]
    assert data.test_share == pytest.approx(sum(tested) / len(tested), abs=0.02)


def share_of(output, design):
    """The share tested; None where it must be set."""
    try:
        return from_cross_validate(output, design=design).datasets[0].test_share
    except LikelierError as error:
        return None if "test_share" in str(error) else error


@pytest.mark.parametrize(
    ("design", "share"),
    [
        (ShuffleSplit(6, test_size=15, random_state=0), 0.25),
        (ShuffleSplit(5, random_state=0), 0.1),
        (ShuffleSplit(6, train_size=0.5, random_state=0), 0.5),
    ],
    ids=["count", "default", "train"],
)
def test_a_share_that_the_design_lacks_is_not_guessed(design, share):
    output = results(design)
    assert share_of(output, design) in (None, pytest.approx(share))
    scores = from_cross_validate(output, design=design, test_share=share)
    assert scores.datasets[0].test_share == pytest.approx(share)


def test_what_is_left_out_of_training_does_not_count():
    """The share is that of the items tested or trained on."""
    design = ShuffleSplit(6, test_size=0.2, train_size=0.4, random_state=0)
    scores = from_cross_validate(results(design), design=design)
    assert scores.datasets[0].test_per_train == pytest.approx(0.5)


def test_other_scores_by_name():
    output = results(KFold(3), scoring=["f1", "accuracy"])
    scores = from_cross_validate(output, score="test_f1")
    assert scores.metric == "f1"
    assert (
        scores.datasets[0].values[:, 1].tolist() == output["bayes"]["test_f1"].tolist()
    )
    with pytest.raises(LikelierError, match="test_accuracy, test_f1") as caught:
        from_cross_validate(output, score="test_f2")
    assert "Did you mean test_f1?" in str(caught.value)


def test_plain_scores_are_the_same():
    bare = {n: cross_val_score(m, X, Y, cv=KFold(5)) for n, m in MODELS.items()}
    one, other = from_cross_validate(bare), from_cross_validate(results(KFold(5)))
    assert one.digest == other.digest


def test_many_data_sets():
    table = {"x": results(KFold(4)), "y": results(KFold(3))}
    scores = from_cross_validate(table)
    assert [(d.name, d.folds, d.test_share) for d in scores.datasets] == [
        ("x", 4, 0.25),
        ("y", 3, 1 / 3),
    ]


def test_runs_without_a_design():
    design = RepeatedKFold(n_splits=4, n_repeats=3, random_state=0)
    scores = from_cross_validate(results(design), runs=3)
    assert (scores.datasets[0].runs, scores.datasets[0].test_share) == (3, 0.25)


def test_lower_is_better():
    scores = from_cross_validate(results(KFold(4)), higher_is_better=False)
    assert compare_folds(scores).difference < 0


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ({}, "results must map each system"),
        ([0.1], "results must map each system"),
        ({"a": [0.1, 0.2]}, "There must be two systems; got a"),
        ({"a": [0.1, 0.2], "b": [0.1]}, "Every system must have every fold"),
        ({"a": [0.1, "x"], "b": [0.1, 0.2]}, "System 'a' must have numbers"),
        ({"a": [0.1, float("nan")], "b": [0.1, 0.2]}, "finite number"),
        (
            {"x": {"a": [1, 2], "b": [1, 2]}, "y": {"a": [1, 2], "c": [1, 2]}},
            "'y' has 'a', 'c'",
        ),
    ],
    ids=["empty", "list", "one", "folds", "text", "nan", "systems"],
)
def test_bad_results(output, message):
    with pytest.raises(LikelierError, match=message):
        from_cross_validate(output)
