"""Data frames of whichever library is installed."""

from importlib.util import find_spec
from typing import Any, Literal

from likelier.errors import SettingError

Backend = Literal["pandas", "polars", "pyarrow"]

_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


def data_frame(columns: dict[str, list[Any]], backend: Backend | None) -> Any:
    """Turn columns into a data frame of an installed library."""
    import narwhals as nw

    installed = (name for name in _BACKENDS if find_spec(name))
    chosen = next(installed, "pyarrow") if backend is None else backend
    if chosen not in _BACKENDS:
        message = f"backend must be pandas, polars or pyarrow; got {backend!r}."
        raise SettingError(message)
    try:
        return nw.from_dict(columns, backend=chosen).to_native()
    except ModuleNotFoundError as error:
        message = f"frame(backend={backend!r}) needs {backend}, which is not installed."
        raise SettingError(message, hint=f"pip install {backend}") from error
