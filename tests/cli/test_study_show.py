"""`likelier study show`: a study as far as it was run."""

import json
import re
import shutil
import sqlite3
from html.parser import HTMLParser

import pytest
from tests.cli.toys import FOLDS, GOOD, POOR, SPLIT, toy

from likelier import study
from likelier.study.runner import run_folds

HERE = ("--engine", "threads", "--workers", "1")
FEW = ("--draws", "1000")
FAIR = {"limit": 0.6}
KINDS = {
    "mx2": {},
    "metrics": {"metrics": ["accuracy", "f1"]},
    "three": {"systems": {"poor": POOR, "good": GOOD, "fair": FAIR}},
    "folds": {"design": FOLDS},
    "pairs": {
        "design": FOLDS,
        "systems": {"poor": POOR, "good": GOOD, "fair": FAIR},
    },
    "sets": {"design": FOLDS, "data": ("one", "two")},
    "split": {"design": SPLIT},
    "failed": {"systems": {"good": GOOD, "bad": {"fail": "line\n\x1b[31mred"}}},
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """Make the stores of toy studies, each once, by their kind."""
    made = {}

    def store(kind):
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            read = study.read_toml(toy(folder, **KINDS[kind]))
            made[kind] = folder / "study.db"
            run_folds(read, made[kind], engine="threads", workers=1)
        return made[kind]

    return store


@pytest.fixture(scope="module")
def reports():
    """Reports that were read, by the bytes of their store and the settings."""
    return {}


@pytest.fixture
def show(stores, reports, tmp_path, monkeypatch, call):
    """Show a copy of a store; each report is read once for its settings."""
    read = study.read_study

    def read_once(store, **settings):
        key = store.read_bytes(), repr(settings)
        if key not in reports:
            reports[key] = read(store, **settings)
        return reports[key]

    def show(kind, *words):
        shutil.copy(stores(kind), tmp_path / "study.db")
        return call("study", "show", "study.db", *words)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(study, "read_study", read_once, raising=False)
    return show


# --- the screen ---------------------------------------------------------------

FIRST = {
    "mx2": "≳ good is more probably better than poor on F1 (spam): ",
    "metrics": "metric     baseline   candidate  difference  ",
    "three": "metric     baseline   candidate  difference  ",
    "folds": "≫ good is better than poor on F1 (spam): ",
    "pairs": "F1 (spam): poor < ",
    "sets": "good leans",
    "split": "≫ good is better than poor on F1 (spam): ",
    "failed": "toy: 2x2 blocked stratified seed 0, 1 data set, 4 of 8 folds",
}


@pytest.mark.parametrize("kind", KINDS)
def test_screen(show, kind):
    ended = show(kind, *FEW)
    assert (ended.code, ended.err) == (0, "")
    if kind == "sets":
        assert re.match("[≫>] good is", ended.out)
    else:
        assert ended.out.startswith(FIRST[kind])
    lines = ended.out.splitlines()
    assert all(line.isprintable() for line in lines)
    assert any(line.startswith("data set") for line in lines)
    assert sum(line.startswith("toy: ") for line in lines) == 1
    assert "\x1b" not in ended.out


def test_nothing_is_written_or_run(show, tmp_path):
    show("mx2")
    before = (tmp_path / "study.db").read_bytes()
    show("mx2", "--metric", "accuracy", *FEW)
    assert (tmp_path / "study.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["study.db"]


def test_unfinished(show, tmp_path, call):
    show("mx2")
    connection = sqlite3.connect(tmp_path / "study.db")
    with connection:
        connection.execute("DELETE FROM results WHERE system = 'good' AND fold = 2")
    connection.close()
    ended = call("study", "show", "study.db")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert "1 data set, 6 of 8 folds finished" in lines[0]
    assert lines[-1].split()[:5] == ["mails", "good", "2", "of", "4"]
    assert (
        call("study", "show", "study.db", "--systems", "poor").out.count("4 of 4") == 2
    )
    for words in (("--fail-unless", "P(better) > 0.5"), ("--plot", "o.png")):
        ended = call("study", "show", "study.db", *words)
        assert ended.code == 2
        assert "6 of 8 folds finished" in ended.err


# --- settings -----------------------------------------------------------------


def document(ended):
    assert ended.code == 0, ended
    return json.loads(ended.out)


JSON = ("--json", "-", *FEW)


def test_as_the_study_says(show):
    (answer,) = document(show("mx2", *JSON))["answers"]
    assert (answer["metric"], answer["positive"]) == ("f1", "spam")
    assert answer["rope"] == [-0.02, 0.02]
    assert answer["difference"]["interval"]["mass"] == 0.95
    assert answer["systems"] == ["poor", "good"]


def test_as_the_user_says(show):
    words = ("--metric", "recall,accuracy", "--systems", "good,poor", "--rope", "0.1")
    words += ("--mass", "0.8", "--positive", "ham", "--seed", "3", "--rule", "hdi-rope")
    report = document(show("mx2", *words, *JSON))
    assert report["metrics"] == ["recall", "accuracy"]
    first, second = report["answers"]
    assert (first["metric"], second["metric"]) == ("recall", "accuracy")
    assert (first["positive"], second["positive"]) == ("ham", None)
    assert first["systems"] == ["good", "poor"]
    assert first["rope"] == [-0.1, 0.1]
    assert first["difference"]["interval"]["mass"] == 0.8
    assert first["method"]["seed"] == 3
    assert first["verdict"]["rule"] == "hdi-rope"


@pytest.mark.parametrize("method", ["independent", "correlated-t"])
def test_another_method(show, method):
    (answer,) = document(show("mx2", "--method", method, *JSON))["answers"]
    assert answer["method"]["name"] == method


def test_one_data_set(show):
    report = document(show("sets", "--datasets", "two", *JSON))
    assert report["datasets"] == ["two"]
    assert report["answers"][0]["method"]["name"] == "correlated-t"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--systems", "poor,god"), "Did you mean good"),
        (("--systems", "poor,poor"), "must be named once"),
        (("--datasets", "mail"), "Did you mean mails"),
        (("--metric", "accurac"), "Did you mean accuracy"),
        (("--metric", "f1,f1"), "different"),
        (("--metric", "token_accuracy"), "must have tags"),
        (("--positive", "spma"), "Did you mean spam"),
        (("--method", "nope"), "method must be one of"),
        (("--method", "hierarchical"), "at least two data sets"),
        (("--rule", "nope"), "rule must be one of"),
        (("--rope", "wide"), "rope must be"),
        (("--mass", "2"), "mass must lie"),
        (("--plot", "o.png", "--plot-kind", "nope"), "plot-kind must be one of"),
        (("--plot", "o.png", "--plot-kind", "order"), "plot-kind must be one of"),
        (("--plot", "o.png", "--plot-kind", "data-sets"), "hierarchical"),
        (("--html", "study.db"), "must not be an input and an output"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_wrong_words(show, tmp_path, words, message):
    ended = show("mx2", *words)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["study.db"]


@pytest.mark.parametrize("content", [b"", b"gold,a\nx,y\n" * 90], ids=["empty", "csv"])
def test_another_file(folder, refused, content):
    (folder / "study.db").write_bytes(content)
    assert "study.db must be the store of a study" in refused(
        "study", "show", "study.db"
    )


def test_a_missing_file(refused):
    message = refused("study", "show", "nowhere.db")
    assert "nowhere.db must be the store of a study; there is no such file." in message


# --- JSON and other forms -----------------------------------------------------


ANEW = ("mx2", "pairs")


@pytest.mark.parametrize("kind", KINDS)
def test_json(show, kind, reports, tmp_path):
    first = show(kind, *JSON)
    report = json.loads(first.out)
    assert (report["schema"], report["kind"]) == (2, "study")
    assert "seconds" not in first.out
    if kind in ANEW:
        # Computed anew: the same bytes.
        content = (tmp_path / "study.db").read_bytes()
        for key in [key for key in reports if key[0] == content]:
            del reports[key]
    assert show(kind, "--json", "o.json", *FEW).code == 0
    assert (tmp_path / "o.json").read_text(encoding="utf-8") == first.out
    assert report["finished"] == len(report["folds"])
    assert bool(report["answers"]) == (kind != "failed")


def test_timings_only_where_wished(show):
    report = document(show("mx2", "--timings", *JSON))
    for row in (*report["folds"], *report["tallies"]):
        assert row.pop("fit_seconds") >= 0
        assert row.pop("predict_seconds") >= 0
    assert report == document(show("mx2", *JSON))


PLOTS = [
    ("mx2", None),
    ("metrics", None),
    ("folds", "posterior"),
    ("pairs", None),
    ("pairs", "ranks"),
    ("sets", None),
    ("sets", "simplex"),
    ("sets", "data-sets"),
    ("split", None),
]


@pytest.mark.parametrize(("kind", "plot"), PLOTS, ids=str)
def test_plots(show, tmp_path, kind, plot):
    words = () if plot is None else ("--plot-kind", plot)
    ended = show(kind, *FEW, "--plot", "o.png", *words)
    assert (ended.code, ended.err) == (0, "")
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


def test_a_kind_of_plot_is_of_one_answer(show):
    ended = show("metrics", *FEW, "--plot", "o.png", "--plot-kind", "posterior")
    assert ended.code == 2
    assert "plot-kind must be one of study; got 'posterior'" in ended.err


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


@pytest.mark.parametrize("kind", ["mx2", "pairs", "failed"])
def test_page(show, tmp_path, kind):
    assert show(kind, *FEW, "--html", "o.html").code == 0
    page = (tmp_path / "o.html").read_text(encoding="utf-8")
    titles = re.findall("<h2>(.*?)</h2>", page)
    answers = {"mx2": "The difference", "pairs": "Leaderboard"}
    assert [title for title in answers.values() if title in titles] == [
        answers[one] for one in answers if one == kind
    ]
    assert titles.index("Folds and timings") < titles.index("Where it comes from")
    folds = page[page.index("<h2>Folds and timings") :]
    # Without answers they are all that there is to see.
    assert ("<details" in folds[: folds.index("<table")]) == (kind != "failed")
    assert not re.search(r"https?:", page)


@pytest.mark.parametrize("kind", KINDS)
def test_markdown_and_latex(show, kind):
    marked = show(kind, *FEW, "--markdown").out
    heads = sum(line.startswith("| --- ") for line in marked.splitlines())
    assert heads == {"failed": 1, "pairs": 3}.get(kind, 2)
    assert "| data set | system | folds |" in marked
    tabular = show(kind, *FEW, "--latex").out
    assert tabular.count(r"\begin{tabular}") == tabular.count(r"\end{tabular}") >= 1
    assert "data set & system & folds &" in tabular


# --- exit codes and errors ----------------------------------------------------


def test_conditions(show):
    assert show("mx2", *FEW, "--fail-unless", "P(better) > 0.9").code == 0
    assert show("mx2", *FEW, "--fail-unless", "P(worse) > 0.9").code == 1
    near = ("--rope", "0.5", "--rule", "hdi-rope")
    assert show("mx2", *FEW, *near, "--fail-unless", "P(better) > 0.999").code == 3
    assert show("mx2", *FEW, "--fail-unless", "P(beter) > 0.9").code == 2


def test_a_condition_must_hold_for_all(show):
    """The good one beats the poor one, and loses against nobody but in its pair."""
    assert show("three", *FEW, "--fail-unless", "P(better) > 0.9").code == 0
    turned = ("--systems", "good,poor,fair")
    assert show("three", *FEW, *turned, "--fail-unless", "P(better) > 0.9").code == 1


def test_errors(show):
    ended = show("failed", "--errors")
    assert ended.code == 0
    report = show("failed").out
    assert ended.out.startswith(report)
    errors = ended.out.removeprefix(report)
    assert errors.count("Traceback (most recent call last)") == 4
    assert "raise ValueError(self.fail)" in errors
    assert errors.splitlines()[1] == (
        r"bad on mails, repetition 1, fold 1: ValueError: line\n\x1b[31mred"
    )
    assert "\x1b" not in errors
    assert "Traceback" not in report
    assert show("mx2", "--errors").out == show("mx2").out


def test_errors_beside_what_programs_read(show):
    ended = show("failed", "--errors", "--json", "-")
    json.loads(ended.out)
    assert ended.err.count("Traceback (most recent call last)") == 4


# --- hostile names ------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b]0;t\x07",
    "a\nb\r\nc\td",
    "[bold red]rich[/bold red] :smile:",
    "{{7*7}} {% raw %}",
    "a|b\\|c & _ # ~ ^ {",
    "\u202ertl\u200b\ufeff",
    "it's; DROP TABLE results; --",
    "$x^2$ $\\frac{",
]


@pytest.mark.parametrize("start", range(3))
def test_hostile_names(tmp_path, monkeypatch, call, start):
    name = " ".join(HOSTILE[start::3])
    monkeypatch.chdir(tmp_path)
    systems = {f"s {name}": POOR, "b": GOOD, f"f {name}": {"fail": name}}
    head = {"name": f"n {name}", "data": (f"d {name}",)}
    toy(tmp_path, systems=systems, **head)
    ended = call("study", "run", "study.toml", *HERE)
    assert ended.code == 4
    lines_of_run = [*ended.out.splitlines(), *ended.err.splitlines()]
    assert all(line.isprintable() for line in lines_of_run)
    safe_name = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
    assert f"f {safe_name} on d {safe_name}, repetition 1, fold 1" in ended.out
    assert f"s {safe_name} on d {safe_name}, repetition 1, fold 1" in ended.err
    toy(tmp_path, systems={f"s {name}": POOR, "b": GOOD}, **head)
    ended = call("study", "run", "study.toml", *HERE)
    assert ended.code == 0
    assert f"s {safe_name}" in ended.out
    assert f"d {safe_name}" in ended.out
    assert all(line.isprintable() for line in ended.out.split("\n"))
    report = document(call("study", "show", "study.db", *JSON))
    assert report["name"] == f"n {name}"
    assert report["systems"] == [f"s {name}", "b"]
    assert report["datasets"] == [f"d {name}"]
    call("study", "show", "study.db", *FEW, "--html", "o.html", "--plot", "o.svg")
    page = (tmp_path / "o.html").read_text(encoding="utf-8")
    parser = Tags()
    parser.feed(page)
    assert parser.tags.count("script") == 2
    assert not {"img", "b1", "bold"} & set(parser.tags)
    assert parser.tags.count("h1") == 1
    for words in ("--markdown", "--latex"):
        text = call("study", "show", "study.db", *FEW, words).out
        assert all(line.isprintable() for line in text.split("\n"))
