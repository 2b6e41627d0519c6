"""Systems that are commands: real scripts that behave, and that do not."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from likelier.errors import InputError, LikelierError, SettingError
from likelier.study import CommandSystem
from likelier.study.command_folders import CommandFolder, remove_left_folders
from likelier.study.commands import CommandError

FIELDS = ["{train}", "{test}", "{predictions}"]
PYTHON = ["{python}", "-SE", "script.py", *FIELDS]
HEAD = """\
import json, os, sys
train, test, predictions = sys.argv[1:4]
def lines(path):
    with open(path, encoding="utf-8", newline="\\n") as file:
        return file.read().split("\\n")[:-1]
def write(text):
    with open(predictions, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
"""
# Gives each item the label of the first training item.
LABELS = """
first = json.loads(lines(train)[0])["label"]
items = [json.loads(line) for line in lines(test)]
write("".join(json.dumps({"id": i["id"], "label": first}) + "\\n" for i in items))
"""
# Gives each token the tag that it had last.
TAGS = """
known = dict(line.split("\\t") for line in lines(train) if line)
tagged = (line and f"{line}\\t{known.get(line, 'O')}" for line in lines(test))
write("".join(f"{line}\\n" for line in tagged))
"""


class Desk:
    """A study's folder with a script, and commands that run there."""

    def __init__(self, folder):
        self.folder = folder

    def script(self, text, name="script.py"):
        (self.folder / name).write_text(HEAD + text)
        return self

    def shell(self, text, name="run.sh", *, mode=0o755):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return self

    def command(self, words=PYTHON, **settings):
        return CommandSystem(words, folder=self.folder, **settings)

    def ran(self, inputs, gold, task="labels", *, words=PYTHON, test=None, **settings):
        running = self.command(words, **settings).make(7, task)
        running.fit(inputs, gold)
        return running.predict(inputs if test is None else test)

    def refused(self, *args, kind=CommandError, **settings):
        with pytest.raises(kind) as caught:
            self.ran(*args, **settings)
        return str(caught.value)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """The folder, and a place for temporary files that must be empty in the end."""
    rest = tmp_path / "temporary"
    rest.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(rest))
    yield Desk(tmp_path)
    assert list(rest.iterdir()) == []


ITEMS = ["one", "two"], ["x", "y"]
SENTENCES = [["a", "b"], [], ["c"]], [["X", "Y"], [], ["Z"]]
SH = ["sh", "run.sh", *FIELDS]


# --- what works ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "gold", "wanted"),
    [
        (*ITEMS, "x"),
        (("one", "two"), (1, 2), 1),
        (["été 共同 😀", '\u2028\n\t\r"\\'], ["é\n", "y"], "é\n"),
        (np.arange(4).reshape(2, 2), np.array([3, 4]), 3),
        ([np.arange(2), np.arange(2)], list(np.array([1, 2])), 1),
        (pd.DataFrame({"a": [1, 2]}, index=[5, 3]), pd.Series(["x", "y"], [5, 3]), "x"),
        (sparse.csr_array(np.eye(2)), [True, False], True),
        ([{"deep": [1, None]}, {}], ["x", "y"], "x"),
        ([1.5, 2], [2.0, 1.0], 2.0),
    ],
    ids=[
        "list",
        "tuple",
        "text",
        "array",
        "rows",
        "pandas",
        "sparse",
        "json",
        "floats",
    ],
)
def test_labels(desk, inputs, gold, wanted):
    desk.script(LABELS)
    assert desk.ran(inputs, gold) == [wanted, wanted]


def test_what_a_command_reads(desk):
    desk.script(
        "copy = [open(p).read() for p in (train, test)]; print(*copy); sys.exit(1)"
    )
    message = desk.refused(["one é", "two"], ["x", 2], test=["three"])
    assert '{"id": "0", "input": "one é", "label": "x"}' in message
    assert '{"id": "1", "input": "two", "label": 2}' in message
    assert '{"id": "0", "input": "three"}' in message


def test_sets(desk):
    desk.script(LABELS)
    gold = [{"b", "a"}, set()]
    assert desk.ran(["one", "two"], gold, "sets") == [["a", "b"], ["a", "b"]]


@pytest.mark.parametrize(
    "gold", [np.eye(2), sparse.csr_array(np.eye(2)), pd.DataFrame(np.eye(2))]
)
def test_matrices_of_indicators_are_refused(desk, gold):
    desk.script(LABELS)
    assert "matrix" in desk.refused(["one", "two"], gold, "sets", kind=InputError)


def test_tags(desk):
    desk.script(TAGS)
    assert desk.ran(*SENTENCES, "tags") == SENTENCES[1]
    tags = desk.ran(*SENTENCES, "tags", test=[["c", "new"], ["a"]])
    assert tags == [["Z", "O"], ["X"]]


def test_chunks_in_the_scheme_they_are_given(desk):
    desk.script(TAGS)
    gold = [["B-x", "E-x"], [], ["S-y"]]
    assert desk.ran(SENTENCES[0], gold, "chunks", scheme="iobes") == gold


def test_odd_tokens_stand_in_lines_of_their_own(desk):
    desk.script(TAGS)
    tokens = [
        " ",
        "a b",
        "\x0b",
        "\x85",
        "\u2028",
        "\x00",
        "#",
        '"',
        "\ufeff",
        "é",
        "\x1c",
    ]
    tags = [f"T{i}" for i in range(len(tokens))]
    assert desk.ran([tokens], [tags], "tags") == [tags]


def test_tags_of_series_go_with_their_sentences(desk):
    desk.script(TAGS)
    order = [2, 0, 1]
    tokens = pd.Series([["a"], ["b"], ["c"]], index=order)
    tags = pd.Series([["X"], ["Y"], ["Z"]], index=order)
    assert desk.ran(tokens, tags, "tags") == [["X"], ["Y"], ["Z"]]
    assert desk.ran(tokens.iloc[1:], tags.iloc[1:], "tags") == [["Y"], ["Z"]]


def test_predicted_lines_may_hold_the_gold_too(desk):
    desk.script("write('a\\tX\\tP\\nb\\tY\\tQ\\n\\nc\\tZ\\tR\\n')")
    assert desk.ran(*SENTENCES, "tags") == [["P", "Q"], [], ["R"]]


@pytest.mark.parametrize("end", ["\\n", "\\r\\n"])
def test_ends_of_lines(desk, end):
    desk.script(f"write('a\\tP{end}b\\tQ{end}{end}c\\tR')")
    assert desk.ran(*SENTENCES, "tags") == [["P", "Q"], [], ["R"]]
    one = '{"id": "0", "label": "p"}'
    desk.script(f"write('{one}{end}{end}' + '{one}'.replace('0', '1'))")
    assert desk.ran(*ITEMS) == ["p", "p"]


def test_training_and_predicting_apart(desk):
    desk.shell("cp $1 $2", "learn.sh")
    desk.script(LABELS)
    words = ["{python}", "-SE", "script.py", "{model}", "{test}", "{predictions}"]
    train = ["sh", "./learn.sh", "{train}", "{model}"]
    assert desk.ran(*ITEMS, words=words, train=train) == ["x", "x"]


def test_models_may_be_folders(desk):
    desk.shell("mkdir $2 && cp $1 $2/lines", "learn.sh")
    desk.script(LABELS)
    words = ["{python}", "-SE", "script.py", "{model}/lines", "{test}", "{predictions}"]
    train = ["sh", "learn.sh", "{train}", "{model}"]
    assert desk.ran(*ITEMS, words=words, train=train) == ["x", "x"]


def output_of(desk, text, *words, **settings):
    """Give what a shell script says of its words."""
    desk.shell(f"{text}; exit 3")
    output = desk.refused(*ITEMS, words=[*SH, *words], **settings)
    return output.partition("Its last words: ")[2]


def test_places(desk):
    output = output_of(desk, 'echo "$4 $5 $6"', "{seed}", "{folder}", "{python}")
    assert output == f"7 {desk.folder} {sys.executable}"
    assert output_of(desk, 'echo "$4"', "--seed={seed}-{{x}}") == "--seed=7-{x}"


def test_words_are_not_read_by_a_shell(desk):
    words = ["$HOME", "*", "a b", "'", '"', ";exit 0", "`true`", "ü", ""]
    for word in words:
        assert output_of(desk, 'printf "[%s]" "$4"', word) == f"[{word}]"


def test_commands_run_in_the_folder_of_the_study(desk, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert output_of(desk, "pwd") == str(desk.folder)


def test_environment(desk, monkeypatch):
    monkeypatch.setenv("KEPT", "kept")
    output = output_of(desk, 'echo "$KEPT $NEW"', environment={"NEW": "new ü"})
    assert output == "kept new ü"


@pytest.fixture
def typed():
    """Words on the standard input of this process."""
    read, write = os.pipe()
    os.write(write, b"words")
    os.close(write)
    before = os.dup(0)
    os.dup2(read, 0)
    yield
    os.dup2(before, 0)
    for number in (read, before):
        os.close(number)


def test_commands_have_no_input(desk, typed):
    assert output_of(desk, "echo $(wc -c)") == "0"


def test_programs_beside_the_study(desk, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    text = f"#!/bin/sh\nexec {sys.executable} -SE script.py $1 $2 $3\n"
    desk.shell(text, "tagger").script(LABELS)
    for word in ("./tagger", "{folder}/tagger", f"{desk.folder}/tagger"):
        assert desk.ran(*ITEMS, words=[word, *FIELDS]) == ["x", "x"]


# --- what fails ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["nonesuch-command", "./nonesuch", "/non/such", "."])
def test_commands_that_do_not_exist(desk, name):
    message = desk.refused(*ITEMS, words=[name, *FIELDS])
    assert message == f"predict must be a command that exists; got {name!r}."


def test_commands_that_cannot_be_started(desk):
    desk.shell("#!/bin/sh\n", "tagger", mode=0o644)
    assert "chmod +x" in desk.refused(*ITEMS, words=["./tagger", *FIELDS])
    desk.shell("#!/no/such/shell\n", "tagger")
    assert "can be started" in desk.refused(*ITEMS, words=["./tagger", *FIELDS])
    desk.shell("echo", "tagger")
    assert "can be started" in desk.refused(*ITEMS, words=["./tagger", *FIELDS])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("exit 3", "exit code 3. It printed nothing."),
        ("echo oh >&2; exit 1", "exit code 1. Its last words: oh"),
        ("echo one; echo two >&2; exit 1", "Its last words: one | two"),
        ("kill -9 $$", "got SIGKILL. It printed nothing."),
        ("kill -11 $$", "got SIGSEGV."),
        ("printf '\\377\\033[31m'; exit 1", "Its last words: \ufffd\\x1b[31m"),
    ],
)
def test_commands_that_crash(desk, text, wanted):
    desk.shell(text)
    message = desk.refused(*ITEMS, words=SH)
    assert "predict must end with exit code 0; got" in message
    assert wanted in message
    assert "\n" not in message


def test_the_command_that_failed_is_named(desk):
    desk.shell("exit 3")
    message = desk.refused(*ITEMS, train=["sh", "run.sh"])
    assert message.startswith("train must end with exit code 0; got exit code 3.")


def test_only_the_end_of_much_output_is_told(desk):
    desk.shell("yes 0123456789 | head -n 300000; echo last; exit 1")
    message = desk.refused(*ITEMS, words=SH)
    assert message.endswith("| last")
    assert len(message) < 5000
    desk.shell("head -c 3000000 /dev/zero | tr '\\0' x; exit 1")
    assert len(desk.refused(*ITEMS, words=SH)) < 5000


def alive(path):
    """Give the processes that a script noted, and that have not ended."""
    living = []
    for pid in Path(path).read_text().split():
        with suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            living += [pid] if state not in "ZX" else []
    return living


def ended(path, seconds=10.0):
    """Wait until the processes that a script noted have ended."""
    end = time.monotonic() + seconds
    while alive(path) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(path)


def test_commands_that_hang_are_stopped_with_all_they_started(desk):
    desk.shell("echo soon; sleep 60 & echo $! $$ > pids; sh -c 'sleep 60'; wait")
    message = desk.refused(*ITEMS, words=SH, time_limit=1.0)
    assert "predict must end within 1 seconds; it was stopped." in message
    assert message.endswith("Its last words: soon")
    assert len((desk.folder / "pids").read_text().split()) == 2
    assert ended(desk.folder / "pids")


def test_commands_that_do_not_listen_are_stopped(desk):
    desk.shell("trap '' TERM INT HUP; echo $$ > pids; while :; do sleep 0.1; done")
    assert "must end within" in desk.refused(*ITEMS, words=SH, time_limit=1.0)
    assert ended(desk.folder / "pids")


@pytest.mark.parametrize("code", [0, 1])
def test_what_a_command_leaves_behind_is_stopped(desk, code):
    desk.shell(f"sleep 60 & echo $! > pids; exit {code}")
    desk.refused(*ITEMS, words=SH)
    assert ended(desk.folder / "pids")


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="finds processes in /proc"
)


@needs_proc
@pytest.mark.parametrize("ending", ["exit 0", "exit 1", "sleep 60"])
def test_what_leaves_the_group_of_a_command_is_stopped(desk, ending):
    """A session of its own, twice removed, as daemons are."""
    daemon = "setsid sh -c 'sleep 60 & echo $! $$ >> pids; wait' &"
    wait = "while ! test -s pids; do sleep 0.01; done"
    desk.shell(f'(setsid sh -c "{daemon}") & {wait}; {ending}')
    desk.refused(*ITEMS, words=SH, time_limit=5.0)
    assert (desk.folder / "pids").read_text()
    assert ended(desk.folder / "pids", seconds=2.0)


def test_commands_that_print_without_end_fill_no_disk(desk):
    """Nothing but the file of items lies in the folder while a command prints."""
    desk.shell("yes 0123456789 & sleep 0.5; du -sk $(dirname $2) > size; wait")
    message = desk.refused(*ITEMS, words=SH, time_limit=1.5)
    assert "must end within 1.5 seconds" in message
    assert int((desk.folder / "size").read_text().split()[0]) < 100


def test_what_is_kept_of_the_output_is_bounded(desk):
    desk.shell("head -c 30000000 /dev/zero | tr '\\0' x; echo last; exit 1")
    with pytest.raises(CommandError) as caught:
        desk.ran(*ITEMS, words=SH)
    assert 50_000 < len(caught.value.log) <= 100_000
    assert caught.value.log.endswith("xlast")


# --- folders of commands ------------------------------------------------------


def test_folders_are_private_and_not_to_be_guessed(desk):
    desk.shell("stat -c '%a' $(dirname $2) > mode; dirname $2 > name; exit 1")
    names = set()
    for _ in range(2):
        desk.refused(*ITEMS, words=SH)
        assert (desk.folder / "mode").read_text() == "700\n"
        names.add((desk.folder / "name").read_text())
    assert len(names) == 2


@needs_proc
def test_what_a_killed_worker_leaves_is_removed_later(desk, tmp_path):
    """The folder, and a process that has a session of its own."""
    code = (
        "import os, signal, subprocess, tempfile\n"
        f"tempfile.tempdir = {tempfile.tempdir!r}\n"
        "from likelier.study.command_folders import CommandFolder\n"
        "from likelier.study.lifetime import VARIABLE\n"
        "folder = CommandFolder()\n"
        "child = subprocess.Popen(['sleep', '60'], start_new_session=True,\n"
        "    stdout=subprocess.DEVNULL,\n"
        "    env=os.environ | {VARIABLE: folder.name})\n"
        "print(child.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    (tmp_path / "pids").write_bytes(child.communicate()[0])
    rest = Path(tempfile.gettempdir())
    (left,) = rest.iterdir()
    assert alive(tmp_path / "pids")
    mine, theirs = CommandFolder(), rest / "likelier-command-theirs"
    theirs.mkdir()
    target = tmp_path / "target"
    target.mkdir()
    (target / "in-use.lock").touch()
    link = rest / "likelier-command-link"
    link.symlink_to(target)
    remove_left_folders()
    assert not left.exists()
    assert ended(tmp_path / "pids", seconds=2.0)
    # Folders in use, of others, and links are left alone.
    assert Path(mine.name).is_dir()
    assert (target / "in-use.lock").exists()
    mine.cleanup()
    theirs.rmdir()
    link.unlink()


def one_line(id_, label):
    return json.dumps({"id": id_, "label": label})


BAD_LABELS = {
    "no file": ("pass", "there is no such file"),
    "a folder": ("os.mkdir(predictions)", "there is no such file"),
    "nothing": ("write('')", "one line per item: 2; got 0"),
    "too few": (f"write({one_line(0, 'x')!r})", "one line per item: 2; got 1"),
    "too many": (f"write('{one_line(0, 1)}\\n' * 3)", "one line per item: 2; got 3"),
    "no JSON": ("write('x\\ny\\n')", "Line 1 of the predictions must be JSON"),
    "half JSON": ("write('{\\n}\\n')", "Line 1 of the predictions must be JSON"),
    "no UTF-8": ("write(b'\\xff\\n\\n')", "must be UTF-8"),
    "lists": ("write('[]\\n[]\\n')", "Line 1 must have an id and a label; got '[]'"),
    "numbers": ("write('1\\n2\\n')", "Line 1 must have an id and a label"),
    "no label": ("write('{\"id\": 0}\\n' * 2)", "must have an id and a label"),
    "no id": ("write('{\"label\": 0}\\n' * 2)", "must have an id and a label"),
    "other order": (
        f"write('{one_line(1, 1)}\\n{one_line(0, 1)}\\n')",
        "in the order of the test items: line 1 must have the id '0'; got '1'",
    ),
    "other ids": (
        f"write('{one_line(0, 1)}\\n{one_line('b', 1)}\\n')",
        "line 2 must have the id '1'; got 'b'",
    ),
    "one id twice": (
        f"write('{one_line(0, 1)}\\n' * 2)",
        "line 2 must have the id '1'",
    ),
    "too deep": ("write('[' * 100000 + '\\n1\\n')", "Line 1"),
    "long numbers": (
        "write('{\"id\": 0, \"label\": ' + '9' * 5000 + '}\\n1')",
        "Line 1",
    ),
}


@pytest.mark.parametrize("name", BAD_LABELS)
def test_predictions_of_labels_that_are_refused(desk, name):
    text, wanted = BAD_LABELS[name]
    desk.script(text)
    assert wanted in desk.refused(*ITEMS)


BAD_TAGS = {
    "no file": ("pass", "there is no such file"),
    "nothing": ("write('')", "they end before 'a' of sentence 1 of 3"),
    "too few": ("write('a\\tX\\nb\\tY\\n\\n')", "end before 'c' of sentence 3 of 3"),
    "too many": ("write('a\\tX\\nb\\tY\\nc\\tZ\\nd\\tQ\\n')", "line 4 has 'd\\tQ'"),
    "other order": (
        "write('b\\tX\\na\\tY\\n')",
        "in the order of the test items: line 1 must have 'a'; got 'b'",
    ),
    "no tags": ("write('a\\nb\\nc\\n')", "Line 1 must be a token, a tab and its tag"),
    "empty tags": ("write('a\\t\\n')", "Line 1 must be a token, a tab and its tag"),
    "blanks": (
        "write('a X\\n')",
        "Line 1 must be a token, a tab and its tag; got 'a X'",
    ),
    "no UTF-8": ("write(b'a\\t\\xff\\n')", "must be UTF-8"),
}


@pytest.mark.parametrize("name", BAD_TAGS)
def test_predictions_of_tags_that_are_refused(desk, name):
    text, wanted = BAD_TAGS[name]
    desk.script(text)
    # Messages show control characters as they are spelt.
    assert wanted in desk.refused(*SENTENCES, "tags")


@pytest.mark.parametrize("cell", ["a\tb", "a\nb", "a\r", "", "\ud800"], ids=repr)
def test_tokens_and_tags_that_do_not_fit_into_a_line(desk, cell):
    desk.script(TAGS)
    for tokens, tags in (([cell], ["X"]), (["a"], [cell])):
        message = desk.refused([["b"], tokens], [["Y"], tags], "tags", kind=InputError)
        assert "must fit into" in message


@pytest.mark.parametrize("item", ["\ud800", object(), {1: object()}, b"x"])
def test_items_that_do_not_fit_into_a_file(desk, item):
    desk.script(LABELS)
    assert "must fit into" in desk.refused(["a", item], ["x", "y"], kind=InputError)


# --- settings -----------------------------------------------------------------


def refused(**settings):
    with pytest.raises(SettingError) as caught:
        CommandSystem(**({"predict": ["x", *FIELDS]} | settings))
    return str(caught.value)


@pytest.mark.parametrize(
    "words", ["x {test}", 3, None, [3], ["a\x00"], [["x"]]], ids=repr
)
@pytest.mark.parametrize("name", ["predict", "train"])
def test_words_must_be_texts(name, words):
    assert f"{name} must be a list of texts; got" in refused(**{name: words})


def test_there_must_be_a_command():
    assert "predict must have at least one word" in refused(predict=[], train=FIELDS)


def test_commands_need_not_learn():
    assert CommandSystem(["x", "{test}", "{predictions}"]).train == ()


@pytest.mark.parametrize("field", ["test", "predictions"])
def test_places_must_go_somewhere(field):
    words = ["x", *(p for p in FIELDS if p != f"{{{field}}}")]
    assert f"must say where {{{field}}} goes" in refused(predict=words)
    assert f"{{{field}}}" in refused(predict=[*words, f"{{{{{field}}}}}"])
    CommandSystem(["x", *words], train=["y", f"{{{field}}}"])


@pytest.mark.parametrize(
    "word",
    ["{", "}", "{}", "{0}", "{x}", "{test.x}", "{test[0]}", "{test!r}", "{seed:05d}"],
)
def test_braces_that_are_no_places(word):
    for name in ("predict", "train"):
        message = refused(**{name: ["x", *FIELDS, word]})
        assert message.startswith(f"{name} must ")
        assert repr(word) in message
        assert "Write {{ and }} for braces" in message


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), "x", None, [1]])
def test_time_limits(limit):
    message = refused(time_limit=limit)
    assert message == f"time_limit must be seconds above 0; got {limit!r}."


@pytest.mark.parametrize("files", ["x.txt", 3, [3], ["no-such-file"], ["."]], ids=repr)
def test_files_must_exist(files):
    assert "files must be" in refused(files=files)


@pytest.mark.parametrize("table", ["x", 3, ["A"], {"A": 1}, {1: "a"}, None], ids=repr)
def test_environments_must_be_texts(table):
    assert "environment must be" in refused(environment=table)


# --- fingerprints -------------------------------------------------------------


def test_everything_that_makes_the_system_counts(desk):
    desk.script(LABELS)
    (desk.folder / "more.txt").write_text("more")
    commands = [
        desk.command(),
        desk.command([*PYTHON, "-v"]),
        desk.command(train=["sh"]),
        desk.command(train=["sh", "-v"]),
        desk.command(environment={"A": "1"}),
        desk.command(environment={"A": "2"}),
        desk.command(scheme="iob2"),
        desk.command(files=["more.txt"]),
        desk.command(["sh", *PYTHON[1:]]),
        desk.command(PYTHON[1:], train=PYTHON[:1]),
    ]
    assert len({command.digest() for command in commands}) == len(commands)
    assert desk.command(time_limit=5).digest() == desk.command().digest()
    assert desk.command(tuple(PYTHON)).digest() == desk.command().digest()


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["sh", "part.txt", *FIELDS], {}),
        (["./part.txt", *FIELDS], {}),
        (["sh", "{folder}/part.txt", *FIELDS], {}),
        (["sh", "--model=part.txt", *FIELDS], {}),
        (["sh", *FIELDS], {"train": ["sh", "part.txt"]}),
        (["sh", *FIELDS], {"files": ["part.txt"]}),
        (["sh", *FIELDS], {"files": ["{folder}/part.txt"]}),
    ],
)
def test_a_changed_file_is_another_system(desk, words, settings):
    part = desk.folder / "part.txt"
    part.write_text("one")
    before = desk.command(words, **settings).digest()
    (desk.folder / "unrelated.txt").write_text("one")
    assert desk.command(words, **settings).digest() == before
    part.write_text("two")
    assert desk.command(words, **settings).digest() != before
    part.write_text("one")
    assert desk.command(words, **settings).digest() == before


def test_what_a_python_script_imports_counts(desk):
    (desk.folder / "helper.py").write_text("x = 1")
    (desk.folder / "unrelated.py").write_text("x = 1")
    desk.script("import helper\n" + LABELS)
    before = desk.command().digest()
    (desk.folder / "unrelated.py").write_text("x = 2")
    assert desk.command().digest() == before
    (desk.folder / "helper.py").write_text("x = 2")
    assert desk.command().digest() != before


def test_where_the_study_lies_does_not_count(desk, tmp_path_factory):
    other = Desk(tmp_path_factory.mktemp("other"))
    words = ["sh", "{folder}/script.py", *FIELDS]
    digests = {each.script(LABELS).command(words).digest() for each in (desk, other)}
    assert len(digests) == 1


def test_files_that_change_during_a_run_are_refused(desk):
    pinned = desk.script(LABELS).command().pinned()
    before = pinned.digest()
    assert before == desk.command().digest()
    pinned.make(0, "labels")
    desk.script(TAGS)
    assert pinned.digest() == before
    with pytest.raises(LikelierError, match=r"script.* must not change during a run"):
        pinned.make(0, "labels")


def test_commands_can_be_sent_to_workers(desk):
    pinned = desk.script(LABELS).command(environment={"A": "1"}).pinned()
    again = pickle.loads(pickle.dumps(pinned))
    assert again == pinned
    assert again.digest() == pinned.digest()
    assert os.fspath(again.folder) == os.fspath(desk.folder)
