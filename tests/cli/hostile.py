"""Names that break output unless they are escaped, and what good output looks like."""

import re
from html.parser import HTMLParser

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}} {% raw %}",
    "\x1b[31mred\x1b]0;t\x07",
    "a\nb\r\nc\td",
    "nul\x00",
    "\u202ertl\u200b\ufeff",
    "a|b\\|c",
    "100 % & _ # ~ ^ {",
    "$x^2$ $\\frac{",
    "x" * 3000,
    "\U0001f600e\u0301",
    "[bold]rich[/bold] :smile:",
    "it's; DROP TABLE t; --",
    ' "quoted", blanks ',
]
PICTURED = [
    '"><img src=x onerror=alert(1)>',
    "{{7*7}} {% raw %}",
    "$x^2$ $\\frac{",
    "\x1b[31mred\nline\x00",
    "x" * 200,
    "漢字",
]
PLAIN = ("plain", "other", "third")


def together(names, size):
    """Split names into groups of one size; the last is filled up from the front."""
    filled = [*names, *names[: -len(names) % size]]
    return [filled[i : i + size] for i in range(0, len(filled), size)]


def assert_lines(text, n):
    lines = text.removesuffix("\n").split("\n")
    assert len(lines) == n
    for line in lines:
        assert line.isprintable(), ascii(line)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))


def tags_of_page(path):
    """Return all tags of a page that links nowhere, with names of attributes.

    Letters of a picture are shapes, as many as a name has.
    """
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"https?:", page)
    parser = Tags()
    parser.feed(re.sub('<figure class="plot".*?</figure>', "", page, flags=re.S))
    return parser.tags
