"""The example of part-of-speech taggers, on made-up corpora in the same formats."""

import gzip
import importlib
import itertools
import os
import random
import subprocess
import sys
import tomllib
from collections import Counter
from math import exp, log
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "taggers"
CLASSES = {
    "suffixes": "Suffix",
    "tnt": "TnT",
    "linear": "Linear",
    "perceptron": "Perceptron",
    "crf_tagger": "CRF",
}
NEEDS = {"linear": "sklearn", "crf_tagger": "pycrfsuite"}


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


@pytest.fixture(params=CLASSES)
def tagger(request, example):
    """Give what makes a tagger, each in its turn."""
    module = request.param
    pytest.importorskip(NEEDS.get(module, "numpy"))
    made = getattr(example(module), CLASSES[module])
    seeded = {"random_state": 3} if module in ("linear", "perceptron") else {}
    return lambda: made(**seeded)


def corpus(seed, sentences):
    """Made-up sentences, where endings tell tags and some words have two."""
    rng = random.Random(seed)

    def word(ending):
        stem = "".join(rng.choice("bdfgklmnprst") for _ in range(3))
        return stem + ending

    inputs, gold = [], []
    for _ in range(sentences):
        name = word("o").capitalize()
        start = rng.choice([[("the", "DT")], [(name, "NNP"), ("'s", "POS")]])
        middle = [(word("y"), "JJ"), (word("er"), "NN"), (word("s"), "VBZ")]
        end = rng.choice([[("a", "DT"), ("run", "NN")], [("to", "TO"), ("run", "VB")]])
        rows = [*start, *middle, *end, (".", ".")]
        inputs.append([form for form, _ in rows])
        gold.append([tag for _, tag in rows])
    return inputs, gold


def share_right(gold, predicted):
    pairs = [
        right == tag
        for tags, labels in zip(gold, predicted, strict=True)
        for right, tag in zip(tags, labels, strict=True)
    ]
    return sum(pairs) / len(pairs)


def test_a_tagger_gives_each_token_a_tag_and_beats_the_most_frequent_one(tagger):
    inputs, gold = corpus(1, 60)
    test, right = corpus(2, 30)
    predicted = tagger().fit(inputs, gold).predict(test)
    assert [len(tags) for tags in predicted] == [len(tokens) for tokens in test]
    tags_seen = {tag for tags in gold for tag in tags}
    assert all(
        type(tag) is str and tag in tags_seen for tags in predicted for tag in tags
    )
    usual = Counter(tag for tags in right for tag in tags).most_common(1)[0][1]
    assert share_right(right, predicted) > 0.8 > usual / sum(map(len, right))


def test_a_tagger_says_the_same_again(tagger):
    inputs, gold = corpus(1, 30)
    test, _ = corpus(2, 10)
    first, second = (tagger().fit(inputs, gold).predict(test) for _ in range(2))
    assert first == second


def test_a_tagger_tags_single_tokens_and_forms_unlike_any(tagger):
    odd = [["the"], ["Zzyzx"], ["§§"], ["1,000"], ["é"], ["\u4e2d"], ["x" * 40], ["_"]]
    trained = tagger().fit(*corpus(1, 20))
    assert [len(tags) for tags in trained.predict(odd)] == [1] * len(odd)
    assert trained.predict([]) == []
    assert trained.predict([["run"], ["the", "run"]])[1][0] == "DT"


def test_a_tagger_learns_from_one_sentence_and_from_one_tag(tagger):
    made = tagger()
    if type(made).__name__ == "Linear":
        # A classifier needs two classes, and says so.
        with pytest.raises(ValueError, match="class"):
            made.fit([["a"]], [["X"]])
        return
    assert tagger().fit([["a"]], [["X"]]).predict([["a", "b"]]) == [["X", "X"]]


HASHED = """
import importlib, sys
sys.path[:0] = [{folder!r}, {tests!r}]
from test_taggers import corpus
(inputs, gold), (test, _) = corpus(1, 30), corpus(2, 20)
for module, name in {classes!r}:
    tagger = getattr(importlib.import_module(module), name)()
    tagger.random_state = 3
    print(tagger.fit(inputs, gold).predict(test))
"""


def test_no_tagger_depends_on_the_order_of_sets():
    pytest.importorskip("pycrfsuite")
    # Loading scikit-learn twice would take the longest, and its classifier has no sets.
    classes = [pair for pair in CLASSES.items() if pair[0] != "linear"]
    script = HASHED.format(
        folder=str(FOLDER), tests=str(Path(__file__).parent), classes=classes
    )
    predicted = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(predicted) == 1


def test_ewt_is_read_from_gzipped_columns(example, tmp_path):
    text = (
        "# sent_id = weblog-a-0001\nHi\tINTJ\tUH\n#1\tNUM\tNN\n\n"
        "# sent_id = weblog-a-0002\na\u00a0b\tX\tGW\n\n"
    )
    for part in ("train", "dev", "test"):
        path = tmp_path / f"en_ewt.{part}.form_upos_xpos.tsv.gz"
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.write(text.replace("weblog-a", f"weblog-{part}"))
    pos_corpora = example("pos_corpora")
    data = pos_corpora.ewt(str(tmp_path))
    assert data.task == "tags"
    assert data.inputs == [["Hi", "#1"], ["a\u00a0b"]] * 3
    assert data.gold == [["UH", "NN"], ["GW"]] * 3
    assert data.groups is None
    few = pos_corpora.ewt(str(tmp_path), sentences=3, documents=True)
    assert few.inputs == [["Hi", "#1"]] * 3
    assert few.groups == ["weblog-train", "weblog-dev", "weblog-test"]


def test_masc_is_read_from_a_zip_without_broken_sentences(example, tmp_path):
    texts = {
        "masc_tagged/categories.txt": "written/a.txt blog\n",
        "masc_tagged/written/": "",
        "masc_tagged/written/b.txt": "O_K_JJ ._. \n\n\nthe_DT D. C._NN \n_UH ._. \n",
        "masc_tagged/written/a.txt": '“_" __NN café_NN \nwe_PP go_VBP \na\u00a0b_NN',
    }
    path = tmp_path / "masc_tagged.zip"
    with ZipFile(path, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text.encode())
    data = example("pos_corpora").masc(str(path), documents=True)
    assert data.inputs == [["“", "_", "café"], ["a\u00a0b"], ["O_K", "."]]
    assert data.gold == [['"', "NN", "NN"], ["NN"], ["JJ", "."]]
    assert data.groups == ["masc_tagged/written/a.txt"] * 2 + [
        "masc_tagged/written/b.txt"
    ]


def test_sentences_are_taken_at_even_steps(example):
    evenly = example("pos_corpora").evenly
    assert evenly(list(range(10)), 4) == [0, 2, 5, 7]
    assert evenly([1, 2], None) == evenly([1, 2], 5) == [1, 2]


def test_suffix_takes_the_longest_known_ending(example):
    inputs = [["walking", "talking", "king", "sing", "Ming", "the"]]
    gold = [["VBG", "VBG", "NN", "VB", "NNP", "DT"]]
    trained = example("suffixes").Suffix(longest=4).fit(inputs, gold)
    tokens = ["the", "barking", "wing", "Bing", "xyz"]
    assert trained.predict([tokens]) == [["DT", "VBG", "VBG", "NNP", "VBG"]]


GOLD = [
    "D N V D N",
    "N V D A N",
    "D A A N V",
    "P V N",
    "P V D N P",
    "N",
]
WORDS = [
    "the dog saw the cat",
    "dogs saw a big cat",
    "the big red saw barks",
    "he runs home",
    "she saw the dog there",
    "home",
]


def tiny():
    return [line.split() for line in WORDS], [line.split() for line in GOLD]


def padded(gold):
    return [["<s>", "<s>", *tags, "</s>"] for tags in gold]


def counted(gold, n):
    """Count n-grams that end in a tag or in the end of a sentence."""
    return Counter(
        tuple(tags[end - n + 1 : end + 1])
        for tags in padded(gold)
        for end in range(2, len(tags))
    )


def contexts(grams):
    counts = Counter()
    for gram, count in grams.items():
        counts[gram[:-1]] += count
    return counts


def brute_weights(gold):
    """Brants (2000), Figure 1, with plain counts."""
    ones, twos, threes = (counted(gold, n) for n in (1, 2, 3))
    votes = [0, 0, 0]
    for (first, second, third), count in threes.items():
        shares = []
        for grams, gram in (
            (ones, (third,)),
            (twos, (second, third)),
            (threes, (first, second, third)),
        ):
            whole = contexts(grams)[gram[:-1]] - 1
            shares.append((grams[gram] - 1) / whole if whole else 0)
        best = max(range(3), key=lambda index: (shares[index], index))
        votes[best] += count
    return [vote / sum(votes) for vote in votes]


def brute_log(tags, words, gold, emitted):
    """The logarithm of the joint probability of words and tags."""
    weights = brute_weights(gold)
    grams = [counted(gold, n) for n in (1, 2, 3)]
    whole = [contexts(gram) for gram in grams]
    total = 0.0
    row = ["<s>", "<s>", *tags, "</s>"]
    for end in range(2, len(row)):
        chance = 0.0
        for n in (1, 2, 3):
            gram = tuple(row[end - n + 1 : end + 1])
            seen = whole[n - 1][gram[:-1]]
            chance += weights[n - 1] * (grams[n - 1][gram] / seen if seen else 0)
        total += log(chance)
    return total + sum(
        log(emitted(word, tag)) for word, tag in zip(words, tags, strict=True)
    )


def brute_ending(word, tag, words, gold, tags):
    """What the ending of a new word says, divided by the share of the tag."""
    rows = [
        pair
        for sentence, labels in zip(words, gold, strict=True)
        for pair in zip(sentence, labels, strict=True)
    ]
    share = {one: sum(t == one for _, t in rows) / len(rows) for one in tags}
    theta = np.std(list(share.values()), ddof=1)
    chance = share[tag]
    for length in range(1, len(word) + 1):
        like = [
            t
            for w, t in rows
            if w.endswith(word[-length:]) and w[0].isupper() == word[0].isupper()
        ]
        if not like:
            break
        chance = (like.count(tag) / len(like) + theta * chance) / (1 + theta)
    return chance / share[tag]


def test_interpolation_is_that_of_brants(example):
    words, gold = tiny()
    trained = example("tnt").TnT().fit(words, gold)
    assert trained.weights_ == pytest.approx(brute_weights(gold), abs=1e-12)
    assert sum(trained.weights_) == pytest.approx(1)


def test_transitions_are_distributions(example):
    tnt = example("tnt")
    counts = tnt.trigrams([[0, 1, 2], [1, 0], [2]])
    chances = tnt.mixed(counts, (0.2, 0.3, 0.5))
    seen = counts.sum(axis=2) > 0
    np.testing.assert_allclose(chances.sum(axis=2)[seen], 1)
    assert (chances[..., 3] == 0).all()


TEXTS = ("the saw barks", "he saw home", "she plays the saw", "cogs saw a log", "x")


@pytest.mark.parametrize("text", TEXTS)
def test_the_search_finds_the_most_probable_tags_of_all(example, text):
    words, gold = tiny()
    trained = example("tnt").TnT().fit(words, gold)
    tags = sorted({tag for line in gold for tag in line})
    seen = Counter(itertools.chain.from_iterable(words))
    by_tag = Counter(itertools.chain.from_iterable(gold))
    pairs = Counter(
        pair
        for sentence, labels in zip(words, gold, strict=True)
        for pair in zip(sentence, labels, strict=True)
    )

    def emitted(word, tag):
        if word in seen:
            return pairs[word, tag] / by_tag[tag]
        return brute_ending(word, tag, words, gold, tags)

    tokens = text.split()
    paths = [
        path
        for path in itertools.product(tags, repeat=len(tokens))
        if all(emitted(word, tag) > 0 for word, tag in zip(tokens, path, strict=True))
    ]
    logs = {path: brute_log(path, tokens, gold, emitted) for path in paths}
    predicted = tuple(trained.predict([tokens])[0])
    assert logs[predicted] == pytest.approx(max(logs.values()), abs=1e-12)
    for (indices, scores), word in zip(trained.said(tokens), tokens, strict=True):
        for index, score in zip(indices, scores, strict=True):
            assert exp(score) == pytest.approx(emitted(word, trained.names_[index]))


def test_the_perceptron_keeps_the_mean_of_its_weights(example):
    perceptron = example("perceptron")
    weights = perceptron._Weights(2, 2)
    history = []
    for sentence, gold in [([[0], [1]], [1, 1]), ([[1]], [0]), ([[0, 1]], [1])]:
        for features, tag in zip(sentence, gold, strict=True):
            # One token at a time: between them the weights can be looked at.
            history.append(weights.by_feature.copy())
            weights.learn([features], [tag])
    history.append(weights.by_feature.copy())
    np.testing.assert_allclose(
        weights.averaged().by_feature, np.mean(history, axis=0), atol=1e-12
    )


def test_the_perceptron_follows_its_seed(example):
    perceptron = example("perceptron")
    inputs, gold = corpus(1, 30)
    weights = [
        perceptron.Perceptron(epochs=2, random_state=seed)
        .fit(inputs, gold)
        .weights_.by_feature
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(weights[0], weights[1])
    assert (weights[0] != weights[2]).any()


def test_features_see_the_neighbours_and_the_edges(example):
    names = example("token_features").sentence_features(["Catch-22", "runs"])
    assert {"shape=Xx-0", "end=h-22", "start=cat", "after word=runs"} <= set(names[0])
    assert {"before shape=Xx-0", "before word=catch-22", "end=runs"} <= set(names[1])
    assert "before word=<s> " in names[0]
    assert "after word=</s> " in names[1]
    assert all(len(set(row)) == len(row) for row in names)


def test_all_code_that_the_study_names_is_there(example):
    table = tomllib.loads((FOLDER / "study.toml").read_text("utf-8"))
    names = [data["loader"] for data in table["data"].values()]
    names += [system["object"] for system in table["systems"].values()]
    for name in names:
        module, _, attribute = name.partition(":")
        pytest.importorskip(NEEDS.get(module, "numpy"))
        assert callable(getattr(example(module), attribute))
