"""Conditions for continuous integration: a small language, never evaluated."""

import builtins
import os
import time

import pytest

from likelier.errors import SettingError
from likelier.report.gate import FAILS, HOLDS, UNCLEAR, gate


def document(verdict="better", **probability):
    shares = {"worse": 0.02, "equivalent": 0.03, "better": 0.95} | probability
    return {
        "schema": 1,
        "kind": "comparison",
        "metric": "f1",
        "items": 100,
        "difference": {
            "value": 0.1,
            "mean": 0.09,
            "interval": {"low": 0.01, "high": 0.2},
        },
        "probability": shares,
        "bayes_factor": {"bf01": 0.05, "log10": -1.3},
        "verdict": {"name": verdict},
        "flag": True,
        "findings": [],
    }


TRUE = [
    "P(better) > 0.9",
    "P(better)>.9",
    "  P(better)  >  0.9  ",
    "P(better) >= 95%",
    "P(better) >= 95 %",
    "P(better) == 0.95",
    "P(worse) < 5e-2",
    "P(worse) <= +0.02",
    "P(equivalent) != 0",
    "hdi.low > 0",
    "hdi.high < 1.",
    "bf01 < 1",
    "bayes_factor.log10 < -1",
    "difference.mean > -1E-3",
    "difference.interval.low > 0",
    "items >= 100",
    "P(better) > 0.9 and P(worse) < 0.05",
    "P(better) > 0.99 or P(worse) < 0.05",
    "P(better) > 0.99 and P(worse) > 0.5 or hdi.low > 0",
    "hdi.low > 0 or P(better) > 0.99 and P(worse) > 0.5",
]
FALSE = [
    "P(better) > 0.95",
    "P(better) < 95%",
    "P(better) != 0.95",
    "P(better) > 1",
    "P(better) > 1e999",
    "P(better) > 0.9 and P(worse) > 0.05",
    "P(better) > 0.99 or P(worse) > 0.05",
    "hdi.low > 0 and P(better) > 0.99 or P(worse) > 0.5",
]
REFUSED = [
    "",
    " ",
    "and",
    "or",
    "P(better)",
    "> 0.9",
    "P(better) 0.9",
    "P(better) > ",
    "P(better) = 0.9",
    "P(better) => 0.9",
    "P(better) > x",
    "P(better) > 0.9.1",
    "P(better) > 0x1",
    "P(better) > nan",
    "P(better) > inf",
    "P(better) > 0.9 and",
    "and P(better) > 0.9",
    "P(better) > 0.9 or or P(better) > 0.9",
    "P(better) > 0.9 not P(worse) > 0.9",
    "not P(better) > 0.9",
    "(P(better) > 0.9)",
    "0.1 < P(better) < 0.9",
    "P(better) > 0.9; P(worse) < 1",
    "P(better) > 0.9 && P(worse) < 1",
    "P(better) > 0.9 %%",
    "P(best) > 0.9",
    "p(better) > 0.9",
    "better > 0.9",
    "p < 0.05",
    "metric > 1",
    "flag == 1",
    "findings > 0",
    "difference > 0",
    "difference..mean > 0",
    "difference.mean. > 0",
    ".difference > 0",
    "verdict.name == 1",
    "__import__('os').system('touch pwned')",
    "__import__('os').system('touch pwned') > 0",
    "__class__ > 0",
    "difference.__class__ > 0",
    "difference.get > 0",
    "P(__import__) > 0",
    "exec('1') > 0",
    "lambda: 0 > 0",
    "().__class__.__bases__[0] > 0",
    "P(better) > __import__('os').getpid()",
    "P(better) > 0.9\nimport os",
    "{{7*7}} > 0",
    "P(better) > 1\u0660\u00b2",
    "(" * 1000 + "P(better) > 0.9" + ")" * 1000,
    "P(better) > 0.9 and " * 1000,
]


@pytest.mark.parametrize("condition", TRUE)
@pytest.mark.parametrize("verdict", ["better", "undecided"])
def test_what_holds_is_0(condition, verdict):
    assert gate(condition, document(verdict)) == HOLDS == 0


@pytest.mark.parametrize("condition", FALSE)
@pytest.mark.parametrize("verdict", ["better", "worse", "equivalent", "not better"])
def test_what_does_not_hold_is_1(condition, verdict):
    assert gate(condition, document(verdict)) == FAILS == 1


@pytest.mark.parametrize("condition", FALSE)
@pytest.mark.parametrize("verdict", ["undecided", "leans better", "leans worse"])
def test_what_the_evidence_leaves_open_is_3(condition, verdict):
    assert gate(condition, document(verdict)) == UNCLEAR == 3


def test_p_values_hold_or_not():
    null = {"kind": "null_test", "p_value": 0.04, "statistic": {"value": 3}}
    assert gate("p < 0.05", null) == HOLDS
    assert gate("p_value < 0.01", null) == FAILS
    assert gate("statistic.value == 3", null) == HOLDS
    with pytest.raises(SettingError, match=r"got 'P\(better\)'"):
        gate("P(better) > 0.9", null)


@pytest.fixture
def nothing_runs(monkeypatch):
    def stop(*_, **__):
        pytest.fail("a condition was evaluated")

    monkeypatch.setattr(os, "system", stop)
    for name in ("eval", "exec", "compile"):
        monkeypatch.setattr(builtins, name, stop)


@pytest.mark.parametrize("condition", REFUSED, ids=lambda text: ascii(text)[:40])
def test_anything_else_is_refused_and_never_evaluated(condition, nothing_runs):
    with pytest.raises(SettingError, match="condition must"):
        gate(condition, document())


@pytest.mark.parametrize(
    "condition", ["P(better) > 0.9 or foo > 1", "foo > 1 or p > 0"]
)
def test_wrong_clauses_are_refused_where_another_decides(condition):
    with pytest.raises(SettingError, match="condition must"):
        gate(condition, document())


SLOW = {
    "digits": "P(better) > " + "1" * 6_000 + "x",
    "blanks": "P(better) > 0.9" + " " * 20_000 + "x",
    "names": "a" * 50_000,
    "dots": "a" + ".a" * 20_000 + " > 1",
    "clauses": " or ".join(["P(better) > 2"] * 5_000) + " or x",
}


@pytest.mark.parametrize("name", SLOW)
def test_long_conditions_are_refused_at_once(name):
    start = time.process_time()
    with pytest.raises(SettingError):
        gate(SLOW[name], document())
    assert time.process_time() - start < 0.5


def test_refusals_are_short():
    with pytest.raises(SettingError) as caught:
        gate("x" * 50_000, document())
    assert len(str(caught.value)) < 1000


def test_equivalence_without_a_rope_is_no_number_to_ask_for():
    # Without a rope P(equivalent) is 0 by definition, not by evidence.
    result = document(equivalent=0.0) | {"rope": None}
    with pytest.raises(SettingError, match="rope"):
        gate("P(equivalent) > 0.5", result)
