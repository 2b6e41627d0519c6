"""Data: outcomes of items, scores of folds, chunks and tag schemes."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.data.differing_items import DifferingItems as DifferingItems
    from likelier.data.item_examples import ItemText as ItemText
    from likelier.data.outcomes import Outcomes as Outcomes
    from likelier.data.outcomes import Sums as Sums
    from likelier.data.scores import DataSet as DataSet
    from likelier.data.scores import Scores as Scores
    from likelier.data.tag_corpus import Chunks as Chunks
    from likelier.data.tag_corpus import TagCodes as TagCodes
    from likelier.data.tag_corpus import TagCorpus as TagCorpus
    from likelier.data.tag_corpus import encode_tags as encode_tags
    from likelier.data.tag_corpus import same_chunks as same_chunks
    from likelier.data.tag_schemes import TAG_SCHEMES as TAG_SCHEMES
    from likelier.data.tag_schemes import Span as Span
    from likelier.data.tag_schemes import TagScheme as TagScheme
    from likelier.data.tag_schemes import convert_tags as convert_tags
    from likelier.data.tag_schemes import describe_scheme as describe_scheme
    from likelier.data.tag_schemes import spans_to_tags as spans_to_tags
    from likelier.data.tag_schemes import tag_scheme as tag_scheme
    from likelier.data.tag_schemes import tags_to_spans as tags_to_spans

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Chunks": "tag_corpus",
        "DataSet": "scores",
        "DifferingItems": "differing_items",
        "ItemText": "item_examples",
        "Outcomes": "outcomes",
        "Scores": "scores",
        "Span": "tag_schemes",
        "Sums": "outcomes",
        "TAG_SCHEMES": "tag_schemes",
        "TagCodes": "tag_corpus",
        "TagCorpus": "tag_corpus",
        "TagScheme": "tag_schemes",
        "convert_tags": "tag_schemes",
        "describe_scheme": "tag_schemes",
        "encode_tags": "tag_corpus",
        "same_chunks": "tag_corpus",
        "spans_to_tags": "tag_schemes",
        "tag_scheme": "tag_schemes",
        "tags_to_spans": "tag_schemes",
    },
)
