"""Keys at the start of JSON that may be cut off, to tell what wrote it."""

import re
from functools import lru_cache

# A string that the end of the text cuts off is a token, too.
_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"?(\s*+:)?|[\[\]{}]', re.DOTALL)
# Enough for a first line with a long text before the keys that matter.
_MOST = 1 << 22
# Keys that matter lie in few objects and lists.
_DEEPEST = 50
_LONGEST_PATH = 3


def key_paths(start: bytes, *, depth: int = 3) -> frozenset[str]:
    """Return the dotted keys of objects, within lists too, as far as the text goes.

    Parameters
    ----------
    start
        The first bytes of a JSON text.
    depth
        Largest number of keys in a path, at most 3.

    Examples
    --------
    >>> sorted(key_paths(b'{"a": [{"b": 1}, {"c": "d:'))
    ['a', 'a.b', 'a.c']
    """
    return frozenset(".".join(keys) for keys in _paths(start) if len(keys) <= depth)


@lru_cache(maxsize=8)
def _paths(start: bytes) -> frozenset[tuple[str, ...]]:
    """Return the keys above each value; all formats ask for those of the same text."""
    if not start.lstrip().startswith((b"{", b"[")):
        return frozenset()
    paths, open_keys, key = set[tuple[str, ...]](), list[str](), ""
    for match in _TOKEN.finditer(start[:_MOST]):
        token = match[0]
        if token in (b"{", b"["):
            open_keys.append(key)
            key = ""
        elif token in (b"}", b"]"):
            if not open_keys:
                break
            open_keys.pop()
            key = ""
        elif match[2] and len(open_keys) <= _DEEPEST:
            key = match[1].decode("utf-8", "replace")
            names = tuple(name for name in (*open_keys, key) if name)
            if len(names) <= _LONGEST_PATH:
                paths.add(names)
    return frozenset(paths)
