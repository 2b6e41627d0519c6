"""What the README and the documentation show is run, and nothing public is missing."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import likelier
from likelier.checks import CODES
from likelier.cli import app
from likelier.metrics import METRICS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES if page.is_file()}
ALL = "\n".join(TEXT.values())


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    "page", [p for p in TEXT if blocks(TEXT[p], "python")], ids=lambda p: p.name
)
def test_python_blocks_run_and_print_what_they_say(page, capsys):
    names = {}
    for block in blocks(TEXT[page], "python"):
        exec(compile(block, str(page), "exec"), names)
        printed = capsys.readouterr().out.splitlines()
        said = re.findall(r"^# (.*)$", block, flags=re.MULTILINE)
        assert not said or printed == said


def test_readme_shows_what_the_demo_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0
    shown = blocks(TEXT[ROOT / "README.md"], "text")
    assert len(shown) == 1
    assert shown[0].strip() in result.stdout
    for name in ("predictions.csv", "comparison.json", "report.html", "posterior.png"):
        assert (tmp_path / "demo" / name).stat().st_size > 0


def test_every_public_name_is_documented():
    missing = [name for name in likelier.__all__ if not re.search(rf"\b{name}\b", ALL)]
    assert missing == []


def test_every_command_is_documented():
    names = [
        command.name or command.callback.__name__ for command in app.registered_commands
    ]
    assert sorted(names) == [
        "chunks",
        "compare",
        "counts",
        "demo",
        "plan",
        "rank",
        "run",
        "score",
        "scores",
        "show",
        "split",
        "tags",
    ]
    assert [name for name in names if f"likelier {name}" not in ALL] == []


def test_every_finding_code_is_documented():
    page = TEXT[ROOT / "docs" / "findings.md"]
    assert set(re.findall(r"LIK\d{3}", page)) == set(CODES)


def test_every_finding_code_is_used_in_the_source():
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "src").rglob("*.py")
        if path.parts[-2:] != ("checks", "__init__.py")
    )
    assert set(re.findall(r'Finding\(\s*"(LIK\d{3})"', source)) == set(CODES)


def test_every_metric_has_a_place_in_the_docs():
    rates = {
        name
        for name in METRICS
        if not re.match("(micro|macro|weighted|samples)_", name)
    }
    page = TEXT[ROOT / "docs" / "metrics.md"]
    assert [name for name in rates if f"`{name}`" not in page] == []


@pytest.mark.parametrize("page", TEXT, ids=lambda p: p.name)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)\)", TEXT[page]):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target
