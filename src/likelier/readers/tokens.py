"""Tokens with gold and predicted tags: which are right, alone and by sentence."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from likelier._typing import IntArray
from likelier.data.differing_items import differing_items
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import LABEL_STATISTICS, distinct, label_rows, tally
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.vocabulary import Known

ClusterName = Literal["sentence", "document"]

RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True, eq=False)
class TaggedTokens:
    """The tokens of files that agree, and what each system says of them.

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
        Numbers the document of each sentence, or refuses.
    findings
        Remarks on the files.
    source
        How the tags were read, for the recipe.
    """

    systems: tuple[str, ...]
    tags: tuple[str, ...]
    codes: NDArray[Any]
    offsets: IntArray
    forms: Any
    documents: Callable[[], IntArray]
    findings: tuple[Finding, ...]
    source: str

    def token_outcomes(self, cluster: ClusterName | None) -> Outcomes:
        """Count tokens by their gold and predicted tags."""
        source = self._source(cluster)
        kept = np.arange(len(self.codes))
        return self._labelled(kept, self._groups(cluster), "tokens", source)

    def unseen_outcomes(self, cluster: ClusterName | None, known: Known) -> Outcomes:
        """Count the tokens that are out of vocabulary."""
        unseen = known.unseen(self.forms)
        if not unseen.any():
            message = (
                f"At least one of {len(self.codes):,} tokens must be out of vocabulary;"
                f" all are among the {len(known.forms):,} forms that are known."
            )
            raise InputError(message, hint="Is the test file part of the training?")
        return self.marked_outcomes(cluster, unseen, known.described())

    def marked_outcomes(
        self, cluster: ClusterName | None, unseen: NDArray[np.bool_], described: str
    ) -> Outcomes:
        """Count the tokens that are marked as out of vocabulary."""
        kept, groups = np.flatnonzero(unseen), self._groups(cluster)
        source = f"{self._source(cluster)} {described}"
        some = None if groups is None else groups[kept]
        return self._labelled(kept, some, "OOV tokens", source)

    def sentence_outcomes(self, cluster: ClusterName | None) -> Outcomes:
        """Count sentences in which every token is right.

        All are right by the gold tags; what a system makes of one is right or wrong.
        """
        right = self.codes[:, 1:] == self.codes[:, :1]
        whole = np.logical_and.reduceat(right, self.offsets[:-1], axis=0)
        labels = np.column_stack([np.ones(len(whole)), whole]).astype(np.int64)
        groups = self.documents() if cluster == "document" else None
        labels, counts, groups, index = _counted(labels, groups)
        outcomes = Outcomes(
            systems=self.systems,
            classes=(RIGHT,),
            statistics=LABEL_STATISTICS,
            rows=label_rows(labels, kept=[1]),
            counts=counts,
            sizes=np.ones(len(labels)),
            strata=labels[:, 0],
            labels=labels,
            all_classes=True,
            one_vs_rest=True,
            one_label=True,
            unit="sentences",
            source=self._source("document" if cluster == "document" else None),
            items=differing_items(
                labels,
                counts,
                index,
                systems=self.systems,
                kind="labels",
                values=(WRONG, RIGHT),
                item_name=lambda sentence: f"sentence {sentence + 1}",
                unique=groups is None,
            ),
        )
        return outcomes if groups is None else _clustered(outcomes, groups)

    def _source(self, cluster: ClusterName | None) -> str:
        return self.source if cluster is None else f"{self.source} by {cluster}"

    def _groups(self, cluster: ClusterName | None) -> IntArray | None:
        """Give the number of each token's cluster."""
        if cluster is None:
            return None
        lengths = np.diff(self.offsets)
        numbers = np.arange(len(lengths))
        if cluster == "document":
            numbers = self.documents()
        return np.repeat(numbers, lengths)

    def _labelled(
        self, kept: IntArray, groups: IntArray | None, unit: str, source: str
    ) -> Outcomes:
        """Count the tokens at some places."""
        classes, labels = self._classes(self.codes[kept])
        labels, counts, groups, index = _counted(labels, groups)
        outcomes = Outcomes(
            systems=self.systems,
            classes=classes,
            statistics=LABEL_STATISTICS,
            rows=label_rows(labels, kept=list(range(len(classes)))),
            counts=counts,
            sizes=np.ones(len(labels)),
            strata=labels[:, 0],
            labels=labels,
            negatives=True,
            one_label=True,
            unit=unit,
            source=source,
            items=differing_items(
                labels,
                counts,
                index,
                systems=self.systems,
                kind="labels",
                values=classes,
                item_name=lambda place: self._called(int(kept[place])),
                unique=groups is None,
            ),
        )
        return outcomes if groups is None else _clustered(outcomes, groups)

    def _called(self, token: int) -> str:
        """Say where a token stands, sentences and tokens from 1."""
        sentence = int(np.searchsorted(self.offsets, token, side="right"))
        place = token - int(self.offsets[sentence - 1]) + 1
        return f"sentence {sentence} token {place}"

    def _classes(self, codes: NDArray[Any]) -> tuple[tuple[str, ...], IntArray]:
        """Give numbers to the tags that occur, in their order as text."""
        seen = np.flatnonzero(np.bincount(codes.ravel(), minlength=len(self.tags)))
        ordered = sorted(seen.tolist(), key=lambda code: self.tags[code])
        place = np.zeros(len(self.tags), dtype=np.int64)
        place[ordered] = np.arange(len(ordered))
        return tuple(self.tags[code] for code in ordered), place[codes]


def _counted(
    labels: IntArray, groups: IntArray | None
) -> tuple[IntArray, NDArray[np.float64], IntArray | None, IntArray]:
    """Count equal rows, within groups where there are any, and tell where each went."""
    table = labels if groups is None else np.column_stack([labels, groups])
    rows, _, index = distinct(table)
    counts = tally(index, np.ones(len(labels)), len(rows))
    if groups is None:
        return rows, counts, None, index
    return rows[:, :-1], counts, rows[:, -1], index


def _clustered(outcomes: Outcomes, groups: IntArray) -> Outcomes:
    """Sum the patterns within groups, as `Outcomes.by` does.

    Sentences are many and tags too, but few tags stand in one sentence: rows are
    compared without their zeros, which takes a tenth of the time and memory.
    """
    _, index = np.unique(groups, return_inverse=True)
    place = (index, np.arange(len(index)))
    pick = sparse.csr_array((outcomes.counts, place))
    rows = sparse.csr_array(pick @ outcomes.rows)
    rows.sort_indices()
    sizes = np.asarray(pick @ outcomes.sizes)
    found: dict[bytes, list[int]] = {}
    for row, key in enumerate(_row_keys(rows, sizes)):
        found.setdefault(key, []).append(row)
    merged = [found[key] for key in sorted(found)]
    first = np.array([alike[0] for alike in merged])
    return replace(
        outcomes,
        rows=rows[first],
        counts=np.array([len(alike) for alike in merged], dtype=np.float64),
        sizes=sizes[first],
        strata=np.zeros(len(first), dtype=np.int64),
        labels=None,
    )


def _row_keys(rows: Any, sizes: NDArray[np.float64]) -> list[bytes]:
    """Write rows of counts, and their sizes, as bytes that sort as the rows do."""
    # Of two rows, the one whose next number stands further left is the greater.
    cells = np.column_stack([rows.shape[1] - rows.indices, rows.data])
    text = cells.astype(">u4").tobytes()
    heads = sizes.astype(">u4").tobytes()
    ends = (8 * rows.indptr).tolist()
    return [
        heads[4 * row : 4 * row + 4] + text[start:end]
        for row, (start, end) in enumerate(pairwise(ends))
    ]
