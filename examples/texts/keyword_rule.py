"""A classifier that is a command: it counts words that are typical of one label.

It needs nothing but Python and could be any program. Run as::

    python keyword_rule.py train   TRAIN MODEL
    python keyword_rule.py predict MODEL TEST PREDICTIONS

All files are lines of JSON: ``{"id": .., "input": .., "label": ..}`` to learn from, the
same without labels to predict, ``{"id": .., "label": ..}`` as predictions.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

KEYWORDS = 200


def train(train: str, model: str) -> None:
    """Choose each label's keywords."""
    counts: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for row in rows(train):
        sizes[row["label"]] += 1
        counts.setdefault(row["label"], Counter()).update(set(row["input"].split()))
    found = {
        "keywords": {label: keywords(label, counts, sizes) for label in sorted(sizes)},
        "usual": min(sizes, key=lambda label: (-sizes[label], label)),
    }
    Path(model).write_text(json.dumps(found), encoding="utf-8")


def keywords(
    label: str, counts: Mapping[str, Counter[str]], sizes: Counter[str]
) -> list[str]:
    """List the words that are in more texts of this label than chance would put."""
    total: Counter[str] = Counter()
    for words in counts.values():
        total.update(words)
    base = sizes[label] / sizes.total()
    surplus = {
        word: (count - base * total[word]) / total[word] ** 0.5
        for word, count in counts[label].items()
    }
    return sorted(surplus, key=lambda word: (-surplus[word], word))[:KEYWORDS]


def predict(model: str, test: str, predictions: str) -> None:
    """Give each text the label of which it has most keywords."""
    found = json.loads(Path(model).read_text(encoding="utf-8"))
    known = {label: set(words) for label, words in found["keywords"].items()}
    with Path(predictions).open("w", encoding="utf-8") as file:
        for row in rows(test):
            words = set(row["input"].split())
            hits = {label: len(words & own) for label, own in known.items()}
            label = max(hits, key=lambda label: (hits[label], label == found["usual"]))
            print(json.dumps({"id": row["id"], "label": label}), file=file)


def rows(path: str) -> Iterator[dict[str, str]]:
    """Read lines of JSON."""
    with Path(path).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    {"train": train, "predict": predict}[sys.argv[1]](*sys.argv[2:])
