"""What a result shows, and its documented JSON."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import narwhals as nw
import pytest
from tests.conftest import random_labels
from tests.results import every_kind

import likelier as lk
from likelier.methods.items.bootstrap import Bootstrap
from likelier.methods.items.dirichlet import Paired

TABLE = random_labels(0)
HOSTILE = ['<script>alert("1")</script>', "a'b\"c&\x1b[31m\n{first}"]


def compared(**settings):
    options = {"metric": "accuracy", "rope": 0.01, "draws": 2000, "seed": 0} | settings
    return lk.compare(TABLE.gold, *TABLE.predictions, **options)


def nulled(method="randomization", **settings):
    options = {"metric": "accuracy", "method": method, "draws": 2000, "seed": 0}
    return lk.null_test(TABLE.gold, *TABLE.predictions, **(options | settings))


def estimated(**settings):
    options = {"metric": "accuracy", "draws": 2000, "seed": 0} | settings
    return lk.estimate(TABLE.gold, TABLE.predictions[0], **options)


RESULTS = {
    "comparison": compared,
    "comparison without rope": lambda **s: compared(rope=None, **s),
    "comparison of identical": lambda **s: lk.compare(
        TABLE.gold, TABLE.gold, TABLE.gold, metric="accuracy", draws=2000, seed=0, **s
    ),
    "null test": nulled,
    "bootstrap": lambda **s: nulled("bootstrap", **s),
    "mcnemar": lambda **s: nulled("mcnemar", **s),
    "estimate": estimated,
    "drawn estimate": lambda **s: estimated(method=Paired(), **s),
    "bootstrapped estimate": lambda **s: estimated(method=Bootstrap(), **s),
}
by_result = pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS.keys())

QUESTION = [
    *["systems", "metric", "positive", "higher_is_better", "items", "units"],
    "patterns",
]
ORIGIN = ["method", "recipe", "findings"]
INTERVAL = ["kind", "mass", "low", "high"]


def test_the_json_of_a_comparison():
    result = compared(factor="rope").to_dict()

    assert list(result) == [
        "schema",
        "kind",
        *QUESTION,
        "estimates",
        "difference",
        "probability",
        "rope",
        "bayes_factor",
        "verdict",
        "outlook",
        "companions",
        "changes",
        "confusion",
        *ORIGIN,
    ]
    assert (result["schema"], result["kind"]) == (2, "comparison")
    assert result["systems"] == ["first", "second"]
    assert (result["metric"], result["positive"]) == ("accuracy", None)
    assert (result["items"], result["units"]) == (200, 200)
    assert [list(e) for e in result["estimates"]] == [
        ["system", "value", "interval"]
    ] * 2
    assert list(result["estimates"][0]["interval"]) == INTERVAL
    assert list(result["difference"]) == ["value", "mean", "sd", "mcse", "interval"]
    assert list(result["difference"]["interval"]) == INTERVAL
    assert result["difference"]["interval"]["kind"] == "hdi"
    assert list(result["probability"]) == ["worse", "equivalent", "better"]
    assert result["rope"] == [-0.01, 0.01]
    named = ["of", "bf01", "log10", "mcse", "label", "bound", "prior"]
    assert list(result["bayes_factor"]) == named
    assert result["bayes_factor"]["prior"] == "objective"
    assert list(result["verdict"]) == ["symbol", "name", "rule", "open", "reason"]
    assert result["verdict"]["reason"] is None
    named = ["name", "p_value", "probability", "reason"]
    assert [list(test) for test in result["companions"]] == [named] * 3
    counted = ["items", "of", "first_right", "second_right", "neither", "unseen"]
    assert list(result["changes"]) == counted
    assert result["higher_is_better"] is True
    named = ["name", "prior", "strength", "draws", "seed"]
    assert list(result["method"]) == named
    assert result["method"]["name"] == "paired"
    assert result["method"]["prior"] == "swap"
    assert result["method"]["strength"] == 1
    assert (result["method"]["draws"], result["method"]["seed"]) == (2000, 0)
    assert result["recipe"] == compared(factor="rope").recipe
    assert result["findings"] == []


def test_the_json_has_no_factor_unless_it_is_asked_for():
    assert compared().to_dict()["bayes_factor"] is None
    assert "factor" not in compared().recipe
    assert "factor rope" in compared(factor="rope").recipe


def test_the_json_of_a_blocked_comparison_has_the_reason():
    result = compared(draws=999).to_dict()
    assert result["verdict"] == {
        "symbol": "?",
        "name": "undecided",
        "rule": "hdi-rope",
        "open": True,
        "reason": "too few draws",
    }
    assert result["outlook"] is None
    (finding,) = result["findings"]
    assert (finding["code"], finding["severity"]) == ("LIK112", "block")


def test_the_json_without_a_rope_has_nulls():
    result = compared(rope=None).to_dict()

    assert result["rope"] is None
    assert result["bayes_factor"] is None
    assert result["probability"]["equivalent"] == 0


def test_the_json_names_the_positive_class():
    result = compared(metric="f1", positive="a").to_dict()

    assert result["positive"] == "a"
    assert "f1 positive=a" in result["recipe"]


def test_the_json_of_a_null_test():
    result = nulled("mcnemar").to_dict()

    assert list(result) == [
        "schema",
        "kind",
        *QUESTION,
        "estimates",
        "difference",
        "p_value",
        "mcse",
        "statistic",
        "alternative",
        "details",
        *ORIGIN,
    ]
    assert result["kind"] == "null_test"
    assert result["method"]["name"] == "mcnemar"
    assert "seed" not in result["method"]
    assert "seed" not in result["recipe"]


def test_the_json_of_an_estimate():
    result = estimated().to_dict()

    expected = ["value", "mean", "sd", "mcse", "interval"]
    assert list(result) == ["schema", "kind", *QUESTION, *expected, *ORIGIN]
    assert result["kind"] == "estimate"
    assert result["interval"]["kind"] == "hdi"
    assert result["mcse"] == 0
    assert estimated(method=Bootstrap()).interval.kind == "confidence"
    assert estimated(interval="equal-tailed").interval.kind == "equal-tailed"


@by_result
def test_the_json_is_json_and_the_same_each_time(make):
    one, two = (json.dumps(make().to_dict(), allow_nan=False) for _ in range(2))

    assert one == two
    assert json.loads(one) == make().to_dict()


@by_result
def test_a_result_shows_itself_on_one_line(make):
    assert len(repr(make()).splitlines()) == 1
    assert len(make().sentence().splitlines()) == 1
    assert repr(make()).startswith("<")


@by_result
@pytest.mark.parametrize("name", HOSTILE)
def test_names_from_the_data_cannot_break_out(make, name):
    if make in (estimated, *list(RESULTS.values())[-2:]):
        result = make(systems=[name])
    else:
        result = make(systems=["first", name])

    assert len(repr(result).splitlines()) == 1
    assert "\x1b" not in result.sentence()
    assert result.to_dict()["systems"][-1] == name
    tags = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append((tag, attrs))

    Tags().feed(result._repr_html_())
    allowed = {"div", "p", "code", "strong", "span", "table", "tr", "th", "td"}
    assert {tag for tag, _ in tags} <= allowed
    names = {attribute for _, attrs in tags for attribute, _ in attrs}
    assert names <= {"style", "role", "aria-label"}


def test_a_hostile_positive_class_cannot_break_out():
    gold = [HOSTILE[0], "ham", HOSTILE[1]] * 20
    result = lk.compare(
        gold, gold, gold, metric="f1", positive=HOSTILE[0], draws=50, seed=0
    )

    assert "<script" not in result._repr_html_()
    assert "&lt;script&gt;" in result._repr_html_()


@by_result
@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_long_table_has_one_row_per_number(make, backend):
    frame = nw.from_native(make().frame(backend), eager_only=True)

    assert frame.columns == ["systems", "metric", "name", "value"]
    assert nw.get_native_namespace(frame).__name__ == backend
    names = frame["name"].to_list()
    assert len(names) == len(set(names))
    assert {"items", "patterns"} <= set(names)
    assert {"schema", "method.seed"}.isdisjoint(names)


def test_a_long_table_holds_the_numbers():
    result = compared()
    frame = result.frame().set_index("name")["value"]

    assert frame["probability.better"] == result.probability.better
    assert frame["difference.interval.low"] == result.hdi.low
    assert frame["estimates.second.value"] == result.settings.data.observed[1]


def test_an_unknown_backend_is_refused():
    with pytest.raises(lk.LikelierError, match="backend must be pandas, polars or"):
        compared().frame("modin")


def test_a_sentence_has_the_numbers_of_the_result():
    result = compared()
    sentence = result.sentence()

    assert sentence.startswith(result.headline())
    low, high = (f"{end:+.{result.decimals}f}" for end in result.hdi)
    assert f"95 % HDI {low} to {high}" in sentence
    assert f"{result.difference:+.{result.decimals}f}" in sentence


def test_a_null_test_says_its_p_value():
    result = nulled("mcnemar")

    assert f"p = {result.p_value:.3f}" in result.sentence()
    assert f"p = {result.p_value:.3f}" in repr(result)
    assert "better" in result.small_print()[0]


def test_an_estimate_of_two_systems_is_of_their_difference():
    result = lk.estimate(
        TABLE.gold, *TABLE.predictions, metric="accuracy", draws=2000, seed=0
    )

    assert result.value == pytest.approx(compared().difference)
    assert result.interval == compared().hdi
    assert "second against first" in result.sentence()


def test_lines_of_a_comparison():
    with_rope, without = compared(factor="rope"), compared(rope=None)

    assert "(within ±0.01)" in with_rope.probabilities_line()
    assert "no rope given" in without.probabilities_line()
    assert with_rope.evidence_line().startswith("evidence ")
    assert with_rope.evidence_line().endswith(", prior objective)")
    assert compared().evidence_line() is None
    assert without.evidence_line() is None


def test_a_bound_is_named():
    result = lk.compare(
        TABLE.gold,
        ["x"] * 199 + [TABLE.gold[199]],
        TABLE.gold,
        metric="accuracy",
        rope=0.1,
        factor="rope",
        draws=500,
        seed=0,
    )

    assert result.factor.bound == "at most"
    assert "against equivalence: very strong (at most 1 :" in result.evidence_line()


def test_a_recipe_makes_the_same_number_again():
    result = compared(seed=None)
    seed = result.to_dict()["method"]["seed"]
    parts = result.recipe.split(" | ")

    assert parts[0].startswith("likelier ")
    assert f"draws 2000 seed {seed}" in parts
    assert {"paired prior=swap strength=1", "rope ±0.01", "mass 0.95"} <= set(parts)
    assert compared(seed=seed).to_dict() == result.to_dict()


@pytest.mark.parametrize(
    "settings", [{"rope": 0.02}, {"mass": 0.9}, {"rule": "regions"}]
)
def test_a_recipe_knows_what_the_result_rests_on(settings):
    assert compared(**settings).recipe != compared().recipe


def test_a_number_of_items_with_a_large_error_is_given_as_such():
    needed = every_kind.result("needed")
    text = replace(needed, items=1500, error=5000.0).sentence()
    assert text.startswith("about 1,500 items (give or take as many) give ")
    text = replace(needed, items=1540, error=140.0).sentence()
    assert text.startswith("about 1,500 items (± 100) give ")
