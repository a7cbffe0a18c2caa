"""What goes wrong, as exceptions. Each says what the command would print, and can be pickled."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["DrowseError", "Fault", "InputError", "MachineError", "NotFinished", "OtherBuild", "PlacedError", "SweepBusy"]


# Advice at the end of a message: its last clause, which tells to do something.
_ADVICE = re.compile(r".*; ((?:give|leave|make|name|run|set|use|write) .*)", re.DOTALL)


class DrowseError(Exception):
    """Why there is no result."""


class PlacedError(DrowseError):
    """What is wrong with an experiment, where, and what to do.

    `message` says what is wrong and `proposal` what to do. `file`, `line` and `column` (from 1) are the place, and
    `key` the path of a key that was set beside the file. What is not known is None.
    """

    message: str
    proposal: str | None
    file: str | None
    line: int | None
    column: int | None
    key: str | None

    def __init__(
        self,
        text: str,
        message: str | None = None,
        proposal: str | None = None,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.proposal = _advice(text, self.message) if proposal is None else proposal
        self.file = file
        self.line = line
        self.column = column
        self.key = key

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.message, self.proposal, self.file, self.line, self.column, self.key)
        return type(self), (self.args[0], *place)


def _advice(text: str, message: str) -> str | None:
    """Returns the advice in a message that has none beside it."""
    _, found, help = text.partition("\nhelp: ")
    clause = _ADVICE.fullmatch(message)
    return help if found else clause[1] if clause else None


class InputError(PlacedError, ValueError):
    """An experiment, a trace or a folder is wrong: says where, and what to do."""


class MachineError(PlacedError):
    """The machine failed: a disk is full, a file is gone, or there is too little memory."""


class NotFinished(DrowseError):
    """A job could not finish: a deadlock, a standstill, more time than can be simulated; or cases are missing."""


class SweepBusy(DrowseError):
    """Another sweep is at work in this folder."""


class OtherBuild(DrowseError):
    """Cases were stored by another build, whose results may differ."""


class Fault(DrowseError, RuntimeError):
    """A defect of Drowse: please report it."""
