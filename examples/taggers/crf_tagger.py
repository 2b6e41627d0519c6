"""A conditional random field, by python-crfsuite.

References
----------
Lafferty et al. (2001), Conditional random fields, ICML.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pycrfsuite
from suffixes import Tags, Tokens
from token_features import sentence_features


class CRF:
    """Finds the most probable tags of a sentence under a linear-chain CRF.

    It is trained by L-BFGS: the online algorithms of CRFsuite shuffle by a generator
    that cannot be seeded, so their folds would depend on those run before.

    Parameters
    ----------
    l1, l2
        How strongly large weights are held back.
    iterations
        After how many steps training ends.
    """

    def __init__(self, l1: float = 0.1, l2: float = 0.01, iterations: int = 50) -> None:
        self.l1 = l1
        self.l2 = l2
        self.iterations = iterations

    def fit(self, inputs: Sequence[Tokens], gold: Sequence[Tags]) -> "CRF":
        """Train, and keep the model as bytes, so that it can be copied."""
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params(
            {"c1": self.l1, "c2": self.l2, "max_iterations": self.iterations}
        )
        for tokens, tags in zip(inputs, gold, strict=True):
            trainer.append(sentence_features(tokens), list(tags))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            trainer.train(str(path))
            self.model_ = path.read_bytes()
        return self

    def predict(self, inputs: Sequence[Tokens]) -> list[list[str]]:
        """Find the most probable tags of each sentence."""
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model_)
        return [tagger.tag(sentence_features(tokens)) for tokens in inputs]
