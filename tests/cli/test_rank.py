"""`likelier rank`: many systems in order, from scores or from predictions."""

import json
import re

import pytest
from tests.cli.conftest import FEW
from tests.cli.hostile import (
    HOSTILE,
    PICTURED,
    PLAIN,
    assert_lines,
    tags_of_page,
    together,
)
from tests.data.score_tables import HEADER, delimited, drawn, rows

import likelier as lk

ONE = rows(folds=5, systems="abc")
SCORED = rows(sets=6, folds=1, systems="abc")


@pytest.fixture
def put(folder):
    """Write rows of scores to r.csv."""

    def put(table, header=HEADER):
        (folder / "r.csv").write_text(delimited(table, header))
        return "r.csv"

    return put


@pytest.fixture
def ranked(put, call):
    """Rank rows of scores and read the JSON."""

    def ranked(table, *words):
        ended = call("rank", put(table), "--rope", "0.01", *FEW, "--json", "-", *words)
        assert (ended.code, ended.err) == (0, ""), ended
        return json.loads(ended.out, parse_constant=pytest.fail)

    return ranked


ITEMS = ("rank", "p.csv", "--systems", "a,b,c", "--rope", "0.01", *FEW)


# --- what is answered -------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "settings"),
    [(ONE, {"folds": 5}), (SCORED, {"sets": 6, "folds": 1})],
    ids=["one", "many"],
)
def test_scores(ranked, table, settings):
    expected = lk.rank(drawn(systems="abc", **settings), rope=0.01, draws=1000, seed=0)
    assert ranked(table) == json.loads(json.dumps(expected.to_dict()))


def test_json_of_scores(ranked):
    result = ranked(SCORED)
    assert result["kind"] == "ranking"
    assert result["systems"] == ["a", "b", "c"]
    assert result["order"]["chain"] == "a < b < c"
    assert [row["system"] for row in result["ranks"]] == ["a", "b", "c"]
    assert [row["average_rank"] for row in result["ranks"]] == [3, 2, 1]
    assert result["friedman"]["alpha"] == 0.05
    assert len(result["tests"]) == len(result["comparisons"]) == 3
    assert ranked(SCORED, "--alpha", "0.1")["friedman"]["alpha"] == 0.1


def test_predictions(folder, call):
    ended = call(*ITEMS, "--metric", "accuracy", "--json", "-")
    assert (ended.code, ended.err) == (0, "")
    result = json.loads(ended.out)
    assert (result["kind"], result["metric"]) == ("ranking", "accuracy")
    assert result["friedman"] is None
    words = ("compare", "p.csv", "--metric", "accuracy", "--rope", "0.01", *FEW)
    for comparison in result["comparisons"]:
        names = ",".join(comparison["systems"])
        alone = json.loads(call(*words, "--systems", names, "--json", "-").out)
        for key in ("difference", "probability", "verdict"):
            assert comparison[key] == alone[key]


@pytest.mark.parametrize(
    "prior", [(), ("--prior", "uniform"), ("--prior", "uniform", "--strength", "3")]
)
def test_priors_of_predictions(folder, call, prior):
    words = (*ITEMS, "--metric", "accuracy", "--json", "-", *prior)
    result = json.loads(call(*words).out)
    name = prior[1] if prior else "swap"
    assert result["method"]["prior"] == name
    assert result["method"]["strength"] == (3 if "--strength" in prior else 1)
    assert f"prior={name}" in result["recipe"]
    words = ("compare", "p.csv", "--metric", "accuracy", "--rope", "0.01", *FEW)
    alone = call(*words, "--systems", "a,b", "--json", "-", *prior)
    expected = json.loads(alone.out)["difference"]
    assert result["comparisons"][0]["difference"] == expected


def test_a_prior_changes_the_ranks(folder, call):
    words = (*ITEMS, "--metric", "accuracy", "--json", "-")
    swap, heavy = (
        json.loads(call(*words, *more).out)["ranks"]
        for more in ((), ("--prior", "uniform", "--strength", "20"))
    )
    assert max(row["best"] for row in heavy) < max(row["best"] for row in swap)


def test_predictions_in_files_of_systems(folder, call):
    files = ("gold.jsonl", "a.jsonl", "b.jsonl", "c.jsonl", "--id", "id")
    words = ("--metric", "f1", "--positive", "spam", "--label", "label", *FEW)
    one = json.loads(call("rank", *files, *words, "--json", "-").out)
    words = ("--metric", "f1", "--positive", "spam", "--systems", "a,b,c", *FEW)
    other = json.loads(call("rank", "p.csv", *words, "--json", "-").out)
    assert one["ranks"] == other["ranks"]


def test_all_pairs(ranked, put, call):
    comparisons = ranked(ONE)["comparisons"]
    assert [c["systems"] for c in comparisons] == [["a", "b"], ["a", "c"], ["b", "c"]]
    for comparison in comparisons:
        names = ",".join(comparison["systems"])
        words = ("folds", put(ONE), "--rope", "0.01", "--systems", names)
        alone = json.loads(call(*words, "--json", "-").out)
        assert {key: comparison[key] for key in alone if key in comparison} == {
            key: alone[key] for key in alone if key in comparison
        }
        assert {"difference", "probability", "verdict"} <= set(comparison)


def test_all_pairs_on_the_screen(put, call):
    lines = call("rank", put(ONE), "--rope", "0.01", *FEW).out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("first"))
    assert re.split(" {2,}", lines[head].strip())[:8] == [
        *["first", "second", ">", "≈", "<", "difference", "95 % HDI"],
        "the second is",
    ]
    pairs = lines[head + 1 : head + 4]
    assert [line.split()[:2] for line in pairs] == [["a", "b"], ["a", "c"], ["b", "c"]]
    for line in pairs:
        assert sum(map(float, line.split()[2:5])) == pytest.approx(1, abs=0.0021)
    assert "1 data set, 5 folds, rope ±0.01" in "\n".join(lines)


def test_without_a_rope_nothing_is_equivalent(put, call):
    lines = call("rank", put(ONE), *FEW).out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("first"))
    assert [line.split()[3] for line in lines[head + 1 : head + 4]] == ["-"] * 3
    assert "no rope given" in "\n".join(lines)


def test_rule_of_scores(ranked):
    result = ranked(ONE, "--rule", "zhang")
    assert {c["verdict"]["rule"] for c in result["comparisons"]} == {"zhang"}


@pytest.mark.parametrize("kind", ["ranks", "order", "critical", "simplex"])
def test_kinds_of_plots(put, call, folder, kind):
    words = ("rank", put(SCORED), "--rope", "0.01", *FEW, "--plot", "o.png")
    assert call(*words, "--plot-kind", kind).code == 0
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")


def test_screen(put, call):
    out = call("rank", put(SCORED), "--rope", "0.01", *FEW).out
    lines = out.splitlines()
    assert lines[0].startswith("score: a < b < c; the best on these data sets is c (")
    assert lines[1].split("  ")[0] == "system"
    assert [line.split()[0] for line in lines[2:5]] == ["c", "b", "a"]
    assert lines[5] == ""
    assert "Wilcoxon p" in lines[6]
    assert "Friedman chi-square" in out
    assert "ranks: joint draws of the mean scores" in out


def test_latex_and_markdown_have_both_tables(put, call):
    words = ("rank", put(ONE), "--rope", "0.01", *FEW)
    latex = call(*words, "--latex").out
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 2
    assert r"\textgreater{} & $\approx$ & \textless{}" in latex
    assert "P(best)" in latex
    markdown = call(*words, "--markdown").out
    assert markdown.count("\n| --- |") == 2
    assert "| > | ≈ | < |" in markdown


def test_same_seed_same_files(put, call, folder):
    words = ("rank", put(SCORED), "--rope", "0.01", "--draws", "1000", "--seed", "4")
    for name in ("one", "two"):
        ended = call(*words, "--json", f"{name}.json", "--html", f"{name}.html")
        assert ended.code == 0
    for form in ("json", "html"):
        files = [(folder / f"{name}.{form}").read_bytes() for name in ("one", "two")]
        assert files[0] == files[1]
    third = call(*words[:-1], "5", "--json", "-").out
    assert third != (folder / "one.json").read_text(encoding="utf-8")


def test_lower_is_better(ranked):
    result = ranked(SCORED, "--lower-is-better")
    assert result["order"]["chain"] == "c < b < a"
    assert [row["average_rank"] for row in result["ranks"]] == [1, 2, 3]


def test_systems_select_and_order(ranked):
    result = ranked(ONE, "--systems", "c,a")
    assert result["systems"] == ["c", "a"]
    assert result["order"]["chain"] == "a < c"


def test_threshold(ranked):
    close = rows(folds=4, systems="abc", gain=0.004, noise=0.02)
    assert ranked(close)["order"]["undecided"] == []
    assert len(ranked(close, "--threshold", "0.99")["order"]["undecided"]) == 3


def test_two_folds(ranked):
    assert (
        ranked(rows(folds=2, systems="abc"))["comparisons"][0]["difference"]["sd"]
        is None
    )


def test_identical_systems(ranked):
    same = [[*row[:4], SCORED[i - i % 3][4]] for i, row in enumerate(SCORED)]
    result = ranked(same)
    assert result["friedman"]["p_value"] == 1
    assert [row["best"] for row in result["ranks"]] == pytest.approx([1 / 3] * 3)
    assert result["order"]["chain"] == "a ≈ b ≈ c"


def test_page(put, call, folder):
    ended = call("rank", put(SCORED), "--rope", "0.01", *FEW, "--html", "o.html")
    assert ended.code == 0
    page = (folder / "o.html").read_text(encoding="utf-8")
    leaderboard = page[page.index("<h2>Leaderboard") :]
    assert "P(best)" in leaderboard
    for title in ("Who beats whom", "Pairs", "Tests over data sets"):
        assert f"<h2>{title}</h2>" in leaderboard
    assert leaderboard.count("<table") == 4


@pytest.mark.parametrize(
    ("condition", "code"),
    [("friedman.p_value < 0.05", 0), ("friedman.p_value > 0.5", 1)],
)
def test_fail_unless(put, call, condition, code):
    words = ("rank", put(SCORED), "--rope", "0.01", *FEW, "--fail-unless", condition)
    assert call(*words).code == code


# --- what is refused -----------------------------------------------------------------


SETTINGS = {
    "one": (("--systems", "a"), "at least two systems"),
    "unknown": (("--systems", "a,x"), "system must be one of a, b, c; got 'x'"),
    "same": (("--systems", "a,a"), "systems must be different"),
    "alpha": (("--alpha", "4"), "alpha must lie strictly between 0 and 1; got 4.0"),
    "rule": (("--rule", "nope"), "rule must be one of"),
    "plot-kind": (("--plot-kind", "posterior"), "plot-kind must be one of critical"),
    "threshold": (("--threshold", "-1"), "threshold must lie between 0 and 1"),
    "method": (("--method", "nope"), "method must be one of correlated-t"),
    "share": (("--test-share", "0"), "test_share must lie strictly"),
    "hierarchical": (("--method", "hierarchical"), "at least two data sets"),
    "column": (("--score", "f1"), "must have the column 'f1'"),
    "draws": (("--draws", "0"), "draws must be a whole number"),
    "text": (("--text", "t"), "text must come with predictions"),
    "gate": (("--fail-unless", "nonsense"), "condition must read like"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_bad_settings(refused, put, name):
    words, message = SETTINGS[name]
    assert message in refused("rank", put(ONE), *words)


def test_scores_are_in_one_file(refused, put):
    message = refused("rank", put(ONE), "p.csv")
    assert "Scores must be in one file; got 2." in message
    assert "--metric" in message


def test_predictions_need_a_metric(refused):
    message = refused("rank", "p.csv")
    assert "p.csv must have the column 'system'; it has 'id', 'gold', 'a'" in message
    assert "Hint: Predictions come with --metric." in message


def test_scores_need_no_metric(refused, put):
    message = refused("rank", put(ONE), "--metric", "accuracy")
    assert "r.csv must have the column 'gold'; it has 'dataset', 'run'" in message
    assert "Hint: Is it a table of scores? Leave --metric out." in message


def test_a_column_that_is_nearly_there(refused, put):
    message = refused("rank", put(ONE, ("dataset", "run", "fold", "sytem", "score")))
    assert "Hint: Did you mean 'sytem'?" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--metric", "nope"), "metric must be one of"),
        (("--metric", "accuracy,f1"), "metric must be a single one here; got 2"),
        (("--metric", "f1"), "which label is the positive class"),
        (("--metric", "accuracy", "--method", "sign"), "method must come with scores"),
        (("--metric", "accuracy", "--systems", "a"), "two systems"),
    ],
)
def test_bad_settings_of_predictions(refused, words, message):
    assert message in refused(*ITEMS, *words)


@pytest.mark.parametrize(
    "words",
    [
        ("--lower-is-better",),
        ("--higher-is-better",),
        ("--test-share", "0.2"),
        ("--dataset", "doc"),
        ("--score", "a"),
    ],
)
def test_options_of_scores_are_not_for_predictions(refused, words):
    message = refused(*ITEMS, "--metric", "accuracy", *words)
    assert f"{words[0]} must come with scores" in message


@pytest.mark.parametrize("option", ["--positive", "--cluster", "--gold", "--id"])
def test_options_of_predictions_are_not_for_scores(refused, put, option):
    message = refused("rank", put(ONE), option, "x")
    assert f"{option} must come with predictions, with --metric" in message


# --- names that bite -----------------------------------------------------------------


def hostile_file(folder, names):
    lines = [
        dict(zip(HEADER, [f"{names[0]} {row[0]}", *row[1:]], strict=True))
        for row in rows(sets=4, folds=1, systems=names)
    ]
    (folder / "h.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    return ("rank", "h.jsonl", "--rope", "0.01", *FEW)


def test_hostile_names(folder, call):
    length = len(call(*hostile_file(folder, PLAIN), "--latex").out.splitlines())
    for names in together(HOSTILE, 3):
        words = hostile_file(folder, names)
        ended = call(*words, "--json", "o.json")
        assert (ended.code, ended.err) == (0, "")
        for line in ended.out.splitlines():
            assert line.isprintable(), ascii(line)
        result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
        assert result["systems"] == names
        assert_lines(call(*words, "--latex").out, length)


def test_page_of_hostile_names(folder, call):
    pages = []
    for names in (PLAIN, PICTURED[:3]):
        ended = call(*hostile_file(folder, names), "--html", "o.html")
        assert (ended.code, ended.err) == (0, "")
        pages.append(tags_of_page(folder / "o.html"))
    assert pages[0] == pages[1]
