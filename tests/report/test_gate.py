"""Gates: exit codes of conditions on results; nothing is ever evaluated."""

import builtins
import operator
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.results import every_kind
from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier.decision import NAMES, OPEN
from likelier.errors import SettingError
from likelier.findings import Finding
from likelier.report.gate import FAILS, HOLDS, UNCLEAR, gate, judge, worst


def document(verdict="better", **probability):
    shares = {"worse": 0.02, "equivalent": 0.03, "better": 0.95} | probability
    return {
        "schema": 1,
        "kind": "comparison",
        "metric": "f1",
        "items": 100,
        "estimates": [
            {"system": "old", "value": 0.8, "interval": {"low": 0.7, "high": 0.9}},
            {"system": "new v1.1", "value": 0.9, "interval": None},
            {"system": "7b", "value": 0.7},
            {"system": "1", "value": 0.6},
            {"system": "twin", "value": 0.5},
            {"system": "twin", "value": 0.4},
        ],
        "difference": {
            "value": 0.1,
            "mean": 0.09,
            "interval": {"low": 0.01, "high": 0.2},
        },
        "probability": shares,
        "rope": [-0.005, 0.006],
        "bayes_factor": {"bf01": 0.05, "log10": -1.3},
        "hypotheses": {"h0": 0.05, "h1": 0.95},
        "verdict": {"name": verdict, "open": verdict in OPEN},
        "chance": {"leans better": 0.25},
        "across": {"s-test": 0.125},
        "large": 10**400,
        "flag": True,
        "findings": [{"code": "LIK101", "severity": "note", "message": "few"}],
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
    "0.9 < P(better)",
    "90% <= P(better)",
    "P( better ) > 0.9",
    "P(better) > P(worse)",
    "hdi.low > rope.high",
    "rope.low == -0.005",
    "rope.1 == 0.006",
    "not P(better) > 0.99",
    "not not P(better) > 0.9",
    "not (P(better) > 0.99 or P(worse) > 0.5)",
    "hdi.low > 0 and (P(better) > 0.99 or P(worse) < 0.5)",
    "not P(better) > 0.99 and P(worse) < 0.5",
    "P(H1) > 0.9 and P(H0) < 0.1",
    "difference > 0.09",
    "difference == difference.value",
    "estimates.old.value == 0.8",
    "estimates.old == 0.8",
    "estimates.0.value == 0.8",
    "estimates.old.interval.low == 0.7",
    "estimates.7b > estimates.3",
    "estimates.'new v1.1'.value > estimates.old.value",
    'estimates."1".value == 0.6',
    "estimates.1.value == 0.9",
    "chance.'leans better' == 25 %",
    "across.s-test == 0.125",
    "findings == 1",
    "findings.note == 1 and findings.warning == 0",
    "large > 1e308",
    "large < 1e999",
    "P(better)\n>\t0.9",
    "P(better) > -1e-999",
]
FALSE = [
    "P(better) > 0.95",
    "P(better) < 95%",
    "P(better) != 0.95",
    "P(better) > 1",
    "items > 1e999",
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
    "(" * 10_000 + ")" * 10_000,
    "(" * 51 + "P(better) > 0.9" + ")" * 51,
    "not " * 51 + "P(better) > 0.9",
    "(" * 900,
    "()",
    "not",
    "(P(better)) > 0.9",
    "(P(better) > 0.9",
    "P(better) > 0.9)",
    "0.9 > 0.8",
    "0.1 < P(better) and 0.9",
    "P(better) > 90 % %",
    "P(better) % > 90",
    "% > 90",
    "P(better) > 1_000",
    "P(better) > 0,9",
    "P(better) > 0.9e",
    "P(better) > --1",
    "P(better) - 1 > 0",
    "P(better) AND p > 1",
    "P (better) > 0.9",
    "P(better > 0.9",
    "P() > 0.9",
    "P(\u0441) > 0.9",
    "\u0420(better) > 0.9",
    "P(b\u0435tter) > 0.9",
    "P(better) \uff1e 0.9",
    "P(better) > \uff10.9",
    "P(better)\u00a0> 0.9",
    "P(better) \u2265 0.9",
    "P(better) > 0.9 \u2013 0.1",
    "P(better) > 0.9 \x00",
    "P(better) > '0.9'",
    "'better' == 'better'",
    "metric == 'f1'",
    "verdict == better",
    "verdict == 'beter'",
    "verdict > 'better'",
    "verdict == 1",
    "verdict == verdict",
    "verdict == 'better",
    "estimates > 0",
    "estimates.twin.value > 0",
    "estimates.nobody.value > 0",
    "estimates.6.value > 0",
    "estimates.-1.value > 0",
    "estimates." + "9" * 1900 + " > 0",
    "estimates.old.interval > 0",
    "estimates.'new v1.1'.interval.low > 0",
    "findings.x > 0",
    "findings.0 > 0",
    "rope > 0",
    "rope.2 > 0",
    "items.0 > 0",
]


@pytest.mark.parametrize("condition", TRUE)
def test_what_holds_is_0(condition):
    for verdict in ("better", "undecided"):
        assert gate(condition, document(verdict)) == HOLDS == 0


@pytest.mark.parametrize("condition", FALSE)
def test_what_does_not_hold_is_1_or_3_where_the_verdict_is_open(condition):
    for verdict in ("better", "worse", "equivalent"):
        assert gate(condition, document(verdict)) == FAILS == 1
    for verdict in OPEN:
        assert gate(condition, document(verdict)) == UNCLEAR == 3


def test_p_values_hold_or_not():
    null = {"kind": "null_test", "p_value": 0.04, "statistic": {"value": 3}}
    assert gate("p < 0.05", null) == HOLDS
    assert gate("p_value < 0.01", null) == FAILS
    assert gate("statistic.value == 3", null) == HOLDS
    with pytest.raises(SettingError, match=r"got 'P\(better\)'"):
        gate("P(better) > 0.9", null)


def evaluated(*_, **__):
    message = "a condition was evaluated"
    raise AssertionError(message)


@pytest.mark.parametrize("condition", REFUSED, ids=lambda text: ascii(text)[:40])
def test_anything_else_is_refused_and_never_evaluated(condition):
    message = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "system", evaluated)
        for name in ("eval", "exec", "compile"):
            patch.setattr(builtins, name, evaluated)
        try:
            gate(condition, document())
        except SettingError as error:
            message = str(error)
    assert message is not None
    assert "condition must" in message
    assert len(message) < 1000


@pytest.mark.parametrize(
    "condition", ["P(better) > 0.9 or foo > 1", "foo > 1 or p > 0"]
)
def test_wrong_clauses_are_refused_where_another_decides(condition):
    with pytest.raises(SettingError, match="condition must"):
        gate(condition, document())


LONG = {
    "digits": "P(better) > " + "1" * 60_000,
    "blanks": "P(better) > 0.9" + " " * 60_000,
    "names": "a" * 60_000,
    "dots": "a" + ".a" * 30_000 + " > 1",
    "clauses": " or ".join(["P(better) > 2"] * 5_000) + " or x",
    "quotes": "a" + ".'" * 30_000,
    "brackets": "(" * 60_000,
}


@pytest.mark.parametrize("length", [2_000, 60_000])
@pytest.mark.parametrize("name", LONG)
def test_long_conditions_are_refused(name, length):
    condition = LONG[name][: length - 1] + "$"
    with pytest.raises(SettingError, match="condition must"):
        gate(condition, document())


def test_refusals_are_short():
    with pytest.raises(SettingError) as caught:
        gate("x" * 50_000, document())
    assert len(str(caught.value)) < 1000


def test_equivalence_without_a_rope_is_no_number_to_ask_for():
    # Without a rope P(equivalent) is 0 by definition, not by evidence.
    result = document(equivalent=0.0) | {"rope": None}
    with pytest.raises(SettingError, match="rope"):
        gate("P(equivalent) > 0.5", result)


# --- messages ----------------------------------------------------------------------


def test_messages_name_the_column_and_the_names_that_there_are():
    with pytest.raises(SettingError) as caught:
        gate("P(better) > 0.9 and difference_.mean > 0", document())
    assert caught.value.message.endswith("got 'difference_.mean' at column 21.")
    assert caught.value.hint.startswith("Did you mean difference.mean? Names are ")


def test_the_message_on_depth_names_the_column():
    deepest = "(" * 50 + "P(better) > 0.9" + ")" * 50
    assert gate(deepest, document()) == HOLDS
    with pytest.raises(SettingError, match="at most 50 deep; got more at column 51"):
        gate(f"({deepest})", document())


def test_brackets_beside_each_other_are_not_deep():
    many = " and ".join(["(not P(better) > 0.99)"] * 60)
    assert gate(many, document()) == HOLDS


def test_length():
    filled = "P(better) > 0.9".ljust(2000)
    assert gate(filled, document()) == HOLDS
    with pytest.raises(SettingError, match="at most 2,000 characters; got 2,001"):
        gate(f"{filled} ", document())


# --- verdicts, and what is not there -----------------------------------------------


@pytest.mark.parametrize("name", NAMES.values())
def test_verdicts(name):
    unmet = UNCLEAR if name in OPEN else FAILS
    for other in NAMES.values():
        same = name == other
        for condition in (f"verdict == '{other}'", f'"{other}" == verdict.name'):
            assert gate(condition, document(name)) == (HOLDS if same else unmet)
        for condition in (f"verdict != '{other}'", f"not verdict == '{other}'"):
            assert gate(condition, document(name)) == (unmet if same else HOLDS)


def test_a_verdict_must_be_there():
    for without in ({"p_value": 0.1}, {"verdict": None, "p_value": 0.1}, {}):
        with pytest.raises(SettingError, match="must ask for a verdict"):
            gate("verdict == 'better'", without)
    assert gate("p > 0.5", {"verdict": None, "p_value": 0.1}) == FAILS


PLAN = {"kind": "plan", "needed": None, "outlook": {"more": None, "chance": 0.8}}


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("name", ["needed.items", "outlook.more"])
def test_what_is_not_there_meets_nothing_and_no_opposite(name, operator):
    clause = f"{name} {operator} 5"
    for condition in (clause, f"not {clause}", f"{clause} and 1 > outlook.chance"):
        assert gate(condition, PLAN) == FAILS
    assert gate(f"{clause} or outlook.chance > 0.5", PLAN) == HOLDS
    assert (
        gate(clause, PLAN | {"verdict": {"name": "undecided", "open": True}}) == UNCLEAR
    )


@pytest.mark.parametrize("name", ["needed", "needed.items.x", "outlook.x", "other.x"])
def test_what_can_never_be_there_is_refused(name):
    with pytest.raises(SettingError, match="must name a number"):
        gate(f"{name} > 5", PLAN)


@pytest.mark.parametrize("value", [float("nan"), float("-nan")])
def test_nan_meets_nothing(value):
    for condition in ("x > 0", "x <= 0", "x == x", "x != x", "not x == 0"):
        assert gate(condition, {"x": value}) == FAILS


@pytest.mark.parametrize(
    "value", [None, "1", True, [], [1], {}, {"value": None}, {"value": {"value": 1}}]
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(SettingError, match="must name a number"):
        gate("x > 0", {"x": value})


def test_factors_beyond_all_numbers():
    none = {"bf01": None, "log10": -400.0}
    assert gate("bf01 < 0.1", {"bayes_factor": none}) == HOLDS
    assert gate("bf01 > 10", {"bayes_factor": none | {"log10": 400.0}}) == HOLDS
    unresolved = {"bayes_factor": None, "findings": [{"code": "LIK109"}]}
    assert gate("bf01 > 10", unresolved) == FAILS
    for rope in (None, [0, 1]):
        with pytest.raises(SettingError, match="must have a Bayes factor"):
            gate("bf01 > 10", {"bayes_factor": None, "rope": rope})


@pytest.mark.parametrize("name", ["probability.equivalent", "rope.low", "rope.0"])
def test_names_of_the_rope_must_have_one(name):
    with pytest.raises(SettingError, match="must have a rope"):
        gate(f"{name} > 0", document() | {"rope": None})


def test_several_results():
    assert [worst(codes) for codes in ([0, 0], [0, 3, 0], [3, 1, 0])] == [0, 3, 1]


# --- against a slow evaluator ------------------------------------------------------

VALUES = {
    "P(better)": 0.95,
    "P(worse)": 0.02,
    "hdi.low": 0.01,
    "items": 100,
    "estimates.old.value": 0.8,
    "needed.items": None,
}
RESULT = document() | {"needed": None}
SYMBOLS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
blanks = st.sampled_from(["", " ", "  ", "\t", "\n"])
gaps = st.sampled_from([" ", "  ", "\t", " \n"])
numbers = st.one_of(
    st.floats(-2, 200, allow_nan=False).map(lambda x: (repr(x), x)),
    st.integers(-5, 120).map(lambda n: (f"{n}", n)),
    st.integers(0, 100).map(lambda n: (f"{n} %", n / 100)),
    st.integers(0, 100).map(lambda n: (f"{n}%", n / 100)),
    st.sampled_from(sorted({0.95, 0.02, 0.01, 100, 0.8})).map(lambda x: (f"{x}", x)),
)
shares = numbers.filter(lambda number: 0 <= number[1] <= 1)
names = st.sampled_from(sorted(VALUES)).map(lambda name: (name, VALUES[name]))


@st.composite
def comparisons(draw):
    """Draw a comparison, and a function: does it surely hold, and may it?"""
    named = draw(names)
    other = draw((shares if named[0].startswith("P(") else numbers) | names)
    (left, a), (right, b) = draw(st.permutations([named, other]))
    symbol = draw(st.sampled_from(sorted(SYMBOLS)))
    text = f"{left}{draw(blanks)}{symbol}{draw(blanks)}{right}"

    def truth():
        absent = a is None or b is None
        return (False, True) if absent else (SYMBOLS[symbol](a, b),) * 2

    return text, truth


def negated(inner):
    def made(draw):
        text, truth = draw(inner)

        def turned():
            low, high = truth()
            return not high, not low

        return f"not{draw(gaps)}({draw(blanks)}{text}{draw(blanks)})", turned

    return st.composite(made)()


def bracketed(inner):
    def made(draw):
        text, truth = draw(inner)
        return f"({draw(blanks)}{text}{draw(blanks)})", truth

    return st.composite(made)()


def joined(inner, word, whole):
    """Join texts as they are: 'and' binds what stands in an 'or' without brackets."""

    def made(draw):
        parts = draw(st.lists(inner, min_size=2, max_size=4))
        gap = draw(gaps)
        texts = [
            f"({text})" if word == "and" and _loose(text) else text for text, _ in parts
        ]

        def truth():
            ends = [part() for _, part in parts]
            return whole(low for low, _ in ends), whole(high for _, high in ends)

        return f"{gap}{word}{gap}".join(texts), truth

    return st.composite(made)()


def _loose(text):
    """Return whether an 'or' stands outside of brackets."""
    depth = 0
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        depth += (word == "(") - (word == ")")
        if word == "or" and depth == 0:
            return True
    return False


trees = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        negated(inner),
        bracketed(inner),
        joined(inner, "and", all),
        joined(inner, "or", any),
    ),
    max_leaves=12,
)


@settings(QUICK, max_examples=60)
@given(trees, st.sampled_from(["better", "undecided"]))
def test_as_a_slow_evaluator_says(tree, verdict):
    text, truth = tree
    surely, _ = truth()
    unmet = UNCLEAR if verdict in OPEN else FAILS
    result = RESULT | {"verdict": {"name": verdict, "open": verdict in OPEN}}
    assert gate(text, result) == (HOLDS if surely else unmet)


@settings(QUICK, max_examples=60)
@given(st.text(st.sampled_from(list("P(better) <>=!.09%andort'\"-_x\u0420\u00a0\n"))))
def test_any_text_is_judged_or_refused(text):
    try:
        assert gate(text, document()) in (HOLDS, FAILS)
    except SettingError as error:
        assert "condition must" in str(error)  # noqa: PT017


WORDS = [*VALUES, *SYMBOLS, "and", "or", "not", "(", ")", "0.9", "90 %", "'better'"]
WORDS += ["verdict", "foo", "P(x)", "1e999", "\u2265"]


@settings(QUICK, max_examples=60)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_any_words_are_judged_or_refused(text):
    try:
        assert gate(text, RESULT) in (HOLDS, FAILS)
    except SettingError as error:
        assert "condition must" in str(error)  # noqa: PT017


# --- results -----------------------------------------------------------------------


class Costly:
    """Result whose whole JSON is costly."""

    def __init__(self, verdict="better", findings=()):
        self.findings, self.calls = findings, 0
        self._document = document(verdict)

    def sentence(self):
        return "b is better"

    def numbers(self):
        return {k: v for k, v in self._document.items() if k != "findings"}

    def to_dict(self):
        self.calls += 1
        return {**self._document, "companions": [{"name": "sign", "p_value": 0.2}]}


class Several:
    def __init__(self, *answers):
        self._answers = answers

    def answers(self):
        return self._answers


def test_every_answer_of_a_result_is_judge():
    judgement = judge("P(better) > 0.99", Several(Costly(), Costly("undecided")))
    assert judgement.codes == (1, 3)
    assert judgement.code == 1
    assert list(judgement.unmet()) == [
        "no, P(better) is 0.95 (b is better)",
        "the evidence decides neither way, P(better) is 0.95 (b is better)",
    ]
    assert list(judge("P(better) > 0.9", Several(Costly())).unmet()) == []


def test_the_whole_document_is_made_only_where_a_condition_needs_it():
    one = Costly(findings=(Finding("LIK101", "few"),))
    assert judge("P(better) > 0.9 and findings == 1", Several(one)).code == HOLDS
    assert one.calls == 0
    assert judge("companions.sign.p_value > 0.1", Several(one)).code == HOLDS
    assert one.calls == 1


@pytest.mark.parametrize("condition", ["P(better) > 0.9", "P(better) < 0.9"])
def test_a_blocked_verdict_is_unclear_whether_the_condition_holds_or_not(condition):
    verdict = {"name": "undecided", "open": True, "reason": "too few draws"}
    assert gate(condition, document() | {"verdict": verdict}) == UNCLEAR
    clear = verdict | {"reason": None}
    assert gate("P(better) > 0.9", document() | {"verdict": clear}) == HOLDS


def test_a_verdict_that_no_finding_blocks_is_a_verdict():
    block = {"code": "LIK114", "severity": "block", "message": "a long tail"}
    assert gate("P(better) > 0.9", document() | {"findings": [block]}) == HOLDS


@pytest.mark.parametrize(("draws", "code"), [(999, UNCLEAR), (1000, HOLDS)])
def test_a_block_of_what_has_no_verdict_is_unclear_too(draws, code):
    estimate = every_kind.estimated(method="bootstrap", draws=draws)
    assert judge("value > 0", estimate).code == code
    assert judge("findings.block == 0", estimate).code == code
    assert judge("value > 2", estimate).code == (FAILS if draws == 1000 else UNCLEAR)


def test_groups_have_their_names():
    groups = {"groups": [{"group": "spam", "support": 3}, {"group": "ham"}]}
    assert gate("groups.spam.support == 3", groups) == HOLDS


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_a_code(name):
    judgement = judge("findings >= 0", result(name))
    assert judgement.code == HOLDS
    assert len(judgement.codes) == len(result(name).answers())


def test_numbers_that_only_the_whole_document_has_can_be_named():
    name = "comparisons.0.companions.McNemar.p_value"
    assert judge(f"{name} >= 0", result("ranking-items")).code == HOLDS
    with pytest.raises(SettingError, match="must name a number"):
        judge("comparisons.0.companions.nobody.p_value >= 0", result("ranking-items"))


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("P(equivalent) > 0.9", UNCLEAR),
        ("not P(equivalent) <= 0.9", UNCLEAR),
        ("0.9 < P(equivalent)", UNCLEAR),
        ("P(worse) < 0.05", UNCLEAR),
        ("not P(worse) >= 0.05", UNCLEAR),
        ("hdi.low > -0.4", UNCLEAR),
        ("P(better) > 0.9", UNCLEAR),
        ("P(equivalent) > 0.9 or difference < 1", HOLDS),
        ("difference < 1", HOLDS),
    ],
)
def test_what_rests_on_a_blocked_side_is_unclear(condition, code):
    gold, same = ["p"] * 3 + ["n"] * 197, ["p"] * 3 + ["n"] * 197
    settings = {"metric": "f1", "positive": "p", "rope": 0.33, "seed": 0}
    result = lk.compare(gold, same, same, **settings)
    assert result.verdict.reason is None
    assert judge(condition, result).code == code


def test_another_side_than_the_blocked_one_may_hold():
    few = {"code": "LIK117", "severity": "warning", "blocks": ["equivalent"]}
    assert gate("P(better) > 0.9", document() | {"findings": [few]}) == HOLDS
    assert gate("P(worse) < 0.05", document() | {"findings": [few]}) == HOLDS
