"""Data: outcomes of items, scores of folds, chunks and tag schemes."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.data.differing_items import DifferingItems as DifferingItems
    from likelier.data.outcomes import Outcomes as Outcomes
    from likelier.data.outcomes import Sums as Sums
    from likelier.data.scores import DataSet as DataSet
    from likelier.data.scores import Scores as Scores
    from likelier.data.tag_corpus import Chunks as Chunks
    from likelier.data.tag_corpus import Codes as Codes
    from likelier.data.tag_corpus import Corpus as Corpus
    from likelier.data.tag_corpus import encode as encode
    from likelier.data.tag_corpus import same_chunks as same_chunks
    from likelier.data.tag_schemes import SCHEMES as SCHEMES
    from likelier.data.tag_schemes import Scheme as Scheme
    from likelier.data.tag_schemes import Span as Span
    from likelier.data.tag_schemes import convert as convert
    from likelier.data.tag_schemes import describe as describe
    from likelier.data.tag_schemes import scheme_named as scheme_named
    from likelier.data.tag_schemes import spans as spans
    from likelier.data.tag_schemes import tags as tags

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Chunks": "tag_corpus",
        "Codes": "tag_corpus",
        "Corpus": "tag_corpus",
        "DataSet": "scores",
        "DifferingItems": "differing_items",
        "Outcomes": "outcomes",
        "SCHEMES": "tag_schemes",
        "Scheme": "tag_schemes",
        "Scores": "scores",
        "Span": "tag_schemes",
        "Sums": "outcomes",
        "convert": "tag_schemes",
        "describe": "tag_schemes",
        "encode": "tag_corpus",
        "same_chunks": "tag_corpus",
        "scheme_named": "tag_schemes",
        "spans": "tag_schemes",
        "tags": "tag_schemes",
    },
)
