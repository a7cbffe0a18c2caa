"""What a rank does: the operations of a program, each a line of Drowse's own trace format.

A size is a text with a unit (`"8 KiB"`) or whole bytes; a time is a text with a unit (`"10 us"`) or whole nanoseconds.
Senders and receivers are ranks of the program, whatever the communicator; roots, and lists of sizes, are by rank of the
communicator. Messages are matched by their tag within a communicator; `"all"` is that of all ranks.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, SupportsIndex

from drowse import _drowse

if TYPE_CHECKING:
    from typing import TypeAlias

    Size: TypeAlias = str | SupportsIndex
    """A size: a text with a unit, or whole bytes."""
    Time: TypeAlias = str | SupportsIndex
    """A time: a text with a unit, or whole nanoseconds."""
    OrAny: TypeAlias = SupportsIndex | Literal["any"]
    """A rank or a tag, or any."""


class Operation(NamedTuple):
    """One step of a rank; `str(operation)` is its line in a trace. What an operation does not have is None."""

    kind: str
    """Its name: the first word of its line, such as `send` or `reduce-scatter`."""
    peer: int | Literal["any"] | None = None
    """The receiver or the sender."""
    root: int | None = None
    """The root of a collective."""
    bytes: int | tuple[int, ...] | None = None
    """The size, or a size for each rank."""
    tag: int | Literal["any"] | None = None
    """The tag of a message."""
    elements: int | None = None
    """The number of elements, on which the choice of algorithms depends, where it is not that of bytes."""
    time_ps: int | None = None
    """The time of computing, in picoseconds."""
    comm: str | None = None
    """The communicator."""
    request: int | tuple[int, ...] | None = None
    """The request that it starts, or those that it waits for."""

    def __str__(self) -> str:
        kind, peer, root, size, tag, elements, time, comm, request = self
        line = kind
        if peer is not None:
            line = f"{line} {peer}"
        if root is not None:
            line = f"{line} {root}"
        if size is not None:
            line = f"{line} {size if isinstance(size, int) else ' '.join(map(str, size))}"
        if tag:
            line = f"{line} tag {tag}"
        if elements is not None:
            line = f"{line} count {elements}"
        if time is not None:
            word = "" if kind == "compute" else " compute"
            line = f"{line}{word} {time} ps" if time % 1000 else f"{line}{word} {time // 1000}"
        if comm is not None and comm != "all":
            line = f"{line} in {comm}"
        if request is None:
            return line
        if isinstance(request, tuple):
            return " ".join([line, *map(str, request)])
        return f"{line} {request}" if kind == "wait" else f"{line} as {request}"

    def __repr__(self) -> str:
        return f"<{self}>"


def compute(time: Time) -> Operation:
    """Computes for a time."""
    return Operation("compute", time_ps=_time(time))


def iteration() -> Operation:
    """Marks the beginning of an iteration; it takes no time."""
    return Operation("iteration")


def send(to: SupportsIndex, bytes: Size, *, tag: SupportsIndex = 0, comm: str = "all") -> Operation:
    """Sends, and blocks until the buffer may be reused."""
    return _send("send", to, bytes, tag, comm, None)


def ssend(to: SupportsIndex, bytes: Size, *, tag: SupportsIndex = 0, comm: str = "all") -> Operation:
    """Sends in synchronous mode: blocks until the message, which asks first, has left."""
    return _send("ssend", to, bytes, tag, comm, None)


def bsend(to: SupportsIndex, bytes: Size, *, tag: SupportsIndex = 0, comm: str = "all") -> Operation:
    """Sends in buffered mode: goes on at once."""
    return _send("bsend", to, bytes, tag, comm, None)


def rsend(to: SupportsIndex, bytes: Size, *, tag: SupportsIndex = 0, comm: str = "all") -> Operation:
    """Sends in ready mode: never asks."""
    return _send("rsend", to, bytes, tag, comm, None)


def isend(
    to: SupportsIndex,
    bytes: Size,
    *,
    tag: SupportsIndex = 0,
    comm: str = "all",
    request: SupportsIndex | None = None,
) -> Operation:
    """Starts a send; without a request, nothing waits for it."""
    return _send("isend", to, bytes, tag, comm, request)


def issend(
    to: SupportsIndex,
    bytes: Size,
    *,
    tag: SupportsIndex = 0,
    comm: str = "all",
    request: SupportsIndex | None = None,
) -> Operation:
    """Starts a send in synchronous mode."""
    return _send("issend", to, bytes, tag, comm, request)


def ibsend(
    to: SupportsIndex,
    bytes: Size,
    *,
    tag: SupportsIndex = 0,
    comm: str = "all",
    request: SupportsIndex | None = None,
) -> Operation:
    """Starts a send in buffered mode."""
    return _send("ibsend", to, bytes, tag, comm, request)


def irsend(
    to: SupportsIndex,
    bytes: Size,
    *,
    tag: SupportsIndex = 0,
    comm: str = "all",
    request: SupportsIndex | None = None,
) -> Operation:
    """Starts a send in ready mode."""
    return _send("irsend", to, bytes, tag, comm, request)


def recv(source: OrAny, *, tag: OrAny = 0, comm: str = "all") -> Operation:
    """Receives, and blocks until the message has arrived; source and tag may be `"any"`."""
    return _receive("recv", source, tag, comm, None)


def irecv(source: OrAny, *, request: SupportsIndex, tag: OrAny = 0, comm: str = "all") -> Operation:
    """Posts a receive; source and tag may be `"any"`."""
    return _receive("irecv", source, tag, comm, request)


def probe(source: OrAny, *, tag: OrAny = 0, comm: str = "all") -> Operation:
    """Blocks until a message has arrived that such a receive would take, and leaves it there."""
    return _receive("probe", source, tag, comm, None)


def wait(request: SupportsIndex) -> Operation:
    """Waits for a request; goes on at once if it is not pending."""
    return Operation("wait", request=operator.index(request))


def waitany(*requests: SupportsIndex) -> Operation:
    """Waits until one of some requests is complete, and forgets the first that is."""
    return Operation("waitany", request=tuple(map(operator.index, requests)))


def waitsome(*requests: SupportsIndex) -> Operation:
    """Waits until one of some requests is complete, and forgets all that are."""
    return Operation("waitsome", request=tuple(map(operator.index, requests)))


def waitall() -> Operation:
    """Waits for all pending requests of the rank."""
    return Operation("waitall")


def barrier(*, comm: str = "all") -> Operation:
    """Waits until all ranks are there."""
    return _collective("barrier", comm)


def bcast(root: SupportsIndex, bytes: Size, *, count: SupportsIndex | None = None, comm: str = "all") -> Operation:
    """Sends the root's data to all.

    count: The number of elements, on which the choice of algorithm depends; by default that of bytes.
    """
    return _collective("bcast", comm, root=root, bytes=_size(bytes), count=count)


def reduce(
    root: SupportsIndex, bytes: Size, *, count: SupportsIndex | None = None, compute: Time = 0, comm: str = "all"
) -> Operation:
    """Combines the data of all at the root.

    count: The number of elements, on which the choice of algorithm depends; by default that of bytes.
    compute: The time that a rank needs to combine data.
    """
    return _collective("reduce", comm, root=root, bytes=_size(bytes), count=count, compute=compute)


def allreduce(bytes: Size, *, count: SupportsIndex | None = None, compute: Time = 0, comm: str = "all") -> Operation:
    """Combines the data of all at every rank.

    count: The number of elements, on which the choice of algorithm depends; by default that of bytes.
    compute: The time that a rank needs to combine data.
    """
    return _collective("allreduce", comm, bytes=_size(bytes), count=count, compute=compute)


def gather(root: SupportsIndex, bytes: Size, *, comm: str = "all") -> Operation:
    """Sends the data of all to the root, of one size each."""
    return _collective("gather", comm, root=root, bytes=_size(bytes))


def gatherv(root: SupportsIndex, bytes: Sequence[Size], *, comm: str = "all") -> Operation:
    """Sends the data of all to the root, with a size for each rank."""
    return _collective("gatherv", comm, root=root, bytes=_sizes(bytes))


def scatter(root: SupportsIndex, bytes: Size, *, comm: str = "all") -> Operation:
    """Distributes the root's data, of one size for each rank."""
    return _collective("scatter", comm, root=root, bytes=_size(bytes))


def scatterv(root: SupportsIndex, bytes: Sequence[Size], *, comm: str = "all") -> Operation:
    """Distributes the root's data, with a size for each rank."""
    return _collective("scatterv", comm, root=root, bytes=_sizes(bytes))


def allgather(bytes: Size, *, comm: str = "all") -> Operation:
    """Sends the data of all to all, of one size each."""
    return _collective("allgather", comm, bytes=_size(bytes))


def allgatherv(bytes: Sequence[Size], *, comm: str = "all") -> Operation:
    """Sends the data of all to all, with a size for each rank."""
    return _collective("allgatherv", comm, bytes=_sizes(bytes))


def alltoall(bytes: Size, *, comm: str = "all") -> Operation:
    """Sends data of one size from each rank to each."""
    return _collective("alltoall", comm, bytes=_size(bytes))


def alltoallv(bytes: Sequence[Size], *, comm: str = "all") -> Operation:
    """Sends data from each rank to each, with the sizes of what this rank sends."""
    return _collective("alltoallv", comm, bytes=_sizes(bytes))


def reduce_scatter(bytes: Sequence[Size], *, compute: Time = 0, comm: str = "all") -> Operation:
    """Combines the data of all and distributes it, with the size of each rank's result.

    compute: The time that a rank needs to combine data.
    """
    return _collective("reduce-scatter", comm, bytes=_sizes(bytes), compute=compute)


def scan(bytes: Size, *, compute: Time = 0, comm: str = "all") -> Operation:
    """Combines at each rank its data and that of all lower ranks.

    compute: The time that a rank needs to combine data.
    """
    return _collective("scan", comm, bytes=_size(bytes), compute=compute)


def exscan(bytes: Size, *, compute: Time = 0, comm: str = "all") -> Operation:
    """Combines at each rank the data of all lower ranks.

    compute: The time that a rank needs to combine data.
    """
    return _collective("exscan", comm, bytes=_size(bytes), compute=compute)


# The same, started: they go on beside the program until a wait for their request.


def ibarrier(*, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts a `barrier`."""
    return _started(barrier(comm=comm), request)


def ibcast(
    root: SupportsIndex, bytes: Size, *, request: SupportsIndex, count: SupportsIndex | None = None, comm: str = "all"
) -> Operation:
    """Starts a `bcast`."""
    return _started(bcast(root, bytes, count=count, comm=comm), request)


def ireduce(
    root: SupportsIndex,
    bytes: Size,
    *,
    request: SupportsIndex,
    count: SupportsIndex | None = None,
    compute: Time = 0,
    comm: str = "all",
) -> Operation:
    """Starts a `reduce`."""
    return _started(reduce(root, bytes, count=count, compute=compute, comm=comm), request)


def iallreduce(
    bytes: Size,
    *,
    request: SupportsIndex,
    count: SupportsIndex | None = None,
    compute: Time = 0,
    comm: str = "all",
) -> Operation:
    """Starts an `allreduce`."""
    return _started(allreduce(bytes, count=count, compute=compute, comm=comm), request)


def igather(root: SupportsIndex, bytes: Size, *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts a `gather`."""
    return _started(gather(root, bytes, comm=comm), request)


def igatherv(root: SupportsIndex, bytes: Sequence[Size], *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts a `gatherv`."""
    return _started(gatherv(root, bytes, comm=comm), request)


def iscatter(root: SupportsIndex, bytes: Size, *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts a `scatter`."""
    return _started(scatter(root, bytes, comm=comm), request)


def iscatterv(root: SupportsIndex, bytes: Sequence[Size], *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts a `scatterv`."""
    return _started(scatterv(root, bytes, comm=comm), request)


def iallgather(bytes: Size, *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts an `allgather`."""
    return _started(allgather(bytes, comm=comm), request)


def iallgatherv(bytes: Sequence[Size], *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts an `allgatherv`."""
    return _started(allgatherv(bytes, comm=comm), request)


def ialltoall(bytes: Size, *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts an `alltoall`."""
    return _started(alltoall(bytes, comm=comm), request)


def ialltoallv(bytes: Sequence[Size], *, request: SupportsIndex, comm: str = "all") -> Operation:
    """Starts an `alltoallv`."""
    return _started(alltoallv(bytes, comm=comm), request)


def ireduce_scatter(
    bytes: Sequence[Size], *, request: SupportsIndex, compute: Time = 0, comm: str = "all"
) -> Operation:
    """Starts a `reduce_scatter`."""
    return _started(reduce_scatter(bytes, compute=compute, comm=comm), request)


def iscan(bytes: Size, *, request: SupportsIndex, compute: Time = 0, comm: str = "all") -> Operation:
    """Starts a `scan`."""
    return _started(scan(bytes, compute=compute, comm=comm), request)


def iexscan(bytes: Size, *, request: SupportsIndex, compute: Time = 0, comm: str = "all") -> Operation:
    """Starts an `exscan`."""
    return _started(exscan(bytes, compute=compute, comm=comm), request)


_bytes_of = lru_cache(1024)(_drowse.byte_count)
_picoseconds_of = lru_cache(1024)(_drowse.picoseconds)


def _size(size: Size) -> int:
    return _bytes_of(size) if isinstance(size, str) else operator.index(size)


def _sizes(sizes: Sequence[Size]) -> tuple[int, ...]:
    if isinstance(sizes, str):
        raise TypeError(f"{sizes!r} is one size, and a list of them is needed: one for each rank of the communicator")
    return tuple(_size(size) for size in sizes)


def _time(time: Time) -> int:
    return _picoseconds_of(time) if isinstance(time, str) else 1000 * operator.index(time)


def _any(number: OrAny) -> int | Literal["any"]:
    return "any" if number == "any" else operator.index(number)


def _maybe(number: SupportsIndex | None) -> int | None:
    return None if number is None else operator.index(number)


def _send(kind: str, to: SupportsIndex, bytes: Size, tag: SupportsIndex, comm: str, request: SupportsIndex | None) -> Operation:
    return Operation(
        kind, operator.index(to), None, _size(bytes), operator.index(tag), None, None, comm, _maybe(request)
    )


def _receive(kind: str, source: OrAny, tag: OrAny, comm: str, request: SupportsIndex | None) -> Operation:
    return Operation(kind, _any(source), None, None, _any(tag), None, None, comm, _maybe(request))


def _collective(
    kind: str,
    comm: str,
    *,
    root: SupportsIndex | None = None,
    bytes: int | tuple[int, ...] | None = None,
    count: SupportsIndex | None = None,
    compute: Time = 0,
) -> Operation:
    elements = _maybe(count)
    elements = None if elements == bytes else elements
    return Operation(kind, None, _maybe(root), bytes, None, elements, _time(compute) or None, comm)


def _started(collective: Operation, request: SupportsIndex) -> Operation:
    return collective._replace(kind=f"i{collective.kind}", request=operator.index(request))
