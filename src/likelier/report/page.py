"""A report: one page that needs nothing from outside."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from likelier.errors import plain
from likelier.report.files import write_whole
from likelier.report.sections import Page, page_of
from likelier.report.summary import Result

_FRAME_HEIGHT = 640
_LONGEST = 300


@dataclass(frozen=True)
class Report:
    """A report as one page of HTML.

    Attributes
    ----------
    html
        The page; text from data is escaped.

    Examples
    --------
    >>> import likelier as lk
    >>> result = lk.compare("aabb", "abab", "aabb", metric="accuracy", seed=0)
    >>> print(result.report().html[:15])
    <!doctype html>
    """

    html: str

    def __repr__(self) -> str:
        return f"<Report of {len(self.html):,} characters; save(path) writes it>"

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the page to a file, whole or not at all."""
        place = Path(path)
        write_whole(place, self.html.encode(errors="backslashreplace"))
        return place

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame of its own."""
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{_FRAME_HEIGHT}" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def report(results: Sequence[Result]) -> Report:
    """Make the report of results of one kind."""
    return Report(_rendered(page_of(results)))


def _rendered(page: Page) -> str:
    style, script = _part("report.css"), _part("report.js")
    return (
        _environment()
        .get_template("report.html")
        .render(
            page=page,
            style=Markup(style),
            script=Markup(script),
            policy=_policy(style=style, script=script),
        )
    )


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("likelier.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "place": _place,
        "plain": plain,
        "marked": _marked,
        "short": _short,
    }
    return made


def _place(share: float) -> str:
    """Write a place in per cent of the width, for an attribute of SVG."""
    return f"{share:g}%"


def _short(text: str) -> str:
    """Show a label or an id, but not a whole document."""
    shown = plain(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"


def _marked(text: str) -> Markup:
    """Show what stands between backticks as code."""
    parts = [escape(part) for part in text.split("`")]
    parts[1::2] = [f"<code>{part}</code>" for part in parts[1::2]]
    return Markup("".join(parts))


@cache
def _part(name: str) -> str:
    return (files("likelier.report") / "templates" / name).read_text(encoding="utf-8")


def _policy(**parts: str) -> str:
    """Allow just these scripts and styles, pictures inside the page, nothing else."""
    allowed: dict[str, Any] = {name: _digest(text) for name, text in parts.items()}
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {allowed['style']}; script-src {allowed['script']}"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
