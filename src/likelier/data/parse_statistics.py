"""Statistics of parses: words that are right, of gold and of each system.

Words, relations and features that count are those of the CoNLL 2018 shared task
(Zeman et al., https://doi.org/10.18653/v1/K18-2001).
"""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from likelier._typing import BoolArray, FloatArray, IntArray
from likelier.data.encoding import Numbering
from likelier.data.parsed_words import NO_WORD, ROOT, AlignedWords, ParsedWords

CONTENT_RELATIONS = (
    *("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl"),
    *("dislocated", "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl"),
    *("amod", "conj", "fixed", "flat", "compound", "list", "parataxis", "orphan"),
    *("goeswith", "reparandum", "root", "dep"),
)
FUNCTION_RELATIONS = ("aux", "cop", "mark", "det", "clf", "case", "cc")
_N_CONTENT = len(CONTENT_RELATIONS)
_N_KNOWN = _N_CONTENT + len(FUNCTION_RELATIONS)
UNIVERSAL_FEATURES = frozenset(
    (
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender"),
        *("Animacy", "Number", "Case", "Definite", "Degree", "VerbForm", "Mood"),
        *("Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite"),
    )
)
_NO_LEMMA = 0

# What must agree with gold where a word is right.
_AGREEMENT = {
    "upos": ("upos",),
    "xpos": ("xpos",),
    "ufeats": ("feats",),
    "alltags": ("upos", "xpos", "feats"),
    "lemmas": ("lemma",),
    "uas": ("head",),
    "las": ("head", "deprel"),
    "clas": ("head", "deprel"),
    "mlas": ("head", "deprel", "upos", "feats", "function words"),
    "blex": ("head", "deprel", "lemma"),
}
PARSE_METRICS = tuple(_AGREEMENT)
# Metrics of content words only.
_OF_CONTENT = ("clas", "mlas", "blex")


def parse_numbers() -> dict[str, Numbering]:
    """Return numbers for columns; known relations have theirs from the start."""
    known = {name: i for i, name in enumerate(CONTENT_RELATIONS + FUNCTION_RELATIONS)}
    columns = {name: Numbering() for name in ("form", "upos", "xpos", "feats")}
    lemmas, relations = Numbering({"_": _NO_LEMMA}), Numbering(known)
    return columns | {"lemma": lemmas, "deprel": relations}


def universal_features(text: str) -> str:
    """Keep the universal features of a word, in order.

    Examples
    --------
    >>> universal_features("Style=Coll|Number=Sing|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    features = text.split("|")
    kept = (one for one in features if one.split("=", 1)[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))


def needs_trees(metric: str) -> bool:
    """Return whether a metric is one of heads, not of tags alone."""
    return "head" in _AGREEMENT[metric]


def parse_statistics(metric: str) -> tuple[str, str, str]:
    """Name what a metric adds up: words that are right, of gold, of the system.

    Examples
    --------
    >>> parse_statistics("las")
    ('las_correct', 'gold_words', 'system_words')
    """
    kind = "content_words" if metric in _OF_CONTENT else "words"
    return f"{metric}_correct", f"gold_{kind}", f"system_{kind}"


PARSE_STATISTICS = frozenset(
    name for metric in PARSE_METRICS for name in parse_statistics(metric)
)


def shared_starts(texts: Sequence[ParsedWords]) -> IntArray:
    """Return the characters at which a sentence of every text starts."""
    starts = (words.start[words.sentences] for words in texts)
    return reduce(np.intersect1d, starts)


def count_parses(
    metric: str, both: AlignedWords, starts: IntArray
) -> dict[str, FloatArray]:
    """Count the words of each stretch of text that are right.

    Parameters
    ----------
    metric
        Name of the metric.
    both
        Words of gold and of the system.
    starts
        First character of each stretch.
    """

    def count(words: ParsedWords, which: BoolArray) -> FloatArray:
        index = np.searchsorted(starts, words.start[which], side="right") - 1
        return np.bincount(index, minlength=len(starts)).astype(np.float64)

    counting = _is_content if metric in _OF_CONTENT else _is_word
    ours, theirs = counting(both.gold), counting(both.system)
    same = both.words != NO_WORD
    for name in _AGREEMENT[metric]:
        agree = _AGREE.get(name)
        same &= _same_column(both, name) if agree is None else agree(both)
    right = np.zeros(len(ours), dtype=bool)
    right[both.words[same]] = True
    counts = (
        count(both.gold, right & ours),
        count(both.gold, ours),
        count(both.system, theirs),
    )
    return dict(zip(parse_statistics(metric), counts, strict=True))


# Each tells which words of a system agree with the gold words that they stand for; of
# words that stand for none it may say anything.


def _same_column(both: AlignedWords, name: str) -> BoolArray:
    ours, theirs = (words.columns[name] for words in (both.gold, both.system))
    return both.of_gold(ours) == theirs


def _same_lemma(both: AlignedWords) -> BoolArray:
    # Where gold has no lemma, any is right.
    unknown = both.of_gold(both.gold.columns["lemma"]) == _NO_LEMMA
    return _same_column(both, "lemma") | unknown


def _same_head(both: AlignedWords) -> BoolArray:
    heads = both.system.heads()
    theirs = np.where(heads == ROOT, ROOT, both.words[heads])
    return both.of_gold(both.gold.heads()) == theirs


def _same_function_words(both: AlignedWords) -> BoolArray:
    """Tell where all function words below a word are right, and none is missing."""
    ours, theirs = _is_function(both.gold), _is_function(both.system)
    right = theirs & (both.words != NO_WORD) & _same_head(both)
    for name in ("deprel", "upos", "feats"):
        right &= _same_column(both, name)
    below = _below(both.system, theirs)
    wanted = both.of_gold(_below(both.gold, ours))
    return (below == wanted) & (below == _below(both.system, right))


def _below(words: ParsedWords, which: BoolArray) -> IntArray:
    """Count the words of some kind below each word."""
    heads = words.heads()
    return np.bincount(heads[which & (heads != ROOT)], minlength=len(heads))


def _is_word(words: ParsedWords) -> BoolArray:
    return np.ones(len(words.start), dtype=bool)


def _is_content(words: ParsedWords) -> BoolArray:
    return words.columns["deprel"] < _N_CONTENT


def _is_function(words: ParsedWords) -> BoolArray:
    relation = words.columns["deprel"]
    return (relation >= _N_CONTENT) & (relation < _N_KNOWN)


_AGREE = {
    "lemma": _same_lemma,
    "head": _same_head,
    "function words": _same_function_words,
}
