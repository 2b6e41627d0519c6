"""The calls of the manual, every option, and the documented JSON."""

import json
import re

import pytest
from tests.cli.conftest import FEW, SPAM, items, table

import likelier as lk
from likelier.report import document as document_module

NUMBER = float
COMPARISON = {
    "schema": int,
    "kind": str,
    "systems": list,
    "metric": str,
    "positive": (str, type(None)),
    "higher_is_better": bool,
    "items": int,
    "units": int,
    "patterns": int,
    "estimates": list,
    "difference": {
        "value": NUMBER,
        "mean": NUMBER,
        "sd": NUMBER,
        "mcse": NUMBER,
        "interval": {"kind": str, "mass": NUMBER, "low": NUMBER, "high": NUMBER},
    },
    "probability": {"worse": NUMBER, "equivalent": NUMBER, "better": NUMBER},
    "rope": (list, type(None)),
    "bayes_factor": {
        "of": str,
        "bf01": NUMBER,
        "log10": NUMBER,
        "mcse": NUMBER,
        "label": str,
        "bound": str,
        "prior": str,
    },
    "verdict": {
        "symbol": str,
        "name": str,
        "rule": str,
        "open": bool,
        "reason": (str, type(None)),
    },
    "outlook": (dict, type(None)),
    "companions": list,
    "changes": dict,
    "confusion": {"classes": list, "first": list, "second": list},
    "method": {
        "name": str,
        "prior": str,
        "strength": NUMBER,
        "draws": int,
        "seed": int,
    },
    "recipe": str,
    "findings": list,
}
NULL_TEST = {
    "schema": int,
    "kind": str,
    "systems": list,
    "metric": str,
    "positive": (str, type(None)),
    "higher_is_better": bool,
    "items": int,
    "units": int,
    "patterns": int,
    "estimates": list,
    "difference": {"value": NUMBER},
    "p_value": NUMBER,
    "mcse": NUMBER,
    "statistic": {"name": str, "value": NUMBER},
    "alternative": str,
    "details": dict,
    "method": dict,
    "recipe": str,
    "findings": list,
}
ESTIMATE = {
    "schema": int,
    "kind": str,
    "systems": list,
    "metric": str,
    "positive": (str, type(None)),
    "higher_is_better": bool,
    "items": int,
    "units": int,
    "patterns": int,
    "value": NUMBER,
    "mean": NUMBER,
    "sd": NUMBER,
    "mcse": NUMBER,
    "interval": {"kind": str, "mass": NUMBER, "low": NUMBER, "high": NUMBER},
    "method": dict,
    "recipe": str,
    "findings": list,
}


def assert_shape(value, shape):
    if isinstance(shape, dict):
        assert list(value) == list(shape)
        for key, inner in shape.items():
            assert_shape(value[key], inner)
    elif shape is NUMBER:
        assert isinstance(value, int | float)
        assert not isinstance(value, bool)
    else:
        assert isinstance(value, shape)
        assert isinstance(value, bool) == (shape is bool)


@pytest.fixture
def document(call):
    """Run a command and read the JSON that it prints, and nothing else."""

    def document(*words):
        ended = call(*words, "--json", "-")
        assert (ended.code, ended.err) == (0, "")
        return json.loads(ended.out)

    return document


def test_wide_table(folder, call):
    ended = call(
        *["compare", "p.csv", "--gold", "gold", "--systems", "a,b", "--metric", "f1"],
        *["--positive", "spam", "--rope", "0.01", "--factor", "rope"],
    )
    assert (ended.code, ended.err) == (0, "")
    answer, strip, sure, systems, recipe, *rest = ended.out.splitlines()
    assert answer.startswith("≫ b is better than a on F1 (spam): 0.")
    assert "95 % HDI +0." in answer
    assert re.fullmatch(r"  worse ──\[·*│·*\]─*├━+●━+┤── better", strip)
    assert re.match(r"  worse .* %    equivalent .* % \(within ±0.01\)    better", sure)
    assert "evidence against equivalence: " in sure
    assert sure.endswith(", prior uniform)")
    assert "120 items, 8 patterns" in systems
    assert recipe.startswith("  recipe: likelier ")
    assert rest == []


def test_files_of_systems_joined_on_ids(folder, document):
    joined = document(
        *[
            "compare",
            "gold.jsonl",
            "a.jsonl",
            "b.jsonl",
            "--id",
            "id",
            "--label",
            "label",
        ],
        *["--metric", "macro_f1"],
        *FEW,
    )
    wide = document(
        *["compare", "p.csv", "--systems", "a,b", "--metric", "macro_f1"],
        *FEW,
    )
    assert joined == wide


def test_estimate_with_three_metrics(folder, call):
    words = [
        "estimate",
        "p.csv",
        "--gold",
        "gold",
        "--systems",
        "a,b",
        "--positive",
        "spam",
        "--metric",
    ]
    ended = call(*words, "f1,precision,recall")
    assert (ended.code, ended.err) == (0, "")
    head, *rows = ended.out.splitlines()
    assert head.split() == ["system", "metric", "value", "95", "%", "HDI", "items"]
    assert [(row.split()[0], row.split()[1]) for row in rows[:6]] == [
        (system, metric)
        for metric in ("F1", "precision", "recall")
        for system in ("a", "b")
    ]
    assert "recipe: likelier" in ended.out


def test_json_is_made_only_on_request(spam, monkeypatch):
    monkeypatch.setattr(document_module, "as_json", pytest.fail)
    monkeypatch.setattr(lk.Comparison, "to_dict", pytest.fail)
    assert spam("--rope", "0.01").code == 0


@pytest.mark.parametrize("kind", ["posterior", "factor"])
def test_kinds_of_plots(spam, folder, kind):
    words = ("--rope", "0.05", "--factor", "rope", "--plot-kind", kind)
    ended = spam(*words, "--plot", "o.png")
    assert (ended.code, ended.err) == (0, "")
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["intervals", "densities"])
def test_kinds_of_plots_of_several(spam, folder, kind):
    words = ("--metric", "f1,recall", "--plot", "o.png", "--plot-kind", kind)
    assert spam(*words).code == 0
    assert (folder / "o.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("width", "pixels"), [("column", 502), ("page", 1035)])
def test_plots_are_as_wide_as_a_column_or_a_page(spam, folder, width, pixels):
    assert spam("--plot", "o.png", "--plot-width", width).code == 0
    start = (folder / "o.png").read_bytes()[16:20]
    assert int.from_bytes(start, "big") == pixels


def test_demo(folder, call):
    ended = call("demo", "there")
    assert (ended.code, ended.err) == (0, "")
    made = {path.name for path in (folder / "there").iterdir()}
    assert made == {
        "predictions.csv",
        "comparison.json",
        "report.html",
        "posterior.png",
    }
    again = re.search(r"\$ likelier (compare .*?--plot \S+)", ended.out, re.S)
    words = again[1].replace("\\\n", " ").split()
    before = {path: path.read_bytes() for path in (folder / "there").iterdir()}
    assert call(*words).code == 0
    assert {path: path.read_bytes() for path in (folder / "there").iterdir()} == before


def test_demo_needs_a_folder(refused):
    assert "p.csv must be a folder" in refused("demo", "p.csv")


def test_json_of_a_comparison_has_the_documented_shape(folder, document):
    result = document(*SPAM, "--rope", "0.01", "--factor", "rope")
    assert_shape(result, COMPARISON)
    assert result["schema"] == 2
    assert result["kind"] == "comparison"
    assert result["systems"] == ["a", "b"]
    assert (result["metric"], result["positive"]) == ("f1", "spam")
    assert result["items"] == result["units"] == 120
    assert result["rope"] == [-0.01, 0.01]
    assert sum(result["probability"].values()) == pytest.approx(1)
    assert [e["system"] for e in result["estimates"]] == ["a", "b"]
    for estimate in result["estimates"]:
        assert list(estimate) == ["system", "value", "interval"]
        assert estimate["interval"]["kind"] == "hdi"
        assert estimate["interval"]["low"] < estimate["interval"]["high"]
    first, second = (estimate["value"] for estimate in result["estimates"])
    assert result["difference"]["value"] == pytest.approx(second - first)
    verdict = {"symbol": "≫", "name": "better", "rule": "hdi-rope", "open": False}
    assert result["verdict"] == {**verdict, "reason": None}
    assert result["method"]["prior"] == "swap"
    assert result["bayes_factor"]["prior"] == "uniform"
    assert result["method"]["draws"] == 1000
    assert result["method"]["seed"] == 0


def test_json_without_a_rope_has_neither_rope_nor_factor(folder, document):
    result = document(*SPAM)
    assert list(result) == list(COMPARISON)
    assert result["rope"] is result["bayes_factor"] is None
    assert result["probability"]["equivalent"] == 0


def test_json_has_no_factor_unless_it_is_asked_for(folder, document):
    result = document(*SPAM, "--rope", "0.01")
    assert list(result) == list(COMPARISON)
    assert result["bayes_factor"] is None


NULL_METHODS = {
    "bootstrap": "f1",
    "randomization": "f1",
    "mcnemar": "accuracy",
    "mcnemar-midp": "accuracy",
    "sign": "accuracy",
    "s-test": "accuracy",
    "p-test": "accuracy",
}


@pytest.mark.parametrize(("method", "metric"), NULL_METHODS.items())
def test_json_of_a_null_test_has_the_documented_shape(folder, document, method, metric):
    result = document(*SPAM, "--metric", metric, "--method", method)
    assert_shape(result, NULL_TEST)
    assert result["kind"] == "null_test"
    assert 0 < result["p_value"] < 0.05
    assert f"| {method}" in result["recipe"]


@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_methods_with_a_posterior(folder, document, method):
    # With few draws a narrow rope leaves no factor to tell.
    words = ("--method", method, "--rope", "0.05", "--factor", "rope")
    words += ("--draws", "20000")
    result = document(*SPAM, *words)
    assert_shape(result, COMPARISON)
    assert result["method"]["name"] == method


def test_json_of_estimates_has_the_documented_shape(folder, document):
    result = document(
        "estimate", "p.csv", "--systems", "a,b", "--metric", "accuracy,mcc"
    )
    assert list(result) == ["schema", "kind", "estimates"]
    assert result["kind"] == "estimates"
    assert [(e["systems"], e["metric"]) for e in result["estimates"]] == [
        (["a"], "accuracy"),
        (["b"], "accuracy"),
        (["a"], "mcc"),
        (["b"], "mcc"),
    ]
    for estimate in result["estimates"]:
        assert_shape(estimate, ESTIMATE)


def test_a_single_estimate_stands_in_a_list_too(folder, document):
    result = document("estimate", "p.csv", "--systems", "a", "--metric", "accuracy")
    assert len(result["estimates"]) == 1


def test_three_systems_are_compared_with_the_first(folder, document):
    result = document(*SPAM, "--systems", "c,a,b")
    assert list(result) == ["schema", "kind", "comparisons"]
    assert result["kind"] == "comparisons"
    assert [c["systems"] for c in result["comparisons"]] == [["c", "a"], ["c", "b"]]
    alone = document(*SPAM, "--systems", "c,b")
    assert result["comparisons"][1] == alone


def test_all_columns_are_systems_where_none_is_named(folder, document):
    result = document(
        *["compare", "p.csv", "--metric", "accuracy", "--id", "id", "--cluster", "doc"],
        *FEW,
    )
    assert [c["systems"] for c in result["comparisons"]] == [["a", "b"], ["a", "c"]]


def test_several_metrics_and_null_tests(folder, document):
    result = document(*SPAM, "--metric", "f1,recall")
    assert [c["metric"] for c in result["comparisons"]] == ["f1", "recall"]
    result = document(*SPAM, "--metric", "f1, recall", "--method", "randomization")
    assert result["kind"] == "null_tests"
    assert [c["metric"] for c in result["null_tests"]] == ["f1", "recall"]


def test_table_of_several(folder, call):
    ended = call(*SPAM, "--metric", "f1,recall", "--systems", "a,b,c")
    head, *rows = ended.out.splitlines()
    assert head.split()[:4] == ["metric", "baseline", "candidate", "difference"]
    assert [row.split()[0] for row in rows[:4]] == ["F1", "F1", "recall", "recall"]


def test_order_of_systems_turns_the_sign(folder, document):
    there, back = document(*SPAM), document(*SPAM, "--systems", "b,a")
    assert there["difference"]["value"] == -back["difference"]["value"] > 0


def test_gold_and_names_of_columns(folder, document):
    rows = [row[1:4] for row in items()]
    (folder / "q.csv").write_text(table(rows, ("truth", "old model", "new,model")))
    result = document("compare", "q.csv", "--gold", "truth", "--metric", "mcc", *FEW)
    assert result["systems"] == ["old model", "new,model"]


def test_formats_give_the_same_answer(folder, document):
    assert document(*SPAM) == document(
        *("p.tsv" if word == "p.csv" else word for word in SPAM)
    )


def test_rope_as_a_number_and_as_two_ends(folder, document):
    assert document(*SPAM, "--rope", "0.02")["rope"] == [-0.02, 0.02]
    assert document(*SPAM, "--rope", "-0.01,0.02")["rope"] == [-0.01, 0.02]
    assert document(*SPAM, "--rope=-1e-2, 2e-2")["rope"] == [-0.01, 0.02]
    assert document(*SPAM, "--rope", "0")["rope"] == [0, 0]


def test_cluster(folder, document):
    result = document(*SPAM, "--cluster", "doc")
    assert (result["items"], result["units"]) == (120, 35)


@pytest.mark.parametrize(
    "words", [("--separator", ";"), ("--sets", "--separator", ";")]
)
def test_sets_of_labels(folder, document, words):
    result = document("compare", "m.csv", "--metric", "micro_f1", *words, *FEW)
    assert result["items"] == 60
    assert result["metric"] == "micro_f1"


def test_sets_in_lists(folder, document):
    lines = [
        {"gold": ["x"], "a": ["x", "y"], "b": []},
        {"gold": [], "a": [], "b": ["x"]},
    ]
    (folder / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = document("compare", "m.jsonl", "--sets", "--metric", "samples_f1", *FEW)
    assert result["items"] == 2


def test_scores(folder, document):
    result = document("compare", "s.csv", "--metric", "mean", "--rope", "0.01", *FEW)
    assert result["metric"] == "mean"
    assert result["difference"]["value"] > 0
    loss = document("compare", "s.csv", "--metric", "mean_loss", *FEW)
    assert loss["difference"]["value"] == -result["difference"]["value"]


def test_weights_of_fbeta(folder, document):
    by_beta = document(*SPAM, "--metric", "fbeta", "--beta", "2")
    assert by_beta == document(*SPAM, "--metric", "f2")
    by_alpha = document(*SPAM, "--metric", "fbeta", "--alpha", "0.5")
    assert by_alpha["metric"] == "f1"
    expected = document(*SPAM)["difference"]
    assert by_alpha["difference"]["value"] == expected["value"]
    assert by_alpha["difference"]["mean"] == pytest.approx(expected["mean"], rel=1e-12)


@pytest.mark.parametrize("prior", ["uniform", "objective", "bootstrap"])
@pytest.mark.parametrize("method", ["paired", "unpaired"])
def test_priors(folder, document, method, prior):
    result = document(*SPAM, "--method", method, "--prior", prior)
    assert (result["method"]["name"], result["method"]["prior"]) == (method, prior)
    strength = "" if prior == "bootstrap" else " strength=1"
    assert f"| {method} prior={prior}{strength} |" in result["recipe"]


@pytest.mark.parametrize("rule", ["hdi-rope", "zhang", "bayes-test", "regions"])
def test_rules(folder, document, rule):
    result = document(*SPAM, "--rule", rule, "--rope", "0.01")
    assert result["verdict"]["rule"] == rule
    assert f"rule {rule}" in result["recipe"]


@pytest.mark.parametrize("interval", ["hdi", "equal-tailed", "confidence"])
def test_intervals(folder, document, interval):
    words = ("estimate", "p.csv", "--systems", "a", "--metric", "accuracy", *FEW)
    result = document(*words, "--interval", interval)["estimates"][0]
    assert result["interval"]["kind"] == interval
    assert result["interval"]["low"] < result["value"] < result["interval"]["high"]


def test_mass(folder, document, call):
    wide, narrow = document(*SPAM, "--mass", "0.99"), document(*SPAM, "--mass", "0.5")
    for result, mass in ((wide, 0.99), (narrow, 0.5)):
        interval = result["difference"]["interval"]
        assert interval["mass"] == mass
    assert interval["low"] > wide["difference"]["interval"]["low"]
    assert "50 % HDI" in call(*SPAM, "--mass", "0.5").out


def test_draws(folder, document):
    assert document(*SPAM, "--draws", "77")["method"]["draws"] == 77
    assert document(*SPAM, "--draws", "1")["method"]["draws"] == 1


def test_identical_systems_have_a_defined_answer(folder, call, document):
    rows = [[gold, label, label] for _, gold, label, *_ in items(40)]
    (folder / "same.csv").write_text(table(rows, ("gold", "a", "b")))
    words = ("compare", "same.csv", "--metric", "accuracy", "--seed", "0")
    result = document(*words, "--rope", "0.01", "--factor", "rope")
    p = result["probability"]
    assert p["worse"] == pytest.approx(p["better"], abs=0.02)
    assert result["difference"]["value"] == 0
    assert result["bayes_factor"]["bf01"] >= 1
    assert [f["code"] for f in result["findings"]] == ["LIK106"]
    without = document(*words)["probability"]
    assert without["worse"] == pytest.approx(0.5, abs=0.02)
    bare = document(*words, "--prior", "bootstrap", "--rope", "0.01")
    assert bare["probability"] == {"worse": 0, "equivalent": 1, "better": 0}
    assert bare["verdict"]["name"] == "equivalent"
    assert "LIK106 warning: b and a never differ" in call(*words).out
    for method in NULL_METHODS:
        test = document(*words, "--method", method, "--draws", "200")
        assert test["p_value"] == 1, method


@pytest.mark.parametrize("metric", ["accuracy", "f1", "macro_f1", "mcc", "precision"])
def test_one_class_only(folder, document, metric):
    rows = [["y", "y", "y"]] * 30 + [["y", "y", "n"]] * 5
    (folder / "one.csv").write_text(table(rows, ("gold", "a", "b")))
    words = ("--metric", metric, "--positive", "y", *FEW)
    result = document("compare", "one.csv", *words)
    assert "LIK110" in [finding["code"] for finding in result["findings"]]
    assert result["items"] == 35


def test_one_class_and_no_other_label_anywhere(folder, document):
    (folder / "one.csv").write_text(table([["y", "y", "y"]] * 5, ("gold", "a", "b")))
    result = document("compare", "one.csv", "--metric", "accuracy", *FEW)
    assert [e["value"] for e in result["estimates"]] == [1, 1]
    assert result["difference"]["value"] == 0


def test_findings_are_printed(folder, call, document):
    rows = [["y", "y", "Y"], ["n", "n", "n"]]
    (folder / "few.csv").write_text(table(rows, ("gold", "a", "b")))
    words = ("compare", "few.csv", "--metric", "accuracy", *FEW)
    result = document(*words)
    for finding in result["findings"]:
        assert list(finding) == ["code", "severity", "message", "blocks"]
    assert {f["code"] for f in result["findings"]} == {"LIK101", "LIK107", "LIK113"}
    assert "\n  LIK107 note: predicted but never gold: 'Y'" in call(*words).out


def test_texts_are_no_system(folder, call):
    rows = [[f"what is {i}?", *row[1:4]] for i, row in enumerate(items())]
    (folder / "t.csv").write_text(table(rows, ("prompt", "gold", "a", "b")))
    (folder / "n.csv").write_text(table(rows, ("note", "gold", "a", "b")))
    words = ("--metric", "accuracy", *FEW)
    plain = call("compare", "t.csv", "--systems", "a,b", *words)
    assert plain.code == 0
    assert call("compare", "t.csv", *words).out == plain.out
    assert call("compare", "t.csv", "--text", "", *words).out == plain.out
    assert call("compare", "n.csv", "--text", "note", *words).out == plain.out
    assert call("rank", "n.csv", "--text", "note", *words).code == 0
    assert call("estimate", "n.csv", "--text", "note", *words).code == 0


def test_a_column_of_texts_must_be_there(refused):
    words = ("--systems", "a,b", "--metric", "accuracy", "--text", "dog")
    message = refused("compare", "p.csv", *words)
    assert "p.csv must have the column 'dog'" in message
    assert "Hint: Did you mean 'doc'?" in message
