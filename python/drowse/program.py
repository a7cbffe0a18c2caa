"""Programs of one's own: what a function says that each rank does, recorded as a trace."""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import lru_cache

from drowse import _drowse
from drowse.errors import InputError
from drowse.files import MARK, NewFile
from drowse.operations import Operation
from drowse.trace import Trace

__all__ = ["record"]

# Operations that are written at a time.
_BLOCK = 4096
# Programs repeat what they do, and finding a line takes a third of the time of writing it.
_line = lru_cache(1 << 14)(str)


def record(
    function: Callable[[int, int], Iterable[Operation]],
    path: str | os.PathLike[str],
    *,
    ranks: int,
    communicators: Mapping[str, Sequence[int]] | None = None,
    replace: bool = False,
) -> Trace:
    """Writes the program of a function as a trace, which runs as any other.

    function: Called with each rank and the number of ranks; yields the operations of the rank, in order.
    path: The file, a text of Drowse's own format. Endings `.gz`, `.xz` and `.zst` compress it, the last one from Python
        3.14 on or with the package zstandard.
    ranks: The number of ranks.
    communicators: The ranks of each communicator that operations name, beside `all`.
    replace: Replaces a file that is there, even if Drowse has not made it.

    The file gets its name when it is whole. What makes no program raises InputError, which names the rank and the
    number of the operation, from 1. What the function raises comes out as it is.
    """
    path = os.fspath(path)
    head = [f"drowse-trace 1 # {MARK}", f"ranks {ranks}"]
    head += [_communicator(name, members) for name, members in (communicators or {}).items()]
    with NewFile(path, replace) as file:
        file.write("\n".join(head) + "\n")
        counts = [_write_rank(file, rank, function(rank, ranks)) for rank in range(ranks)]
        file.close()
        _check(file.partial, head, counts)
    return Trace(path)


def _write_rank(file: NewFile, rank: int, operations: Iterable[Operation]) -> int:
    """Writes the operations of a rank, and returns how many they are."""
    file.write(f"rank {rank}\n")
    count, rest = 0, iter(operations)
    while block := _pull(rest, rank):
        for number, operation in enumerate(block, count + 1):
            # A line is one operation; its words are read when all are written.
            if type(operation) is not Operation:
                said = f"is {operation!r}, a {type(operation).__name__}"
                raise _wrong(rank, number, said, "yield operations, such as dr.send(1, 8) or dr.compute('10 us')")
        lines = "\n".join(map(_line, block)) + "\n"
        if lines.count("\n") != len(block):
            number = next(number for number, operation in enumerate(block, count + 1) if "\n" in str(operation))
            raise _wrong(rank, number, "has a name of two lines", "give a name without blanks")
        file.write(lines)
        count += len(block)
    return count


def _pull(operations: Iterable[Operation], rank: int) -> list[Operation]:
    """Returns the next operations of a rank; what they raise gets a note of the rank."""
    try:
        return list(itertools.islice(operations, _BLOCK))
    except Exception as error:
        if sys.version_info >= (3, 11):
            error.add_note(f"raised by the program of rank {rank}")
        raise


def _communicator(name: str, members: Sequence[int]) -> str:
    if not re.fullmatch(r"[^\s#]+", name):
        raise InputError(f"error: {name!r} is no name of a communicator\nhelp: give one word without #")
    return f"communicator {name} {' '.join(_ranges(members))}"


def _ranges(members: Sequence[int]) -> Generator[str, None, None]:
    """Returns ranks, consecutive ones as a range."""
    # Consecutive ranks differ from their places by the same number.
    for _, run in itertools.groupby(enumerate(members), lambda placed: placed[1] - placed[0]):
        ranks = [int(rank) for _, rank in run]
        yield f"{ranks[0]}-{ranks[-1]}" if len(ranks) > 1 else str(ranks[0])


def _check(partial: str, head: list[str], counts: list[int]) -> None:
    """Reads the trace that was written, and says of which rank and operation a line is that is wrong."""
    try:
        _drowse.read_through(partial)
    except InputError as error:
        found = re.fullmatch(rf"(?:error: )?{re.escape(partial)}:(\d+): (.*)", error.message, re.DOTALL)
        if found is None:
            raise
        line, said = int(found[1]), found[2]
        if line <= len(head):
            raise InputError(f"error: {head[line - 1]!r}: {said}") from None
        line -= len(head)
        for rank, count in enumerate(counts):
            if line <= 1 + count:
                raise InputError(f"error: rank {rank}, operation {line - 1}: {said}") from None
            line -= 1 + count
        raise


def _wrong(rank: int, number: int, said: str, cure: str) -> InputError:
    return InputError(f"error: rank {rank}, operation {number}: {said}\nhelp: {cure}")
