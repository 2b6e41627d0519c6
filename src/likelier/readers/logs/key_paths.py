"""Keys at the start of a JSON document, whole or cut: what it seems to be."""

import re
from functools import lru_cache

# Enough for a first line with a long text before the keys that matter.
_MOST = 1 << 22
# A text, whole or cut off by the end, and whether it is a key; or a bracket.
_TOKEN = re.compile(
    rb'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z))(\s*:)?|[\[\]{}]', flags=re.DOTALL
)


@lru_cache(maxsize=4)
def key_paths(start: bytes, depth: int = 3) -> frozenset[str]:
    """Return the dotted paths of keys, lists left out; none unless it is an object.

    Examples
    --------
    >>> sorted(key_paths(b'{"a": [{"b": "c"}, {"d": 1}], "e": {"f": tr'))
    ['a', 'a.b', 'a.d', 'e', 'e.f']
    """
    paths = set[str]()
    if not start.lstrip().startswith(b"{"):
        return frozenset()
    above: list[str] = []
    key = ""
    for token in _TOKEN.finditer(start[:_MOST]):
        text = token[0]
        if token[2]:
            key = token[1][1:-1].decode(errors="replace")
            if len(above) <= 2 * depth:
                names = [name for name in (*above, key) if name]
                paths.update([".".join(names)] if len(names) <= depth else [])
        elif text in b"{[":
            above.append(key)
            key = ""
        elif text in b"}]":
            key = ""
            above = above[:-1]
    return frozenset(paths)
