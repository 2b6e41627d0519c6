"""The four classifiers of Zhang et al. (2016), as scikit-learn pipelines.

Each finds its one parameter by a search within the training items, as in the paper.

References
----------
Zhang et al. (2016), doi:10.1145/2911451.2911547.
"""

from collections.abc import Sequence
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

SMOOTHING = (0.01, 0.1, 0.5, 1.0, 2.0)
COSTS = (0.1, 0.5, 1.0, 2.0, 4.0)


def tuned(classifier: Any, parameter: str, values: Sequence[float]) -> Pipeline:
    """Weigh words by TF-IDF, then classify with the best of some values."""
    search = GridSearchCV(classifier, {parameter: list(values)}, cv=3)
    # The texts are tokens between blanks already.
    return make_pipeline(TfidfVectorizer(token_pattern=r"\S+"), search)


nb_bern = tuned(BernoulliNB(), "alpha", SMOOTHING)
nb_mult = tuned(MultinomialNB(), "alpha", SMOOTHING)
svm_l1 = tuned(LinearSVC(penalty="l1", dual=False, max_iter=5000), "C", COSTS)
svm_l2 = tuned(LinearSVC(), "C", COSTS)
