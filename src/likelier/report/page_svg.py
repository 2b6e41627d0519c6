"""Plots of matplotlib as SVG inside a page, in the page's own colours."""

import re
from xml.etree import ElementTree

from likelier.plots.style import PAGE_COLOURS

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")


def page_svg(svg: bytes, key: str) -> str:
    """Turn a drawing into one that a page with a strict policy can hold.

    Styles become attributes, since the policy of a page allows no others; colours of
    the plots become variables of the page, so that they follow its theme.

    Parameters
    ----------
    svg
        The drawing, as matplotlib writes it.
    key
        Prefix of its ids.
    """
    root = ElementTree.fromstring(svg)
    names = {colour: f"var(--{name})" for colour, name in PAGE_COLOURS.items()}
    parents = {child: parent for parent in root.iter() for child in parent}
    for element in list(root.iter()):
        tag = element.tag.removeprefix(_SVG)
        if tag in ("metadata", "style", "title"):
            parents[element].remove(element)
            continue
        element.tag = tag
        _rewrite(element, key, names)
    return ElementTree.tostring(root, encoding="unicode")


def _rewrite(element: ElementTree.Element, key: str, names: dict[str, str]) -> None:
    """Rewrite styles, colours, ids and what refers to them."""
    link = element.attrib.pop(_LINK, None)
    if link is not None:
        element.set("href", f"#{key}-{link.removeprefix('#')}")
    for part in element.attrib.pop("style", "").split(";"):
        name, _, value = part.partition(":")
        if value:
            element.set(name.strip(), value.strip())
    if "id" in element.attrib:
        element.set("id", f"{key}-{element.attrib['id']}")
    for name, value in element.attrib.items():
        value = _REFERENCE.sub(rf"url(#{key}-\1)", value)
        element.set(name, names.get(value.lower(), value))
