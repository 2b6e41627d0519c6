"""Studies: folds, seeds and keys, and what is refused."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from tests.conftest import FEW

from likelier.data.tag_schemes import tags_to_spans
from likelier.designs import (
    BlockedMx2,
    five_by_two,
    k_fold,
    repeated_k_fold,
    train_dev_test,
)
from likelier.errors import InputError, LikelierError, SettingError
from likelier.interval import Rope
from likelier.study import CommandSystem, NamedSystem, ObjectSystem, Study, StudyData
from likelier.study.schedule import FoldKey
from likelier.study.schedule_json import read_schedule
from likelier.study.worker import run_job

X, Y = np.arange(48.0).reshape(24, 2), ["a", "b", "b"] * 8
DESIGNS = {
    "mx2": (lambda seed: BlockedMx2(3, seed=seed), 3, 2),
    "7x2": (lambda seed: BlockedMx2(7, seed=seed), 7, 2),
    "kfold": (lambda seed: k_fold(4, seed=seed), 1, 4),
    "repeated": (lambda seed: repeated_k_fold(3, 2, seed=seed), 2, 3),
    "5x2": (lambda seed: five_by_two(seed=seed), 5, 2),
    "train-dev-test": (lambda seed: train_dev_test((0.5, 0.25, 0.25), seed=seed), 1, 1),
}
CROSSED = [name for name in DESIGNS if name != "train-dev-test"]
SYSTEMS = {"first": LogisticRegression(), "second": LogisticRegression(C=2.0)}


def study(data=(X, Y), design="mx2", seed=0, *, fold_seed=0, **settings):
    made = DESIGNS[design][0](seed) if isinstance(design, str) else design
    defaults = {"data": data, "systems": SYSTEMS, "design": made, "seed": fold_seed}
    return Study(**(defaults | settings))


def keys(made):
    return {planned.key: planned.fingerprint for planned in made.schedule.folds}


def folds(made, dataset="data"):
    return [
        (*number, train.tolist(), test.tolist())
        for number, (train, test) in made.folds[dataset].splits.items()
    ]


def refused(kind=LikelierError, **settings):
    with pytest.raises(kind) as caught:
        assert study(**settings).schedule
    return str(caught.value)


# --- folds --------------------------------------------------------------------


@pytest.mark.parametrize("name", DESIGNS)
def test_all_designs(name):
    _, repetitions, count = DESIGNS[name]
    made = study(design=name)
    result = folds(made)
    assert [(r, f) for r, f, *_ in result] == [
        (r, f) for r in range(1, repetitions + 1) for f in range(1, count + 1)
    ]
    for _, _, train, test in result:
        assert not set(train) & set(test)
        assert len(set(train)) == len(train)
    assert len(made.schedule.folds) == 2 * repetitions * count
    share = 0.25 if count == 1 else 1 / count
    assert made.schedule.test_share == pytest.approx(share)
    blocked = name in ("mx2", "7x2")
    assert made.schedule.repetitions == (repetitions if blocked else None)


@pytest.mark.parametrize("name", CROSSED)
def test_each_repetition_tests_every_item_once(name):
    result = folds(study(design=name))
    for repetition in {r for r, *_ in result}:
        tested = [i for r, _, _, test in result if r == repetition for i in test]
        assert sorted(tested) == list(range(24))
        for r, _, train, test in result:
            assert r != repetition or sorted([*train, *test]) == list(range(24))


@pytest.mark.parametrize("name", DESIGNS)
def test_the_seed_of_the_design_makes_the_folds(name):
    assert folds(study(design=name, seed=1)) == folds(study(design=name, seed=1))
    assert folds(study(design=name, seed=1)) != folds(study(design=name, seed=2))
    both = [folds(study(design=name, fold_seed=seed)) for seed in (1, 2)]
    assert both[0] == both[1]


@FEW
@given(st.sampled_from(list(DESIGNS)), st.data())
def test_groups_stay_together(name, data):
    sizes = data.draw(st.lists(st.integers(1, 3), min_size=16, max_size=24))
    groups = [f"g{i}" for i, size in enumerate(sizes) for _ in range(size)]
    n = len(groups)
    made = study(
        StudyData(
            np.zeros((n, 1)), [["a", "b"][i % 2] for i in range(n)], groups=groups
        ),
        name,
    )
    for _, _, train, test in folds(made):
        assert not {groups[i] for i in train} & {groups[i] for i in test}


def block_sums(made, bags):
    """Give the units that each half of the first repetition tests."""
    (_, _, _, one), (_, _, _, other) = folds(made)[:2]
    units = sorted({unit for bag in bags for unit in bag})
    return [
        [sum(bags[i].get(u, 0) for i in half) for u in units] for half in (one, other)
    ]


def test_blocks_are_even_in_classes():
    made = study(data=(X, Y))
    for _, _, _, test in folds(made):
        assert sum(Y[i] == "a" for i in test) == 4


TOKENS = [["w"] * (2 + i % 3) for i in range(48)]
TAGS = [
    [["A", "B", "C"][(i + j) % 3] for j in range(len(t))] for i, t in enumerate(TOKENS)
]
CHUNKS = [
    ["B-x", "B-y", *["I-y"] * (len(t) - 2)] if i % 4 else ["O"] * len(t)
    for i, t in enumerate(TOKENS)
]
EVEN = {
    "tags": StudyData(TOKENS, TAGS, "tags"),
    "chunks": StudyData(TOKENS, CHUNKS, "chunks", scheme="iob2"),
    "sets": StudyData(range(48), [{"a", "b"}, {"a"}, set(), {"c"}] * 12, "sets"),
    "units": StudyData(range(48), ["a"] * 48, units=[{"u": i % 5} for i in range(48)]),
}


@pytest.mark.parametrize("name", EVEN)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_blocks_are_even_in_units(name, seed):
    made = study(EVEN[name], seed=seed)
    one, other = block_sums(made, EVEN[name].bags())
    assert all(abs(a - b) <= 2 for a, b in zip(one, other, strict=True))
    assert "unstratified" not in made.schedule.design


def test_designs_tell_what_they_were_even_in():
    assert study().schedule.design == "3x2 blocked stratified seed 0"
    assert "by units" in study(EVEN["tags"]).schedule.design
    plain = study(EVEN["tags"], k_fold(3, seed=0)).schedule
    assert "unstratified" in plain.design
    assert "unstratified" in plain.design


# --- kinds of data ------------------------------------------------------------

KINDS = {
    "lists": (X.tolist(), Y),
    "tuples": (tuple(X.tolist()), tuple(Y)),
    "arrays": (X, np.array(Y)),
    "pandas": (pd.DataFrame(X, index=range(24, 0, -1)), pd.Series(Y, range(24, 0, -1))),
    "polars": (pl.DataFrame(X), pl.Series(Y)),
    "csr": (sparse.csr_array(X), Y),
    "coo": (sparse.coo_matrix(X), Y),
    "text": ([f"text {i}" for i in range(24)], Y),
    "numbers": (X, [label == "a" for label in Y]),
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_data(name):
    made = study(KINDS[name])
    assert keys(made) == keys(study(KINDS[name]))
    planned = made.schedule.folds[0]
    job = made.job(planned)
    train, test = made.folds["data"].splits[1, 1]
    assert (len(job.train), len(job.test)) == (len(train), len(test))
    gold = [str(label) for label in job.test.gold]
    assert gold == [str(list(KINDS[name][1])[i]) for i in test]
    if name not in ("text", "tuples"):
        done = run_job(job)
        assert done.error == ""
        assert done.planned == planned


def test_folds_do_not_depend_on_the_kind_of_data():
    result = [folds(study(data)) for data in KINDS.values()]
    assert all(one == result[0] for one in result[:-1])


def test_several_data_sets_by_name():
    made = study({"one": (X, Y), 2: (X[:12], Y[:12])})
    assert list(made.datasets) == ["one", "2"]
    assert list(made.schedule.datasets) == ["one", "2"]
    assert repr(made) == (
        "<Study of first, second on 2 data sets: 3x2 blocked stratified seed 0>"
    )


# --- keys and seeds -----------------------------------------------------------


@pytest.mark.parametrize("name", DESIGNS)
def test_all_keys_are_different(name):
    result = keys(study({"one": (X, Y), "two": (X + 1, Y)}, name))
    _, repetitions, count = DESIGNS[name]
    assert len(result) == len(set(result.values())) == 4 * repetitions * count


def test_the_same_study_has_the_same_keys():
    assert keys(study()) == keys(study())
    again = pickle.loads(pickle.dumps(study()))
    assert keys(again) == keys(study())


def test_more_systems_or_data_leave_other_keys_as_they_are():
    few = keys(study({"one": (X, Y)}))
    more_systems = {
        "zero": LogisticRegression(C=9.0),
        **SYSTEMS,
        "z": "sklearn.svm:SVC",
    }
    more = keys(study({"zero": (X * 2, Y), "one": (X, Y)}, systems=more_systems))
    assert {key: more[key] for key in few} == few
    assert len(more) == 4 * len(few)


def test_order_and_names_of_systems_change_no_key():
    turned = dict(reversed(SYSTEMS.items()))
    assert keys(study(systems=turned)) == keys(study())
    renamed = {"x": SYSTEMS["first"], "y": SYSTEMS["second"]}
    assert set(keys(study(systems=renamed)).values()) == set(keys(study()).values())


def test_metrics_rope_and_name_change_no_key():
    other = study(metrics=["macro_f1"], rope=0.1, mass=0.5, name="other")
    assert keys(other) == keys(study())


CHANGES = {
    "inputs": {"data": (X + 1, Y)},
    "labels": {"data": (X, Y[::-1])},
    "design": {"design": "kfold"},
    "seed of the design": {"seed": 1},
    "seed": {"fold_seed": 1},
    "system": {
        "systems": {n: LogisticRegression(C=3.0 + i) for i, n in enumerate(SYSTEMS)}
    },
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_results_depend_on_changes_all_keys(name):
    result = set(keys(study(**CHANGES[name])).values())
    assert not result & set(keys(study()).values())


def test_score_and_scheme_change_keys():
    def right(gold, predicted):
        return float(gold == predicted)

    def wrong(gold, predicted):
        return float(gold != predicted)

    made = [study(StudyData(X, Y, "scores", score=score)) for score in (right, wrong)]
    assert not set(keys(made[0]).values()) & set(keys(made[1]).values())
    other = [
        study(EVEN["chunks"], systems={"a": ObjectSystem(LogisticRegression(), scheme)})
        for scheme in (None, "bmes", "iobes")
    ]
    assert len({key for one in other for key in keys(one).values()}) == 18


def test_systems_share_folds_and_seeds():
    made = study()
    jobs = {planned.key: made.job(planned) for planned in made.schedule.folds}
    for key, job in jobs.items():
        twin = jobs[key._replace(system="first")]
        assert job.seed == twin.seed
        assert (job.train.inputs == twin.train.inputs).all()
    seeds = {job.seed for job in jobs.values()}
    assert len(seeds) == 6
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert seeds.isdisjoint(
        made.job(planned).seed
        for made in [study(fold_seed=1)]
        for planned in made.schedule.folds
    )


def test_a_system_under_two_names_is_still_two_systems():
    made = study(systems={"a": LogisticRegression(), "b": LogisticRegression()})
    assert len(made.schedule.folds) == 12
    assert {planned.key.system for planned in made.schedule.folds} == {"a", "b"}


def test_settings_of_designs_made_with_generators_stay():
    design = BlockedMx2(3, seed=np.random.default_rng(0))
    assert keys(study(design=design)) == keys(study(design=design))


# --- jobs ---------------------------------------------------------------------


def test_training_tags_are_in_the_scheme_of_the_system():
    systems = {
        "same": ObjectSystem(LogisticRegression()),
        "other": ObjectSystem(LogisticRegression(), "iobes"),
    }
    made = study(EVEN["chunks"], systems=systems)
    for planned in made.schedule.folds:
        job = made.job(planned)
        train, test = made.folds["data"].splits[planned.key[2:]]
        assert job.test.gold == [CHUNKS[i] for i in test]
        assert job.test.scheme == "iob2"
        wanted = [tags_to_spans(CHUNKS[i], "iob2") for i in train]
        scheme = "iobes" if planned.key.system == "other" else "iob2"
        assert job.train.scheme == scheme
        assert [tags_to_spans(tags, scheme) for tags in job.train.gold] == wanted


def test_what_a_system_does_to_its_tokens_stays_in_its_fold():
    made = study(EVEN["tags"])
    before = made.datasets["data"].digest()
    job = made.job(made.schedule.folds[0])
    job.train.inputs[0].append("more")
    job.train.gold[0][0] = "other"
    assert made.datasets["data"].digest() == before


def test_jobs_have_no_more_than_their_items():
    data = StudyData(X, Y, groups=list(range(24)), units=[{"u": 1}] * 24)
    made = study(data)
    job = made.job(made.schedule.folds[0])
    assert len(job.train) + len(job.test) == 24
    assert len(pickle.dumps(job.train.inputs)) < len(pickle.dumps(X))
    assert job.packages == ("scikit-learn",)


def test_plans_come_back_from_json():
    data = {"ä\n": EVEN["chunks"], "two": EVEN["chunks"]}
    systems = {
        "s\x00": ObjectSystem(LogisticRegression(), "iobes"),
        "t": "sklearn.svm:SVC",
    }
    plan = study(data, systems=systems, rope=(-0.1, 0.2)).schedule
    again = read_schedule(plan.to_json())
    assert again == plan
    assert json.loads(plan.to_json())["format"]
    assert str(FoldKey("d", "s", 1, 2)) == "s on d, repetition 1, fold 2"


def test_classes_with_few_items_are_found():
    made = study((X, ["rare"] + ["a", "b"] * 11 + ["b"]), "kfold")
    (data,) = made.schedule.datasets.values()
    assert [finding.code for finding in data.findings] == ["LIK120"]
    assert read_schedule(made.schedule.to_json()) == made.schedule


# --- what is refused ----------------------------------------------------------


@pytest.mark.parametrize("systems", [{}, [], None, 3, [LogisticRegression()], "x:y"])
def test_systems_must_be_named(systems):
    assert "system" in refused(SettingError, systems=systems)


@pytest.mark.parametrize("data", [{}, None, 3, [], (X,), {"a": 3}], ids=repr)
def test_data_must_be_data(data):
    assert "ata" in refused(SettingError, data=data)


def test_names_must_be_different_and_writable():
    refused(systems={1: LogisticRegression(), "1": LogisticRegression(C=2.0)})
    refused(data={1: (X, Y), "1": (X, Y)})
    refused(data={"\ud800": (X, Y)})
    refused(systems={"\ud800": LogisticRegression()})


@pytest.mark.parametrize("design", [None, 3, KFold(3), "kfold", BlockedMx2], ids=str)
def test_designs_must_be_designs(design):
    with pytest.raises(SettingError, match=r"design must be one of likelier\.designs"):
        Study(data=(X, Y), systems=SYSTEMS, design=design)


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({"metrics": []}, "metrics must be"),
        ({"metrics": 3}, "metrics must be"),
        ({"metrics": ["f1", "f1"]}, "metrics must be different"),
        ({"metrics": "zz"}, "metric must be one of"),
        ({"metrics": "sentence_accuracy"}, "sentence_accuracy must have tags"),
        ({"metrics": "mean"}, "mean must have scores"),
        (
            {"metrics": "accuracy", "data": EVEN["tags"]},
            "metric of tags must be one of",
        ),
        ({"metrics": "mean", "data": EVEN["chunks"]}, "mean must have scores"),
        ({"rope": "x"}, "rope must be"),
        ({"rope": -1}, "rope must be"),
        ({"mass": 0}, "mass must lie"),
        ({"mass": "x"}, "mass must"),
        ({"fold_seed": -1}, "seed must be"),
        ({"fold_seed": "x"}, "seed must be"),
        ({"fold_seed": True}, "seed must be"),
        ({"positive": "zz", "metrics": "f1"}, "positive must be one of a, b"),
        ({"data": (X[:2], Y[:2])}, "at least 4 items; got 2"),
        ({"data": (X, [None, *Y[1:]])}, "item 0"),
        ({"data": (X, [float("nan"), *Y[1:]])}, "item 0"),
        ({"data": {"a": (X, Y), "b": EVEN["tags"]}}, "must have one task"),
        (
            {"systems": {"a": ObjectSystem(LogisticRegression(), "iob2")}},
            "scheme",
        ),
    ],
    ids=lambda v: str(v)[:40],
)
def test_settings_that_are_refused(settings, wanted):
    assert wanted in refused(**settings)


def test_data_sets_that_cannot_be_split_are_named():
    message = refused(InputError, data={"fine": (X, Y), "small": (X[:3], Y[:3])})
    assert "'small'" in message


def test_seeds_and_ropes_of_many_kinds():
    assert study(fold_seed=np.int64(3)).seed == 3
    assert keys(study(fold_seed=np.int64(3))) == keys(study(fold_seed=3))
    assert study(fold_seed=None).seed != study(fold_seed=None).seed
    assert study(rope=0.1).schedule.rope == (-0.1, 0.1)
    assert study(rope=(-0.1, 0.2)).schedule.rope == (-0.1, 0.2)
    assert study(rope=Rope(-0.1, 0.2)).schedule.rope == (-0.1, 0.2)
    assert study().schedule.rope is None


def test_usual_metrics_are_those_of_the_task():
    assert study().metrics == ("accuracy",)
    assert study(EVEN["tags"]).metrics[0] == "token_accuracy"
    assert study(EVEN["chunks"]).metrics == ("f1", "precision", "recall")
    assert study(EVEN["sets"]).metrics == ("f1",)
    scored = StudyData(X, Y, "scores", score=lambda *_: 1.0)
    assert study(scored).metrics == ("mean",)


def test_systems_of_all_kinds():
    words = ["x", "{train}", "{test}", "{predictions}"]
    made = study(
        systems={
            "object": LogisticRegression(),
            "class": LogisticRegression,
            "maker": lambda: LogisticRegression(C=3.0),
            "name": "sklearn.linear_model:LogisticRegression",
            "named": NamedSystem("sklearn.svm:SVC", {"C": 2.0}),
            "command": CommandSystem(words),
        }
    )
    assert len(set(keys(made).values())) == 36
