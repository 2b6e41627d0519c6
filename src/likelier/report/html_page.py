"""Page of a result: one file of HTML that needs nothing from outside."""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from likelier import formatting
from likelier.citations import as_bibtex, as_paragraph
from likelier.explanations import EXPLAINED
from likelier.findings import joined
from likelier.origin import Origin
from likelier.report import drawing
from likelier.report.document import write_whole
from likelier.report.page_svg import page_svg
from likelier.results import parts
from likelier.results.stability import stays

if TYPE_CHECKING:
    from likelier.report.gate import GateResult
    from likelier.results.result import Result

# Template of each kind of part.
TEMPLATES: dict[type[parts.Part], str] = {
    parts.Summary: "summary",
    parts.Density: "density",
    parts.Table: "table",
    parts.Forest: "forest",
    parts.Leaderboard: "leaderboard",
    parts.HeatMap: "heat_map",
    parts.Matrices: "matrices",
    parts.Items: "items",
    parts.Picture: "picture",
    parts.Source: "source",
    parts.Method: "method",
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


def render(
    result: "Result",
    *,
    gate: "GateResult | None" = None,
    origin: "Origin | None" = None,
) -> Report:
    """Make the page of a result, part by part."""
    style, script = _text("report.css"), _text("report.js")
    outside = {"gate": gate, "origin": origin or Origin()}
    sections = [*_sections(result.parts(), outside)]
    html = _rendered(
        "report",
        title=result.title(),
        links=[(section.id, section.name) for section in sections if section.name],
        body=Markup("".join(section.html for section in sections)),
        style=Markup(style),
        script=Markup(script),
        policy=_policy(style, script),
    )
    return Report(html)


class _Section(NamedTuple):
    """Section of the page: its anchor, its name among the links, its HTML."""

    id: str
    name: str
    html: str


# Names of parts among the links at the top.
_LINKS = {
    "density": "Difference",
    "leaderboard": "Leaderboard",
    "heat_map": "Who beats whom",
    "matrices": "Right and wrong",
    "items": "Items",
    "source": "Provenance",
    "method": "Method",
}


def _sections(
    of_result: Iterable[parts.Part], outside: Mapping[str, object]
) -> Iterator[_Section]:
    """Render parts, each with an anchor of its own."""
    counts = Counter[str]()
    for part in of_result:
        name = TEMPLATES[type(part)]
        counts[name] += 1
        anchor = name if counts[name] == 1 else f"{name}-{counts[name]}"
        own = part.title if isinstance(part, parts.Forest) else _LINKS.get(name, "")
        html = _rendered(name, part=part, id=anchor, **outside)
        yield _Section(anchor, own, html)


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
        "digits": "{:.2g}".format,
        "plain": formatting.plain,
        "p_value": formatting.p_value,
        "marked": _marked,
        "short": _short,
        "cut": lambda text: _short(text, 24),
        "count": "{:,.6g}".format,
        "signed": lambda number: f"{number:+,.6g}" if number else "0",
        "css": lambda name: name.replace(" ", "-"),
        "json": lambda document: htmlsafe_json_dumps(document, allow_nan=False),
    }
    environment.globals |= {
        "curve": drawing.Curve.of,
        "strips": drawing.strips,
        "ruler_scale": drawing.ruler_scale,
        "forest_scale": drawing.forest_scale,
        "board_scale": drawing.board_scale,
        "heat": drawing.heat,
        "whole_per_cent": drawing.whole_per_cent,
        "stays": stays,
        "counted": formatting.counted,
        "picture": _picture,
        "paragraph": as_paragraph,
        "bibtex": as_bibtex,
        "joined": joined,
        "explained": EXPLAINED,
    }
    environment.tests["strong"] = lambda piece: isinstance(piece, parts.Strong)
    return environment


def _picture(part: parts.Picture, key: str) -> Markup:
    """Draw a plot as SVG in the page's own colours."""
    from likelier import plots

    svg = plots.picture(part.result, part.kind, form="svg")
    return Markup(page_svg(svg, key))


def _short(text: str, longest: int = _LONGEST) -> str:
    """Show a label or an id, but not a whole document."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def _marked(text: str) -> Markup:
    """Mark text between backticks as code."""
    pieces = [escape(piece) for piece in text.split("`")]
    pieces[1::2] = [f"<code>{piece}</code>" for piece in pieces[1::2]]
    return Markup("".join(pieces))


@cache
def _text(name: str) -> str:
    return (files("likelier.report") / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Allow just this style and script, nothing else."""
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {_digest(style)}; script-src {_digest(script)}"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
