"""Hostile names and labels, and results that carry them."""

from functools import cache

from tests.results.every_kind import KINDS, result

import likelier as lk
from likelier.results.result_list import ResultList

GOLD = ["y", "n"] * 50
FIRST = ["y", "y"] * 20 + ["y", "n"] * 30
SECOND = ["y", "n"] * 45 + ["n", "y"] * 5

HOSTILE = [
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<!-- ",
    "-->",
    "]]>",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)",
    "&lt;b&gt;",
    "&#60;b&#62;",
    "&",
    "{{7*7}}",
    "{% raw %}",
    "{# gone #}",
    "{{ self.__class__ }}",
    "${7*7}",
    "\x1b[31mred",
    "\x1b]0;title\x07",
    "\x9b31m",
    "a\nb",
    "a\r\nb",
    "a\rb",
    "a\tb",
    "a\x0bb\x0cc",
    "\x00",
    "a\x08\x7f",
    "\u2028line\u2029paragraph\x85",
    "\u202egnirts",
    "\u2066isolate\u2069",
    "\ufeff",
    "zero\u200bwidth\u200d",
    "|",
    "a||b",
    "\\|",
    "\\",
    "a\\",
    "\\\\ \\hline",
    "%",
    "_",
    "a_b^c~d#e",
    "$x^2$",
    r"$\frac{",
    r"\input{/etc/passwd}",
    r"\immediate\write18{id}",
    "{",
    "}",
    "}{",
    "`code`",
    "**bold** _it_ ~~no~~",
    "[link](javascript:alert(1))",
    "![](x)",
    "# head",
    "- item",
    "=1+1",
    "[red]markup[/red]",
    ":smile:",
    "\U0001f600\U0001f468\u200d\U0001f469",
    "e\u0301\u0323",
    "Z" + "\u0335" * 20,
    "x" * 1000,
    " lead and trail ",
    "%s %d %(x)s",
    "{0} {first} {metric}",
    "\udcff",
]

# The kinds that are single comparisons; the hierarchical one takes its time.
COMPARISONS = [
    *(name for name in KINDS if name.startswith(("comparison", "bayes-test"))),
    "correlated-t",
    "correlated-t-5x2",
    "signed-rank",
    "sign-of-sets",
]


def together(results):
    """Put several results into one; one stays as it is."""
    return results[0] if len(results) == 1 else ResultList(results)


@cache
def page(name):
    """Write the page of one kind of result, once for all tests."""
    return result(name).report().html


def compared(first, second, *, positive="y", **settings):
    swap = {"y": positive, "n": "n"}
    gold, a, b = ([swap[label] for label in part] for part in (GOLD, FIRST, SECOND))
    settings = {"metric": "f1", "rope": 0.05, "draws": 1000, "seed": 0} | settings
    return lk.compare(
        gold, a, b, positive=positive, systems=[first, second], **settings
    )


def p_valued(first, second, *, positive="y", method="randomization"):
    swap = {"y": positive, "n": "n"}
    gold, a, b = ([swap[label] for label in part] for part in (GOLD, FIRST, SECOND))
    return lk.null_test(
        gold,
        a,
        b,
        metric="f1",
        positive=positive,
        method=method,
        systems=[first, second],
        draws=100,
        seed=0,
    )


def scored(name, *, positive="y"):
    swap = {"y": positive, "n": "n"}
    gold, a = ([swap[label] for label in part] for part in (GOLD, FIRST))
    settings = {"metric": "f1", "method": "paired", "draws": 1000, "seed": 0}
    return lk.estimate(gold, a, positive=positive, systems=[name], **settings)


def same(name):
    """Compare a system with its copy, so that findings name both."""
    return lk.null_test(
        GOLD,
        FIRST,
        FIRST,
        metric="accuracy",
        method="mcnemar",
        systems=[name, f"{name}2"],
    )


def undefined(name):
    """Ask for a metric that is 0/0, so that a finding names the system."""
    return lk.null_test(
        ["n"] * 40,
        ["n"] * 40,
        ["n"] * 39 + ["y"],
        metric="precision",
        positive="y",
        method="randomization",
        systems=[name, "b"],
        draws=50,
        seed=0,
    )


@cache
def results(text):
    """Put a text wherever a text from data can stand: three tests, and an estimate."""
    tests = (
        p_valued(text, f"2{text}", positive=text),
        same(text),
        undefined(text),
    )
    return together(tests), scored(text, positive=f"p{text}")
