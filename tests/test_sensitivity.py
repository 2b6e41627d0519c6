"""sensitivity(): one comparison under weaker and stronger priors; and wide ropes."""

import json
from dataclasses import replace

import pytest
from tests.conftest import random_labels

import likelier as lk
from likelier.errors import LikelierError, NotDefinedError, SettingError
from likelier.interval import Rope
from likelier.methods.items.dirichlet import Paired, Unpaired

LABELS = random_labels(1, n=300, classes=2, right=(0.7, 0.8))
BINARY = {"metric": "f1", "positive": "a", "rope": 0.02, "seed": 0, "draws": 10_000}
FACTORED = BINARY | {"factor": "rope"}


@pytest.mark.parametrize("factor", ["rope", "point", "kde"])
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_the_usual_strength_is_that_of_compare(factor, method):
    settings = {"metric": "accuracy", "rope": 0.02, "factor": factor}
    settings |= {"method": method, "draws": 10_000, "seed": 0}
    result = lk.sensitivity(*LABELS.columns, **settings)
    usual = lk.compare(*LABELS.columns, **settings)

    assert result.usual.factor == usual.factor
    assert result.usual.hdi == usual.hdi
    assert result.recipe == usual.recipe
    assert result.strengths == tuple(sorted(result.strengths))
    assert 1.0 in result.strengths


@pytest.mark.parametrize("method", [Paired, Unpaired])
def test_every_strength_is_that_of_compare(method):
    result = lk.sensitivity(
        *LABELS.columns, strengths=[5, 0.5], method=method(), **FACTORED
    )
    for strength, one in zip((0.5, 5.0), result.comparisons, strict=True):
        chosen = method(strength=strength)
        alone = lk.compare(*LABELS.columns, method=chosen, **FACTORED)
        assert one.factor == alone.factor is not None
        assert one.hdi == alone.hdi
        assert f"strength={strength:g}" in one.recipe


def test_equal_strengths_count_once():
    result = lk.sensitivity(*LABELS.columns, strengths=[1, 2, 1.0, 2], **BINARY)

    assert result.strengths == (1.0, 2.0)


@pytest.mark.parametrize(
    ("strengths", "nearest"), [([0.1, 5], 5.0), ([0.5, 3], 0.5), ([2], 2.0)]
)
def test_without_the_usual_strength_the_nearest_stands_for_it(strengths, nearest):
    result = lk.sensitivity(*LABELS.columns, strengths=strengths, **BINARY)

    assert result.usual is result.comparisons[result.strengths.index(nearest)]


@pytest.mark.parametrize(
    "strengths", [[], [0.0], [-1.0], [1.0, float("nan")], [float("inf")]]
)
def test_bad_strengths_are_refused(strengths):
    with pytest.raises(SettingError, match="strength"):
        lk.sensitivity(*LABELS.columns, strengths=strengths, **BINARY)


@pytest.mark.parametrize("strengths", [["a"], [None], 1.0, "12"])
def test_strengths_that_are_no_numbers_are_refused(strengths):
    with pytest.raises(LikelierError, match="strength"):
        lk.sensitivity(*LABELS.columns, strengths=strengths, **BINARY)


@pytest.mark.parametrize("method", [Paired("bootstrap"), Unpaired("bootstrap")])
def test_the_bootstrap_has_no_prior_to_vary(method):
    with pytest.raises(NotDefinedError, match="bootstrap"):
        lk.sensitivity(*LABELS.columns, method=method, **BINARY)


def test_scores_have_a_prior_to_vary_but_no_factor():
    scores = lk.Outcomes.from_scores([0.1, 0.5, 0.2] * 9, [0.3, 0.4, 0.9] * 9)
    settings = {"metric": "mean", "rope": 0.1, "seed": 0}
    result = lk.sensitivity(scores, **settings)
    means = [one.posterior.difference.mean() for one in result.comparisons]

    assert means == sorted(means, reverse=True)  # it pulls towards no difference
    assert means[0] > means[-1] > 0
    with pytest.raises(NotDefinedError, match="proper prior"):
        lk.sensitivity(scores, factor="rope", **settings)
    with pytest.raises(NotDefinedError, match="bootstrap"):
        lk.sensitivity(scores, prior="bootstrap", **settings)


@pytest.mark.parametrize("method", ["independent", "monte-carlo", "mcnemar", "none"])
def test_other_methods_are_refused(method):
    with pytest.raises(LikelierError, match="method"):
        lk.sensitivity(*LABELS.columns, method=method, **BINARY)


def test_point_nulls_of_infinite_density_are_refused():
    with pytest.raises(NotDefinedError, match="infinite"):
        lk.sensitivity(
            *LABELS.columns,
            metric="accuracy",
            factor="point",
            strengths=[0.1, 1],
            seed=0,
        )


def test_the_sentence_has_the_range_of_the_factor():
    result = lk.sensitivity(*LABELS.columns, **FACTORED)
    sizes = [c.factor for c in result.comparisons]
    least, most = (f(sizes, key=lambda x: x.log10) for f in (min, max))
    text = result.sentence()

    assert "\n" not in text
    assert result.usual.headline() in text
    assert f"from {least.text()} ({least.label}) to {most.text()}" in text
    assert repr(result) == f"<Sensitivity {text}>"


def test_the_sentence_tells_of_one_verdict_or_of_several():
    result = lk.sensitivity(*LABELS.columns, strengths=[1, 2], **BINARY)
    one, two = result.comparisons
    names = {one.verdict.name, two.verdict.name}
    if len(names) == 1:
        assert f"the verdict is {names.pop()} under every prior" in result.sentence()
    # A far wider rope for one of them makes their verdicts differ.
    settings = replace(two.settings, rope=Rope.of(0.9))
    wide = replace(two, settings=settings)
    text = replace(result, comparisons=(one, wide)).sentence()
    assert f"depends on the prior: {one.verdict.name}, equivalent" in text


@pytest.mark.parametrize("rope", [None, 0.02])
def test_without_a_factor_there_is_none_to_tell(rope):
    result = lk.sensitivity(*LABELS.columns, **BINARY | {"rope": rope})

    assert "factor" not in result.sentence()
    assert all(row["bayes_factor"] is None for row in result.to_dict()["priors"])


def test_a_factor_of_the_rope_needs_a_rope():
    with pytest.raises(SettingError, match="must have a rope"):
        lk.sensitivity(*LABELS.columns, **FACTORED | {"rope": None})


@pytest.mark.parametrize("settings", [{"rope": None}, {}, {"factor": "rope"}])
def test_the_json_is_json(settings):
    result = lk.sensitivity(*LABELS.columns, **BINARY | settings)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))

    assert document["kind"] == "sensitivity"
    assert [row["strength"] for row in document["priors"]] == list(result.strengths)
    assert document["recipe"] == result.recipe


def test_a_point_null_has_strengths_of_its_own():
    result = lk.sensitivity(*LABELS.columns, metric="accuracy", factor="point", seed=0)

    assert min(result.strengths) == 0.6
    assert 1.0 in result.strengths


def test_a_metric_without_a_point_null_is_refused_with_the_reason():
    settings = {"metric": "f1", "positive": "a", "factor": "point", "seed": 0}
    with pytest.raises(NotDefinedError, match="point null of f1 does not exist"):
        lk.sensitivity(*LABELS.columns, **settings)


# Ropes.

WIDE = [1.0, 1, 1.5, (-1.0, 0.0), (0.0, 1.0), (-2.0, 0.1), Rope(-1.0, 1.0)]


@pytest.mark.parametrize("rope", WIDE)
@pytest.mark.parametrize("call", [lk.compare, lk.sensitivity])
def test_a_rope_wider_than_the_metric_is_refused(rope, call):
    with pytest.raises(SettingError, match="rope must be narrower"):
        call(*LABELS.columns, metric="accuracy", rope=rope, seed=0)


@pytest.mark.parametrize(("rope", "fits"), [(1.5, True), (2.0, False)])
def test_metrics_from_minus_one_to_one_allow_wider_ropes(rope, fits):
    settings = {"metric": "mcc", "positive": "a", "rope": rope, "seed": 0}
    if fits:
        assert lk.compare(*LABELS.columns, **settings).rope == Rope.of(rope)
        return
    with pytest.raises(SettingError, match="rope must be narrower"):
        lk.compare(*LABELS.columns, **settings)


def test_scores_allow_any_rope():
    scores = lk.Outcomes.from_scores([10.0, 50.0, 20.0], [30.0, 40.0, 90.0])

    assert lk.compare(scores, metric="mean", rope=25, seed=0).rope == Rope.of(25)
