"""One sentence: from tags to spans, back, and from one scheme to another."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from likelier.errors import InputError
from likelier.schemes.scheme import (
    END,
    INSIDE,
    OUTSIDE,
    START,
    Grammar,
    Scheme,
    grammar,
    scheme_named,
    split_tag,
)


class Span(NamedTuple):
    """A chunk: its first token, the token after its last, and its type or ``""``."""

    start: int
    end: int
    type: str = ""


def spans(tags: Sequence[str], scheme: str, *, strict: bool = False) -> list[Span]:
    """Find the chunks of one sentence.

    Parameters
    ----------
    tags
        Tags such as ``B-PER`` or ``B``; the type follows the first hyphen.
    scheme
        The name of a scheme.
    strict
        Whether chunks that the scheme does not allow are left out, as seqeval does
        with ``mode="strict"``; otherwise the rules of conlleval find a chunk in them.

    Examples
    --------
    >>> spans(["I-PER", "I-PER", "O", "B-ORG"], "iob2")
    [Span(start=0, end=2, type='PER'), Span(start=3, end=4, type='ORG')]
    >>> spans(["I-PER", "I-PER", "O", "B-ORG"], "iob2", strict=True)
    [Span(start=3, end=4, type='ORG')]
    """
    grammar_ = grammar(scheme_named(scheme).name, strict=strict)
    rules = grammar_.rules.tolist()
    found, start, before, kind_before = [], -1, OUTSIDE, ""
    for i, (role, kind) in enumerate(_roles(tags, grammar_)):
        bits = rules[before][role][kind == kind_before]
        if start < 0 or not bits & INSIDE:
            if start >= 0 and bits & END:
                found.append(Span(start, i, kind_before))
            start = i if bits & START else -1
        before, kind_before = role, kind
    return found


def _roles(tags: Sequence[str], grammar_: Grammar) -> Iterator[tuple[int, str]]:
    for i, tag in enumerate(tags):
        prefix, kind = split_tag(tag)
        if prefix not in grammar_.prefixes:
            place = f"Tag {i}"
            raise bad_tag(place, tag, grammar_.prefixes)
        yield grammar_.prefixes[prefix], kind
    yield OUTSIDE, ""


def bad_tag(where: str, tag: object, prefixes: Iterable[str]) -> InputError:
    """Build the error for a tag that the scheme does not have."""
    told = ", ".join(sorted(prefixes))
    message = f"{where} must be one of {told}, with or without a type; got {tag!r}."
    return InputError(message, hint="Tags look like B-PER, I-PER, O; see the scheme.")


def tags(spans: Iterable[tuple[int, int, str]], length: int, scheme: str) -> list[str]:
    """Write the chunks of one sentence as tags.

    Parameters
    ----------
    spans
        Chunks (start, end, type) that do not overlap, in any order.
    length
        How many tokens the sentence has.
    scheme
        The name of a scheme.

    Examples
    --------
    >>> tags([(0, 2, "PER"), (2, 3, "PER")], 4, "iob1")
    ['I-PER', 'I-PER', 'B-PER', 'O']
    """
    return _write(sorted(Span(*span) for span in spans), length, scheme_named(scheme))


def _write(chunks: Sequence[Span], length: int, way: Scheme) -> list[str]:
    _check_spans(chunks, length)
    written = ["O"] * length
    last = len(chunks) - 1
    for i, chunk in enumerate(chunks):
        prefixes = way.written(chunk.end - chunk.start)
        if way.after_same and i > 0 and _touch(chunks[i - 1], chunk):
            prefixes[0] = way.after_same
        if way.before_same and i < last and _touch(chunk, chunks[i + 1]):
            prefixes[-1] = way.before_same
        suffix = f"-{chunk.type}" if chunk.type else ""
        written[chunk.start : chunk.end] = [prefix + suffix for prefix in prefixes]
    return written


def _touch(first: Span, second: Span) -> bool:
    return first.end == second.start and first.type == second.type


def _check_spans(chunks: Sequence[Span], length: int) -> None:
    done = 0
    for chunk in chunks:
        if not done <= chunk.start < chunk.end <= length:
            message = (
                f"spans must lie within {length} tokens, hold at least one and not "
                f"overlap; got {tuple(chunk)}."
            )
            raise InputError(message)
        done = chunk.end


def convert(
    tags: Sequence[str], source: str, target: str, *, strict: bool = False
) -> list[str]:
    """Write the tags of one sentence in another scheme.

    Parameters
    ----------
    tags
        Tags in the source scheme.
    source, target
        The names of schemes.
    strict
        Whether malformed chunks become ``O``; otherwise they are repaired as conlleval
        reads them.

    Examples
    --------
    >>> convert(["B-PER", "I-PER", "O", "B-ORG"], "iob2", "iobes")
    ['B-PER', 'E-PER', 'O', 'S-ORG']
    """
    found = spans(tags, source, strict=strict)
    return _write(found, len(tags), scheme_named(target))
