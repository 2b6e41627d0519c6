"""Write formulas as MathML, which browsers draw themselves.

Nothing is loaded from elsewhere, and no TeX is needed: docutils reads the formulas.
"""

import re
from pathlib import Path
from typing import Any

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

_LOG = logging.getLogger(__name__)
_CLOSING = (")", "]", r"\}", r"\rangle", r"\rvert")


def setup(sphinx: Any) -> dict[str, bool]:
    """Offer the renderer under the name ``mathml``, with its style."""
    sphinx.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    sphinx.config.html_static_path.append(str(Path(__file__).parent / "static"))
    sphinx.add_css_file("mathml.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mathml(formula: str, *, block: bool) -> str:
    """Turn a formula into MathML; a few commands get names that docutils knows."""
    known = re.sub(r"\\dots(?![a-z])", r"\\ldots", formula.strip())
    known = re.sub(r"\\([bB]igg?)(?![a-zA-Z])\s*(\\?[^\s\\]|\\[a-z]+)", _sized, known)
    return re.sub(r"\s*\n\s*", "", tex2mathml(known, as_block=block))


def _sized(match: re.Match[str]) -> str:
    side = "r" if match[2] in _CLOSING else "l"
    return rf"\{match[1]}{side}{match[2]}"


def _inline(translator: Any, node: Any) -> None:
    _put(translator, node, block=False)
    raise SkipNode


def _block(translator: Any, node: Any) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="math-block"))
    _put(translator, node, block=True)
    translator.body.append("</div>\n")
    raise SkipNode


def _put(translator: Any, node: Any, *, block: bool) -> None:
    try:
        translator.body.append(mathml(node.astext(), block=block))
    except MathError as error:
        _LOG.warning("formula %r: %s", node.astext(), error, location=node)
