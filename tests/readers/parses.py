"""Random parses of one text, and a plain scorer that follows the definitions.

The scorer is slow and written for itself: from the description of the CoNLL 2018 shared
task, with sets and loops, and nothing of the source.
"""

import unicodedata
from itertools import pairwise

from hypothesis import strategies as st

CONTENT = {
    *("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl"),
    *("dislocated", "advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl"),
    *("amod", "conj", "fixed", "flat", "compound", "list", "parataxis", "orphan"),
    *("goeswith", "reparandum", "root", "dep"),
}
FUNCTION = {"aux", "cop", "mark", "det", "clf", "case", "cc"}
FEATURES = {
    *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender"),
    *("Animacy", "Number", "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense"),
    *("Aspect", "Voice", "Evident", "Polarity", "Person", "Polite"),
}
NAMES = (
    *("upos", "xpos", "ufeats", "alltags", "lemmas"),
    *("uas", "las", "clas", "mlas", "blex"),
)

# --- random parses ------------------------------------------------------------------

RELATIONS = ["nsubj", "obj:x", "det", "case", "case:loc", "punct", "conj", "aux", "foo"]
UPOS = ["NOUN", "VERB", "X"]
FEATS = ["_", "Number=Sing", "Number=Plur|Case=Nom", "Case=Nom|Number=Plur|Style=Coll"]
LEMMAS = ["_", "a", "b"]


@st.composite
def trees(draw, n):
    """Heads of n words, from 0, that lead to one root (None)."""
    order = draw(st.permutations(range(n)))
    heads = [None] * n
    for i, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, i - 1))]
    return heads


@st.composite
def sentence_rows(draw, text, forms):
    """Rows of one sentence over its characters, which it splits somehow."""
    tokens = draw(pieces(text, most=len(text)))
    sizes = [draw(st.sampled_from([0, 0, 0, 1, 2, 3])) for _ in tokens]
    heads = draw(trees(sum(size or 1 for size in sizes)))
    pick = lambda options: draw(st.sampled_from(options))  # noqa: E731
    rows, word = [], 0
    for token, size in zip(tokens, sizes, strict=True):
        if size:
            rows.append([f"{word + 1}-{word + size}", token, *"________"])
        for form in draw(forms(token, size)) if size else [token]:
            head = heads[word]
            relation = "root" if head is None else pick(RELATIONS)
            number = "0" if head is None else str(head + 1)
            tags = [pick(LEMMAS), pick(UPOS), pick(UPOS), pick(FEATS)]
            rows.append([str(word + 1), form, *tags, number, relation, "_", "_"])
            word += 1
    return rows


def pieces(text, most):
    """Cut a text at up to so many places."""
    places = st.sets(st.integers(1, max(len(text) - 1, 1)), max_size=most)
    return places.map(
        lambda cuts: list(filter(None, (
            text[a:b] for a, b in pairwise([0, *sorted(cuts), len(text)])
        )))
    )  # fmt: skip


def any_forms(token, size):
    return st.lists(st.sampled_from("abA"), min_size=size, max_size=size)


def own_forms(token, size):
    """Forms that no other token of the text has, and each but once."""
    forms = [c + d for c in token for d in "123"]
    return st.lists(st.sampled_from(forms), min_size=size, max_size=size, unique=True)


@st.composite
def parses(draw, text, forms=any_forms):
    """Sentences of rows over a text, which is split somehow."""
    parts = draw(pieces(text, most=3))
    return [draw(sentence_rows(part, forms)) for part in parts]


def conllu(sentences):
    return "".join(
        "".join("\t".join(row) + "\n" for row in rows) + "\n" for rows in sentences
    )


# --- the plain scorer ---------------------------------------------------------------


def words_of(sentences):
    """Every word as a mapping, with its head as the number of a word, or None."""
    words, position = [], 0
    for number, rows in enumerate(sentences):
        first, shared = len(words), 0
        for row in rows:
            if "." in row[0]:
                continue
            form = "".join(c for c in row[1] if unicodedata.category(c) != "Zs")
            if "-" in row[0]:
                shared = int(row[0].split("-")[1])
                span = position, position + len(form)
                position += len(form)
                continue
            several = int(row[0]) <= shared
            if not several:
                span = position, position + len(form)
                position += len(form)
            words.append({
                "span": span,
                "several": several,
                "sentence": number,
                "form": (row[1] if several else form).lower(),
                "lemma": row[2],
                "upos": row[3],
                "xpos": row[4],
                "feats": sorted(f for f in row[5].split("|")
                                if f.split("=")[0] in FEATURES),
                "head": None if row[6] == "0" else first + int(row[6]) - 1,
                "relation": row[7].split(":")[0],
            })  # fmt: skip
    return words


def longest(ours, theirs):
    """All pairs of a longest common subsequence, by trying everything, once each."""
    seen = {}

    def best(i, j):
        if (i, j) not in seen:
            if i == len(ours) or j == len(theirs):
                seen[i, j] = []
            elif ours[i] == theirs[j]:
                seen[i, j] = [(i, j), *best(i + 1, j + 1)]
            else:
                seen[i, j] = max(best(i + 1, j), best(i, j + 1), key=len)
        return seen[i, j]

    return best(0, 0)


def stretches_of(words):
    """Characters of tokens of several words, put together where these overlap."""
    stretches = []
    for word in words:
        if word["several"]:
            stretch = {*range(*word["span"])}
            apart = [one for one in stretches if not one & stretch]
            stretches = [*apart, stretch.union(*(x for x in stretches if x & stretch))]
    return stretches


def aligned(gold, system):
    """The gold word of each word of the system that has one."""
    stretches = stretches_of(gold + system)
    marked = set().union(*stretches)
    pairs = {}
    for stretch in stretches:
        ours, theirs = (
            [i for i, word in enumerate(words) if {*range(*word["span"])} <= stretch]
            for words in (gold, system)
        )
        found = longest([gold[i]["form"] for i in ours],
                        [system[j]["form"] for j in theirs])  # fmt: skip
        pairs |= {theirs[j]: ours[i] for i, j in found}
    for j, word in enumerate(system):
        for i, other in enumerate(gold):
            free = not marked & {*range(*word["span"])}
            if free and other["span"] == word["span"]:
                pairs[j] = i
    return pairs


class Scorer:
    """Words of gold and of a system, and what of a pair of them is the same."""

    def __init__(self, gold_sentences, system_sentences):
        self.gold, self.system = words_of(gold_sentences), words_of(system_sentences)
        self.pairs = aligned(self.gold, self.system)

    def of_gold(self, j):
        return "root" if j is None else self.pairs.get(j, "none")

    def attached(self, i, j):
        head = self.gold[i]["head"]
        head = "root" if head is None else head
        return head == self.of_gold(self.system[j]["head"])

    def same(self, i, j, *names):
        return all(self.gold[i][name] == self.system[j][name] for name in names)

    def lemma(self, i, j):
        return self.gold[i]["lemma"] in ("_", self.system[j]["lemma"])

    def functions(self, i, j):
        parts = ("relation", "upos", "feats")
        ours = [(k, *(word[p] for p in parts)) for k, word in enumerate(self.gold)
                if word["head"] == i and word["relation"] in FUNCTION]  # fmt: skip
        theirs = [(self.of_gold(k), *(word[p] for p in parts))
                  for k, word in enumerate(self.system)
                  if word["head"] == j and word["relation"] in FUNCTION]  # fmt: skip
        return ours == theirs

    def right(self, name, i, j):
        labelled = self.attached(i, j) and self.same(i, j, "relation")
        return {
            "upos": self.same(i, j, "upos"),
            "xpos": self.same(i, j, "xpos"),
            "ufeats": self.same(i, j, "feats"),
            "alltags": self.same(i, j, "upos", "xpos", "feats"),
            "lemmas": self.lemma(i, j),
            "uas": self.attached(i, j),
            "las": labelled,
            "clas": labelled,
            "mlas": labelled
            and self.same(i, j, "upos", "feats")
            and self.functions(i, j),
            "blex": labelled and self.lemma(i, j),
        }[name]


def counts(word, name):
    return name not in ("clas", "mlas", "blex") or word["relation"] in CONTENT


def score(gold_sentences, system_sentences):
    """Words that are right, of gold and of the system for each metric, and its F1."""
    both = Scorer(gold_sentences, system_sentences)
    scores = {}
    for name in NAMES:
        correct = sum(
            counts(both.gold[i], name) and both.right(name, i, j)
            for j, i in both.pairs.items()
        )
        n, m = (
            sum(counts(w, name) for w in words) for words in (both.gold, both.system)
        )
        scores[name] = (correct, n, m, 2 * correct / (n + m) if n + m else 0.0)
    return scores
