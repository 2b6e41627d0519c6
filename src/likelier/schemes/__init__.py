"""Tags and spans: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES and BB2B3MES."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.schemes.chunk_spans import Span as Span
    from likelier.schemes.chunk_spans import convert as convert
    from likelier.schemes.chunk_spans import spans as spans
    from likelier.schemes.chunk_spans import tags as tags
    from likelier.schemes.corpus import Chunks as Chunks
    from likelier.schemes.corpus import Codes as Codes
    from likelier.schemes.corpus import Corpus as Corpus
    from likelier.schemes.corpus import encode as encode
    from likelier.schemes.corpus import same_chunks as same_chunks
    from likelier.schemes.scheme import SCHEMES as SCHEMES
    from likelier.schemes.scheme import Scheme as Scheme
    from likelier.schemes.scheme import describe as describe
    from likelier.schemes.scheme import scheme_named as scheme_named

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Chunks": "corpus",
        "Codes": "corpus",
        "Corpus": "corpus",
        "SCHEMES": "scheme",
        "Scheme": "scheme",
        "Span": "chunk_spans",
        "convert": "chunk_spans",
        "describe": "scheme",
        "encode": "corpus",
        "same_chunks": "corpus",
        "scheme_named": "scheme",
        "spans": "chunk_spans",
        "tags": "chunk_spans",
    },
)
