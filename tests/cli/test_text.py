"""Texts and references, on the command line."""

import json

import pytest
import sacrebleu

FEW = ("--draws", "1000", "--seed", "0")
REFERENCES = [f"the cat number {i} sat on the mat" for i in range(40)]
FIRST = [text.replace("sat on", "is at") for text in REFERENCES]
SECOND = [FIRST[i] if i % 4 == 0 else text for i, text in enumerate(REFERENCES)]


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in ("ref.txt", "a.txt", "b.txt")]
    for path, texts in zip(paths, (REFERENCES, FIRST, SECOND), strict=True):
        path.write_text("\n".join([*texts, ""]))
    return paths


def test_texts(call, files):
    done = call("text", *files, "--metric", "bleu,wer", *FEW, "--json", "-")
    bleu, wer = json.loads(done.out)["comparisons"]
    assert bleu["estimates"][0]["value"] == pytest.approx(
        sacrebleu.corpus_bleu(FIRST, [REFERENCES]).score, abs=1e-9
    )
    assert bleu["verdict"]["name"] == wer["verdict"]["name"] == "better"
    assert wer["estimates"][0]["value"] == pytest.approx(2 / 8)


def test_one_system_is_estimated(call, files):
    words = ("text", *files[:2], "--metric", "bleu,wer")
    done = call(*words, *FEW, "--json", "-")
    bleu, wer = json.loads(done.out)["estimates"]
    assert bleu["value"] == pytest.approx(
        sacrebleu.corpus_bleu(FIRST, [REFERENCES]).score, abs=1e-9
    )
    assert wer["value"] == pytest.approx(2 / 8)
    assert wer["interval"]["low"] <= wer["value"] <= wer["interval"]["high"]
    refused = call(*words, "--rope", "0.1")
    assert refused.code == 2
    assert "two systems" in refused.err


def test_columns_of_a_table(call, tmp_path):
    path = tmp_path / "t.csv"
    rows = zip(REFERENCES, FIRST, SECOND, strict=True)
    path.write_text("ref,a,b\n" + "".join(",".join(row) + "\n" for row in rows))
    words = ("--gold", "ref", "--metric", "token_f1", *FEW)
    done = call("text", path, *words)
    assert done.code == 0, done.err
    assert "token F1" in done.out


def test_a_name_of_the_metric(call, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f"{i / 50},{i / 40}\n" for i in range(40)))
    words = ("--systems", "a,b", "--metric", "mean", *FEW)
    done = call("compare", path, *words, "--name", "COMET")
    assert "COMET" in done.out
    assert "mean score" not in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--metric", "accuracy"), "needs labels"),
        (("--metric", "blue"), "bleu"),
        (("--gold", "x"), "one table"),
        (("--metric", "bleu,wer", "--name", "x"), "single metric"),
    ],
)
def test_what_does_not_fit_is_refused(call, files, words, message):
    done = call("text", *files, *words, *FEW)
    assert done.code == 2
    assert message in done.err


def test_compare_says_where_texts_belong(call, files):
    done = call("compare", files[0], "--metric", "bleu", *FEW)
    assert done.code == 2
    assert "likelier text" in done.err


def test_an_unknown_metric_is_told_those_of_text(tmp_path, call):
    table = tmp_path / "t.csv"
    table.write_text("reference,a,b\none,one,one\n")
    ended = call("text", str(table), "--metric", "comet")
    assert ended.code == 2
    assert "chrf++" in ended.err
    assert "accuracy" not in ended.err
    assert "likelier compare scores.csv --metric mean --name COMET" in ended.err


def test_a_page_of_texts_that_change_and_are_neither_better_nor_worse(folder, call):
    text = "a b c d e\nthe cat sat\n" * 5
    (folder / "g").write_text(text.replace("cat", "d", 1))
    (folder / "x").write_text(text.replace("cat", "dog", 3))
    (folder / "y").write_text(text)
    words = ("--metric", "bleu,wer", "--draws", "1000", "--seed", "0")
    ended = call("text", "g", "x", "y", *words, "--html", "page.html")
    assert ended.code == 0, ended.err
    assert "↔ other" in (folder / "page.html").read_text()
