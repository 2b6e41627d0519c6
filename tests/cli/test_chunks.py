"""Chunks on the command line: files of tags, schemes, and what they tell."""

import json
import random
import re

import pytest

from likelier.readers.conll import read_conll

FEW = ("--draws", "1000", "--seed", "0")
FILES = ("chunks", "gold.conll", "a.conll", "b.conll")
IOB2 = (*FILES, "--scheme", "iob2", *FEW)
OPTIONS = [
    *["--scheme", "--metric", "--systems", "--strict", "--match", "--only"],
    *["--documents", "--segmented", "--positive", "--rope", "--beta", "--alpha"],
    *["--each-class", "--method", "--prior", "--strength", "--factor", "--rule"],
    *["--mass", "--draws", "--seed", "--json", "--html", "--plot", "--markdown"],
    *["--latex", "--fail-unless", "--github", "--date", "--plot-width", "--help"],
]


def corpus(seed=2, n=60):
    """Sentences of four tokens; the second system is the better one."""
    rng = random.Random(seed)
    sentences = []
    for _ in range(n):
        sentence = []
        for _ in range(4):
            gold = rng.choice(["B-PER", "B-ORG", "O", "O"])
            first = gold if rng.random() < 0.7 else rng.choice(["O", "B-PER", "I-PER"])
            second = gold if rng.random() < 0.9 else "O"
            sentence.append((gold, first, second))
        sentences.append(sentence)
    return sentences


def conll(sentences, columns):
    """Write some columns of tags, with a document every ten sentences."""
    lines = []
    for i, sentence in enumerate(sentences):
        if i % 10 == 0:
            lines += [" ".join(["-DOCSTART-", *["O"] * len(columns)]), ""]
        for t, tags in enumerate(sentence):
            lines.append(" ".join([f"w{t}", *(tags[column] for column in columns)]))
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def tagged(folder):
    sentences = corpus()
    for index, name in enumerate(("gold", "a", "b")):
        (folder / f"{name}.conll").write_text(conll(sentences, [index]))
    (folder / "one.conll").write_text(conll(sentences, [0, 1, 2]))
    (folder / "gold.txt").write_text("我们 喜欢 北京\n你 好\n")
    (folder / "crf.txt").write_text("我们 喜 欢 北京\n你 好\n")
    (folder / "lstm.txt").write_text("我们喜欢 北京\n你好\n")
    return folder


@pytest.fixture
def document(tagged, call):
    def document(*words):
        ended = call(*words, "--json", "-")
        assert (ended.code, ended.err) == (0, "")
        return json.loads(ended.out)

    return document


def test_several_files(tagged, call):
    ended = call(*IOB2)
    assert (ended.code, ended.err) == (0, "")
    answer, _, _, systems, recipe, *rest = ended.out.splitlines()
    assert answer.startswith("≫ b is better than a on micro F1: 0.")
    assert "60 sentences" in systems
    assert "| chunks iob2 lenient |" in recipe
    assert rest == []


def test_one_file_gives_the_same(document):
    several = document(*IOB2)
    one = document("chunks", "one.conll", "--systems", "a,b", *IOB2[4:])
    assert one == several
    assert several["kind"] == "comparison"
    assert several["systems"] == ["a", "b"]
    assert several["metric"] == "micro_f1"
    assert several["items"] == 60


def test_values_are_those_of_the_reader(document, tagged):
    names = [f"{name}.conll" for name in ("gold", "a", "b")]
    sums = read_conll(names, scheme="iob2").sums()
    tp, fp, fn = (sums[name].sum(axis=1) for name in ("tp", "fp", "fn"))
    values = [estimate["value"] for estimate in document(*IOB2)["estimates"]]
    assert values == pytest.approx((2 * tp / (2 * tp + fp + fn)).tolist())


def test_systems_get_names(document):
    assert document(*IOB2, "--systems", "old, new")["systems"] == ["old", "new"]


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ((), "chunks iob2 lenient"),
        (("--strict",), "chunks iob2 strict"),
        (("--match", "exact"), "chunks iob2 lenient match=exact"),
        (("--only", "ORG"), "chunks iob2 lenient only=ORG"),
        (("--strict", "--only", "PER"), "chunks iob2 strict only=PER"),
        (("--strict", "--match", "exact"), "chunks iob2 strict match=exact"),
        (("--match", "partial"), "chunks iob2 lenient match=partial"),
        (("--match", "type"), "chunks iob2 lenient match=type"),
    ],
)
def test_recipe_names_the_scheme_and_the_mode(document, words, mode):
    assert f"| {mode} |" in document(*IOB2, *words)["recipe"]


def test_modes_change_the_numbers(document):
    values = {
        words: document(*IOB2, *words)["estimates"][0]["value"]
        for words in ((), ("--strict",), ("--match", "exact"), ("--only", "ORG"))
    }
    assert len(set(values.values())) == 4


def test_only_one_type_is_that_class(document):
    only = document(*IOB2, "--only", "ORG")
    positive = document(*IOB2, "--positive", "ORG")
    assert [e["value"] for e in only["estimates"]] == [
        e["value"] for e in positive["estimates"]
    ]
    assert positive["positive"] == "ORG"
    assert positive["metric"] == "f1"


def test_scheme_for_all_or_one_for_each(document):
    each = document(*FILES, "--scheme", "iob2, IOB2,iob2", *FEW)
    plain = document(*IOB2)
    assert each["difference"] == plain["difference"]
    mixed = document(*FILES, "--scheme", "iob2,iob2,iob1", *FEW)
    assert "chunks iob2,iob2,iob1 lenient" in mixed["recipe"]


def test_documents_are_clusters(document):
    result = document(*IOB2, "--documents")
    assert (result["items"], result["units"]) == (60, 6)
    assert result["difference"]["value"] == document(*IOB2)["difference"]["value"]
    codes = [finding["code"] for finding in result["findings"]]
    assert codes == ["LIK101", "LIK113"]
    bare = document(*IOB2, "--documents", "--prior", "bootstrap")
    codes = [finding["code"] for finding in bare["findings"]]
    assert codes == ["LIK101", "LIK111"]


def test_segmented_text(document):
    words = ("gold.txt", "crf.txt", "lstm.txt", "--segmented", *FEW)
    result = document("chunks", *words)
    assert result["systems"] == ["crf", "lstm"]
    assert result["items"] == 2
    assert "| segmented words |" in result["recipe"]
    assert result["estimates"][0]["value"] == pytest.approx(8 / 11)
    assert result["estimates"][1]["value"] == pytest.approx(2 / 8)


@pytest.mark.parametrize(
    "words",
    [("--scheme", "iob2"), ("--strict",), ("--match", "exact"), ("--only", "ORG")],
)
def test_segmented_text_has_no_tags(tagged, refused, words):
    files = ("gold.txt", "crf.txt", "lstm.txt")
    message = refused("chunks", *files, "--segmented", *words)
    assert words[0].strip("-") in message


def test_segmented_text_has_no_documents(tagged, refused):
    files = ("gold.txt", "crf.txt", "lstm.txt")
    assert "documents" in refused("chunks", *files, "--segmented", "--documents")


def test_several_metrics(document):
    words = ("--metric", "precision,recall,f1,macro_f1")
    result = document(*IOB2, *words)["comparisons"]
    assert [part["metric"] for part in result] == [
        "micro_precision",
        "micro_recall",
        "micro_f1",
        "macro_f1",
    ]


def test_more_systems_against_the_first(document):
    words = ("chunks", "gold.conll", "a.conll", "b.conll", "gold.conll")
    result = document(*words, "--systems", "a,b,best", "--scheme", "iob2", *FEW)
    pairs = [part["systems"] for part in result["comparisons"]]
    assert pairs == [["a", "b"], ["a", "best"]]
    assert result["comparisons"][1]["estimates"][1]["value"] == 1


@pytest.mark.parametrize("method", ["unpaired", "independent", "monte-carlo"])
def test_posteriors(document, method):
    assert document(*IOB2, "--method", method)["method"]["name"] == method


@pytest.mark.parametrize("method", ["randomization", "bootstrap"])
def test_p_values(document, method):
    result = document(*IOB2, "--method", method)
    assert result["kind"] == "null_test"
    assert result["p_value"] < 0.05
    assert "chunks iob2 lenient" in result["recipe"]


def test_rope_plot_and_gate(tagged, call):
    words = ("--rope", "0.01", "--plot", "o.png", "--fail-unless", "P(better) > 0.9")
    ended = call(*IOB2, *words)
    assert (ended.code, ended.err) == (0, "")
    assert (tagged / "o.png").read_bytes().startswith(b"\x89PNG")
    assert call(*IOB2, "--fail-unless", "P(worse) > 0.9").code == 1


def test_same_seed_same_bytes(tagged, call):
    assert call(*IOB2, "--json", "-").out == call(*IOB2, "--json", "-").out


# --- what is refused ---------------------------------------------------------


def test_tokens_that_differ_are_named_by_their_line(tagged, refused):
    text = (tagged / "b.conll").read_text()
    # Line 1 is a document, 2 is blank, 3 to 6 a sentence.
    lines = text.split("\n")
    lines[4] = lines[4].replace("w2", "W2")
    (tagged / "b.conll").write_text("\n".join(lines))
    message = refused(*IOB2)
    assert "b.conll:5: tokens must be those of gold.conll" in message
    assert "gold.conll:5 has 'w2', got 'W2'." in message


def test_a_file_that_ends_too_soon(tagged, refused):
    lines = (tagged / "b.conll").read_text().split("\n")
    (tagged / "b.conll").write_text("\n".join(lines[:100]) + "\n")
    assert "b.conll must have the tokens of gold.conll" in refused(*IOB2)


def test_sentences_that_differ(tagged, refused):
    lines = (tagged / "b.conll").read_text().split("\n")
    lines.insert(4, "")
    (tagged / "b.conll").write_text("\n".join(lines))
    assert "b.conll:6" in refused(*IOB2)


def test_segmented_text_that_differs(tagged, refused):
    (tagged / "lstm.txt").write_text("我们喜欢 北平\n你好\n")
    message = refused("chunks", "gold.txt", "crf.txt", "lstm.txt", "--segmented")
    assert "lstm.txt:1: characters must be those of gold.txt:1" in message
    assert "that has '我们喜欢北京', got '我们喜欢北平'" in message


def test_unknown_scheme(tagged, refused):
    message = refused(*FILES, "--scheme", "iob3", *FEW)
    assert "scheme must be one of bb2b3mes, bilou, bmes" in message
    assert "Hint: Did you mean iob" in message


def test_missing_scheme(tagged, refused):
    message = refused(*FILES, *FEW)
    assert "scheme must name the tags" in message
    assert "--segmented" in message


def test_wrong_number_of_schemes(tagged, refused):
    message = refused(*FILES, "--scheme", "iob2,iob2", *FEW)
    assert "got 2" in message


def test_unknown_type(tagged, refused):
    message = refused(*IOB2, "--only", "LOC")
    assert "only must be one of ORG, PER; got 'LOC'" in message


def test_tags_that_the_scheme_lacks(tagged, refused):
    lines = (tagged / "a.conll").read_text().split("\n")
    lines[3] = "w1 X-PER"
    (tagged / "a.conll").write_text("\n".join(lines))
    assert "a.conll:4" in refused(*IOB2)


def test_one_system(tagged, refused):
    message = refused("chunks", "gold.conll", "a.conll", "--scheme", "iob2")
    assert "There must be two systems; got a." in message
    message = refused("chunks", "one.conll", "--scheme", "iob2")
    assert "There must be two systems" in message


def test_wrong_number_of_names(tagged, refused):
    assert "systems" in refused(*IOB2, "--systems", "a,b,c")


def test_rows_with_too_few_columns(tagged, refused):
    lines = (tagged / "one.conll").read_text().split("\n")
    lines[3] = "w1 O"
    (tagged / "one.conll").write_text("\n".join(lines))
    message = refused("chunks", "one.conll", "--systems", "a,b", "--scheme", "iob2")
    assert "one.conll:4: a row must have 4 columns" in message


@pytest.mark.parametrize("content", ["", "\n\n", "-DOCSTART- O\n\n"])
def test_files_without_tokens(tagged, refused, content):
    (tagged / "a.conll").write_text(content)
    assert "a.conll" in refused(*IOB2)


def test_no_file(tagged, refused):
    assert "c.conll must be a file" in refused(
        "chunks", "gold.conll", "a.conll", "c.conll", "--scheme", "iob2"
    )


def test_help_names_every_option(call):
    ended = call("chunks", "--help")
    assert (ended.code, ended.err) == (0, "")
    assert set(re.findall(r"^ {1,4}(--[a-z0-9-]+) ", ended.out, re.M)) == set(OPTIONS)
    for scheme in (
        "iob1",
        "iob2",
        "ioe1",
        "ioe2",
        "iobes",
        "bilou",
        "bmes",
        "bb2b3mes",
    ):
        assert re.search(rf"\b{scheme}\b", ended.out)
