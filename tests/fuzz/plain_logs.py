"""Logs of evaluation tools: values as read against a plain reading of the same JSON."""

import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyarrow import ArrowException
from tests.fuzz.outcome import PlainError, Unclear
from tests.fuzz.plain_tables import Facts, Files, parquet_rows, unpacked
from tests.readers.logs import plain_values

from likelier.errors import LikelierError
from likelier.readers.file import find_file
from likelier.readers.logs.find_logs import log_format

# What a plain reading of unexpected JSON ends in.
_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
_UNREADABLE += (OSError, EOFError, NotImplementedError, ArrowException)
_UNREADABLE += (zipfile.BadZipFile, zlib.error)
_PLAIN: dict[str, Callable[[Any], Any]] = {
    name: getattr(plain_values, name)
    for name in (
        *("lm_eval", "inspect", "promptfoo", "helm", "deepeval", "every_eval_ever"),
        *("lighteval", "openai_evals", "evalplus", "swe_bench"),
    )
}


def checked_log(tool: str) -> Callable[[Files, str], Facts] | None:
    """Return the check of a damaged log, which stands in the working folder."""
    plain = _PLAIN.get(tool)
    if plain is None:
        return None

    def check(files: Files, damaged: str) -> Facts:
        try:
            file = find_file(Path(damaged))
            form = log_format(file)
            logs = [] if form is None else list(form.read(file))
        except LikelierError as error:
            # The answer was about other files of the folder.
            raise Unclear from error
        if not logs:
            raise Unclear
        try:
            values = plain(_decoded(files[damaged]))
        except _UNREADABLE as error:
            raise PlainError(repr(error)) from error
        plain_values.check_values(logs, values)
        return {}

    return check


def _decoded(raw: bytes) -> Any:
    if raw[:4] == b"PAR1":
        return parquet_rows(raw)
    if raw[:2] == b"PK":
        return _archived(raw)
    return plain_values.decoded(unpacked(raw))


def _archived(raw: bytes) -> Any:
    """Return the header and the summaries of an archive as one log."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        names = archive.namelist()
        head = "header.json" if "header.json" in names else "_journal/start.json"
        log = plain_values.decoded(archive.read(head))
        parts = [name for name in names if name.startswith("_journal/summaries/")]
        parts.sort(key=lambda name: int(Path(name).stem))
        parts = ["summaries.json"] if "summaries.json" in names else parts
        samples = [
            s for name in parts for s in plain_values.decoded(archive.read(name))
        ]
    last = {(str(s["id"]), s.get("epoch", 1)): s for s in samples}
    return log | {"samples": [*last.values()]}
