"""Tokens with tags are counted as a plain loop over lists counts them."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import QUICK

from likelier.data.constructors import from_labels
from likelier.data.token_tags import TaggedTokens, Vocabulary
from likelier.errors import InputError

TAGS = ("O", "B", "A")
GOLD = [0, 1, 1, 2, 0, 2]
FIRST = [0, 1, 2, 2, 0, 2]
SECOND = [0, 2, 1, 2, 0, 1]
OFFSETS = [0, 2, 4, 6]
FORMS = [b"the", b"dog", b"The", b"cat", b"\xc3\x89t\xc3\xa9", b"dog"]


def tokens(columns=(GOLD, FIRST, SECOND), *, offsets=OFFSETS, documents=(0, 0, 1)):
    return TaggedTokens(
        systems=("a", "b"),
        tags=TAGS,
        codes=np.array(columns).T,
        offsets=np.array(offsets),
        forms=pa.chunked_array([FORMS[:4], FORMS[4:]]),
        documents=lambda: np.array(documents),
        source="tags",
    )


def labelled(columns, **settings):
    """Count the same labels from lists; sums of clusters with sorted columns."""
    labels = [[TAGS[code] for code in column] for column in columns]
    table = from_labels(*labels, systems=["a", "b"], **settings)
    if table.labels is not None:
        return table
    return replace(table, rows=table.rows.sorted_indices())


def test_tokens_are_counted_by_their_tags():
    table = tokens().token_outcomes(None)
    assert table.digest == labelled((GOLD, FIRST, SECOND)).digest
    assert (table.unit, table.source) == ("tokens", "tags")
    assert table.classes == ("A", "B", "O")


corpora = st.lists(st.tuples(*[st.integers(0, 2)] * 3, st.booleans()), min_size=1)


@QUICK
@given(corpora)
def test_clusters_are_those_of_a_table_of_labels(rows):
    columns = list(zip(*(row[:3] for row in rows), strict=True))
    starts = [i for i, row in enumerate(rows) if i and row[3]]
    offsets = np.array([0, *starts, len(rows)])
    sentences = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    some = tokens(columns, offsets=offsets, documents=np.arange(len(offsets) - 1) // 2)
    for cluster, numbers in (("sentence", sentences), ("document", sentences // 2)):
        table = some.token_outcomes(cluster)
        expected = labelled(columns, cluster=numbers.tolist())
        assert table.digest == expected.digest
        assert table.source == f"tags by {cluster}"


def test_sentences_are_right_where_all_tokens_are():
    table = tokens().sentence_outcomes("sentence")
    assert (table.n_items, table.n_units, table.unit) == (3, 3, "sentences")
    assert table.sums()["correct"].ravel().tolist() == [2, 1]
    # A sentence is no cluster of sentences.
    assert table.source == "tags"
    by_document = tokens().sentence_outcomes("document")
    assert (by_document.n_items, by_document.n_units) == (3, 2)
    assert by_document.source == "tags by document"


def test_unseen_tokens_are_those_without_a_known_form():
    vocabulary = Vocabulary.of(["the", "dog"])
    assert vocabulary.unseen(tokens().forms).tolist() == [0, 0, 1, 1, 1, 0]
    table = tokens().unseen_outcomes(None, vocabulary)
    columns = [[column[i] for i in (2, 3, 4)] for column in (GOLD, FIRST, SECOND)]
    assert table.digest == labelled(columns).digest
    assert (table.unit, table.source) == ("OOV tokens", "tags oov of 2 forms")
    columns = [[column[i] for i in (1, 3, 4, 5)] for column in (GOLD, FIRST, SECOND)]
    vocabulary = Vocabulary.of(["the", "The"])
    clustered = tokens().unseen_outcomes("sentence", vocabulary)
    assert clustered.digest == labelled(columns, cluster=[0, 1, 2, 2]).digest
    with pytest.raises(InputError, match="all are among the 5 forms that are known"):
        tokens().unseen_outcomes(None, Vocabulary.of(FORMS))


def test_forms_are_lowercased_on_both_sides():
    vocabulary = Vocabulary.of(["THE", "éTÉ".encode()], lowercase=True)
    assert vocabulary.forms == {b"the", "été".encode()}
    assert vocabulary.unseen(tokens().forms).tolist() == [0, 1, 0, 1, 0, 1]
    assert vocabulary.source == "oov of 2 forms lowercase"
    # Half a character matches nothing, and does no harm.
    halves = Vocabulary.of(["\ud800", "dog"], lowercase=True)
    assert halves.unseen(tokens().forms).tolist() == [1, 0, 1, 1, 1, 0]


def test_items_are_named_by_sentence_and_token():
    items = tokens().token_outcomes("sentence").items
    names = {name for names in items.ids for name in names}
    assert names == {"sentence 1 token 2", "sentence 2 token 1", "sentence 3 token 2"}
    ids = tokens().sentence_outcomes(None).items.ids
    assert ids == (("sentence 1", "sentence 3"), ("sentence 2",))
