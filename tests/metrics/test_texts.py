"""Metrics of text, equal to sacreBLEU, jiwer and the definitions of SQuAD."""

import re
import string
from collections import Counter

import jiwer
import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER
from tests.conftest import QUICK

import likelier as lk
from likelier import Outcomes, metrics
from likelier.errors import LikelierError
from likelier.readers.text_files import read_texts

FEW = {"draws": 2000, "seed": 0}
WORDS = ("the", "cat", "sat", "on", "a", "mat", "Mat.", "it's", "猫", "dog,", "ran")
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
OUTPUT = SENTENCE | st.just("")


@st.composite
def corpora(draw, references=1):
    n = draw(st.integers(1, 6))
    texts = st.lists(SENTENCE, min_size=n, max_size=n)
    outputs = st.lists(OUTPUT, min_size=n, max_size=n)
    return [draw(texts) for _ in range(references)], draw(outputs), draw(outputs)


def values(name, references, *outputs, **settings):
    table = Outcomes.from_texts(
        list(zip(*references, strict=True)), *outputs, metrics=[name], **settings
    )
    return metrics.named(name).observed(table)


PEERS = {
    "bleu": BLEU,
    "chrf": CHRF,
    "chrf++": lambda: CHRF(word_order=2),
    "ter": TER,
}


@QUICK
@given(corpus=corpora(), several=corpora(references=3))
def test_machine_translation_is_that_of_sacrebleu(corpus, several):
    for references, *outputs in (corpus, several):
        for name, peer in PEERS.items():
            wanted = [peer().corpus_score(one, references).score for one in outputs]
            np.testing.assert_allclose(
                values(name, references, *outputs), wanted, rtol=0, atol=1e-9
            )


def test_weighted_sums_are_those_of_a_corpus_with_repeats():
    rng = np.random.default_rng(0)
    pick = lambda n: " ".join(rng.choice(WORDS, n))  # noqa: E731
    references, output = ([pick(rng.integers(3, 12)) for _ in range(20)] for _ in "ab")
    times = rng.integers(0, 4, 20)
    repeated = [[t for t, k in zip(x, times, strict=True) for _ in range(k)]
                for x in (references, output)]  # fmt: skip
    for name, peer in PEERS.items():
        table = Outcomes.from_texts(references, output, metrics=[name])
        metric = metrics.named(name)
        # Patterns are sorted: find each segment's own.
        rows = np.array([
            Outcomes.from_texts([r], [o], metrics=[name]).rows.toarray()[0]
            for r, o in zip(references, output, strict=True)
        ])  # fmt: skip
        dense = table.rows.toarray()
        weights = [times[(rows == row).all(axis=1)].sum() for row in dense]
        wanted = peer().corpus_score(repeated[1], repeated[:1]).score
        got = metric.values(metric.view(table), np.array(weights, float))
        assert got[0] == pytest.approx(wanted, abs=1e-9), name


@QUICK
@given(corpus=corpora(), two=corpora(references=2))
def test_word_and_character_errors_are_those_of_jiwer(corpus, two):
    (references,), *outputs = corpus
    for name in ("wer", "cer"):
        peer = getattr(jiwer, name)
        wanted = [peer(references, one) for one in outputs]
        np.testing.assert_allclose(values(name, [references], *outputs), wanted)
    both, *outputs = two
    best = [
        min((jiwer.wer(r, o) for r in row), default=0)
        for row, o in zip(zip(*both, strict=True), outputs[0], strict=True)
    ]
    table = Outcomes.from_texts(list(zip(*both, strict=True)), outputs[0],
                                metrics=["wer"])  # fmt: skip
    cube = table.cube()[:, 0, 0]
    rates = np.sort(
        np.repeat(cube[:, :3].sum(1) / cube[:, 3], table.counts.astype(int))
    )
    np.testing.assert_allclose(rates, np.sort(best))


def squad(text, reference):
    """Exact match and F1 as in the script of SQuAD."""

    def words(s):
        s = "".join(c for c in s.lower() if c not in set(string.punctuation))
        return re.sub(r"\b(a|an|the)\b", " ", s).split()

    said, gold = words(text), words(reference)
    same = sum((Counter(said) & Counter(gold)).values())
    if not said or not gold:
        return float(said == gold), float(said == gold)
    precision, recall = same / len(said), same / len(gold)
    f1 = 2 * precision * recall / (precision + recall) if same else 0.0
    return float(said == gold), f1


@QUICK
@given(corpus=corpora(references=2))
def test_answers_are_scored_as_in_squad(corpus):
    references, first, second = corpus
    rows = list(zip(*references, strict=True))
    for index, name in enumerate(("exact_match", "token_f1")):
        wanted = [
            np.mean([max(squad(o, r)[index] for r in row)
                     for row, o in zip(rows, one, strict=True)])
            for one in (first, second)
        ]  # fmt: skip
        np.testing.assert_allclose(values(name, references, first, second), wanted)


REFERENCES = [f"the {a} {b} sat on the mat today" for a in WORDS for b in WORDS]
NOISE = np.random.default_rng(1)


def noisy(share):
    return [
        " ".join("oops" if NOISE.random() < share else w for w in text.split())
        for text in REFERENCES
    ]


FIRST, SECOND = noisy(0.3), noisy(0.1)


@pytest.mark.parametrize("name", [*PEERS, "wer", "cer", "exact_match", "token_f1"])
def test_the_better_texts_are_named(name):
    result = lk.compare(REFERENCES, FIRST, SECOND, metric=name, **FEW)
    assert result.verdict.name == "better"
    assert result.items.changes.second_right > result.items.changes.first_right
    assert lk.null_test(REFERENCES, FIRST, SECOND, metric=name, **FEW).p_value < 0.01


def test_the_recipe_has_the_signature_and_people_see_texts():
    result = lk.compare(REFERENCES, FIRST, SECOND, metric="bleu", **FEW)
    signature = BLEU()
    signature.corpus_score(FIRST, [REFERENCES])
    assert str(signature.get_signature()) in result.settings.data.source
    row = result.items.changes.rows[0]
    assert row.first in FIRST
    assert row.texts[0].text in REFERENCES
    errors = lk.compare(REFERENCES, FIRST, SECOND, metric="wer", **FEW)
    assert "substitutions" in errors.settings.data.source


def test_settings_of_sacrebleu():
    upper = [text.upper() for text in REFERENCES]
    assert values("bleu", [REFERENCES], upper, lowercase=True) == pytest.approx(100)
    characters = values("bleu", [REFERENCES], FIRST, tokenize="char")
    wanted = sacrebleu.corpus_bleu(FIRST, [REFERENCES], tokenize="char").score
    assert characters == pytest.approx(wanted, abs=1e-9)


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in ("ref.txt", "a.txt", "b.txt")]
    for path, texts in zip(paths, (REFERENCES, FIRST, SECOND), strict=True):
        path.write_text("\n".join([*texts, ""]), encoding="utf-8")
    return paths


def test_lines_and_columns_are_the_same(files, tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"reference": REFERENCES, "a": FIRST, "b": SECOND}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    lines = read_texts(files, metrics=["bleu", "wer"])
    table = read_texts(tmp_path / "t.parquet", metrics=["bleu", "wer"])
    assert lines.digest == table.digest
    assert lines.systems == ("a", "b")
    again = read_texts(files, metrics=["bleu"], references=files[:1])
    assert metrics.named("bleu").observed(again) == pytest.approx(
        metrics.named("bleu").observed(lines)
    )


def test_clusters_come_from_lines(files, tmp_path):
    speakers = tmp_path / "speakers.txt"
    speakers.write_text("".join(f"s{i // 11}\n" for i in range(121)))
    table = read_texts(files, metrics=["wer"], cluster=str(speakers))
    assert table.n_units == 11
    assert table.n_items == 121


@pytest.mark.parametrize(
    ("references", "output", "message"),
    [
        (["one"], ["one", "two"], "same number"),
        (["one", " "], ["one", "two"], "1 are empty"),
        ([], [], "at least one"),
        ("one", ["one"], "sequence of texts"),
        ([["one"], ["one", "two"]], ["x", "y"], "number of references"),
        (["one"], [None], "must hold texts"),
    ],
)
def test_bad_texts_are_refused(references, output, message):
    with pytest.raises(LikelierError, match=message):
        Outcomes.from_texts(references, output, metrics=["wer"])


def test_outputs_without_any_words_are_worth_what_sacrebleu_says():
    empty, references = [""] * 3, REFERENCES[:3]
    for name, peer in PEERS.items():
        wanted = peer().corpus_score(empty, [references]).score
        assert values(name, [references], empty)[0] == pytest.approx(wanted, abs=1e-9)
        result = lk.compare(references, empty, FIRST[:3], metric=name, **FEW)
        assert np.isfinite([*result.hdi]).all()


@pytest.mark.parametrize("bad", [None, float("nan"), b"text", 3])
def test_references_that_are_no_texts_are_refused(bad):
    with pytest.raises(LikelierError, match="must hold texts; segment 1"):
        Outcomes.from_texts(["a", bad], ["a", "b"], metrics=["wer"])


def test_bad_settings_are_refused(files, tmp_path):
    files[1].write_text("one line\n")
    with pytest.raises(LikelierError, match=r"number of lines; .*ref\.txt has 121"):
        read_texts(files, metrics=["wer"])
    with pytest.raises(LikelierError, match="metric of text"):
        Outcomes.from_texts(["a"], ["a"], metrics=["accuracy"])
    with pytest.raises(LikelierError, match="tokenize must be one of 13a"):
        Outcomes.from_texts(["a"], ["a"], metrics=["bleu"], tokenize="13")
