"""The partial order of systems, from the probabilities of all pairs."""

import json
import re
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.decision import ThreeProbabilities
from likelier.results.order import Order

# Table 2 of Szymanski & Gorman (2020), doi:10.18653/v1/2020.emnlp-main.172: for the
# first and the second tagger the probabilities of >, ≈ and <.
TAGGERS = ("TnT", "Collins", "LAPOS", "Stanford", "NLP4J", "Flair")
TOKEN = """
.168 .003 .829  .137 .001 .862  .109 .000 .891  .152 .000 .848  .158 .000 .842
.116 .617 .267  .180 .441 .379  .137 .014 .848  .164 .000 .836
.099 .822 .079  .172 .112 .716  .192 .004 .805
.206 .122 .672  .197 .001 .802
.150 .055 .795
"""
SENTENCE = """
.125 .001 .874  .127 .000 .873  .112 .000 .888  .156 .000 .844  .136 .000 .864
.105 .215 .680  .124 .120 .756  .153 .010 .837  .157 .000 .843
.084 .829 .087  .163 .137 .700  .190 .001 .809
.191 .200 .609  .190 .001 .809
.148 .024 .827
"""
OOV = """
.158 .550 .292  .162 .305 .533  .088 .010 .903  .116 .002 .882  .094 .000 .906
.063 .842 .095  .118 .038 .845  .166 .010 .824  .138 .001 .861
.138 .091 .771  .161 .018 .821  .127 .003 .870
.148 .441 .411  .130 .058 .812
.092 .619 .288
"""


def paper(table):
    """The order of the paper's table; > stands for a first tagger that is better."""
    numbers = np.array(table.split(), dtype=float).reshape(-1, 3)
    pairs = {
        pair: ThreeProbabilities(*map(float, row), 0)
        for pair, row in zip(combinations(TAGGERS, 2), numbers, strict=True)
    }
    return TAGGERS, pairs


SIGNS = {
    "<": ThreeProbabilities(0.1, 0.2, 0.7, 0),
    "≈": ThreeProbabilities(0.1, 0.8, 0.1, 0),
    ">": ThreeProbabilities(0.7, 0.2, 0.1, 0),
    "?": ThreeProbabilities(0.5, 0.0, 0.5, 0),
}
TURNED = {"<": ">", ">": "<", "≈": "≈", "?": "?"}


def order_of(signs, **settings):
    """An order from the signs of pairs: {"ab": "<", …}."""
    names = tuple(dict.fromkeys("".join(signs)))
    pairs = {(pair[0], pair[1]): SIGNS[sign] for pair, sign in signs.items()}
    return Order.of(names, pairs, **settings)


def relation(order, a, b):
    i, j = order.systems.index(a), order.systems.index(b)
    if order.alike[i, j]:
        return "≈"
    return "<" if order.below[i, j] else ">" if order.below[j, i] else "?"


# --- the paper ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "chain"),
    [
        (TOKEN, "TnT < Collins ≈ LAPOS ≈ Stanford < NLP4J < Flair"),
        (SENTENCE, "TnT < Collins < LAPOS ≈ Stanford < NLP4J < Flair"),
    ],
    ids=["token", "sentence"],
)
def test_paper(table, chain):
    order = Order.of(*paper(table))
    assert str(order) == chain
    assert order.exceptions == ()


def test_paper_oov_is_a_chain_with_exceptions():
    order = Order.of(*paper(OOV))
    assert order.chain == "TnT ≈ Collins ≈ LAPOS < Stanford ≈ NLP4J ≈ Flair"
    assert order.exceptions == (("TnT", "<", "LAPOS"), ("Stanford", "<", "Flair"))
    assert str(order) == f"{order.chain}, but TnT < LAPOS, Stanford < Flair"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("table", [TOKEN, SENTENCE, OOV], ids=["token", "sent", "oov"])
def test_order_of_names_and_pairs_is_irrelevant(table, seed):
    names, pairs = paper(table)
    rng = np.random.default_rng(seed)
    mixed = [names[i] for i in rng.permutation(len(names))]
    turned = {
        (b, a): ThreeProbabilities(p.better, p.equivalent, p.worse, 0)
        for (a, b), p in pairs.items()
    }
    one, other = Order.of(names, pairs), Order.of(mixed, turned)
    for a, b in combinations(names, 2):
        assert relation(one, a, b) == relation(other, a, b)
    assert set(one.covers) == set(other.covers)


def test_threshold_leaves_pairs_undecided():
    order = Order.of(*paper(TOKEN), threshold=0.7)
    assert order.chain is None
    assert set(map(frozenset, order.undecided)) == {
        frozenset({"Collins", "LAPOS"}),
        frozenset({"Collins", "Stanford"}),
        frozenset({"Stanford", "NLP4J"}),
    }
    for pair in order.undecided:
        assert " ? ".join(pair) in str(order)
    assert str(Order.of(*paper(TOKEN), threshold=0.37)) == str(Order.of(*paper(TOKEN)))


# --- small orders ------------------------------------------------------------


@pytest.mark.parametrize(
    ("sign", "text"), [("<", "a < b"), (">", "b < a"), ("≈", "a ≈ b"), ("?", "a ? b")]
)
def test_two_systems(sign, text):
    order = order_of({"ab": sign})
    assert str(order) == text
    assert (order.chain is None) == (sign == "?")


def test_a_fork():
    order = order_of({"ab": "<", "ac": "<", "bc": "?"})
    assert order.chain is None
    assert set(order.covers) == {("a", "b"), ("a", "c")}
    assert order.undecided in ((("b", "c"),), (("c", "b"),))
    heights = dict(zip(order.systems, order.levels, strict=True))
    assert heights == {"a": 0, "b": 1, "c": 1}


def test_a_chain_that_reads_otherwise_names_its_exceptions():
    order = order_of({"ab": "≈", "bc": "≈", "ac": "<"})
    assert str(order) == "a ≈ b ≈ c, but a < c"
    assert order.to_dict()["exceptions"] == [["a", "<", "c"]]


@pytest.mark.parametrize("circle", list(permutations("abc"))[:2], ids="".join)
def test_a_circle_is_written_in_its_order(circle):
    steps = {*pairwise(circle), (circle[2], circle[0])}
    signs = {
        a + b: "<" if (a, b) in steps else ">"
        for a, b in combinations(sorted(circle), 2)
    }
    order = order_of(signs)
    assert order.chain is None
    assert [set(cycle) for cycle in order.cycles] == [{"a", "b", "c"}]
    names = str(order).partition("in a circle: ")[2].split(" < ")
    assert len(names) == 4
    assert set(pairwise(names)) == steps
    assert not str(order).startswith(";")


def test_what_is_below_and_above_a_circle():
    circle = {"ab": "<", "bc": "<", "ac": ">"}
    around = {f"x{name}": "<" for name in "abc"} | {f"y{n}": ">" for n in "abc"}
    order = order_of(circle | around | {"xy": "<"})
    assert [set(cycle) for cycle in order.cycles] == [{"a", "b", "c"}]
    expected = {("x", n) for n in "abc"} | {(n, "y") for n in "abc"}
    assert expected <= set(order.covers)
    assert ("x", "y") not in order.covers


def test_ties_decide_nothing():
    pairs = {("a", "b"): ThreeProbabilities(0.4, 0.2, 0.4, 0)}
    assert str(Order.of("ab", pairs)) == "a ? b"
    pairs = {("a", "b"): ThreeProbabilities(1 / 3, 1 / 3, 1 / 3, 0)}
    assert Order.of("ab", pairs).undecided == (("a", "b"),)


def test_ties_up_to_rounding_decide_nothing():
    pairs = {("a", "b"): ThreeProbabilities(0.5 + 1e-15, 0.0, 0.5 - 1e-15, 0)}
    assert str(Order.of("ab", pairs)) == "a ? b"


def test_hostile_names_stay_on_one_line():
    pairs = {("\x1b[31m", "a\nb"): SIGNS["<"]}
    order = Order.of(["\x1b[31m", "a\nb"], pairs)
    assert str(order) == "\\x1b[31m < a\\nb"
    assert order.systems == ("\x1b[31m", "a\nb")


# --- any order ---------------------------------------------------------------


@st.composite
def relations(draw, *, most=10, signs="<>≈?"):
    n = draw(st.integers(2, most))
    names = "abcdefghij"[:n]
    return {a + b: draw(st.sampled_from(signs)) for a, b in combinations(names, 2)}


def reachable(edges, start):
    """Everything that a path of edges leads to."""
    result, open_ = set(), [start]
    while open_:
        at = open_.pop()
        for low, high in edges:
            if low == at and high not in result:
                result.add(high)
                open_.append(high)
    return result


def edges_of(signs):
    below = {(p[0], p[1]) for p, s in signs.items() if s == "<"}
    return below | {(p[1], p[0]) for p, s in signs.items() if s == ">"}


@given(relations())
@QUICK
def test_relations_are_those_of_the_pairs(signs):
    order = order_of(signs)
    for pair, sign in signs.items():
        assert relation(order, *pair) == sign
        assert relation(order, *pair[::-1]) == TURNED[sign]


def circles_of(edges, names):
    """For each system those that it is below of and above of, itself included."""
    ways = {name: reachable(edges, name) for name in names}
    return {a: {b for b in names if b in ways[a] and a in ways[b]} | {a} for a in names}


@given(relations())
@QUICK
def test_circles_come_round(signs):
    edges, order = edges_of(signs), order_of(signs)
    component = circles_of(edges, order.systems)
    for cycle in order.cycles:
        assert {*pairwise(cycle), (cycle[-1], cycle[0])} <= edges
    circular = {frozenset(result) for result in component.values() if len(result) > 1}
    assert len(order.cycles) == len(circular)
    assert {frozenset(component[cycle[0]]) for cycle in order.cycles} == circular
    assert set(order.circular) == {(a, b) for a, b in edges if b in component[a]}


@given(relations())
@QUICK
def test_covers_are_the_transitive_reduction(signs):
    order = order_of(signs)
    component = circles_of(edges_of(signs), order.systems)
    between = {(a, b) for a, b in edges_of(signs) if b not in component[a]}
    # A pair is a line unless some longer way leads there.
    expected = {(a, b) for a, b in between if b not in reachable(between - {(a, b)}, a)}
    assert set(order.covers) == expected


@given(relations())
@QUICK
def test_every_relation_can_be_read_off_the_dict(signs):
    document = json.loads(json.dumps(order_of(signs).to_dict()))
    lines = {tuple(pair) for pair in document["below"]}
    circular = {tuple(pair) for pair in document["circular"]}
    relations = {frozenset(p): "≈" for p in document["equivalent"]}
    relations |= {frozenset(p): "?" for p in document["undecided"]}
    for (a, b), sign in signs.items():
        up = (a, b) in circular or b in reachable(lines, a)
        down = (b, a) in circular or a in reachable(lines, b)
        assert not (up and down)
        read = "<" if up else ">" if down else None
        assert relations.get(frozenset((a, b)), read) == sign


@given(relations())
@example({"ab": "<", "ac": "<", "ad": ">", "bc": "<", "bd": "<", "cd": "<"})
@QUICK
def test_every_system_is_named(signs):
    order = order_of(signs)
    text = str(order).replace("in a circle: ", "").replace("but ", "")
    assert set(order.systems) == set(re.findall("[a-j]", text))


@given(relations(signs="<≈"))
@QUICK
def test_a_chain_with_its_exceptions_tells_every_pair(signs):
    order = order_of(signs)
    if order.chain is None:
        return
    names, steps = order.chain.split(" ")[::2], order.chain.split(" ")[1::2]
    other = {(a, b): sign for a, sign, b in order.exceptions}
    for i, j in combinations(range(len(names)), 2):
        a, b = names[i], names[j]
        read = "≈" if set(steps[i:j]) == {"≈"} else "<"
        assert relation(order, a, b) == other.get((a, b), read)


@given(relations(signs="<>?"))
@QUICK
def test_levels_rise_along_the_lines(signs):
    order = order_of(signs)
    height = dict(zip(order.systems, order.levels, strict=True))
    for low, high in order.covers:
        assert height[low] < height[high]
    assert min(height.values()) == 0


@given(st.permutations(range(7)), st.data())
@QUICK
def test_a_true_order_is_always_a_chain(places, data):
    levels = [data.draw(st.integers(0, 3)) for _ in places]
    names = "abcdefg"
    at = {names[i]: levels[index] for i, index in enumerate(places)}
    signs = {
        a + b: "≈" if at[a] == at[b] else "<" if at[a] < at[b] else ">"
        for a, b in combinations(names, 2)
    }
    order = order_of(signs)
    assert order.chain is not None
    assert order.exceptions == ()
    assert [at[name] for name in order.systems] == sorted(levels)


def test_a_system_with_a_greater_lead_may_stand_below():
    """Who is below comes first, however many others it is above."""
    relations = {("a", "b"): "<", ("a", "x"): ">", ("a", "y"): ">", ("a", "z"): ">"}
    relations |= {("b", other): "≈" for other in "xyz"}
    relations |= {("x", "y"): "≈", ("x", "z"): "≈", ("y", "z"): "≈"}
    shares = {"<": (0.1, 0.1, 0.8), "≈": (0.1, 0.8, 0.1), ">": (0.8, 0.1, 0.1)}
    pairs = {
        pair: ThreeProbabilities(*shares[sign], 0) for pair, sign in relations.items()
    }
    order = Order.of("abxyz", pairs)
    assert order.systems.index("a") < order.systems.index("b")
    assert order.chain is not None
