"""Sentences on disagreement are true of the numbers, one by one."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import random_labels
from tests.results import every_kind
from tests.results.every_kind import MEANS

import likelier as lk
from likelier.bayes_factor import FACTORS, BayesFactor
from likelier.decision import NAMES, RULES, TESTED, ThreeProbabilities
from likelier.distribution import Draws, Posterior
from likelier.interval import Rope
from likelier.results.companions import Companion, ComparedFolds
from likelier.results.disagreement import disagreements
from likelier.results.parts import Table

BASE = every_kind.compared()
SMALL, LARGE = (
    Companion("McNemar's test", p_value=0.001),
    Companion("sign test", p_value=0.4),
)


def made(centre, spread, *, rope=0.02, rule="hdi-rope", factor=None, **settings):
    """Return a comparison with this difference and this uncertainty."""
    steps = np.linspace(-3, 3, 401)
    values = centre + spread * np.sign(steps) * np.abs(steps) ** 1.5
    region = None if rope is None else Rope.of(rope)
    settings = replace(BASE.settings, rope=region, rule=rule, **settings)
    law = Posterior((), Draws(values))
    return replace(BASE, posterior=law, settings=settings, factor=factor)


def text_of(result, *companions):
    return " ".join(disagreements(result, companions))


def most(p):
    shares = {"worse": p.worse, "equivalent": p.equivalent, "better": p.better}
    return max(shares, key=shares.get)


# A pattern of each sentence, and what must then be true of the result.


def p_small(result, companions, match):
    small = [c.name for c in companions if c.p_value is not None and c.p_value < 0.05]
    assert small
    assert match["names"] == listed(small)
    assert match["verdict"] == result.verdict.name
    assert match["verdict"] not in CLEAR
    if match["verdict"] in TESTED:
        assert result.hdi.low <= 0 <= result.hdi.high
    check_reason(result, match["reason"])


def p_large(result, companions, match):
    large = [c.name for c in companions if c.p_value is not None and c.p_value >= 0.05]
    assert large
    assert match["names"] == listed(large)
    assert match["verdict"] == result.verdict.name
    assert match["verdict"] in CLEAR
    check_reason(result, match["reason"])


def check_reason(result, reason):
    low, high = result.hdi
    beyond = re.search("the verdict whether it is beyond (.+)$", reason)
    rule = re.search("^the rule (.+) takes what is most probable", reason)
    interval = re.search("^the verdict rests on a (.+) % HDI", reason)
    if beyond:
        assert beyond[1] == str(result.rope)
        assert result.verdict.name not in CLEAR
        assert low > 0 or high < 0
        assert low <= result.rope.high
        assert high >= result.rope.low
    elif rule:
        assert rule[1] == result.rule in ("regions", "bayes-test")
    elif "speaks of" in reason:
        assert result.posterior.regions is not None
    elif "region-mass" in reason:
        assert result.rule == "region-mass"
    elif "does not use that both systems" in reason:
        assert result.settings.method != "paired"
    elif interval:
        assert float(interval[1]) == pytest.approx(100 * result.mass)
        assert result.mass != 0.95
    else:
        assert reason.startswith("a p-value asks how odd the data were")
        assert result.mass == 0.95


def p_both(result, companions, match):
    del result, match
    values = [c.p_value for c in companions if c.p_value is not None]
    assert min(values) < 0.05 <= max(values)


def other_region(result, companions, match):
    (one,) = [c for c in companions if c.name == match["name"]]
    assert match["there"] == most(one.probability) != match["here"]
    assert match["here"] == most(result.probability)


def for_but_reaching(result, companions, match):
    del companions, match
    assert result.factor.of == "rope"
    assert result.factor.log10 > 0
    assert result.verdict.name not in ("equivalent", "better", "worse")
    low, high = result.hdi
    assert low < result.rope.low or high > result.rope.high


def factor_side(result, companions, match):
    del companions
    factor, verdict = result.factor, result.verdict.name
    assert match["side"] == factor.side
    assert match["null"].startswith(factor.null)
    assert match["verdict"] == verdict
    assert verdict == "equivalent" if factor.side == "against" else verdict in CLEAR
    assert factor.strength != "anecdotal"


def leaning(result, companions, match):
    del companions
    low, high = result.hdi
    crossed = [low < result.rope.low, high > result.rope.high]
    assert most(result.probability) == "equivalent"
    assert match["verdict"] == result.verdict.name
    if "crosses one end" in match.string:
        assert sum(crossed) == 1
        assert result.verdict.name == ("leans worse" if crossed[0] else "leans better")
    else:
        assert all(crossed)
        assert (low + high > 0) == (result.verdict.name == "leans better")
        assert f"the rule {result.rule} " in match.string


CLEAR = ("better", "worse")
SENTENCES = {
    r"(?P<names>.+) finds? a difference at 0.05, the verdict is (?P<verdict>[\w ]+): "
    r"(?P<reason>.+)\.": p_small,
    r"(?P<names>.+) finds? no difference at 0.05, the verdict is (?P<verdict>[\w ]+): "
    r"(?P<reason>.+)\.": p_large,
    r".+ and .+ fall on different sides of 0.05: .+\.": p_both,
    r"(?P<name>.+) holds (?P<there>\w+) to be the most probable, not (?P<here>\w+): "
    r".+\.": other_region,
    r"The Bayes factor speaks for equivalence, but the interval still reaches beyond "
    r"the rope: .+\.": for_but_reaching,
    r"The Bayes factor speaks (?P<side>for|against) (?P<null>[\w ]+), the verdict is "
    r"(?P<verdict>[\w ]+): .+\.": factor_side,
    r"Equivalent is the most probable of the three, the verdict (?P<verdict>[\w ]+): "
    r".+\.": leaning,
}


def listed(names):
    return (
        " and ".join(names)
        if len(names) < 3
        else f"{', '.join(names[:-1])} and " + names[-1]
    )


def check(result, companions):
    """Check every sentence; return the names of those that occur."""
    names = set()
    for line in disagreements(result, companions):
        hits = [(re.fullmatch(p, line), truth) for p, truth in SENTENCES.items()]
        ((match, truth),) = [(hit, truth) for hit, truth in hits if hit]
        truth(result, companions, match)
        names.add(truth.__name__)
    return names


def random_result(rng):
    rope = [None, 0.01, 0.05, (-0.01, 0.04)][rng.integers(4)]
    of = FACTORS[rng.integers(3)]
    factor = (
        BayesFactor(float(rng.normal(0, 1.5)), of=of) if rng.random() < 0.8 else None
    )
    rule = list(RULES)[rng.integers(len(RULES))]
    if rope is None and of == "rope":
        factor = None
    mass = float(rng.choice([0.5, 0.9, 0.95]))
    centre, spread = rng.normal(0, 0.04), 10 ** rng.uniform(-3.5, -1)
    return made(centre, spread, rope=rope, rule=rule, factor=factor, mass=mass)


def random_companions(rng):
    values = rng.random(3) ** 3
    tests = [Companion(f"test {i}", p_value=float(p)) for i, p in enumerate(values)]
    shares = rng.dirichlet([1, 1, 1])
    other = Companion(
        "signed rank", probability=ThreeProbabilities(*shares.tolist(), 0)
    )
    none = Companion("folds", reason="one score each")
    every = [*tests, other, none]
    return [one for one in every if rng.random() < 0.6]


def test_the_sentences_of_a_thousand_results_are_true():
    rng = np.random.default_rng(8)
    names = set()
    for _ in range(1000):
        names |= check(random_result(rng), random_companions(rng))
    assert names == {truth.__name__ for truth in SENTENCES.values()}


def test_no_text_names_another_verdict():
    rng = np.random.default_rng(9)
    for _ in range(300):
        result = random_result(rng)
        for line in disagreements(result, random_companions(rng)):
            named = re.search(r"the verdict (?:is )?((?:leans |not )?\w+)[:,]", line)
            assert named is None or named[1] == result.verdict.name
            assert named is None or named[1] in NAMES.values()


def test_a_small_p_value_beside_equivalence_is_explained_by_the_rope():
    equal = made(0.01, 0.001)
    assert equal.verdict.name == "equivalent"
    text = text_of(equal, SMALL)
    assert "the verdict is equivalent" in text
    assert "beyond ±0.02" in text
    assert text_of(equal, LARGE) == ""


def test_a_large_p_value_beside_a_clear_verdict_is_named():
    better = made(0.1, 0.005)
    assert better.verdict.name == "better"
    assert "sign test finds no difference" in text_of(better, LARGE)
    assert text_of(better, SMALL) == ""
    assert "different sides" in text_of(better, SMALL, LARGE)
    assert disagreements(made(-0.1, 0.005), [SMALL]) == []


def test_a_p_value_at_the_limit_is_not_small():
    exactly = Companion("test", p_value=0.05)
    assert "finds no difference" in text_of(made(0.1, 0.005), exactly)
    assert text_of(made(0.01, 0.001), exactly) == ""


def test_a_small_p_value_agrees_with_not_better_only_where_it_is_worse():
    worse, open_ = (made(c, 0.01, rope=None, rule="bayes-test") for c in (-0.1, -0.001))
    assert worse.verdict.name == open_.verdict.name == TESTED[1]
    assert worse.hdi.high < 0 < open_.hdi.high
    assert text_of(worse, SMALL) == ""
    assert (
        "finds a difference at 0.05, the verdict is more probably not better"
        in text_of(open_, SMALL)
    )


def test_without_companions_and_factor_a_clear_verdict_stands_alone():
    assert disagreements(made(0.1, 0.005), []) == []
    assert disagreements(made(0.0, 0.005), []) == []


@pytest.mark.parametrize(
    ("centre", "spread", "log10", "of", "answer"),
    [
        (0.01, 0.02, 1.0, "rope", "speaks for equivalence, but the interval"),
        (0.1, 0.005, 1.0, "rope", "speaks for equivalence, the verdict is better"),
        (-0.1, 0.005, 1.0, "rope", "speaks for equivalence, the verdict is worse"),
        (0.0, 0.001, -1.0, "rope", "speaks against equivalence"),
        (0.0, 0.001, 1.0, "rope", None),
        (0.1, 0.005, -1.0, "rope", None),
        (0.01, 0.02, 0.3, "rope", None),
        (0.1, 0.005, 1.0, "point", "speaks for no difference at all"),
        (0.1, 0.005, 1.0, "kde", "Lindley"),
        (0.01, 0.001, -1.0, "point", "speaks against no difference at all"),
        (0.01, 0.001, 1.0, "point", None),
        (0.1, 0.005, -1.0, "kde", None),
    ],
)
def test_factors_that_point_away_from_the_verdict(centre, spread, log10, of, answer):
    lines = disagreements(made(centre, spread, factor=BayesFactor(log10, of=of)), [])
    matching = [line for line in lines if "Bayes factor" in line]
    assert len(matching) == (answer is not None)
    assert answer is None or answer in matching[0]


def test_leaning_while_equivalent_is_the_most_probable():
    crossing = made(0.015, 0.0025, rule="zhang")
    assert crossing.verdict.name == "leans better"
    assert "crosses one end of the rope" in text_of(crossing)
    both = made(0.001, 0.015, rule="zhang")
    assert both.verdict.name == "leans better"
    assert "the rule zhang takes the side" in text_of(both)


def test_ties_hold_nothing_to_be_the_most_probable():
    tied = Companion("other", probability=ThreeProbabilities(0.5, 0.0, 0.5, 0))
    assert "most probable" not in text_of(made(0.1, 0.005), tied)
    even = made(0.0, 0.01, rope=None)
    clear = Companion("other", probability=ThreeProbabilities(0.1, 0.0, 0.9, 0))
    assert even.probability.worse == even.probability.better
    assert "most probable" not in text_of(even, clear)


def test_companions_of_real_scores_are_described_truly():
    rng = np.random.default_rng(1)
    for rope in (None, 0.005, 0.02):
        for rule in RULES:
            result = lk.compare_folds(MEANS, rope=rope, rule=rule, draws=1000, seed=rng)
            assert result.companions
            check(result, result.companions)


def test_companions_of_real_items_are_described_truly():
    for seed in range(6):
        table = random_labels(seed, n=150, classes=2, right=(0.6, 0.6 + seed / 30))
        for rope, rule in ((0.05, "hdi-rope"), (None, "bayes-test"), (0.02, "zhang")):
            result = lk.compare(
                *table.columns,
                metric="accuracy",
                rope=rope,
                rule=rule,
                draws=1000,
                seed=0,
            )
            companions = result.companions
            assert any(c.p_value is not None for c in companions)
            check(result, companions)


def other_tests(result):
    """Return the table of other tests on the page, if it has one."""
    tables = (part for part in result.parts() if isinstance(part, Table))
    return next((table for table in tables if table.title == "Other tests"), None)


def test_a_page_names_only_tests_that_apply_and_all_disagreements():
    result = lk.compare_folds(MEANS, draws=1000, seed=0)
    applying = [test for test in result.companions if test.reason is None]
    table = other_tests(result)
    assert table.folded
    assert [row[0] for row in table.rows] == [test.name for test in applying]
    assert set(result.disagreements()) <= set(table.lines)
    silent = tuple(Companion(c.name, reason="none") for c in result.companions)
    assert other_tests(replace(result, folds=ComparedFolds(lambda: silent))) is None
    odd = replace(result, folds=ComparedFolds(lambda: (LARGE,)))
    assert odd.disagreements()
    assert set(odd.disagreements()) <= set(other_tests(odd).lines)
