"""From files and data frames to outcomes: one pass, in the engine that has the data."""

from likelier.readers.files import Reading, read_files
from likelier.readers.frames import looks_like_frame, read_frame
from likelier.readers.kinds import Kind

__all__ = ["Kind", "Reading", "looks_like_frame", "read_files", "read_frame"]
