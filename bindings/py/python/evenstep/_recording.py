"""The measurements of a recording, as analyze returns them."""

import copy
import json
from typing import Any, TypeAlias, final

from evenstep import Table

from ._errors import refused

# The tables of frame times and of presents; None if no columns were requested.
_Columns: TypeAlias = tuple[Table, Table] | None


@final
class Chain:
    """The frames of one program in one window: its metrics, its diagnosis, and its frames."""

    __module__ = "evenstep"
    __slots__ = ("_columns", "_part")

    def __init__(self, part: dict[str, Any], columns: _Columns) -> None:
        """Its part of the report, of which a program gets copies."""
        self._part = part
        self._columns = columns

    @property
    def process(self) -> str:
        """The name of the program in the file; empty if it has none."""
        return self._text("process")

    @property
    def pid(self) -> str:
        """The number of its process, as text."""
        return self._text("pid")

    @property
    def swap_chain(self) -> str:
        """The name of its swap chain or surface."""
        return self._text("swap_chain")

    @property
    def metrics(self) -> dict[str, Any]:
        """Figures by their name: frames a second, milliseconds (`_ms`), seconds (`_s`) and percent (`_pct`). "absent" is a list with
        {"name", "reason"} for each figure that the file does not allow."""
        metrics = copy.deepcopy(self._part)
        for other in ("process", "pid", "swap_chain", "diagnosis"):
            del metrics[other]
        metrics.setdefault("absent", [])
        return metrics

    @property
    def diagnosis(self) -> list[dict[str, Any]]:
        """What was found, the most important first: dicts with "kind", "evidence", "cure" and, where it is known, "refresh_hz" in hertz."""
        return list(copy.deepcopy(self._part["diagnosis"]))

    @property
    def frame_times(self) -> Table:
        """A row for each of the program's frames, displayed or not: frame_time_ms. With columns=False an Error."""
        return self._tables("frame_times")[0]

    @property
    def presents(self) -> Table:
        """A row for each present, in milliseconds from the first row of the file, with PresentMon's metrics recomputed; empty if the file has
        none. With columns=False an Error."""
        return self._tables("presents")[1]

    def _text(self, name: str) -> str:
        return str(self._part[name])

    def _tables(self, name: str) -> tuple[Table, Table]:
        if self._columns is None:
            raise refused("Missing", f"Chain.{name}", "no frames were kept; analyze with columns=True")
        return self._columns

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, by every protocol: what it is made from."""
        return Chain, (self._part, self._columns)

    def __repr__(self) -> str:
        """Its names, and how many frames it has."""
        return f"<evenstep.Chain {self.process}/{self.pid}/{self.swap_chain} of {self._part['frames']} frames>"


@final
class Report:
    """The measurements of a recording. It can be pickled, with its columns."""

    __module__ = "evenstep"
    __slots__ = ("_chains", "_json", "_parts")

    def __init__(self, text: str, columns: list[_Columns]) -> None:
        """From its JSON and the columns of its chains."""
        self._json = text
        self._parts = json.loads(text)
        self._chains = [Chain(*chain) for chain in zip(self._parts.pop("chains"), columns, strict=True)]

    @property
    def file(self) -> str:
        """The path, or the name of the bytes."""
        return str(self._parts["file"])

    @property
    def format(self) -> str:
        """The tool that wrote the recording."""
        return str(self._parts["format"])

    @property
    def warnings(self) -> list[str]:
        """What was guessed, replaced or left out, a sentence each."""
        return list(self._parts["warnings"])

    @property
    def chains(self) -> list[Chain]:
        """The chains of frames, the one with the most frames first; the desktop's is last."""
        return list(self._chains)

    @property
    def main(self) -> Chain:
        """The chain with the most frames."""
        return self._chains[0]

    def json(self) -> str:
        """The text that `evenstep analyze --json` prints for the file."""
        return self._json

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle, by every protocol: what it is made from."""
        return Report, (self._json, [chain._columns for chain in self._chains])

    def __repr__(self) -> str:
        """Its file, and how many chains it has."""
        return f"<evenstep.Report of {self.file} ({self.format}), {len(self._chains)} chains>"
