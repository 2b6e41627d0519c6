"""Origin of an answer: input files, the command, and a date."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path


@dataclass(frozen=True)
class InputFile:
    """File that was read: its name, size and hash; of a folder, how many files."""

    name: str
    size: int
    sha256: str = ""
    files: int = 1

    def __str__(self) -> str:
        last = f"sha256 {self.sha256[:12]}" if self.sha256 else f"{self.files:,} files"
        return f"{self.name}, {size_text(self.size)}, {last}"


@dataclass(frozen=True)
class Origin:
    """Files and command that an answer comes from, and its date.

    Attributes
    ----------
    files
        Input files.
    command
        The command line, to run again.
    date
        Date to show, where one was asked for.
    """

    files: tuple[InputFile, ...] = ()
    command: str | None = None
    date: str | None = None

    @classmethod
    def of(
        cls,
        paths: Sequence[Path],
        *,
        command: str | None = None,
        date: str | None = None,
    ) -> "Origin":
        """Look at the files and folders; what cannot be read again is left out."""
        files = tuple(_input_file(x) for x in paths if x.is_file() or x.is_dir())
        return cls(files, command, date)


def shell_command(words: Sequence[str]) -> str:
    r"""Write a command that a shell reads as these words, all of it printable.

    Examples
    --------
    >>> print(shell_command(["likelier", "a b", "it's", "x\x1by"]))
    likelier 'a b' "it's" $'x\x1by'
    """
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    if not word.isprintable():
        return _spelt(word)
    # Within double quotes a shell still reads these.
    simple = "'" in word and not set(word) & set('"$`\\!')
    return f'"{word}"' if simple else shlex.quote(word)


def _spelt(word: str) -> str:
    """Quote a word as bash and zsh do, byte by byte where it cannot be printed."""

    def spelt(letter: str) -> str:
        if letter in "\\'":
            return f"\\{letter}"
        if letter.isprintable():
            return letter
        # Names of files may hold bytes that are no letters.
        code = letter.encode(errors="surrogateescape")
        return "".join(f"\\x{byte:02x}" for byte in code)

    return f"$'{''.join(map(spelt, word))}'"


def _input_file(path: Path) -> InputFile:
    if path.is_dir():
        sizes = [file.stat().st_size for file in path.rglob("*") if file.is_file()]
        return InputFile(path.resolve().name, sum(sizes), files=len(sizes))
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    return InputFile(path.name, path.stat().st_size, digest)


def size_text(size: int) -> str:
    """Write the size of a file.

    Examples
    --------
    >>> size_text(812), size_text(38_600), size_text(4_100_000)
    ('812 bytes', '38.6 kB', '4.1 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    unit, name = (
        (1e3, "kB") if size < 1e6 else (1e6, "MB") if size < 1e9 else (1e9, "GB")
    )
    return f"{size / unit:.1f} {name}"
