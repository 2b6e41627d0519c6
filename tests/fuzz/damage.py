"""Damaged copies of bytes: structured for JSON and cells, blind for everything."""

import gzip
import json
import random
import re

from tests.readers.logs.mutations import mutants

# What a cell or a token is changed into.
HOSTILE = (
    *(
        "",
        " ",
        "nan",
        "inf",
        "-0",
        "1e308",
        "1e18",
        "9" * 400,
        "8_0",
        "٨٠",
        "+3",
        "0x10",
    ),
    *("::error::x", "##[error]y", "\x1b[31m", "\x00", "\u202e", "\ud800", "\ufeff"),
    *(
        "'; DROP TABLE t; --",
        '"',
        "''",
        "a,b",
        "a\tb",
        "a\nb",
        "x" * 70_000,
        "{}",
        "[1]",
    ),
    *("../../etc/passwd", "{{7*7}}", "<script>", "%s%n", "True", "None", "-1", "1.0"),
)


def damaged(raw: bytes, rng: random.Random) -> bytes:
    """Return a copy with something changed."""
    if raw[:2] == b"\x1f\x8b" and rng.random() < 0.6:
        return gzip.compress(_damaged_text(gzip.decompress(raw), rng))
    return _damaged_text(raw, rng)


def _damaged_text(raw: bytes, rng: random.Random) -> bytes:
    kinds = [_bytes, _lines, _cells, _cells, _json, _others, _others, _others]
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        raw = rng.choice(kinds)(raw, rng) or b"\n"
    return raw


def _bytes(raw: bytes, rng: random.Random) -> bytes:
    start, stop = sorted(rng.randrange(len(raw) + 1) for _ in range(2))
    stop = min(stop, start + 200)
    return rng.choice(
        [
            raw[:start],
            raw[start:],
            raw[:start] + bytes([rng.randrange(256)]) + raw[start + 1 :],
            raw[:start] + raw[stop:],
            raw[:stop] + raw[start:],
            raw[:start] + rng.randbytes(rng.randrange(20)) + raw[start:],
        ]
    )


def _lines(raw: bytes, rng: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    if len(lines) < 2:
        return raw
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[first]
    elif kind == 1:
        lines.insert(first, lines[second])
    elif kind == 2:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines[first] = lines[first].replace(b"\n", b"\r\n")
    return b"".join(lines)


_MARKS = (b",", b"\t", b" ", b'"', b"\n", b":")


def _cells(raw: bytes, rng: random.Random) -> bytes:
    mark = rng.choice(_MARKS)
    cells = raw.split(mark)
    new = rng.choice(HOSTILE).encode(errors="surrogatepass")
    cells[rng.randrange(len(cells))] = new
    return mark.join(cells)


def _others(raw: bytes, rng: random.Random) -> bytes:
    """Put a cell in the place of another: most files can still be read."""
    cells = re.split(rb"([,\t \n\":]+)", raw)
    for _ in range(rng.choice([1, 3])):
        index = 2 * rng.randrange(len(cells) // 2 + 1)
        # Near enough to be of the same column now and then.
        other = index + 2 * rng.randrange(-12, 13)
        if 0 <= other < len(cells):
            cells[index] = cells[other]
    return b"".join(cells)


def _json(raw: bytes, rng: random.Random) -> bytes:
    try:
        return next(iter(mutants(raw, 1, rng.randrange(2**32))))
    except (ValueError, RecursionError, json.JSONDecodeError):
        return _bytes(raw, rng)
