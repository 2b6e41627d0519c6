"""Pictures of every kind of report, for people to look at; this is no test.

    python -m tests.browser.pictures [KIND ...]

writes them into build/pictures/: in both themes, at the width of a phone, and
as printed.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser import kinds
from tests.browser.chromium import Chromium
from tests.browser.opened import Opener

FOLDER = Path(__file__).parents[2] / "build" / "pictures"
LOOKS = {
    "light": {"scheme": "light"},
    "dark": {"scheme": "dark"},
    "phone": {"scheme": "light", "width": 360},
}


def pictures(opener, kind):
    """Write the pictures of one kind of report."""
    name = kind.replace(" ", "-")
    for look, settings in LOOKS.items():
        page = opener(kinds.page(kind), **settings)
        page.screenshot(path=FOLDER / f"{name}-{look}.png", full_page=True)
    page.pdf(path=FOLDER / f"{name}.pdf", format="A4")


def main(chosen):
    """Write the pictures of some kinds, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = Chromium()
    try:
        with TemporaryDirectory() as folder:
            for kind in chosen or kinds.KINDS:
                opener = Opener(chromium, Path(folder))
                pictures(opener, kind)
                opener.close()
    finally:
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1:])
