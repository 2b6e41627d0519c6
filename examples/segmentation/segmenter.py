"""Cut Chinese text into words by a conditional random field over characters."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pycrfsuite

# First and last character of each feature, counted from the character itself: the
# n-grams of one to three characters within a window of two on each side.
TEMPLATES = [
    (first, first + length - 1)
    for length in (1, 2, 3)
    for first in range(-2, 4 - length)
]
EDGE = "␣"


class Segmenter:
    """A conditional random field with the features of Wang & Li (2019).

    The tags are whatever it is trained on, so that the scheme is the only difference
    between two systems of this class. L-BFGS starts from zero and draws nothing: the
    same items give the same model.

    Parameters
    ----------
    least
        How often a feature must occur among the training items. This counts the
        feature with all tags together. The library's own ``feature.minfreq`` counts it
        with each tag, and so would take more from a scheme of more tags.
    c2
        The weight of the L2 penalty; 0.5 is a Gaussian prior of variance 1.
    tolerance
        L-BFGS stops when ten iterations lower its loss by less than this share.
    max_iterations
        Where it stops in any case.
    """

    def __init__(
        self,
        *,
        least: int = 2,
        c2: float = 0.5,
        tolerance: float = 1e-4,
        max_iterations: int = 500,
    ) -> None:
        self.least = least
        self.settings = {
            "c2": c2,
            "delta": tolerance,
            "max_iterations": max_iterations,
        }
        self.model = b""

    def fit(
        self, inputs: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]
    ) -> "Segmenter":
        """Train on sentences, given as characters, and their tags."""
        found = [features(characters) for characters in inputs]
        counts = Counter(f for sentence in found for here in sentence for f in here)
        trainer = pycrfsuite.Trainer("lbfgs", params=self.settings, verbose=False)
        for sentence, tags in zip(found, gold, strict=True):
            kept = [[f for f in here if counts[f] >= self.least] for here in sentence]
            trainer.append(kept, tags)
        self.model = trained(trainer)
        return self

    def predict(self, inputs: Sequence[Sequence[str]]) -> list[list[str]]:
        """Give the most probable tags of each sentence."""
        tagger = pycrfsuite.Tagger()
        # The tagger reads the bytes in place: they must live as long as it does.
        tagger.open_inmemory(self.model)
        return [tagger.tag(features(characters)) for characters in inputs]


def trained(trainer: pycrfsuite.Trainer) -> bytes:
    """Train, and give the model; the library writes models only to files."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.crfsuite"
        trainer.train(str(file))
        return file.read_bytes()


def features(characters: Sequence[str]) -> list[list[str]]:
    """Give the features of each character.

    Examples
    --------
    >>> features("新世纪")[0][:6]
    ['-2:␣', '-1:␣', '0:新', '1:世', '2:纪', '-2:␣␣']
    """
    text = EDGE * 2 + "".join(characters) + EDGE * 2
    return [
        [f"{first}:{text[i + first : i + last + 1]}" for first, last in TEMPLATES]
        for i in range(2, len(characters) + 2)
    ]
