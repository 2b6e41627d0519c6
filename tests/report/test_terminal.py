"""Lines and tables of the terminal agree with the numbers."""

import pytest
from tests.report.conftest import compared, p_valued, scored
from tests.results import every_kind

import likelier as lk
from likelier import formatting
from likelier.findings import Finding
from likelier.report.markdown import markdown
from likelier.report.terminal import in_words, show
from likelier.results.result_list import ResultList

WORDS = {
    "better": "second is better than first",
    "worse": "first is worse than second",
    "equivalent": "practically equivalent",
    "leans better": "second is probably better than first",
    "leans equivalent": "second and first are probably equivalent",
    "undecided": "undecided: second may be better than first",
    "more probably not better": "first is more probably not better than second",
}


@pytest.mark.parametrize(
    ("verdict", "settings"),
    [
        ("better", {"rope": 0.01, "mass": 0.5}),
        ("equivalent", {"rope": 0.9}),
        ("leans better", {"rope": 0.04}),
        ("leans equivalent", {"rope": 0.08}),
        ("undecided", {"rope": None, "mass": 0.999}),
        ("undecided", {"rope": 0.0001, "mass": 0.999}),
    ],
)
def test_headline_says_the_verdict(verdict, settings):
    result = compared("first", "second", **settings)
    assert result.verdict.name == verdict
    assert WORDS[verdict] in in_words(result)[0]
    assert in_words(result)[0].endswith(f"    {result.verdict.symbol}")


@pytest.mark.parametrize(
    ("verdict", "settings"),
    [
        ("worse", {"rope": 0.01, "mass": 0.5}),
        ("more probably not better", {"rule": "bayes-test"}),
    ],
)
def test_headline_says_the_verdict_against_the_second(verdict, settings):
    # The table that is better is put first: the second system is named "first".
    gold, first, second = ["y", "n"] * 50, ["y", "n"] * 50, ["y", "y"] * 50
    result = lk.compare(
        gold,
        first,
        second,
        metric="accuracy",
        systems=["second", "first"],
        draws=1000,
        seed=0,
        **settings,
    )
    assert result.verdict.name == verdict
    assert WORDS[verdict] in in_words(result)[0]


def test_lines_hold_difference_interval_probabilities_and_recipe():
    result = compared("first", "second", rope=0.05)
    text, show = "\n".join(in_words(result)), result.decimals
    for number in (result.difference, *result.hdi):
        assert formatting.number(number, show, signed=True) in text
    for interval in result.system_intervals:
        low, high = (formatting.number(end, show) for end in interval)
        assert f"[{low}, {high}]" in text
    assert "(within ±0.05)" in text
    assert f"100 items, {result.settings.data.patterns} patterns" in text
    assert f"  recipe: {result.recipe}" in text
    assert "seed 0" in text


def test_lines_of_a_null_test_hold_the_p_value():
    result = p_valued("a", "b")
    text = "\n".join(in_words(result))
    assert f"p = {formatting.p_value(result.p_value)}" in text
    assert "s " in text
    assert "b 100" in text


def printed(result, capsys):
    show(result)
    return capsys.readouterr().out.splitlines()


def test_one_answer_is_printed_in_words(capsys):
    result = compared("a", "b")
    assert printed(result, capsys) == in_words(result)


def test_an_estimate_is_a_table(capsys):
    result = scored("a")
    lines = printed(result, capsys)
    assert lines[0].split()[:3] == ["system", "metric", "value"]
    assert lines[1].startswith("a ")
    assert lines[2] == f"recipe: {result.recipe}"


@pytest.mark.parametrize("name", every_kind.KINDS)
def test_findings_stand_directly_under_the_answer_and_recipes_last(capsys, name):
    result = every_kind.result(name)
    if not result.findings or result.members() is not None:
        return  # answers of a study have their own
    lines = [line.strip() for line in printed(result, capsys)]
    head = 1 + len(result.tables()[0].rows) if result.in_row else 1
    head = 1 if result.in_words else head
    texts = [str(finding) for finding in result.findings]
    assert lines[head : head + len(texts)] == texts
    assert lines[-1] == f"recipe: {result.recipe}"


def test_a_blocked_answer_says_why_before_any_number_of_it(capsys):
    result = compared("a", "b", draws=999, mass=0.5)
    first, second, *rest = printed(result, capsys)
    assert first.startswith("undecided, too few draws: no verdict on b against a")
    assert first.endswith("    ?")
    assert second.startswith("  LIK112 block: ")
    assert not any("decide" in line for line in rest), "more items would not help"


def test_several_answers_are_one_table_with_two_recipes(capsys):
    results = [compared("a", "b", seed=seed) for seed in range(4)]
    lines = printed(ResultList(results), capsys)
    assert sum(line.startswith("F1 (y) ") for line in lines) == 4
    recipes = [line for line in lines if line.startswith("recipe: ")]
    assert recipes == [f"recipe: {result.recipe}" for result in results[:2]]
    assert "and 2 more recipes: see --json" in lines


def test_several_tables_are_printed_one_after_the_other(capsys):
    every = [every_kind.result(name) for name in ("classes", "classes-hierarchical")]
    lines = printed(ResultList(every), capsys)
    assert lines == [line for one in every for line in printed(one, capsys)]
    assert lines[0] == every[0].sentence()


@pytest.mark.parametrize("name", ["study", "study-pairs", "study-unfinished"])
def test_a_study_prints_its_answers_and_then_its_folds(capsys, name):
    study = every_kind.result(name)
    lines = printed(study, capsys)
    members = study.members()
    answers = printed(ResultList(members), capsys) if members else []
    assert lines[: len(answers)] == answers
    rest = lines[len(answers) :]
    if answers:
        assert rest.pop(0) == ""
    assert rest[: len(study.lines())] == study.lines()
    assert rest[len(study.lines())].startswith("data set")


def test_tables_in_a_pipe_are_not_folded(capsys):
    names = "first " * 15, "second " * 15
    lines = printed(ResultList([compared(*names), compared(*names)]), capsys)
    assert sum(all(name.strip() in line for name in names) for line in lines) == 2


def test_findings_of_a_study_are_printed_once(capsys):
    answer = every_kind.result("comparison-clusters")
    own = Finding("LIK101", "one fold failed")
    lines = printed(every_kind.studied(answer, remarks=(own,)), capsys)
    assert lines.count(str(own)) == 1
    assert answer.findings
    for finding in answer.findings:
        assert sum(str(finding) in line for line in lines) == 1


def test_tables_have_a_row_for_each_result():
    for results in (
        [compared("a", "b"), compared("c", "d")],
        [p_valued("a", "b"), p_valued("c", "d")],
        [scored("a"), scored("c")],
    ):
        several = ResultList(results)
        (table,) = several.tables()
        assert len(table.rows) == 2
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert markdown(several).count("\n- likelier ") == 2


def test_without_a_rope_there_is_no_word_of_equivalence():
    result = compared("a", "b", rope=None)
    assert "equivalent" not in "\n".join(in_words(result))
    assert result.tables()[0].rows[0][6] == "-"


@pytest.mark.parametrize("draws", [100, 1_000, 2_000, 50_000])
def test_percentages_never_round_to_certainty(draws):
    for count in range(0, draws + 1, max(1, draws // 2_000)):
        share = count / draws
        mcse = (share * (1 - share) / draws) ** 0.5
        text = formatting.percent(share, mcse)
        assert text not in ("0 %", "0.0 %", "100 %", "100.0 %"), share


def test_one_result_stands_alone_and_several_in_a_list():
    one, two = compared("a", "b"), compared("c", "d")
    assert ResultList([one]).to_dict()["comparisons"] == [one.to_dict()]
    assert ResultList([one, two]).to_dict() == {
        "schema": 2,
        "kind": "comparisons",
        "comparisons": [one.to_dict(), two.to_dict()],
    }
