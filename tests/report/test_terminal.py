"""The screen: the answer first, in few lines, with the numbers of the result."""

from io import BytesIO, TextIOWrapper
from itertools import pairwise

import pytest
from rich.cells import cell_len
from tests.data.score_tables import drawn
from tests.report.conftest import compared, p_valued, scored
from tests.results import every_kind

import likelier as lk
from likelier import formatting
from likelier.findings import Finding
from likelier.report.markdown import markdown
from likelier.report.terminal import show
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


def printed(result, capsys, columns=None):
    show(result, columns=columns)
    return capsys.readouterr().out.splitlines()


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
def test_headline_says_the_verdict(verdict, settings, capsys):
    result = compared("first", "second", **settings)
    assert result.verdict.name == verdict
    head = printed(result, capsys)[0]
    assert WORDS[verdict] in head
    assert head == f"{result.verdict.symbol} {result.sentence()}"


@pytest.mark.parametrize(
    ("verdict", "settings"),
    [
        ("worse", {"rope": 0.01, "mass": 0.5}),
        ("more probably not better", {"rule": "bayes-test"}),
    ],
)
def test_headline_says_the_verdict_against_the_second(verdict, settings, capsys):
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
    assert WORDS[verdict] in printed(result, capsys)[0]


def test_lines_hold_difference_interval_probabilities_and_recipe(capsys):
    result = compared("first", "second", rope=0.05)
    text, show = "\n".join(printed(result, capsys)), result.decimals
    for number in (result.difference, *result.hdi):
        assert formatting.number(number, show, signed=True) in text
    for interval in result.system_intervals:
        low, high = (formatting.number(end, show) for end in interval)
        assert f"[{low}, {high}]" in text
    assert "(within ±0.05)" in text
    assert f"100 items, {result.settings.data.patterns} patterns" in text
    assert f"  recipe: {result.recipe}" in text
    assert "seed 0" in text


def test_lines_of_a_null_test_hold_the_p_value(capsys):
    result = p_valued("a", "b")
    text = "\n".join(printed(result, capsys))
    assert f"p = {formatting.p_value(result.p_value)}" in text
    assert "s " in text
    assert "b 100" in text


def test_an_answer_has_its_strip_numbers_next_step_and_recipe_in_order(capsys):
    result = compared("a", "b")
    lines = printed(result, capsys)
    assert lines[1].startswith("  worse ─")
    assert lines[1].endswith("─ better")
    assert lines[2:] == [
        *(f"  {line}" for line in result.main_lines()),
        f"  → {result.next_step()}",
        f"  recipe: {result.recipe}",
    ]


def test_an_estimate_is_a_table(capsys):
    result = scored("a")
    lines = printed(result, capsys)
    assert lines[0].split()[:3] == ["system", "metric", "value"]
    assert lines[1].startswith("a ")
    assert lines[2] == f"  recipe: {result.recipe}"


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
    assert first.startswith("? undecided, too few draws: no verdict on b against a")
    assert second.startswith("  LIK112 block: ")
    assert not any("decide" in line for line in rest), "more items would not help"
    assert result.next_step() is None


def test_several_answers_are_one_table_with_two_recipes(capsys):
    results = [compared("a", "b", seed=seed) for seed in range(4)]
    lines = printed(ResultList(results), capsys)
    assert sum(line.startswith("F1 (y) ") for line in lines) == 4
    recipes = [line for line in lines if line.startswith("  recipe: ")]
    assert recipes == [f"  recipe: {result.recipe}" for result in results[:2]]
    assert "  and 2 more recipes: see --json" in lines


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


def test_findings_that_say_the_same_of_several_classes_are_one_line(capsys):
    gold = list("aabbb" + "cd" * 40)
    settings = {"metric": "f1", "draws": 1000, "seed": 0}
    result = lk.compare_groups(gold, ["c", *gold[1:]], gold, **settings)
    about = "only 2 items are a and only 3 items are b: too few"
    assert [about in line for line in printed(result, capsys)].count(True) == 1
    assert [about in line for line in markdown(result).splitlines()].count(True) == 1


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


def test_without_a_rope_there_is_no_word_of_equivalence(capsys):
    result = compared("a", "b", rope=None)
    assert "equivalent" not in "\n".join(printed(result, capsys))
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


@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize("name", every_kind.KINDS)
def test_no_line_is_longer_than_the_terminal_and_text_not_than_100(
    name, columns, capsys
):
    lines = printed(every_kind.result(name), capsys, columns)
    assert max(map(cell_len, lines)) <= columns
    texts = [line for line in lines if line.startswith(("  ", "…"))]
    assert max(map(cell_len, texts), default=0) <= 100


@pytest.mark.parametrize("name", every_kind.KINDS)
def test_a_terminal_wraps_at_words_and_loses_none(name, capsys):
    result = every_kind.result(name)
    if result.members() is not None:
        return  # a study shows its answers, as they are
    narrow = " ".join(" ".join(printed(result, capsys, 80)).split())
    sentence = [] if result.in_row and not result.in_words else [result.sentence()]
    for text in (*sentence, *result.main_lines(), *result.findings, result.recipe):
        assert " ".join(str(text).split()) in narrow or result.in_row


def test_a_long_sentence_has_its_clauses_on_lines_of_their_own(capsys):
    result = compared("a", "b", rope=0.01, mass=0.5)
    verdict, numbers = result.clauses()
    whole = f"{result.verdict.symbol} {result.sentence()}"
    assert len(whole) <= 100
    assert printed(result, capsys, len(whole))[0] == whole
    first, second, *_ = printed(result, capsys, len(whole) - 1)
    assert first == f"{result.verdict.symbol} {verdict}"
    assert second == f"  {numbers}"


def many_classes(count):
    """Compare on many classes: the second system is better on every other one."""
    gold = [f"c{i:02d}" for i in range(count) for _ in range(8)]
    wrong = [gold[(i + 8) % len(gold)] for i in range(len(gold))]
    first = [
        w if i % 8 < 3 else g for i, (g, w) in enumerate(zip(gold, wrong, strict=True))
    ]
    better = [i // 8 % 2 for i in range(len(gold))]
    second = [g if up else f for g, f, up in zip(gold, first, better, strict=True)]
    return lk.compare_groups(gold, first, second, rope=0.02, draws=1000, seed=0)


def test_of_many_groups_a_terminal_shows_both_ends_in_the_order_of_the_data(capsys):
    result = many_classes(24)
    lines = printed(result, capsys, 100)
    names = [line.split()[0] for line in lines if line.startswith("c") and "0." in line]
    order = sorted(result.rows, key=lambda row: row.comparison.difference)
    kept = {row.name for row in (*order[:10], *order[-10:])}
    assert names == sorted(kept)
    assert sum(line.startswith(("micro", "macro", "weighted")) for line in lines) == 3
    (note,) = [line for line in lines if line.startswith("… ")]
    assert note.startswith("… 4 more classes; ")
    whole = printed(result, capsys)
    assert sum(line.startswith("c") and "0." in line for line in whole) == 24
    assert not any(line.startswith("…") for line in whole)


def test_twenty_groups_are_all_there(capsys):
    lines = printed(many_classes(20), capsys, 100)
    assert sum(line.startswith("c") and "0." in line for line in lines) == 20


@pytest.mark.parametrize(("count", "shown"), [(5, 10), (6, 5)])
def test_of_many_systems_a_terminal_pairs_neighbours_only(count, shown, capsys):
    table = drawn(folds=6, systems=list("abcdefgh")[:count], gain=0.01)
    ranking = lk.rank(table, rope=0.001, draws=1000, seed=0)
    lines = printed(ranking, capsys, 100)
    start = next(i for i, line in enumerate(lines) if line.startswith("first "))
    pairs = [set(line.split()[:2]) for line in lines[start + 1 : start + 1 + shown]]
    names = [ranking.systems[i] for i in ranking.places]
    if count > 5:
        assert pairs == [{*pair} for pair in pairwise(names)]
        assert lines[start + 1 + shown].startswith("… 10 more pairs")
    assert lines[1].startswith("system"), "the leaderboard comes first"
    whole = printed(ranking, capsys)
    assert sum(line[:1] in names and line[1:2] == " " for line in whole) == (
        count + count * (count - 1) // 2
    )


def test_what_a_narrow_table_leaves_out_is_named(capsys):
    result = every_kind.result("classes")
    names = [column.name for column in result.tables()[0].columns]
    narrow = printed(result, capsys, 80)
    head, body = narrow[1], " ".join(" ".join(narrow).split())
    assert "← worse" in head
    assert all(name in body for name in names)
    assert all(name in printed(result, capsys)[1] for name in names)


def test_the_next_step_of_a_clear_verdict_is_nothing(capsys):
    result = compared("first", "second", rope=0.01, mass=0.5)
    assert result.next_step() is None
    assert "→" not in "\n".join(printed(result, capsys))


def test_the_next_step_of_a_ranking_parts_the_first_two():
    ranking = every_kind.result("ranking-items")
    best, second = (ranking.systems[i] for i in ranking.places[:2])
    ahead = ranking.between(best, second).outlook_line()
    step = ranking.next_step()
    assert step == (None if ahead is None else f"{best} against {second}: {ahead}")


def test_a_terminal_without_unicode_gets_plain_characters(monkeypatch):
    stream = TextIOWrapper(BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr("sys.stdout", stream)
    for name in ("comparison", "classes", "ranking"):
        show(every_kind.result(name))
        show(every_kind.result(name), columns=80)
    text = stream.buffer.getvalue().decode("ascii")
    assert "  worse --[." in text
    assert "+/-0.02" in text
    assert "\\u" not in text
