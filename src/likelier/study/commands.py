"""Systems that are commands: they learn from one file and predict another."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import Formatter
from typing import IO, Any

from likelier.errors import InputError, LikelierError, SettingError, listed
from likelier.study import orphans
from likelier.study.data import SEQUENCES, Task
from likelier.study.digest import digest

PLACES = ("train", "test", "model", "predictions", "seed", "folder", "python")
_LINES_SHOWN, _BYTES_SHOWN = 12, 4000
_TIME_LIMIT = 3600.0


class CommandError(LikelierError):
    """A command failed, hung, or wrote what cannot be used."""


@dataclass(frozen=True)
class Command:
    """A system that is trained and run by commands.

    Attributes
    ----------
    predict
        The words of the command that predicts. ``{test}`` and ``{predictions}`` stand
        for the file to read and the file to write, ``{model}`` for what was learned,
        ``{train}`` for the training items, ``{seed}`` for the seed of the fold,
        ``{folder}`` for the study's folder and ``{python}`` for this Python.
    train
        The words of the command that learns, if it is another.
    time_limit
        How many seconds each of them may take.
    files
        Further files that make the system what it is; files named in the commands are
        counted anyway.
    environment
        Variables to set.
    folder
        The study's folder, where the commands are run.
    scheme
        The scheme in which it learns and predicts chunks, where not that of the data.
    packages
        Installed packages whose versions are noted.
    contents
        Fingerprints of the files, where they were noted.
    """

    predict: Sequence[str]
    train: Sequence[str] = ()
    time_limit: float = _TIME_LIMIT
    files: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    scheme: str | None = None
    packages: tuple[str, ...] = ()
    contents: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        for name in ("predict", "train"):
            _check_words(name, getattr(self, name))
        told = " ".join([*self.train, *self.predict])
        for place in ("train", "test", "predictions"):
            if f"{{{place}}}" not in told:
                message = f"The commands must say where {{{place}}} goes; got {told!r}."
                raise SettingError(message)
        if not 0 < self.time_limit < float("inf"):
            message = f"time_limit must be seconds above 0; got {self.time_limit!r}."
            raise SettingError(message)

    def digest(self) -> str:
        """Give the fingerprint of the words and of the files that they name."""
        return digest(
            list(self.train),
            list(self.predict),
            dict(self.environment),
            self.scheme,
            self._contents() if self.contents is None else self.contents,
        )

    def pinned(self) -> "Command":
        """Note what its files are now; `made` refuses any other."""
        return replace(self, contents=self._contents())

    def _contents(self) -> dict[str, str]:
        words = [*self.train, *self.predict, *self.files]
        return dict(_file_digests(words, self._home()))

    def made(self, seed: int, task: Task) -> "RunningCommand":
        """Make a new predictor."""
        if self.contents is not None and self.contents != self._contents():
            changed = sorted(set(self.contents.items()) ^ set(self._contents().items()))
            message = f"{changed[0][0]} must not change during a run; it did."
            raise CommandError(message, hint="Run again: results are made anew.")
        return RunningCommand(self, seed, task)

    def _home(self) -> Path:
        return (self.folder or Path()).resolve()

    def filled(self, words: Sequence[str], places: Mapping[str, str]) -> list[str]:
        """Put paths and numbers into the words of a command."""
        known = {"folder": str(self._home()), "python": sys.executable} | dict(places)
        return [word.format_map(known) for word in words]


def _check_words(name: str, words: Any) -> None:
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        message = f"{name} must be a list of words; got {words!r}."
        raise SettingError(message, hint='["./tagger", "{model}", "{test}"]')
    if name == "predict" and not words:
        message = "predict must have at least one word."
        raise SettingError(message)
    for word in words:
        try:
            used = {part for _, part, *_ in Formatter().parse(word) if part is not None}
        except ValueError as error:
            message = f"{name} must have whole {{places}}; got {word!r} ({error})."
            raise SettingError(message, hint="Write {{ and }} for braces.") from error
        unknown = sorted(used - set(PLACES))
        if unknown:
            message = (
                f"{name} must use the places {', '.join(PLACES)}; "
                f"got {listed(unknown)} in {word!r}."
            )
            raise SettingError(message, hint="Write {{ and }} for braces.")


def _file_digests(words: Sequence[str], home: Path) -> Iterator[tuple[str, str]]:
    for word in words:
        if any(f"{{{place}}}" in word for place in PLACES if place != "folder"):
            continue
        path = home / word.replace("{folder}", str(home))
        if path.is_file():
            yield word, hashlib.sha256(path.read_bytes()).hexdigest()


@dataclass
class RunningCommand:
    """The commands of one fold, with a folder of their own while they run."""

    command: Command
    seed: int
    task: Task
    _inputs: Any = None
    _gold: Any = None

    def fit(self, inputs: Any, gold: Any) -> None:
        """Keep the training items; both commands run in `predict`, in one folder."""
        self._inputs, self._gold = inputs, gold

    def predict(self, inputs: Any) -> list[Any]:
        """Write the files, run the commands, and read the predictions."""
        way = self.command
        with tempfile.TemporaryDirectory(prefix="likelier-") as made:
            folder = Path(made)
            suffix = ".tsv" if self.task in SEQUENCES else ".jsonl"
            places = {
                "train": str(folder / f"train{suffix}"),
                "test": str(folder / f"test{suffix}"),
                "predictions": str(folder / f"predictions{suffix}"),
                "model": str(folder / "model"),
                "seed": str(self.seed),
            }
            _write(Path(places["train"]), self.task, self._inputs, self._gold)
            _write(Path(places["test"]), self.task, inputs, None)
            for name, words in (("train", way.train), ("predict", way.predict)):
                if words:
                    _run(name, way.filled(words, places), way, folder)
            return _read(Path(places["predictions"]), self.task, inputs)


def _run(name: str, words: list[str], way: Command, folder: Path) -> None:
    home = way._home()
    # A path with a slash is looked for where the command runs, not where we are.
    program = str(home / words[0]) if os.sep in words[0] else words[0]
    if shutil.which(program) is None:
        message = f"{name} must be a command that exists; got {words[0]!r}."
        raise CommandError(message)
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=home,
            env=os.environ | dict(way.environment),
            process_group=0 if os.name == "posix" else None,
        )
        orphans.commands.add(process.pid)
        try:
            code = process.wait(timeout=way.time_limit)
        except subprocess.TimeoutExpired:
            message = (
                f"{name} must end within {way.time_limit:g} seconds; it was stopped."
                f"{_end_of(log)}"
            )
            raise CommandError(message) from None
        finally:
            _stop(process)
            orphans.commands.discard(process.pid)
    if code != 0:
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        message = f"{name} must end with exit code 0; got {how}.{_end_of(log)}"
        raise CommandError(message)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End a command and whatever it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _end_of(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - _BYTES_SHOWN))
        text = file.read().decode(errors="replace").rstrip()
    lines = text.splitlines()[-_LINES_SHOWN:]
    return f" Its last words: {' | '.join(lines)}" if lines else " It said nothing."


def _write(path: Path, task: Task, inputs: Any, gold: Any) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        if task in SEQUENCES:
            _write_tokens(file, inputs, gold)
        else:
            _write_lines(file, inputs, gold)


def _write_tokens(file: IO[str], inputs: Any, gold: Any) -> None:
    for place, tokens in enumerate(inputs):
        tags = None if gold is None else gold[place]
        for i, token in enumerate(tokens):
            if not str(token) or any(c in str(token) for c in "\t\n\r"):
                message = (
                    f"Tokens must fit into a line of a file; token {i} of item {place} "
                    f"is {token!r}."
                )
                raise InputError(message)
            file.write(f"{token}\n" if tags is None else f"{token}\t{tags[i]}\n")
        file.write("\n")


def _write_lines(file: IO[str], inputs: Any, gold: Any) -> None:
    listed_inputs = _plain(inputs)
    if getattr(gold, "ndim", 1) != 1:
        message = "A command must get its gold labels as lists; got a matrix."
        raise InputError(message)
    labels = None if gold is None else _plain(gold)
    for place, item in enumerate(listed_inputs):
        row = {"id": str(place), "input": item}
        if labels is not None:
            row["label"] = labels[place]
        file.write(f"{json.dumps(row, ensure_ascii=False)}\n")


def _plain(column: Any) -> list[Any]:
    if hasattr(column, "toarray"):
        column = column.toarray()
    if hasattr(column, "to_numpy"):
        column = column.to_numpy()
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    return [sorted(v) if isinstance(v, set | frozenset) else v for v in values]


def _read(path: Path, task: Task, inputs: Any) -> list[Any]:
    if not path.is_file():
        message = "predict must write {predictions}; there is no such file."
        raise CommandError(message)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"Predictions must be UTF-8; {error}."
        raise CommandError(message) from error
    lines = text.replace("\r\n", "\n").split("\n")
    if task in SEQUENCES:
        return _read_tokens(lines, inputs)
    return _read_lines([line for line in lines if line], len(_plain(inputs)))


def _read_tokens(lines: list[str], inputs: Any) -> list[list[str]]:
    """Read the tags, and check that their tokens are those of the test items."""
    rows = ((i, line) for i, line in enumerate(lines, start=1) if line)
    predictions = []
    for place, tokens in enumerate(inputs):
        tags = []
        for token in tokens:
            number, line = next(rows, (0, ""))
            if not number:
                message = (
                    f"Predictions must have every token; they end before {token!r} "
                    f"of sentence {place + 1} of {len(inputs)}."
                )
                raise CommandError(message)
            tags.append(_tag(line, str(token), number))
        predictions.append(tags)
    rest = next(rows, None)
    if rest is not None:
        message = (
            f"Predictions must end with the last token of the test items; line "
            f"{rest[0]} has {rest[1]!r}."
        )
        raise CommandError(message)
    return predictions


def _tag(line: str, token: str, number: int) -> str:
    said, tab, tag = line.rpartition("\t")
    if not tab or not tag:
        message = f"Line {number} must be a token, a tab and its tag; got {line!r}."
        raise CommandError(message)
    if said.partition("\t")[0] != token:
        message = (
            f"Predictions must be in the order of the test items: line {number} must "
            f"have {token!r}; got {said!r}."
        )
        raise CommandError(message)
    return tag


def _read_lines(lines: list[str], n: int) -> list[Any]:
    if len(lines) != n:
        message = f"Predictions must have one line per item: {n}; got {len(lines)}."
        raise CommandError(message)
    predictions = []
    for place, line in enumerate(lines):
        try:
            row = json.loads(line)
        except ValueError as error:
            message = f"Line {place + 1} of the predictions must be JSON; {error}."
            raise CommandError(message) from error
        if not isinstance(row, dict) or not {"id", "label"} <= set(row):
            message = f"Line {place + 1} must have an id and a label; got {line!r}."
            raise CommandError(message)
        if str(row["id"]) != str(place):
            message = (
                f"Predictions must be in the order of the test items: line {place + 1} "
                f"must have the id {str(place)!r}; got {str(row['id'])!r}."
            )
            raise CommandError(message)
        predictions.append(row["label"])
    return predictions
