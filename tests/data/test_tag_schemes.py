"""Tags and spans agree with seqeval and with an independent reading of the schemes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval import scheme as seqeval_schemes
from seqeval.metrics.sequence_labeling import get_entities
from tests.conftest import FEW, QUICK

from likelier.data.tag_corpus import TagCodes, TagCorpus, encode_tags
from likelier.data.tag_schemes import (
    TAG_SCHEMES,
    convert_tags,
    describe_scheme,
    scheme_of,
    spans_to_tags,
    tag_scheme,
    tags_to_spans,
)
from likelier.errors import InputError, SettingError

TYPES = ("", "-A", "-A-B")
PREFIXES = {
    "iob1": ["O", "B", "I"],
    "iob2": ["O", "B", "I"],
    "ioe1": ["O", "I", "E"],
    "ioe2": ["O", "I", "E"],
    "iobes": ["O", "B", "I", "E", "S"],
    "bilou": ["O", "B", "I", "L", "U"],
    "bmes": ["O", "B", "M", "E", "S"],
    "bb2b3mes": ["O", "B", "B2", "B3", "M", "E", "S"],
}
# In other schemes than these a chunk is well formed if it is written as it must be.
BY_SEQEVAL = {"iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou"}
# Prefixes that conlleval reads, as seqeval writes them.
PLAIN = {"L": "E", "U": "S", "M": "I", "B2": "I", "B3": "I"}


def tag_sets(prefixes):
    return ["O", *(p + kind for p in prefixes if p != "O" for kind in TYPES)]


def corpora(prefixes):
    sentence = st.lists(st.sampled_from(tag_sets(prefixes)), max_size=9)
    return st.lists(sentence, min_size=3, max_size=3)


def check_corpora(check, prefixes):
    """Check a few small corpora, which shrink, and a large one."""
    FEW(given(corpora(prefixes))(check))()
    rng, tags = np.random.default_rng(0), tag_sets(prefixes)
    check([rng.choice(tags, n).tolist() for n in rng.integers(0, 10, size=800)])


@st.composite
def span_lists(draw):
    """Chunks that do not overlap, with or without room between them."""
    end, chunks = 0, []
    for _ in range(draw(st.integers(0, 5))):
        start = end + draw(st.integers(0, 2))
        end = start + draw(st.integers(1, 6))
        chunks.append((start, end, draw(st.sampled_from(("", "A", "A-B", "-")))))
    return chunks, end + draw(st.integers(0, 2))


def vectorised(sentences, scheme, *, strict):
    """Find the chunks of all sentences at once; return them sentence by sentence."""
    codes = TagCodes()
    lengths = np.array([len(s) for s in sentences], dtype=np.int64)
    corpus = TagCorpus((), (encode_tags(sentences, codes),), lengths)
    corpus = TagCorpus(tuple(codes), corpus.codes, lengths)
    spans = [[] for _ in sentences]
    for start, end, kind in zip(*corpus.chunks(0, scheme, strict=strict), strict=True):
        i = int(np.searchsorted(corpus.offsets, start, side="right")) - 1
        offset = corpus.offsets[i]
        spans[i].append((start - offset, end - offset, corpus.types[kind]))
    return spans


def lenient_seqeval(sentence):
    plain = []
    for tag in sentence:
        prefix, hyphen, kind = tag.partition("-")
        plain.append(PLAIN.get(prefix, prefix) + hyphen + kind)
    return [(a, b + 1, untyped(kind)) for kind, a, b in get_entities(plain)]


def strict_seqeval(sentence, scheme):
    tokens = seqeval_schemes.Tokens(sentence, getattr(seqeval_schemes, scheme.upper()))
    return [(e.start, e.end, untyped(e.tag)) for e in tokens.entities]


def untyped(kind):
    return "" if kind == "_" else kind


def windows(sentence, scheme):
    """Return every stretch of tags that is written as a chunk must be."""
    split = [tag.partition("-")[::2] for tag in sentence]
    return [
        (i, j, split[i][1])
        for i in range(len(split))
        for j in range(i + 1, len(split) + 1)
        if [p for p, _ in split[i:j]] == tag_scheme(scheme).written(j - i)
        and len({kind for _, kind in split[i:j]}) == 1
    ]


def lone_end(sentence, span):
    """Return whether a chunk of IOE1 is one of those that seqeval misses."""
    start, end, _ = span
    tag = sentence[start]
    before = sentence[start - 1] if start else "O"
    return end == start + 1 and tag[0] == "E" and before != tag


@pytest.mark.parametrize("scheme", TAG_SCHEMES)
def test_strict_is_seqeval_strict(scheme):
    def check(sentences):
        together = vectorised(sentences, scheme, strict=True)
        for sentence, spans in zip(sentences, together, strict=True):
            assert tags_to_spans(sentence, scheme, strict=True) == spans
            if scheme not in BY_SEQEVAL:
                assert spans == windows(sentence, scheme)
                continue
            if scheme == "ioe1":
                spans = [s for s in spans if not lone_end(sentence, s)]
            assert spans == strict_seqeval(sentence, scheme)

    check_corpora(check, PREFIXES[scheme])


def test_lenient_is_seqeval_default():
    everything = sorted({p for prefixes in PREFIXES.values() for p in prefixes})

    def check(sentences):
        expected = [lenient_seqeval(sentence) for sentence in sentences]
        for scheme in TAG_SCHEMES:
            assert vectorised(sentences, scheme, strict=False) == expected
            assert [tags_to_spans(s, scheme) for s in sentences] == expected

    check_corpora(check, everything)


@pytest.mark.parametrize("scheme", ["iobes", "bilou"])
def test_whole_chunks_are_windows(scheme):
    def check(sentences):
        for sentence in sentences:
            assert tags_to_spans(sentence, scheme, strict=True) == windows(
                sentence, scheme
            )

    check_corpora(check, PREFIXES[scheme])


@settings(QUICK, max_examples=60)
@given(span_lists())
def test_spans_go_round(drawn):
    chunks, length = drawn
    for scheme in TAG_SCHEMES:
        tags = spans_to_tags(reversed(chunks), length, scheme)
        assert len(tags) == length
        assert {tag.partition("-")[0] for tag in tags} <= set(PREFIXES[scheme])
        for strict in (False, True):
            assert tags_to_spans(tags, scheme, strict=strict) == chunks
            assert vectorised([tags], scheme, strict=strict) == [chunks]


@pytest.mark.parametrize("source", TAG_SCHEMES)
def test_conversion_keeps_chunks(source):
    chunks = [(0, 1, "A"), (1, 2, "A"), (2, 7, "B"), (8, 10, "A"), (10, 13, "")]
    tags = spans_to_tags(chunks, 14, source)
    for target in TAG_SCHEMES:
        converted = convert_tags(tags, source, target)
        assert converted == spans_to_tags(chunks, 14, target)
        assert convert_tags(converted, target, source, strict=True) == tags


def test_tags_as_no_scheme_writes_them_are_told_by_their_prefixes():
    assert scheme_of(["O", "I-A", "O", "B-A"]) == "iob2"
    assert scheme_of(["B-A", "O", "L-A"]) == "bilou"
    with pytest.raises(InputError, match="one scheme; got B, U, X"):
        scheme_of(["B-A", "X-A", "U-B"])


def test_conversion_of_malformed_tags():
    malformed = ["I-A", "I-A", "O", "B-A"]
    assert convert_tags(malformed, "iob2", "iobes") == ["B-A", "E-A", "O", "S-A"]
    assert convert_tags(malformed, "iob2", "iobes", strict=True) == [
        "O",
        "O",
        "O",
        "S-A",
    ]


@pytest.mark.parametrize(
    ("scheme", "written"),
    [
        ("iob1", "I-A I-A B-A I-A I-B O"),
        ("iob2", "B-A I-A B-A I-A B-B O"),
        ("ioe1", "I-A E-A I-A I-A I-B O"),
        ("ioe2", "I-A E-A I-A E-A E-B O"),
        ("iobes", "B-A E-A B-A E-A S-B O"),
        ("bilou", "B-A L-A B-A L-A U-B O"),
        ("bmes", "B-A E-A B-A E-A S-B O"),
        ("bb2b3mes", "B-A E-A B-A E-A S-B O"),
    ],
)
def test_schemes_as_published(scheme, written):
    chunks = [(0, 2, "A"), (2, 4, "A"), (4, 5, "B")]
    assert spans_to_tags(chunks, 6, scheme) == written.split()


def test_second_and_third_characters():
    lengths = {1: "S", 2: "B E", 3: "B B2 E", 4: "B B2 B3 E", 6: "B B2 B3 M M E"}
    for length, written in lengths.items():
        assert spans_to_tags([(0, length, "")], length, "BB2B3MES") == written.split()


def test_ioe1_that_seqeval_misses():
    sentence = ["O", "E-A", "I-A"]
    assert tags_to_spans(sentence, "ioe1", strict=True) == [(1, 2, "A"), (2, 3, "A")]
    assert strict_seqeval(sentence, "ioe1") == [(2, 3, "A")]


def test_types_follow_the_first_hyphen():
    assert tags_to_spans(["B-A-B", "I-A-B"], "iob2") == [(0, 2, "A-B")]
    assert tags_to_spans(["B-", "I"], "iob2") == [(0, 2, "")]
    assert tags_to_spans(["B-A", "O-A", "I-A"], "iob2") == [(0, 1, "A"), (2, 3, "A")]
    assert vectorised([["B-A", "O-A", "I-A"]], "iob2", strict=False) == [
        [(0, 1, "A"), (2, 3, "A")]
    ]


def test_more_tags_than_a_byte_holds():
    sentence = [f"B-{i}" for i in range(1000)]
    (spans,) = vectorised([sentence], "iob2", strict=False)
    assert spans == tags_to_spans(sentence, "iob2")


def test_sentences_end_chunks():
    spans = vectorised([["B-A"], [], ["I-A", "I-A"], []], "iob2", strict=False)
    assert spans == [[(0, 1, "A")], [], [(0, 2, "A")], []]


def test_unknown_scheme():
    with pytest.raises(SettingError, match=r"scheme must be one of bb2b3mes.*'bio'"):
        tags_to_spans(["O"], "bio")
    with pytest.raises(SettingError, match=r"scheme must be one of .*; got 3"):
        spans_to_tags([], 0, 3)


@pytest.mark.parametrize("tag", ["X-A", "", "-A", "b-A", "BX-A"])
def test_unknown_tag(tag):
    with pytest.raises(InputError, match=r"Tag 1 must be one of B, .*; got '"):
        tags_to_spans(["O", tag], "iob2")


def test_strict_refuses_prefixes_of_other_schemes():
    assert tags_to_spans(["S-A"], "iob2") == [(0, 1, "A")]
    with pytest.raises(InputError, match=r"Tag 0 must be one of B, I, O, .*'S-A'"):
        tags_to_spans(["S-A"], "iob2", strict=True)


@pytest.mark.parametrize(
    "chunks",
    [
        [(0, 2, "A"), (1, 3, "A")],
        [(0, 0, "A")],
        [(2, 1, "A")],
        [(3, 5, "")],
        [(-1, 1, "")],
    ],
)
def test_bad_spans(chunks):
    with pytest.raises(InputError, match="spans must lie within 4 tokens"):
        spans_to_tags(chunks, 4, "iob2")


def test_description():
    assert (
        describe_scheme("BMES", strict=True, match="exact")
        == "chunks bmes strict match=exact"
    )
    assert describe_scheme(["iob2", "IOBES"]) == "chunks iob2,iobes lenient"


def test_codes_pass_errors_on():
    def broken():
        yield "O"
        message = "broken"
        raise ValueError(message)

    with pytest.raises(ValueError, match="broken"):
        encode_tags([broken()], TagCodes())
