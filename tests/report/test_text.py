"""What a person reads agrees with the numbers."""

import pytest
from tests.report.conftest import compared, p_valued, scored

import likelier as lk
from likelier import wording
from likelier.report.markdown import markdown
from likelier.report.summary import as_json, summary
from likelier.report.table import tables
from likelier.report.text import lines

WORDS = {
    "better": "second is better than first",
    "worse": "first is worse than second",
    "equivalent": "practically equivalent",
    "leans better": "second leans better than first",
    "undecided": "second against first is undecided",
    "not better": "first is not better than second",
}


@pytest.mark.parametrize(
    ("verdict", "settings"),
    [
        ("better", {"rope": 0.01, "mass": 0.5}),
        ("equivalent", {"rope": 0.9}),
        ("leans better", {"rope": 0.06}),
        ("undecided", {"rope": None, "mass": 0.999}),
        ("undecided", {"rope": 0.0001, "mass": 0.999}),
    ],
)
def test_headline_says_the_verdict(verdict, settings):
    result = compared("first", "second", **settings)
    assert result.verdict.name == verdict
    assert WORDS[verdict] in lines(result)[0].replace("more probably ", "")
    assert lines(result)[0].endswith(f"    {result.verdict.symbol}")


@pytest.mark.parametrize(
    ("verdict", "settings"),
    [
        ("worse", {"rope": 0.01, "mass": 0.5}),
        ("not better", {"rule": "bayes-test"}),
    ],
)
def test_headline_says_the_verdict_the_other_way_round(verdict, settings):
    # The table that is better is put first: the second system is named "first".
    gold, first, second = ["y", "n"] * 50, ["y", "n"] * 50, ["y", "y"] * 50
    result = lk.compare(
        gold,
        first,
        second,
        metric="accuracy",
        systems=["second", "first"],
        draws=300,
        seed=0,
        **settings,
    )
    assert result.verdict.name == verdict
    assert WORDS[verdict] in lines(result)[0].replace("more probably ", "")


def test_lines_hold_difference_interval_probabilities_and_recipe():
    result = compared("first", "second", rope=0.05)
    text, show = "\n".join(lines(result)), result.decimals
    for number in (result.difference, *result.hdi):
        assert wording.number(number, show, signed=True) in text
    for interval in result.system_intervals:
        low, high = (wording.number(end, show) for end in interval)
        assert f"[{low}, {high}]" in text
    assert "(within ±0.05)" in text
    assert f"100 items, {result.question.patterns} patterns" in text
    assert f"  recipe: {result.recipe}" in text
    assert "seed 0" in text


def test_lines_of_a_null_test_hold_the_p_value():
    result = p_valued("a", "b")
    text = "\n".join(lines(result))
    assert f"p = {wording.p_value(result.p_value)}" in text
    assert "s " in text
    assert "b 100" in text


def test_tables_have_a_row_for_each_result():
    for results in (
        [compared("a", "b"), compared("c", "d")],
        [p_valued("a", "b"), p_valued("c", "d")],
        [scored("a"), scored("c")],
    ):
        (shown,) = tables(results)
        assert len(shown.rows) == 2
        assert all(len(row) == len(shown.columns) for row in shown.rows)
        assert markdown(results).count("\n- likelier ") == 2


def test_without_a_rope_nothing_is_said_about_equivalence():
    result = compared("a", "b", rope=None)
    assert "equivalent" not in "\n".join(lines(result))
    assert tables([result])[0].rows[0][6] == "-"


@pytest.mark.parametrize("draws", [100, 1_000, 2_000, 50_000])
def test_percentages_never_round_to_certainty(draws):
    for count in range(0, draws + 1, max(1, draws // 2_000)):
        share = count / draws
        mcse = (share * (1 - share) / draws) ** 0.5
        shown = wording.percent(share, mcse)
        assert shown not in ("0 %", "0.0 %", "100 %", "100.0 %"), share


def test_one_result_stands_alone_and_several_in_a_list():
    one, two = compared("a", "b"), compared("c", "d")
    assert summary([one]) == one.to_dict()
    assert summary([one], several=True)["comparisons"] == [one.to_dict()]
    both = summary([one, two])
    assert both == {
        "schema": 1,
        "kind": "comparisons",
        "comparisons": [one.to_dict(), two.to_dict()],
    }
    assert as_json(both).endswith("}\n")


def test_json_refuses_numbers_that_are_not_finite():
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"x": float("nan")})
