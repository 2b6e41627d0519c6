"""Parses are scored as by a plain scorer and by the official one; errors name lines."""

import gzip
import io
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK
from tests.readers.parses import NAMES, Scorer, conllu, own_forms, parses, score
from udtools import udeval

import likelier as lk
from likelier import metrics
from likelier.errors import InputError, NotDefinedError, SettingError
from likelier.readers import file as file_module
from likelier.readers import read_parsed, read_tagged
from likelier.readers.parse_reader import ParseReader
from likelier.readers.reader import ReadRequest, read_outcomes

SENTENCES = ReadRequest(cluster="sentence")

PARSED = st.tuples(*[parses("abcabdab")] * 3)
APART = st.tuples(*[parses("abcdefgh", own_forms)] * 2)


def tables(paths):
    """Outcomes of every metric, and what each adds up (statistic, system)."""
    every = read_outcomes(ParseReader(), paths, SENTENCES, NAMES)
    for name, table in zip(NAMES, every, strict=True):
        sums = table.sums()
        parts = [sums[s][:, 0] for s in metrics.named(name).statistics]
        yield name, table, np.array(parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("parses")


def written(folder, *sides):
    paths = []
    for index, sentences in enumerate(sides):
        paths.append(folder / f"{'gab'[index]}.conllu")
        paths[-1].write_text(conllu(sentences))
    return paths


def official(*sides):
    flags = ("no_gapping", "no_shared_parents_in_coordination", "no_control",
             "no_shared_dependents_in_coordination", "no_case_info",
             "no_external_arguments_of_relative_clauses", "no_empty_nodes",
             "multiple_roots_okay")  # fmt: skip
    loaded = [
        udeval.load_conllu(io.StringIO(conllu(side)), "side", dict.fromkeys(flags, 0))
        for side in sides
    ]
    return {name.lower(): one for name, one in udeval.evaluate(*loaded).items()}


@QUICK
@given(sides=PARSED)
def test_sums_are_those_of_a_plain_scorer(folder, sides):
    paths = written(folder, *sides)
    plain = [score(sides[0], side) for side in sides[1:]]
    for name, table, sums in tables(paths):
        got = np.vstack([sums, metrics.named(name).observed(table)])
        np.testing.assert_allclose(got.T, [scores[name] for scores in plain])


@QUICK
@given(sides=APART)
def test_sums_are_those_of_the_official_scorer(folder, sides):
    wanted = official(*sides)
    for name, _, sums in tables(written(folder, *sides)):
        one = wanted[name]
        assert [*sums[:, 0]] == [one.correct, one.gold_total, one.system_total], name


def test_the_official_scorer_may_align_words_of_tokens_far_apart():
    # Its program, not its description: tokens c and e share no character.
    gold = [[word(1, "a", 0), word(2, "b", 1), several(3, 3, "c"), word(3, "x", 1),
             word(4, "de", 1)]]  # fmt: skip
    system = [[word(1, "abcd", 0), several(2, 2, "e"), word(2, "x", 1)]]
    assert official(gold, system)["words"].correct == 1
    assert Scorer(gold, system).pairs == {}


def word(number, form, head, relation="dep", tag="X", feats="_", lemma="_"):
    relation = relation if head else "root"
    return [str(number), form, lemma, tag, tag, feats, str(head), relation, "_", "_"]


def several(first, last, form):
    return [f"{first}-{last}", form, *"________"]


GOLD = [
    [word(1, "The", 2, "det"), word(2, "dogs", 3, "nsubj"), word(3, "run", 0)],
    [word(1, "They", 2, "nsubj"), word(2, "do", 0), several(3, 4, "n't"),
     word(3, "no", 2, "advmod"), word(4, "t", 2, "dep")],
    [word(1, "Yes", 0)],
]  # fmt: skip
TEXT = conllu(GOLD)


def table(folder, text, gold=TEXT, **settings):
    paths = [folder / "gold.conllu", folder / "a.conllu"]
    for path, content in zip(paths, (gold, text), strict=True):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_parsed(paths, **settings)


def sums(outcomes):
    return [int(part.item()) for part in list(outcomes.sums().values())[:3]]


@pytest.mark.parametrize("block", [1 << 18, 7], ids=["one-block", "seven-bytes"])
def test_what_is_no_word_does_not_count(folder, monkeypatch, block):
    monkeypatch.setattr(file_module, "_BLOCK", block)
    rows = TEXT.replace("2\tdogs", "1.1\tnot\there" + "\t_" * 7 + "\n2\tdogs")
    other = f"\ufeff\n\n# newdoc\n# text = x\n{rows}\n \n".replace("\n", "\r\n")
    assert sums(table(folder, other)) == [8, 8, 8]
    assert sums(table(folder, gzip.compress(other.encode()))) == [8, 8, 8]
    assert sums(table(folder, TEXT.rstrip("\n") + "\n")) == [8, 8, 8]
    spaced = TEXT.replace("\tdogs\t", "\td o\u00a0gs\t")
    assert sums(table(folder, spaced)) == [8, 8, 8]


def test_subtypes_of_relations_and_features_of_a_language_do_not_count(folder):
    other = TEXT.replace("nsubj", "nsubj:pass").replace("X\t_\t3", "X\tFoo=Bar\t3")
    assert other.count("Foo=Bar") == 1
    for name in ("las", "ufeats", "mlas"):
        assert (
            sums(table(folder, other, metric=name))[0]
            == sums(table(folder, TEXT, metric=name))[0]
        )


def test_without_heads_tags_can_be_compared(folder):
    flat = TEXT.replace("\t3\tnsubj", "\t_\t_")
    assert sums(table(folder, flat, metric="upos")) == [8, 8, 8]
    with pytest.raises(InputError, match=r"a.conllu:2: HEAD must be") as caught:
        table(folder, flat, metric="uas")
    assert "upos" in caught.value.hint


# The line of the file, what is replaced by what, and a word of the message.
BAD = {
    "columns": (2, "\tdogs", "", "10 columns"),
    "id": (2, "2\tdogs", "3\tdogs", "ID must be 2"),
    "id of letters": (2, "2\tdogs", "x\tdogs", "ID must be 2"),
    "range": (7, "3-4", "4-5", "ID must be 3"),
    "backwards": (7, "3-4", "3-2", "ID must be 3"),
    "nested": (8, "3\tno", "3-4\tno" + "\t_" * 8 + "\n3\tno", "ID must be 3"),
    "short": (7, "3-4", "3-9", "up to word 9"),
    "form": (2, "\tdogs\t", "\t \t", "FORM"),
    "head": (2, "3\tnsubj", "4\tnsubj", "1 to 3"),
    "negative": (2, "3\tnsubj", "-1\tnsubj", "1 to 3"),
    "huge": (2, "3\tnsubj", "9" * 30 + "\tnsubj", "1 to 3"),
    "foreign digit": (2, "3\tnsubj", "³\tnsubj", "1 to 3"),
    "no head": (2, "3\tnsubj", "_\tnsubj", "1 to 3"),
    "two roots": (3, "3\tnsubj", "0\tnsubj", "line 2"),
    "no root": (1, "0\troot", "1\tdep", "has none"),
    "cycle": (1, "3\tnsubj", "1\tnsubj", "word 1 lead back"),
    "own head": (2, "3\tnsubj", "2\tnsubj", "word 2 lead back"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_row_is_named_by_its_line(folder, case):
    line, old, new, words = BAD[case]
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    for gold, other, name in ((TEXT, text, "a"), (text, TEXT, "gold")):
        with pytest.raises(InputError) as caught:
            table(folder, other, gold)
        assert f"{name}.conllu:{line}: " in str(caught.value)
        assert words in str(caught.value)


def test_a_long_way_to_the_root_is_no_cycle(folder):
    n = 3000
    long = conllu([[word(i, "a", i - 1) for i in range(1, n + 1)]])
    assert sums(table(folder, long, long)) == [n, n, n]
    with pytest.raises(InputError, match=r":2: .* word 2 lead back"):
        table(folder, long.replace("\t1\tdep", "\t3000\tdep", 1), long)


def test_other_characters_are_named_by_both_lines(folder):
    with pytest.raises(InputError, match=r"a.conllu:6: .*gold.conllu:6.*don.*didn"):
        table(folder, TEXT.replace("\tdo\t", "\tdid\t"))
    for text in (conllu(GOLD[:2]), TEXT + conllu(GOLD[2:])):
        with pytest.raises(InputError, match=r"ends before .*conllu:1[13]"):
            table(folder, text)
    with pytest.raises(InputError, match="at least one word"):
        table(folder, "# nothing\n\n")


def test_sentences_are_joined_where_a_system_reaches_over_the_border(folder):
    rows = [*GOLD[0], word(4, "They", 3), word(5, "do", 3), word(6, "n't", 3)]
    found = table(folder, conllu([rows, GOLD[2]]))
    assert (found.n_items, sums(found)) == (2, [4, 8, 7])
    assert [finding.code for finding in found.findings] == ["LIK145"]
    assert "2 of 3 gold sentences" in found.findings[0].message
    third = folder / "b.conllu"
    third.write_text(TEXT)
    every = read_parsed([folder / "gold.conllu", folder / "a.conllu", third])
    assert every.items.examples(0) == ("sentences 1 to 2",)
    texts = every.items.texts["sentences 1 to 2"]
    assert texts.text == "The dogs run They do n't"


def test_documents_are_those_of_gold(folder):
    text = "# newdoc\n" + TEXT.replace("1\tYes", "# newdoc id = 2\n1\tYes")
    found = table(folder, TEXT, text, cluster="document")
    assert (found.n_items, found.n_units) == (3, 2)
    with pytest.raises(InputError, match="newdoc"):
        table(folder, text, cluster="document")
    with pytest.raises(SettingError, match="sentence or document"):
        table(folder, text, cluster=None)


def test_one_file_or_another_metric_is_refused(folder):
    table(folder, TEXT)
    with pytest.raises(InputError, match="at least one more"):
        read_parsed(folder / "gold.conllu")
    with pytest.raises(SettingError, match="f1"):
        table(folder, TEXT, metric="f1")
    with pytest.raises(SettingError) as caught:
        read_tagged([folder / "gold.conllu"] * 2, metric="las")
    assert "read_parsed" in caught.value.hint
    with pytest.raises(SettingError) as caught:
        lk.compare("ab", "ab", "ab", metric="las")
    assert "read_parsed" in caught.value.hint
    with pytest.raises(NotDefinedError) as caught:
        metrics.named("clas").observed(table(folder, TEXT))
    assert "metric='clas'" in caught.value.hint


def noisy(n=60, right=0.8, seed=0):
    """Sentences of three words, of which a parser attaches some otherwise."""
    rng = random.Random(seed)
    return conllu(
        [
            [word(1, "a", 3 if rng.random() < right else 2, "nsubj"),
             word(2, "b", 3, "obj" if rng.random() < right else "det"),
             word(3, "c", 0)]
            for _ in range(n)
        ]
    )  # fmt: skip


def test_every_question_takes_parses(folder):
    paths = [folder / f"{name}.conllu" for name in ("gold", "a", "b", "c")]
    for path, right in zip(paths, (1, 0.5, 0.9, 0.7), strict=True):
        path.write_text(noisy(right=right, seed=int(100 * right)))
    for name in ("las", "clas"):
        every = read_parsed(paths, metric=name)
        two, few = every.named("a", "b"), {"metric": name, "draws": 1000, "seed": 0}
        assert lk.compare(two, **few).verdict.name == "better"
        for method in ("randomization", "bootstrap"):
            assert lk.null_test(two, method=method, **few).p_value < 0.01
        assert lk.rank(every, **few).between("a", "b").verdict.name == "better"
        assert lk.estimate(every.named("b"), **few).value > 0.8
        pilot = lk.Assumed.pilot(two, certain=True)
        assert lk.plan(pilot, metric=name, replications=20, seed=0).chances(40)
