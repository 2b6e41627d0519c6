"""Whole corpora: tags as numbers, and all their chunks at once, without a loop."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._typing import BoolArray, IntArray
from likelier.data.encoding import Numbering
from likelier.data.tag_schemes import END, INSIDE, OUTSIDE, START, grammar, split_tag


class Chunks(NamedTuple):
    """Chunks in order of their start; tokens are counted over all sentences.

    Attributes
    ----------
    start
        The first token of each chunk.
    end
        The token after its last.
    kind
        The number of its type.
    """

    start: IntArray
    end: IntArray
    kind: IntArray

    def where(self, kept: BoolArray) -> "Chunks":
        """Keep some of the chunks."""
        return Chunks(self.start[kept], self.end[kept], self.kind[kept])


class TagCodes(Numbering):
    """Numbers of distinct tags, in order of appearance; ``O`` is 0."""

    def __init__(self) -> None:
        super().__init__({"O": 0})


def encode_tags(tags: Sequence[Iterable[Any]], codes: TagCodes) -> NDArray[Any]:
    """Write the tags of all sentences, one after another, as their numbers."""
    try:
        # Nothing is faster in Python than a byte per tag.
        return np.frombuffer(
            bytes(map(codes.__getitem__, chain.from_iterable(tags))), np.uint8
        )
    except ValueError:
        if len(codes) <= 256:
            raise
    return np.fromiter(map(codes.__getitem__, chain.from_iterable(tags)), np.int32)


@dataclass(frozen=True, eq=False)
class TagCorpus:
    """Tag sequences of the same tokens by several taggers, as numbers.

    Attributes
    ----------
    tags
        The distinct tags; ``O`` comes first.
    codes
        Per tagger, the number of each token's tag.
    lengths
        The number of tokens of each sentence.
    """

    tags: tuple[Any, ...]
    codes: tuple[NDArray[Any], ...]
    lengths: IntArray

    @cached_property
    def offsets(self) -> IntArray:
        """The first token of each sentence."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The types of all tags, in order."""
        return tuple(sorted({kind for _, kind in self._split}))

    @cached_property
    def _split(self) -> list[tuple[str, str]]:
        return [split_tag(t) if isinstance(t, str) else ("", "") for t in self.tags]

    @cached_property
    def _kinds(self) -> IntArray:
        index = {kind: i for i, kind in enumerate(self.types)}
        return np.array([index[kind] for _, kind in self._split])

    @cached_property
    def _first(self) -> BoolArray:
        first = np.zeros(int(self.lengths.sum()) + 1, dtype=bool)
        first[self.offsets] = True
        return first

    def first_bad(self, tagger: int, scheme: str, *, strict: bool) -> int | None:
        """Find the first token with a tag that the scheme does not have."""
        allowed = grammar(scheme, strict=strict).prefixes
        bad = [i for i, (prefix, _) in enumerate(self._split) if prefix not in allowed]
        if not bad:
            return None
        tokens = np.flatnonzero(np.isin(self.codes[tagger], bad))
        return int(tokens[0]) if tokens.size else None

    def chunks(self, tagger: int, scheme: str, *, strict: bool) -> Chunks:
        """Find the chunks of one tagger; all its tags must be of the scheme."""
        prefixes, rules = grammar(scheme, strict=strict)
        by_tag = [prefixes.get(prefix, OUTSIDE) for prefix, _ in self._split]
        roles = np.array(by_tag, dtype=np.uint8)
        codes = self.codes[tagger]
        # Most tokens are O in most corpora: from here on only the others count.
        token = np.flatnonzero(codes != 0)
        if (roles[1:] == OUTSIDE).any():
            token = token[roles[codes[token]] != OUTSIDE]
        codes = codes[token]
        joined = np.zeros(len(token), dtype=bool)
        joined[1:] = (np.diff(token) == 1) & ~self._first[token[1:]]
        return _runs(token, roles[codes], self._kinds[codes], joined, rules)


def _runs(
    token: IntArray,
    role: NDArray[np.uint8],
    kind: IntArray,
    joined: BoolArray,
    rules: NDArray[np.uint8],
) -> Chunks:
    """Cut tokens that are not O into runs, and keep the runs that are chunks.

    Parameters
    ----------
    token
        The positions of the tokens.
    role, kind
        Their roles and types.
    joined
        Whether the token before is in the same sentence, and not O.
    rules
        What the scheme says of neighbours.
    """
    before, same = np.zeros_like(role), np.zeros_like(role)
    before[1:] = np.where(joined[1:], role[:-1], OUTSIDE)
    same[1:] = kind[1:] == kind[:-1]
    bits = rules.ravel().take((before * rules.shape[1] + role) * 2 + same)
    starts, goes_on = (bits & START) > 0, (bits & INSIDE) > 0
    # After a stray token that is no chunk, one that could go on may start (IOB1).
    stray = ~starts & ~goes_on
    goes_on[1:] &= ~(starts[1:] & stray[:-1])
    first = np.flatnonzero(~goes_on)
    last = np.append(first[1:], len(token))[: len(first)] - 1
    ends = (rules[role[last], OUTSIDE, 0] & END) > 0
    follower = np.minimum(last + 1, max(len(token) - 1, 0))
    followed = joined[follower] & (last + 1 < len(token))
    ends = np.where(followed, (bits[follower] & END) > 0, ends)
    kept = starts[first] & ends
    first, last = first[kept], last[kept]
    return Chunks(token[first], token[last] + 1, kind[first])


def same_chunks(these: Chunks, those: Chunks) -> tuple[BoolArray, BoolArray]:
    """Return which of these chunks are among those, and which of those among these.

    Chunks are the same if they have the same span and type.
    """
    # No two chunks of one tagger start at the same token.
    position = np.searchsorted(those.start, these.start)
    inside = np.flatnonzero(position < len(those.start))
    other = position[inside]
    same = np.ones(len(inside), dtype=bool)
    for left, right in zip(these, those, strict=True):
        same &= left[inside] == right[other]
    here = np.zeros(len(these.start), dtype=bool)
    there = np.zeros(len(those.start), dtype=bool)
    here[inside[same]] = True
    there[other[same]] = True
    return here, there
