"""Numbers and probabilities from tables, on the command line."""

import json

import numpy as np
import pytest
from sklearn import metrics as peers

QUICK = ("--draws", "1000", "--seed", "0", "--json", "-")


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    gold = rng.normal(size=60).round(4)
    first, second = (gold + rng.normal(0, sd, 60).round(4) for sd in (1, 0.4))
    chances = (abs(first) % 1).round(4), (abs(second) % 1).round(4)
    columns = gold, first, second, gold > 0, *chances
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["y,a,b,sign,p,q", *lines, ""]))
    return path, columns


def test_numbers(call, table):
    path, (gold, first, *_) = table
    words = ("--gold", "y", "--systems", "a,b", "--metric", "rmse,r2")
    answers = json.loads(call("compare", path, *words, *QUICK).out)["comparisons"]
    wanted = [peers.root_mean_squared_error(gold, first), peers.r2_score(gold, first)]
    values = [one["estimates"][0]["value"] for one in answers]
    assert values == pytest.approx(wanted, rel=1e-9)


def test_probabilities(call, table):
    path, (*_, truth, first, second) = table
    words = ("--gold", "sign", "--systems", "p,q", "--positive", "True")
    done = call("compare", path, *words, "--metric", "brier", *QUICK)
    answer = json.loads(done.out)
    values = [one["value"] for one in answer["estimates"]]
    wanted = [peers.brier_score_loss(truth, p) for p in (first, second)]
    assert values == pytest.approx(wanted, rel=1e-9)


def test_probabilities_of_each_items_own_label(call, table):
    path, (*_, first, second) = table
    words = ("--gold", "", "--systems", "p,q", "--metric", "log_loss")
    answer = json.loads(call("compare", path, *words, *QUICK).out)
    values = [one["value"] for one in answer["estimates"]]
    assert values == pytest.approx([-np.log(p).mean() for p in (first, second)])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--gold", "sign", "--systems", "a,b", "--metric", "rmse"), "number"),
        (("--gold", "sign", "--systems", "a,b", "--metric", "brier"), "from 0 to 1"),
        (("--gold", "y", "--systems", "a,b", "--metric", "rmse,brier"), "one kind"),
    ],
)
def test_other_data_are_refused(call, table, words, message):
    done = call("compare", table[0], *words, *QUICK)
    assert done.code == 2
    assert message in done.err
