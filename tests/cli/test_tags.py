"""Taggers on the command line: three accuracies, forms of files, what is refused."""

import gzip
import json
import random

import pytest

import likelier as lk
from likelier.readers import read_tagged

FEW = ("--draws", "1000", "--seed", "0")
FILES = ("tags", "gold.conllu", "a.conllu", "b.conllu")
TRAIN = ("--train", "train.conllu")
ALL = ("token_accuracy", "sentence_accuracy", "oov_accuracy")


def corpus(seed=1, n=90):
    """Sentences of form, gold tag and the tags of three systems."""
    rng = random.Random(seed)
    sentences = []
    for _ in range(n):
        sentence = []
        for _ in range(rng.randrange(1, 5)):
            gold = rng.choice(["NOUN", "VERB", "X"])
            predictions = [
                gold if rng.random() < p else "NOUN" for p in (0.6, 0.9, 0.7)
            ]
            sentence.append((f"w{rng.randrange(40)}", gold, *predictions))
        sentences.append(sentence)
    return sentences


def conllu(sentences, index):
    lines = []
    for i, sentence in enumerate(sentences):
        if i % 3 == 0:
            lines.append(f"# newdoc id = {i}")
        lines += [f"# sent_id = {i}", "1-2\tww" + "\t_" * 8]
        for j, row in enumerate(sentence, 1):
            lines.append("\t".join([str(j), row[0], "_", row[index], "Z", *"_____"]))
        lines.append("")
    return "\n".join(lines) + "\n"


def plain_columns(sentences):
    return "\n".join(
        "".join(f"{' '.join(row)}\n" for row in sentence) for sentence in sentences
    )


@pytest.fixture
def tagged(folder):
    sentences = corpus()
    for index, name in enumerate(("gold", "a", "b", "c"), 1):
        (folder / f"{name}.conllu").write_text(conllu(sentences, index))
    (folder / "one.txt").write_text(plain_columns(sentences))
    seen = [[(f"w{i}", "NOUN") for i in range(30)]]
    (folder / "train.conllu").write_text(conllu(seen, 1))
    (folder / "forms.txt").write_text("".join(f"w{i}\n" for i in range(30)))
    return folder


@pytest.fixture
def document(tagged, call):
    def document(*words):
        ended = call(*words, "--json", "-")
        assert (ended.code, ended.err) == (0, "")
        return json.loads(ended.out)

    return document


def counts():
    """Count what is right with loops."""
    sentences = corpus()
    rows = [row for sentence in sentences for row in sentence]
    unseen = [row for row in rows if int(row[0][1:]) >= 30]
    whole = [
        ("", True, *(all(r[1] == r[i] for r in s) for i in (2, 3, 4)))
        for s in sentences
    ]
    return {
        name: (len(items), [sum(r[1] == r[i] for r in items) for i in (2, 3, 4)])
        for name, items in zip(ALL, (rows, whole, unseen), strict=True)
    }


def test_token_accuracy(tagged, call):
    ended = call(*FILES, *FEW)
    assert (ended.code, ended.err) == (0, "")
    answer, _, _, systems, recipe, *rest = ended.out.splitlines()
    assert answer.startswith("≫ b is better than a on token accuracy: 0.")
    assert f"{counts()['token_accuracy'][0]} tokens in 90 clusters" in systems
    assert "| tags upos by sentence |" in recipe
    assert rest == []


@pytest.mark.parametrize("names", [",".join(ALL), "token, sentence,oov"])
def test_three_metrics(document, names):
    result = document(*FILES, *TRAIN, "--metric", names, *FEW)["comparisons"]
    assert [part["metric"] for part in result] == list(ALL)
    for part in result:
        items, right = counts()[part["metric"]]
        assert part["items"] == items
        values = [estimate["value"] for estimate in part["estimates"]]
        assert values == pytest.approx([count / items for count in right[:2]])
    seeds = {part["recipe"].split("seed ")[1].split(" ")[0] for part in result}
    assert seeds == {"0"}


def test_without_a_seed_all_metrics_have_the_same(document):
    result = document(*FILES, "--metric", "token,sentence", "--draws", "200")
    seeds = {part["method"]["seed"] for part in result["comparisons"]}
    assert len(seeds) == 1


def test_oov_accuracy_is_named_and_counted(tagged, call):
    ended = call(*FILES, *TRAIN, "--metric", "oov", *FEW)
    assert (ended.code, ended.err) == (0, "")
    answer, _, _, systems, recipe, *_ = ended.out.splitlines()
    assert " on OOV accuracy: " in answer
    assert f"{counts()['oov_accuracy'][0]} OOV tokens in " in systems
    assert "| tags upos by sentence oov of 30 forms |" in recipe


def test_a_vocabulary_does_as_well(document):
    words = ("--metric", "oov", *FEW)
    trained = document(*FILES, *TRAIN, *words)
    assert document(*FILES, "--vocabulary", "forms.txt", *words) == trained
    both = ("--train", "train.conllu", "--train", "train.conllu")
    assert document(*FILES, *both, *words) == trained
    lower = document(*FILES, *TRAIN, "--lowercase", *words)
    assert "oov of 30 forms lowercase" in lower["recipe"]


def test_one_file_of_columns(document):
    several = document(*FILES, "c.conllu", *FEW)["comparisons"]
    one = document("tags", "one.txt", "--systems", "a,b,c", *FEW)["comparisons"]
    for ours, theirs in zip(one, several, strict=True):
        assert "| tags column 1 by sentence |" in ours.pop("recipe")
        theirs.pop("recipe")
        assert ours == theirs
    last = document("tags", "one.txt", "--systems", "b,c", "--gold", "1", *FEW)
    assert last["estimates"][0]["value"] == one[0]["estimates"][1]["value"]


def test_systems_get_names(document):
    assert document(*FILES, "--systems", "old, new", *FEW)["systems"] == ["old", "new"]


def test_more_systems_against_the_first(document):
    words = (*FILES, "c.conllu", *TRAIN, "--metric", "token,oov", *FEW)
    result = document(*words)["comparisons"]
    pairs = [(part["metric"], *part["systems"]) for part in result]
    assert pairs == [(m, "a", other) for m in (ALL[0], ALL[2]) for other in "bc"]
    items, right = counts()["token_accuracy"]
    assert result[1]["estimates"][1]["value"] == pytest.approx(right[2] / items)


def test_the_command_gives_what_the_library_gives(document):
    result = document(*FILES, "--metric", "sentence", "--rope", "0.01", *FEW)
    paths = [f"{name}.conllu" for name in ("gold", "a", "b")]
    table = read_tagged(paths, metric="sentence_accuracy")
    expected = lk.compare(
        table, metric="sentence_accuracy", rope=0.01, draws=1000, seed=0
    ).to_dict()
    for key in ("estimates", "difference", "probability", "verdict", "recipe"):
        assert result[key] == expected[key]


@pytest.mark.parametrize(
    ("words", "units"),
    [((), 90), (("--cluster", "document"), 30), (("--cluster", "none"), None)],
)
def test_clusters(document, words, units):
    result = document(*FILES, *words, *FEW)
    assert result["units"] == (units or result["items"])


def test_columns_by_name_and_number(document):
    upos = document(*FILES, *FEW)
    for column in ("upos", "3", "-7"):
        assert document(*FILES, "--column", column, *FEW) == upos
    constant = document(*FILES, "--column", "xpos", *FEW)
    assert constant["estimates"][0]["value"] == 1


@pytest.mark.parametrize("method", ["mcnemar", "mcnemar-midp", "sign", "p-test"])
def test_tests_of_whole_sentences(document, method):
    result = document(*FILES, "--metric", "sentence", "--method", method)
    assert result["kind"] == "null_test"
    assert result["p_value"] < 0.01


@pytest.mark.parametrize("method", ["randomization", "bootstrap", "sign"])
def test_tests_of_clustered_tokens(document, method):
    assert document(*FILES, "--method", method, *FEW)["p_value"] < 0.01


def test_outputs(tagged, call):
    words = ("--rope", "0.01", "--plot", "o.png", "--html", "o.html")
    ended = call(*FILES, *words, "--fail-unless", "P(better) > 0.9", *FEW)
    assert (ended.code, ended.err) == (0, "")
    assert (tagged / "o.png").read_bytes().startswith(b"\x89PNG")
    assert "token accuracy" in (tagged / "o.html").read_text()
    assert call(*FILES, *FEW, "--fail-unless", "P(worse) > 0.9").code == 1
    assert "token accuracy" in call(*FILES, *FEW, "--markdown").out
    latex = call(*FILES, *TRAIN, "--metric", "oov", *FEW, "--latex").out
    assert "OOV accuracy" in latex


def test_same_seed_same_bytes(tagged, call):
    assert (
        call(*FILES, *FEW, "--json", "-").out == call(*FILES, *FEW, "--json", "-").out
    )


def test_gzipped_files(document, tagged):
    plain = document(*FILES, *FEW)
    packed = gzip.compress((tagged / "b.conllu").read_bytes())
    (tagged / "b.conllu.gz").write_bytes(packed)
    assert document(*FILES[:3], "b.conllu.gz", *FEW) == plain


def test_hostile_tags_do_no_harm(tagged, call):
    for name in ("gold", "a", "b"):
        text = (tagged / f"{name}.conllu").read_text()
        hostile = text.replace("VERB", "<script>\x1b[31m")
        (tagged / f"{name}.conllu").write_text(hostile)
    ended = call(*FILES, "--cluster", "none", "--html", "o.html", *FEW)
    assert (ended.code, ended.err) == (0, "")
    assert "\x1b" not in ended.out
    assert "<script>\x1b" not in (tagged / "o.html").read_text()


# --- what is refused -------------------------------------------------------------


def test_oov_accuracy_needs_a_vocabulary(tagged, refused):
    message = refused(*FILES, "--metric", "oov")
    assert "oov_accuracy must know which forms were seen" in message
    assert "train" in message


def test_a_vocabulary_needs_oov_accuracy(tagged, refused):
    for words in (TRAIN, ("--vocabulary", "forms.txt"), ("--lowercase",)):
        assert "must come with oov_accuracy" in refused(*FILES, *words)


def test_no_unseen_token(tagged, refused):
    message = refused(*FILES, "--metric", "oov", "--train", "gold.conllu")
    assert "must be out of vocabulary" in message


def test_tokens_that_differ_are_named_by_both_lines(tagged, refused):
    lines = (tagged / "b.conllu").read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("1\t"))
    lines[row] = lines[row].replace("\tw", "\tW")
    (tagged / "b.conllu").write_text("\n".join(lines))
    message = refused(*FILES)
    assert f"b.conllu:{row + 1}: tokens must be those of gold.conllu" in message
    assert f"gold.conllu:{row + 1} has 'w" in message


@pytest.mark.parametrize("name", ["gold", "b"])
def test_missing_tags(tagged, refused, name):
    text = (tagged / f"{name}.conllu").read_text()
    (tagged / f"{name}.conllu").write_text(text.replace("NOUN", "_", 1))
    line = text[: text.index("NOUN")].count("\n") + 1
    assert f"{name}.conllu:{line}: every token must have a tag" in refused(*FILES)


def test_unknown_words(tagged, refused):
    assert "metric must be one of alltags" in refused(*FILES, "--metric", "f1")
    assert "at least one metric" in refused(*FILES, "--metric", ",")
    assert "cluster must be one of" in refused(*FILES, "--cluster", "speaker")
    assert "one of form, upos, xpos" in refused(*FILES, "--column", "pos")
    assert "a row must have a column 12" in refused(*FILES, "--column", "12")
    assert "method must be one of" in refused(*FILES, "--method", "t")
    assert "prior must be one of" in refused(*FILES, "--prior", "flat")


def test_one_system(tagged, refused):
    assert "There must be two systems; got a." in refused(*FILES[:3])


def test_tests_of_items_refuse_clusters(tagged, refused):
    assert "right or wrong" in refused(*FILES, "--method", "mcnemar")


def test_an_input_is_no_output(tagged, refused):
    for name in ("a.conllu", "train.conllu"):
        words = (*TRAIN, "--metric", "oov", "--json", name)
        assert "must not be an input and an output" in refused(*FILES, *words)
    words = ("--vocabulary", "forms.txt", "--metric", "oov", "--json", "forms.txt")
    assert "must not be an input and an output" in refused(*FILES, *words)


@pytest.mark.parametrize("content", ["", "\n\n", "# only\n\n"])
def test_files_without_tokens(tagged, refused, content):
    (tagged / "a.conllu").write_text(content)
    assert "a.conllu" in refused(*FILES)


def test_short_names_are_not_metrics_elsewhere(tagged, refused):
    words = ("compare", "p.csv", "--systems", "a,b", "--metric", "token")
    assert "metric must be one of" in refused(*words)


def trees(sentences, index, right):
    """Write CoNLL-U in which each word hangs on the one before it, or on the first."""
    rng = random.Random(index)
    lines = []
    for i, sentence in enumerate(sentences):
        if i % 3 == 0:
            lines.append("# newdoc")
        for j, row in enumerate(sentence, 1):
            head = j - 1 if j < 3 or rng.random() < right else 1
            relation = "obj" if head else "root"
            cells = [str(j), row[0], "_", row[1], "_", "_", str(head), relation, "_"]
            lines.append("\t".join([*cells, "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def parsed(tagged):
    for index, (name, right) in enumerate([("gold", 1), ("a", 0.4), ("b", 0.9)]):
        (tagged / f"{name}.conllu").write_text(trees(corpus(), index, right))
    return tagged


def test_parses(parsed, document):
    whole = document(*FILES, "--metric", "LAS,uas,token", *FEW)["comparisons"]
    assert [part["metric"] for part in whole] == ["las", "uas", "token_accuracy"]
    las, uas, token = ([e["value"] for e in part["estimates"]] for part in whole)
    assert las == uas
    assert las[0] < las[1] < 1
    assert token == [1, 1]
    assert whole[0]["items"] == 90
    assert "| parses las |" in whole[0]["recipe"]
    paths = [parsed / f"{name}.conllu" for name in ("gold", "a", "b")]
    table = lk.readers.read_parsed(paths, metric="las")
    assert lk.metrics.named("las").observed(table).tolist() == las
    by_document = document(*FILES, "--metric", "las", "--cluster", "document", *FEW)
    assert by_document["units"] == 30
    assert "| parses las by document |" in by_document["recipe"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("las", "--column", "xpos"), "--column must come with token"),
        (("las", "--train", "gold.conllu"), "--train must come with token"),
        (("las", "--cluster", "none"), "by sentence or document"),
        (("las,f1",), "metric must be one of"),
    ],
)
def test_what_parses_do_not_have_is_refused(parsed, call, words, message):
    ended = call(*FILES, "--metric", *words)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


def test_parses_are_compared_by_tags_alone(parsed, call):
    ended = call("compare", "gold.conllu", "a.conllu", "--metric", "las")
    assert (ended.code, ended.out) == (2, "")
    assert "likelier tags gold.conllu" in ended.err


def test_the_doctor_knows_parses(parsed, call):
    ended = call("doctor", *FILES[1:])
    assert "likelier tags gold.conllu a.conllu b.conllu --metric las,uas" in ended.out
    (parsed / "gold.conllu").write_text(conllu(corpus(), 1))
    assert "las" not in call("doctor", "gold.conllu", "gold.conllu").out
