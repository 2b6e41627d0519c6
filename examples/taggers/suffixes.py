"""What the end of a word says about its tag, and a tagger that knows nothing else."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

Tokens = Sequence[str]
Tags = Sequence[str]


def tokens_with_tags(
    inputs: Sequence[Tokens], gold: Sequence[Tags]
) -> Iterator[tuple[str, str]]:
    """Go through all tokens of all sentences."""
    for tokens, tags in zip(inputs, gold, strict=True):
        yield from zip(tokens, tags, strict=True)


def count_words(
    inputs: Sequence[Tokens], gold: Sequence[Tags]
) -> dict[str, Counter[str]]:
    """Count the tags of each word."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tag in tokens_with_tags(inputs, gold):
        counts[word][tag] += 1
    return dict(counts)


def most_frequent(counts: Counter[str]) -> str:
    """Give the tag that was seen most often; of several, the first by its name."""
    return min(counts, key=lambda tag: (-counts[tag], tag))


class Endings:
    """Counts of tags by the last letters of rare words, which are most like new ones.

    Words with and without a capital letter in front are counted apart.

    Parameters
    ----------
    words
        Counts of the tags of each word.
    longest
        How many letters an ending has at most.
    rare
        How often a word may have been seen.
    """

    def __init__(
        self, words: dict[str, Counter[str]], *, longest: int, rare: int
    ) -> None:
        self.longest = longest
        self.counts: dict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
        for word, tags in words.items():
            if tags.total() <= rare:
                for key in self.keys(word):
                    self.counts[key].update(tags)

    def keys(self, word: str) -> list[tuple[bool, str]]:
        """List the endings of a word, the shortest first."""
        capital = word[:1].isupper()
        longest = min(self.longest, len(word))
        return [(capital, word[-i:]) for i in range(1, longest + 1)]

    def seen(self, word: str) -> list[Counter[str]]:
        """List the counts of those endings that rare words have, the shortest first."""
        return [self.counts[key] for key in self.keys(word) if key in self.counts]


class Suffix:
    """Gives a word its most frequent tag, and a new word that of its longest ending.

    Parameters
    ----------
    longest
        How many letters an ending has at most.
    rare
        Endings are learned from words seen at most that often.
    """

    def __init__(self, longest: int = 4, rare: int = 5) -> None:
        self.longest = longest
        self.rare = rare

    def fit(self, inputs: Sequence[Tokens], gold: Sequence[Tags]) -> "Suffix":
        """Count tags by word and by ending."""
        words = count_words(inputs, gold)
        self.tags_ = {word: most_frequent(tags) for word, tags in words.items()}
        self.endings_ = Endings(words, longest=self.longest, rare=self.rare)
        self.usual_ = most_frequent(Counter(tag for tags in gold for tag in tags))
        return self

    def predict(self, inputs: Sequence[Tokens]) -> list[list[str]]:
        """Tag each word for itself."""
        return [[self._tag(word) for word in tokens] for tokens in inputs]

    def _tag(self, word: str) -> str:
        if word in self.tags_:
            return self.tags_[word]
        seen = self.endings_.seen(word)
        return most_frequent(seen[-1]) if seen else self.usual_
