"""Wrong input: one paragraph on stderr, exit 2, no traceback and no file."""

import json
import os

import pytest
from tests.cli.conftest import COMPARE, FEW, SPAM

from likelier.report import document

ACCURACY = ("--metric", "accuracy", *FEW)
EVERY = ("--json", "o.json", "--html", "o.html", "--plot", "o.png")


def test_missing_file(refused):
    message = refused("compare", "pp.csv", *ACCURACY, *EVERY)
    assert "pp.csv must be a file; there is none of that name." in message
    assert "Hint: Did you mean 'p.csv'?" in message


def test_folder(refused):
    assert "must hold a log of an evaluation tool" in refused("compare", ".", *ACCURACY)


CONTENTS = {
    "empty": ("", "t.csv must hold a table; it is empty."),
    "blank": ("\n\n", "t.csv must hold a table; it is empty."),
    "header-only": ("gold,a,b\n", "at least one item; it has only a header"),
    "double-column": ("gold,a,a\nx,y,z\n", "must have different column names; 'a'"),
    "ragged": ("gold,a,b\nx,y\n", "t.csv:2: "),
    "open-quote": ('gold,a,b\nx,y,z\nx,"y,z\n', "t.csv:3: "),
    "not-utf8": (b"gold,a,b\nx,\xff,z\n", "t.csv:2: text must be UTF-8"),
    "empty-label": ("gold,a,b\nx,,z\n", "t.csv:2"),
    "one-system": ("gold,a\nx,x\n", "There must be two systems; got a."),
    "guessed-system": ("gold,a,b\nx,x,7\n", "'b' never holds a gold label"),
    "no-system": ("gold\nx\n", "must have a column for each system"),
    "broken-jsonl": ('{"gold": "x", "a": "x", "b": "x"}\n{"gold": \n', "t.csv:2: "),
    "array": ('[{"gold": "x"}]', "must have a column for each system"),
    "web-page": ("<!DOCTYPE html>\n<html>", "it is a web page (HTML)"),
    "nan-jsonl": ('{"gold": NaN, "a": "x", "b": "x"}\n', "t.csv:1"),
    "double-key": ('{"gold": "x", "gold": "y", "a": "x", "b": "x"}\n', "t.csv:1"),
    "null-label": ('{"gold": null, "a": "x", "b": "x"}\n', "t.csv:1"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_bad_files(folder, refused, name):
    content, message = CONTENTS[name]
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / "t.csv").write_bytes(raw)
    assert message in refused("compare", "t.csv", *ACCURACY, *EVERY)


@pytest.mark.parametrize(
    "cell", ["NaN", "nan", "inf", "-inf", "1e999", "text", "", "1,5"]
)
@pytest.mark.parametrize("command", ["compare", "estimate"])
def test_scores_that_are_no_numbers(folder, refused, command, cell):
    (folder / "t.csv").write_text(f'a,b\n1,2\n1,"{cell}"\n')
    message = refused(command, "t.csv", "--metric", "mean", *FEW)
    assert "Column 'b' of t.csv must have a finite number" in message
    assert "t.csv:3" in message


@pytest.mark.parametrize("scale", ["1e308", "1e200"])
def test_scores_too_large_to_add_up(folder, call, scale):
    (folder / "t.csv").write_text(f"a,b\n{scale},-{scale}\n-{scale},{scale}\n5,6\n")
    ended = call("compare", "t.csv", "--metric", "mean", *FEW, "--json", "-")
    assert ended.code in (0, 2)
    if ended.code == 0:
        assert json.loads(ended.out)["metric"] == "mean"


COLUMNS = {
    "gold": ("--gold", "truth", "--systems", "a,b"),
    "systems": ("--systems", "a,B"),
    "id": ("--id", "ID", "--systems", "a,b"),
    "cluster": ("--cluster", "document", "--systems", "a,b"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_no_such_column(refused, name):
    message = refused("compare", "p.csv", *ACCURACY, *COLUMNS[name])
    assert "must have the column" in message
    assert "it has 'id', 'gold', 'a', 'b', 'c', 'doc'" in message


def test_no_such_column_in_files_of_systems(refused):
    files = ("compare", "gold.jsonl", "a.jsonl", "b.jsonl")
    assert "'number'" in refused(*files, "--id", "number", *ACCURACY)
    message = refused(*files, "--id", "id", "--label", "answer", *ACCURACY)
    assert "'answer'" in message
    assert "id must name the column" in refused(*files, *ACCURACY)


def ids(folder, names):
    for name in ("gold", "a", "b"):
        lines = [json.dumps({"id": i, "label": "x"}) + "\n" for i in names[name]]
        (folder / f"{name}.jsonl").write_text("".join(lines))
    return ("compare", "gold.jsonl", "a.jsonl", "b.jsonl", "--id", "id", *ACCURACY)


def test_unequal_ids(folder, refused):
    words = ids(folder, {"gold": "1234567", "a": "1234567", "b": "7"})
    message = refused(*words)
    assert "b.jsonl must have the ids of gold.jsonl; 6 missing: " in message
    assert "'1', '2', '3', '4', '5' and 1 more" in message
    words = ids(folder, {"gold": "12", "a": "123", "b": "12"})
    assert "gold.jsonl must have the ids of a.jsonl; 1 missing: '3'" in refused(*words)


def test_a_table_without_a_metric_is_led_to_the_doctor(folder, refused):
    (folder / "t.csv").write_text("gold,a,b\nx,x,y\n")
    assert "likelier doctor says which fit" in refused("compare", "t.csv")


def test_a_metric_that_is_none_of_texts_has_their_names(folder, refused):
    (folder / "t.txt").write_text("a b\n")
    message = refused("text", "t.txt", "t.txt", "--metric", "rouge")
    assert "must be a metric of texts: bleu, chrf" in message


def test_double_ids(folder, refused):
    words = ids(folder, {"gold": "12", "a": "122", "b": "12"})
    message = "Column 'id' of a.jsonl must have each id once; twice: '2'."
    assert message in refused(*words)
    (folder / "t.csv").write_text("id,gold,a,b\n1,x,x,x\n1,x,x,x\n")
    assert "twice: '1'" in refused("compare", "t.csv", "--id", "id", *ACCURACY)


SETTINGS = {
    "metric": (("--metric", "nope"), "metric must be one of accuracy, "),
    "no-metric": (("--metric", ","), "metric must name at least one metric"),
    "mixed-metrics": (("--metric", "f1,mean"), "must be of one kind of data"),
    "method": (
        ("--method", "nope"),
        "method must be one of independent, monte-carlo, paired, unpaired",
    ),
    "prior": (
        ("--prior", "nope"),
        "prior must be one of bootstrap, extremes, objective, sw",
    ),
    "rule": (
        ("--rule", "nope"),
        "rule must be one of bayes-test, hdi-rope, region-mass",
    ),
    "rule-null": (("--rule", "nope", "--method", "bootstrap"), "--rule must come with"),
    "mass-null": (("--mass", "2", "--method", "bootstrap"), "--mass must come with"),
    "positive": (("--positive", "nope"), "positive must be one of ham, spam; got 'no"),
    "positive-case": (("--positive", "Spam"), "one of ham, spam; got 'Spam'"),
    "rope-negative": (("--rope", "-0.1"), "rope must be a half width of at least 0"),
    "rope-reversed": (("--rope", "0.1,-0.1"), "rope must be a half width"),
    "rope-above": (("--rope", "0.1,0.2"), "with 0 between them"),
    "rope-three": (("--rope", "-1,0,1"), "rope must be a half width"),
    "rope-nan": (("--rope", "nan"), "rope must be a half width"),
    "rope-inf": (("--rope", "inf"), "rope must be a half width"),
    "rope-text": (("--rope", "small"), "rope must be a number, or LOW,HIGH; got 'sm"),
    "rope-percent": (("--rope", "1%"), "got '1%'.\n\nHint: Write --rope 0.01."),
    "rope-percents": (("--rope", "-1 %,.5%"), "Hint: Write --rope -0.01,0.005."),
    "rope-empty": (("--rope", ""), "rope must be a number, or LOW,HIGH; got ''"),
    "rope-null": (
        ("--rope", "0.1", "--method", "bootstrap"),
        "--rope must come with a method that has a posterior; got '0.1'.",
    ),
    "prior-null": (
        ("--prior", "uniform", "--method", "bootstrap"),
        "--prior must come with a method that has a posterior; got 'uniform'.",
    ),
    "strength-null": (
        ("--strength", "1", "--method", "mcnemar"),
        "--strength must come with a method that has a posterior",
    ),
    "factor-null": (
        ("--factor", "point", "--method", "sign"),
        "--factor must come with a method that has a posterior",
    ),
    "prior-exact": (
        ("--prior", "uniform", "--method", "independent"),
        "prior and strength must come with the method paired or unpaired",
    ),
    "mass-0": (("--mass", "0"), "mass must lie strictly between 0 and 1; got 0.0"),
    "mass-1": (("--mass", "1"), "mass must lie strictly between 0 and 1"),
    "mass-2": (("--mass", "2"), "mass must lie strictly between 0 and 1"),
    "mass-nan": (("--mass", "nan"), "mass must lie strictly between 0 and 1"),
    "draws-0": (("--draws", "0"), "draws must be a whole number of at least 1; got 0"),
    "draws-1": (("--draws", "-1"), "draws must be a whole number of at least 1"),
    "draws-many": (("--draws", "1e12"), "draws must be at most 100,000,000; got 1,0"),
    "mass-narrow": (("--mass", "1e-9"), "mass must lie from 0.01 to 0.9999; got 1e-09"),
    "mass-wide": (("--mass", "0.9999999"), "mass must lie from 0.01 to 0.9999; got 0."),
    "seed": (("--seed", "-1"), "seed must be a whole number of at least 0; got -1"),
    "same-system": (("--systems", "a,a"), "systems must be different; 'a'"),
    "one-system": (("--systems", "a"), "There must be two systems; got a."),
    "no-systems": (("--systems", ","), "at least one system; got none"),
    "gold-as-system": (("--systems", "a,gold"), "'gold' has several"),
    "fbeta": (("--metric", "fbeta"), "fbeta must have either beta or alpha"),
    "fbeta-both": (("--metric", "fbeta", "--beta", "1", "--alpha", ".5"), "either"),
    "beta-negative": (("--metric", "fbeta", "--beta", "-1"), "beta must be a number"),
    "beta-nan": (("--metric", "fbeta", "--beta", "nan"), "beta must be a number"),
    "alpha-0": (("--metric", "fbeta", "--alpha", "0"), "alpha must be above 0"),
    "beta-unused": (("--beta", "2"), "beta"),
    "alpha-unused": (("--alpha", "0.3"), "alpha"),
    "linear": (("--method", "mcnemar"), "f1 must be a sum over items"),
    "separator": (("--separator", ""), "separator must not be empty"),
    "sets": (("--sets",), "separator must be given"),
    "plot-null": (("--plot", "o.png", "--method", "bootstrap"), "have a posterior"),
    "plot-kind": (("--plot-kind", "nope"), "plot-kind must be one of densities, fact"),
    "plot-width": (("--plot-width", "wide"), "plot-width must be one of column, page"),
    "plot-kind-many": (
        ("--plot", "o.png", "--plot-kind", "factor", "--metric", "f1,recall"),
        "plot-kind must be one of densities, intervals; got 'factor'",
    ),
    "plot-txt": (("--plot", "o.txt"), "plot must end in .png, .svg, .pdf; got o.txt"),
    "plot-none": (("--plot", "o"), "plot must end in .png, .svg, .pdf; got o."),
    "json-folder": (
        ("--json", "no/o.json"),
        "no/o.json must be in a folder that exists; no does not",
    ),
    "html-folder": (
        ("--html", "no/o.html"),
        "no/o.html must be in a folder that exists",
    ),
    "plot-folder": (("--plot", "no/o.png"), "no/o.png must be in a folder that exists"),
    "json-is-folder": (("--json", "."), "must be a file to write; it is a folder"),
    "same-output": (("--json", "o", "--html", "o"), "must have a file of its own"),
    "same-output-dot": (("--json", "o", "--html", "./o"), "a file of its own"),
    "same-output-up": (("--json", "o", "--html", "sub/../o"), "a file of its own"),
    "output-is-input": (("--json", "p.csv"), "p.csv"),
    "html-is-input": (("--html", "p.csv"), "p.csv"),
    "json-and-markdown": (("--json", "-", "--markdown"), "Only one of --json -"),
    "json-and-latex": (("--json", "-", "--latex"), "Only one of --json -"),
    "markdown-and-latex": (("--markdown", "--latex"), "Only one of --json -"),
    "gate": (("--fail-unless", "P(better)"), "condition must read like"),
    "gate-name": (("--fail-unless", "foo > 1"), "must name a number of the result"),
    "gate-null": (
        ("--fail-unless", "P(better) > 0", "--method", "bootstrap"),
        "must name a number of the result",
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_bad_settings(folder, refused, name):
    (folder / "sub").mkdir()
    words, message = SETTINGS[name]
    outputs = () if {"--json", "--html", "--plot"} & set(words) else EVERY
    if "--markdown" in words:
        outputs = ()
    if "--method" in words:
        outputs = outputs[:-2]  # a null test has no plot
    assert message in refused(*SPAM, *words, *outputs)


ESTIMATE = ("estimate", "p.csv", "--systems", "a", "--metric", "accuracy")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--interval", "nope"),
            "interval must be one of confidence, equal-tailed, hdi",
        ),
        (("--mass", "2"), "mass must lie strictly"),
        (("--seed", "-1"), "seed must be a whole number of at least 0"),
        (("--draws", "0"), "draws must be a whole number of at least 1"),
        (("--metric", "f1"), "f1 must know which label is the positive class"),
        (("--json", "no/o"), "must be in a folder that exists"),
        (("--json", "p.csv"), "p.csv"),
    ],
)
def test_bad_settings_of_estimates(refused, words, message):
    assert message in refused(*ESTIMATE, *words)


def test_no_positive_class_lists_the_labels(refused):
    message = refused(*COMPARE)
    assert "must know which label is the positive class" in message
    assert "the labels are ham, spam" in message
    assert "--positive" in message


def test_an_output_that_fails_leaves_the_old_files(folder, refused, monkeypatch):
    for name in ("o.json", "o.html", "o.png"):
        (folder / name).write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "must be writable; No space left" in refused(*SPAM, *EVERY)


def test_pipes_are_no_outputs(folder, refused):
    os.mkfifo(folder / "pipe")
    assert "pipe" in refused(*SPAM, "--json", "pipe")
    assert (folder / "pipe").is_fifo()


def test_nothing_is_written_where_the_condition_is_wrong(folder, refused, monkeypatch):
    monkeypatch.setattr(document, "write_whole", pytest.fail)
    refused(*SPAM, *EVERY, "--fail-unless", "nonsense")


USAGE = [
    ("compare",),
    ("compare", "--metric", "f1"),
    ("compare", "p.csv", "--metric"),
    (*SPAM, "--nope"),
    (*SPAM, "--draws", "many"),
    (*SPAM, "--draws", "1.5"),
    (*SPAM, "--seed", "x"),
    (*SPAM, "--mass", "x"),
    ("estimate",),
    ("nope",),
]


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_wrong_usage_is_2(folder, call, words):
    ended = call(*words)
    assert ended.code == 2
    assert ended.out == ""
    assert "Error: " in ended.err
    assert "Traceback" not in ended.err


HOSTILE = ["\x1b[31mred", "a\nb", "\x07", "\u202ex", "\x9b31m", "a\rb"]


def assert_clean(text):
    assert all(line.isprintable() for line in text.split("\n")), ascii(text)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_messages_let_no_control_characters_out(folder, refused, name):
    lines = [{"gold": name, "a": name, "b": "x"}, {"gold": "y", "a": "y", "b": "y"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "t.jsonl").write_text(text)
    words = ("compare", "t.jsonl", "--metric", "f1", *FEW)
    assert_clean(refused(*words))
    assert_clean(refused(*words, "--positive", "nope"))
    assert_clean(refused(*words, "--positive", name, "--systems", "a"))
    assert_clean(refused(*words, "--positive", name, "--systems", f"{name},b"))
    assert_clean(refused("compare", f"no{name}", *ACCURACY))
    assert_clean(refused(*SPAM, "--json", f"no{name}/o"))
    assert_clean(refused(*SPAM, "--plot", f"o{name}"))
    assert_clean(refused(*SPAM, "--fail-unless", name))


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_one_system_with_a_hostile_name(folder, refused, name):
    (folder / "t.jsonl").write_text(json.dumps({"gold": "x", name: "x"}) + "\n")
    message = refused("compare", "t.jsonl", *ACCURACY)
    assert "There must be two systems" in message
    assert_clean(message)


def test_file_names_that_are_not_utf8(folder, call):
    raw = os.fsencode(folder) + b"/\xff.jsonl"
    os.rename(folder / "a.jsonl", raw)  # noqa: PTH104 (a path of bytes)
    words = ("compare", "gold.jsonl", "b.jsonl", os.fsdecode(raw), "--id", "id")
    ended = call(*words, *ACCURACY, "--json", "o.json")
    assert ended.code in (0, 2)
    if ended.code == 0:
        json.loads((folder / "o.json").read_text(encoding="utf-8"))


def test_scores_take_no_gold_column(folder, refused):
    (folder / "s.csv").write_text("y,a,b\n1,0.5,0.6\n0,0.4,0.6\n")
    for command in ("compare", "estimate", "rank"):
        words = (command, "s.csv", "--systems", "a,b", "--metric", "mean")
        message = refused(*words, "--gold", "y")
        assert "--gold must come with a metric of labels; got 'y'" in message


def test_labels_that_never_meet_stop_a_gate(folder, refused):
    rows = "".join(f"{i % 2},{i % 2}.0,{i % 2}\n" for i in range(30)) + "1,none,1\n"
    (folder / "n.csv").write_text(f"gold,a,b\n{rows}")
    words = ("compare", "n.csv", "--systems", "a,b", "--metric", "accuracy")
    message = refused(*words, "--fail-unless", "P(better) > 0.9")
    assert "The same numbers are written differently: '0.0', '0'" in message


def test_names_that_the_system_refuses(folder, refused):
    (folder / "dangling").symlink_to("nowhere/x.csv")
    (folder / "loop").symlink_to("loop2")
    (folder / "loop2").symlink_to("loop")
    long = "n" * 300
    assert "a link to nowhere/x.csv, and there is none" in refused(
        "compare", "dangling", "--metric", "f1"
    )
    for name in ("loop", long):
        for command in (("compare", name, "--metric", "f1"), ("doctor", name)):
            assert name in refused(*command)
    for name in ("dangling", "loop", long):
        for option in ("--json", "--html"):
            assert name in refused(*SPAM, option, name)
    for words in (("doctor", "n" * 5_000), (*SPAM, "--json", "n" * 5_000)):
        assert len(refused(*words)) < 3_000


def test_half_a_surrogate_pair_is_no_list(folder, refused):
    row = {"gold": "\ud800", "a": "x", "b": "x"}
    (folder / "s.jsonl").write_text(json.dumps(row) + "\n")
    message = refused("compare", "s.jsonl", "--metric", "accuracy")
    assert "must be valid Unicode" in message
    assert "--sets" not in message
