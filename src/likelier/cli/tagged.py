"""Files of tags on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from likelier.cli.calls import Asked
from likelier.cli.outputs import working
from likelier.errors import SettingError
from likelier.readers.conll import read_conll
from likelier.readers.lines import ChunkReading
from likelier.readers.segmented import read_segmented


@dataclass(frozen=True)
class Tagged:
    """The files of tags, and how to read chunks from them."""

    files: Sequence[Path]
    scheme: tuple[str, ...] | None
    systems: tuple[str, ...] | None
    strict: bool
    boundaries: bool
    only: str | None
    documents: bool
    segmented: bool

    def read(self, _: Asked) -> ChunkReading:
        """Count the chunks of the files."""
        with working("counting chunks"):
            if self.segmented:
                self._refuse_tags()
                reading = read_segmented(self.files, systems=self.systems)
            else:
                reading = self._conll()
        return reading

    def _refuse_tags(self) -> None:
        flags = (self.strict, self.boundaries, self.documents)
        if self.scheme is not None or self.only is not None or any(flags):
            message = "Segmented text must come without options of tags; got some."
            hint = "Leave out --scheme, --strict, --boundaries, --only, --documents."
            raise SettingError(message, hint=hint)

    def _conll(self) -> ChunkReading:
        if self.scheme is None:
            message = "scheme must name the tags, such as iob2; got none."
            raise SettingError(message, hint="Words between spaces: --segmented")
        scheme = self.scheme[0] if len(self.scheme) == 1 else list(self.scheme)
        return read_conll(
            self.files,
            scheme=scheme,
            systems=self.systems,
            strict=self.strict,
            typed=not self.boundaries,
            only=self.only,
            documents=self.documents,
        )
