"""Studies from TOML: every key, and a message that names the place of every mistake."""

import gzip
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import FEW

from likelier.errors import InputError, LikelierError
from likelier.study import CommandSystem, NamedSystem, StudyData, read_toml
from likelier.study.config import StudyFile

_numbers = count()
MODULE = """
from likelier.errors import InputError
from likelier.study import StudyData

got = []

def mail(n=16, **settings):
    got.append(settings)
    return StudyData([f"text {i}" for i in range(n)], ["a", "b"] * (n // 2))

def at(path, **settings):
    got.append({"path": path} | settings)
    return mail()

def pair():
    return ["x"] * 8, ["a", "b"] * 4

def chunks():
    return StudyData([["x", "y"]] * 8, [["B", "I"]] * 8, "chunks", scheme="iob2")

def truths():
    return ["x"] * 8, [True, False] * 4

def numbers():
    return ["x"] * 8, [0, 1] * 4

def empty(): return StudyData([], [])
def number(): return 3
def nothing(): return None
def listed(): return [["x"] * 8, ["a", "b"] * 4]
def lost(): raise FileNotFoundError(2, "No such file", "corpus.txt")
def bad(): raise ValueError("odd line")
def silent(): raise KeyError
def exits(): raise SystemExit(0)
def named_error(): raise InputError("The corpus must be whole.", hint="Get it again.")

class System:
    def __init__(self, **settings): self.settings = settings
    def fit(self, inputs, gold): return self
    def predict(self, inputs): return ["a"] * len(inputs)

three = 3
"""
STUDY = {
    "top": "seed = 3\n",
    "design": '[design]\nname = "mx2"\n',
    "data": '[data.mail]\nloader = "@:mail"\n',
    "systems": '[systems.s]\nobject = "@:System"\n',
}


class Desk:
    """A folder with a module, and studies as text."""

    def __init__(self, folder):
        self.folder, self.module = folder, f"config_{next(_numbers)}"
        (folder / f"{self.module}.py").write_text(MODULE)
        self.toml = folder / "study.toml"

    def write(self, **parts):
        """Write a study; `parts` replace parts of it."""
        heads = {"data": "[data.mail]\n", "systems": "[systems.s]\n"}
        heads["design"] = "[design]\n"
        tables = STUDY | {
            name: part
            if name == "top" or part.strip()[:1] in "[#"
            else heads[name] + part
            for name, part in parts.items()
        }
        text = "\n".join(tables.values())
        self.toml.write_text(text.replace("@", self.module), encoding="utf-8")
        return self.toml

    def read(self, let=None, **parts):
        return read_toml(self.write(**parts), let=let)

    def got(self):
        """Give what the loaders were called with."""
        return sys.modules[self.module].got

    def refused(self, let=None, **parts):
        """Read what must be refused, down to its plan, and give the message."""
        self.write(**parts)
        with pytest.raises(LikelierError) as caught:
            assert read_toml(self.toml, let=let).schedule
        message = str(caught.value)
        assert str(self.toml) in message, message
        assert message.count(str(self.toml)) == 1, message
        assert "\n" not in message.partition("\n\nHint: ")[0]
        return message.replace(str(self.folder), "HERE").replace(self.module, "@")


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


# --- what works ---------------------------------------------------------------


def test_the_least_study(desk):
    study = desk.read(top="", design="# none")
    assert study.name == "study"
    assert study.seed == 0
    assert study.metrics == ("accuracy",)
    assert (study.rope, study.positive, study.mass) == (None, None, 0.95)
    assert study.design.described() == "3x2 blocked stratified seed 0"
    assert list(study.datasets) == ["mail"]
    assert list(study.systems) == ["s"]
    assert len(study.schedule.folds) == 6


def test_every_key(desk):
    study = desk.read(
        top="""
        name = "mails"
        seed = 5
        rope = [-0.01, 0.02]
        mass = 0.9
        metrics = ["f1", "accuracy"]
        positive = "a"
        store = "here.db"
        """,
        design='name = "repeated"\nk = 4\nrepeats = 2\nstratify = false\n',
        systems="""
        [systems.second]
        object = "@:System"
        [systems.first]
        object = "@:System"
        settings = { n = 3, deep = { list = [1, { x = 2.5 }] } }
        """,
    )
    assert (study.name, study.seed, study.mass) == ("mails", 5, 0.9)
    assert study.metrics == ("f1", "accuracy")
    assert study.positive == "a"
    assert study.schedule.rope == (-0.01, 0.02)
    assert (study.design.k, study.design.repeats, study.design.seed) == (4, 2, 5)
    assert study.design.stratify is False
    assert list(study.systems) == ["second", "first"]
    assert study.systems["first"].settings["deep"] == {"list": [1, {"x": 2.5}]}
    assert study.systems["first"].folder == desk.folder
    assert StudyFile.read(desk.toml).store == desk.folder / "here.db"


DESIGNS = {
    '"mx2"': ("3x2 blocked", 6),
    '"mx2"\nm = 2': ("2x2 blocked", 4),
    '"kfold"\nk = 4': ("4-fold", 4),
    '"repeated"\nk = 2\nrepeats = 3': ("3x2", 6),
    '"5x2"': ("5x2", 10),
    '"train-dev-test"\nshares = [0.5, 0.0, 0.5]': ("train-dev-test", 1),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_designs(desk, name):
    words, folds = DESIGNS[name]
    study = desk.read(design=f"name = {name}\n")
    assert study.design.described().startswith(words)
    assert study.design.seed == 3
    assert len(study.schedule.folds) == folds


def test_loaders_get_their_settings_and_paths_from_the_folder(desk, monkeypatch):
    monkeypatch.chdir("/")
    desk.read(data='loader = "@:at"\npath = "sub/x.txt"\nn = 3\nday = 2020-01-02\n')
    (got,) = [call for call in desk.got() if "path" in call]
    assert got["path"] == desk.folder / "sub" / "x.txt"
    assert isinstance(got["path"], Path)
    assert got["n"] == 3
    assert got["day"].isoformat() == "2020-01-02"
    desk.read(data='loader = "@:at"\npath = "/elsewhere/x.txt"\n')
    assert desk.got()[-2]["path"] == Path("/elsewhere/x.txt")


def test_loaders_may_give_inputs_and_labels(desk):
    (data,) = desk.read(data='loader = "@:pair"\n').datasets.values()
    assert isinstance(data, StudyData)
    assert len(data) == 8


def test_relative_paths_of_the_file_itself(desk, monkeypatch):
    desk.write()
    monkeypatch.chdir(desk.folder)
    study = read_toml("study.toml")
    assert study.systems["s"].folder == desk.folder
    assert StudyFile.read("study.toml").store == Path("study.db")


def test_readers(desk):
    (desk.folder / "deep").mkdir()
    (desk.folder / "deep/t.csv").write_text("body,label,doc\nx,a,1\ny,b,2\n")
    lines = "x B-n\ny I-n\n\nz O\n\n"
    (desk.folder / "deep/c.conll.gz").write_bytes(gzip.compress(lines.encode()))
    (desk.folder / "deep/s.txt").write_text("ab c\nd\n")
    table = 'reader = "table"\npath = "deep/t.csv"\ninput = "body"\ngold = "label"\n'
    (data,) = desk.read(data=table + 'groups = "doc"\n').datasets.values()
    assert (data.inputs, data.gold, data.groups) == (["x", "y"], ["a", "b"], ["1", "2"])
    several = table.replace('"body"', '["doc", "body"]')
    assert desk.read(data=several).datasets["mail"].inputs == [["1", "x"], ["2", "y"]]
    chunks = 'reader = "chunks"\npath = "deep/c.conll.gz"\nscheme = "iob2"\n'
    assert desk.read(data=chunks).datasets["mail"].gold == [["B-n", "I-n"], ["O"]]
    tags = 'reader = "tags"\npath = "deep/c.conll.gz"\ncolumn = -1\ntoken = 0\n'
    assert desk.read(data=tags).datasets["mail"].inputs == [["x", "y"], ["z"]]
    words = 'reader = "segmented"\npath = "deep/s.txt"\n'
    assert desk.read(data=words).datasets["mail"].gold == [["B", "E", "S"], ["S"]]


def test_commands(desk):
    study = desk.read(
        systems="""
        train = ["sh", "run.sh", "{train}", "{model}", "${flag}"]
        predict = ["./run", "{model}", "{test}", "{predictions}"]
        time_limit = 5
        files = ["more.txt"]
        environment = { LANG = "C" }
        scheme = "iobes"
        """.replace('files = ["more.txt"]', f'files = ["{desk.module}.py"]'),
        top='[let]\nflag = "-v"\n',
        data='loader = "@:chunks"\n',
    )
    command = study.systems["s"]
    assert isinstance(command, CommandSystem)
    assert list(command.train)[-1] == "-v"
    assert command.time_limit == 5
    assert command.environment == {"LANG": "C"}
    assert (command.scheme, command.folder) == ("iobes", desk.folder)


def test_files_of_systems_count(desk):
    part = desk.folder / "model.bin"
    part.write_text("one")
    text = 'object = "@:System"\nfiles = ["model.bin"]\n'
    before = desk.read(systems=text).schedule.folds[0].fingerprint
    assert desk.read(systems=text).schedule.folds[0].fingerprint == before
    part.write_text("two")
    assert desk.read(systems=text).schedule.folds[0].fingerprint != before
    part.unlink()
    assert "model.bin" in desk.refused(systems=text)


def test_dates_and_numbers_in_settings(desk):
    text = """
    object = "@:System"
    settings = { day = 2020-01-01, at = 2020-01-01T00:00:00Z, time = 01:02:03, x = inf }
    """
    one = desk.read(systems=text).schedule.folds[0].fingerprint
    assert desk.read(systems=text).schedule.folds[0].fingerprint == one
    other = text.replace("2020-01-01,", "2020-01-02,")
    assert desk.read(systems=other).schedule.folds[0].fingerprint != one


# --- let ----------------------------------------------------------------------

LET = '[let]\nwhere = "sub"\nunused = "x"\n'
WITH_LET = """
loader = "@:at"
path = "${where}/x.txt"
more = ["${where}", { y = "a${where}" }]
"""


def test_let(desk):
    desk.read(top=LET, data=WITH_LET)
    got = desk.got()[-2]
    assert got["path"] == desk.folder / "sub" / "x.txt"
    assert got["more"] == ["sub", {"y": "asub"}]


def test_let_from_outside(desk):
    desk.read(top=LET, data=WITH_LET, let={"where": "/other"})
    assert desk.got()[-2]["path"] == Path("/other/x.txt")
    desk.read(top="", data=WITH_LET, let={"where": "new"})
    assert desk.got()[-2]["path"] == desk.folder / "new" / "x.txt"


def test_dollars_that_are_none_of_ours(desk):
    text = "$HOME $1 ${ } $${HOME} a$ {x}"
    desk.read(
        data=f'loader = "@:at"\npath = "x"\nmore = "{text.replace("${ }", "")}"\n'
    )
    assert desk.got()[-2]["more"] == "$HOME $1  ${HOME} a$ {x}"


def test_let_in_the_name_of_the_store(desk):
    desk.write(top='store = "${where}/s.db"\n' + LET)
    assert StudyFile.read(desk.toml).store == desk.folder / "sub" / "s.db"


def test_let_that_is_not_known(desk):
    assert "where" in desk.refused(top="", data=WITH_LET)
    assert "'wher'" in desk.refused(let={"wher": "x"}, top=LET, data=WITH_LET)
    assert "'zz'" in desk.refused(let={"zz": "x"})
    assert "${}" in desk.refused(top='name = "${}"\n')
    for message in (
        desk.refused(top='name = "${zz}"\n'),
        desk.refused(let={"zz": "x"}),
    ):
        assert "one of ;" not in message


# --- what is refused ----------------------------------------------------------

TOP = {
    "nonsense = 1": "key must be one of data, design",
    "sed = 1": "Did you mean seed?",
    'rope = "x"': "rope must be",
    "rope = -1": "rope must be",
    "rope = [0.1]": "rope must be",
    "rope = [0.1, 0.2]": "rope must be",
    "rope = true": "rope must be",
    "rope = nan": "rope must be",
    "rope = { low = 1 }": "rope must be",
    "mass = 2": "mass must lie",
    'mass = "x"': "mass must",
    "mass = [0.9]": "mass must",
    "metrics = []": "metrics must be",
    "metrics = 3": "metrics must be",
    "metrics = { a = 1 }": "metric",
    'metrics = ["zz"]': "metric must be one of",
    "metrics = [1]": "metric must be one of",
    'metrics = ["accuracy", "accuracy"]': "metrics must be different",
    'metrics = ["token_accuracy"]': "token_accuracy must have tags",
    "seed = -1": "seed must be",
    'seed = "a"': "seed must be",
    "seed = 1.5": "seed must be",
    "seed = true": "seed must be",
    "seed = [1]": "seed must be",
    "let = 3": "let must be a table",
}


@pytest.mark.parametrize("text", TOP)
def test_mistakes_at_the_top(desk, text):
    assert TOP[text] in desk.refused(top=text + "\n")


@pytest.mark.parametrize("key", ["data", "systems", "design"])
@pytest.mark.parametrize("value", ["3", '"x"', "[]", "[{ name = 1 }]", "2020-01-01"])
def test_tables_must_be_tables(desk, key, value):
    message = desk.refused(top=f"{key} = {value}\n", **{key: "# none"})
    assert "must be a table; got" in message
    assert key in message


@pytest.mark.parametrize("key", ["data", "systems"])
def test_tables_within_must_be_there_and_be_tables(desk, key):
    wanted = f"must have at least one table [{key}.NAME]"
    assert wanted in desk.refused(**{key: "# none"})
    assert wanted in desk.refused(**{key: f"[{key}]\n"})
    message = desk.refused(**{key: f"[{key}]\nmail = 3\n"})
    assert f"[{key}.mail] must be a table; got 3" in message


BAD_DESIGNS = {
    'name = "foo"': "name must be one of 5x2, kfold, mx2, repeated, train-dev-test",
    "name = 3": "name must be one of 5x2",
    'name = ["mx2"]': "name must be one of 5x2",
    'name = "mx2"\nk = 3': "setting of mx2 must be one of m, stratify; got 'k'",
    'name = "mx2"\nrng = 3': "setting of mx2 must be one of",
    'name = "5x2"\nk = 2': "setting of 5x2 must be one of stratify",
    'name = "mx2"\nm = 0': "m must be a whole number of at least 1; got 0",
    'name = "mx2"\nm = "x"': "m must be a whole number",
    'name = "mx2"\nm = 1.5': "m must be a whole number",
    'name = "kfold"\nk = 1': "k must be a whole number of at least 2; got 1",
    'name = "kfold"\nk = [2]': "k must be a whole number",
    'name = "repeated"\nrepeats = 0': "repeats must be a whole number",
    'name = "train-dev-test"\nshares = 3': "shares must be",
    'name = "train-dev-test"\nshares = "abc"': "shares must be",
    'name = "train-dev-test"\nshares = [0.5, 0.5]': "shares must be",
    'name = "train-dev-test"\nshares = [0.5, 0.4, 0.4]': "shares must be",
    'name = "train-dev-test"\nshares = ["a", "b", "c"]': "shares must be",
    'name = "mx2"\nstratify = "x"': "stratify must",
    'name = "mx2"\nstratify = 3': "stratify must",
}


@pytest.mark.parametrize("text", BAD_DESIGNS)
def test_mistakes_in_designs(desk, text):
    assert BAD_DESIGNS[text] in desk.refused(design=text + "\n")


def test_data_sets_that_are_too_small_are_named(desk):
    for parts, wanted in (
        (
            {"design": 'name = "kfold"\nk = 30\n'},
            "30 folds need at least 30 items; got 16",
        ),
        ({"data": 'loader = "@:mail"\nn = 2\n'}, "3x2 needs at least 4 items; got 2"),
    ):
        study = desk.read(**parts)
        with pytest.raises(InputError, match=f"Data set 'mail': {wanted}"):
            assert study.schedule


BAD_DATA = {
    "": "There must be a reader or a loader",
    'reader = "table"\nloader = "@:mail"': "There must be a reader or a loader",
    'loader = "@:number"': "must be a StudyData, or inputs and labels",
    'loader = "@:nothing"': "must be a StudyData, or inputs and labels",
    'loader = "@:listed"': "must be a StudyData, or inputs and labels",
    'loader = "@:empty"': "There must be at least one item",
    'loader = "@:lost"': "FileNotFoundError",
    'loader = "@:bad"': "odd line",
    'loader = "@:silent"': "KeyError",
    'loader = "@:exits"': "SystemExit",
    'loader = "@:named_error"': "The corpus must be whole.\n\nHint: Get it again.",
    'loader = "@:three"': "must be a function",
    'loader = "@:zz"': "zz",
    'loader = "no_such_module:zz"': "no_such_module",
    'loader = "@"': "named as module:object",
    "loader = 3": "named as module:object",
    'loader = ["@:mail"]': "named as module:object",
    'loader = "builtins:dict"': "[data.mail]",
    'loader = "@:pair"\nfoo = 1': "must take the further settings",
    'loader = "@:at"': "missing a required argument: 'path'",
    'loader = "@:at"\npath = ["x", "y"]': "path must be",
    'reader = "table"': "must have a path",
    'reader = "zz"\npath = "x"': "reader must be one of chunks, segmented, table, tags",
    'reader = ["table"]\npath = "x"': "reader must be one of",
    "reader = 3\npath = 'x'": "reader must be one of",
    'reader = "table"\npath = "nope.csv"': "HERE/nope.csv must be a file",
    'reader = "table"\npath = "nope.csv"\nfoo = 1': "must take the further settings",
    'reader = "tags"\npath = "nope"': "HERE/nope must be a file",
    'reader = "chunks"\npath = "nope"': "'scheme'",
    'reader = "segmented"\npath = "nope"': "HERE/nope must be",
}


@pytest.mark.parametrize("text", BAD_DATA)
def test_mistakes_in_data(desk, text):
    message = desk.refused(data=f"[data.mail]\n{text}\n")
    assert BAD_DATA[text] in message
    assert "mail" in message.replace("@:mail", "")


WORDS = 'predict = ["x", "{train}", "{test}", "{predictions}"]\n'
BAD_SYSTEMS = {
    "": "There must be an object, or commands",
    "foo = 1": "key must be one of environment, files",
    'object = "@:System"\nfoo = 1': "key must be one of files, object, scheme",
    'object = "@:System"\n' + WORDS: "got 'predict'",
    'object = "@:System"\nsettings = 3': "settings must be a table; got 3",
    'object = "@:System"\nscheme = "zz"': "scheme must be one of",
    'object = "@:System"\nscheme = 3': "scheme must be one of",
    "object = 3": "named as module:object; got 3",
    'object = ""': "named as module:object; got ''",
    'object = "@"': "named as module:object",
    'object = "@:Nope"': "Nope",
    'object = "no_such_module:S"': "no_such_module",
    'train = ["x"]': "There must be an object, or commands",
    'predict = "x"': "predict must be a list of texts",
    "predict = 3": "predict must be a list of texts",
    "predict = []": "predict must have at least one word",
    'predict = ["x", "{test}"]': "must say where {predictions} goes",
    WORDS + 'train = ["y", 3]': "train must be a list of texts",
    WORDS + "settings = { a = 1 }": "key must be one of",
    WORDS + 'time_limit = "x"': "time_limit must be seconds above 0",
    WORDS + "time_limit = 0": "time_limit must be seconds above 0",
    WORDS + "environment = { A = 1 }": "environment must be",
    WORDS + 'environment = "x"': "environment must be",
    WORDS + 'files = "x"': "files must be",
    WORDS + 'files = ["no-such-file"]': "files must be files that exist",
}


@pytest.mark.parametrize("text", BAD_SYSTEMS)
def test_mistakes_in_systems(desk, text):
    message = desk.refused(systems=f"[systems.s]\n{text}\n")
    assert BAD_SYSTEMS[text] in message
    assert "[systems.s]" in message


@pytest.mark.parametrize(
    "content",
    [b"a = = 3\n", b"[data", b'name = "\xff"\n', b"a = 1\na = 2\n", b"\x00", b"[[[["],
    ids=repr,
)
def test_files_that_are_no_toml(desk, content):
    desk.toml.write_bytes(content)
    for read in (read_toml, StudyFile.read):
        with pytest.raises(InputError) as caught:
            read(desk.toml)
        assert str(caught.value).startswith(f"{desk.toml} must be TOML; ")


def test_files_that_are_none(desk):
    for path in (desk.folder / "none.toml", desk.folder):
        with pytest.raises(InputError) as caught:
            read_toml(path)
        assert str(caught.value).startswith(f"{path} must be a file; ")


# --- names --------------------------------------------------------------------

NAMES = [
    "a b",
    "a.b",
    "ä",
    "共同",
    "😀",
    "[x]",
    "'",
    '\\"',
    "a\\nb",
    "\\u0000",
    "a/b",
    "-",
]


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_of_systems_and_data_sets(desk, name):
    data, systems = (
        STUDY["data"].replace("mail]", f'"{name}"]'),
        STUDY["systems"].replace(".s]", f'."{name}"]'),
    )
    study = desk.read(data=data, systems=systems)
    assert list(study.datasets) == list(study.systems)
    assert len({planned.fingerprint for planned in study.schedule.folds}) == 6
    assert "\n" not in repr(study)
    assert "\x00" not in repr(study)
    bad = desk.refused(data=data, systems=systems.replace("System", "Nope"))
    assert "[systems." in bad


@FEW
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6))
def test_any_name_is_kept(tmp_path_factory, name):
    desk = Desk(tmp_path_factory.mktemp("names"))
    quoted = name.replace("\\", "\\\\").replace('"', '\\"').replace("@", "at")
    systems = STUDY["systems"].replace(".s]", f'."{quoted}"]')
    assert list(desk.read(systems=systems).systems) == [name.replace("@", "at")]


def test_names_of_stores(desk):
    for text, wanted in {
        "": "study.db",
        'store = "x.sqlite"': "x.sqlite",
        'store = "sub/x.db"': "sub/x.db",
        'store = "/abs/x.db"': "/abs/x.db",
    }.items():
        desk.write(top=text + "\n")
        assert StudyFile.read(desk.toml).store == desk.folder / wanted


@pytest.mark.parametrize("value", ['""', "[]", "{}"])
def test_stores_must_be_paths(desk, value):
    desk.write(top=f"store = {value}\n")
    with pytest.raises(LikelierError, match="store must"):
        _ = StudyFile.read(desk.toml).store


@pytest.mark.parametrize("value", ['["a"]', "{}"])
@pytest.mark.parametrize("key", ["name", "positive"])
def test_names_must_be_texts(desk, key, value):
    assert f"{key} must be" in desk.refused(top=f"{key} = {value}\n")


def test_the_positive_class_is_written_as_any_label(desk):
    assert desk.read(top='positive = "a"\n').positive == "a"
    assert "positive must be one of a, b" in desk.refused(top='positive = "zz"\n')
    truths = 'loader = "@:truths"\n'
    assert desk.read(top="positive = true\n", data=truths).positive == "true"
    numbers = 'loader = "@:numbers"\n'
    assert desk.read(top="positive = 1\n", data=numbers).positive == "1"
    assert desk.read(top='positive = "1"\n', data=numbers).positive == "1"


def test_systems_are_named_not_loaded_when_the_file_is_read(desk):
    study = desk.read()
    assert isinstance(study.systems["s"], NamedSystem)
