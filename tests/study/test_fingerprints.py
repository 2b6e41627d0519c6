"""Fingerprints: equal values alike, other values apart, in every process."""

import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import json
import logging
import os
import random
import re
import signal
import subprocess
import sys
import threading
import types
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from tests.conftest import QUICK

from likelier.errors import SettingError
from likelier.study.fingerprints import digest

NUMBERS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False)
LEAVES = NUMBERS | st.text(max_size=4) | st.binary(max_size=4)
KEYS = st.text(max_size=3) | st.integers(-3, 3) | st.booleans()


def containers(inner):
    return (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.frozensets(LEAVES, max_size=3)
    )


VALUES = st.recursive(LEAVES, containers, max_leaves=8)


def spelling(value):
    """Write a value so that equal texts mean the same value of the same kind."""
    if isinstance(value, dict):
        return "dict", sorted((spelling(k), spelling(v)) for k, v in value.items())
    if isinstance(value, frozenset):
        return "set", sorted(map(spelling, value))
    if isinstance(value, list):
        return "list", *map(spelling, value)
    return type(value).__name__, repr(value)


def spelling_text(value):
    return repr(spelling(value))


def turned(value):
    """Build the same value again, with dictionaries and sets in another order."""
    if isinstance(value, dict):
        return {turned(k): turned(v) for k, v in reversed(value.items())}
    if isinstance(value, frozenset):
        return frozenset(map(turned, reversed(list(value))))
    if isinstance(value, list):
        return [turned(part) for part in value]
    return value


@QUICK
@given(VALUES)
def test_equal_values_have_one_digest(value):
    assert digest(turned(value)) == digest(value)


@QUICK
@given(st.lists(VALUES, min_size=2, max_size=6))
def test_different_values_have_different_digests(values):
    kinds = {spelling_text(value): value for value in values}
    assert len({digest(value) for value in kinds.values()}) == len(kinds)


@QUICK
@given(st.lists(st.text("ab,:1s", max_size=4), max_size=4), st.data())
def test_nothing_runs_on_from_one_text_into_the_next(texts, data):
    joined = "".join(texts)
    cut = data.draw(st.lists(st.integers(0, len(joined)), max_size=3).map(sorted))
    edges = [0, *cut, len(joined)]
    other = [joined[a:b] for a, b in pairwise(edges)]
    assert (digest(texts) == digest(other)) == (texts == other)
    assert (digest(*texts) == digest(*other)) == (texts == other)


APART = {
    "numbers and their likes": [1, 1.0, True, "1", b"1", 1 + 0j, None, [1], {1}],
    "zeros": [0, 0.0, False, "", b"", None, [], {}, frozenset()],
    "joined text": [["ab", "c"], ["a", "bc"], ["abc"], ["a", "b", "c"], "abc"],
    "nested": [[[1], 2], [1, [2]], [[1, 2]], [1, 2], [[1], [2]], [[], 1, 2]],
    "text that looks written": ["s1:a", ["s1:a"], ["l1:s1:a"], "a", ["a"], [["a"]]],
    "lengths as text": [["1", "1:"], ["1,1:"], ["1", "1", ":"], ["11", ":"]],
    "mappings": [{"a": 1}, {("a", 1)}, [("a", 1)], {"a": "1"}, {1: "a"}, {"a": None}],
    "keys": [{1: "x"}, {"1": "x"}, {1.5: "x"}, {(1,): "x"}],
    "missing": [float("nan"), None, "nan", "None", np.datetime64("NaT")],
    "infinite": [float("inf"), float("-inf"), "inf"],
    "dates": [
        datetime.date(2020, 1, 1),
        datetime.date(2020, 1, 2),
        datetime.datetime(2020, 1, 1),
        datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
        datetime.time(1, 2),
        "2020-01-01",
    ],
    "paths": [Path("a"), Path("b"), Path("a/b"), "a"],
    "ranges": [range(3), range(4), range(0, 6, 2), [0, 1, 2]],
    "decimals": [decimal.Decimal(1), decimal.Decimal(2), 1],
    "text of odd kinds": ["\ud800", "\udc00", "\x00", "\x00\x00", "\n", " "],
    "patterns": [re.compile("a"), re.compile("b"), re.compile("a", re.IGNORECASE), "a"],
    "numpy kinds": [np.dtype("f4"), np.dtype("f8"), np.float32, np.float64],
    "moments": [np.datetime64(1, "ns"), np.datetime64(1, "s"), np.int64(1)],
    "states": [
        np.random.RandomState(0),
        np.random.RandomState(1),
        np.random.default_rng(0),
        np.random.default_rng(1),
        random.Random(0),
        random.Random(1),
    ],
    "generic": [np.exp, np.log, len, sum, str.split, str.strip, str, int, re, json],
    "partials": [
        functools.partial(int, base=2),
        functools.partial(int, base=3),
        functools.partial(int, "1", base=2),
        int,
    ],
    "what a method belongs to": ["a".upper, "b".upper, {"a": 1}.get, {"a": 2}.get],
}


@pytest.mark.parametrize("values", APART.values(), ids=list(APART))
def test_values_that_must_not_be_mixed_up(values):
    digests = [digest(value) for value in values]
    assert len(set(digests)) == len(values)


ALIKE = {
    "list and tuple": ([1, "a"], (1, "a")),
    "numpy numbers": (1, np.int64(1)),
    "numpy floats": (0.5, np.float32(0.5)),
    "numpy truth": (True, np.True_),
    "numpy text": ("a", np.str_("a")),
    "lists of numpy text": (["a", "bc"], list(np.array(["a", "bc"]))),
    "lists of numpy numbers": ([1, 2], list(np.array([1, 2]))),
    "missing": ([float("nan")], [np.float64("nan")]),
    "text arrays": (["a", "bc"], np.array(["a", "bc"])),
    "objects": (["a", "bc"], np.array(["a", "bc"], dtype=object)),
    "widths of text": (np.array(["a"]), np.array(["a"], dtype="U9")),
    "mapping order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "counter order": (
        collections.Counter(a=1, b=2),
        collections.Counter({"b": 2, "a": 1}),
    ),
    "default order": (
        collections.defaultdict(int, a=1, b=2),
        collections.defaultdict(int, b=2, a=1),
    ),
    "set order": ({"a", "b", "c"}, {"c", "b", "a"}),
    "paths": (Path("a") / "b", Path("a/b")),
    "loggers": (logging.getLogger("x"), logging.getLogger("x")),
    "patterns": (re.compile("a+"), re.compile("a+")),
    "proxies": (
        types.MappingProxyType({"a": 1, "b": 2}),
        types.MappingProxyType({"b": 2, "a": 1}),
    ),
}


@pytest.mark.parametrize("pair", ALIKE.values(), ids=list(ALIKE))
def test_values_that_are_the_same(pair):
    assert digest(pair[0]) == digest(pair[1])


def test_a_path_stays_what_it_is_when_it_is_used():
    used, fresh = Path("a/b"), Path("a/b")
    str(used), hash(used), used.parts
    assert digest(used) == digest(fresh)


# --- arrays, matrices and frames ----------------------------------------------


@QUICK
@given(
    st.sampled_from(["i1", "i4", "i8", "u2", "f4", "f8", "c8", "?", "M8[s]"]),
    st.lists(st.integers(0, 100), min_size=6, max_size=6),
)
def test_how_an_array_lies_in_memory_is_irrelevant(kind, numbers):
    array = np.array(numbers).astype(kind).reshape(2, 3)
    other = [
        array.copy(order="F"),
        np.repeat(array, 2, axis=0)[::2],
        array[::-1][::-1],
        array.T.copy().T,
        array.astype(array.dtype.newbyteorder(">")),
    ]
    assert {digest(a) for a in other} == {digest(array)}
    assert digest(array.T) != digest(array)
    assert digest(array.ravel()) != digest(array)
    assert digest(array.reshape(3, 2)) != digest(array)


def test_arrays_of_other_content_shape_or_kind_differ():
    arrays = [
        np.arange(4),
        np.arange(4).astype("i4"),
        np.arange(4.0),
        np.arange(4).reshape(2, 2),
        np.arange(4).reshape(1, 4),
        np.arange(5),
        np.array(0),
        np.zeros((0, 2)),
        np.zeros((2, 0)),
        np.zeros(0),
        np.array([[1, "a"]], dtype=object),
        np.array([[1], ["a"]], dtype=object),
        np.zeros(2, dtype=[("a", "i4")]),
        np.zeros(2, dtype=[("b", "i4")]),
        np.ma.array([1, 2], mask=[0, 1]),
        np.ma.array([1, 2], mask=[0, 0]),
        np.array(["a", "b" * 50], dtype=np.dtypes.StringDType()),
        np.array(["a", "c" * 50], dtype=np.dtypes.StringDType()),
    ]
    assert len({digest(array) for array in arrays}) == len(arrays)
    assert digest(arrays[-1]) == digest(arrays[-1].copy())


MATRIX = np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]])


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_a_sparse_matrix_is_its_content(form):
    wanted = digest(sparse.csr_array(MATRIX))
    assert digest(sparse.csr_array(MATRIX).asformat(form)) == wanted
    assert digest(sparse.csr_matrix(MATRIX).asformat(form)) == wanted
    assert digest(sparse.csr_array(MATRIX.T).asformat(form)) != wanted
    assert digest(sparse.csr_array(MATRIX[:2]).asformat(form)) != wanted


def test_sparse_matrices_without_regard_to_how_they_were_made():
    rows, columns, values = [0, 0, 2, 0, 1], [2, 0, 1, 2, 1], [1.0, 1, 3, 1, 0]
    made = sparse.coo_array((values, (rows, columns)), shape=(3, 3))
    before = made.copy()
    assert digest(made) == digest(sparse.csr_array(MATRIX))
    assert (made.data == before.data).all()
    assert made.nnz == before.nnz
    loose = sparse.csr_array(([1.0, 1, 1, 3], [2, 0, 2, 1], [0, 3, 3, 4]), (3, 3))
    assert not loose.has_canonical_format
    assert digest(loose) == digest(sparse.csr_array(MATRIX))
    wide = sparse.csr_array(MATRIX)
    wide.indices, wide.indptr = wide.indices.astype("i8"), wide.indptr.astype("i8")
    assert digest(wide) == digest(sparse.csr_array(MATRIX))
    taller = sparse.csr_array(MATRIX[[0, 2, 1]])
    assert digest(taller) != digest(sparse.csr_array(MATRIX))


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
}
COLUMNS = {
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": pa.chunked_array,
    "index": pd.Index,
    "categories": pd.Categorical,
    "pandas array": pd.array,
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=list(FRAMES))
def test_frames(make):
    contents = [
        {"a": [1, 2], "b": ["x", "y"]},
        {"a": [1, 2], "b": ["x", "z"]},
        {"a": [1, 2], "c": ["x", "y"]},
        {"a": [1, 2]},
        {"b": ["x", "y"]},
        {"a": [1, 2, 3], "b": ["x", "y", "z"]},
        {"a": [2, 1], "b": ["y", "x"]},
    ]
    digests = [digest(make(content)) for content in contents]
    assert len(set(digests)) == len(contents)
    assert digests == [digest(make(content)) for content in contents]
    both, one, other = (make(contents[i]) for i in (0, 3, 4))
    assert digest(both) != digest(one, other)


@pytest.mark.parametrize("name", COLUMNS)
def test_series(name):
    def make(values):
        return COLUMNS[name]([values] if name == "pyarrow" else values)

    assert digest(make(["a", "b"])) == digest(make(["a", "b"]))
    assert digest(make(["a", "b"])) != digest(make(["a", "c"]))
    assert digest(make(["a", "b"])) != digest(make(["b", "a"]))


def test_frames_with_columns_named_by_numbers():
    frame = pd.DataFrame(MATRIX)
    assert digest(frame) == digest(pd.DataFrame(MATRIX))
    assert digest(frame) != digest(pd.DataFrame(MATRIX.T))


def test_an_index_that_was_used_is_the_same():
    index = pd.Index([3, 1, 2])
    assert index.is_unique
    assert index.get_loc(1) == 1
    assert digest(index) == digest(pd.Index([3, 1, 2]))


def test_frames_with_a_double_name_are_refused():
    with pytest.raises(SettingError, match="columns"):
        digest(pd.DataFrame(np.eye(2), columns=["a", "a"]))


# --- objects ------------------------------------------------------------------


class Plain:
    def __init__(self, **parts):
        vars(self).update(parts)


class Other(Plain):
    pass


class Slotted:
    __slots__ = ("first",)

    def __init__(self, first):
        self.first = first


class MoreSlots(Slotted):
    __slots__ = ("second",)

    def __init__(self, first, second):
        super().__init__(first)
        self.second = second


class OneSlot:
    __slots__ = "word"

    def __init__(self, word):
        self.word = word


class Kind(enum.Enum):
    ONE = 1
    TWO = 2


@dataclasses.dataclass
class Data:
    number: int = 1
    parts: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenData:
    number: int = 1


class Rows(list):
    pass


class Cells(list):
    pass


class Words(set):
    pass


OBJECTS = [
    lambda: Plain(),
    lambda: Plain(a=1),
    lambda: Plain(a=2),
    lambda: Plain(b=1),
    lambda: Plain(a="1"),
    lambda: Plain(a=Plain(b=1)),
    lambda: Plain(a=Plain(b=2)),
    lambda: Plain(a={"b": [np.arange(3)]}),
    lambda: Plain(a={"b": [np.arange(4)]}),
    lambda: Plain(where=Path("a")),
    lambda: Plain(where=Path("b")),
    lambda: Other(a=1),
    lambda: Slotted(1),
    lambda: Slotted(2),
    lambda: MoreSlots(1, 1),
    lambda: MoreSlots(2, 1),
    lambda: MoreSlots(1, 2),
    lambda: OneSlot("a"),
    lambda: OneSlot("b"),
    lambda: Kind.ONE,
    lambda: Kind.TWO,
    lambda: Data(),
    lambda: Data(2),
    lambda: Data(1, [1]),
    lambda: FrozenData(1),
    lambda: FrozenData(2),
    lambda: Rows([1]),
    lambda: Rows([2]),
    lambda: Cells([1]),
    lambda: Words("abcde"),
    lambda: Words("abcd"),
    lambda: Plain(log=logging.getLogger("one")),
    lambda: Plain(log=logging.getLogger("two")),
    lambda: Plain(state=np.random.RandomState(0)),
    lambda: Plain(state=np.random.RandomState(1)),
    lambda: LogisticRegression(),
    lambda: LogisticRegression(C=2.0),
    lambda: LogisticRegression(random_state=1),
    lambda: LogisticRegression(random_state=np.random.RandomState(1)),
    lambda: LogisticRegression(class_weight={"a": 1, "b": 2}),
    lambda: make_pipeline(CountVectorizer(), LogisticRegression()),
    lambda: make_pipeline(CountVectorizer(), LogisticRegression(C=2.0)),
    lambda: make_pipeline(CountVectorizer(ngram_range=(1, 2)), LogisticRegression()),
    lambda: make_pipeline(CountVectorizer(tokenizer=str.split), LogisticRegression()),
    lambda: make_pipeline(LogisticRegression()),
    lambda: FunctionTransformer(np.log1p),
    lambda: FunctionTransformer(np.exp),
    lambda: FunctionTransformer(lambda x: x + 1),
    lambda: FunctionTransformer(lambda x: x + 2),
    lambda: (Plain, 1),
    lambda: Plain,
    lambda: Other,
]


def test_objects_are_their_class_and_what_they_hold():
    digests = [digest(make()) for make in OBJECTS]
    again = [digest(make()) for make in OBJECTS]
    assert [
        i for i, (a, b) in enumerate(zip(digests, again, strict=True)) if a != b
    ] == []
    doubles = [i for i, text in enumerate(digests) if digests.index(text) != i]
    assert doubles == []


def test_what_an_estimator_learned_is_irrelevant():
    fresh = LogisticRegression()
    fitted = LogisticRegression().fit([[0.0], [1.0]], ["a", "b"])
    assert digest(fitted) == digest(fresh)


class Own(ClassifierMixin, BaseEstimator):
    def __init__(self, size=1):
        self.size = size


class Twin(ClassifierMixin, BaseEstimator):
    def __init__(self, size=1):
        self.size = size


def test_estimators_of_ones_own():
    assert digest(Own(1)) != digest(Twin(1))
    assert digest(Own(1)) == digest(Own(1))
    assert digest(Own(1)) != digest(Own(2))


def looped(value):
    one = Plain(value=value)
    one.me, one.others = one, [one, {"deep": one}]
    return one


def ring(length):
    first = last = []
    for _ in range(length - 1):
        last.append([])
        last = last[0]
    last.append(first)
    return first


def test_what_holds_itself_is_told_once():
    assert digest(looped(1)) == digest(looped(1))
    assert digest(looped(1)) != digest(looped(2))
    table = {"x": 1}
    table["me"] = table
    assert digest(table) == digest(table)
    assert len({digest(ring(length)) for length in (1, 2, 3)}) in (1, 3)


def test_the_same_part_twice_is_no_loop():
    part = ["a"]
    assert digest([part, part]) == digest([["a"], ["a"]])
    assert digest([part, [part]]) != digest([part, part])


# --- code ---------------------------------------------------------------------

HEAD = "import functools\n"
CODE = {
    "function": "def A(x): return {n}",
    "lambda": "A = lambda x: {n}",
    "default": "def A(x={n}): return x",
    "named default": "def A(*, x={n}): return x",
    "closure": "def make(n):\n def g(x): return x + n\n return g\nA = make({n})",
    "inner function": "def A():\n def g(): return {n}\n return g",
    "comprehension": "def A(y): return [x + {n} for x in y]",
    "text": "def A(): return 'word{n}'",
    "set of texts": "def A(x): return x in {{'a', 'b', 'c{n}'}}",
    "called name": "def A(x): return name{n}(x)",
    "attribute": "class A:\n n = {n}",
    "method": "class A:\n def fit(self): return {n}",
    "name of a method": "class A:\n def fit{n}(self): pass",
    "property": "class A:\n @property\n def f(self): return {n}",
    "static method": "class A:\n @staticmethod\n def f(): return {n}",
    "class method": "class A:\n @classmethod\n def f(cls): return {n}",
    "cached property": (
        "class A:\n @functools.cached_property\n def f(self): return {n}"
    ),
    "cached method": "class A:\n @functools.lru_cache\n def f(self): return {n}",
    "cached function": "@functools.cache\ndef A(): return {n}",
    "partial method": (
        "class A:\n def f(s, n): pass\n g = functools.partialmethod(f, {n})"
    ),
    "dispatched": (
        "class A:\n @functools.singledispatchmethod\n def f(s, x): return {n}"
    ),
    "base": "class B:\n def fit(self): return {n}\nclass A(B): pass",
    "inner class": "class A:\n class B:\n  def f(self): return {n}",
    "super": "class A:\n def __init__(self): super().__init__(); self.n = {n}",
    "wrapped": (
        "def deco(f):\n @functools.wraps(f)\n def g(): return f()\n return g\n"
        "@deco\ndef A(): return {n}"
    ),
    "slots": "class A:\n __slots__ = ('a{n}',)",
    "pattern": "import re\nclass A:\n pattern = re.compile('a{n}')",
    "data class": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n n: int = {n}"
    ),
    "method of an object": (
        "class B:\n def __init__(self, n): self.n = n\n def f(self): pass\nA = B({n}).f"
    ),
    "partial": "def f(n): pass\nA = functools.partial(f, {n})",
    "object": "class B: pass\nA = B()\nA.n = {n}",
    "object of a changed class": "class B:\n def fit(self): return {n}\nA = B()",
}


def made_of(text, n):
    """Run code as the console, a notebook or `python -c` would: it has no source."""
    space = {"__name__": "__main__"}
    exec(HEAD + text.format(n=n), space)
    return space["A"]


@pytest.mark.parametrize("text", CODE.values(), ids=list(CODE))
def test_code_that_has_no_source_is_told_apart(text):
    one, again, other = (digest(made_of(text, n)) for n in (1, 1, 2))
    assert one == again
    assert one != other


def test_functions_of_this_file():
    pair = (lambda: 1), (lambda: 2)
    assert digest(pair[0]) != digest(pair[1])
    assert digest(*pair) == digest(*pair)

    def outer(n):
        def inner(x):
            return x + n

        return inner

    assert digest(outer(1)) == digest(outer(1))
    assert digest(outer(1)) != digest(outer(2))
    assert digest(Plain(a=1).__init__) != digest(Plain(a=2).__init__)


def test_functions_that_call_themselves_and_cells_without_content():
    def again(n):
        return again(n - 1)

    def early():
        return late

    before = digest(early)
    late = 1
    assert digest(again) == digest(again)
    assert before != digest(early)


@pytest.fixture
def patience():
    """Let a test fail that would not end."""

    def stop(*_):
        msg = "written again and again"
        raise TimeoutError(msg)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_functions_that_use_each_other_are_told_once(patience):
    def crowd(n, last):
        names = [f"f{i}" for i in range(n)]
        calls = ", ".join(f"{name}()" for name in names)
        lines = [f"def {name}(): return {calls}" for name in names]
        space = {"__name__": "__main__"}
        exec("\n".join([*lines[:-1], f"def {names[-1]}(): return {last}"]), space)
        return space["f0"]

    assert digest(crowd(30, 1)) == digest(crowd(30, 1))
    assert digest(crowd(30, 1)) != digest(crowd(30, 2))


USED = {
    "constant": "N = {n}\ndef A(x): return N",
    "function": "def h(): return {n}\nclass A:\n def f(self): return h()",
    "function of a function": (
        "def g(): return {n}\ndef h(): return g()\ndef A(): return h()"
    ),
    "class": "class B:\n def f(self): return {n}\ndef A(): return B()",
    "inner": "def h(): return {n}\ndef A():\n def g(): return h()\n return g",
}


@pytest.mark.parametrize("text", USED.values(), ids=list(USED))
def test_what_a_function_uses_of_its_module_counts(text):
    one, again, other = (digest(made_of(text, n)) for n in (1, 1, 2))
    assert one == again
    assert one != other
    unused = text + "\ndef unused(): return 3\nM = 7"
    assert digest(made_of(unused, 1)) == one


# --- processes ----------------------------------------------------------------

ELSEWHERE = """
import json, sys
sys.path.insert(0, {root!r})
from tests.study.test_fingerprints import digests_here
print(json.dumps(digests_here()))
"""
ROOT = Path(__file__).parents[2]


def digests_here():
    """Give the digests of everything above."""
    made = {str(index): make() for index, make in enumerate(OBJECTS)}
    made |= {name: pair[0] for name, pair in ALIKE.items()}
    made |= {f"code {name}": made_of(text, 1) for name, text in CODE.items()}
    made |= {f"apart {name}": values for name, values in APART.items()}
    return {name: digest(value) for name, value in made.items()}


def test_another_process_with_other_hashes_tells_the_same():
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    ran = subprocess.run(
        [sys.executable, "-c", ELSEWHERE.format(root=str(ROOT))],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": seed},
    )
    here, there = digests_here(), json.loads(ran.stdout)
    assert list(here) == list(there)
    assert [name for name in here if here[name] != there[name]] == []


def test_what_cannot_be_known_is_refused():
    for value in (Plain(lock=threading.Lock()), (x for x in [1]), sys.stdout):
        with pytest.raises(SettingError, match="must know what its parts are"):
            digest(value)


def test_long_lists_of_text_and_deep_nesting():
    texts = [f"text {i}" for i in range(20_000)]
    assert digest(texts) == digest(tuple(texts))
    assert digest(texts) != digest(texts[:-1])
    nested = functools.reduce(lambda inner, _: [inner], range(50), "x")
    assert digest(nested) != digest([nested])
