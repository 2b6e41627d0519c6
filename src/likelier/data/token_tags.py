"""Tokens with gold and predicted tags, counted one by one, by sentence, or unseen."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.differing_items import differing_items
from likelier.data.item_examples import Texts
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import (
    LABEL_STATISTICS,
    distinct,
    distinct_sparse,
    label_rows,
    tally,
)
from likelier.errors import InputError

ClusterName = Literal["sentence", "document"]

RIGHT, WRONG = "right", "wrong"
# Strings of Python's may hold halves of characters, which match nothing.
_ANY = "surrogatepass"


@dataclass(frozen=True)
class Vocabulary:
    """Forms seen in training; all others are out of vocabulary.

    Attributes
    ----------
    forms
        The forms, byte for byte.
    lowercase
        Whether forms are lowercased before they are looked up.
    """

    forms: frozenset[bytes]
    lowercase: bool = False

    @classmethod
    def of(
        cls, forms: Collection[str | bytes], *, lowercase: bool = False
    ) -> "Vocabulary":
        """Collect forms, as text or as the bytes of files."""
        every = (f.encode(errors=_ANY) if isinstance(f, str) else f for f in forms)
        return cls(frozenset(map(_lower, every) if lowercase else every), lowercase)

    def unseen(self, tokens: Any) -> BoolArray:
        """Return which tokens of a chunked array of bytes are out of vocabulary."""
        encoded = tokens.dictionary_encode().unify_dictionaries()
        forms = encoded.chunk(0).dictionary.to_pylist()
        if self.lowercase:
            forms = [_lower(form) for form in forms]
        new = np.array([form not in self.forms for form in forms], dtype=bool)
        codes = [chunk.indices.to_numpy() for chunk in encoded.chunks]
        return np.asarray(new[np.concatenate(codes)])

    @property
    def source(self) -> str:
        """What a form was looked up in, for the recipe."""
        folded = " lowercase" if self.lowercase else ""
        return f"oov of {len(self.forms)} forms{folded}"


def _lower(form: bytes) -> bytes:
    return form.decode(errors=_ANY).lower().encode(errors=_ANY)


@dataclass(frozen=True, eq=False)
class TaggedTokens:
    """Tokens of files that agree, with the tags that each system predicts.

    Attributes
    ----------
    systems
        Names of the systems.
    tags
        The tags.
    codes
        Numbers of tags (token, gold and systems).
    offsets
        The first token of each sentence, and the number of tokens.
    forms
        The tokens as a chunked array of bytes, where they were read.
    documents
        Returns the number of each sentence's document, or refuses.
    source
        How the tags were read, for the recipe.
    sentences
        Returns the texts of sentences by their numbers.
    """

    systems: tuple[str, ...]
    tags: tuple[str, ...]
    codes: NDArray[Any]
    offsets: IntArray
    forms: Any
    documents: Callable[[], IntArray]
    source: str
    sentences: Texts | None = None

    def token_outcomes(self, cluster: ClusterName | None) -> Outcomes:
        """Count tokens by their gold and predicted tags."""
        tokens = np.arange(len(self.codes))
        return self._count(tokens, cluster, "tokens", self._source(cluster))

    def unseen_outcomes(
        self, cluster: ClusterName | None, vocabulary: Vocabulary
    ) -> Outcomes:
        """Count the tokens that are out of vocabulary."""
        unseen = vocabulary.unseen(self.forms)
        if not unseen.any():
            message = (
                f"At least one of {len(self.codes):,} tokens must be out of vocabulary;"
                f" all are among the {len(vocabulary.forms):,} forms that are known."
            )
            raise InputError(message, hint="Is the test file part of the training?")
        return self.marked_outcomes(cluster, unseen, vocabulary.source)

    def marked_outcomes(
        self, cluster: ClusterName | None, unseen: BoolArray, source: str
    ) -> Outcomes:
        """Count the tokens that are marked as out of vocabulary."""
        source = f"{self._source(cluster)} {source}"
        return self._count(np.flatnonzero(unseen), cluster, "OOV tokens", source)

    def sentence_outcomes(self, cluster: ClusterName | None) -> Outcomes:
        """Count sentences in which every token is right.

        All are right by the gold tags; by a system's tags, one is right or wrong.
        """
        right = self.codes[:, 1:] == self.codes[:, :1]
        whole = np.logical_and.reduceat(right, self.offsets[:-1], axis=0)
        labels = np.column_stack([np.ones(len(whole)), whole]).astype(np.int64)
        by_document = cluster == "document"
        return self._outcomes(
            labels,
            self.documents() if by_document else None,
            by_document=by_document,
            classes=(RIGHT,),
            columns=[1],
            values=(WRONG, RIGHT),
            item_name=lambda sentence: f"sentence {sentence + 1}",
            sentence=lambda index: index,
            all_classes=True,
            one_vs_rest=True,
            unit="sentences",
            source=self._source("document" if by_document else None),
        )

    def _source(self, cluster: ClusterName | None) -> str:
        return self.source if cluster is None else f"{self.source} by {cluster}"

    def _count(
        self, tokens: IntArray, cluster: ClusterName | None, unit: str, source: str
    ) -> Outcomes:
        """Count some tokens by their gold and predicted tags."""
        groups = None
        if cluster is not None:
            lengths = np.diff(self.offsets)
            by_document = cluster == "document"
            numbers = self.documents() if by_document else np.arange(len(lengths))
            groups = np.repeat(numbers, lengths)[tokens]
        classes, labels = self._classes(self.codes[tokens])
        return self._outcomes(
            labels,
            groups,
            by_document=cluster == "document",
            classes=classes,
            columns=list(range(len(classes))),
            values=classes,
            item_name=lambda index: self._token_name(int(tokens[index])),
            sentence=lambda index: self._sentence(int(tokens[index])),
            negatives=True,
            unit=unit,
            source=source,
        )

    def _outcomes(
        self,
        labels: IntArray,
        groups: IntArray | None,
        *,
        by_document: bool,
        classes: tuple[str, ...],
        columns: list[int],
        values: tuple[str, ...],
        item_name: Callable[[int], str],
        sentence: Callable[[int], int],
        **settings: Any,
    ) -> Outcomes:
        """Count rows of labels, and sum them over groups where there are any.

        Parameters
        ----------
        labels
            Numbers of labels (item, gold and systems).
        groups
            Number of each item's cluster.
        by_document
            Whether these are documents.
        classes, columns
            Classes, and the numbers of their labels.
        values
            Label of each number.
        item_name, sentence
            Name of an item, and number of its sentence, by its index.
        settings
            Further fields of the outcomes.
        """
        sentences = self.sentences
        numbers = self.documents() if by_document else np.zeros(0, dtype=np.int64)

        def texts(items: Sequence[int]) -> Sequence[str]:
            return sentences([sentence(item) for item in items]) if sentences else ()

        def document(item: int) -> str:
            return f"document {numbers[sentence(item)]}"

        labels, counts, groups, index = _distinct_rows(labels, groups)
        outcomes = Outcomes(
            systems=self.systems,
            classes=classes,
            statistics=LABEL_STATISTICS,
            rows=label_rows(labels, kept=columns),
            counts=counts,
            sizes=np.ones(len(labels)),
            strata=labels[:, 0],
            labels=labels,
            one_label=True,
            items=differing_items(
                labels,
                counts,
                index,
                systems=self.systems,
                kind="labels",
                values=values,
                item_name=item_name,
                texts=texts if sentences else None,
                group_name=document if by_document else None,
                unique=groups is None,
            ),
            **settings,
        )
        return outcomes if groups is None else _clustered(outcomes, groups)

    def _token_name(self, token: int) -> str:
        """Name a token by its sentence, both counted from 1."""
        sentence = self._sentence(token)
        number = token - int(self.offsets[sentence]) + 1
        return f"sentence {sentence + 1} token {number}"

    def _sentence(self, token: int) -> int:
        """Return the number of a token's sentence, from 0."""
        return int(np.searchsorted(self.offsets, token, side="right")) - 1

    def _classes(self, codes: NDArray[Any]) -> tuple[tuple[str, ...], IntArray]:
        """Return the tags that occur, in order, and their numbers in place of codes."""
        occur = np.flatnonzero(np.bincount(codes.ravel(), minlength=len(self.tags)))
        ordered = sorted(occur.tolist(), key=lambda code: self.tags[code])
        numbers = np.zeros(len(self.tags), dtype=np.int64)
        numbers[ordered] = np.arange(len(ordered))
        return tuple(self.tags[code] for code in ordered), numbers[codes]


def _distinct_rows(
    labels: IntArray, groups: IntArray | None
) -> tuple[IntArray, FloatArray, IntArray | None, IntArray]:
    """Count equal rows, within groups where there are any; also index each row."""
    table = labels if groups is None else np.column_stack([labels, groups])
    rows, _, index = distinct(table)
    counts = tally(index, np.ones(len(labels)), len(rows))
    if groups is None:
        return rows, counts, None, index
    return rows[:, :-1], counts, rows[:, -1], index


def _clustered(outcomes: Outcomes, groups: IntArray) -> Outcomes:
    """Sum the patterns within groups, as `Outcomes.by` does.

    Sentences are many and tags too, but few tags occur in one sentence: sparse rows
    are compared, which takes a tenth of the time and memory.
    """
    _, index = np.unique(groups, return_inverse=True)
    cells = (index, np.arange(len(index)))
    pick = sparse.csr_array((outcomes.counts, cells))
    rows = sparse.csr_array(pick @ outcomes.rows)
    rows.sort_indices()
    sizes = np.asarray(pick @ outcomes.sizes)
    first, row = distinct_sparse(rows.astype(np.int64), sizes.astype(np.int64))
    return replace(
        outcomes,
        rows=rows[first],
        counts=tally(row, np.ones(len(row)), len(first)),
        sizes=sizes[first],
        strata=np.zeros(len(first), dtype=np.int64),
        labels=None,
    )
