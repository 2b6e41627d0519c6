"""A linear classifier of single tokens, by scikit-learn: it sees no tags."""

from collections.abc import Sequence
from itertools import chain

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from suffixes import Tags, Tokens
from token_features import sentence_features


class Linear:
    """Classifies each token for itself, by its features.

    Parameters
    ----------
    alpha
        How strongly large weights are held back.
    epochs
        How often it goes through the training tokens.
    random_state
        The seed of their order.
    """

    def __init__(
        self, alpha: float = 1e-6, epochs: int = 5, random_state: int | None = None
    ) -> None:
        self.alpha = alpha
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, inputs: Sequence[Tokens], gold: Sequence[Tags]) -> "Linear":
        """Learn one classifier per tag against the rest."""
        classifier = SGDClassifier(
            loss="modified_huber",
            alpha=self.alpha,
            max_iter=self.epochs,
            tol=None,
            average=True,
            random_state=self.random_state,
        )
        self.model_ = make_pipeline(CountVectorizer(analyzer=list), classifier)
        self.model_.fit(_tokens(inputs), list(chain.from_iterable(gold)))
        return self

    def predict(self, inputs: Sequence[Tokens]) -> list[list[str]]:
        """Tag all tokens, then put them back into sentences."""
        if not inputs:
            return []
        tags = iter(self.model_.predict(_tokens(inputs)).tolist())
        return [[next(tags) for _ in tokens] for tokens in inputs]


def _tokens(inputs: Sequence[Tokens]) -> list[list[str]]:
    return [names for tokens in inputs for names in sentence_features(tokens)]
