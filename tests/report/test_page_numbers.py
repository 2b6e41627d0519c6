"""The JSON of a result has every number that its page shows."""

import re
from collections import Counter

import pytest
from tests.report.conftest import together
from tests.report.test_html_page import Tree
from tests.results.every_kind import KINDS, have_few_stops, result

from likelier.formatting import odds

CHOSEN = {
    "comparison": ["comparison"],
    "factor": ["comparison-rope"],
    "no rope": ["comparison-no-rope"],
    "Bayes test": ["bayes-test-margin"],
    "correlated t": ["correlated-t"],
    "hierarchical": ["hierarchical"],
    "null test": ["mcnemar"],
    "estimate": ["estimate"],
    "classes": ["classes"],
    "sensitivity": ["sensitivity"],
    "factors": ["sensitivity-factor"],
    "plan": ["plan"],
    "chances": ["power"],
    "items needed": ["needed"],
    "smallest": ["smallest"],
    "ranking": ["ranking"],
    "ranked items": ["ranking-items"],
    "study": ["study"],
    "failed study": ["study-unfinished"],
    "comparisons": ["comparison", "comparison-clusters"],
    "null tests": ["mcnemar", "randomization"],
    "estimates": ["estimate", "estimate-equal-tailed"],
}
# No text, or text that is explained elsewhere: methods, recipes, what findings mean.
SKIPPED_TAGS = ("svg", "script", "style", "pre", "form", "thead")
SKIPPED_IDS = ("method",)
# Advice; scales and how they are drawn; items one by one, and counts of their labels.
SKIPPED_CLASSES = ("do", "scale", "axis-title", "items", "more", "matrix", "matrices")
# Places in order, and other ropes and masses.
SKIPPED_CLASSES += ("rank", "line")
# Sums of counts that the JSON has.
ELSEWHERE = re.compile(
    r"On the [\d,]+ that are the same.*|Both are right .*"
    r"|^Show \d+ \w+$|^Tier \d+$|^likelier \S+, Python .*"
)
# Level of the tests beside a verdict.
LEVEL = 0.05

NUMBER = re.compile(
    r"(?P<side>[<>] ?|more than |less than )?(?P<sign>[+-])?(?<![\w.])"
    r"(?P<size>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?:e(?P<power>[+-]\d+))?(?P<percent> %| points)?(?!\w)"
)


def texts(node):
    """Yield the texts that a person reads, element by element."""
    classes = (node.attrs.get("class") or "").split()
    if (
        node.tag in SKIPPED_TAGS
        or node.attrs.get("id") in SKIPPED_IDS
        or {*classes} & {*SKIPPED_CLASSES}
    ):
        return
    text = ELSEWHERE.sub("", node.text)
    # Cells of a heat map are per cent; their numbers of rows are not.
    yield f"{text} %" if node.parent.attrs.get("class", "")[:1] == "h" else text
    for child in node.children:
        yield from texts(child)


class Numbers:
    """Numbers and texts of a document, lengths of its lists, counts of its verdicts."""

    def __init__(self, document):
        self.numbers, self.texts, self.verdicts = {LEVEL}, set(), Counter()
        self._gather(document)
        self.numbers |= {*self.verdicts.values()}

    def _gather(self, value, key=""):
        if isinstance(value, dict):
            for name, inner in value.items():
                self._gather(inner, name)
            if key == "verdict":
                self.verdicts[value["name"]] += 1
        elif isinstance(value, list):
            self.numbers.add(len(value))
            for inner in value:
                self._gather(inner)
        elif isinstance(value, str):
            self.texts.add(value)
        elif value is not None:
            self._add(value, key)

    def _add(self, number, key):
        self.numbers.add(number)
        if key == "log10":
            self.texts |= {odds(number), odds(number, 1), odds(number, bound=True)}

    def rest(self, text):
        """Blank out the parts of a text that are texts of the document."""
        # A single letter, such as a system's name, is no number.
        parts = (part for part in self.texts if len(part) > 1)
        for part in sorted(parts, key=len, reverse=True):
            text = text.replace(part, "·" * len(part))
        return text

    def has(self, match):
        """Return whether a written number is one of the document, rounded."""
        digits = match["size"].replace(",", "")
        scale = 10.0 ** int(match["power"] or 0)
        written = float(digits) * scale * (-1 if match["sign"] == "-" else 1)
        decimals = len(digits.partition(".")[2])
        # A count may be rounded to hundreds.
        zeros = 0 if decimals else len(digits) - len(digits.rstrip("0"))
        unit = scale * 10.0 ** (zeros - decimals)
        # Points of a hundred have decimals; those of a grid are counted.
        points = match["percent"] == " points" and decimals > 0
        times = 100 if points or match["percent"] == " %" else 1
        if match["side"] and match["percent"]:
            below = match["side"][0] in "<l"
            shares = [100 * x for x in self.numbers if 0 <= x <= 1]
            return any(x < written if below else x > written for x in shares)
        signs = (1, -1) if match["sign"] is None else (1,)
        return any(
            abs(sign * times * x - written) <= 0.5000001 * unit
            for x in self.numbers
            for sign in signs
        )


def missing(result):
    """List the numbers of a page that the JSON does not have, with their texts."""
    # The page of a study has the seconds of its folds; the JSON by a setting.
    timed = {"timings": True} if result.kind == "study" else {}
    numbers = Numbers(result.to_dict(**timed))
    page = Tree(result.report().html).root.find("body")[0]
    lacking = []
    for text in texts(page):
        lacking += [
            (match[0], " ".join(text.split()))
            for match in NUMBER.finditer(numbers.rest(text))
            if not numbers.has(match)
        ]
    return lacking


@pytest.fixture
def few_stops(monkeypatch):
    have_few_stops(monkeypatch)


@pytest.mark.usefixtures("few_stops")
@pytest.mark.parametrize("name", list(CHOSEN))
def test_numbers_of_the_page_are_in_the_json(name):
    assert missing(together([result(kind) for kind in CHOSEN[name]])) == []


def test_every_class_of_result_is_looked_at():
    chosen = {type(result(kind)) for kinds in CHOSEN.values() for kind in kinds}
    assert chosen == {type(result(kind)) for kind in KINDS}


def test_what_is_written_is_compared_as_it_is_rounded():
    numbers = Numbers({"p": 0.0347, "n": [21_034], "bayes_factor": {"log10": -1.5}})
    for text in ("0.03", "+0.035", "3.5 %", "3.47e-02", "21,034", "21,000", "1 : 32"):
        assert all(map(numbers.has, NUMBER.finditer(numbers.rest(text)))), text
    for text in (
        "0.04",
        "-0.035",
        "+0.0346",
        "3.4 %",
        "35 %",
        "21,035",
        "22,000",
        "1 : 33",
    ):
        assert not all(map(numbers.has, NUMBER.finditer(numbers.rest(text)))), text
