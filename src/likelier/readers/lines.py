"""Lines of text files: checked, in blocks, with what their readers share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import IO, Any

from likelier.data.outcomes import Outcomes
from likelier.errors import InputError
from likelier.findings import Finding
from likelier.readers.formats import File
from likelier.readers.kinds import doubled

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

# Small enough for the processor's cache, where numpy is several times faster.
_BLOCK = 1 << 18


@dataclass(frozen=True)
class ChunkReading:
    """What a reader of chunks gives.

    Attributes
    ----------
    outcomes
        Chunks that are right, wrong and missing per sentence.
    """

    outcomes: Outcomes

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the files, which the outcomes carry."""
        return self.outcomes.findings

    @property
    def description(self) -> str:
        """How the chunks were read, for the recipe."""
        return self.outcomes.source


def path_list(paths: Paths) -> list[str | PathLike[str]]:
    """Take one path or several."""
    given = [paths] if isinstance(paths, str | PathLike) else list(paths)
    if not given:
        message = "paths must name at least one file; got none."
        raise InputError(message)
    return given


def file_names(files: Sequence[File]) -> Sequence[str]:
    """Name systems by their files; with the folder where two are equal."""
    paths = [file.path.with_suffix("") if file.packed else file.path for file in files]
    stems = [path.stem or path.name for path in paths]
    twice = doubled(stems)
    return [
        f"{path.parent.name}/{stem}" if stem in twice else stem
        for path, stem in zip(paths, stems, strict=True)
    ]


def line_blocks(handle: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Give blocks of whole lines; what comes last without a line end is not whole."""
    tail, size = b"", _BLOCK
    while chunk := handle.read(size):
        data = tail + chunk
        end = data.rfind(b"\n") + 1
        tail = data[end:]
        size = _BLOCK if end else 2 * size
        if end:
            yield data[:end], True
    if tail:
        yield tail, False


def checked_text(block: bytes, file: File, line: int) -> bytes:
    r"""Check that text is UTF-8, and end each line in ``\n``."""
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            line += block.count(b"\n", 0, error.start)
            byte = block[error.start]
            message = f"{file.at(line)}: text must be UTF-8; got the byte 0x{byte:02x}."
            hint = "Save the file with the encoding UTF-8."
            raise InputError(message, hint=hint) from error
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
        lone = block.find(b"\r")
        if lone >= 0:
            line += block.count(b"\n", 0, lone)
            message = rf"{file.at(line)}: lines must end in \n or \r\n; got a lone \r."
            raise InputError(message)
    return block if block.endswith(b"\n") else block + b"\n"


def cut_findings(sheets: Sequence[Any]) -> tuple[Finding, ...]:
    """Remark on files that end without a line end."""
    return tuple(
        Finding(
            "LIK103",
            f"{sheet.file.shown} does not end in a line end: it may be cut off in the "
            "last row, which was read as it stands",
            severity="problem",
        )
        for sheet in sheets
        if sheet.cut
    )
