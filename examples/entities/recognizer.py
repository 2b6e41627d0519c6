"""Find named entities in short texts by a conditional random field over tokens."""

import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pycrfsuite

LONGEST_AFFIX = 4
# The first that holds counts.
KINDS: dict[str, Callable[[str], bool]] = {
    "mention": lambda token: token.startswith("@"),
    "hashtag": lambda token: token.startswith("#"),
    "address": lambda token: token.startswith(("http", "www.")),
    "number": str.isdigit,
    "upper": str.isupper,
    "title": str.istitle,
    "lower": str.islower,
}


class Recognizer:
    """A conditional random field with the usual features of named entities.

    The tags are whatever it is trained on, so that the scheme is the only difference
    between two systems of this class. L-BFGS starts from zero and draws nothing: the
    same items give the same model.

    Parameters
    ----------
    c1, c2
        The weights of the L1 and the L2 penalty.
    tolerance
        L-BFGS stops when ten iterations lower its loss by less than this share.
    max_iterations
        Where it stops in any case.
    """

    def __init__(
        self,
        *,
        c1: float = 0.0,
        c2: float = 0.1,
        tolerance: float = 1e-4,
        max_iterations: int = 500,
    ) -> None:
        self.settings = {
            "c1": c1,
            "c2": c2,
            "delta": tolerance,
            "max_iterations": max_iterations,
        }
        self.model = b""

    def fit(
        self, inputs: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]
    ) -> "Recognizer":
        """Train on sentences, given as tokens, and their tags."""
        trainer = pycrfsuite.Trainer("lbfgs", params=self.settings, verbose=False)
        for tokens, tags in zip(inputs, gold, strict=True):
            trainer.append(features(tokens), tags)
        self.model = trained(trainer)
        return self

    def predict(self, inputs: Sequence[Sequence[str]]) -> list[list[str]]:
        """Give the most probable tags of each sentence."""
        tagger = pycrfsuite.Tagger()
        # The tagger reads the bytes in place: they must live as long as it does.
        tagger.open_inmemory(self.model)
        return [tagger.tag(features(tokens)) for tokens in inputs]


def trained(trainer: pycrfsuite.Trainer) -> bytes:
    """Train, and give the model; the library writes models only to files."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.crfsuite"
        trainer.train(str(file))
        return file.read_bytes()


def features(tokens: Sequence[str]) -> list[list[str]]:
    """Give the features of each token: its own, its neighbours', and its place."""
    lower = [token.lower() for token in tokens]
    shapes = [shape(token) for token in tokens]
    return [
        [
            *word_features(token),
            *neighbours("lower", lower, i),
            *neighbours("shape", shapes, i),
            *pairs(lower, i),
            *place(i, len(tokens)),
        ]
        for i, token in enumerate(tokens)
    ]


def word_features(token: str) -> list[str]:
    """Give the features of a token by itself.

    Examples
    --------
    >>> word_features("NY")
    ['bias', 'form=NY', 'lower=ny', 'shape=X', 'kind=upper', 'prefix=n', 'suffix=y']
    """
    lower = token.lower()
    lengths = range(1, min(LONGEST_AFFIX, len(token) - 1) + 1)
    return [
        "bias",
        f"form={token}",
        f"lower={lower}",
        f"shape={shape(token)}",
        f"kind={kind(token)}",
        *[f"prefix={lower[:length]}" for length in lengths],
        *[f"suffix={lower[-length:]}" for length in lengths],
    ]


def shape(token: str) -> str:
    """Tell how a token is written: letters and digits by kind, repeats once.

    Examples
    --------
    >>> shape("McDonald"), shape("B-52s"), shape("#x")
    ('XxXx', 'X-0x', '#x')
    """
    shaped = re.sub(r"[^\W\d_]", lambda m: "X" if m[0].isupper() else "x", token)
    return re.sub(r"(.)\1+", r"\1", re.sub(r"\d", "0", shaped))


def kind(token: str) -> str:
    """Tell a mention, a hashtag, an address, a number and words by their case."""
    for name, told in KINDS.items():
        if told(token):
            return name
    return "other"


def neighbours(name: str, values: Sequence[str], i: int) -> list[str]:
    """Give what the two tokens before and the two after have."""
    near = [i + step for step in (-2, -1, 1, 2)]
    return [f"{name}[{j - i}]={values[j]}" for j in near if 0 <= j < len(values)]


def pairs(lower: Sequence[str], i: int) -> list[str]:
    """Give the token with the one before it, and with the one after it."""
    starts = [j for j in (i - 1, i) if 0 <= j < len(lower) - 1]
    return [f"pair[{j - i}]={lower[j]} {lower[j + 1]}" for j in starts]


def place(i: int, length: int) -> list[str]:
    """Tell whether a token is the first or the last."""
    return ["first"] * (i == 0) + ["last"] * (i == length - 1)
