"""Results as data frames."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Literal

from likelier.errors import SettingError

Backend = Literal["pandas", "polars", "pyarrow"]


def long_frame(numbers: dict[str, Any], backend: Backend | None) -> Any:
    """Turn the numbers of a result into a data frame with one row each.

    Parameters
    ----------
    numbers
        The dictionary of a result.
    backend
        pandas, polars or pyarrow; by default the first of them that is installed.
    """
    rows = [row for row in _leaves(numbers, "") if not row[0].endswith(_NO_MEASURES)]
    columns = {
        "systems": [" | ".join(numbers["systems"])] * len(rows),
        "metric": [numbers["metric"]] * len(rows),
        "name": [name for name, _ in rows],
        "value": [float(value) for _, value in rows],
    }
    return table_frame(columns, backend)


def table_frame(columns: dict[str, list[Any]], backend: Backend | None) -> Any:
    """Turn columns into a data frame.

    Parameters
    ----------
    columns
        The columns by name.
    backend
        pandas, polars or pyarrow; by default the first of them that is installed.
    """
    import narwhals as nw

    chosen = _installed() if backend is None else backend
    if chosen not in _BACKENDS:
        message = f"backend must be pandas, polars or pyarrow; got {backend!r}."
        raise SettingError(message)
    try:
        return nw.from_dict(columns, backend=chosen).to_native()
    except ModuleNotFoundError as error:
        message = f"frame(backend={backend!r}) needs {backend}, which is not installed."
        raise SettingError(message, hint=f"pip install {backend}") from error


_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")
_NO_MEASURES = ("schema", "method.seed")


def _installed() -> Backend:
    return next((name for name in _BACKENDS if find_spec(name)), "pyarrow")


def _leaves(value: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            system = inner.get("system") if isinstance(inner, dict) else None
            yield from _leaves(inner, f"{name}.{system or index}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value
