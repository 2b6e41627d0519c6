"""Fingerprints of values, code and files, the same in every process and machine.

Those of functions and classes are of their compiled code: another version of Python
may give others.
"""

# Not `joblib.hash`: it hashes a pickle, so that lists and tuples, arrays in C and
# Fortran order, text in a list or in an array, equal parts once or twice in memory, and
# estimators before and after `fit` have different hashes; functions count by their name
# alone, and lambdas, closures and objects of ``__main__`` not at all.

import copyreg
import dis
import hashlib
import inspect
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
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
from typing import Any

import numpy as np
from scipy import sparse

from likelier.errors import InputError, SettingError
from likelier.study.own_modules import distributions

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


def digest(*values: Any) -> str:
    """Return the fingerprint of values: equal values, equal fingerprints.

    Text, numbers, containers, arrays, sparse matrices, data frames, functions, classes
    and scikit-learn's estimators count by what they are; any other object by what
    a copy of it would be made of. Lists and tuples count as the same. A function counts
    with the functions, classes and constants of its own module that it uses.

    Examples
    --------
    >>> digest({"x": 1, "y": 2}) == digest({"y": 2, "x": 1})
    True
    >>> digest(["ab", "c"]) == digest(["a", "bc"])
    False
    """
    return _Writer().digest(values)


def packages_of(*values: Any) -> tuple[str, ...]:
    """Name the installed packages whose code values hold or use."""
    writer = _Writer()
    writer.digest(values)
    return distributions(sorted(writer.roots))


class _Writer:
    """Writer of values as kind, size and content, so that none runs into the next.

    Attributes
    ----------
    used
        Code that functions use, written once at the end.
    roots
        Installed packages whose code was met.
    """

    def __init__(self) -> None:
        self.used: dict[int, Any] = {}
        self.roots: set[str] = set()
        self._containers: list[int] = []

    def digest(self, values: Iterable[Any]) -> str:
        """Return the fingerprint of values and of the code that they use."""
        whole = hashlib.sha256()
        for value in values:
            self._write(value, whole.update)
        digests: dict[int, bytes] = {}
        while new := [key for key in self.used if key not in digests]:
            for key in new:
                part = hashlib.sha256()
                try:
                    self._write(self.used[key], part.update)
                except SettingError:
                    # A lock or a connection says nothing of what a function does.
                    part.update(full_name(type(self.used[key])).encode())
                digests[key] = part.digest()
        whole.update(b"".join(sorted(digests.values())))
        return whole.hexdigest()

    def _write(self, value: Any, update: Update) -> None:
        if isinstance(value, np.str_ | np.bytes_) or type(value) in (str, bytes):
            text = isinstance(value, str)
            content = value.encode(errors="surrogatepass") if text else bytes(value)
            _write_bytes(update, b"s" if text else b"b", content)
        elif type(value) in _NUMBERS:
            _write_bytes(update, b"n", repr(value).encode())
        elif isinstance(value, np.generic) and value.dtype.kind in "biufc":
            _write_bytes(update, b"n", repr(value.item()).encode())
        elif id(value) in self._containers:
            # What holds itself is written once: then how far up it stands.
            steps = len(self._containers) - self._containers.index(id(value))
            _write_bytes(update, b"c", str(steps).encode())
        else:
            self._containers.append(id(value))
            try:
                self._write_parts(value, update)
            finally:
                self._containers.pop()

    def _write_parts(self, value: Any, update: Update) -> None:
        kind = type(value)
        if kind in (list, tuple):
            self._write_list(value, update)
        elif kind in (dict, MappingProxyType):
            self._write_unordered(b"d", value.items(), update)
        elif kind in (set, frozenset):
            self._write_unordered(b"u", value, update)
        elif kind is np.ndarray:
            self._write_array(value, update)
        elif sparse.issparse(value):
            self._write_sparse(value, update)
        elif str(kind.__module__).partition(".")[0] in _FRAMES and _is_frame(value):
            self._write_frame(value, update)
        elif _is_code(value):
            self._write_code(value, update)
        else:
            self._write(kind, update)
            self._write(_parts(value), update)

    def _write_list(self, values: Any, update: Update) -> None:
        update(b"l" + str(len(values)).encode() + b":")
        if all(type(value) in (str, np.str_) for value in values):
            # Long lists of text are common: one call for all of it.
            encoded = [value.encode(errors="surrogatepass") for value in values]
            update(b"s" + b",".join(str(len(text)).encode() for text in encoded) + b":")
            update(b"".join(encoded))
            return
        for value in values:
            self._write(value, update)

    def _write_unordered(
        self, kind: bytes, values: Iterable[Any], update: Update
    ) -> None:
        digests = []
        for value in values:
            part = hashlib.sha256()
            self._write(value, part.update)
            digests.append(part.digest())
        _write_bytes(update, kind, b"".join(sorted(digests)))

    def _write_array(self, array: np.ndarray[Any, Any], update: Update) -> None:
        if array.dtype.kind in "OU" and array.ndim == 1:
            # Text is text, in a list or in an array.
            self._write_list(array.tolist(), update)
        elif array.dtype.hasobject:
            self._write((array.shape, array.ravel().tolist()), update)
        else:
            fixed = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
            _write_bytes(update, b"a", f"{fixed.dtype.descr}{fixed.shape}".encode())
            update(fixed.tobytes())

    def _write_sparse(self, value: Any, update: Update) -> None:
        rows = value.tocsr(copy=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        update(b"m")
        for part in (np.array(rows.shape), rows.indptr, rows.indices, rows.data):
            whole = part.dtype.kind in "iu"
            self._write_array(part.astype(np.int64) if whole else part, update)

    def _write_frame(self, frame: Any, update: Update) -> None:
        import narwhals as nw

        table = nw.from_native(frame, eager_only=True, allow_series=True)
        series = isinstance(table, nw.Series)
        columns = [table] if series else list(table.iter_columns())
        update(b"f" + str(len(columns)).encode() + b":")
        for column in columns:
            self._write(str(column.name), update)
            self._write_list(column.to_list(), update)

    def _write_code(self, value: Any, update: Update) -> None:
        owner = getattr(value, "__self__", None)
        if owner is not None and not inspect.ismodule(owner):
            # A method of an object: {"a": 1}.get is another than {"a": 2}.get.
            _write_bytes(update, b"o", value.__name__.encode())
            self._write((getattr(value, "__func__", None), owner), update)
            return
        name = full_name(value).encode(errors="surrogatepass")
        _write_bytes(update, b"f", name)
        if _is_installed(value):
            self.roots.add(_root(value))
        else:
            self._write(self._code(value), update)

    def _code(self, value: Any) -> Any:
        """Return the code that is loaded, which may be older than its file."""
        if isinstance(value, FunctionType):
            cells = [_cell_content(cell) for cell in value.__closure__ or ()]
            defaults = value.__defaults__, value.__kwdefaults__
            return _compiled(value.__code__), defaults, cells, self._globals(value)
        if inspect.isclass(value):
            parts = {k: v for k, v in vars(value).items() if k not in _NO_CODE}
            return [base for base in value.__bases__ if base is not object], parts
        return None

    def _globals(self, function: FunctionType) -> dict[str, Any]:
        """Return the values beside a function that it uses, and note its other code."""
        code, space = function.__code__, function.__globals__
        values = {name: space[name] for name in _global_names(code) if name in space}
        for name, value in list(values.items()):
            if inspect.ismodule(value):
                del values[name]
                values |= self._module_values(value, code)
        simple = {}
        for name, value in values.items():
            if _is_code(value) and _is_installed(value):
                self.roots.add(_root(value))
            elif type(value) in _SIMPLE:
                simple[name] = value
            else:
                self.used[id(value)] = value
        return simple

    def _module_values(self, module: ModuleType, code: CodeType) -> dict[str, Any]:
        """Return what a function takes from one of the user's own modules."""
        root = module.__name__.partition(".")[0]
        if root == "likelier" or _is_package(root):
            self.roots.add(root)
            return {}
        names = {name for part in _nested(code) for name in part.co_names}
        parts = vars(module)
        return {f"{module.__name__}.{n}": parts[n] for n in names if n in parts}


def _write_bytes(update: Update, kind: bytes, content: bytes) -> None:
    update(kind + str(len(content)).encode() + b":")
    update(content)


def _is_frame(value: Any) -> bool:
    import narwhals as nw

    try:
        native = nw.from_native(value, pass_through=True, allow_series=True)
    except Exception as error:
        message = f"A data frame must have different columns; {error}."
        raise SettingError(message) from error
    return isinstance(native, nw.DataFrame | nw.Series)


def _is_code(value: Any) -> bool:
    return inspect.isclass(value) or isinstance(value, _CODE)


def full_name(value: Any) -> str:
    """Return module and name of a function or class."""
    name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
    return f"{getattr(value, '__module__', '')}:{name}"


def _root(value: Any) -> str:
    return str(getattr(value, "__module__", None) or "").partition(".")[0]


def _is_installed(value: Any) -> bool:
    """Check for code of installed packages, which count by their version."""
    return _root(value) not in ("", "__main__") and _is_package(_root(value))


def _is_package(root: str) -> bool:
    return root in sys.stdlib_module_names or bool(distributions([root]))


def _nested(code: CodeType) -> Iterator[CodeType]:
    """Go through compiled code and the functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _global_names(code: CodeType) -> set[str]:
    return {
        step.argval
        for part in _nested(code)
        for step in dis.get_instructions(part)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }


def _cell_content(cell: Any) -> Any:
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
    """Return what makes an object what it is."""
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
    return _copy_parts(value)


def _copy_parts(value: Any) -> Any:
    """Return what a copy of an object would be made of."""
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


# --- files ----------------------------------------------------------------------------


def file_digests(
    folder: Path | None, words: Iterable[str], *, must: Sequence[str] = ()
) -> dict[str, str]:
    """Return the fingerprints of files that are named.

    Parameters
    ----------
    folder
        What names are relative to.
    words
        Texts that may name a file.
    must
        Texts that must.
    """
    home = (folder or Path()).resolve()
    digests = {}
    for word in (*words, *must):
        path = home / word
        try:
            exists = path.is_file()
        except (OSError, ValueError):
            exists = False
        if exists:
            digests[word] = hashlib.sha256(path.read_bytes()).hexdigest()
        elif word in must:
            message = f"files must be files that exist; got {word!r}."
            raise SettingError(message)
    return digests


def check_unchanged(before: Mapping[str, str] | None, now: Mapping[str, str]) -> None:
    """Check that files have the fingerprints that were noted, if any were."""
    if before is not None and dict(before) != dict(now):
        changed = sorted(set(before.items()) ^ set(now.items()))
        message = f"{changed[0][0]} must not change during a run; it did."
        raise InputError(message, hint="Run again: results are made anew.")
