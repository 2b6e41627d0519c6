"""Damaged copies of JSON and JSON lines: what readers must read or refuse politely."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

# What a value is changed into.
_OTHERS = [
    None,
    True,
    0,
    -1.5,
    10**400,
    float("nan"),
    float("inf"),
    "",
    "text",
    "\ud800",
    [],
    [1, "a"],
    {},
    {"a": {"b": []}},
]


def mutants(raw: bytes, n: int, seed: int) -> Iterator[bytes]:
    """Yield `n` damaged copies of a document, or of lines of JSON."""
    rng = random.Random(seed)
    try:
        records, lines = [json.loads(raw)], False
    except ValueError:
        records, lines = [json.loads(line) for line in raw.splitlines()], True
    for _ in range(n):
        if rng.random() < 0.2:
            yield _damaged_bytes(raw, rng)
            continue
        changed = copy.copy(records)
        for _ in range(rng.choice([1, 1, 2, 5])):
            _change_one(changed, rng)
        texts = [json.dumps(record) for record in changed]
        yield (
            "".join(f"{text}\n" for text in texts).encode()
            if lines
            else (texts[0].encode() if texts else b"\n")
        )


def _damaged_bytes(raw: bytes, rng: random.Random) -> bytes:
    """Cut the bytes off, change one, or take some out."""
    start, stop = sorted(rng.randrange(1, len(raw)) for _ in range(2))
    return rng.choice(
        [
            raw[:start],
            raw[:start] + bytes([rng.randrange(256)]) + raw[start + 1 :],
            raw[:start] + raw[stop:],
        ]
    )


def _change_one(records: list[Any], rng: random.Random) -> None:
    """Change something in one record."""
    if not records:
        return
    index = rng.randrange(len(records))
    records[index] = copy.deepcopy(records[index])
    parents = list(_parents(records[index]))
    if not parents or rng.random() < 0.03:
        records[index] = copy.deepcopy(rng.choice(_OTHERS))
        return
    parent, key = rng.choice(parents)
    kind = rng.choice(["remove", "rename", "change", "change", "extra", "twice"])
    if kind == "remove":
        del parent[key]
    elif kind == "change":
        parent[key] = copy.deepcopy(rng.choice(_OTHERS))
    elif isinstance(parent, list):
        parent.append(copy.deepcopy(parent[key]))
    elif kind == "rename":
        parent[f"{key}_"] = parent.pop(key)
    else:
        parent[f"extra {rng.random()}"] = copy.deepcopy(rng.choice(_OTHERS))


def _parents(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every list and object within a value, with each of its keys."""
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield value, key
            yield from _parents(value[key])
