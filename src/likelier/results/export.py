"""Results as data frames and as small HTML blocks."""

from collections.abc import Iterator
from html import escape
from typing import Any, Literal

from likelier.errors import SettingError
from likelier.recipe import Recipe

Backend = Literal["pandas", "polars", "pyarrow"]


def long_frame(numbers: dict[str, Any], backend: Backend) -> Any:
    """Turn nested numbers into a data frame with one row per number.

    Parameters
    ----------
    numbers
        The dictionary of a result.
    backend
        pandas, polars or pyarrow.
    """
    import narwhals as nw

    rows = list(_leaves(numbers, ""))
    columns = {
        "name": [name for name, _ in rows],
        "value": [float(value) for _, value in rows],
    }
    if backend not in ("pandas", "polars", "pyarrow"):
        message = f"backend must be pandas, polars or pyarrow; got {backend!r}."
        raise SettingError(message)
    try:
        return nw.from_dict(columns, backend=backend).to_native()
    except ModuleNotFoundError as error:
        message = f"frame(backend={backend!r}) needs {backend}, which is not installed."
        raise SettingError(message, hint=f"pip install {backend}") from error


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


def html_block(lines: list[str | None], recipe: Recipe) -> str:
    """Show lines of text and the recipe in a notebook; the text is escaped."""
    shown = [f"<p>{escape(line)}</p>" for line in lines if line]
    return f"<div>{''.join(shown)}<p><code>{escape(str(recipe))}</code></p></div>"
