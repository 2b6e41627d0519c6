"""From files and data frames to outcomes: one pass, in the engine that has the data."""

from likelier.readers.conll import read_conll
from likelier.readers.files import Reading, read_files
from likelier.readers.frames import looks_like_frame, read_frame
from likelier.readers.kinds import Kind
from likelier.readers.lines import ChunkReading
from likelier.readers.segmented import read_segmented
from likelier.readers.tagging import read_tagged

__all__ = [
    "ChunkReading",
    "Kind",
    "Reading",
    "looks_like_frame",
    "read_conll",
    "read_files",
    "read_frame",
    "read_segmented",
    "read_tagged",
]
