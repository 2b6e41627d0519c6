"""`likelier folds`: scores of cross-validation on the command line."""

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
from tests.data.score_tables import HEADER, delimited, rows, scores_of

import likelier as lk


@pytest.fixture
def put(folder):
    """Write rows of scores to s.csv."""

    def put(table, header=HEADER, name="s.csv"):
        (folder / name).write_text(delimited(table, header))
        return name

    return put


@pytest.fixture
def scores(put, call):
    """Compare rows of scores, with further words."""

    def scores(table, *words):
        ended = call("folds", put(table), "--rope", "0.01", *words)
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.out

    return scores


@pytest.fixture
def document(scores):
    """Compare rows of scores and read the JSON."""
    return lambda table, *words: json.loads(
        scores(table, "--json", "-", *words), parse_constant=pytest.fail
    )


ONE = rows(runs=2, folds=4)
SCORED = rows(sets=8, folds=1)
FOLDED = rows(sets=2, folds=3)
THREE = rows(folds=5, systems="abc")


# --- what is answered ---------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "name", "reason"),
    [
        (ONE, "correlated-t", "since there is one data set with 8 folds"),
        (SCORED, "signed-rank", "since there are 8 data sets with one score each"),
    ],
    ids=["one", "scored"],
)
def test_method_by_the_shape_of_the_data(document, table, name, reason):
    assert_chosen(document(table, *FEW), table, name, reason)


def assert_chosen(result, table, name, reason):
    """Compare with the library's answer, and give it."""
    assert result["kind"] == "comparison"
    assert result["method"]["name"] == name
    assert reason in result["method"]["reason"]
    expected = lk.compare_folds(scores_of(table), rope=0.01, draws=1000, seed=0)
    assert result == json.loads(json.dumps(expected.to_dict()))
    return expected


def test_hierarchical_is_the_same_every_time_without_a_seed(scores, folder):
    # Each run takes a second, so this one looks at all there is to see.
    plot = ("--plot", "o.png", "--plot-kind", "simplex")
    scores(FOLDED, "--json", "o.json", "--html", "o.html", *plot)
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")
    result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
    reason = "since there are 2 data sets with 3 folds each"
    again = assert_chosen(result, FOLDED, "hierarchical", reason)
    page = (folder / "o.html").read_text(encoding="utf-8")
    source = '<section id="source">'
    assert page.partition(source)[0] == again.report().html.partition(source)[0]


def test_screen(scores):
    lines = scores(ONE).splitlines()
    assert lines[0].startswith("≫ b is better than a on score: 0.8")
    assert lines[1].startswith("  worse ──")
    assert lines[2].startswith("  worse ")
    assert "equivalent" in lines[2]
    assert lines[3].endswith("1 data set, 8 folds")
    assert lines[4].startswith("  method: correlated-t, since there is one data set")
    assert lines[5].startswith("  companions: corrected resampled t p = ")
    assert lines[6].startswith("  recipe: likelier ")
    assert "correlated-t test_share=0.25" in lines[6]
    assert len(lines) == 7


def test_sign_by_name(document):
    assert document(SCORED, "--method", "sign", *FEW)["method"]["name"] == "sign"


def test_a_seed_makes_draws_the_same(document):
    one, other = (document(SCORED, "--draws", "1000", "--seed", "7") for _ in range(2))
    assert one == other
    free = document(SCORED, "--draws", "1000")
    seed = str(free["method"]["seed"])
    assert document(SCORED, "--draws", "1000", "--seed", seed) == free


def test_every_further_system_against_the_first(document):
    result = document(THREE)
    assert list(result) == ["schema", "kind", "comparisons"]
    assert result["kind"] == "comparisons"
    table = scores_of(THREE)
    expected = [
        lk.compare_folds(table, systems=["a", name], rope=0.01).to_dict()
        for name in "bc"
    ]
    assert result["comparisons"] == json.loads(json.dumps(expected))
    for comparison in result["comparisons"]:
        names = ",".join(comparison["systems"])
        assert document(THREE, "--systems", names) == comparison


def test_three_systems_on_the_screen(scores):
    lines = scores(THREE).splitlines()
    assert lines[0].split()[:4] == ["metric", "baseline", "candidate", "difference"]
    assert [line.split()[:4:2] for line in lines[1:3]] == [
        ["score", "0.8059"],
        ["score", "0.806"],
    ]
    assert [line.split()[1:4:2] for line in lines[1:3]] == [["a", "b"], ["a", "c"]]
    assert "recipe: likelier " in lines[3]


def test_systems_select_and_order(document):
    result = document(THREE, "--systems", "c,a")
    assert result["systems"] == ["c", "a"]
    assert result["verdict"]["name"] == "worse"
    result = document(THREE, "--systems", "c,a,b")
    assert [c["systems"] for c in result["comparisons"]] == [["c", "a"], ["c", "b"]]


def test_columns_and_names(put, call):
    header = ("corpus", "rep", "part", "model", "f1")
    words = [
        word
        for old, new in zip(HEADER, header, strict=True)
        for word in (f"--{old}", new)
    ]
    ended = call("folds", put(ONE, header), *words, "--metric", "f1", "--json", "-")
    assert ended.code == 0, ended
    result = json.loads(ended.out)
    assert result["metric"] == "f1"
    expected = lk.compare_folds(scores_of(ONE)).to_dict()
    assert result["difference"] == expected["difference"]


def test_lower_is_better(document, scores):
    result = document(ONE, "--lower-is-better", "--metric", "loss")
    assert result["verdict"]["name"] == "worse"
    assert result["difference"]["value"] < 0
    negated = document([[*row[:4], -row[4]] for row in ONE])
    assert result["probability"] == negated["probability"]
    assert scores(ONE, "--lower-is-better", "--metric", "loss").startswith(
        "≪ b is worse than a on loss (less is better): "
    )


def test_share_tested(document):
    table = rows(runs=8, folds=1)
    result = document(table, "--test-share", "0.2")
    assert "test_share=0.2" in result["recipe"]
    assert result["method"]["name"] == "correlated-t"


@pytest.mark.parametrize(
    ("rope", "ends", "name"),
    [
        ("-0.1,0.2", [-0.1, 0.2], "equivalent"),
        ("1e6", [-1e6, 1e6], "equivalent"),
        ("0", [0, 0], "better"),
        ("-0.5,0", [-0.5, 0], "better"),
    ],
)
def test_ropes(document, rope, ends, name):
    result = document(ONE, "--rope", rope)
    assert result["rope"] == ends
    assert result["verdict"]["name"] == name


def test_two_folds(document):
    result = document(rows(folds=2))
    assert result["difference"]["sd"] is None
    assert document(rows(folds=2, systems="abc"))["kind"] == "comparisons"


def test_identical_systems(document, put, call):
    same = [[*row[:4], ONE[i - i % 2][4]] for i, row in enumerate(ONE)]
    result = document(same, "--rope", "0.05")
    assert result["verdict"]["name"] == "equivalent"
    assert result["companions"][0]["p_value"] == 1
    assert "LIK106" in [finding["code"] for finding in result["findings"]]
    bare = json.loads(call("folds", put(same), "--json", "-").out)
    assert bare["probability"] == {"worse": 0.5, "equivalent": 0, "better": 0.5}
    assert bare["verdict"]["name"] == "undecided"


def test_formats(folder, document, call):
    expected = document(ONE)
    lines = [json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in ONE]
    (folder / "s.jsonl").write_text("".join(lines))
    (folder / "s.tsv").write_text(delimited(ONE, mark="\t"))
    for name in ("s.jsonl", "s.tsv"):
        ended = call("folds", name, "--rope", "0.01", "--json", "-")
        assert json.loads(ended.out) == expected


# --- tables ---------------------------------------------------------------------


def test_latex_of_three_systems(scores):
    lines = scores(THREE, "--latex").splitlines()
    assert lines[0].startswith("% b is better than a on score: ")
    rows = [line for line in lines if line.endswith(r" \\")]
    assert [[cell[0] for cell in row.split(" & ")[1:3]] for row in rows[1:]] == [
        ["a", "b"],
        ["a", "c"],
    ]


def test_markdown_of_three_systems(scores):
    text = scores(THREE, "--markdown")
    assert text.startswith("b is better than a on score: ")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[0].startswith("| metric | baseline | candidate | difference |")
    assert len(table) == 4
    assert len({line.count(" | ") for line in table}) == 1


def test_without_a_rope_nothing_is_equivalent(put, call):
    result = json.loads(call("folds", put(THREE), "--json", "-").out)
    for comparison in result["comparisons"]:
        assert comparison["rope"] is None
        assert comparison["probability"]["equivalent"] == 0


def test_page_of_three_systems(scores, folder):
    scores(THREE, "--html", "o.html")
    page = (folder / "o.html").read_text(encoding="utf-8")
    assert page.count("<details><summary>") == 2
    assert not re.search(r"https?:", page)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (ONE, "posterior"),
        (THREE, "intervals"),
    ],
)
def test_kinds_of_plots(scores, folder, table, kind):
    scores(table, "--plot", "o.png", "--plot-kind", kind)
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")


# --- the exit code ------------------------------------------------------------------


CLOSE = rows(folds=5, gain=0.004, noise=0.02, seed=3)


@pytest.mark.parametrize(
    ("table", "condition", "code"),
    [
        (ONE, "P(better) > 0.9", 0),
        (ONE, "P(better) > 0.9 and difference.mean > 0.01", 0),
        (ONE, "P(worse) > 0.9", 1),
        (CLOSE, "P(better) > 0.99", 3),
        (CLOSE, "P(better) < 0.99", 0),
        (THREE, "P(better) > 0.9", 0),
        (THREE, "P(worse) > 0.9", 1),
    ],
)
def test_fail_unless(put, call, table, condition, code):
    ended = call("folds", put(table), "--rope", "0.01", "--fail-unless", condition)
    assert ended.code == code
    assert (condition in ended.err) == (code != 0)
    assert ended.out


def test_every_pair_must_hold(put, call):
    words = ("--rope", "0.01", "--fail-unless", "P(better) > 0.9")
    ended = call("folds", put(THREE), *words, "--systems", "b,c,a")
    assert ended.code == 1
    assert "a is worse than b" in ended.err
    assert ended.err.count("likelier: ") == 1


def test_the_condition_of_a_rope_needs_one(refused, put):
    message = refused("folds", put(ONE), "--fail-unless", "P(equivalent) > 0.5")
    assert "P(equivalent) must have a rope" in message


# --- what is refused ----------------------------------------------------------------


def without(table, *indices):
    return [row for i, row in enumerate(table) if i not in indices]


def changed(table, row, column, value):
    copy = [[*cells] for cells in table]
    copy[row][column] = value
    return copy


BAD_TABLES = {
    "missing": (
        without(rows(sets=2), 3, 18),
        "s.csv must have every fold of every system; missing: "
        "'b on d0, run 1, fold 2', 'a on d1, run 1, fold 5'.",
    ),
    "double": ([*ONE, ONE[4]], "'a' on 'd0', run 1, fold 3 is given twice"),
    "one-score": (rows(folds=1), "says nothing of how it would vary"),
    "nan": (changed(ONE, 4, 4, "nan"), "s.csv:6"),
    "inf": (changed(ONE, 4, 4, "inf"), "s.csv:6"),
    "empty-cell": (changed(ONE, 4, 4, ""), "s.csv:6"),
    "text": (changed(ONE, 4, 4, "good"), "s.csv:6"),
    "no-system": (changed(ONE, 4, 3, ""), "s.csv:6"),
    "one-system": (rows(systems="a"), "There must be two systems; got a."),
    "one-fold": (rows(runs=5, folds=1), "--test-share 0.2"),
    "uneven": (without(rows(runs=2, folds=3), 0, 1), "the same number of folds"),
    "none": ([], "it has only a header"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables(refused, put, name):
    table, message = BAD_TABLES[name]
    outputs = ("--json", "o.json", "--html", "o.html")
    assert message in refused("folds", put(table), *outputs)


@pytest.mark.parametrize(("name", "near"), [("system", "sytem"), ("score", "Score")])
def test_missing_columns(refused, put, name, near):
    header = tuple(near if x == name else x for x in HEADER)
    message = refused("folds", put(ONE, header))
    assert f"s.csv must have the column '{name}'; it has 'dataset', " in message
    assert f"Hint: Did you mean '{near}'?" in message


def test_hints_are_words_of_the_command_line(refused, put, call):
    header = ("corpus", *HEADER[1:])
    hint = refused("folds", put(ONE, header)).partition("Hint: ")[2]
    words = hint[hint.index("--") :].split()
    assert call("folds", put(ONE, header), *words).code == 0
    uneven = without(rows(runs=2, folds=3), 0, 1)
    assert "--test-share" in refused("folds", put(uneven))
    assert "systems=[" not in refused("folds", put(ONE), "--systems", "a")


def test_bad_files(refused, folder):
    (folder / "s.csv").write_text("")
    assert "s.csv must hold a table; it is empty" in refused("folds", "s.csv")
    assert "there is none of that name" in refused("folds", "nope.csv")


SETTINGS = {
    "share": (("--test-share", "2"), "test_share must lie strictly between 0 and 1"),
    "unknown": (("--systems", "a,x"), "system must be one of a, b; got 'x'"),
    "same": (("--systems", "a,a"), "systems must be different; got a, a"),
    "one": (("--systems", "a"), "two systems"),
    "hierarchical": (("--method", "hierarchical"), "at least two data sets"),
    "method": (("--method", "paired"), "method must be one of correlated-t"),
    "rule": (("--rule", "nope"), "rule must be one of"),
    "rope": (("--rope", "-1"), "rope must be a half width of at least 0"),
    "rope-text": (("--rope", "small"), "rope must be a number, or LOW,HIGH"),
    "mass": (("--mass", "2"), "mass must lie strictly"),
    "draws": (("--draws", "0"), "draws must be a whole number of at least 1"),
    "seed": (("--seed", "-1"), "seed must be a whole number of at least 0"),
    "column": (("--fold", "part"), "must have the column 'part'"),
    "metric": (("--metric", ""), "metric"),
    "gate": (("--fail-unless", "P(better)"), "condition must read like"),
    "input": (("--json", "s.csv"), "must not be an input and an output"),
    "folder": (("--html", "no/o.html"), "must be in a folder that exists"),
    "two": (("--markdown", "--latex"), "Only one of --json -"),
    "plot-kind": (("--plot-kind", "nope"), "plot-kind must be one of data-sets, dens"),
    "plot-of-many": (
        ("--plot", "o.png", "--plot-kind", "densities"),
        "plot-kind must be one of",
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_bad_settings(refused, put, name):
    words, message = SETTINGS[name]
    assert message in refused("folds", put(ONE), *words)


OF_COUNTS = {
    "--gold": "x",
    "--positive": "x",
    "--repetition": "run",
    "--beta": "2",
    "--alpha": "0.5",
    "--margin": "0.1",
    "--rho1": "0",
    "--rho2": "0.5",
    "--interval": "hdi",
}


@pytest.mark.parametrize("option", OF_COUNTS)
def test_options_of_counts_are_not_for_scores(refused, put, option):
    message = refused("folds", put(ONE), option, OF_COUNTS[option])
    assert f"{option} must come with counts or predictions of folds" in message


def test_other_names_of_columns_are_recognised(refused, folder):
    header = ("corpus", "rep", "part", "model", "f1")
    (folder / "s.csv").write_text(delimited(ONE, header))
    assert "Hint: If that is meant: --system model" in refused("folds", "s.csv")


# --- names that bite ------------------------------------------------------------


def hostile_file(folder, names, *, folds=4):
    lines = [
        dict(zip(HEADER, [f"set {names[0]}", *row[1:]], strict=True))
        for row in rows(folds=folds, systems=names)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "h.jsonl").write_text(text)
    return ("folds", "h.jsonl", "--rope", "0.01")


def test_hostile_names(folder, call):
    forms = ("--latex", "--markdown")
    words = hostile_file(folder, PLAIN)
    lengths = [len(call(*words, form).out.splitlines()) for form in forms]
    for names in together(HOSTILE, 3):
        words = hostile_file(folder, names)
        ended = call(*words, "--json", "o.json")
        assert (ended.code, ended.err) == (0, "")
        assert_lines(ended.out, 5)
        result = json.loads((folder / "o.json").read_text(encoding="utf-8"))
        pairs = [comparison["systems"] for comparison in result["comparisons"]]
        assert pairs == [names[:2], names[::2]]
        for form, length in zip(forms, lengths, strict=True):
            assert_lines(call(*words, form).out, length)


def test_page_of_hostile_names(folder, call):
    pages = []
    for names in (PLAIN, *together(PICTURED, 3)):
        ended = call(*hostile_file(folder, names), "--html", "o.html")
        assert (ended.code, ended.err) == (0, "")
        pages.append(tags_of_page(folder / "o.html"))
        assert pages[-1] == pages[0]


def test_hostile_names_of_two_systems(folder, call):
    words = hostile_file(folder, PLAIN[:2])
    length = len(call(*words, "--latex").out.splitlines())
    for names in together(HOSTILE[:5], 2):
        words = hostile_file(folder, names)
        assert_lines(call(*words).out, 7)
        assert_lines(call(*words, "--latex").out, length)


def test_hostile_names_in_messages(folder, refused):
    name = "\x1b[31mred\nline"
    words = hostile_file(folder, [name, "b"], folds=1)
    for message in (refused(*words), refused(*words, "--systems", "b,q")):
        assert message.replace("\n\n", "").rstrip("\n").isprintable()


def test_hostile_names_of_data_sets_in_reasons(folder, call):
    name = "\x1b[31mred\nline"
    lines = [
        dict(zip(HEADER, [f"{name}{row[0]}", *row[1:]], strict=True))
        for row in rows(sets=3, folds=2)
    ]
    (folder / "h.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    out = call("folds", "h.jsonl", "--rope", "0.01", *FEW).out
    assert "signed-rank on means" in out
    assert_lines(out, 8)


def test_hostile_metric(put, call):
    out = call("folds", put(ONE), "--metric", "\x1b[31m<b>\nloss").out
    assert_lines(out, 7)
