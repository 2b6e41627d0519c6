"""Systems that are commands: they learn from one file and predict another."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any

from likelier.errors import SettingError
from likelier.study import orphans
from likelier.study.command_files import CommandError, read_predictions, write_items
from likelier.study.data import SEQUENCES, Task
from likelier.study.digest import digest
from likelier.study.file_digests import check_contents, file_digests
from likelier.study.sources import sources
from likelier.study.systems import check_scheme

PLACES = ("train", "test", "model", "predictions", "seed", "folder", "python")
_LINES_SHOWN, _LETTERS_SHOWN, _BYTES_KEPT = 3, 400, 100_000
_TIME_LIMIT = 3600.0


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
        check_scheme(self.scheme)
        used = _places("predict", self.predict) | _places("train", self.train)
        if not self.predict:
            message = "predict must have at least one word."
            raise SettingError(message)
        for place in ("test", "predictions"):
            if place not in used:
                message = f"The commands must say where {{{place}}} goes; they do not."
                raise SettingError(message)
        number = isinstance(self.time_limit, int | float)
        if not number or not 0 < self.time_limit < float("inf"):
            message = f"time_limit must be seconds above 0; got {self.time_limit!r}."
            raise SettingError(message)
        _check_texts("files", self.files)
        if not isinstance(self.environment, Mapping):
            message = f"environment must be a table; got {self.environment!r}."
            raise SettingError(message)
        _check_texts("environment", [*self.environment, *self.environment.values()])
        self._contents()

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
        """Fingerprint the files that the words name, and what Python code imports."""
        home = self.home()
        words = [w.replace("{folder}", str(home)) for w in (*self.train, *self.predict)]
        parts = [part for word in words for part in (word, word.partition("=")[2])]
        files = [name.replace("{folder}", str(home)) for name in self.files]
        read = file_digests(home, filter(None, parts), must=files)
        # Where the study lies makes no other system of it.
        found = {n.replace(str(home), "{folder}"): d for n, d in read.items()}
        for before, word in pairwise(["", *words]):
            module, folder = _python_module(before, home / word)
            if module:
                found |= sources(module, folder or home).digests()
        return found

    def made(self, seed: int, task: Task) -> "RunningCommand":
        """Make a new predictor."""
        check_contents(self.contents, self._contents())
        return RunningCommand(self, seed, task)

    def home(self) -> Path:
        """Give the folder that commands run in."""
        return (self.folder or Path()).resolve()

    def filled(self, words: Sequence[str], places: Mapping[str, str]) -> list[str]:
        """Put paths and numbers into the words of a command."""
        known = {"folder": str(self.home()), "python": sys.executable} | dict(places)
        return [word.format_map(known) for word in words]


def _check_texts(name: str, words: Any) -> None:
    listed_words = [] if isinstance(words, str) else words
    try:
        good = not isinstance(words, str) and all(
            isinstance(word, str) and "\0" not in word for word in listed_words
        )
    except TypeError:
        good = False
    if not good:
        message = f"{name} must be a list of texts; got {words!r}."
        hint = (
            '["./tagger", "{model}", "{test}"]'
            if name in ("train", "predict")
            else None
        )
        raise SettingError(message, hint=hint)


def _places(name: str, words: Any) -> set[str]:
    """Give the places that the words of a command name."""
    _check_texts(name, words)
    used: set[str] = set()
    for word in words:
        try:
            parts = list(Formatter().parse(word))
        except ValueError as error:
            message = f"{name} must have whole {{places}}; got {word!r} ({error})."
            raise SettingError(message, hint="Write {{ and }} for braces.") from error
        for _, place, form, conversion in parts:
            if place is None:
                continue
            if place not in PLACES or form or conversion:
                message = (
                    f"{name} must use the places {', '.join(PLACES)} as they are; "
                    f"got {word!r}."
                )
                raise SettingError(message, hint="Write {{ and }} for braces.")
            used.add(place)
    return used


def _python_module(before: str, path: Path) -> tuple[str, Path | None]:
    """Tell the module that a word of a command names: a script, or after -m."""
    if before == "-m" and path.name.replace(".", "").isidentifier():
        return path.name, None
    is_script = path.suffix == ".py" and path.stem.isidentifier() and path.is_file()
    return (path.stem, path.parent) if is_script else ("", None)


@dataclass
class RunningCommand:
    """The commands of one fold, in a folder of their own."""

    command: Command
    seed: int
    task: Task
    folder: "tempfile.TemporaryDirectory[str] | None" = None

    def fit(self, inputs: Any, gold: Any) -> None:
        """Write the training items, and run the command that learns from them."""
        self.folder = tempfile.TemporaryDirectory(prefix="likelier-")
        try:
            write_items(Path(self._places()["train"]), self.task, inputs, gold)
            if not self._learns_late():
                self._run("train", self.command.train)
        except BaseException:
            self.folder.cleanup()
            raise

    def predict(self, inputs: Any) -> list[Any]:
        """Write the test items, run the command, and read the predictions."""
        if self.folder is None:
            message = "A command must learn before it predicts."
            raise SettingError(message)
        with self.folder:
            places = self._places()
            write_items(Path(places["test"]), self.task, inputs, None)
            if self._learns_late():
                self._run("train", self.command.train)
            self._run("predict", self.command.predict)
            return read_predictions(Path(places["predictions"]), self.task, inputs)

    def _learns_late(self) -> bool:
        """Tell whether the first command wants the test items as well."""
        late = {"test", "predictions"}
        return bool(late & _places("train", self.command.train))

    def _places(self) -> dict[str, str]:
        assert self.folder is not None
        folder = Path(self.folder.name)
        suffix = ".tsv" if self.task in SEQUENCES else ".jsonl"
        files = {n: f"{n}{suffix}" for n in ("train", "test", "predictions")}
        paths = {name: str(folder / file) for name, file in files.items()}
        return paths | {"model": str(folder / "model"), "seed": str(self.seed)}

    def _run(self, name: str, words: Sequence[str]) -> None:
        if words:
            assert self.folder is not None
            filled = self.command.filled(words, self._places())
            _run(name, filled, self.command, Path(self.folder.name))


def _run(name: str, words: list[str], way: Command, folder: Path) -> None:
    home = way.home()
    # A path with a slash is looked for where the command runs, not where we are.
    program = str(home / words[0]) if os.sep in words[0] else words[0]
    if shutil.which(program) is None:
        there = Path(program).is_file()
        wanted = "can be executed (chmod +x)" if there else "exists"
        message = f"{name} must be a command that {wanted}; got {words[0]!r}."
        raise CommandError(message)
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                [program, *words[1:]],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=home,
                env=os.environ | dict(way.environment),
                process_group=0 if os.name == "posix" else None,
            )
        except (OSError, ValueError) as error:
            message = f"{name} must be a command that can be started; {error}."
            raise CommandError(message) from error
        orphans.commands.add(process.pid)
        try:
            code = process.wait(timeout=way.time_limit)
        except subprocess.TimeoutExpired:
            message = (
                f"{name} must end within {way.time_limit:g} seconds; it was stopped."
            )
            raise _failed(message, log) from None
        finally:
            _stop(process)
            orphans.commands.discard(process.pid)
    if code != 0:
        how = _signal_name(-code) if code < 0 else f"exit code {code}"
        message = f"{name} must end with exit code 0; got {how}."
        raise _failed(message, log)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End a command and whatever it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _failed(message: str, log: Path) -> CommandError:
    """Tell a failure with the last words of the command, and keep all it said."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - _BYTES_KEPT))
        text = file.read().decode(errors="replace").rstrip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = " | ".join(lines[-_LINES_SHOWN:])[-_LETTERS_SHOWN:]
    said = f"Its last words: {last}" if lines else "It said nothing."
    return CommandError(f"{message} {said}", log=text)
