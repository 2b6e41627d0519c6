"""Pages that commands write: files, command, date, and the gate's answer."""

import re
from datetime import date
from hashlib import sha256
from html import unescape

import pytest
from tests.cli.conftest import SPAM


def page_of(call, folder, *words, code=0):
    """Write a page by a command, and return its text without tags."""
    assert call(*SPAM, *words, "--html", "page.html").code == code
    html = (folder / "page.html").read_text(encoding="utf-8")
    body = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.S)
    return " ".join(unescape(re.sub("<.*?>", " ", body)).split())


def test_a_page_names_the_files_that_were_read(folder, call):
    content = (folder / "p.csv").read_bytes()
    text = page_of(call, folder)
    assert f"p.csv, {len(content) / 1000:.1f} kB" in text
    assert f"sha256 {sha256(content).hexdigest()[:12]}" in text
    assert str(folder) not in text


def test_a_page_has_a_date_only_where_it_is_asked_for(folder, call):
    today = date.today().isoformat()
    assert today not in page_of(call, folder)
    assert " · 2026-11-18 " in page_of(call, folder, "--date", "2026-11-18")
    text = page_of(call, folder, "--date", "today")
    assert any(day in text for day in (today, date.today().isoformat()))


def test_a_page_has_the_command_to_run_again_without_its_outputs(folder, call):
    for words in (("--json", "x.json"), ("--json=x.json",)):
        text = page_of(call, folder, *words, "--rope", "0.01")
        command = f"likelier {' '.join(SPAM)} --rope 0.01"
        assert f" run again {command} Copy the command " in text


@pytest.mark.parametrize(
    ("condition", "code", "name"),
    [
        ("P(better) > 0.5", 0, "✓ Passed"),
        ("P(better) < 0.5", 1, "✕ Failed"),
        ("P(better) > 0.5 and P(worse) > 0.9", 1, "✕ Failed"),
    ],
)
def test_a_page_has_the_gate_and_how_the_command_ends(
    folder, call, condition, code, name
):
    text = page_of(call, folder, "--fail-unless", condition, code=code)
    gate = text[text.index(" Gate ") :]
    assert gate.startswith(f" Gate {name} asked {condition} ")
    assert f" exit {code} " in gate
    assert " Gate " not in page_of(call, folder)
