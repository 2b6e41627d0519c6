"""Plots drawn for real at several sizes, and what must hold of their text."""

import warnings
from itertools import combinations

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

mpl.use("Agg")

# The width of a page and of a column of a paper, and a slide.
SIZES = {"usual": (6.9, 3.5), "column": (3.35, 2.5), "slide": (12.0, 7.0)}
# The ends: text that fits here fits between.
ENDS = ("column", "slide")
HOSTILE = ("$x_1$", "_a", "W" * 80, "漢字" * 20, "a\nb")


@pytest.fixture(autouse=True)
def _no_figure_is_left_open():
    before = plt.get_fignums()
    yield
    assert plt.get_fignums() == before


def axes(size="usual"):
    return Figure(figsize=SIZES.get(size, size), layout="constrained").subplots()


def crossed(cases, sizes=("usual", "slide", "column")):
    """Pair the last case with all sizes, and all cases with the last size."""
    last = cases[-1]
    *larger, smallest = sizes
    return [(case, smallest) for case in cases] + [(last, size) for size in larger]


def rendered(ax):
    """Lay out for real; letters that the font lacks are boxes."""
    canvas = FigureCanvasAgg(ax.figure)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        ax.figure.draw_without_rendering()
        return {text: _box(text, canvas.get_renderer()) for text in _texts(ax)}


def _box(text, renderer):
    # That of an annotation would take in its arrow.
    return Text.get_window_extent(text, renderer)


def _texts(ax):
    texts = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        texts += [
            tick.label1
            for tick in axis.get_major_ticks()
            if low <= tick.get_loc() <= high
        ]
    if ax.get_legend() is not None:
        texts += ax.get_legend().get_texts()
    return [text for text in texts if text.get_text() and text.get_visible()]


def assert_tidy(ax):
    """No text is cut off, and none lies on another."""
    boxes, whole = rendered(ax), ax.figure.bbox
    for text, box in boxes.items():
        assert -1 <= box.x0 <= box.x1 <= whole.width + 1, text.get_text()
        assert -1 <= box.y0 <= box.y1 <= whole.height + 1, text.get_text()
    for (one, box), (other, beside) in combinations(boxes.items(), 2):
        lapped = box.padded(-0.75).overlaps(beside.padded(-0.75))
        assert not lapped, (one.get_text(), other.get_text())


def assert_literal(text):
    assert text._preprocess_math(text.get_text())[1] is False
