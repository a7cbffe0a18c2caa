"""Figures by their names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

__all__ = ["Figures"]


class Figures(Mapping[str, Any]):
    """Figures by their names, nested as in the JSON of the command: `figures.energy.network_j`.

    A group of figures is a `Figures` itself. A figure that does not apply is absent. The names, with units and
    meanings, are in the reference of columns of `cases.csv`.
    """

    __slots__ = ("_figures",)

    def __init__(self, figures: Mapping[str, Any]) -> None:
        self._figures = dict(figures)

    def __getitem__(self, name: str) -> Any:
        """A figure or a group; dots lead into groups: `figures["energy.network_j"]`."""
        value: Any = self._figures
        for part in [name] if name in self._figures else name.split("."):
            value = value[part]
        return Figures(cast("dict[str, Any]", value)) if isinstance(value, dict) else value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            known = ", ".join(self._figures)
            raise AttributeError(f"there is no figure {name!r} here; there are {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._figures if name.isidentifier())]

    def __repr__(self) -> str:
        return json.dumps(self._figures, indent=2)

    def __getstate__(self) -> dict[str, Any]:
        return self._figures

    def __setstate__(self, figures: dict[str, Any]) -> None:
        self._figures = figures
