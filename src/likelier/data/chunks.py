"""Chunks: tp, fp and fn per sentence and type, by exact match of spans."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from likelier._typing import IntArray
from likelier.data.constructors import system_names
from likelier.data.differing_items import items_of
from likelier.data.encoding import LABEL_STATISTICS, check_lengths, label_codes, tally
from likelier.data.outcomes import Outcomes
from likelier.data.tag_corpus import Chunks, Codes, Corpus, encode, same_chunks
from likelier.data.tag_schemes import bad_tag, describe, grammar, scheme_named
from likelier.errors import InputError, SettingError, unknown_name

CHUNK = "chunk"
_COUNTED = 3
# Sentences that are looked at together, few enough to stay in the processor's cache.
_BLOCK = 1024
# Keys of so many bits fit into an integer with its sign.
_KEY_BITS = 62

Where = Callable[[int, int], str]


def from_chunks(
    gold: Sequence[Sequence[str]],
    *predictions: Sequence[Sequence[str]],
    scheme: str | Sequence[str],
    systems: Sequence[str] | None = None,
    strict: bool = False,
    typed: bool = True,
    only: str | None = None,
    cluster: ArrayLike | None = None,
) -> Outcomes:
    """Count the chunks of sentences: named entities, phrases, words of a text.

    A chunk is right if a gold chunk has the same first token, last token and type. The
    statistic ``correct`` counts sentences without any wrong or missing chunk.

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
    typed
        Whether types must agree, and are the classes; otherwise only boundaries count.
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
    columns = [gold, *predictions]
    corpus = _encoded(columns, ["gold", *names])
    groups = None
    if cluster is not None:
        groups = label_codes([cluster], names=["cluster"])[1][:, 0]
        check_lengths([len(groups), len(corpus.lengths)], ["cluster", "the table"])

    def where(tagger: int, token: int) -> str:
        sentence = int(np.searchsorted(corpus.offsets, token, side="right")) - 1
        place = token - corpus.offsets[sentence]
        return f"Tag {place} of sentence {sentence} of {['gold', *names][tagger]}"

    return tag_outcomes(
        corpus,
        systems=names,
        scheme=scheme,
        strict=strict,
        typed=typed,
        only=only,
        cluster=groups,
        where=where,
    )


def _encoded(columns: Sequence[Sequence[Any]], names: Sequence[str]) -> Corpus:
    columns = [c if isinstance(c, list | tuple) else list(c) for c in columns]
    check_lengths([len(column) for column in columns], names)
    codes = Codes()
    encoded, lengths = zip(
        *(_numbers(c, name, codes) for c, name in zip(columns, names, strict=True)),
        strict=True,
    )
    for name, found in zip(names, lengths, strict=True):
        wrong = np.flatnonzero(found != lengths[0])
        if wrong.size:
            i = wrong[0]
            message = (
                f"Sentence {i} must have as many tags for {name} as for {names[0]}: "
                f"{lengths[0][i]}; got {found[i]}."
            )
            raise InputError(message)
    return Corpus(tuple(codes), encoded, lengths[0])


def _numbers(
    column: Sequence[Any], name: str, codes: Codes
) -> tuple[NDArray[Any], IntArray]:
    """Give the numbers of all tags, and how many each sentence has."""
    numbers, lengths = [], []
    for first in range(0, len(column), _BLOCK):
        part = column[first : first + _BLOCK]
        for kind in set(map(type, part)):
            if issubclass(kind, str) or not issubclass(kind, Collection | np.ndarray):
                place = next(i for i, tags in enumerate(part) if type(tags) is kind)
                raise _no_sentence(name, first + place, part[place])
        lengths.append(np.fromiter(map(len, part), np.int64, len(part)))
        try:
            numbers.append(encode(part, codes))
        except TypeError as error:
            message = f"{name} must hold one sequence of tags per sentence; {error}."
            raise InputError(message) from error
    return np.concatenate(numbers), np.concatenate(lengths)


def _no_sentence(name: str, place: int, value: object) -> InputError:
    message = (
        f"{name} must hold one sequence of tags per sentence; sentence {place} is "
        f"{value!r}."
    )
    return InputError(message, hint='A sentence is a list: ["B-PER", "O"].')


def tag_outcomes(
    corpus: Corpus,
    *,
    systems: Sequence[str],
    scheme: str | Sequence[str],
    strict: bool,
    typed: bool,
    only: str | None,
    cluster: IntArray | None,
    where: Where,
    start: int = 0,
) -> Outcomes:
    """Count the chunks of encoded tags, the gold tags first.

    Parameters
    ----------
    corpus
        The tags.
    systems, scheme, strict, typed, only
        As in `from_chunks`.
    cluster
        The number of each sentence's document.
    where
        Names a token of a tagger, for messages.
    start
        The number of the first sentence, where people look at sentences.
    """
    schemes = _schemes(scheme, len(corpus.codes))
    for tagger, name in enumerate(schemes):
        token = corpus.first_bad(tagger, name, strict=strict)
        if token is not None:
            tag = corpus.tags[corpus.codes[tagger][token]]
            known = grammar(name, strict=strict).prefixes
            raise bad_tag(where(tagger, token), tag, known)
    chunks = [
        corpus.chunks(tagger, name, strict=strict)
        for tagger, name in enumerate(schemes)
    ]
    classes, chunks = _classed(chunks, corpus.types, typed=typed, only=only)
    outcomes = span_outcomes(
        chunks,
        corpus.offsets,
        systems=systems,
        classes=classes,
        cluster=cluster,
        start=start,
    )
    source = describe(scheme, strict=strict, typed=typed, only=only)
    return replace(outcomes, source=source)


def _schemes(scheme: str | Sequence[str], count: int) -> list[str]:
    given = [scheme] * count if isinstance(scheme, str) else list(scheme)
    if len(given) != count:
        message = (
            f"scheme must be one name, or {count}: that of the gold tags and one per "
            f"system; got {len(given)}."
        )
        raise SettingError(message)
    return [scheme_named(name).name for name in given]


def _classed(
    chunks: Sequence[Chunks], types: Sequence[str], *, typed: bool, only: str | None
) -> tuple[tuple[str, ...], list[Chunks]]:
    """Keep the chunks that count, and number their types anew, as classes."""
    seen = sum(np.bincount(part.kind, minlength=len(types)) for part in chunks)
    found = np.flatnonzero(seen)
    known = [types[int(kind)] for kind in found]
    if not known:
        message = "There must be at least one chunk; got none in gold or predictions."
        raise InputError(message)
    if only is not None:
        if only not in known:
            raise unknown_name(only, known, kind="only")
        kind = types.index(only)
        return (only,), [_untyped(part.where(part.kind == kind)) for part in chunks]
    if not typed or known == [""]:
        return (CHUNK,), [_untyped(part) for part in chunks]
    place = np.zeros(len(types), dtype=np.int64)
    place[found] = np.arange(len(found))
    return tuple(known), [part._replace(kind=place[part.kind]) for part in chunks]


def _untyped(chunks: Chunks) -> Chunks:
    return chunks._replace(kind=np.zeros_like(chunks.kind))


def span_outcomes(
    chunks: Sequence[Chunks],
    offsets: IntArray,
    *,
    systems: Sequence[str],
    classes: Sequence[str],
    cluster: IntArray | None = None,
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
    cluster
        The number of each sentence's document.
    start
        The number of the first sentence, where people look at sentences.
    """
    table = _count_table(chunks, offsets, n_classes=len(classes))
    groups = np.zeros(len(offsets), np.int64) if cluster is None else cluster
    first, group = _distinct(table, groups)
    rows = table[first]
    counts = tally(group, np.ones(len(offsets)), len(first))
    values, codes = _said(rows, systems, classes)
    outcomes = Outcomes(
        systems=tuple(systems),
        classes=tuple(classes),
        statistics=LABEL_STATISTICS,
        rows=_with_correct(rows, (len(systems), len(classes))),
        counts=counts,
        sizes=np.ones(len(first)),
        strata=np.zeros(len(first), dtype=np.int64),
        unit="sentences",
        items=items_of(
            codes,
            counts,
            group,
            systems=systems,
            kind="chunks",
            values=values,
            called=lambda sentence: f"sentence {sentence + start}",
            unique=cluster is None,
        ),
    )
    return outcomes if cluster is None else outcomes.by(groups[first])


def _count_table(chunks: Sequence[Chunks], offsets: IntArray, *, n_classes: int) -> Any:
    """Count tp, fp and fn as a sparse table (sentence, system x class x statistic)."""
    gold, *systems = chunks
    rows, columns = [], []
    gold_sentence = _sentences(gold, offsets)
    for i, said in enumerate(systems):
        right, found = same_chunks(said, gold)
        # A wrong chunk counts for the class said, a missing one for the gold class.
        rows += [_sentences(said, offsets), gold_sentence[~found]]
        first = _COUNTED * n_classes * i
        columns += [
            first + _COUNTED * said.kind + np.where(right, 0, 1),
            first + _COUNTED * gold.kind[~found] + 2,
        ]
    row, column = np.concatenate(rows), np.concatenate(columns)
    shape = (len(offsets), len(systems) * n_classes * _COUNTED)
    ones = np.ones(len(row), dtype=np.int64)
    return sparse.csr_array((ones, (row, column)), shape=shape)


def _said(
    rows: Any, systems: Sequence[str], classes: Sequence[str]
) -> tuple[list[tuple[Any, ...]], IntArray]:
    """Give what systems did in a sentence, as in `Items.values`, and its codes."""
    width = _COUNTED * len(classes)
    known: dict[tuple[bytes, bytes], int] = {}
    values: list[tuple[Any, ...]] = []
    codes = np.zeros((rows.shape[0], len(systems)), dtype=np.int64)
    for system in range(len(systems)):
        part = rows[:, system * width : (system + 1) * width]
        part.sort_indices()
        for row, (start, end) in enumerate(pairwise(part.indptr.tolist())):
            places, numbers = part.indices[start:end], part.data[start:end]
            key = places.tobytes(), numbers.tobytes()
            if key not in known:
                known[key] = len(values)
                values.append(_tallies(places, numbers, classes))
            codes[row, system] = known[key]
    return values, codes


def _tallies(
    places: IntArray, numbers: IntArray, classes: Sequence[str]
) -> tuple[Any, ...]:
    """Give (class, right, wrong, missing) for each class with chunks."""
    found: dict[str, list[int]] = {}
    for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
        name = classes[place // _COUNTED]
        found.setdefault(name, [0] * _COUNTED)[place % _COUNTED] = number
    return tuple((name, *counted) for name, counted in found.items())


def _sentences(chunks: Chunks, offsets: IntArray) -> IntArray:
    """Tell the sentence of each chunk."""
    first = np.append(np.searchsorted(chunks.start, offsets), len(chunks.start))
    return np.repeat(np.arange(len(offsets)), np.diff(first))


def _distinct(table: Any, group: IntArray) -> tuple[IntArray, IntArray]:
    """Find the distinct rows of a sparse table within groups, in sorted order.

    Returns
    -------
    tuple
        Where each distinct row first stands, and the distinct row of each row.
    """
    columns = table.tocsc()
    bits = np.log2(columns.max(axis=0).toarray().ravel() + 1.0)
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    used = np.flatnonzero(bits)
    while used.size:
        room = _KEY_BITS - np.log2(len(first))
        take = max(1, int(np.searchsorted(np.cumsum(bits[used]), room)))
        some, used = columns[:, used[:take]], used[take:]
        span = some.max(axis=0).toarray().ravel().astype(np.int64) + 1
        place = np.cumprod(np.append(span, 1)[::-1])[::-1]
        key = group * place[0] + some @ place[1:]
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def _with_correct(rows: Any, shape: tuple[int, int]) -> Any:
    """Add the statistic of sentences that are wholly right, at the first class."""
    cells = rows.tocoo()
    width = len(LABEL_STATISTICS)
    column = cells.col // _COUNTED * width + cells.col % _COUNTED
    n_systems, n_classes = shape
    right: NDArray[np.bool_] = np.ones((rows.shape[0], n_systems), dtype=bool)
    wrong = cells.col % _COUNTED > 0
    right[cells.row[wrong], cells.col[wrong] // (_COUNTED * n_classes)] = False
    row_right, system = np.nonzero(right)
    correct = system * n_classes * width + LABEL_STATISTICS.index("correct")
    where = (
        np.concatenate([cells.row, row_right]),
        np.concatenate([column, correct]),
    )
    data = np.concatenate([cells.data, np.ones(len(row_right))])
    table = sparse.csr_array(
        (data.astype(np.float64), where),
        shape=(rows.shape[0], n_systems * n_classes * width),
    )
    table.sort_indices()
    return table
