"""Chunks are counted as seqeval and conlleval count them, sentence by sentence."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval import scheme as seqeval_schemes
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_scores
from tests.conftest import FEW, QUICK

from likelier import metrics
from likelier.data import pattern_rows
from likelier.data.chunks import from_chunks
from likelier.data.tag_schemes import spans_to_tags
from likelier.errors import InputError, SettingError

TAGS = ["O", "B-X", "I-X", "B-Y", "I-Y", "B-Z-Z", "I-Z-Z"]


@st.composite
def corpora(draw, *, systems=1, tags=TAGS, most=12):
    lengths = draw(st.lists(st.integers(0, 7), min_size=1, max_size=most))
    tag = st.sampled_from(tags)
    return [
        [draw(st.lists(tag, min_size=n, max_size=n)) for n in lengths]
        for _ in range(1 + systems)
    ]


def random_corpus(tags, sentences, *, seed=0):
    """Gold tags and those of one system, many sentences at once."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 8, size=sentences)
    return [[rng.choice(tags, n).tolist() for n in lengths] for _ in range(2)]


def has_chunks(columns):
    return any(tag != "O" for column in columns for s in column for tag in s)


def conlleval(gold, predicted):
    """Count correct, guessed and gold chunks by type, as conlleval.pl goes about it.

    It walks over both columns at once, and a chunk is correct if both start together,
    stay together and end together. Rules of Tjong Kim Sang and Buchholz's script for B,
    I and E.
    """
    correct, guessed, true = Counter(), Counter(), Counter()
    in_correct, last = "", (("O", ""), ("O", ""))
    rows = []
    for first, second in zip(gold, predicted, strict=True):
        rows += [*zip(first, second, strict=True), ("O", "O")]
    for row in rows:
        now = tuple(tuple(tag.partition("-")[::2]) for tag in row)
        ended = [end_of_chunk(*old, *new) for old, new in zip(last, now, strict=True)]
        begun = [start_of_chunk(*old, *new) for old, new in zip(last, now, strict=True)]
        if in_correct:
            if all(ended) and last[0][1] == last[1][1]:
                correct[in_correct] += 1
                in_correct = ""
            elif ended[0] != ended[1] or now[0][1] != now[1][1]:
                in_correct = ""
        if all(begun) and now[0][1] == now[1][1]:
            in_correct = now[0][1]
        true[now[0][1]] += begun[0]
        guessed[now[1][1]] += begun[1]
        last = now
    return +correct, +guessed, +true


def end_of_chunk(old, old_type, new, new_type):
    pairs = {"BB", "BO", "IB", "IO", "EE", "EI", "EO"}
    return old + new in pairs or (old != "O" and old_type != new_type)


def start_of_chunk(old, old_type, new, new_type):
    pairs = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
    return old + new in pairs or (new != "O" and old_type != new_type)


def by_class(outcomes, statistic):
    sums = outcomes.sums()[statistic][0]
    return {c: int(n) for c, n in zip(outcomes.classes, sums, strict=True) if n}


@pytest.mark.parametrize(("prefixes", "scheme"), [("BI", "iob2"), ("IE", "ioe2")])
def test_counts_are_those_of_conlleval(prefixes, scheme):
    letters = ["O", *(f"{p}-{kind}" for p in prefixes for kind in "XY")]

    def check(columns):
        outcomes = from_chunks(*columns, scheme=scheme)
        correct, guessed, true = conlleval(*columns)
        tp, fp, fn = (Counter(by_class(outcomes, name)) for name in ("tp", "fp", "fn"))
        assert tp == correct
        assert tp + fp == guessed
        assert tp + fn == true

    QUICK(given(corpora(tags=letters).filter(has_chunks))(check))()
    for seed in range(10):
        check(random_corpus(letters, 200, seed=seed))


# seqeval reads L and U in strict mode only.
@pytest.mark.parametrize(
    ("scheme", "strict"),
    [("bilou", True), *product(["iob1", "iob2", "ioe2", "iobes"], [False, True])],
)
def test_scores_are_those_of_seqeval(scheme, strict):
    prefixes = {"iobes": "BIES", "bilou": "BILU", "ioe2": "IE"}.get(scheme, "BI")
    letters = ["O", *(f"{p}-{kind}" for p in prefixes for kind in ("X", "Y", "Z-Z"))]
    # So that there is a chunk.
    whole = spans_to_tags([(0, 2, "X")], 3, scheme)
    seqeval, mode = precision_recall_fscore_support, {}
    if strict:
        seqeval = strict_scores
        mode = {"scheme": getattr(seqeval_schemes, scheme.upper())}

    def check(columns):
        columns = [[whole, *column] for column in columns]
        outcomes = from_chunks(*columns, scheme=scheme, strict=strict)
        for average in ("micro", "macro", "weighted"):
            *expected, _ = seqeval(*columns, average=average, zero_division=0, **mode)
            names = [f"{average}_{name}" for name in ("precision", "recall", "f1")]
            values = [metrics.named(name).observed(outcomes)[0] for name in names]
            assert values == pytest.approx(expected, abs=1e-12)

    FEW(given(corpora(tags=letters))(check))()
    for seed in range(3):
        check(random_corpus(letters, 60, seed=seed))


def slow_rows(columns, **settings_):
    """Count every sentence by itself."""
    rows = []
    for sentence in zip(*columns, strict=True):
        try:
            rows.append(from_chunks(*([s] for s in sentence), **settings_))
        except InputError:
            rows.append(None)
    return rows


@QUICK
@given(corpora(systems=2).filter(has_chunks))
def test_patterns_are_sentences(columns):
    outcomes = from_chunks(*columns, scheme="iob2")
    assert outcomes.n_items == len(columns[0])
    assert outcomes.rows.has_sorted_indices
    one_by_one = Counter()
    for row in slow_rows(columns, scheme="iob2"):
        one_by_one[tuple(zip(*totals(row), strict=True)) if row else empty()] += 1
    cube = outcomes.cube()
    together = Counter()
    for pattern, count in zip(cube, outcomes.counts, strict=True):
        tp, fp, fn, _ = pattern.sum(axis=1).T
        together[tuple(zip(tp, fp, fn, strict=True))] += int(count)
        right = pattern[:, :, 3].sum(axis=1)
        assert (right == (fp + fn == 0)).all()
        assert (pattern[:, 1:, 3] == 0).all()
    assert together == one_by_one


def totals(outcomes):
    return [outcomes.pooled().sums()[name][:, 0] for name in ("tp", "fp", "fn")]


def empty():
    return ((0.0, 0.0, 0.0),) * 2


@QUICK
@given(corpora(systems=2).filter(has_chunks), st.randoms(use_true_random=False))
def test_order_of_sentences_does_not_matter(columns, random):
    order = list(range(len(columns[0])))
    random.shuffle(order)
    shuffled = [[column[i] for i in order] for column in columns]
    digests = {from_chunks(*c, scheme="iob2").digest for c in (columns, shuffled)}
    assert len(digests) == 1


@QUICK
@given(corpora(systems=2).filter(has_chunks), st.integers(2, 20))
def test_narrow_keys_find_the_same_patterns(columns, bits):
    wide = from_chunks(*columns, scheme="iob2")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pattern_rows, "_KEY_BITS", bits)
        narrow = from_chunks(*columns, scheme="iob2")
    assert wide.digest == narrow.digest


@QUICK
@given(corpora(systems=2).filter(has_chunks), st.data())
def test_documents_are_sums_of_sentences(columns, data):
    n = len(columns[0])
    cluster = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    outcomes = from_chunks(*columns, scheme="iob2", cluster=cluster)
    plain = from_chunks(*columns, scheme="iob2")
    assert outcomes.n_units == len(set(cluster))
    assert outcomes.n_items == n
    for name, sums in plain.sums().items():
        assert (outcomes.sums()[name] == sums).all()


GOLD = [["B-PER", "I-PER", "O", "B-ORG"], ["O", "B-LOC"], ["O"]]
FIRST = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC"], ["O"]]
SECOND = [["B-PER", "B-PER", "O", "B-ORG"], ["O", "O"], ["O"]]


def test_types_are_classes():
    outcomes = from_chunks(GOLD, FIRST, SECOND, scheme="iob2")
    assert outcomes.classes == ("LOC", "ORG", "PER")
    assert outcomes.systems == ("first", "second")
    sums = outcomes.sums()
    assert sums["tp"].tolist() == [[1, 0, 1], [0, 1, 0]]
    assert sums["fp"].tolist() == [[1, 0, 0], [0, 0, 2]]
    assert sums["fn"].tolist() == [[0, 1, 0], [1, 0, 1]]
    assert metrics.named("accuracy").observed(outcomes).tolist() == pytest.approx(
        [2 / 3, 1 / 3]
    )
    assert "tn" not in sums


def test_one_type_against_the_rest():
    outcomes = from_chunks(GOLD, FIRST, SECOND, scheme="iob2").binary("LOC")
    assert outcomes.sums()["tp"].tolist() == [[1], [0]]
    # Sentences without a wrong or missing chunk of that type.
    right = metrics.named("accuracy").observed(outcomes)
    assert right.tolist() == pytest.approx([2 / 3, 2 / 3])


def test_boundaries_only():
    outcomes = from_chunks(GOLD, FIRST, scheme="iob2", match="exact")
    assert outcomes.classes == ("chunk",)
    assert np.ravel(totals(outcomes)).tolist() == [3, 0, 0]


def test_boundaries_are_those_of_typed_chunks():
    outcomes = from_chunks(
        [["I-A", "I-B"]], [["I-A", "B-A"]], scheme="iob1", match="exact"
    )
    assert np.ravel(totals(outcomes)).tolist() == [2, 0, 0]


def test_one_type_only():
    outcomes = from_chunks(GOLD, FIRST, scheme="iob2", only="ORG")
    assert outcomes.classes == ("ORG",)
    assert np.ravel(totals(outcomes)).tolist() == [0, 0, 1]
    with pytest.raises(
        SettingError, match="only must be one of LOC, ORG, PER; got 'G'"
    ):
        from_chunks(GOLD, FIRST, scheme="iob2", only="G")


def test_untyped_tags():
    outcomes = from_chunks([["B", "E", "S"]], [["S", "S", "S"]], scheme="bmes")
    assert outcomes.classes == ("chunk",)
    assert np.ravel(totals(outcomes)).tolist() == [1, 2, 1]


def test_typed_and_untyped_tags_are_different():
    outcomes = from_chunks([["B", "B-A"]], [["B-A", "B-A"]], scheme="iob2")
    assert outcomes.classes == ("", "A")


def test_a_scheme_for_each_column():
    chunks = [(0, 5, ""), (5, 6, "")]
    columns = [[spans_to_tags(chunks, 6, s)] for s in ("bmes", "bb2b3mes", "iob2")]
    schemes = ["bmes", "BB2B3MES", "iob2"]
    outcomes = from_chunks(*columns, scheme=schemes, strict=True)
    assert outcomes.sums()["tp"].tolist() == [[2], [2]]
    with pytest.raises(SettingError, match=r"scheme must be one name, or 3: .*; got 2"):
        from_chunks(*columns, scheme=schemes[:2])


def test_types_only_in_malformed_chunks_are_no_classes():
    columns = [["B-A", "O"]], [["B-A", "I-B"]]
    assert from_chunks(*columns, scheme="iob2").classes == ("A", "B")
    assert from_chunks(*columns, scheme="iob2", strict=True).classes == ("A",)


def test_many_types():
    sentences = [[f"B-{i}"] for i in range(700)]
    outcomes = from_chunks(sentences, sentences[::-1], scheme="iob2")
    assert outcomes.n_patterns == 700
    assert outcomes.sums()["fn"].sum() == 700


def test_other_sequences():
    arrays = tuple(np.array(s) for s in GOLD)
    outcomes = from_chunks(arrays, iter(FIRST), scheme="iob2")
    assert outcomes.digest == from_chunks(GOLD, FIRST, scheme="iob2").digest


BAD = {
    "no-systems": ([GOLD], "at least one system"),
    "sentences": ([GOLD, FIRST[:2]], "gold has 3, first has 2"),
    "no-sentences": ([[], []], "at least one item"),
    "tokens": (
        [GOLD, FIRST, [GOLD[0], ["O"], ["O"]]],
        r"Sentence 1 must have as many tags for second as for gold: 2; got 1",
    ),
    "flat": (
        [["B-PER"], ["O"]],
        "one sequence of tags per sentence; sentence 0 is 'B-P",
    ),
    "none": ([[["O"], None], [["O"], ["O"]]], "gold must hold .* sentence 1 is None"),
    "not-text": (
        [[["O"], ["O", 3]], [["O"], ["O", "O"]]],
        r"Tag 1 of sentence 1 of gold must be one of .*; got 3",
    ),
    "nested": (
        [[[["O"]]], [["O"]]],
        "gold must hold one sequence of tags per sentence; unhashable",
    ),
    "prefix": (
        [GOLD, [["O"] * 4, ["O", "X-A"], ["O"]]],
        r"Tag 1 of sentence 1 of first must be one of .*; got 'X-A'",
    ),
    "no-chunks": ([[["O"]], [["O"]]], "at least one chunk"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case):
    columns, message = BAD[case]
    with pytest.raises((InputError, SettingError), match=message):
        from_chunks(*columns, scheme="iob2")


def test_bad_settings():
    with pytest.raises(SettingError, match="scheme must be one of"):
        from_chunks(GOLD, FIRST, scheme="bio")
    with pytest.raises(InputError, match="cluster has 2, the table has 3"):
        from_chunks(GOLD, FIRST, scheme="iob2", cluster=["a", "b"])
    with pytest.raises(InputError, match=r"Tag 0 of sentence 0 of gold .*'S-A'"):
        from_chunks([["S-A"]], [["O"]], scheme="iob2", strict=True)
