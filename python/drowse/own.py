"""Link power policies of one's own: when channels sleep, decided by Python.

A policy is an object with three methods. Times are whole picoseconds; None is never.

    class TwiceTheMean:
        def __init__(self, least):
            self.least = dr.policy.picoseconds(least)

        def start(self, channel, link_class):           # what is remembered of a channel
            return 0

        def timers(self, link_class, mean):             # idle for so long: shallow sleep, deep sleep
            return None, max(2 * mean, self.least)

        def idle_ended(self, link_class, mean, since, until):
            return mean - mean // 8 + (until - since) // 8    # what is remembered from now on

    exp = dr.Experiment(net, power=TwiceTheMean("20 us"), jobs=...)

It stands in an experiment as any other policy does, also as a value of a sweep. What is remembered of a channel is given to
each call and handed back, so a policy needs no state of its own. Channels call from several threads, in an order that
another version may change: results must not depend on that.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from drowse import _drowse

__all__ = ["CompiledPolicy", "OwnTable", "PolicyTools", "SleepPolicy", "by_source", "called", "is_policy", "table"]


class SleepPolicy(Protocol):
    """A policy of one's own. Times are whole picoseconds, since the run began where they are moments; None is never."""

    def start(self, channel: int, link_class: str, /) -> Any:
        """Returns what is remembered of a channel when a run begins."""

    def timers(self, link_class: str, state: Any, /) -> tuple[int | None, int | None]:
        """Returns how long a channel idles until it enters shallow and deep sleep; is called after the other two."""
        ...

    def idle_ended(self, link_class: str, state: Any, since: int, until: int, /) -> Any:
        """Returns what is remembered of a channel now that an idle period has ended."""


class CompiledPolicy:
    """A policy whose decision is machine code: a function that numba has compiled.

    It takes the number of the channel's link class, an array of four whole numbers that are remembered of the channel (0
    at the start), the moments at which an idle period began and ended, and an array of the two timers, shallow and deep,
    which it changes; `dr.policy.NEVER` is never. It returns 1. All are whole numbers of 64 bits, times in picoseconds.
    """

    __slots__ = ("function", "first_timers", "_compiled")

    function: Callable[..., int]
    """The function."""
    first_timers: tuple[int, int]
    """The timers of a channel's first idle period, in picoseconds."""

    def __init__(self, function: Callable[..., int], shallow: int, deep: int) -> None:
        self.function = function
        self.first_timers = (shallow, deep)
        self._compiled: Any = None

    @property
    def address(self) -> int:
        """Where the machine code begins, in this process."""
        if self._compiled is None:
            # It has no types of its own.
            numba: Any = importlib.import_module("numba")
            own, carray = numba.njit(self.function), numba.carray

            def call(link_class: Any, state: Any, since: Any, until: Any, timers: Any) -> Any:
                return own(link_class, carray(state, 4), since, until, carray(timers, 2))

            words = numba.types.CPointer(numba.int64)
            self._compiled = numba.cfunc(numba.int32(numba.uint32, words, numba.int64, numba.int64, words))(call)
        return int(self._compiled.address)

    def __call__(self, *arguments: Any) -> int:
        """Calls the function in Python, to try it."""
        return self.function(*arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        # Machine code is of one process.
        return CompiledPolicy, (self.function, *self.first_timers)


class PolicyTools:
    """What policies of one's own need."""

    NEVER: int = 2**63 - 1
    """A timer that never ends, in compiled policies."""

    @staticmethod
    def picoseconds(time: str) -> int:
        """Returns a time, such as `50 us`, in picoseconds."""
        return _drowse.picoseconds(time)

    @staticmethod
    def compiled(
        *, shallow: str | None = None, deep: str | None = None
    ) -> Callable[[Callable[..., int]], CompiledPolicy]:
        """Makes a policy of a function that numba compiles: see `CompiledPolicy`.

        shallow, deep: The timers of a channel's first idle period; by default it does not sleep.
        """
        first = [PolicyTools.NEVER if time is None else _drowse.picoseconds(time) for time in (shallow, deep)]
        return lambda function: CompiledPolicy(function, first[0], first[1])


class OwnTable(dict[str, Any]):
    """What stands for a policy of one's own in an experiment: its code by name, a hash of what its decisions depend on, and, to be
    read, its parameters. And the policy."""

    policy: SleepPolicy | CompiledPolicy

    def __reduce__(self) -> tuple[Any, ...]:
        return table, (self.policy,)


def table(policy: SleepPolicy | CompiledPolicy) -> OwnTable:
    """Returns what stands for a policy in an experiment."""
    if isinstance(policy, CompiledPolicy):
        bases: list[Any] = [policy.function]
        shallow, deep = policy.first_timers
        parameters: dict[str, Any] = {"shallow_ps": shallow, "deep_ps": deep}
    else:
        missing = [name for name in _METHODS if not callable(getattr(policy, name, None))]
        if missing:
            raise TypeError(f"{policy!r} is no policy: it has no method {' and no '.join(missing)}")
        bases = [base for base in type(policy).__mro__ if base is not object and base.__module__ != "typing"]
        parameters = dict(vars(policy)) if hasattr(policy, "__dict__") else {"policy": policy}
    version = getattr(bases[0] if isinstance(policy, CompiledPolicy) else policy, "version", None)
    parameters = {name: _parameter(value) for name, value in sorted(parameters.items())}
    parts = [*(_source(base, version) for base in bases), repr(parameters)]
    own = OwnTable(kind="python", code=getattr(bases[0], "__qualname__", "compiled"))
    own["source"] = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    if version is not None:
        own["version"] = _parameter(version)
    if parameters:
        own["parameters"] = parameters
    own.policy = policy
    return own


def called(policy: SleepPolicy | CompiledPolicy) -> object | tuple[int, int, int]:
    """Returns how the compiled part of the package calls a policy."""
    return (policy.address, *policy.first_timers) if isinstance(policy, CompiledPolicy) else policy


def by_source(policies: Sequence[SleepPolicy | CompiledPolicy]) -> dict[str, SleepPolicy | CompiledPolicy]:
    """Returns policies by what identifies them."""
    return {table(policy)["source"]: policy for policy in policies}


# What a policy must have.
_METHODS = ("start", "timers", "idle_ended")


def is_policy(value: object) -> bool:
    """Returns whether an object looks like a policy of one's own."""
    if isinstance(value, CompiledPolicy):
        return True
    return not isinstance(value, type) and any(callable(getattr(value, name, None)) for name in _METHODS[1:])


def _parameter(value: Any) -> Any:
    """Returns a parameter as it stands in an experiment."""
    return value if isinstance(value, (bool, int, float, str)) else repr(value)


def _source(code: Any, version: object) -> str:
    """Returns the source of a class or function, or what stands for it."""
    if version is not None:
        return f"{code.__qualname__} {version}"
    if not isinstance(code, type):
        return _text(code)
    # A class in a notebook has no source, its methods have.
    parts = [code.__qualname__]
    for name, member in sorted(vars(code).items()):
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if inspect.isfunction(function):
            parts.append(_text(function))
        elif not name.startswith("__") and not inspect.ismemberdescriptor(member):
            parts.append(f"{name} = {member!r}")
    return "\n".join(parts)


def _text(function: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise ValueError(
            f"the source of {function.__qualname__} cannot be had, so nothing says which policy it is: "
            "write it in a file or in a cell of a notebook, or give it a field `version`"
        ) from None
