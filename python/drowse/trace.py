"""Traces: read, described, checked, and written in other formats, in part, or for other ranks."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Generator

from drowse import _drowse
from drowse.operations import Operation
from drowse.figures import Figures

__all__ = ["Trace", "TraceWarning"]


class TraceWarning(UserWarning):
    """What a trace that was written does not tell of the one that it was made of."""


class Trace:
    """A trace of an application, which a job runs: a file or a folder, or an experiment file whose only job has an app."""

    __slots__ = ("path", "_opened")

    path: str
    """The file or folder."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._opened: tuple[object, _drowse.OpenTrace] | None = None

    def info(self, *, format: str | None = None, speed: str = "10 Gflop/s") -> Figures:
        """Describes the trace: operations, messages, collectives, computing; computations become time at a speed."""
        return Figures(json.loads(_drowse.trace_info(self.path, format, speed)))

    def check(self, *, format: str | None = None, most: int = 20) -> list[str]:
        """Returns what does not fit together in the trace, such as messages that nobody receives: the first findings."""
        return _drowse.trace_check(self.path, format, most)[0]

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._open(None).ranks

    @property
    def communicators(self) -> dict[str, list[int]]:
        """The ranks of each communicator beside `all`, by its name."""
        return dict(self._open(None).communicators())

    def operations(
        self, rank: int, *, format: str | None = None, speed: str = "10 Gflop/s"
    ) -> Generator[Operation, None, None]:
        """Reads what a rank does, one operation after the other, in blocks; computations become time at a speed."""
        operations = self._open(format).operations(rank, speed)
        # The generator begins here, so that what is wrong is raised by the call.
        return _all_of(operations)

    def convert(
        self,
        path: str | os.PathLike[str],
        *,
        to: str | None = None,
        format: str | None = None,
        speed: str = "10 Gflop/s",
        replace: bool = False,
    ) -> Trace:
        """Writes the trace in another format, and returns the new one.

        to: The format; by default that of the file's ending (.vef, .dim, .goal, .ti), else Drowse's own.
        format: Reads the trace as this format.
        speed: Turns computations into time.
        replace: Replaces a file that is there.

        What the other format does not tell is warned of (TraceWarning).
        """
        return _written(path, _drowse.convert_trace(self.path, (os.fspath(path), format, to, speed, replace)))

    def cut(
        self,
        path: str | os.PathLike[str],
        *,
        iterations: int | tuple[int, int] | None = None,
        time: str | None = None,
        ranks: int | None = None,
        to: str | None = None,
        format: str | None = None,
        speed: str = "10 Gflop/s",
        replace: bool = False,
    ) -> Trace:
        """Writes a part of the trace, and returns it.

        iterations: The first and the last that are kept, counted from 1, or the only one.
        time: Keeps what ranks do in this time where communication costs none: `"3.9 s..4.2 s"`, `"3.9 s.."` to the end.
        ranks: Keeps ranks 0 to `ranks` - 1; no other may talk to them.

        The rest is as for `convert`. Where something crosses the cut, the cut moves on, and a warning says so.
        """
        if iterations is None and time is None and ranks is None:
            raise ValueError("nothing to cut: give iterations or time, ranks, or both")
        if iterations is not None and time is not None:
            raise ValueError("give iterations or time")
        span = (iterations, iterations) if isinstance(iterations, int) else iterations
        if span is not None and not 0 < span[0] <= span[1]:
            raise ValueError("iterations: give the first and the last, counted from 1, as in (3, 7)")
        written = (os.fspath(path), format, to, speed, replace)
        return _written(path, _drowse.cut_trace(self.path, written, span, time, ranks))

    def scale(
        self,
        path: str | os.PathLike[str],
        *,
        ranks: int,
        and_: Trace | str | os.PathLike[str] | None = None,
        to: str | None = None,
        format: str | None = None,
        speed: str = "10 Gflop/s",
        replace: bool = False,
    ) -> Trace:
        """Writes the trace for another number of ranks, and returns it; refuses patterns that it does not know.

        ranks: The number of ranks.
        and_: A trace of the same program on a third number of ranks: sizes and computing change as they do between both.

        The rest is as for `convert`. What was found is warned of.
        """
        other = and_.path if isinstance(and_, Trace) else None if and_ is None else os.fspath(and_)
        written = (os.fspath(path), format, to, speed, replace)
        return _written(path, _drowse.scale_trace(self.path, written, ranks, other))

    def _open(self, format: str | None) -> _drowse.OpenTrace:
        """Opens the trace, once as long as it stays the same."""
        try:
            found = os.stat(self.path)
            state: object = (format, found.st_ino, found.st_size, found.st_mtime_ns)
        except OSError:
            # Opening it says why.
            state = None
        if state is None or self._opened is None or self._opened[0] != state:
            self._opened = state, _drowse.OpenTrace(self.path, format)
        return self._opened[1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __reduce__(self) -> tuple[type[Trace], tuple[str]]:
        return Trace, (self.path,)

    def __repr__(self) -> str:
        return f"Trace({self.path!r})"


def _all_of(operations: _drowse.Operations) -> Generator[Operation, None, None]:
    while block := operations.block():
        yield from map(Operation._make, block)


def _written(path: str | os.PathLike[str], notes: list[str]) -> Trace:
    for note in notes:
        warnings.warn(note, TraceWarning, stacklevel=3)
    return Trace(path)
