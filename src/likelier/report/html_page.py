"""Page of a result: one file of HTML that needs nothing from outside."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from likelier import formatting
from likelier.citations import as_bibtex, as_paragraph
from likelier.explanations import EXPLAINED
from likelier.report import drawing
from likelier.report.document import write_whole
from likelier.results import parts
from likelier.results.stability import grid, stays
from likelier.results.what_if import embedded

if TYPE_CHECKING:
    from likelier.results.result import Result

# Template of each kind of part.
TEMPLATES: dict[type[parts.Part], str] = {
    parts.Headline: "headline",
    parts.Findings: "findings",
    parts.Probabilities: "probabilities",
    parts.Density: "density",
    parts.Table: "table",
    parts.Forest: "forest",
    parts.Alternatives: "alternatives",
    parts.Evidence: "evidence",
    parts.Items: "items",
    parts.Picture: "picture",
    parts.Method: "method",
    parts.Recipe: "recipe",
}
_FRAME_HEIGHT = 640
_LONGEST = 300


@dataclass(frozen=True)
class Report:
    """Report as one page of HTML.

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
        target = Path(path)
        write_whole(target, self.html.encode(errors="backslashreplace"))
        return target

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame of its own."""
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{_FRAME_HEIGHT}" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def render(result: "Result") -> Report:
    """Make the page of a result, part by part."""
    style, script = _text("report.css"), _text("report.js")
    html = _rendered(
        "report",
        title=result.title(),
        body=Markup("".join(_sections(result.parts()))),
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )
    return Report(html)


def _sections(of_result: Iterable[parts.Part]) -> Iterator[str]:
    """Render parts; those of one kind and heading that follow each other share one."""
    counts = Counter[str]()
    for (kind, _), group in groupby(of_result, key=_heading):
        name = TEMPLATES[kind]
        counts[name] += 1
        number = "" if counts[name] == 1 else f"-{counts[name]}"
        yield _rendered(name, parts=list(group), kind=name, id=f"{name}{number}")


def _heading(part: parts.Part) -> tuple[type[parts.Part], str]:
    return type(part), part.title if isinstance(part, parts.Table) else ""


def _rendered(name: str, **values: object) -> str:
    return _environment().get_template(f"{name}.html").render(**values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("likelier.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "per_cent": lambda share: f"{share:g}%",
        "number": "{:,}".format,
        "plain": formatting.plain,
        "p_value": formatting.p_value,
        "marked": _marked,
        "short": _short,
        "css": lambda name: name.replace(" ", "-"),
        "json": lambda document: htmlsafe_json_dumps(document, allow_nan=False),
    }
    environment.globals |= {
        "curve": drawing.Curve.of,
        "strips": drawing.strips,
        "forest_scale": drawing.forest_scale,
        "written": formatting.number,
        "embedded": embedded,
        "grid_of": grid,
        "stays": stays,
        "live_shares": _live_shares,
        "picture": _picture,
        "paragraph": as_paragraph,
        "bibtex": as_bibtex,
        "explained": EXPLAINED,
    }
    return environment


def _live_shares(entry: dict[str, Any], rope: int, *, roped: bool) -> list[parts.Share]:
    """Return the probabilities that a slider moves, as they stand at a rope."""
    names = ("worse", "equivalent", "better")
    shares = map(parts.Share, names, entry["shares"][rope], entry["shown"][rope])
    return [share for share in shares if roped or share.name != "equivalent"]


def _picture(part: parts.Picture) -> str:
    """Draw a plot as SVG, encoded for an address of data."""
    from likelier import plots

    svg = plots.picture(part.result, part.kind, form="svg")
    return b64encode(svg).decode("ascii")


def _short(text: str) -> str:
    """Show a label or an id, but not a whole document."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _marked(text: str) -> Markup:
    """Mark text between backticks as code."""
    pieces = [escape(piece) for piece in text.split("`")]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return Markup("".join(pieces))


@cache
def _text(name: str) -> str:
    return (files("likelier.report") / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Allow just this style and script, pictures inside the page, nothing else."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_digest(style)}; script-src {_digest(script)}"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
