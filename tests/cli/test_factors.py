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
    assert (f"factor {factor}" in result["recipe"]) == (factor != "rope")


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
