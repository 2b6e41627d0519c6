"""Statistics of output texts beside references: n-grams, edits, exact matches."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from likelier._typing import FloatArray
from likelier.errors import SettingError, unknown_name

# One list per reference, of the text of every segment.
References = Sequence[Sequence[str]]

ORDERS = 4
CHARACTERS, WORDS = 6, 2
_EDITS = ("substitutions", "deletions", "insertions", "words")
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


class TextCounts(NamedTuple):
    """Statistics of one system's texts (segment, statistic), and how they were made."""

    table: FloatArray
    signature: str


@dataclass(frozen=True)
class TextCounter:
    """Names of the statistics of one metric, and what counts them.

    Attributes
    ----------
    statistics
        Names of what each segment adds.
    count
        Function of output texts and references, with `tokenize` and `lowercase`.
    """

    statistics: tuple[str, ...]
    count: Callable[..., TextCounts]


def _peer(name: str) -> Any:
    """Import a package of the extra `text`."""
    try:
        return import_module(name)
    except ImportError as error:
        message = f"Metrics of text must have the package {name}; there is none."
        raise SettingError(message, hint="pip install 'likelier[text]'") from error


def _by_sacrebleu(kind: str, **fixed: Any) -> Callable[..., TextCounts]:
    """Return the function that counts as a metric of sacreBLEU does."""

    def count(
        output: Sequence[str],
        references: References,
        *,
        tokenize: str | None,
        lowercase: bool,
    ) -> TextCounts:
        settings = dict(fixed)
        if kind == "BLEU":
            tokenizers = _peer("sacrebleu").metrics.BLEU.TOKENIZERS
            if tokenize is not None and tokenize not in tokenizers:
                raise unknown_name(tokenize, tokenizers, kind="tokenize")
            settings |= {"lowercase": lowercase, "tokenize": tokenize, "force": True}
        elif kind == "CHRF":
            settings |= {"lowercase": lowercase}
        scorer = getattr(_peer("sacrebleu").metrics, kind)(**settings)
        rows = scorer._extract_corpus_statistics(list(output), list(references))
        return TextCounts(np.array(rows, np.float64), str(scorer.get_signature()))

    return count


def _edit_counter(kind: str) -> Callable[..., TextCounts]:
    """Return the function that counts edits of words or of characters."""

    def count(
        output: Sequence[str],
        references: References,
        *,
        tokenize: str | None,  # noqa: ARG001 (words stand between blanks)
        lowercase: bool,
    ) -> TextCounts:
        jiwer = _peer("jiwer")
        if lowercase:
            output = [text.lower() for text in output]
            references = [[text.lower() for text in one] for one in references]
        process = getattr(jiwer, f"process_{kind}")
        tables = [_edits(process(list(one), list(output))) for one in references]
        return TextCounts(_fewest(tables), f"jiwer:{_version('jiwer')}")

    return count


def _edits(processed: Any) -> FloatArray:
    """Add up the edits of every segment, and the length of its reference."""
    rows = []
    for reference, chunks in zip(
        processed.references, processed.alignments, strict=True
    ):
        sizes = Counter({"substitute": 0, "delete": 0, "insert": 0})
        for chunk in chunks:
            of_output = chunk.hyp_end_idx - chunk.hyp_start_idx
            of_reference = chunk.ref_end_idx - chunk.ref_start_idx
            sizes[chunk.type] += max(of_output, of_reference)
        edits = (sizes["substitute"], sizes["delete"], sizes["insert"])
        rows.append((*edits, len(reference)))
    return np.array(rows, np.float64)


def _fewest(tables: Sequence[FloatArray]) -> FloatArray:
    """Take the reference of each segment with the fewest edits for its length."""
    every = np.stack(tables)
    rates = every[..., :3].sum(axis=-1) / np.maximum(every[..., 3], 1.0)
    best = rates.argmin(axis=0)
    return np.asarray(every[best, np.arange(every.shape[1])])


def _best_of(
    score: Callable[[list[str], list[str]], float],
) -> Callable[..., TextCounts]:
    """Return the function that scores texts as SQuAD does, by the best reference."""

    def count(
        output: Sequence[str],
        references: References,
        *,
        tokenize: str | None,  # noqa: ARG001 (words stand between blanks)
        lowercase: bool,  # noqa: ARG001 (case never counts)
    ) -> TextCounts:
        said = [_answer_words(text) for text in output]
        scores = [
            [score(w, _answer_words(text)) for w, text in zip(said, one, strict=True)]
            for one in references
        ]
        return TextCounts(np.max(scores, axis=0)[:, np.newaxis], "squad")

    return count


def _answer_words(text: str) -> list[str]:
    """Split an answer as SQuAD does: no case, punctuation or articles."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def _same(words: list[str], reference: list[str]) -> float:
    return float(words == reference)


def _token_f1(words: list[str], reference: list[str]) -> float:
    if not words or not reference:
        return float(words == reference)
    shared = sum((Counter(words) & Counter(reference)).values())
    return 2 * shared / (len(words) + len(reference))


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


def _numbered(prefix: str, names: Sequence[str], orders: int) -> tuple[str, ...]:
    return tuple(f"{prefix}_{name}_{i + 1}" for i in range(orders) for name in names)


_THREE = ("output", "reference", "match")
TEXT_COUNTERS: dict[str, TextCounter] = {
    "bleu": TextCounter(
        (
            *("bleu_output", "bleu_reference"),
            *_numbered("bleu", ["match"], ORDERS),
            *_numbered("bleu", ["all"], ORDERS),
        ),
        _by_sacrebleu("BLEU"),
    ),
    "chrf": TextCounter(_numbered("chrf", _THREE, CHARACTERS), _by_sacrebleu("CHRF")),
    "chrf++": TextCounter(
        _numbered("chrf++", _THREE, CHARACTERS + WORDS),
        _by_sacrebleu("CHRF", word_order=WORDS),
    ),
    "ter": TextCounter(("ter_edits", "ter_words"), _by_sacrebleu("TER")),
    "wer": TextCounter(tuple(f"wer_{x}" for x in _EDITS), _edit_counter("words")),
    "cer": TextCounter(tuple(f"cer_{x}" for x in _EDITS), _edit_counter("characters")),
    "exact_match": TextCounter(("exact_match",), _best_of(_same)),
    "token_f1": TextCounter(("token_f1",), _best_of(_token_f1)),
}
TEXT_STATISTICS = frozenset(
    name for counter in TEXT_COUNTERS.values() for name in counter.statistics
)


def text_counter(metric: str) -> TextCounter:
    """Return what counts the statistics of a metric of text."""
    if metric not in TEXT_COUNTERS:
        raise unknown_name(metric, TEXT_COUNTERS, kind="metric of text")
    return TEXT_COUNTERS[metric]
