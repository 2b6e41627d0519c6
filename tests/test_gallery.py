"""The gallery has every kind of plot, and its script draws what the page shows."""

import re
from itertools import islice

import pytest
from tests.pages import ROOT
from tests.test_docs import extension

from likelier.plots import PLOTS

gallery = extension("gallery")
TEXT = gallery.PAGE.read_text(encoding="utf-8")
STORED = sorted((ROOT / "docs" / "pictures" / "gallery").iterdir())


def test_every_picture_of_the_page_is_stored_and_no_other():
    """Where this fails: python docs/_ext/gallery.py"""
    linked = {ROOT / "docs" / path for path in re.findall(r"\]\((pictures\S+)\)", TEXT)}
    assert linked == set(STORED)
    assert sum(path.stat().st_size for path in STORED) < 1_500_000


def test_every_kind_is_on_the_page():
    # The usual kind of a result needs no name.
    usual = {"posterior", "estimate", "forest", "sensitivity", "chances"}
    named = set(re.findall(r'\.plot\("([\w-]+)"', TEXT))
    assert named | usual == set(PLOTS) - {"simplex of pairs", "study"}


@pytest.mark.parametrize("width", ["column", "page"])
def test_pictures_are_as_wide_as_they_say(width):
    points = {"column": 3.35 * 72, "page": 6.9 * 72}[width]
    name = {"column": "posterior-column", "page": "posterior"}[width]
    (path,) = (path for path in STORED if path.stem == name)
    head = path.read_text(encoding="utf-8")[:2000]
    inches = float(re.search(r'width="([\d.]+)pt"', head)[1])
    assert inches == pytest.approx(points, abs=0.1)


def test_same_page_same_bytes():
    first, second = (list(islice(gallery.pictures(TEXT), 3)) for _ in "ab")
    assert first == second
    assert all(data.startswith(b"<?xml") for _, data in first)
