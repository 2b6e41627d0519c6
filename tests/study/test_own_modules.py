"""Code by its name: what is found, what it is made of, and what is refused."""

import importlib
import sys
import textwrap
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import FEW

from likelier.errors import LikelierError, SettingError
from likelier.study.own_modules import distributions, load, sources, version_of
from likelier.study.systems import NamedSystem

# A module keeps its name in this process: each folder has names of its own.
_numbers = count()


class Code:
    """Modules in a folder, with names that no other test has."""

    def __init__(self, folder):
        self.folder, self.mark = folder, f"src{next(_numbers)}"

    def write(self, **files):
        """Write modules; ``__`` parts folders, ``@`` stands for the mark."""
        for name, text in files.items():
            path = self.folder / f"{self.named(name.replace('__', '/'))}.py"
            if name.endswith("_init"):
                path = path.with_name("__init__.py")
            path.parent.mkdir(parents=True, exist_ok=True)
            text = text if isinstance(text, bytes) else textwrap.dedent(text).encode()
            path.write_bytes(text.replace(b"@", self.mark.encode()))
        return self

    def named(self, name):
        return f"{self.mark}_{name}"

    def load(self, name):
        module, _, _ = self.named(name).partition(":")
        return load(self.named(name), self.folder, sources(module, self.folder).files)

    def sources(self, name):
        return sources(self.named(name), self.folder)

    def files(self, name):
        return {f.removeprefix(f"{self.mark}_") for f in self.sources(name).files}

    def digest(self, name):
        return NamedSystem(self.named(name), folder=self.folder).digest()


@pytest.fixture
def code(tmp_path):
    before = list(sys.path)
    yield Code(tmp_path)
    sys.path[:] = before


@pytest.fixture
def other(tmp_path_factory, code):
    """Another study, whose modules have the same names."""
    made = Code(tmp_path_factory.mktemp("other"))
    made.mark = code.mark
    return made


def refused(call, *args, kind=SettingError, **settings):
    with pytest.raises(kind) as caught:
        call(*args, **settings)
    return str(caught.value)


# --- what is found ------------------------------------------------------------


def test_objects_of_a_module(code):
    code.write(m="x = 1\nclass A:\n  class B:\n    y = 2\n")
    assert code.load("m:x") == 1
    assert code.load("m:A").__name__ == "A"
    assert code.load("m:A.B.y") == 2


def test_installed_modules():
    assert load("os:path.join", None, {}).__name__ == "join"
    assert load("sklearn.svm:LinearSVC", None, {}).__name__ == "LinearSVC"


def test_packages_with_relative_imports(code):
    code.write(
        p__init="from .one import x\n",
        p__one="from . import two\nfrom .deep.three import z\nx = two.y + z\n",
        p__two="y = 1\n",
        p__deep__init="",
        p__deep__three="from ..two import y\nfrom . import four\nz = y + four.w\n",
        p__deep__four="w = 10\n",
        p__unused="",
    )
    assert code.load("p:x") == 12
    assert code.load("p.deep.three:z") == 11
    wanted = {"p", "p.one", "p.two", "p.deep", "p.deep.three", "p.deep.four"}
    assert code.files("p") == wanted
    assert code.files("p.deep.four") == wanted


def test_namespace_packages(code):
    code.write(space__m="from @_space import n\nx = n.y\n", space__n="y = 3\n")
    assert code.load("space.m:x") == 3
    assert code.files("space.m") == {"space.m", "space.n"}


IMPORTS = {
    "plain": "import @_b\nx = @_b.v",
    "renamed": "import @_b as c\nx = c.v",
    "from": "from @_b import v as x",
    "star": "from @_b import *\nx = v",
    "several": "import os, @_b, json\nx = @_b.v",
    "inside a function": "def f():\n    import @_b\n    return @_b.v\nx = f()",
    "inside a class": "class A:\n    from @_b import v\nx = A.v",
    "tried": "try:\n    from @_b import v as x\nexcept ImportError:\n    x = None",
    "deep": "import @_p.q.r\nx = @_p.q.r.v",
    "module from a package": "from @_p.q import r\nx = r.v",
    "through another": "from @_c import x",
    "in a circle": "import @_d\nfrom @_b import v as x\n",
}


@pytest.mark.parametrize("text", IMPORTS.values(), ids=list(IMPORTS))
def test_a_change_in_an_imported_module_is_another_system(code, text):
    code.write(
        a=text,
        b="v = 1",
        c="from @_b import v as x",
        d="import @_a\n",
        p__init="",
        p__q__init="",
        p__q__r="from @_b import v",
        unrelated="v = 1",
    )
    assert code.load("a:x") == 1
    before = code.digest("a:x")
    assert code.digest("a:x") == before
    code.write(unrelated="v = 2")
    assert code.digest("a:x") == before
    code.write(b="v = 2")
    assert code.digest("a:x") != before
    assert code.load("a:x") == 2


def test_the_name_of_the_object_and_the_settings_count(code):
    code.write(a="class A: pass\nclass B: pass\n")
    digests = {
        NamedSystem(code.named(name), settings, code.folder, scheme).digest()
        for name in ("a:A", "a:B")
        for settings in ({}, {"n": 1}, {"n": 2}, {"n": "1"}, {"n": [1, {"k": None}]})
        for scheme in (None, "iob2")
    }
    assert len(digests) == 20


def test_where_the_study_lies_does_not_count(code, other):
    for each in (code, other):
        each.write(a="import @_b\nx = 1", b="y = 1")
    assert code.digest("a:x") == other.digest("a:x")


def test_names_in_comments_and_texts_are_no_imports(code):
    code.write(a='"""import @_b"""\n# import @_b\nx = "import @_b"', b="")
    assert code.files("a") == {"a"}


@FEW
@given(st.data())
def test_all_modules_that_can_be_reached_count_and_no_others(tmp_path_factory, data):
    code = Code(tmp_path_factory.mktemp("graph"))
    names = [f"m{i}" for i in range(6)]
    edges = {n: data.draw(st.sets(st.sampled_from(names), max_size=3)) for n in names}
    for name, targets in edges.items():
        lines = [f"import {code.named(t)}" for t in sorted(targets)]
        code.write(**{name: "\n".join(lines)})
    reached, waiting = set(), ["m0"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += edges[name]
    assert code.files("m0") == reached


DEFINED = {
    "assigned": "A = 1",
    "annotated": "A: int = 1",
    "walrus": "(A := 1)",
    "unpacked": "B, *A = 2, 1",
    "conditional": "if True:\n    A = 1\nelse:\n    B = 2",
    "with": "import contextlib\nwith contextlib.nullcontext(1) as A: pass",
    "loop": "for A in (2, 1): pass",
    "imported": "from math import pi as A",
    "module": "import math as A",
    "star": "from math import *\nfrom @_more import *",
    "asked for": "def __getattr__(name): return 1",
    "globals": "globals()['A'] = 1",
    "set": "import sys\nsetattr(sys.modules[__name__], 'A', 1)",
    "executed": "exec('A = 1')",
}


@pytest.mark.parametrize("text", DEFINED.values(), ids=list(DEFINED))
def test_names_may_come_about_in_any_way(code, text):
    code.write(a=text, more="A = 1")
    assert NamedSystem(code.named("a:A"), folder=code.folder).digest()
    assert code.load("a:A")


def test_folders_of_odd_names(tmp_path):
    folder = tmp_path / "ü. x-y"
    folder.mkdir()
    code = Code(folder).write(a="x = 1")
    link = tmp_path / "link"
    link.symlink_to(folder)
    other = Code(link)
    other.mark = code.mark
    assert code.load("a:x") == other.load("a:x") == 1
    assert code.digest("a:x") == other.digest("a:x")


# --- packages -----------------------------------------------------------------


def test_installed_packages_are_named(code):
    code.write(
        a="import numpy.linalg, json\nfrom sklearn.svm import SVC\nimport @_b\nx = 1",
        b="def f():\n  import pandas as pd",
    )
    assert code.sources("a").packages == ("numpy", "pandas", "scikit-learn")
    assert sources("sklearn.svm", None).packages == ("scikit-learn",)
    assert sources("json", None).packages == ()


def test_versions():
    assert version_of("numpy") == importlib.import_module("numpy").__version__
    assert version_of("no-such-package") == "missing"
    assert distributions([]) == ()
    assert distributions(["sklearn", "numpy", "nowhere"]) == ("numpy", "scikit-learn")


def test_the_version_of_an_installed_system_counts(monkeypatch):
    system = NamedSystem("sklearn.svm:LinearSVC")
    before = system.digest()
    monkeypatch.setattr("likelier.study.systems.version_of", lambda name: "0.0.1")
    assert system.digest() != before


def test_packages_of_ones_own_modules_do_not_count(code, monkeypatch):
    code.write(a="import numpy\nx = 1")
    before = code.digest("a:x")
    monkeypatch.setattr("likelier.study.systems.version_of", lambda name: "0.0.1")
    assert code.digest("a:x") == before


# --- names that clash, code that changes --------------------------------------


def test_two_studies_with_modules_of_the_same_name(code, other):
    code.write(a="import @_b\nx = @_b.v", b="v = 'first'")
    other.write(a="import @_b\nx = @_b.v", b="v = 'second'")
    assert [each.load("a:x") for each in (code, other, code)] == [
        "first",
        "second",
        "first",
    ]


def test_two_studies_with_helpers_of_the_same_name(code, other):
    code.write(a="import @_b\nx = @_b.v", b="v = 'first'")
    other.write(c="import @_b\nx = @_b.v", b="v = 'second'")
    assert code.load("a:x") == "first"
    assert other.load("c:x") == "second"


def test_a_study_has_not_the_modules_of_another(code, other):
    code.write(a="x = 1")
    other.write(b="x = 1")
    assert code.load("a:x") == 1
    assert other.load("b:x") == 1
    assert "must be found" in refused(other.load, "a:x")


def test_code_that_was_changed_is_loaded_anew(code):
    code.write(a="import @_b\nx = @_b.v", b="v = 1")
    assert code.load("a:x") == 1
    # Of the same length, in the same second: Python's own cache would not see it.
    code.write(b="v = 2")
    assert code.load("a:x") == 2
    code.write(a="import @_b\nx = -@_b.v")
    assert code.load("a:x") == -2


def test_code_that_changes_during_a_run_is_refused(code):
    code.write(a="class A:\n  def fit(s, x, y): pass\n  def predict(s, x): return x\n")
    pinned = NamedSystem(code.named("a:A"), folder=code.folder).pinned()
    before = pinned.digest()
    assert pinned.make(0, "labels").predict([1]) == [1]
    code.write(
        a="class A:\n  def fit(s, x, y): pass\n  def predict(s, x): return [2]\n"
    )
    assert pinned.digest() == before
    sys.modules.pop(code.named("a"))
    assert "must not change during a run" in refused(pinned.make, 0, "labels")


def test_loose_modules_beside_no_study_count_too(code, monkeypatch):
    code.write(a="import @_b\nx = 1", b="v = 1")
    monkeypatch.syspath_prepend(code.folder)
    before = NamedSystem(code.named("a:x")).digest()
    code.write(b="v = 2")
    assert NamedSystem(code.named("a:x")).digest() != before


@pytest.mark.parametrize("name", ["json", "random", "sklearn", "numpy", "likelier"])
def test_modules_that_hide_installed_ones_are_refused_or_used(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("x = 1")
    before = sys.modules.get(name)
    message = refused(
        lambda: NamedSystem(f"{name}:x", folder=tmp_path).make(0, "labels")
    )
    assert name in message
    assert sys.modules.get(name) is before


def test_a_package_comes_before_a_module_as_in_python(code):
    code.write(a="x = 'module'", a__init="x = 'package'")
    assert code.load("a:x") == "package"
    before = code.digest("a:x")
    code.write(a__init="x = 'changed'")
    assert code.digest("a:x") != before


# --- what is refused ----------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "", ":", "a", "a:", ":a", "a.:b", ".a:b", "a..b:c", "a:b.", "a:.b", "a:b:c",
        "a b:c", "a/b:c", "../a:b", "a\x00b:c", "1a:b", 3, None, ["a:b"], b"a:b",
    ],
    ids=repr,
)  # fmt: skip
def test_names_that_are_none(tmp_path, target):
    message = refused(load, target, tmp_path, {}, kind=LikelierError)
    assert repr(target).replace("\\", "") in message.replace("\\", "")
    refused(NamedSystem, target, folder=tmp_path, kind=LikelierError)


def test_missing_modules_and_attributes_are_named(code):
    code.write(a="class A: pass")
    assert f"in {code.folder} or among packages" in refused(code.load, "zzz:x")
    assert "has no 'x'" in refused(code.load, "a:x")
    assert "has no 'b'" in refused(code.load, "a:A.b")
    assert "among packages" in refused(load, "no_such_module_here:x", None, {})


def test_a_missing_import_is_named(code):
    code.write(a="import no_such_module_here\nx = 1")
    assert "No module named 'no_such_module_here'" in refused(code.load, "a:x")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise ValueError('odd')", "ValueError: odd"),
        ("import sys\nsys.exit(0)", "SystemExit"),
        ("from os import nothing_of_this_name", "ImportError"),
        ("def f():\n  return f()\nf()", "RecursionError"),
    ],
    ids=["division", "value", "exit", "import", "recursion"],
)
def test_modules_that_fail_are_refused(code, text, wanted):
    code.write(a=text + "\nx = 1")
    assert wanted in refused(code.load, "a:x")
    # It is tried again, once it is mended.
    code.write(a="x = 1")
    assert code.load("a:x") == 1


@pytest.mark.parametrize(
    "text", ["def (", "x = 1\n  y = 2", b"x = '\xff'", b"x = 1\x00", "'"], ids=repr
)
@pytest.mark.parametrize("name", ["a", "b"])
def test_modules_that_are_no_python_are_named(code, text, name):
    code.write(a="import @_b\nx = 1", b="")
    code.write(**{name: text})
    for call in (code.load, code.digest):
        message = refused(call, "a:x")
        assert f"{code.named(name)}.py must be Python" in message


def test_sources_in_other_encodings(code):
    code.write(a="# coding: latin-1\nx = 'é'".encode("latin-1"))
    assert code.load("a:x") == "é"
    assert code.files("a") == {"a"}
