"""What the README and the documentation show is run, and nothing public is missing."""

import importlib
import importlib.util
import inspect
import json
import re
import tomllib
from pathlib import PurePosixPath
from posixpath import normpath
from shutil import copytree

import pytest
import yaml
from matplotlib import pyplot as plt
from tests import pages
from tests.pages import ROOT, blocks
from typer.testing import CliRunner

import likelier
from likelier._fold_scores import FOLD_METHODS
from likelier._inputs import NULL_METHODS, POSTERIOR_METHODS
from likelier.bayes_factor import FACTORS
from likelier.cli import app
from likelier.data.tag_schemes import TAG_SCHEMES
from likelier.decision import RULES
from likelier.explanations import EXPLAINED
from likelier.methods.items.dirichlet_cells import PRIORS
from likelier.metrics import METRICS
from likelier.results.result import SCHEMA, Result

TEXT = {page: page.read_text(encoding="utf-8") for page in pages.page_paths()}
README = ROOT / "README.md"
DOCS = {page: text for page, text in TEXT.items() if page.is_relative_to(ROOT / "docs")}
ALL = "\n".join(TEXT.values())
REFERENCE = TEXT[ROOT / "docs" / "reference.md"]
# Its objects are documented one by one; those of others are for the code itself.
PUBLIC_MODULES = (
    "data",
    "designs",
    "laws",
    "methods",
    "metrics",
    "plots",
    "readers",
    "study",
)

KINDS = (
    *("comparison", "comparisons", "null_test", "estimate", "groups", "sensitivity"),
    *("ranking", "chances", "items_needed", "smallest_difference", "plan"),
)


def name_of(page):
    return str(page.relative_to(ROOT))


def each_page(where=TEXT):
    return pytest.mark.parametrize("page", sorted(where), ids=name_of)


def extension(name):
    path = ROOT / "docs" / "_ext" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLI_PAGES = extension("cli_pages").pages(app)
COMMANDS = extension("cli_pages").commands(app)


@each_page([p for p in TEXT if blocks(TEXT[p], "python", "console")])
def test_blocks_run_and_print_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "runs/" in TEXT[page]:
        copytree(ROOT / "docs" / "runs", tmp_path / "runs")
    pages.run_page(page, TEXT[page], tmp_path)
    plt.close("all")


def test_readme_shows_what_the_demo_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0
    shown = blocks(TEXT[README], "text")
    assert len(shown) == 1
    assert shown[0].body.strip() in result.stdout
    for name in ("predictions.csv", "comparison.json", "report.html", "posterior.png"):
        assert (tmp_path / "demo" / name).stat().st_size > 0


def test_readme_shows_the_two_commands_of_a_checkout():
    alone = [block.body for block in blocks(TEXT[README], "")]
    assert "make demo\nmake test\n" in alone
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= set(re.findall(r"^(\w+):", makefile, flags=re.M))


@each_page()
def test_commands_that_are_not_run_can_be_parsed(page):
    for block in blocks(TEXT[page], "", "sh", "text", "yaml"):
        for line in pages.likelier_lines(block.body):
            pages.check_parses(line)
    for line in re.findall(r"`(likelier \w+ [^`\n]*--[^`\n]*)`", TEXT[page]):
        pages.check_parses(line, whole=False)


@each_page()
def test_what_can_be_run_is_run(page):
    """A command with its output is a console block, but for examples on corpora."""
    for block in blocks(TEXT[page]):
        hidden = block.language in ("bash", "shell", "pycon", "py")
        assert not hidden, f"line {block.line}: python, console, or sh (only parsed)"
        assert not re.match(r"\{(code|code-block|doctest)\}", block.language)
        if page in DOCS and block.language in ("", "sh", "text"):
            shown = re.search(r"^\$ ", block.body, flags=re.MULTILINE)
            assert not shown, f"line {block.line}: a command with output is not run"


@each_page()
def test_data_blocks_are_valid(page):
    readers = {"toml": tomllib.loads, "json": json.loads, "yaml": yaml.safe_load}
    for language, read in readers.items():
        for block in blocks(TEXT[page], language):
            read(block.body)


@each_page()
def test_options_in_the_text_exist(page):
    parameters = [p for command in COMMANDS.values() for p in command.params]
    known = {o for p in parameters for o in (*p.opts, *p.secondary_opts)}
    named = set(re.findall(r"`(--[a-z0-9-]+)", TEXT[page]))
    assert named - known - {"--help", "--version"} == set()


def looked_up(path):
    """Return what a dotted name stands for, within a module or a class."""
    found = likelier
    for part in path.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError:
            found = importlib.import_module(f"{found.__name__}.{part}")
    return found


def documented_objects():
    """Return what the reference documents, by its full name."""
    names = re.findall(r"^\.\. auto\w+:: (\S+)$", REFERENCE, flags=re.M)
    found = {name: looked_up(name) for name in names}
    classes = [name for name in names if inspect.isclass(found[name])]
    made = {f"{c}.{n}" for c in classes for n in vars(found[c]) if n[:5] == "from_"}
    return found | {name: looked_up(name) for name in made}


def public_objects():
    """Return the public functions, classes and constants, by their full name."""
    homes = [
        likelier,
        *(importlib.import_module(f"likelier.{m}") for m in PUBLIC_MODULES),
    ]
    return {f"{h.__name__}.{n}": getattr(h, n) for h in homes for n in h.__all__}


def test_every_public_name_is_in_the_reference():
    documented = {id(found) for found in documented_objects().values()}
    missing = [
        name
        for name, found in public_objects().items()
        if id(found) not in documented
        and (callable(found) or isinstance(found, type))
        and type(found).__name__ != "Metric"
    ]
    assert missing == []


def test_every_public_constant_and_module_is_in_the_docs():
    missing = [
        name
        for name, found in public_objects().items()
        if not callable(found) and not re.search(rf"\b{name.split('.')[-1]}\b", ALL)
    ]
    assert missing == []


def test_the_reference_shows_every_method_of_a_class():
    pattern = r"autoclass:: (\S+)\n(?!   :members:$)"
    assert re.findall(pattern, REFERENCE, flags=re.M) == []


def test_every_name_of_the_package_stands_on_the_page_of_the_api():
    missing = [
        name for name in likelier.__all__ if not re.search(rf"\b{name}\b", REFERENCE)
    ]
    assert missing == []


def rows_below(heading):
    """Return the rows of the first table below a heading, as lists of cells."""
    part = REFERENCE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = re.search(r"^\| --- .*\n((?:\|.*\n)+)", part, flags=re.M)[1]
    return [
        [cell.strip() for cell in row[1:-1].split("|")] for row in table.splitlines()
    ]


def code_in(cell):
    return re.findall(r"`([^`]+)`", cell)


CALLS = {
    row[0]: row for name in ("Functions", "Constructors") for row in rows_below(name)
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_the_api_have_these_arguments_and_give_this(call):
    _, _, named, result = CALLS[call]
    name, positional = re.fullmatch(r"`([\w.]+)\((.*)\)`", call).groups()
    signature = inspect.signature(looked_up(f"likelier.{name}"))
    words = [word.lstrip("*") for word in positional.split(", ")]
    assert {*words, *code_in(named)} <= set(signature.parameters)
    given = signature.return_annotation
    assert [getattr(given, "__name__", given)] == code_in(result)


def test_the_page_of_the_api_has_every_function():
    functions = {n for n in likelier.__all__ if inspect.isfunction(looked_up(f".{n}"))}
    listed = {re.match(r"`([\w.]+)\(", call)[1] for call in CALLS}
    assert functions <= listed
    made = {
        f"{kind}.{name}"
        for kind in ("Outcomes", "Scores")
        for name in dir(getattr(likelier, kind))
        if name.startswith("from_")
    }
    assert made <= listed


def test_all_results_have_what_the_page_of_the_api_says():
    named = [re.match(r"`(\w+)", row[0])[1] for row in rows_below("Results")]
    assert {"sentence", "lines", "tables", "parts", "settings", "findings"} < {*named}
    fields = Result.__annotations__
    assert [n for n in named if not hasattr(Result, n) and n not in fields] == []


def result_classes():
    """Return the classes of results by name."""
    every = {name: getattr(likelier, name) for name in likelier.__all__}
    return {
        name: found
        for name, found in every.items()
        if inspect.isclass(found) and issubclass(found, Result)
    }


def test_the_page_of_the_api_has_every_result_and_its_plots():
    part = REFERENCE.split("And its own numbers:")[1].split("\n## ")[0]
    rows = {
        name: (numbers, plots)
        for name, numbers, plots in re.findall(
            r"^\| `(\w+)` \| (.*?) \| ?(.*?) ?\|$", part, flags=re.M
        )
    }
    classes = result_classes()
    assert set(rows) == set(classes)
    for name, (numbers, plots) in rows.items():
        kinds = classes[name].plot_kinds
        assert not isinstance(kinds, tuple) or tuple(code_in(plots)) == kinds
        known = {*dir(classes[name]), *getattr(classes[name], "__annotations__", ())}
        words = [re.match(r"\w+", code)[0] for code in code_in(numbers)]
        named = {word for word in words if word not in ("result", "GroupRow")}
        assert named <= known or name == "ResultList", name


def test_the_page_of_the_api_has_every_command():
    rows = dict(rows_below("Commands and functions"))
    assert [f"`likelier {name}`" for name in COMMANDS] == sorted(
        rows, key=lambda row: list(COMMANDS).index(row.strip("`").split(" ", 1)[1])
    )
    for functions in rows.values():
        for code in code_in(functions):
            if not code.startswith("--"):
                looked_up(f"likelier.{code.split('(')[0]}")


@pytest.fixture(scope="module")
def documents():
    """Return the JSON of a result of every kind, made cheaply, by kind."""
    gold, first, second = "aabb" * 9, "abab" * 9, "aabb" * 8 + "abab"
    settings = {"metric": "accuracy", "seed": 0, "draws": 200}
    compared = likelier.compare(gold, first, second, rope=0.1, **settings)
    assumed = likelier.Assumed.accuracies(0.7, 0.9, agreement=0.8)
    plan = likelier.plan(assumed, replications=20, **settings)
    made = [
        compared,
        likelier.ResultList([compared, compared]),
        likelier.null_test(gold, first, second, **settings),
        likelier.estimate(gold, first, metric="accuracy"),
        likelier.compare_groups(gold, first, second, seed=0, draws=200),
        likelier.sensitivity(gold, first, second, rope=0.1, strengths=[1], **settings),
        likelier.rank(gold, first, second, **settings),
        plan.chances(200),
        plan.items(0.8),
        plan.smallest(200),
        plan.report(200),
    ]
    return {result.kind: result.to_dict() for result in made}


def keys_of(value, free):
    """Yield all keys of a document but those below free ones."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from () if key in free else keys_of(inner, free)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner, free)


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_of_the_json_is_on_its_page(kind, documents):
    page, document = TEXT[ROOT / "docs" / "json.md"], documents[kind]
    # Verdicts, tests and parameters of methods are names of their own.
    keys = set(
        keys_of(document, free=("chance", "mcse", "details", "across", "method"))
    )
    named = set(re.findall(r"[`\"]([\w-]+)[`\"]", page))
    assert keys - named == set()
    assert f'"kind": "{kind}"' in page
    assert document["schema"] == SCHEMA


def test_every_kind_of_result_has_its_json_on_the_page(documents):
    kinds = {found.kind for found in result_classes().values()}
    own = {kind for kind in kinds if isinstance(kind, str)}
    assert own - set(documents) == {"study"}
    assert '"kind": "study"' in TEXT[ROOT / "docs" / "json.md"]


def test_every_command_is_documented():
    assert [name for name in COMMANDS if f"likelier {name}" not in ALL] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_line_on_the_page_of_its_command(name):
    page = CLI_PAGES[f"{name.replace(' ', '-')}.md"]
    for parameter in COMMANDS[name].params:
        assert parameter.help
        shown = [o for o in parameter.opts if o.startswith("--")]
        for word in shown or [parameter.name.upper()]:
            assert re.search(rf"^`{re.escape(word)}\b", page, flags=re.M), word
    examples = pages.likelier_lines("\n".join(b.body for b in blocks(page, "sh")))
    assert examples
    for line in examples:
        pages.check_parses(line)


def test_pages_of_commands_are_the_same_each_time():
    made = extension("cli_pages").pages
    assert made(app) == made(app)
    names = {f"{name.replace(' ', '-')}.md" for name in COMMANDS}
    assert set(made(app)) == {"index.md", *names}


def test_every_finding_code_is_documented():
    page = TEXT[ROOT / "docs" / "findings.md"]
    assert set(re.findall(r"LIK\d{3}", page)) == set(EXPLAINED)


def test_every_finding_code_is_used_in_the_source():
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "src").rglob("*.py")
        if path.parts[-2:]
        not in (("checks", "__init__.py"), ("checks", "explained.py"))
    )
    assert set(re.findall(r'Finding\(\s*"(LIK\d{3})"', source)) == set(EXPLAINED)


def test_every_metric_has_a_place_in_the_docs():
    rates = {
        name
        for name in METRICS
        if not re.match("(micro|macro|weighted|samples)_", name)
    }
    page = TEXT[ROOT / "docs" / "metrics.md"]
    assert [name for name in rates if f"`{name}`" not in page] == []


@pytest.mark.parametrize(
    "names",
    [
        POSTERIOR_METHODS,
        NULL_METHODS,
        FOLD_METHODS,
        RULES,
        FACTORS,
        PRIORS,
        TAG_SCHEMES,
    ],
    ids=["posterior", "null", "folds", "rules", "factors", "priors", "schemes"],
)
def test_every_name_a_setting_takes_is_in_the_docs(names):
    text = "\n".join(DOCS.values()).replace('"', "")
    assert [name for name in names if f"`{name}`" not in text] == []


def toctree_entries(page, text):
    folder = PurePosixPath(name_of(page)).parent
    for block in blocks(text, "{toctree}"):
        for line in block.body.splitlines():
            if line.strip() and not line.startswith(":"):
                entry = re.sub(r".*<(.*)>$", r"\1", line.strip())
                yield normpath(f"{folder}/{entry}")


def test_every_page_is_in_a_toctree():
    listed = {e for page in DOCS for e in toctree_entries(page, DOCS[page])}
    written = {name_of(page).removesuffix(".md") for page in DOCS}
    assert listed - {"docs/cli/index"} == written - {"docs/index"}
    assert "docs/cli/index" in listed


def slug(heading):
    """Name a heading's anchor as GitHub and MyST do."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(text):
    bare = pages._FENCE.sub("", text)
    names = re.findall(r"^#{1,4} +(.*?)\s*$", bare, flags=re.MULTILINE)
    marked = re.findall(r'^\((\S+)\)=$|<a id="([^"]+)"', bare, flags=re.MULTILINE)
    return {slug(name) for name in names} | {a or b for a, b in marked}


@each_page()
def test_links_lead_somewhere(page):
    made = {f"docs/cli/{name}": text for name, text in CLI_PAGES.items()}
    known = {name_of(path): text for path, text in TEXT.items()} | made
    bare = pages._FENCE.sub("", TEXT[page])
    for target in re.findall(r"\]\(([^)\s]+)\)", bare):
        assert not target.startswith("http://"), target
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        full = normpath(f"{page.parent.relative_to(ROOT)}/{path}") if path else None
        name = name_of(page) if full is None else full
        assert name in known or (ROOT / name).exists(), target
        assert not anchor or anchor in anchors(known[name]), target


@pytest.mark.parametrize(
    "page",
    [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "decisions").glob("*.md"))],
    ids=name_of,
)
def test_modules_that_are_named_exist(page):
    source = ROOT / "src" / "likelier"
    named = re.findall(r"`([\w/]+(?:\.py|/))`", page.read_text(encoding="utf-8"))
    places = [path.as_posix() for path in (*source.rglob("*"), *ROOT.glob("tests/*"))]
    missing = [
        name
        for name in named
        if not (ROOT / name).exists()
        and not any(path.endswith(f"/{name.rstrip('/')}") for path in places)
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("body", "fails"),
    [
        ("$ echo one two\none two\n", False),
        ("$ echo one two\none ...\n", False),
        ("$ echo one two\n...\n", False),
        ("$ echo one two\none three\n", True),
        ("$ echo one two\none two\nmore\n", True),
        ("$ echo one two\n", True),
        (
            "$ likelier estimate none.csv --metric f1\nlikelier: ...\n...\n[exit 2]",
            False,
        ),
        ("$ likelier estimate none.csv --metric f1\nlikelier: ...\n...\n", True),
        ("$ likelier --version > v\n$ cat v | head -1\nlikelier ...\n", False),
        ("$ cat > f <<'END'\na;b\nEND\n$ cat f\na;b\n", False),
        ("$ touch made\n", True),
        ("$ echo a; touch made\na\n", True),
    ],
)
def test_a_console_block_must_print_what_it_says(body, fails, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = f"```console\n{body}\n```\n"
    if fails:
        with pytest.raises(AssertionError):
            pages.run_page(README, text, tmp_path)
    else:
        pages.run_page(README, text, tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "likelier compar a.csv",
        "likelier compare a.csv --metrics f1",
        "likelier estimate a --metrics f1",
    ],
)
def test_a_command_that_does_not_exist_is_not_parsed(line):
    with pytest.raises(Exception, match=r"compar|option|metric"):
        pages.check_parses(line)
