"""Token files, texts and runs of retrieval read plainly; see `plain_tables`."""

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from tests.fuzz.outcome import Unclear, refuse_if
from tests.fuzz.plain_tables import Facts, Files, number, text_of

Chunks = set[tuple[int, int, str]]


def _sentences(raw: bytes) -> list[list[list[str]]]:
    """Split lines into cells, and sentences at lines without any."""
    sentences: list[list[list[str]]] = [[]]
    for line in text_of(raw).split("\n"):
        cells = line.split()
        if cells:
            sentences[-1].append(cells)
        elif sentences[-1]:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def _chunks(sentence: list[list[str]]) -> Chunks:
    """Return the chunks of a sentence as (first, last, type), as conlleval finds them.

    An I- begins one where none of its type goes on.
    """
    chunks: list[tuple[int, int, str]] = []
    before = "O"
    for i, tag in enumerate(cells[-1] for cells in sentence):
        if tag != "O" and tag[:2] not in ("B-", "I-"):
            raise Unclear
        if tag[:2] == "I-" and before != "O" and before[2:] == tag[2:]:
            chunks[-1] = (chunks[-1][0], i, tag[2:])
        elif tag != "O":
            chunks.append((i, i, tag[2:]))
        before = tag
    return set(chunks)


def named_chunks(files: Files) -> Facts:
    """Count chunks that are right, in sentences of the same tokens."""
    texts = {name: _sentences(raw) for name, raw in files.items()}
    forms = [[[c[0] for c in s] for s in text] for text in texts.values()]
    refuse_if(any(a != b for a, b in pairwise(forms)), "other tokens")
    found = {name: [_chunks(s) for s in text] for name, text in texts.items()}
    return {"items": len(forms[0])} | _micro_f1(found)


def _micro_f1(found: Mapping[str, list[Chunks]]) -> Facts:
    gold = found["g"]
    values = {}
    for name in "ab":
        pairs = list(zip(gold, found[name], strict=True))
        right = sum(len(g & s) for g, s in pairs)
        total = sum(len(g) + len(s) for g, s in pairs)
        if not total:
            raise Unclear
        values[f"micro_f1 {name}"] = 2 * right / total
    return values


def words(files: Files) -> Facts:
    """Count words of segmented lines, by the characters that they span."""
    # Blanks behind the last line end are no line.
    lines = {n: text_of(raw).rstrip(" \t").splitlines() for n, raw in files.items()}
    if any(
        "\x0b" <= c <= "\x1f" or c in "\x85\u2028"
        for t in files.values()
        for c in text_of(t)
    ):
        raise Unclear
    found: dict[str, list[Chunks]] = {}
    for name, text in lines.items():
        found[name] = []
        for line in text:
            ends, spans = 0, set()
            for word in line.split():
                spans.add((ends, ends + len(word), ""))
                ends += len(word)
            found[name].append(spans)
    texts = [
        "\n".join("".join(line.split()) for line in text) for text in lines.values()
    ]
    refuse_if(any(a != b for a, b in pairwise(texts)), "other characters")
    return {"items": sum(bool(line.split()) for line in lines["g"])} | _micro_f1(found)


def tokens_and_heads(files: Files, *, heads: bool) -> Facts:
    """Count words with the right tag, or the right head and relation."""
    texts = {}
    for name, raw in files.items():
        filled = (line for line in text_of(raw).split("\n") if line.strip())
        rows = [line.split("\t") for line in filled if not line.startswith("#")]
        refuse_if(any(len(row) != 10 for row in rows), "not ten columns")
        if any(not row[0].isdecimal() for row in rows):
            raise Unclear
        texts[name] = rows
    forms = [[row[1] for row in rows] for rows in texts.values()]
    starts = [[row[0] == "1" for row in rows] for rows in texts.values()]
    refuse_if(not heads and any(a != b for a, b in pairwise(forms)), "other words")
    if heads and any(a != b for a, b in (*pairwise(forms), *pairwise(starts))):
        raise Unclear
    n, gold = len(forms[0]), texts["g"]
    if not heads:
        return {"items": n} | {
            f"token_accuracy {name}": sum(
                a[3] == b[3] for a, b in zip(gold, texts[name], strict=True)
            )
            / n
            for name in "ab"
        }
    return {
        f"las {name}": sum(
            (a[6], a[7].split(":")[0]) == (b[6], b[7].split(":")[0])
            for a, b in zip(gold, texts[name], strict=True)
        )
        / n
        for name in "ab"
    }


def word_errors(files: Files) -> Facts:
    """Count words that are changed, line by line."""
    texts = {name: text_of(raw).split("\n") for name, raw in files.items()}
    if any(any(c < " " for line in text for c in line) for text in texts.values()):
        raise Unclear
    lines = {n: text[:-1] if text[-1] == "" else text for n, text in texts.items()}
    gold = lines["g"]
    refuse_if(any(len(text) != len(gold) for text in lines.values()), "other lines")
    n = sum(len(line.split()) for line in gold)
    if not n or any(not line.strip() for line in gold):
        raise Unclear
    return {"items": len(gold)} | {
        f"wer {name}": sum(
            _edits(a.split(), b.split()) for a, b in zip(gold, lines[name], strict=True)
        )
        / n
        for name in "ab"
    }


def _edits(first: list[str], second: list[str]) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def gains_of_runs(files: Files) -> Facts:
    """Return nDCG@10, the mean over judged queries that a run has."""
    gold: dict[str, dict[str, int]] = defaultdict(dict)
    for query, _, document, degree in _cells(files["qrels.txt"], 4):
        refuse_if(document in gold[query], "judged twice")
        refuse_if(
            not degree.lstrip("-").isdecimal() or not degree.isascii(), "no degree"
        )
        gold[query][document] = int(degree)
    runs = {}
    for name in ("bm25", "dense"):
        run: dict[str, dict[str, float]] = defaultdict(dict)
        tags = set()
        for query, _, document, _, score, tag in _cells(files[f"{name}.run"], 6):
            refuse_if(document in run[query], "found twice")
            run[query][document] = number(score)
            tags.add(tag)
        if len(tags) == 1 and tags != {name}:
            raise Unclear  # A run of one tag has that for its name.
        runs[name] = run
    # As in trec_eval -c, where any run has results.
    queries = [q for q in gold if any(q in run for run in runs.values())]
    values = {
        f"nDCG@10 {name}": sum(_ndcg(run.get(q, {}), gold[q]) for q in queries)
        / len(queries)
        for name, run in runs.items()
    }
    return {"items": len(queries)} | values


def _cells(raw: bytes, n: int) -> list[list[str]]:
    rows = [line.split() for line in text_of(raw).split("\n") if line.strip()]
    refuse_if(any(len(row) != n for row in rows), "other columns")
    return rows


def _ndcg(run: dict[str, float], gold: dict[str, int]) -> float:
    ranked = sorted(run, key=lambda document: (run[document], document), reverse=True)
    ideal = sorted(gold.values(), reverse=True)
    own, best = (
        sum(max(degree, 0) / math.log2(i + 2) for i, degree in enumerate(degrees[:10]))
        for degrees in ([gold.get(document, 0) for document in ranked], ideal)
    )
    return own / best if best else 0.0
