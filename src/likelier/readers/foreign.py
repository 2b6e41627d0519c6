"""Files that are no tables: named for what they are, with what to do."""

import re
from typing import NamedTuple

from likelier.errors import InputError


class _Foreign(NamedTuple):
    """A kind of file: how it starts, what it is, and what to do."""

    start: re.Pattern[bytes]
    name: str
    cure: str


_SHEET = (
    "Save the sheet as CSV (UTF-8), or read it with pandas and give the data frame."
)
_UNPACK = "Unpack it first; text may stay compressed with gzip."
_PYTHON = "Load it in Python, if you trust it, and give the data frame; or save CSV."
_PARQUET = "Save it as Parquet, or read it in Python and give the data frame."
_IMAGE = "Give the table that it was made from."
# A magic word that could begin a text must have a control byte near it.
_BINARY = rb"(?=.{0,64}?[\x00-\x08\x0e-\x1f])"

_ZIPPED = rb"PK\x03\x04"
_FOREIGN = tuple(
    _Foreign(re.compile(start, re.DOTALL | re.IGNORECASE), name, cure)
    for start, name, cure in (
        (_ZIPPED + rb".{26}.*?(xl/|\[Content_Types\])(?!.*(word|ppt)/)",
         "an Excel sheet", _SHEET),
        (_ZIPPED + rb".{26}mimetype.{0,60}opendocument", "an ODS sheet", _SHEET),
        (_ZIPPED + rb".{26}[^/]{1,200}\.npy", "arrays of NumPy (npz)", _PYTHON),
        (rb"PK(\x03\x04|\x05\x06)", "a zip archive", _UNPACK),
        (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel sheet (xls)", _SHEET),
        (rb"\x93NUMPY", "an array of NumPy (npy)", _PYTHON),
        (rb"\x80[\x02-\x05]", "a pickle", _PYTHON),
        (rb"x[\x9c\xda]", "compressed data, perhaps of joblib", _PYTHON),
        (rb"SQLite format 3\0", "an SQLite database", "Export the table as CSV."),
        (rb"ARROW1\0\0|FEA1" + _BINARY, "an Arrow or Feather file", _PARQUET),
        (rb"\xff\xff\xff\xff", "an Arrow stream", _PARQUET),
        (rb"ORC" + _BINARY, "an ORC file", _PARQUET),
        (rb"\x89HDF\r\n", "an HDF5 file", _PARQUET),
        (rb"Obj\x01", "an Avro file", _PARQUET),
        (rb"%PDF-", "a PDF", _IMAGE),
        (rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", "an image", _IMAGE),
        (rb"\x1f\x8b", "compressed with gzip twice", _UNPACK),
        (rb"BZh[1-9]1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|7z\xbc\xaf\x27\x1c|Rar!\x1a",
         "compressed, and not with gzip", _UNPACK),
        (rb".{257}ustar[\0 ]", "a tar archive", _UNPACK),
        (rb"\xff\xfe|\xfe\xff", "text in UTF-16 or UTF-32",
         "Save the file with the encoding UTF-8."),
        (rb"\s*(<!doctype html|<html\b)", "a web page (HTML)",
         "It may be a sign-in or error page: download the file itself."),
        (rb"\s*<\?xml", "XML", "Export the table as CSV."),
        (rb"version https://git-lfs", "a pointer of Git LFS, not the file itself",
         "Fetch the file: git lfs pull"),
    )
)  # fmt: skip


def refuse_foreign(start: bytes, name: str) -> None:
    """Refuse a file that starts like something that is no table.

    Parameters
    ----------
    start
        The first bytes.
    name
        Name of the file in messages.
    """
    for kind in _FOREIGN:
        if kind.start.match(start):
            message = f"{name} must be a table; it is {kind.name}."
            raise InputError(message, hint=kind.cure)
