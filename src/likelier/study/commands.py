"""Systems that are commands: they learn from one file and predict another."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from likelier.errors import SettingError
from likelier.study.command_files import CommandError, read_predictions, write_items
from likelier.study.command_folders import CommandFolder
from likelier.study.command_output import CommandOutput
from likelier.study.fingerprints import check_unchanged, digest, file_digests
from likelier.study.lifetime import VARIABLE, end_started, running_commands
from likelier.study.own_modules import sources
from likelier.study.study_data import SEQUENCES
from likelier.study.systems import check_scheme

if TYPE_CHECKING:
    from likelier.study.study_data import Task

FIELDS = ("train", "test", "model", "predictions", "seed", "folder", "python")
_BRACES = "Write {{ and }} for braces."
_TIME_LIMIT = 3600.0


@dataclass(frozen=True)
class CommandSystem:
    """System that is trained and run by commands.

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
        used = _fields("predict", self.predict) | _fields("train", self.train)
        if not self.predict:
            message = "predict must have at least one word."
            raise SettingError(message)
        for name in ("test", "predictions"):
            if name not in used:
                message = f"The commands must say where {{{name}}} goes; they do not."
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
        self._file_digests()

    @property
    def home(self) -> Path:
        """Folder that commands run in."""
        return (self.folder or Path()).resolve()

    def digest(self) -> str:
        """Return the fingerprint of the words and of the files that they name."""
        return digest(
            list(self.train),
            list(self.predict),
            dict(self.environment),
            self.scheme,
            self._file_digests() if self.contents is None else self.contents,
        )

    def pinned(self) -> "CommandSystem":
        """Note what its files are now; `make` refuses any other."""
        return replace(self, contents=self._file_digests())

    def make(self, seed: int, task: "Task") -> "CommandPredictor":
        """Make a new predictor."""
        check_unchanged(self.contents, self._file_digests())
        return CommandPredictor(self, seed, task)

    def _file_digests(self) -> dict[str, str]:
        """Fingerprint the files that the words name, and what Python code imports."""
        home = self.home
        words = [w.replace("{folder}", str(home)) for w in (*self.train, *self.predict)]
        parts = [part for word in words for part in (word, word.partition("=")[2])]
        files = [name.replace("{folder}", str(home)) for name in self.files]
        named = file_digests(home, filter(None, parts), must=files)
        # Where the study lies makes no other system of it.
        digests = {n.replace(str(home), "{folder}"): d for n, d in named.items()}
        for before, word in pairwise(["", *words]):
            module, folder = _python_module(before, home / word)
            if module:
                digests |= sources(module, folder or home).digests()
        return digests


def _check_texts(name: str, words: Any) -> None:
    try:
        valid = not isinstance(words, str) and all(
            isinstance(word, str) and "\0" not in word for word in words
        )
    except TypeError:
        valid = False
    if not valid:
        message = f"{name} must be a list of texts; got {words!r}."
        example = '["./tagger", "{model}", "{test}"]'
        hint = example if name in ("train", "predict") else None
        raise SettingError(message, hint=hint)


def _fields(name: str, words: Any) -> set[str]:
    """Return the fields such as ``{test}`` in the words of a command."""
    _check_texts(name, words)
    used: set[str] = set()
    for word in words:
        try:
            parts = list(Formatter().parse(word))
        except ValueError as error:
            message = f"{name} must have whole {{fields}}; got {word!r} ({error})."
            raise SettingError(message, hint=_BRACES) from error
        for _, text, form, conversion in parts:
            if text is None:
                continue
            if text not in FIELDS or form or conversion:
                message = (
                    f"{name} must use the fields {', '.join(FIELDS)} as they are; "
                    f"got {word!r}."
                )
                raise SettingError(message, hint=_BRACES)
            used.add(text)
    return used


def _python_module(before: str, path: Path) -> tuple[str, Path | None]:
    """Return the module that a word of a command names: a script, or after -m."""
    if before == "-m" and path.name.replace(".", "").isidentifier():
        return path.name, None
    is_script = path.suffix == ".py" and path.stem.isidentifier() and path.is_file()
    return (path.stem, path.parent) if is_script else ("", None)


@dataclass
class CommandPredictor:
    """Commands of one fold, in a folder of their own."""

    system: CommandSystem
    seed: int
    task: "Task"
    folder: CommandFolder | None = None

    def fit(self, inputs: Any, gold: Any) -> None:
        """Write the training items, and run the command that learns from them."""
        self.folder = CommandFolder()
        try:
            write_items(Path(self._values()["train"]), self.task, inputs, gold)
            if not self._learns_late():
                self._run("train", self.system.train)
        except BaseException:
            self.folder.cleanup()
            raise

    def predict(self, inputs: Any) -> list[Any]:
        """Write the test items, run the command, and read the predictions."""
        if self.folder is None:
            message = "A command must learn before it predicts."
            raise SettingError(message)
        with self.folder:
            values = self._values()
            write_items(Path(values["test"]), self.task, inputs, None)
            if self._learns_late():
                self._run("train", self.system.train)
            self._run("predict", self.system.predict)
            return read_predictions(Path(values["predictions"]), self.task, inputs)

    def _learns_late(self) -> bool:
        """Check whether the first command needs the test items as well."""
        return bool({"test", "predictions"} & _fields("train", self.system.train))

    def _values(self) -> dict[str, str]:
        """Return the values of the fields in commands."""
        assert self.folder is not None
        folder = Path(self.folder.name)
        suffix = ".tsv" if self.task in SEQUENCES else ".jsonl"
        files = ("train", "test", "predictions")
        return {name: str(folder / f"{name}{suffix}") for name in files} | {
            "model": str(folder / "model"),
            "seed": str(self.seed),
            "folder": str(self.system.home),
            "python": sys.executable,
        }

    def _run(self, name: str, words: Sequence[str]) -> None:
        if not words:
            return
        assert self.folder is not None
        home, values = self.system.home, self._values()
        first, *rest = [word.format_map(values) for word in words]
        # A path with a slash is looked for where the command runs, not where we are.
        program = str(home / first) if os.sep in first else first
        if shutil.which(program) is None:
            exists = Path(program).is_file()
            need = "can be executed (chmod +x)" if exists else "exists"
            message = f"{name} must be a command that {need}; got {first!r}."
            raise CommandError(message)
        code, output = self._run_until(name, [program, *rest])
        if code != 0:
            end = _signal_name(-code) if code < 0 else f"exit code {code}"
            message = f"{name} must end with exit code 0; got {end}."
            raise _failure(message, output)

    def _run_until(self, name: str, words: list[str]) -> tuple[int, CommandOutput]:
        """Run a command until it ends or its time is over."""
        assert self.folder is not None
        limit, mark = self.system.time_limit, {VARIABLE: self.folder.name}
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self.system.home,
                env=os.environ | dict(self.system.environment) | mark,
                process_group=0 if os.name == "posix" else None,
            )
        except (OSError, ValueError) as error:
            message = f"{name} must be a command that can be started; {error}."
            raise CommandError(message) from error
        assert process.stdout is not None
        running_commands[process.pid] = self.folder.name
        output, code = CommandOutput(process.stdout), None
        try:
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=limit)
        finally:
            _stop(process, self.folder.name)
            running_commands.pop(process.pid, None)
            output.close()
        if code is None:
            message = f"{name} must end within {limit:g} seconds; it was stopped."
            raise _failure(message, output)
        return code, output


def _stop(process: "subprocess.Popen[bytes]", folder: str) -> None:
    """End a command and whatever it started."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        end_started(folder)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _failure(message: str, output: CommandOutput) -> CommandError:
    """Return an error with the last words of the command, and all that is kept."""
    return CommandError(f"{message} {output.last_words()}", log=output.text())
