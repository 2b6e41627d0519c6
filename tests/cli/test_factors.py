"""The Bayes factors and wide ropes on the command line."""

import json

import pytest

FEW = ("--draws", "2000", "--seed", "0")
START = ("compare", "p.csv", "--systems", "a,b", *FEW)


@pytest.mark.parametrize("rope", ["1", "2.5", "-1,0.1", "0,1"])
def test_a_rope_wider_than_the_metric_is_refused(refused, rope):
    message = refused(*START, "--metric", "accuracy", f"--rope={rope}")

    assert "rope must be narrower" in message


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        ("rope", ("--metric", "f1", "--positive", "spam", "--rope", "0.05")),
        ("point", ("--metric", "accuracy")),
        ("point", ("--metric", "recall", "--positive", "spam")),
        ("kde", ("--metric", "f1", "--positive", "spam")),
    ],
)
def test_a_factor_by_name(folder, call, factor, words):
    ended = call(*START, *words, "--factor", factor, "--json", "-")
    result = json.loads(ended.out)

    assert ended.code == 0
    assert result["bayes_factor"]["of"] == factor
    assert f"factor {factor}" in result["recipe"]


@pytest.mark.parametrize(
    ("words", "prior"),
    [((), "uniform"), (("--prior", "objective"), "objective")],
    ids=["swap", "objective"],
)
def test_a_factor_names_the_proper_prior_that_it_rests_on(folder, call, words, prior):
    base = (*START, "--metric", "accuracy", "--rope", "0.05", "--factor", "rope")
    words = (*base, *words)
    result = json.loads(call(*words, "--json", "-").out)

    assert result["bayes_factor"]["prior"] == prior
    assert f", prior {prior})" in call(*words).out


def test_the_factor_of_the_rope_needs_a_rope(refused):
    message = refused(*START, "--metric", "accuracy", "--factor", "rope")

    assert "must have a rope" in message


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "s.csv", "--metric", "mean"),
        ("compare", "p.csv", "--systems", "a,b", "--metric", "f1", "--cluster", "doc"),
        ("compare", "m.csv", "--metric", "micro_f1", "--separator", ";"),
    ],
    ids=["scores", "clusters", "sets"],
)
def test_data_without_a_proper_prior_have_no_factor(refused, words):
    more = ("--rope", "0.05", "--factor", "rope", *FEW)
    more += ("--positive", "spam") if "f1" in words else ()

    assert "proper prior" in refused(*words, *more)


@pytest.mark.parametrize("metric", ["f1", "precision"])
def test_a_point_null_of_infinite_density_is_refused(refused, metric):
    words = ("--metric", metric, "--positive", "spam", "--factor", "point")
    message = refused(*START, *words)

    assert "infinite" in message
    assert "rope" in message


def test_an_unknown_factor_is_refused(folder, call):
    ended = call(*START, "--metric", "accuracy", "--factor", "points")

    assert ended.code == 2
    assert "Traceback" not in ended.err
