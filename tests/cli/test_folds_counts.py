"""`likelier folds`: counts and predictions of folds, the Bayes test in every form."""

import json
import random
import re

import pytest
from tests.cli.conftest import table

import likelier as lk
from likelier.designs import effective_share
from likelier.readers.fold_counts import read_counts

HEADER = ("system", "repetition", "fold", "tp", "fp", "fn")
F1 = ("folds", "c.csv", "--metric", "f1")


def rows(systems=("old", "new"), m=3):
    """Folds with as much gold; each further system is better."""
    return [
        [
            system,
            i // 2 + 1,
            i % 2 + 1,
            70 + 4 * index + i % 3,
            20 - index,
            30 - 4 * index - i % 3,
        ]
        for index, system in enumerate(systems)
        for i in range(2 * m)
    ]


@pytest.fixture
def counted(folder):
    (folder / "c.csv").write_text(table(rows(), HEADER))
    (folder / "three.csv").write_text(table(rows(("old", "new", "last")), HEADER))
    hold_out = [["a", 80, 20, 10], ["b", 85, 15, 5]]
    (folder / "h.csv").write_text(table(hold_out, ("system", "tp", "fp", "fn")))
    rng = random.Random(1)
    gold = [rng.choice("yn") for _ in range(80)]
    lines = []
    for repetition in (1, 2, 3):
        for i, label in enumerate(gold):
            first = rng.choice([label, label, "y"])
            second = rng.choice([first, first, label])
            fold = (i >> repetition) % 2 + 1
            lines.append([f"i{i}", repetition, fold, label, first, second])
    header = ("id", "repetition", "fold", "gold", "a", "b")
    (folder / "p3.csv").write_text(table(lines, header))
    return folder


# Documents by their words; files of other content have other names.
DOCUMENTS = {}


@pytest.fixture
def document(counted, call):
    """Read the JSON of a call; the same words are called once."""

    def document(*words, anew=False):
        if anew or words not in DOCUMENTS:
            ended = call(*words, "--json", "-")
            assert (ended.code, ended.err) == (0, "")
            DOCUMENTS[words] = ended.out
        return json.loads(DOCUMENTS[words])

    return document


@pytest.fixture
def one(document):
    """The only comparison of a document."""

    def one(*words, **settings):
        (result,) = document(*words, **settings)["comparisons"]
        return result

    return one


# --- what is answered -----------------------------------------------------------


def test_json_has_one_comparison_per_metric(document):
    result = document("folds", "c.csv")
    assert list(result) == ["schema", "kind", "comparisons"]
    assert (result["schema"], result["kind"]) == (2, "comparisons")
    actual = result["comparisons"]
    assert [part["metric"] for part in actual] == ["precision", "recall", "f1"]
    for part in actual:
        assert part["kind"] == "comparison"
        assert part["systems"] == ["old", "new"]
        assert part["items"] == 6
        tested = part["hypotheses"]
        assert set(tested) >= {"h0", "h1", "decision"}
        assert tested["h0"] + tested["h1"] == pytest.approx(1, abs=1e-12)
        assert tested["decision"] == ("H1" if tested["h1"] > tested["h0"] else "H0")
        assert part["verdict"]["rule"] == "bayes-test"
        assert part["method"]["name"] == "independent"
        assert part["difference"]["mcse"] == 0
        assert part["findings"] == []


def test_one_metric_stands_in_a_list_too(document):
    assert len(document(*F1)["comparisons"]) == 1


def test_numbers_are_those_of_the_library(one, counted):
    reading = read_counts("c.csv")
    result = lk.compare_folds(reading.outcomes, metric="f1", repetitions=3)
    assert one(*F1) == json.loads(json.dumps(result.to_dict()))


def test_text_of_one_metric(counted, call):
    ended = call(*F1)
    assert (ended.code, ended.err) == (0, "")
    answer, _, tested, sure, systems, recipe, *rest = ended.out.splitlines()
    assert answer.startswith("≳ new is more probably better than old")
    assert re.fullmatch(
        r"  P\(H0, not better\) 0\.\d+    P\(H1, better\) 0\.\d+    accept H1", tested
    )
    assert sure.startswith("  worse ")
    assert "6 folds" in systems
    assert recipe.startswith("  recipe: likelier ")
    assert (
        f"3x2 folds rho1 0-0.5 rho2 0.25-0.5 share {effective_share(3):.8g}" in recipe
    )
    assert rest == []


def test_table_of_three_metrics(counted, call):
    ended = call("folds", "c.csv")
    assert (ended.code, ended.err) == (0, "")
    head, *result = ended.out.splitlines()
    assert head.split()[-3:] == ["P(H0)", "P(H1)", "accept"]
    assert [line.split()[0] for line in result[:3]] == ["precision", "recall", "F1"]
    assert all(line.split()[-1] in ("H0", "H1") for line in result[:3])
    assert "recipe: " in ended.out


def test_latex_and_markdown(counted, call):
    words = ("folds", "c.csv", "--metric", "recall,f1")
    latex = call(*words, "--latex")
    assert (latex.code, latex.err) == (0, "")
    assert latex.out.count(r"\\") == 3
    assert r"P(H0) & P(H1) & accept \\" in latex.out
    assert latex.out.startswith("% new is more probably better than old on recall")
    assert "\n% likelier " in latex.out
    markdown = call(*words, "--markdown")
    assert markdown.code == 0
    assert "| P(H0) | P(H1) | accept |" in markdown.out
    assert "H1" in markdown.out


def test_page(counted, call):
    assert call(*F1, "--html", "o.html").code == 0
    assert "accept H1" in (counted / "o.html").read_text()


def drawn_words(path):
    return re.findall(r"<!-- (.*?) -->", path.read_text())


def test_plot_shows_the_variant_of_2015(counted, call):
    assert call("folds", "c.csv", "--plot", "o.svg").code == 0
    words = drawn_words(counted / "o.svg")
    for word in ("precision", "recall", "F1", "old", "new", "old (mean over folds)"):
        assert word in words


def test_plots_of_a_hold_out_have_both_systems_and_no_folds(counted, call):
    for name, start in (("o.png", b"\x89PNG"), ("o.svg", b"<?xml"), ("o.pdf", b"%PDF")):
        words = ("folds", "h.csv", "--metric", "recall", "--plot", name)
        assert call(*words).code == 0
        assert (counted / name).read_bytes().startswith(start)
    first = (counted / "o.svg").read_bytes()
    words = drawn_words(counted / "o.svg")
    assert {"a", "b"} <= set(words)
    assert not [word for word in words if "folds" in word]
    again = ("folds", "h.csv", "--metric", "recall", "--plot", "o.svg")
    assert call(*again).code == 0
    assert (counted / "o.svg").read_bytes() == first


def test_plot_of_one_metric_has_both_systems(counted, call):
    words = (*F1, "--plot", "o.svg")
    assert call(*words).code == 0
    assert {"old", "new"} <= set(drawn_words(counted / "o.svg"))
    assert call(*words, "--plot-kind", "posterior").code == 0


def test_plot_of_three_systems_names_them_all(counted, call):
    ended = call("folds", "three.csv", "--metric", "f1", "--plot", "o.svg")
    if ended.code == 2:  # a refusal is an answer too
        assert "two systems" in ended.err
    else:
        words = drawn_words(counted / "o.svg")
        assert {"old", "new", "last"} <= set(words)


# --- options -----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["hdi", "equal-tailed"])
def test_kinds_of_intervals(one, kind):
    result = one(*F1, "--interval", kind)
    for estimate in result["estimates"]:
        assert estimate["interval"]["kind"] == kind
    assert result["difference"]["interval"]["kind"] == "hdi"


def test_correlations(one):
    fixed = one(*F1, "--rho1", "1", "--rho2", "1")
    assert "rho1 1 rho2 1 share 0.16666667" in fixed["recipe"]
    ranged = one(*F1, "--rho1", "0,0.5", "--rho2", "0.25, 0.5")
    assert ranged == one(*F1)
    wide, narrow = (result["estimates"][0]["interval"] for result in (fixed, ranged))
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


def test_margin(one):
    plain, more, less = (
        one(*F1),
        one(*F1, "--margin", "0.05"),
        one(*F1, "--margin=-0.05"),
    )
    chances = [result["hypotheses"]["h1"] for result in (more, plain, less)]
    assert chances == sorted(chances)
    assert more["hypotheses"]["margin"] == 0.05
    assert more["hypotheses"]["decision"] == "H0"
    assert more["verdict"]["name"] == "more probably not better"
    assert more["probability"] == plain["probability"]


def test_methods(one):
    exact = one(*F1, "--method", "independent")
    few = ("--method", "monte-carlo", "--draws", "5000", "--seed", "0")
    drawn = one(*F1, *few)
    assert exact == one(*F1)
    assert drawn["method"]["name"] == "monte-carlo"
    assert (drawn["method"]["draws"], drawn["method"]["seed"]) == (5000, 0)
    h0 = exact["hypotheses"]["h0"]
    error = (h0 * (1 - h0) / 5000) ** 0.5
    assert abs(drawn["hypotheses"]["h0"] - h0) < 4 * error
    assert one(*F1, *few, anew=True) == drawn


@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_counts_of_folds_are_no_pairs(counted, refused, method):
    assert "independent" in refused(*F1, "--method", method, "--seed", "0")


def test_rope_and_mass(one):
    result = one(*F1, "--rope", "0.01", "--mass", "0.8")
    assert result["rope"] == [-0.01, 0.01]
    assert result["bayes_factor"] is None  # only `compare` can be asked for one
    assert result["difference"]["interval"]["mass"] == 0.8


def test_other_metrics(document):
    words = ("--metric", "fbeta,jaccard", "--beta", "2")
    few = ("--method", "monte-carlo", "--draws", "1000", "--seed", "0")
    result = document("folds", "c.csv", *words, *few)["comparisons"]
    assert [part["metric"] for part in result] == ["f2", "jaccard"]


def test_hold_out(one):
    result = one("folds", "h.csv", "--metric", "f1")
    assert "hold-out share 1" in result["recipe"]
    assert result["systems"] == ["a", "b"]
    assert result["hypotheses"]["h0"] == pytest.approx(0.08243, abs=1e-5)


def test_three_systems_against_the_first(document):
    result = document("folds", "three.csv", "--metric", "f1")["comparisons"]
    assert [part["systems"] for part in result] == [["old", "new"], ["old", "last"]]


def test_systems_are_chosen_in_a_table_of_counts(document):
    words = ("folds", "three.csv", "--metric", "f1", "--systems", "last,old")
    result = document(*words)["comparisons"]
    assert [part["systems"] for part in result] == [["last", "old"]]


def test_columns_of_a_table_of_counts_have_names_too(counted, one, folder):
    header = ("system", "run", "half", "tp", "fp", "fn")
    (folder / "n.csv").write_text(table(rows(), header))
    named = ("--repetition", "run", "--fold", "half", "--metric", "f1")
    assert one("folds", "n.csv", *named) == one(*F1)


def test_findings_are_printed(counted, call, document, folder):
    uneven = rows()
    for row in uneven:
        if row[1:3] == [1, 1]:
            row[5] += 4
    (folder / "u.csv").write_text(table(uneven, HEADER))
    result = document("folds", "u.csv")["comparisons"]
    for part in result:
        assert [finding["code"] for finding in part["findings"]] == ["LIK122"]
    assert call("folds", "u.csv").out.count("LIK122 note: ") == 1


# --- predictions of folds ----------------------------------------------------

PAIRED = ("folds", "p3.csv", "--metric", "f1", "--positive", "y", "--seed", "0")


def test_predictions_are_paired(one):
    result = one(*PAIRED, "--draws", "4000")
    assert result["method"]["name"] == "paired"
    assert result["items"] == 240
    assert f"share {effective_share(3):.8g}" in result["recipe"]
    alone = one(*PAIRED, "--method", "independent")
    assert alone["method"]["name"] == "independent"
    assert result["difference"]["sd"] < alone["difference"]["sd"]
    assert result["difference"]["value"] == alone["difference"]["value"]


def test_predictions_in_named_columns(one, folder):
    text = (folder / "p3.csv").read_text()
    (folder / "q.csv").write_text(
        text.replace("repetition,fold,gold", "run,half,truth")
    )
    named = ("--repetition", "run", "--fold", "half", "--gold", "truth")
    few = ("--draws", "1000")
    words = ("folds", "q.csv", *PAIRED[2:], *named, *few)
    assert one(*words, "--systems", "a,b") == one(*PAIRED, *few)
    turned = one(*words, "--systems", "b,a")
    assert turned["systems"] == ["b", "a"]


def test_predictions_are_drawn(counted, call):
    assert call(*PAIRED, "--draws", "2000", "--plot", "o.png").code == 0
    assert (counted / "o.png").read_bytes().startswith(b"\x89PNG")


# --- the gate ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("hypotheses.h1 > 0.9", 0),
        ("hypotheses.h0 < 0.1 and P(better) > 0.9", 0),
        ("hypotheses.h1 > 0.99999", 3),
        ("hypotheses.h0 > 0.5", 3),
        ("verdict == 'more probably better'", 0),
        ("hypotheses.margin == 0", 0),
    ],
)
def test_conditions_on_the_hypotheses(counted, call, condition, code):
    ended = call("folds", "h.csv", "--metric", "f1", "--fail-unless", condition)
    assert ended.code == code
    assert "P(H1, better)" in ended.out


def test_a_bayes_test_is_not_asked_for_better(counted, refused):
    words = ("folds", "h.csv", "--metric", "f1", "--fail-unless", "verdict == 'better'")
    assert "Bayes test" in refused(*words)


def test_every_metric_must_hold(counted, call):
    words = ("folds", "h.csv", "--fail-unless", "hypotheses.h1 > 0.9")
    assert call(*words, "--metric", "recall,f1").code == 0
    assert call(*words, "--metric", "recall,precision").code == 3
    sure = (*words, "--metric", "recall,precision", "--mass", "0.8")
    assert call(*sure).code == 1


def test_decisions_are_no_numbers(counted, refused):
    words = ("--fail-unless", "hypotheses.decision == 1")
    assert "must name a number" in refused(*F1, *words)


# --- what is refused ---------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rho1", "x"), "rho1 must be a number, or LOW,HIGH; got 'x'"),
        (("--rho2", "0,0.1,0.2"), "rho2 must be a number or (low, high) within 0"),
        (("--rho1", "0.5,0"), "rho1 must be a number or (low, high) within 0 and 1"),
        (("--rho2", "2"), "rho2 must be"),
        (("--rho2", "nan"), "rho2 must be"),
        (("--margin", "nan"), "margin must be a finite number"),
        (("--mass", "1"), "mass must lie strictly between 0 and 1"),
        (("--interval", "confidence"), "interval must be one of equal-tailed, hdi"),
        (("--method", "bootstrap"), "method must be one of"),
        (("--method", "nope"), "method must be one of"),
        (("--rope", "x"), "rope must be a number"),
        (("--rule", "nope"), "rule must be one of"),
        (("--plot-kind", "nope"), "plot-kind must be one of data-sets, densities"),
        (("--metric", "nope"), "metric must be one of"),
        (("--metric", "accuracy"), "accuracy needs the statistics"),
        (("--beta", "2"), "beta and alpha must come with the metric fbeta"),
        (("--plot", "o.jpg"), "plot must end in"),
        (("--json", "c.csv"), "must not be an input and an output"),
        (("--json", "-", "--latex"), "Only one of"),
        (("--seed", "-1"), "seed must be"),
    ],
)
def test_settings(counted, refused, words, message):
    assert message in refused(*F1, *words)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("new,3,2,-1,1,1", "c.csv:13: tp must be a count from 0 to 1e12; got '-1'"),
        ("new,3,2,1,x,1", "c.csv:13: fp must be a count from 0 to 1e12; got 'x'"),
        ("new,3,2,1,1,nan", "c.csv:13: fn must be a count from 0 to 1e12; got 'nan'"),
        ("new,3,2,1,1,", "c.csv:13: fn must be a count from 0 to 1e12"),
        ("new,3,1,1,1,1", "'new', repetition 3, fold 1 is given twice"),
        ("new,3,3,1,1,1", "missing: "),
        (",3,2,1,1,1", "c.csv:13: column 'system' must have a value"),
        ("new,3,2,1,1", "c.csv:13"),
    ],
)
def test_rows(counted, refused, folder, line, message):
    lines = (folder / "c.csv").read_text().splitlines()
    (folder / "c.csv").write_text("\n".join([*lines[:-1], line]) + "\n")
    assert message in refused(*F1)


def test_more_right_than_gold(counted, refused, folder):
    text = "system,gold,predicted,correct\na,10,20,11\nb,10,20,9\n"
    (folder / "t.csv").write_text(text)
    message = refused("folds", "t.csv")
    assert "t.csv:2: correct must be at most gold; got 11 of 10." in message


def test_missing_folds(counted, refused, folder):
    (folder / "c.csv").write_text(table(rows()[:-1], HEADER))
    assert "missing: 'new, repetition 3, fold 2'" in refused(*F1)


def test_one_system(counted, refused, folder):
    (folder / "c.csv").write_text(table(rows(("old",)), HEADER))
    assert "There must be two systems; got old." in refused(*F1)


def test_no_rows_and_no_file(counted, refused, folder):
    (folder / "c.csv").write_text(table([], HEADER))
    assert "at least one item" in refused(*F1)
    (folder / "c.csv").write_text("")
    assert "it is empty" in refused(*F1)
    assert "there is none of that name" in refused("folds", "nothing.csv")


def test_neither_counts_nor_predictions(counted, refused):
    assert "must have the column 'repetition'" in refused("folds", "p.csv")


def test_metrics_without_a_law_get_a_cure_that_works(counted, refused):
    message = refused("folds", "c.csv", "--metric", "mcc")
    assert "mcc" in message
    # Counts of folds have no pairs to compare.
    assert "paired" not in message


OF_SCORES = {
    "--dataset": ["d"],
    "--run": ["repetition"],
    "--system": ["system"],
    "--score": ["auc"],
    "--test-share": ["0.5"],
    "--lower-is-better": [],
    "--higher-is-better": [],
}


@pytest.mark.parametrize("option", OF_SCORES)
def test_options_of_scores_are_not_for_counts(counted, refused, option):
    message = refused(*F1, option, *OF_SCORES[option])
    assert f"{option} must come with scores of folds" in message
    assert "must come with scores of folds" in refused(
        *PAIRED, option, *OF_SCORES[option]
    )


def test_gold_is_a_column_of_predictions(counted, refused):
    assert "--gold must come with predictions of folds" in refused(*F1, "--gold", "x")


def test_a_rule_of_ones_own(one):
    assert one(*F1, "--rule", "hdi-rope")["verdict"]["rule"] == "hdi-rope"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (("system", "repetition", "fold", "TP", "fp", "fn"), "the column 'tp'"),
        (("system", "repetition", "fold", "hits", "fp", "fn"), "the column 'tp'"),
        (("model", "repetition", "fold", "tp", "fp", "fn"), "the column 'system'"),
    ],
)
def test_counts_are_recognised_by_their_columns(
    counted, refused, folder, header, message
):
    (folder / "c.csv").write_text(table(rows(), header))
    assert f"c.csv must have {message}" in refused(*F1)
