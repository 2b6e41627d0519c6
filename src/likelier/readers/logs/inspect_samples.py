"""Header and samples of Inspect logs: ``.eval`` archives and ``.json`` documents."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import msgspec

from likelier.errors import InputError
from likelier.readers.dotted import dotted
from likelier.readers.file import File
from likelier.readers.logs import archive
from likelier.readers.logs.archive import Archive, open_archive
from likelier.readers.logs.json_records import decode, digest, read_document

HEADER = "header.json"
START = "_journal/start.json"
SUMMARIES = "summaries.json"

_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
# How Inspect marks a text of summaries that it shortened: at 5,120 characters now, at
# 1,024 in older versions.
_SHORTENED = "(content truncated)"
_OLD_LENGTHS = range(900, 1025)
_LONGEST_FAILURE = 200
_NO_TEXT = re.compile(r"\([A-Z][a-z_]+\)|attachment://.*")


class Score(msgspec.Struct):
    """Score of one scorer; explanations and the like are passed over."""

    value: Any = None


class Sample(msgspec.Struct):
    """What we need of a sample; its summary has the same names."""

    id: int | str
    epoch: int = 1
    input: Any = None
    target: Any = None
    metadata: dict[str, Any] | None = None
    scores: dict[str, Score] | None = None
    error: Any = None
    limit: Any = None

    @property
    def values(self) -> dict[str, Any]:
        """Value of each scorer."""
        return {name: score.value for name, score in (self.scores or {}).items()}

    @property
    def failure(self) -> str | None:
        """Why the sample failed, in one line; None where it did not."""
        if not self.error:
            return None
        message = dotted(self.error, "message") or self.error
        lines = str(message).strip().splitlines()
        return lines[0][:_LONGEST_FAILURE] if lines else "error"

    @property
    def text(self) -> str:
        """Input as people read it."""
        return "\n".join(text for _, text in self._texts() if text is not None)

    @property
    def hash(self) -> str | None:
        """Stands for input and target; None where the log has them shortened."""
        targets = self.target if isinstance(self.target, list) else [self.target]
        texts = [*self._texts(), *(("target", target) for target in targets)]
        if any(isinstance(t, str | None) and _is_partial(t) for _, t in texts):
            return None
        return digest(texts)

    def _texts(self) -> list[tuple[str | None, str | None]]:
        """Return role and text of each message, without the ids: those are random."""
        if not isinstance(self.input, list):
            return [(None, self.input if isinstance(self.input, str) else None)]
        return [
            (str(dotted(message, "role")), text)
            for message in self.input
            for text in _content_texts(dotted(message, "content"))
        ]


def _content_texts(content: Any) -> list[str | None]:
    """Return the texts of a message; None for an image or the like."""
    parts = content if isinstance(content, list) else [content]
    texts = [part if isinstance(part, str) else dotted(part, "text") for part in parts]
    return [text if isinstance(text, str) else None for text in texts]


def _is_partial(text: str | None) -> bool:
    if text is None or text.endswith(_SHORTENED):
        return True
    if text.endswith("...") and len(text) in _OLD_LENGTHS:
        return True
    return _NO_TEXT.fullmatch(text) is not None


@dataclass(frozen=True)
class Content:
    """What a log holds: facts of the run, and its samples."""

    header: dict[str, Any]
    samples: list[Sample]


class _Document(msgspec.Struct):
    eval: dict[str, Any]
    status: Any = None
    plan: Any = None
    results: Any = None
    invalidated: Any = None
    samples: list[Sample] | None = None


def is_archive(file: File) -> bool:
    """Return whether a file starts as a zip archive does."""
    return file.start.startswith(archive.START)


def read_content(file: File) -> Content:
    """Read header and samples; of an archive, only the summaries of samples."""
    if is_archive(file):
        with open_archive(file) as opened:
            return Content(_header(opened), _last(_summaries(opened)))
    document = read_document(file, _Document)
    header = {
        "eval": document.eval,
        "status": document.status,
        "plan": document.plan,
        "results": document.results,
        "invalidated": document.invalidated,
    }
    return Content(header, document.samples or [])


def _header(opened: Archive) -> dict[str, Any]:
    member = next((name for name in (HEADER, START) if name in opened.names), None)
    if member is None:
        message = f"{opened.name} must have {HEADER} or {START}; it has neither."
        raise InputError(message)
    decoder = msgspec.json.Decoder(dict[str, Any])
    header = decode(opened.read(member), decoder, opened.at(member))
    if not isinstance(header.get("eval"), dict):
        message = f"{opened.at(member)}: eval must be an object; it is not, or missing."
        raise InputError(message)
    return header


def _summaries(opened: Archive) -> list[Sample]:
    """Return the summaries; while a log is being written, they are in its journal."""
    members = [SUMMARIES]
    if SUMMARIES not in opened.names:
        # Ascending, so the last summary of a sample that ran again is the valid one.
        matches = filter(None, map(_JOURNAL.fullmatch, set(opened.names)))
        members = [m[0] for m in sorted(matches, key=lambda m: (int(m[1]), m[0]))]
    decoder, samples = msgspec.json.Decoder(list[Sample]), list[Sample]()
    for member in members:
        several = decode(opened.read(member), decoder, opened.at(member))
        samples.extend(several)
    return samples


def _last(samples: Iterable[Sample]) -> list[Sample]:
    """Keep the last of several samples with the same id and epoch, as Inspect does."""
    return list({(type(s.id), s.id, s.epoch): s for s in samples}.values())
