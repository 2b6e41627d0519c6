"""Chunks: tp, fp and fn per sentence and type, by exact match of spans."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import BoolArray, IntArray
from likelier.data.chunk_matches import (
    PAIR_STATISTICS,
    Match,
    counted_chunks,
)
from likelier.data.constructors import system_names
from likelier.data.differing_items import differing_items
from likelier.data.encoding import Clusters, Numbering, check_lengths
from likelier.data.item_examples import Texts
from likelier.data.outcomes import Outcomes
from likelier.data.pattern_rows import LABEL_STATISTICS, distinct_sparse, tally
from likelier.data.tag_corpus import Chunks, TagCodes, TagCorpus, encode_tags
from likelier.data.tag_schemes import bad_tag, describe_scheme, grammar, tag_scheme
from likelier.errors import InputError, SettingError, unknown_name

CHUNK = "chunk"
_COUNTED = ("tp", "fp", "fn")
# Sentences that are looked at together, few enough to stay in the processor's cache.
_BLOCK = 1024


def from_chunks(
    gold: Sequence[Sequence[str]],
    *predictions: Sequence[Sequence[str]],
    scheme: str | Sequence[str],
    systems: Sequence[str] | None = None,
    strict: bool = False,
    match: Match = "strict",
    only: str | None = None,
    cluster: ArrayLike | None = None,
) -> Outcomes:
    """Count the chunks of sentences: named entities, phrases, words of a text.

    A chunk is right if a gold chunk has the same first token, last token and type,
    unless `match` says otherwise. The statistic ``correct`` counts sentences without
    any wrong or missing chunk.

    Parameters
    ----------
    gold
        One sequence of tags per sentence.
    *predictions
        The same per system, the baseline first.
    scheme
        The scheme of the tags; or one for the gold tags and one for each system.
    systems
        Names of the systems.
    strict
        Whether chunks that the scheme does not allow are left out, as in seqeval's
        strict mode; otherwise they are read as conlleval does.
    match
        What makes a chunk right: span and type (``strict``); the span (``exact``); an
        overlap, which counts half unless the span is the same (``partial``); an overlap
        and the type (``type``). Each chunk has one partner at most.
    only
        The one type that counts.
    cluster
        The document of each sentence.

    Examples
    --------
    >>> gold = [["B-PER", "I-PER", "O"], ["O", "B-LOC"]]
    >>> first = [["B-PER", "O", "O"], ["O", "B-LOC"]]
    >>> from_chunks(gold, first, scheme="iob2")
    <Outcomes of first: 2 items, 2 patterns, 2 classes>
    """
    names = system_names(systems, len(predictions))
    taggers = ["gold", *names]
    corpus = _encoded([gold, *predictions], taggers)

    def where(tagger: int, token: int) -> str:
        sentence = int(np.searchsorted(corpus.offsets, token, side="right")) - 1
        tag = token - corpus.offsets[sentence]
        return f"Tag {tag} of sentence {sentence} of {taggers[tagger]}"

    return tag_outcomes(
        corpus,
        systems=names,
        scheme=scheme,
        strict=strict,
        match=match,
        only=only,
        clusters=Clusters.of(cluster, len(corpus.lengths)),
        where=where,
    )


def _encoded(columns: Sequence[Sequence[Any]], names: Sequence[str]) -> TagCorpus:
    columns = [c if isinstance(c, list | tuple) else list(c) for c in columns]
    check_lengths([len(column) for column in columns], names)
    codes = TagCodes()
    encoded, lengths = zip(
        *(_numbers(c, name, codes) for c, name in zip(columns, names, strict=True)),
        strict=True,
    )
    for name, others in zip(names, lengths, strict=True):
        wrong = np.flatnonzero(others != lengths[0])
        if wrong.size:
            i = wrong[0]
            message = (
                f"Sentence {i} must have as many tags for {name} as for {names[0]}: "
                f"{lengths[0][i]}; got {others[i]}."
            )
            raise InputError(message)
    return TagCorpus(tuple(codes), encoded, lengths[0])


def _numbers(
    column: Sequence[Any], name: str, codes: TagCodes
) -> tuple[NDArray[Any], IntArray]:
    """Return the numbers of all tags, and how many each sentence has."""
    numbers, lengths = [], []
    for first in range(0, len(column), _BLOCK):
        part = column[first : first + _BLOCK]
        for kind in set(map(type, part)):
            if issubclass(kind, str) or not issubclass(kind, Collection | np.ndarray):
                bad = next(i for i, tags in enumerate(part) if type(tags) is kind)
                message = (
                    f"{name} must hold one sequence of tags per sentence; sentence "
                    f"{first + bad} is {part[bad]!r}."
                )
                hint = 'A sentence is a list: ["B-PER", "O"].'
                raise InputError(message, hint=hint)
        lengths.append(np.fromiter(map(len, part), np.int64, len(part)))
        try:
            numbers.append(encode_tags(part, codes))
        except TypeError as error:
            message = f"{name} must hold one sequence of tags per sentence; {error}."
            raise InputError(message) from error
    return np.concatenate(numbers), np.concatenate(lengths)


def tag_outcomes(
    corpus: TagCorpus,
    *,
    systems: Sequence[str],
    scheme: str | Sequence[str],
    strict: bool,
    match: Match,
    only: str | None,
    clusters: Clusters,
    where: Callable[[int, int], str],
    texts: Texts | None = None,
    start: int = 0,
) -> Outcomes:
    """Count the chunks of encoded tags, the gold tags first.

    Parameters
    ----------
    corpus
        The tags.
    systems, scheme, strict, match, only
        As in `from_chunks`.
    clusters
        The documents of sentences.
    where
        Names a token of a tagger, for messages.
    texts
        Looks up sentences by their index.
    start
        The number of the first sentence, where people look at sentences.
    """
    if match not in get_args(Match):
        raise unknown_name(match, get_args(Match), kind="match")
    schemes = _schemes(scheme, len(corpus.codes))
    for tagger, name in enumerate(schemes):
        token = corpus.first_bad(tagger, name, strict=strict)
        if token is not None:
            tag = corpus.tags[corpus.codes[tagger][token]]
            prefixes = grammar(name, strict=strict).prefixes
            raise bad_tag(where(tagger, token), tag, prefixes)
    chunks = [
        corpus.chunks(tagger, name, strict=strict)
        for tagger, name in enumerate(schemes)
    ]
    typed = match in ("strict", "type")
    classes, chunks = _classed(chunks, corpus.types, typed=typed, only=only)
    outcomes = span_outcomes(
        chunks,
        corpus.offsets,
        systems=systems,
        classes=classes,
        clusters=clusters,
        match=match,
        texts=texts,
        start=start,
    )
    source = describe_scheme(scheme, strict=strict, match=match, only=only)
    return replace(outcomes, source=source)


def _schemes(scheme: str | Sequence[str], count: int) -> list[str]:
    names = [scheme] * count if isinstance(scheme, str) else list(scheme)
    if len(names) != count:
        message = (
            f"scheme must be one name, or {count}: that of the gold tags and one per "
            f"system; got {len(names)}."
        )
        raise SettingError(message)
    return [tag_scheme(name).name for name in names]


def _classed(
    chunks: Sequence[Chunks], types: Sequence[str], *, typed: bool, only: str | None
) -> tuple[tuple[str, ...], list[Chunks]]:
    """Keep the chunks that count, and number their types anew, as classes."""
    occurring = np.unique(np.concatenate([part.kind for part in chunks]))
    classes = tuple(types[int(kind)] for kind in occurring)
    if not classes:
        message = "There must be at least one chunk; got none in gold or predictions."
        raise InputError(message)
    index = np.zeros(len(types), dtype=np.int64)
    if only is not None:
        if only not in classes:
            raise unknown_name(only, classes, kind="only")
        chunks = [part.where(part.kind == types.index(only)) for part in chunks]
        classes = (only,)
    elif not typed or classes == ("",):
        classes = (CHUNK,)
    else:
        index[occurring] = np.arange(len(occurring))
    return classes, [part._replace(kind=index[part.kind]) for part in chunks]


def span_outcomes(
    chunks: Sequence[Chunks],
    offsets: IntArray,
    *,
    systems: Sequence[str],
    classes: Sequence[str],
    clusters: Clusters,
    match: Match = "strict",
    texts: Texts | None = None,
    start: int = 0,
) -> Outcomes:
    """Count chunks that are right, wrong and missing in each sentence.

    Parameters
    ----------
    chunks
        The gold chunks, then those of each system, numbered by class.
    offsets
        The first token of each sentence.
    systems, classes
        Names of the systems and classes.
    clusters, match, texts
        As in `tag_outcomes`.
    start
        The number of the first sentence, where people look at sentences.
    """
    paired = match in ("partial", "type")
    counted = (*_COUNTED, *PAIR_STATISTICS) if paired else _COUNTED
    shape = len(systems), len(classes), len(counted)
    table = _count_table(chunks, offsets, counted, match=match, n_classes=shape[1])
    cluster = clusters.codes
    groups = np.zeros(len(offsets), np.int64) if cluster is None else cluster
    first, group = distinct_sparse(table, groups)
    rows = table[first]
    if paired:
        rows = _with_halves(rows, shape)
    counts = tally(group, np.ones(len(offsets)), len(first))
    values, codes = _sentence_values(rows, shape, classes)
    outcomes = Outcomes(
        systems=tuple(systems),
        classes=tuple(classes),
        statistics=(*LABEL_STATISTICS, *counted[len(_COUNTED) :]),
        rows=_with_correct(rows, shape),
        counts=counts,
        sizes=np.ones(len(first)),
        strata=np.zeros(len(first), dtype=np.int64),
        unit="sentences",
        items=differing_items(
            codes,
            counts,
            group,
            systems=systems,
            kind="chunks",
            values=values,
            item_name=lambda sentence: f"sentence {sentence + start}",
            texts=texts,
            group_name=clusters.name_of,
            unique=cluster is None,
        ),
    )
    return outcomes if cluster is None else outcomes.by(groups[first])


def _count_table(
    chunks: Sequence[Chunks],
    offsets: IntArray,
    counted: Sequence[str],
    *,
    match: Match,
    n_classes: int,
) -> Any:
    """Count chunks as a sparse table (sentence, system x class x statistic)."""
    gold, *systems = chunks
    rows, columns = [], []
    for i, predicted in enumerate(systems):
        for statistic, some in counted_chunks(predicted, gold, match):
            rows.append(_sentences(some, offsets))
            block = i * n_classes + some.kind
            columns.append(block * len(counted) + counted.index(statistic))
    row, column = np.concatenate(rows), np.concatenate(columns)
    shape = (len(offsets), len(systems) * n_classes * len(counted))
    ones = np.ones(len(row), dtype=np.int64)
    return sparse.csr_array((ones, (row, column)), shape=shape)


def _with_halves(rows: Any, shape: tuple[int, int, int]) -> Any:
    """Count a partial match half as right, and half as wrong and missing."""
    width = shape[2]
    partial = len(_COUNTED) + PAIR_STATISTICS.index("partial")
    start = np.arange(0, rows.shape[1], width)
    column = np.repeat(start, len(_COUNTED)) + np.tile(range(len(_COUNTED)), len(start))
    source = np.repeat(start + partial, len(_COUNTED))
    halves = sparse.csr_array(
        (np.full(len(column), 0.5), (source, column)), shape=(rows.shape[1],) * 2
    )
    return sparse.csr_array(rows + rows @ halves)


def _sentence_values(
    rows: Any, shape: tuple[int, int, int], classes: Sequence[str]
) -> tuple[list[tuple[Any, ...]], IntArray]:
    """Return the chunks of sentences as in `DifferingItems`: values and codes."""
    n_systems, n_classes, counted = shape
    if counted > len(_COUNTED):
        rows = rows[:, np.arange(rows.shape[1]) % counted < len(_COUNTED)]
    width = n_classes * len(_COUNTED)
    numbering = Numbering()
    values: list[tuple[Any, ...]] = []
    codes = np.zeros((rows.shape[0], n_systems), dtype=np.int64)
    for system in range(n_systems):
        part = rows[:, system * width : (system + 1) * width]
        part.sort_indices()
        for row, (start, end) in enumerate(pairwise(part.indptr.tolist())):
            columns, numbers = part.indices[start:end], part.data[start:end]
            code = numbering[columns.tobytes(), numbers.tobytes()]
            if code == len(values):
                values.append(_tallies(columns, numbers, classes))
            codes[row, system] = code
    return values, codes


def _tallies(
    columns: IntArray, numbers: IntArray, classes: Sequence[str]
) -> tuple[Any, ...]:
    """Return (class, right, wrong, missing) for each class with chunks."""
    tallies: dict[str, list[float]] = {}
    for column, number in zip(columns.tolist(), numbers.tolist(), strict=True):
        name = classes[column // len(_COUNTED)]
        tallies.setdefault(name, [0] * len(_COUNTED))[column % len(_COUNTED)] = number
    return tuple((name, *counts) for name, counts in tallies.items())


def _sentences(chunks: Chunks, offsets: IntArray) -> IntArray:
    """Return the sentence of each chunk."""
    first = np.append(np.searchsorted(chunks.start, offsets), len(chunks.start))
    return np.repeat(np.arange(len(offsets)), np.diff(first))


def _with_correct(rows: Any, shape: tuple[int, int, int]) -> Any:
    """Add the statistic of sentences that are wholly right, at the first class."""
    n_systems, n_classes, counted = shape
    width = counted + 1
    cells = rows.tocoo()
    block, statistic = np.divmod(cells.col, counted)
    wrong = (statistic > 0) & (statistic < len(_COUNTED))
    right: BoolArray = np.ones((rows.shape[0], n_systems), dtype=bool)
    right[cells.row[wrong], block[wrong] // n_classes] = False
    right_row, system = np.nonzero(right)
    # It stands behind tp, fp and fn.
    column = block * width + statistic + (statistic >= len(_COUNTED))
    correct = system * n_classes * width + LABEL_STATISTICS.index("correct")
    where = np.append(cells.row, right_row), np.append(column, correct)
    data = np.append(cells.data, np.ones(len(right_row)))
    table = sparse.csr_array(
        (data.astype(np.float64), where),
        shape=(rows.shape[0], n_systems * n_classes * width),
    )
    table.sort_indices()
    return table
