"""Fingerprints of data and objects, the same in every process and on every machine."""

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from scipy import sparse

from likelier.errors import SettingError
from likelier.study.sources import distributions

# What Python itself puts into every class.
_NO_CODE = (
    "__dict__", "__weakref__", "__doc__", "__module__", "__annotations__",
    "__firstlineno__", "__static_attributes__", "__abstractmethods__", "_abc_impl",
)  # fmt: skip


def digest(*values: Any) -> str:
    """Give the fingerprint of values: equal values, equal fingerprints.

    Text, numbers, containers, arrays, sparse matrices, data frames, dataclasses,
    functions and objects with `get_params` or attributes are known.

    Examples
    --------
    >>> digest(["a", "b"], {"x": 1})[:8]
    '18a82c42'
    >>> digest({"x": 1, "y": 2}) == digest({"y": 2, "x": 1})
    True
    """
    told = hashlib.sha256()
    for value in values:
        _tell(value, told.update, ())
    return told.hexdigest()


Update = Callable[[bytes], None]
Above = tuple[int, ...]


def _tell(value: Any, update: Update, above: Above) -> None:
    """Tell a value as its kind, its size and its content, so that nothing runs on."""
    if isinstance(value, str):
        _told(update, b"s", value.encode(errors="surrogatepass"))
    elif value is None or isinstance(value, bool | int | float | complex | np.generic):
        plain = value.item() if isinstance(value, np.generic) else value
        _told(update, b"n", repr(plain).encode())
    elif isinstance(value, bytes):
        _told(update, b"b", value)
    elif id(value) in above:
        update(b"loop")
    else:
        _tell_container(value, update, (*above, id(value)))


def _told(update: Update, kind: bytes, content: bytes) -> None:
    update(kind + str(len(content)).encode() + b":")
    update(content)


def _tell_container(value: Any, update: Update, above: Above) -> None:
    if isinstance(value, list | tuple):
        _tell_list(value, update, above)
    elif isinstance(value, Mapping):
        _tell_unordered(value.items(), update)
    elif isinstance(value, set | frozenset):
        _tell_unordered(value, update)
    elif isinstance(value, np.ndarray):
        _tell_array(value, update, above)
    elif sparse.issparse(value):
        matrix: Any = value
        rows = matrix.tocsr(copy=True)
        rows.sum_duplicates()
        for part in (np.array(rows.shape), rows.indptr, rows.indices, rows.data):
            _tell_array(part, update, above)
    elif hasattr(value, "__narwhals_dataframe__") or hasattr(value, "iloc"):
        _tell_frame(value, update, above)
    else:
        _tell_object(value, update, above)


def _tell_list(values: Any, update: Update, above: Above) -> None:
    update(b"l" + str(len(values)).encode() + b":")
    if all(type(value) is str for value in values):
        # Long lists of text are common: one call for all of it.
        encoded = [value.encode(errors="surrogatepass") for value in values]
        update(b",".join(str(len(text)).encode() for text in encoded) + b":")
        update(b"".join(encoded))
        return
    for value in values:
        _tell(value, update, above)


def _tell_unordered(values: Iterable[Any], update: Update) -> None:
    told = sorted(digest(value) for value in values)
    _told(update, b"u", "".join(told).encode())


def _tell_array(array: np.ndarray[Any, Any], update: Update, above: Above) -> None:
    if array.dtype.hasobject:
        _tell_list(array.tolist(), update, above)
        return
    fixed = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    _told(update, b"a", f"{fixed.dtype.str}{fixed.shape}".encode())
    update(fixed.tobytes())


def _tell_frame(frame: Any, update: Update, above: Above) -> None:
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True, allow_series=True)
    columns = [table] if isinstance(table, nw.Series) else list(table.iter_columns())
    for column in columns:
        _tell(column.name, update, above)
        _tell_list(column.to_list(), update, above)


def _tell_object(value: Any, update: Update, above: Above) -> None:
    if isinstance(value, partial):
        _tell((value.func, value.args, value.keywords), update, above)
    elif inspect.ismethod(value):
        _tell((value.__func__, value.__self__), update, above)
    elif inspect.isroutine(value) or inspect.isclass(value) or inspect.ismodule(value):
        _tell(named(value), update, above)
        if not _installed(value):
            _tell(_code_of(value), update, above)
    else:
        _tell(type(value), update, above)
        _tell(_state(value), update, above)


def named(value: Any) -> str:
    """Give the full name of a function or class."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    return f"{getattr(value, '__module__', '')}:{name}"


def _installed(value: Any) -> bool:
    """Tell code of installed packages, for which their versions speak."""
    root = str(getattr(value, "__module__", None) or "").partition(".")[0]
    return root in sys.stdlib_module_names or bool(distributions([root]))


def _code_of(value: Any) -> Any:
    """Give the code that is loaded, which may be older than its file."""
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        usual = value.__defaults__, value.__kwdefaults__
        return _compiled(value.__code__), usual, cells
    if inspect.isclass(value):
        parts = {k: v for k, v in vars(value).items() if k not in _NO_CODE}
        return [base for base in value.__bases__ if base is not object], parts
    return None


def _compiled(code: CodeType) -> Any:
    constants = [
        _compiled(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts
    ]
    return code.co_code, code.co_names, code.co_varnames, constants


def _state(value: Any) -> Any:
    """Give what makes an object what it is."""
    if hasattr(value, "get_params") and not inspect.isclass(value):
        return value.get_params(deep=False)
    if is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, staticmethod | classmethod):
        return value.__func__
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, np.random.Generator):
        return value.bit_generator.state
    if hasattr(value, "__dict__"):
        return vars(value)
    if hasattr(value, "__slots__"):
        return {n: getattr(value, n, None) for n in value.__slots__}
    message = f"A study must know what its parts are; got {value!r}."
    raise SettingError(message, hint="Give text, numbers, arrays, frames or objects.")
