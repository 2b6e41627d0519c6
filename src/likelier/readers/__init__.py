"""From files and data frames to outcomes: one pass, in the engine that has the data."""

from typing import TYPE_CHECKING

from likelier._lazy import attach

if TYPE_CHECKING:
    from likelier.readers.conll import read_conll as read_conll
    from likelier.readers.frames import looks_like_frame as looks_like_frame
    from likelier.readers.frames import read_frame as read_frame
    from likelier.readers.pairing import read_files as read_files
    from likelier.readers.parse_reader import read_parsed as read_parsed
    from likelier.readers.reader import Description as Description
    from likelier.readers.reader import Kind as Kind
    from likelier.readers.reader import describe as describe
    from likelier.readers.segmented import read_segmented as read_segmented
    from likelier.readers.tag_files import read_tagged as read_tagged
    from likelier.readers.text_files import read_texts as read_texts

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Description": "reader",
        "Kind": "reader",
        "describe": "reader",
        "looks_like_frame": "frames",
        "read_conll": "conll",
        "read_files": "pairing",
        "read_frame": "frames",
        "read_parsed": "parse_reader",
        "read_segmented": "segmented",
        "read_tagged": "tag_files",
        "read_texts": "text_files",
    },
)
