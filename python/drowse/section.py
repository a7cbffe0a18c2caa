"""What the sections of experiments have in common."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any, cast

from drowse.own import CompiledPolicy, OwnTable, SleepPolicy, is_policy, table

__all__ = ["Section", "own_policies", "plain"]


class Section:
    """A section of an experiment: its keys, those that are not given left out."""

    __slots__ = ("_keys",)
    _keys: dict[str, Any]

    def _set(self, keys: dict[str, Any]) -> None:
        """Takes the keys; whether their values make sense is checked with the experiment."""
        self._keys = {key: plain(value) for key, value in keys.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Returns the keys and their values, as they are written in an experiment file."""
        return dict(self._keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Section) and type(other) is type(self) and other._keys == self._keys

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        keys = ", ".join(f"{key}={value!r}" for key, value in self._keys.items() if key != "kind")
        return f"{type(self).__qualname__}({keys})"

    def __getstate__(self) -> dict[str, Any]:
        return self._keys

    def __setstate__(self, keys: dict[str, Any]) -> None:
        self._keys = keys


def plain(value: Any) -> Any:
    """Returns a value as one of JSON: sections become tables, numbers of numpy become numbers, paths texts."""
    # Checkers of types know nothing of what a table or a list holds.
    given: Any = value
    if isinstance(value, Section):
        return value.to_dict()
    if isinstance(value, OwnTable):
        return value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in given.items() if item is not None}
    if isinstance(value, Sequence):
        return [plain(item) for item in given]
    if isinstance(value, PathLike):
        return fspath(cast("PathLike[str]", value))
    if is_policy(value):
        return table(given)
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{value!r} cannot be the value of a key: it is a {type(value).__name__}") from None


def own_policies(value: Any) -> dict[str, SleepPolicy | CompiledPolicy]:
    """Returns the policies of one's own in what `plain` has returned, by what identifies them."""
    if isinstance(value, OwnTable):
        return {value["source"]: value.policy}
    found: dict[str, SleepPolicy | CompiledPolicy] = {}
    given: Any = value
    for part in given.values() if isinstance(value, dict) else given if isinstance(value, list) else ():
        found.update(own_policies(part))
    return found
