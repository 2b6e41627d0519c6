"""Tags and spans: IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES and BB2B3MES."""

from likelier.schemes.corpus import Chunks, Codes, Corpus, encode, same_chunks
from likelier.schemes.scheme import SCHEMES, Scheme, describe, scheme_named
from likelier.schemes.spans import Span, convert, spans, tags

__all__ = [
    "SCHEMES",
    "Chunks",
    "Codes",
    "Corpus",
    "Scheme",
    "Span",
    "convert",
    "describe",
    "encode",
    "same_chunks",
    "scheme_named",
    "spans",
    "tags",
]
