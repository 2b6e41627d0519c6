"""The picture of the packages is that of the source, and the page names all of them."""

import importlib.util
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("house", ROOT / "docs/_ext/house.py")
house = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(house)
# The source is read once for all tests, which only look at it.
house.read_house = cache(house.read_house)


def test_the_picture_is_that_of_the_imports():
    """Where this fails: python docs/_ext/house.py"""
    assert house.PICTURE.read_text(encoding="utf-8") == house.draw()


def test_every_package_has_its_row():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    imports, _ = house.read_house()
    assert [box for box in imports if f"| `{box}" not in page] == []


def test_no_import_leads_upwards():
    imports, _ = house.read_house()
    rows, _ = house.arrange({box: house.direct(imports, box) for box in imports})
    level = {box: number for number, row in enumerate(rows) for box in row}
    assert all(level[box] < level[name] for box in imports for name in imports[box])
