"""The example of text classifiers, on made-up texts in the same format."""

import importlib
import json
import random
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "texts"
NAMES = ("nb_bern", "nb_mult", "svm_l1", "svm_l2")


@pytest.fixture(scope="module")
def example():
    """Import modules of the example, and forget them afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        for path in FOLDER.glob("*.py"):
            # Set, so that whatever is there at the end is put back to how it was.
            patch.setitem(sys.modules, path.stem, None)
            del sys.modules[path.stem]
        patch.syspath_prepend(FOLDER)
        yield importlib.import_module


def texts(seed, count):
    """Made-up texts, where some words are more frequent under one label."""
    rng = random.Random(seed)
    own = {"no": ["bad", "dull", "i'm"], "yes": ["good", "fine", "!"]}
    inputs, gold = [], []
    for index in range(count):
        label = ("no", "yes")[index % 2]
        words = [rng.choice(["the", "film", "is", "it", ","]) for _ in range(5)]
        words += [rng.choice(own[label if rng.random() < 0.9 else "no"])]
        inputs.append(" ".join(words))
        gold.append(label)
    return inputs, gold


def share_right(gold, predicted):
    return sum(a == b for a, b in zip(gold, predicted, strict=True)) / len(gold)


def test_texts_are_read_from_a_zip(example, tmp_path):
    path = tmp_path / "texts.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("set/a.neg", "café \nx\u0085y\u2028z\n\n".encode())
        archive.writestr("set/a.pos", b"one\ntwo\nthree\nfour")
        archive.writestr("set/README.txt", "nothing")
    files = {"no": "set/a.neg", "yes": "set/a.pos"}
    lines = example("text_corpora").lines
    data = lines(str(path), files)
    assert data.task == "labels"
    assert data.inputs[:2] == ["café", "x\u0085y\u2028z"]
    assert data.inputs[2:] == ["one", "two", "three", "four"]
    assert data.gold == ["no"] * 2 + ["yes"] * 4
    few = lines(str(path), files, per_label=2)
    assert few.inputs == ["café", "x\u0085y\u2028z", "one", "three"]
    assert Counter(few.gold) == {"no": 2, "yes": 2}


@pytest.mark.parametrize("name", NAMES)
def test_a_classifier_learns_and_says_the_same_again(example, name):
    base = pytest.importorskip("sklearn.base")
    inputs, gold = texts(1, 80)
    test, right = texts(2, 40)
    system = getattr(example("classifiers"), name)
    states = {
        key: 0
        for key in system.get_params()
        if key.rpartition("__")[2] == "random_state"
    }
    first, second = (
        base.clone(system).set_params(**states).fit(inputs, gold).predict(test).tolist()
        for _ in range(2)
    )
    assert first == second
    assert share_right(right, first) > 0.8


def write_lines(path, inputs, gold=None):
    with path.open("w", encoding="utf-8") as file:
        for index, text in enumerate(inputs):
            row = {"id": str(index), "input": text}
            if gold is not None:
                row["label"] = gold[index]
            print(json.dumps(row, ensure_ascii=False), file=file)


def test_the_command_learns_from_one_file_and_predicts_another(tmp_path):
    inputs, gold = texts(1, 80)
    test, right = texts(2, 40)
    test, right = [*test, "zzz", "café\u2028"], [*right, "no", "no"]
    train, model, items, answers = (str(tmp_path / name) for name in "tmap")
    write_lines(Path(train), inputs, gold)
    write_lines(Path(items), test)
    script = str(FOLDER / "keyword_rule.py")
    for words in (["train", train, model], ["predict", model, items, answers]):
        subprocess.run([sys.executable, script, *words], check=True)
    rows = [
        json.loads(line)
        for line in Path(answers).read_text("utf-8").split("\n")
        if line
    ]
    assert [row["id"] for row in rows] == [str(index) for index in range(len(test))]
    labels = [row["label"] for row in rows]
    assert share_right(right, labels) > 0.8
    # Without a keyword it is the more frequent label, of equal ones the first.
    assert labels[-2] == "no"


def test_keywords_are_those_above_chance(example):
    counts = {"no": Counter(the=9, bad=6), "yes": Counter(the=9, good=6, bad=1)}
    words = example("keyword_rule").keywords("no", counts, Counter(no=9, yes=9))
    assert words == ["bad", "the"]


def test_all_code_that_the_study_names_is_there(example):
    pytest.importorskip("sklearn")
    study = tomllib.loads((FOLDER / "study.toml").read_text("utf-8"))
    names = [table["loader"] for table in study["data"].values()]
    names += [
        table["object"] for table in study["systems"].values() if "object" in table
    ]
    for name in names:
        module, _, attribute = name.partition(":")
        assert hasattr(example(module), attribute)
    for words in (study["systems"]["rules"][part] for part in ("train", "predict")):
        assert (FOLDER / words[1].removeprefix("{folder}/")).is_file()
