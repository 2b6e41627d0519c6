"""Messages of errors, whatever the data hold."""

from likelier.errors import InputError


def test_long_cells_are_shortened():
    cell = "".join(f"{number} " for number in range(20_000))
    error = InputError(f"t.csv:7: it must be short; got {cell!r}.", hint=cell)
    assert error.message.startswith("t.csv:7: it must be short; got '0 1 2 3")
    assert error.message.endswith("19998 19999 '.")
    assert len(str(error)) < 4_000


def test_names_of_usual_length_stay():
    name = "x" * 1_000
    assert name in str(InputError(f"{name} must be a file."))
