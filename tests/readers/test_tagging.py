"""Tagged tokens are counted as a plain loop counts them, and errors name the line."""

import gzip
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import QUICK

import likelier as lk
from likelier import metrics
from likelier.data.constructors import from_labels
from likelier.errors import InputError, NotDefinedError, SettingError
from likelier.readers import file as file_module
from likelier.readers import read_tagged

# A sentence is a list of rows: form, gold tag, one tag per system.
SENTENCES = [
    [("The", "DET", "DET", "DET"), ("dog", "NOUN", "NOUN", "VERB")],
    [("#", "SYM", "SYM", "SYM")],
    [("Dogs", "NOUN", "PROPN", "NOUN"), ("-", "PUNCT", "PUNCT", "PUNCT")],
    [("run", "VERB", "NOUN", "VERB"), ("the", "DET", "DET", "X")],
]
# Quotes, NUL, a no-break space, an ideographic space, a line separator, a combining
# accent beside the composed letter, words that other formats take for something else.
FORMS = ['"', "'a", "a\0b", "a\u00a0b", "\u3000", "\u2028", "#", "-", "é", "e\u0301"]
TAGS = ["O", "NA", "None", "007", "1e3", "<b>", "%s", "a\u00a0b", "\x1b[31m", "ü", "__"]


@pytest.fixture
def write(tmp_path):
    def write(text, name="t.tsv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture(params=[1 << 18, 1, 7], ids=["one-block", "bytewise", "seven-bytes"])
def block(request, monkeypatch):
    monkeypatch.setattr(file_module, "_BLOCK", request.param)


def columns(sentences, *tags, mark="\t", end="\n"):
    """Write the form and some of the tags, in columns."""
    lines = []
    for sentence in sentences:
        lines += [mark.join([row[0], *(row[i] for i in tags)]) for row in sentence]
        lines.append("")
    return end.join(lines) + end


def conllu(sentences, tag, *, end="\n"):
    """Write CoNLL-U, with a multi-word token and empty nodes in every sentence."""
    lines = []
    for i, sentence in enumerate(sentences):
        lines += [f"# sent_id = {i}", "# text = a\tb"]
        lines.append("0.1\te" + "\t_" * 8)
        lines.append("1-2\tThedog" + "\t_" * 8)
        for j, row in enumerate(sentence, 1):
            cells = [str(j), row[0], "_", row[tag], row[tag].lower(), *"_____"]
            lines.append("\t".join(cells))
            lines.append(f"{j}.1\tempty\t_\tX" + "\t_" * 6)
        lines.append("")
    return end.join(lines) + end


def rows(sentences):
    return [row for sentence in sentences for row in sentence]


def numbers(sentences):
    """Give each token the number of its sentence."""
    return [i for i, sentence in enumerate(sentences) for _ in sentence]


def labelled(sentences, *, tokens=None, **settings_):
    """Count the same tokens from lists."""
    every = rows(sentences)
    if tokens is None:
        tokens = range(len(every))
    tags = [[every[k][i] for k in tokens] for i in range(1, len(every[0]))]
    table = from_labels(*tags, systems=["a", "b"][: len(tags) - 1], **settings_)
    # The sums of clusters are the same in whatever order a row holds its columns.
    clustered = table.labels is None
    return replace(table, rows=table.rows.sorted_indices()) if clustered else table


def several(write, sentences, *, form=columns, suffix="tsv", **settings_):
    names = ("g", "a", "b")
    return [
        write(form(sentences, tag, **settings_), f"{name}.{suffix}")
        for tag, name in enumerate(names, 1)
    ]


# --- what is counted -----------------------------------------------------------


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["\t", " ", "   "])
def test_tokens_of_one_file(write, mark, end):
    path = write(columns(SENTENCES, 1, 2, 3, mark=mark, end=end))
    alone = read_tagged(path, systems=["a", "b"], cluster=None)
    assert alone.digest == labelled(SENTENCES).digest
    assert alone.findings == ()
    assert (alone.unit, alone.n_items) == ("tokens", 7)
    clustered = read_tagged(path, systems=["a", "b"])
    expected = labelled(SENTENCES, cluster=numbers(SENTENCES))
    assert clustered.digest == expected.digest
    assert (clustered.n_items, clustered.n_units) == (7, 4)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("suffix", ["conllu", "txt"])
def test_conllu_is_recognised_by_its_name_or_its_columns(write, suffix, end):
    paths = several(write, SENTENCES, form=conllu, suffix=suffix, end=end)
    expected = labelled(SENTENCES, cluster=numbers(SENTENCES))
    reading = read_tagged(paths)
    assert reading.digest == expected.digest
    assert reading.findings == ()
    assert reading.source == "tags upos by sentence"


def test_columns_of_conllu_have_names_and_numbers(write):
    paths = several(write, SENTENCES, form=conllu, suffix="conllu")
    expected = labelled(SENTENCES, cluster=numbers(SENTENCES))
    for column in ("upos", 3, -7):
        assert read_tagged(paths, column=column).digest == expected.digest
    lower = read_tagged(paths, column="xpos")
    assert "det" in lower.classes
    assert lower.source == "tags xpos by sentence"


@pytest.mark.usefixtures("block")
def test_several_files_of_columns(write):
    paths = several(write, SENTENCES)
    expected = labelled(SENTENCES, cluster=numbers(SENTENCES))
    assert read_tagged(paths).digest == expected.digest
    assert read_tagged(paths, column=1).digest == expected.digest


def test_files_of_different_forms(write):
    gold = write(conllu(SENTENCES, 1), "g.conllu")
    first = write(gzip.compress(columns(SENTENCES, 2).encode()), "a.tsv.gz")
    second = write(conllu(SENTENCES, 3), "b.txt")
    expected = labelled(SENTENCES, cluster=numbers(SENTENCES))
    assert read_tagged([gold, first, second]).digest == expected.digest
    columns_ = {"gold": "xpos", "systems": {"a": 1, "b": "xpos"}}
    assert read_tagged([gold, first, second], **columns_).n_items == 7


def test_columns_of_one_file(write):
    path = write(columns(SENTENCES, 3, 1, 2))
    options = {"gold": 2, "systems": {"a": 3, "b": 1}, "cluster": None}
    assert read_tagged(path, **options).digest == labelled(SENTENCES).digest
    assert read_tagged(path, gold=1, systems="crf").systems == ("crf",)


@pytest.mark.usefixtures("block")
def test_sentences_are_right_as_a_whole(write):
    table = read_tagged(several(write, SENTENCES), metric="sentence_accuracy")
    assert (table.n_items, table.n_units, table.unit) == (4, 4, "sentences")
    assert metrics.sentence_accuracy.observed(table).tolist() == [0.5, 0.5]
    assert table.without_labels().n_patterns == 4
    # By the systems: right and wrong, right and right, wrong and right, both wrong.
    patterns = {tuple(row) for row in table.labels.tolist()}
    assert patterns == {(1, 1, 0), (1, 1, 1), (1, 0, 1), (1, 0, 0)}


@pytest.mark.usefixtures("block")
def test_unseen_tokens(write):
    paths = several(write, SENTENCES)
    train = write("the X\n\nThe X\ndog X\n", "train.txt")
    options = {"metric": "oov_accuracy", "cluster": None}
    # "Dogs", "#", "-", "run" were never seen.
    expected = labelled(SENTENCES, tokens=[2, 3, 4, 5])
    table = read_tagged(paths, train=train, **options)
    assert table.digest == expected.digest
    assert (table.unit, table.source) == ("OOV tokens", "tags column 1 oov of 3 forms")
    forms = write("The\r\n\r\nthe\r\ndog", "forms.txt")
    for vocabulary in (forms, str(forms), {"the", "The", "dog"}, ["dog", "the", "The"]):
        assert (
            read_tagged(paths, vocabulary=vocabulary, **options).digest
            == expected.digest
        )
    both = read_tagged(paths, train=[train, train], vocabulary=["run"], **options)
    assert both.digest == labelled(SENTENCES, tokens=[2, 3, 4]).digest
    clustered = read_tagged(paths, train=train, metric="oov_accuracy")
    expected = labelled(SENTENCES, tokens=[2, 3, 4, 5], cluster=[1, 2, 2, 3])
    assert clustered.digest == expected.digest
    assert (clustered.n_items, clustered.n_units) == (4, 3)


def test_unseen_tokens_of_one_file(write):
    path = write(columns(SENTENCES, 1, 2, 3))
    options = {"metric": "oov_accuracy", "systems": ["a", "b"], "cluster": None}
    table = read_tagged(path, vocabulary={"The", "dog", "#", "run"}, **options)
    assert table.digest == labelled(SENTENCES, tokens=[3, 4, 6]).digest


def test_training_files_of_conllu(write):
    paths = several(write, SENTENCES, form=conllu, suffix="conllu")
    train = [write(conllu(SENTENCES[i : i + 1], 1), f"{i}.conllu") for i in (0, 2)]
    options = {"metric": "oov_accuracy", "cluster": None}
    table = read_tagged(paths, train=train, **options)
    # Neither "empty" nor "Thedog" is a form.
    assert table.source.endswith("oov of 4 forms")
    assert table.digest == labelled(SENTENCES, tokens=[2, 5, 6]).digest


def test_forms_are_looked_up_byte_for_byte_unless_lowercased(write):
    sentence = [[("é", "A", "A"), ("e\u0301", "A", "B"), ("É", "B", "B")]]
    path = write(columns(sentence, 1, 2))
    options = {"metric": "oov_accuracy", "cluster": None, "vocabulary": {"é"}}
    assert read_tagged(path, **options).n_items == 2
    lower = read_tagged(path, lowercase=True, **options)
    assert lower.n_items == 1
    assert lower.source.endswith("oov of 1 forms lowercase")
    options["vocabulary"] = {"É"}
    assert read_tagged(path, lowercase=True, **options).n_items == 1


@pytest.mark.usefixtures("block")
def test_documents(write):
    text = conllu(SENTENCES, 1).split("# sent_id = 2")
    gold = write("# newdoc id = 1\n" + "# newdoc\n# x".join(text), "g.conllu")
    others = several(write, SENTENCES, form=conllu, suffix="conllu")[1:]
    write("# newdoc id = 1\n" + "# newdoc\n# x".join(text), "g.conllu")
    for metric, items in (("token_accuracy", 7), ("sentence_accuracy", 4)):
        table = read_tagged([gold, *others], metric=metric, cluster="document")
        assert (table.n_items, table.n_units) == (items, 2)
        assert table.source == "tags upos by document"
    documents = [0, 0, 0, 1, 1, 1, 1]
    expected = labelled(SENTENCES, cluster=documents)
    table = read_tagged([gold, *others], cluster="document")
    assert table.digest == expected.digest


def test_documents_must_be_marked(write):
    paths = several(write, SENTENCES)
    with pytest.raises(InputError, match=r"g\.tsv must have -DOCSTART- or # newdoc"):
        read_tagged(paths, cluster="document")
    path = write("-DOCSTART- O O\n\na X X\n\n-DOCSTART- O O\n\nb X Y\nc X X\n")
    assert read_tagged(path, cluster="document").n_units == 2


@pytest.mark.usefixtures("block")
def test_comments_between_tabs(write):
    text = "# sent_id = 1\n#\tSYM\tSYM\n\n# \n# two words\nx\tX\tY\n"
    assert read_tagged(write(text)).n_items == 2
    assert read_tagged(write(text), comments=True).n_items == 1
    with pytest.raises(InputError, match=r"t\.tsv:2: a row must have 4 columns"):
        read_tagged(write(text), comments=False)
    # A form without its tag is not taken for a comment.
    for form in ("#", "#tag"):
        with pytest.raises(InputError, match=r"t\.tsv:2: a row must have 3 columns"):
            read_tagged(write(f"x\tX\tY\n{form}\n"))
    blanks = "# SYM SYM\nx X Y\n"
    assert read_tagged(write(blanks)).n_items == 2
    assert read_tagged(write(blanks), comments=True).n_items == 1


def test_a_separator(write):
    text = "a b,X,X\n\nc,X,Y\n"
    reading = read_tagged(write(text), separator=",", cluster=None)
    assert reading.sums()["correct"].sum() == 1


def test_one_sentence_without_its_end(write):
    paths = [write("a X\nb Y", name) for name in ("g", "s")]
    reading = read_tagged(paths, metric="sentence_accuracy")
    assert reading.n_items == 1
    assert [finding.code for finding in reading.findings] == ["LIK103"] * 2
    whole = [write("a X\nb Y\n", name) for name in ("g", "s")]
    train = write("a X", "train")
    reading = read_tagged(whole, metric="oov_accuracy", train=train)
    assert ["train" in finding.message for finding in reading.findings] == [True]


def test_byte_order_mark_and_gzip(write):
    text = gzip.compress(b"\xef\xbb\xbf" + conllu(SENTENCES, 1).encode())
    paths = [write(text, "g.conllu.gz"), write(text, "crf.conllu.gz")]
    table = read_tagged(paths)
    assert table.systems == ("crf",)
    assert metrics.token_accuracy.observed(table).tolist() == [1]


# --- against a plain loop ------------------------------------------------------

ROWS = st.tuples(st.sampled_from(FORMS), *[st.sampled_from(TAGS)] * 3)
CORPORA = st.lists(st.lists(ROWS, min_size=1, max_size=5), min_size=1, max_size=6)


def plain_counts(sentences, vocabulary):
    """Count right tokens, sentences and unseen tokens, one after the other."""
    right, whole, unseen = [0, 0], [0, 0], [0, 0]
    n_unseen = 0
    for sentence in sentences:
        for system in (0, 1):
            hits = [row[1] == row[2 + system] for row in sentence]
            right[system] += sum(hits)
            whole[system] += all(hits)
            unseen[system] += sum(
                hit
                for hit, row in zip(hits, sentence, strict=True)
                if row[0] not in vocabulary
            )
        n_unseen += sum(row[0] not in vocabulary for row in sentence)
    return right, whole, unseen, n_unseen


@settings(QUICK, max_examples=60)
@given(
    sentences=CORPORA,
    vocabulary=st.sets(st.sampled_from(FORMS), min_size=1),
    form=st.sampled_from([columns, conllu]),
    size=st.sampled_from([1, 5, 64, 1 << 18]),
    cluster=st.sampled_from(["sentence", None]),
)
def test_counts_are_those_of_a_plain_loop(
    tmp_path_factory, sentences, vocabulary, form, size, cluster
):
    folder = tmp_path_factory.mktemp("tags")
    paths = [folder / f"{name}.txt" for name in "gab"]
    for tag, path in enumerate(paths, 1):
        path.write_bytes(form(sentences, tag).encode())
    right, whole, unseen, n_unseen = plain_counts(sentences, vocabulary)
    n_tokens = len(rows(sentences))

    def observed(metric, **options):
        table = read_tagged(paths, metric=metric, cluster=cluster, **options)
        share = metrics.named(metric).observed(table)
        return table, (share * table.n_items).round(9).tolist()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_module, "_BLOCK", size)
        tokens, hits = observed("token_accuracy")
        assert (tokens.n_items, hits) == (n_tokens, right)
        expected = labelled(sentences, cluster=cluster and numbers(sentences))
        assert tokens.digest == expected.digest
        table, hits = observed("sentence_accuracy")
        assert (table.n_items, hits) == (len(sentences), whole)
        if n_unseen:
            table, hits = observed("oov_accuracy", vocabulary=vocabulary)
            assert (table.n_items, hits) == (n_unseen, unseen)
        else:
            with pytest.raises(InputError, match="must be out of vocabulary"):
                observed("oov_accuracy", vocabulary=vocabulary)


# --- comparisons ---------------------------------------------------------------


def corpus(n=80, *, tags=("A", "B"), seed=0):
    rng = np.random.default_rng(seed)
    sentences = []
    for _ in range(n):
        sentence = []
        for i in range(int(rng.integers(1, 6))):
            gold = str(rng.choice(tags))
            predicted = [gold if rng.random() < p else tags[0] for p in (0.7, 0.85)]
            sentence.append((f"w{i}", gold, *predicted))
        sentences.append(sentence)
    return sentences


def test_comparisons_are_those_of_accuracy(write):
    sentences = corpus()
    table = read_tagged(several(write, sentences), cluster=None)
    lists = [list(column) for column in list(zip(*rows(sentences), strict=True))[1:]]
    options = {"rope": 0.01, "seed": 0, "draws": 2000}
    ours = lk.compare(table, metric="token_accuracy", **options).to_dict()
    named = {"systems": ["a", "b"]}
    theirs = lk.compare(*lists, metric="accuracy", **named, **options).to_dict()
    for key in ("estimates", "difference", "probability", "bayes_factor", "verdict"):
        assert ours[key] == theirs[key], key
    assert (ours["metric"], theirs["metric"]) == ("token_accuracy", "accuracy")
    for method in ("mcnemar", "mcnemar-midp", "sign", "p-test", "randomization"):
        p_values = [
            lk.null_test(*data, metric=metric, method=method, seed=0, draws=999).p_value
            for data, metric in (([table], "token_accuracy"), (lists, "accuracy"))
        ]
        assert p_values[0] == p_values[1], method


def test_sentences_compare_as_a_table_of_two_by_two(write):
    sentences = corpus()
    table = read_tagged(several(write, sentences), metric="sentence_accuracy")
    right = [
        ["y" if all(row[1] == row[i] for row in s) else "n" for s in sentences]
        for i in (2, 3)
    ]
    lists = [["y"] * len(sentences), *right]
    for method in ("mcnemar", "mcnemar-midp", "sign", "p-test"):
        p_values = [
            lk.null_test(*data, metric=metric, method=method).p_value
            for data, metric in (([table], "sentence_accuracy"), (lists, "accuracy"))
        ]
        assert p_values[0] == p_values[1], method
    exact = [
        lk.compare(*data, metric=metric, method="independent", seed=0).to_dict()
        for data, metric in (([table], "sentence_accuracy"), (lists, "accuracy"))
    ]
    assert exact[0]["probability"] == exact[1]["probability"]
    # A factor has a proper prior, as that of any table of labels.
    paired = lk.compare(
        table, metric="sentence_accuracy", rope=0.01, factor="rope", seed=0
    )
    assert paired.factor.prior == "uniform"


def test_clusters_refuse_tests_of_single_items(write):
    table = read_tagged(several(write, corpus()))
    with pytest.raises(NotDefinedError, match="right or wrong"):
        lk.null_test(table, metric="token_accuracy", method="mcnemar")
    result = lk.compare(table, metric="macro_f1", seed=0, draws=200)
    assert result.settings.data.units == 80


def test_the_order_of_sentences_does_not_matter(write):
    sentences = corpus(tags=("A", "B", "C"))
    here = read_tagged(several(write, sentences)).digest
    assert read_tagged(several(write, sentences[::-1])).digest == here


# --- what is refused -----------------------------------------------------------

DIFFERENT = {
    "token": ("a X\n\nb X\n", "a X\n\n\nc X\n", r"s:4: tokens .*g:3 has 'b', got 'c'"),
    "shorter": ("a X\nb X\n", "a X\n", r"s ends at .*s:1, before .*g:2"),
    "split": ("a X\nb X\n", "a X\n\nb X\n", r"s:3: sentences .*g:2 does not start"),
}


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("case", DIFFERENT)
def test_files_must_agree(write, case):
    gold, other, message = DIFFERENT[case]
    with pytest.raises(InputError, match=message):
        read_tagged([write(gold, "g"), write(other, "s")])


@pytest.mark.usefixtures("block")
def test_lines_of_conllu_are_counted_with_all_others(write):
    other = [*SENTENCES[:2], [("Cats", *SENTENCES[2][0][1:]), SENTENCES[2][1]]]
    gold = write(conllu(SENTENCES[:3], 1), "g.conllu")
    system = write(conllu(other, 2), "s.conllu")
    line = (
        conllu(SENTENCES[:3], 1).split("\n").index("1\tDogs\t_\tNOUN\tnoun" + "\t_" * 5)
    )
    message = rf"s\.conllu:{line + 1}: tokens .*g\.conllu:{line + 1} has 'Dogs'"
    with pytest.raises(InputError, match=message):
        read_tagged([gold, system])


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("name", ["g", "a"])
@pytest.mark.parametrize("tag", ["_", ""])
def test_tokens_without_a_tag(write, name, tag):
    texts = {"g": "x\tA\n\ny\tA\n", "a": "x\tA\n\ny\tB\n"}
    texts[name] = f"x\tA\n\ny\t{tag}\n"
    paths = [write(texts[key], key) for key in texts]
    message = rf"{name}:3: every token must have a tag; got '{tag}'"
    with pytest.raises(InputError, match=message):
        read_tagged(paths)


BAD = {
    "empty": ("", "it is empty"),
    "no-tokens": ("# x\n\n", "must have at least one token"),
    "narrow": ("a\n", "t:1: a row must have a column -2; it has 1 columns"),
    "ragged": ("a X X\n\nb X\n", "t:3: a row must have 3 columns, .*; got 2"),
    "not-utf8": (b"a X X\nb\xff X X\n", "t:2: text must be UTF-8"),
    "damaged": (gzip.compress(b"a X X\n" * 999)[:-9], "must be a whole gzip file"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(write, case):
    text, message = BAD[case]
    with pytest.raises(InputError, match=message):
        read_tagged(write(text, "t"), comments=True)


@pytest.mark.parametrize("row", ["1-2", "1.1", "1.1\tx"])
def test_rows_of_conllu_that_are_no_words_have_ten_columns(write, row):
    paths = several(write, SENTENCES, form=conllu, suffix="conllu")
    text = paths[1].read_text()
    paths[1].write_text(f"{text.rstrip()}\n{row}\n\n")
    n = row.count("\t") + 1
    message = rf"a row must have 10 columns, as the first row has; got {n}\."
    with pytest.raises(InputError, match=message):
        read_tagged(paths)


def test_no_unseen_token(write):
    paths = several(write, SENTENCES)
    message = r"At least one of 7 tokens must be out of vocabulary; all are among the 7"
    with pytest.raises(InputError, match=message):
        read_tagged(paths, metric="oov_accuracy", train=paths[0])


def test_bad_settings(write):
    paths = several(write, SENTENCES)
    with pytest.raises(SettingError, match=r"must know which forms.*\n\nHint: .*train"):
        read_tagged(paths, metric="oov_accuracy")
    for options in ({"train": paths[0]}, {"vocabulary": {"a"}}, {"lowercase": True}):
        with pytest.raises(SettingError, match="must come with oov_accuracy"):
            read_tagged(paths, **options)
    with pytest.raises(SettingError, match="metric must be one of oov_accuracy"):
        read_tagged(paths, metric="f1")
    with pytest.raises(SettingError, match="metric must be one of oov_accuracy"):
        read_tagged(paths, metric=metrics.f1)
    with pytest.raises(SettingError, match="cluster must be one of document, sentence"):
        read_tagged(paths, cluster="speaker")
    with pytest.raises(SettingError, match="must be given by its number; got 'upos'"):
        read_tagged(paths, column="upos")
    with pytest.raises(SettingError, match="by its number; got 'form'"):
        read_tagged(paths, token="form")
    with pytest.raises(InputError, match=r"g\.tsv:1: a row must have a column 5"):
        read_tagged(paths, column=5)
    with pytest.raises(SettingError, match="column must come with a file per system"):
        read_tagged(paths[0], column=1)
    for systems in (["a"], {"a": 1}, ["a", "b", "c"]):
        with pytest.raises(SettingError, match="systems must be 2 different names"):
            read_tagged(paths, systems=systems)
    with pytest.raises(SettingError, match="gold must be given with the columns"):
        read_tagged(paths[0], systems={"a": 1})


def test_bad_settings_of_conllu(write):
    paths = several(write, SENTENCES, form=conllu, suffix="conllu")
    with pytest.raises(SettingError, match="or one of form, upos, xpos; got 'pos'"):
        read_tagged(paths, column="pos")
    with pytest.raises(InputError, match="one more file for each system"):
        read_tagged(paths[0])
    table = read_tagged(paths[0], gold="upos", systems={"a": "upos"})
    assert metrics.token_accuracy.observed(table).tolist() == [1]


def test_bad_vocabularies(write):
    path = write(columns(SENTENCES, 1, 2))
    options = {"metric": "oov_accuracy"}
    with pytest.raises(InputError, match="vocabulary must hold at least one form"):
        read_tagged(path, vocabulary=set(), **options)
    halves = {"\ud800", "the"}
    for lowercase in (False, True):
        table = read_tagged(path, vocabulary=halves, lowercase=lowercase, **options)
        assert table.n_items == 6 - lowercase
    with pytest.raises(InputError, match="vocabulary must hold strings; got 7"):
        read_tagged(path, vocabulary=[7], **options)
    with pytest.raises(InputError, match="there is none of that name"):
        read_tagged(path, vocabulary="the", **options)
    with pytest.raises(InputError, match="forms:2: text must be UTF-8"):
        read_tagged(path, vocabulary=write(b"a\n\xff\n", "forms"), **options)
