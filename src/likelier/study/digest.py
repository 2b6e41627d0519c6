"""Fingerprints of data and objects, the same in every process and on every machine.

Those of functions and classes are of their compiled code: another version of Python
may tell them otherwise.
"""

import copyreg
import dis
import hashlib
import inspect
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from likelier.errors import SettingError
from likelier.study.sources import distributions

# What Python itself puts into every class.
_NO_CODE = (
    "__dict__", "__weakref__", "__doc__", "__module__", "__annotations__",
    "__firstlineno__", "__static_attributes__", "__abstractmethods__", "_abc_impl",
    "__slotnames__",
)  # fmt: skip
_NUMBERS = (type(None), bool, int, float, complex, type(Ellipsis))
_SIMPLE = (*_NUMBERS, str, bytes, tuple, list, dict, set, frozenset, np.ndarray)
_FRAMES = ("pandas", "polars", "pyarrow", "modin", "cudf")

_CODE = (
    BuiltinFunctionType, ClassMethodDescriptorType, FunctionType, GetSetDescriptorType,
    MemberDescriptorType, MethodDescriptorType, MethodType, ModuleType,
    WrapperDescriptorType,
)  # fmt: skip

Update = Callable[[bytes], None]


class _Path(NamedTuple):
    """What a value stands in, and what was met on the way.

    Attributes
    ----------
    above
        The containers that hold it.
    used
        Code that functions use, to be told once at the end.
    roots
        The installed packages whose code was met.
    """

    above: tuple[int, ...]
    used: dict[int, Any]
    roots: set[str]

    def into(self, value: Any) -> "_Path":
        return self._replace(above=(*self.above, id(value)))


def digest(*values: Any) -> str:
    """Give the fingerprint of values: equal values, equal fingerprints.

    Text, numbers, containers, arrays, sparse matrices, data frames, functions, classes
    and scikit-learn's estimators are known by what they are; any other object by what
    a copy of it would be made of. Lists and tuples count as the same. A function counts
    with the functions, classes and constants of its own module that it uses.

    Examples
    --------
    >>> digest({"x": 1, "y": 2}) == digest({"y": 2, "x": 1})
    True
    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    return _walked(values)[0]


def packages_of(*values: Any) -> tuple[str, ...]:
    """Name the installed packages whose code values hold or use."""
    return distributions(sorted(_walked(values)[1]))


def _walked(values: Iterable[Any]) -> tuple[str, set[str]]:
    told, path = hashlib.sha256(), _Path((), {}, set())
    for value in values:
        _tell(value, told.update, path)
    done: dict[int, bytes] = {}
    while left := [key for key in path.used if key not in done]:
        for key in left:
            own = hashlib.sha256()
            try:
                _tell(path.used[key], own.update, path)
            except SettingError:
                # A lock or a connection says nothing of what a function does.
                own.update(named(type(path.used[key])).encode())
            done[key] = own.digest()
    told.update(b"".join(sorted(done.values())))
    return told.hexdigest(), path.roots


def _tell(value: Any, update: Update, path: _Path) -> None:
    """Tell a value as its kind, its size and its content, so that nothing runs on."""
    if isinstance(value, np.str_ | np.bytes_) or type(value) in (str, bytes):
        text = isinstance(value, str)
        content = value.encode(errors="surrogatepass") if text else bytes(value)
        _told(update, b"s" if text else b"b", content)
    elif type(value) in _NUMBERS:
        _told(update, b"n", repr(value).encode())
    elif isinstance(value, np.generic) and value.dtype.kind in "biufc":
        _told(update, b"n", repr(value.item()).encode())
    elif id(value) in path.above:
        # How far up it stands: what holds itself is told once.
        steps = len(path.above) - path.above.index(id(value))
        _told(update, b"c", str(steps).encode())
    else:
        _tell_more(value, update, path.into(value))


def _told(update: Update, kind: bytes, content: bytes) -> None:
    update(kind + str(len(content)).encode() + b":")
    update(content)


def _tell_more(value: Any, update: Update, path: _Path) -> None:
    kind = type(value)
    if kind in (list, tuple):
        _tell_list(value, update, path)
    elif kind in (dict, MappingProxyType):
        _tell_unordered(b"d", value.items(), update, path)
    elif kind in (set, frozenset):
        _tell_unordered(b"u", value, update, path)
    elif kind is np.ndarray:
        _tell_array(value, update, path)
    elif sparse.issparse(value):
        _tell_sparse(value, update, path)
    elif str(kind.__module__).partition(".")[0] in _FRAMES and _is_frame(value):
        _tell_frame(value, update, path)
    elif inspect.isclass(value) or isinstance(value, _CODE):
        _tell_code(value, update, path)
    else:
        _tell(kind, update, path)
        _tell(_parts(value), update, path)


def _tell_list(values: Any, update: Update, path: _Path) -> None:
    update(b"l" + str(len(values)).encode() + b":")
    if all(type(value) in (str, np.str_) for value in values):
        # Long lists of text are common: one call for all of it.
        encoded = [value.encode(errors="surrogatepass") for value in values]
        update(b"s" + b",".join(str(len(text)).encode() for text in encoded) + b":")
        update(b"".join(encoded))
        return
    for value in values:
        _tell(value, update, path)


def _tell_unordered(
    kind: bytes, values: Iterable[Any], update: Update, path: _Path
) -> None:
    told = []
    for value in values:
        own = hashlib.sha256()
        _tell(value, own.update, path)
        told.append(own.digest())
    _told(update, kind, b"".join(sorted(told)))


def _tell_array(array: np.ndarray[Any, Any], update: Update, path: _Path) -> None:
    if array.dtype.kind in "OU" and array.ndim == 1:
        # Text is text, however it is kept.
        _tell_list(array.tolist(), update, path)
        return
    if array.dtype.hasobject:
        _tell((array.shape, array.ravel().tolist()), update, path)
        return
    fixed = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    _told(update, b"a", f"{fixed.dtype.descr}{fixed.shape}".encode())
    update(fixed.tobytes())


def _tell_sparse(value: Any, update: Update, path: _Path) -> None:
    rows = value.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    update(b"m")
    for part in (np.array(rows.shape), rows.indptr, rows.indices, rows.data):
        whole = part.dtype.kind in "iu"
        _tell_array(part.astype(np.int64) if whole else part, update, path)


def _is_frame(value: Any) -> bool:
    import narwhals as nw

    try:
        found = nw.from_native(value, pass_through=True, allow_series=True)
    except Exception as error:
        message = f"A data frame must have different columns; {error}."
        raise SettingError(message) from error
    return isinstance(found, nw.DataFrame | nw.Series)


def _tell_frame(frame: Any, update: Update, path: _Path) -> None:
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True, allow_series=True)
    columns = [table] if isinstance(table, nw.Series) else list(table.iter_columns())
    update(b"f" + str(len(columns)).encode() + b":")
    for column in columns:
        _tell(str(column.name), update, path)
        _tell_list(column.to_list(), update, path)


def _tell_code(value: Any, update: Update, path: _Path) -> None:
    owner = getattr(value, "__self__", None)
    if owner is not None and not inspect.ismodule(owner):
        # A method of an object: {"a": 1}.get is another than {"a": 2}.get.
        _told(update, b"o", value.__name__.encode())
        _tell((getattr(value, "__func__", None), owner), update, path)
        return
    _told(update, b"f", named(value).encode(errors="surrogatepass"))
    if _installed(value):
        path.roots.add(str(value.__module__).partition(".")[0])
    else:
        _tell(_code_of(value, path), update, path)


def named(value: Any) -> str:
    """Give the full name of a function or class."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    return f"{getattr(value, '__module__', '')}:{name}"


def _installed(value: Any) -> bool:
    """Tell code of installed packages, for which their versions speak."""
    root = str(getattr(value, "__module__", None) or "").partition(".")[0]
    if root in ("", "__main__"):
        return False
    return root in sys.stdlib_module_names or bool(distributions([root]))


def _code_of(value: Any, path: _Path) -> Any:
    """Give the code that is loaded, which may be older than its file."""
    if isinstance(value, FunctionType):
        cells = [_content(cell) for cell in value.__closure__ or ()]
        usual = value.__defaults__, value.__kwdefaults__
        return _compiled(value.__code__), usual, cells, _beside(value, path)
    if inspect.isclass(value):
        parts = {k: v for k, v in vars(value).items() if k not in _NO_CODE}
        return [base for base in value.__bases__ if base is not object], parts
    return None


def _beside(function: FunctionType, path: _Path) -> dict[str, Any]:
    """Give the values beside a function that it uses, and note its other code."""
    around, names = function.__globals__, _global_names(function.__code__)
    found = {name: around[name] for name in sorted(names) if name in around}
    for name, value in list(found.items()):
        if inspect.ismodule(value):
            del found[name]
            found |= _of_module(value, function.__code__, path)
    simple = {}
    for name, value in found.items():
        code = inspect.isclass(value) or isinstance(value, _CODE)
        if code and _installed(value):
            path.roots.add(str(value.__module__).partition(".")[0])
        elif type(value) in _SIMPLE:
            simple[name] = value
        else:
            path.used[id(value)] = value
    return simple


def _of_module(module: ModuleType, code: CodeType, path: _Path) -> dict[str, Any]:
    """Give what a function takes from one of the user's own modules."""
    root = module.__name__.partition(".")[0]
    if root == "likelier" or root in sys.stdlib_module_names or distributions([root]):
        path.roots.add(root)
        return {}
    known, names = vars(module), _all_names(code)
    return {f"{module.__name__}.{n}": known[n] for n in sorted(names) if n in known}


def _global_names(code: CodeType) -> set[str]:
    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    found = {i.argval for i in dis.get_instructions(code) if i.opname in loads}
    return found.union(*map(_global_names, _inner(code)))


def _all_names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*map(_all_names, _inner(code)))


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _compiled(code: CodeType) -> Any:
    constants = [
        _compiled(c) if isinstance(c, CodeType) else repr(c)
        for c in code.co_consts
        # Sets in code have no order of their own.
        if not isinstance(c, frozenset)
    ]
    sets = [sorted(map(repr, c)) for c in code.co_consts if isinstance(c, frozenset)]
    return code.co_code, code.co_names, code.co_varnames, constants, sets


def _parts(value: Any) -> Any:
    """Give what makes an object what it is."""
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if hasattr(value, "__wrapped__"):
        return value.__wrapped__
    if hasattr(value, "func") and hasattr(type(value), "__get__"):
        return value.func, getattr(value, "args", ()), getattr(value, "keywords", {})
    if hasattr(value, "get_params") and hasattr(value, "set_params"):
        # Not what an estimator learned before: each fold gets a clone.
        return value.get_params(deep=False)
    if isinstance(value, set | frozenset):
        return frozenset(value), getattr(value, "__dict__", None)
    if isinstance(value, dict) and not isinstance(value, OrderedDict):
        return dict(value), getattr(value, "__dict__", None)
    return _reduced(value)


def _reduced(value: Any) -> Any:
    """Give what a copy of an object would be made of."""
    try:
        reduce = copyreg.dispatch_table.get(type(value))
        made: Any = value.__reduce_ex__(4) if reduce is None else reduce(value)
    except Exception as error:
        message = f"A study must know what its parts are; got {value!r}: {error}."
        hint = "Give text, numbers, arrays, frames, or objects that can be copied."
        raise SettingError(message, hint=hint) from error
    if isinstance(made, str):
        return made
    return [list(part) if hasattr(part, "__next__") else part for part in made]
