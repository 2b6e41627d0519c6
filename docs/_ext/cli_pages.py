"""Write the pages of the commands from the commands themselves, at each build.

Nothing in them is written by hand, so they say what the command line says.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import typer.main

_WORDS = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "FILE"}
_FIRST = "Options"


def setup(sphinx: Any) -> dict[str, bool]:
    """Let Sphinx write the pages before it looks for sources."""
    sphinx.connect("builder-inited", _write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write_pages(sphinx: Any) -> None:
    from likelier.cli import app

    folder = Path(sphinx.srcdir, "cli")
    folder.mkdir(exist_ok=True)
    made = pages(app)
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        # An unchanged file keeps its date, so that it is not built again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def pages(app: typer.Typer) -> dict[str, str]:
    """Return the text of every page by the name of its file."""
    found = commands(app)
    types = _types(app)
    made = {_file(n): _page(n, command, types[n]) for n, command in found.items()}
    return {"index.md": _index(found), **made}


def commands(app: typer.Typer) -> dict[str, Any]:
    """Return every command by its name, those of a group as `study run`."""
    return dict(_leaves(typer.main.get_command(app), ()))


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield " ".join(words), command
        return
    for name, inner in command.commands.items():
        yield from _leaves(inner, (*words, name))


def _types(app: typer.Typer, before: str = "") -> dict[str, dict[str, Any]]:
    """Return the types of the parameters of every command."""
    found = {
        before + (info.name or info.callback.__name__): get_type_hints(info.callback)
        for info in app.registered_commands
    }
    for group in app.registered_groups:
        inner = group.typer_instance
        found |= _types(inner, f"{before}{inner.info.name} ")
    return found


def _file(name: str) -> str:
    return f"{name.replace(' ', '-')}.md"


def _index(commands: dict[str, Any]) -> str:
    rows = [
        f"| [`likelier {name}`]({_file(name)}) | {_prose(_help(command)[0][0])} |"
        for name, command in commands.items()
    ]
    return "\n".join(
        [
            "# The command line",
            "",
            "`likelier COMMAND --help` prints what these pages say; "
            "`likelier --version` prints the version.",
            "",
            "| command | what it does |",
            "| --- | --- |",
            *rows,
            "",
            "```{toctree}",
            ":hidden:",
            "",
            *(_file(name).removesuffix(".md") for name in commands),
            "```",
            "",
        ]
    )


def _page(name: str, command: Any, types: dict[str, Any]) -> str:
    texts, examples = _help(command)
    groups: dict[str, list[Any]] = {}
    for parameter in command.params:
        groups.setdefault(_panel(parameter), []).append(parameter)
    first = [panel for panel in ("Arguments", _FIRST) if panel in groups]
    lines = [f"# likelier {name}", "", *_paragraphs(texts)]
    lines += ["```text", _synopsis(name, command, types), "```", ""]
    lines += ["For example:", "", "```sh", *(examples or [f"likelier {name}"]), "```"]
    for panel in dict.fromkeys([*first, *groups]):
        lines += ["", f"## {panel}", ""]
        for parameter in groups[panel]:
            lines += [*_entry(parameter, types[parameter.name]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _help(command: Any) -> tuple[list[str], list[str]]:
    """Return the paragraphs of a command's help, and the calls among them."""
    paragraphs = [" ".join(p.split()) for p in command.help.split("\n\n")]
    examples = [p for p in paragraphs if p.startswith("likelier ")]
    return [p for p in paragraphs if p not in examples], examples


def _paragraphs(texts: list[str]) -> list[str]:
    return [line for text in texts for line in (_prose(text), "")]


def _panel(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    return parameter.rich_help_panel or _FIRST


def _synopsis(name: str, command: Any, types: dict[str, Any]) -> str:
    words = ["likelier", name]
    for parameter in command.params:
        call = _call(parameter, types[parameter.name])
        if parameter.param_type_name == "argument":
            words.append(call if parameter.required else f"[{call}]")
        elif parameter.required:
            words.append(call)
    return " ".join([*words, "[OPTIONS]"])


def _call(parameter: Any, kind: Any) -> str:
    """Write a parameter as in a call: ``--rope NUMBER``, ``FILES...``."""
    if parameter.param_type_name == "argument":
        return parameter.name.upper() + ("..." if parameter.nargs == -1 else "")
    names = " / ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {parameter.metavar or _word(kind)}"


def _word(kind: Any) -> str:
    """Return the word for a value: that of the first type that has one."""
    if kind in _WORDS:
        return _WORDS[kind]
    inner = [k for k in get_args(kind) if k is not NoneType]
    return _word(inner[0]) if inner else "VALUE"


def _entry(parameter: Any, kind: Any) -> list[str]:
    text = _prose(inspect.cleandoc(parameter.help or ""))
    if text and text[-1] not in ".…":
        text += "."
    if parameter.required:
        text += " Required."
    elif parameter.secondary_opts:
        text += f" Default: `{_default_flag(parameter)}`."
    elif parameter.default not in (None, False, ""):
        text += f" Default: `{parameter.default}`."
    return [f"`{_call(parameter, kind)}`", f": {text}"]


def _default_flag(parameter: Any) -> str:
    return (parameter.opts if parameter.default else parameter.secondary_opts)[0]


def _prose(text: str) -> str:
    """Let text stand for itself in Markdown; options and JSON become code."""
    parts = re.split(r"(\{.*\}|--[a-z][a-z0-9-]*)", " ".join(text.split()))
    return "".join(
        f"`{part}`" if number % 2 else re.sub(r"([\\`*_<>\[\]$|#])", r"\\\1", part)
        for number, part in enumerate(parts)
    )
