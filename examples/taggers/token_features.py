"""What three of the taggers see of a token: itself and its neighbours, but no tags."""

from collections.abc import Sequence

# No token is empty or has a blank, so these are none.
EDGES = ("<s> ", "</s> ")


def sentence_features(tokens: Sequence[str]) -> list[list[str]]:
    """List the features of each token of a sentence.

    Examples
    --------
    >>> sentence_features(["Yes"])[0][:4]
    ['always', 'word=yes', 'form=Yes', 'shape=Xx']
    """
    before, after = EDGES
    padded = [before, *tokens, after]
    return [
        _own(token) + _near("before", padded[i]) + _near("after", padded[i + 2])
        for i, token in enumerate(tokens)
    ]


def _own(token: str) -> list[str]:
    word = token.lower()
    ends = [f"end={word[-i:]}" for i in range(1, min(4, len(word)) + 1)]
    starts = [f"start={word[:i]}" for i in range(1, min(3, len(word)) + 1)]
    found = ["always", f"word={word}", f"form={token}", f"shape={shape(token)}"]
    return [*found, *ends, *starts]


def _near(side: str, token: str) -> list[str]:
    word = token.lower()
    return [
        f"{side} word={word}",
        f"{side} end={word[-3:]}",
        f"{side} shape={shape(token)}",
    ]


def shape(token: str) -> str:
    """Write capitals as X, small letters as x, digits as 0, each run as one.

    Examples
    --------
    >>> shape("Catch-22"), shape("iOS")
    ('Xx-0', 'xX')
    """
    runs: list[str] = []
    for character in token:
        kind = _kind(character)
        if not runs or runs[-1] != kind:
            runs.append(kind)
    return "".join(runs)


def _kind(character: str) -> str:
    if character.isupper():
        return "X"
    if character.isalpha():
        return "x"
    return "0" if character.isdigit() else character
