"""All commands in one app; heavy modules are imported inside, so help is fast."""

import atexit
import gc
import sys
import traceback
from functools import cache
from typing import Annotated, Literal

import typer

from likelier.cli import (
    compare,
    demo,
    doctor,
    folds,
    plan,
    rank,
    split,
    study,
    tags,
    text,
)
from likelier.cli.safe_streams import PrintError, guarded
from likelier.errors import LikelierError

# Boxes and colours take as long to load as all the rest; a pipe needs neither.
_MARKUP: Literal["rich"] | None = (
    "rich" if sys.stdout is not None and sys.stdout.isatty() else None
)

_COMMANDS = (
    *(compare.compare, compare.estimate, folds.folds, rank.rank),
    *(tags.chunks, tags.tags, text.text, plan.plan, split.split, doctor.doctor),
    demo.demo,
)


def likelier(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.")
    ] = False,
) -> None:
    """Find out whether system B is really better than system A.

    The answer says by how much, and how sure that is.
    """
    if version:
        from likelier._version import package_version

        typer.echo(f"likelier {package_version()}")
        raise typer.Exit


@cache
def app_of(name: str | None = None) -> typer.Typer:
    """Make the app with the command of this name alone, which is faster, or all."""
    called = [command for command in _COMMANDS if command.__name__ == name]
    if name is not None and not called:
        return app_of()
    made = typer.Typer(
        name="likelier",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=_MARKUP,
    )
    made.callback(invoke_without_command=True)(likelier)
    for command in called or _COMMANDS:
        made.command()(command)
    if not called:
        made.add_typer(_studies())
    return made


def _studies() -> typer.Typer:
    studies = typer.Typer(
        name="study",
        help="Run systems on the folds of data sets, and report the results.",
        no_args_is_help=True,
        rich_markup_mode=_MARKUP,
    )
    for command in (study.run, study.show, study.rescue):
        studies.command()(command)
    return studies


app = app_of()


def main() -> None:
    """Run the command line; errors of the user come without a traceback."""
    # What is loaded stays: to look for garbage in it takes a tenth of a short command.
    # Nor is there any use in looking through all of it at the end.
    gc.set_threshold(400_000, 20, 100)
    atexit.register(gc.disable)
    code, message = 0, ""
    with guarded():
        try:
            try:
                app_of(*sys.argv[1:2])()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
            except LikelierError as error:
                sys.stderr.write(f"likelier: {error}\n")
                code = 2
            except MemoryError as error:
                text = LikelierError(f"There must be more memory: {error}.")
                sys.stderr.write(f"likelier: {text}\n")
                code = 2
            except OSError as error:
                # What the system refuses is no error of ours: names, links, rights.
                name = "" if error.filename is None else f"{error.filename!r}: "
                text = LikelierError(f"{name}{error.strerror or error}.")
                sys.stderr.write(f"likelier: {text}\n")
                code = 2
            sys.stdout.flush()
        except PrintError as error:
            code, message = error.code, error.message
        except Exception:
            # Not 1: for a gate that would mean that the condition does not hold.
            traceback.print_exc()
            code = 70
        sys.stderr.write(f"likelier: {message}\n" if message else "")
    sys.exit(code)
