"""Commands called within this process, many in a second."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple
from unittest import mock

import typer
from tests.databases import shared_database

from likelier.cli import app as _app  # noqa: F401 (loads the module)
from likelier.readers import engine

_APP = sys.modules["likelier.cli.app"]
_GROUP = typer.main.get_command(_APP.app)


class Call(NamedTuple):
    """What a command printed, its exit code, and the error that came out of it."""

    code: int
    stdout: str
    stderr: str
    error: BaseException | None = None

    @property
    def text(self) -> str:
        """All that it printed."""
        return self.stdout + self.stderr

    @property
    def document(self) -> Any:
        """The JSON that it printed; None where it printed none."""
        try:
            return json.loads(self.stdout)
        except ValueError:
            return None


def commands() -> dict[str, Any]:
    """Return the commands by name; of a group there is only the name."""
    return {n: one for n, one in _GROUP.commands.items() if n != "study"}


def call(words: tuple[str, ...], *, parse: bool = False) -> Call:
    """Run a command, by its words, as the console script does.

    Parameters
    ----------
    words
        The words.
    parse
        Whether to parse them anew, which takes as long as most answers.
    """
    raw = {name: io.BytesIO() for name in ("stdout", "stderr")}
    code, error = 0, None
    sys.argv = ["likelier", *words]
    app = _GROUP if parse else partial(_invoke, words)
    with contextlib.ExitStack() as stack:
        for name, buffer in raw.items():
            stream = io.TextIOWrapper(buffer, "utf-8", "backslashreplace")
            stack.enter_context(getattr(contextlib, f"redirect_{name}")(stream))
        stack.enter_context(mock.patch.object(_APP, "app_of", return_value=app))
        try:
            _APP.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException as raised:  # Nothing may come out of a command.
            error = raised
        sys.stdout.flush()
        sys.stderr.flush()
        texts = [buffer.getvalue().decode() for buffer in raw.values()]
    return Call(code, *texts, error)


def _invoke(words: tuple[str, ...]) -> None:
    context = _parsed(words)
    with context.scope(cleanup=False):
        try:
            context.command.invoke(context)
        except typer.Exit as end:
            sys.exit(end.exit_code)


@cache
def _parsed(words: tuple[str, ...]) -> Any:
    """Parse the words of a command; typer takes longer for that than most answers."""
    command, rest = _GROUP, list(words)
    while hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    return command.make_context(words[0], rest)


@contextlib.contextmanager
def one_database() -> Iterator[None]:
    """Let all commands share a database."""
    with (
        shared_database() as database,
        mock.patch.object(engine, "_connect", side_effect=lambda _: database.cursor()),
    ):
        database.execute("SET threads = 1")
        yield
