"""Tables of JSON objects, whose cells go to DuckDB as text in batches."""

import json
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from operator import methodcaller
from typing import Any, ClassVar

import pyarrow as pa

from likelier.errors import InputError
from likelier.readers.columns import check_columns
from likelier.readers.dotted import dotted
from likelier.readers.engine import HEAD, Engine, Table
from likelier.readers.strict_json import BadTokenError

_BATCH = 1 << 16


class JsonTable(Table):
    """A table of JSON objects; its columns are the keys of the first object."""

    # Later objects may have further keys, and all of them fields within fields.
    all_named: ClassVar[bool] = False

    @abstractmethod
    def records(
        self, rows: Collection[int] | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield all objects, or some, with their numbers from 1."""

    def relation(self) -> str:
        """Raise: JSON is read here, and not by DuckDB."""
        raise NotImplementedError  # pragma: no cover

    def load(
        self,
        engine: Engine,
        columns: Sequence[str],
        *,
        view: str,
        lists: Sequence[str] = (),
        late: Sequence[str | None] = (),
        numbers: Sequence[str] = (),
        closed: bool = False,
    ) -> None:
        """Read some keys and register them as a table; late ones as numbers of rows."""
        del numbers
        cells = self._cells(columns, lists=lists, late=late, closed=closed)
        engine.register(view, cells)

    def rows(
        self, engine: Engine, columns: Sequence[str], *, numbers: Sequence[str] = ()
    ) -> Any:
        """Return the values of keys, in the order of the file, as texts."""
        del engine, numbers
        return self._cells(columns)

    def _cells(
        self,
        columns: Sequence[str],
        *,
        lists: Sequence[str] = (),
        late: Sequence[str | None] = (),
        closed: bool = False,
    ) -> Any:
        """Read cells object by object."""
        keys = frozenset(self.names)
        chunks: list[list[Any]] = [[] for _ in columns]
        cells: list[list[Any]] = [[] for _ in columns]
        fields = [(_picker(n), c.append) for n, c in zip(columns, cells, strict=True)]
        numbered = [c for n, c in zip(columns, cells, strict=True) if n in late]
        for row, values in self.records():
            if closed and not values.keys() <= keys:
                raise self._surplus(values, row)
            for pick, append in fields:
                append(pick(values))
            for column in numbered:
                column[-1] = None if column[-1] is None else row
            if row % _BATCH == 0:
                self._pack(columns, cells, chunks, lists=lists, late=late)
        self._pack(columns, cells, chunks, lists=lists, late=late)
        for name, arrays in zip(columns, chunks, strict=True):
            missing = all(array.null_count == len(array) for array in arrays)
            if missing and name not in self.names:
                check_columns([name], self.names, table=self.file.name)
        table = {f"c{i}": pa.chunked_array(arrays) for i, arrays in enumerate(chunks)}
        return pa.table(table)

    def _pack(
        self,
        columns: Sequence[str],
        cells: list[list[Any]],
        chunks: list[list[Any]],
        *,
        lists: Sequence[str],
        late: Sequence[str | None],
    ) -> None:
        """Pack the cells into Arrow arrays, and empty them."""
        for name, column, arrays in zip(columns, cells, chunks, strict=True):
            as_lists = name in lists
            try:
                arrays.append(
                    pa.array(column, pa.int64())
                    if name in late
                    else _array(column, as_lists=as_lists)
                )
            except (BadTokenError, UnicodeEncodeError):
                before = sum(len(array) for array in arrays)
                raise self._bad_cell(name, column, before, as_lists=as_lists) from None
            column.clear()

    def _bad_cell(
        self, name: str, column: list[Any], before: int, *, as_lists: bool
    ) -> InputError:
        """Find the first cell that is no label."""
        for row, value in enumerate(column, before):
            try:
                _array([value], as_lists=as_lists)
            except (BadTokenError, UnicodeEncodeError) as error:
                hint = None if as_lists else _nested_hint(name, value)
                reason = str(error)
                if isinstance(error, UnicodeEncodeError):
                    hint = None
                    reason = "must be valid Unicode; got half a surrogate pair."
                line = self.locate([row])[0]
                return InputError(f"{line}: {name!r} {reason}", hint=hint)
        raise AssertionError  # pragma: no cover (the batch had a bad cell)

    def _surplus(self, values: dict[str, Any], row: int) -> InputError:
        extra = next(name for name in values if name not in self.names)
        message = (
            f"{self.locate([row - 1])[0]}: an object must have the keys of the first "
            f"object; got {extra!r} too."
        )
        return InputError(message, hint="Name the systems that are to be read.")

    def texts(self, column: str, cells: Sequence[Any]) -> list[str | None]:
        """Read the texts of rows, by their numbers from 1."""
        rows = {row for row in cells if row is not None}
        pick = _picker(column)
        texts = {row: _written(pick(values)) for row, values in self.records(rows)}
        return [texts.get(row) for row in cells]

    def head(self, _engine: Engine, columns: Sequence[str]) -> list[list[Any]]:
        """Return the values of keys in the first objects."""
        rows = [values for _, values in islice(self.records(), HEAD)]
        return [[row.get(name) for row in rows] for name in columns]

    def count_rows(self, _engine: Engine) -> int:
        """Count the objects, and refuse what is none."""
        return sum(1 for _ in self.records())


def _picker(name: str) -> Any:
    """Return the function that looks a field up in an object."""
    return partial(dotted, name=name) if "." in name else methodcaller("get", name)


def _nested_hint(name: str, value: object) -> str:
    if isinstance(value, dict) and value:
        return f"A field within it: {name}.{next(iter(value))}"
    return "Lists of labels: --sets, kind='sets'."


def _written(value: object) -> str | None:
    """Write a value of any kind as text."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _array(values: list[Any], *, as_lists: bool) -> Any:
    """Write JSON values, or lists of them, as an Arrow array of text."""
    if as_lists:
        lists = [None if value is None else _label_list(value) for value in values]
        return pa.array(lists, pa.list_(pa.string()))
    return pa.array(_texts(values), pa.string())


def _texts(values: list[Any]) -> list[str | None]:
    return [v if v is None or type(v) is str else _text(v) for v in values]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    message = "must be one label; got a list or an object."
    raise BadTokenError(message)


def _label_list(value: object) -> list[str | None]:
    if not isinstance(value, list) or None in value:
        message = "must be a list of labels; got something else."
        raise BadTokenError(message)
    return _texts(value)
