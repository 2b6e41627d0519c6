"""Every method has a page, and every page has the same shape."""

import re
from pathlib import Path

import pytest

from likelier._fold_scores import FOLD_METHODS
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier.bayes_factor import FACTORS
from likelier.methods.items.dirichlet_cells import PRIORS
from likelier.methods.items.exact_laws import ExactLaw
from likelier.methods.items.hierarchical_classes import HierarchicalClasses

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "methods"
INDEX = (FOLDER / "index.md").read_text(encoding="utf-8")
PAGES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.glob("*.md"))
    if path.stem != "index"
}
NAMES = sorted(
    {
        *POSTERIOR_METHODS,
        *NULL_METHODS,
        *FOLD_METHODS,
        *FACTORS,
        *PRIORS,
        HierarchicalClasses.name,
        ExactLaw.name,
    }
)
HEADINGS = [
    "When to use it",
    "What it assumes",
    "The model",
    "How it is computed",
    "Example",
    "How it was validated",
    "What it does not tell",
    "References",
]
SHORTEST, LONGEST = 60, 140
LINK = r"\]\(([^)#\s]+)\)"

by_page = pytest.mark.parametrize("name", PAGES)


def without_code(text):
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


def section(text, heading):
    """Return what stands below a heading."""
    return without_code(text).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_method_is_named_on_a_page(name):
    assert [page for page, text in PAGES.items() if f"`{name}`" in without_code(text)]


def test_both_hierarchical_models_have_a_page():
    assert "`compare_folds()`" in PAGES["hierarchical"]
    assert 'compare_groups(..., method="hierarchical")' in PAGES["classes-hierarchical"]


@by_page
def test_every_page_has_all_headings_in_order(name):
    text = without_code(PAGES[name])

    assert re.match(r"# \S.*\n\n[^\n#|]+\?\n\n## ", text)
    assert re.findall(r"^## (.*)$", text, flags=re.MULTILINE) == HEADINGS
    assert all(
        section(text, heading).strip() for heading in HEADINGS if heading != "Example"
    )


@by_page
def test_every_page_is_short(name):
    assert SHORTEST <= len(PAGES[name].splitlines()) <= LONGEST


@by_page
def test_every_page_has_equations_and_both_examples(name):
    text = PAGES[name]
    example = text.split("\n## Example\n")[1].split("\n## ")[0]

    assert "$$" in section(text, "The model")
    assert re.search(
        r"^```python\n.*?^# .*?```", example, flags=re.DOTALL | re.MULTILINE
    )
    assert re.search(r"^```console\n\$ .*?```", example, flags=re.DOTALL | re.MULTILINE)
    assert "likelier " in example.split("```console")[1]


@by_page
def test_every_page_names_tests_that_exist(name):
    validated = section(PAGES[name], "How it was validated")
    named = re.findall(r"`((?:tests|benchmarks)/[^`]+)`", validated)

    assert [path for path in named if path.startswith("tests/")]
    assert [path for path in named if not (ROOT / path).is_file()] == []


@by_page
def test_every_page_says_what_to_use_instead(name):
    targets = re.findall(LINK, section(PAGES[name], "When to use it"))

    assert [target for target in targets if target.removesuffix(".md") in PAGES]
    assert f"{name}.md" not in targets


@by_page
def test_every_page_has_references_that_can_be_found(name):
    references = section(PAGES[name], "References")
    lines = [line for line in references.splitlines() if line.strip()]

    assert lines
    assert all(line.startswith("- ") for line in lines)
    assert "doi.org/" in references or "aclanthology.org/" in references
    for shown, target in re.findall(r"\[doi:([^\]]+)\]\((\S+)\)", references):
        assert target == f"https://doi.org/{shown}"


def test_the_index_has_every_page_once_in_a_table_and_once_in_the_toctree():
    listed = re.findall(r"^\| \[[^\]]+\]\(([\w-]+)\.md\) \|", INDEX, flags=re.MULTILINE)
    tree = re.search(r"```{toctree}\n(?::.*\n)*\n(.*?)```", INDEX, flags=re.DOTALL)

    assert sorted(listed) == sorted(PAGES)
    assert tree is not None
    assert sorted(tree[1].split()) == sorted(PAGES)


def test_the_index_names_every_method():
    methods = {
        *POSTERIOR_METHODS,
        *NULL_METHODS,
        *FOLD_METHODS,
        HierarchicalClasses.name,
    }

    assert [name for name in methods if f"`{name}`" not in INDEX] == []
