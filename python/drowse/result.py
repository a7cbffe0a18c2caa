"""What a run gives: figures, tables, and how they are shown."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from drowse import _drowse
from drowse.table import Table

if TYPE_CHECKING:
    from drowse.sweep import SweepResult

_T = TypeVar("_T")

# Channels of a network whose result is drawn without being asked.
_MOST_DRAWN = 20_000


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


class Result:
    """What a run gives.

    Its figures are attributes: `result.makespan_s`, `result.energy.network_j`, and `result.relative.makespan` where
    there is a baseline. So are its tables: `result.channels`, `result.ranks`, `result.jobs`; with a baseline, their
    rows are those of both cases, told apart by `case_id`.
    """

    __slots__ = ("_outcomes", "_stored", "figures", "baseline", "_tables")

    figures: Figures
    """All figures of the case."""
    baseline: Figures | None
    """All figures of the baseline."""

    def __init__(self, outcomes: _drowse.Outcomes) -> None:
        self._outcomes: _drowse.Outcomes | None = outcomes
        self._stored: dict[str, str] = {}
        self.figures = Figures(json.loads(outcomes.json()))
        baseline = outcomes.baseline_json()
        self.baseline = None if baseline is None else Figures(json.loads(baseline))
        self._tables: dict[str, Table] = {}

    def table(self, name: str) -> Table:
        """A table by the name of its file without ending, such as `channels`, `ranks` or `engine`."""
        if name not in self._tables:
            if self._outcomes is None:
                raise KeyError(f"a result that was pickled has no table {name!r}; it has {', '.join(self._tables)}")
            self._tables[name] = Table(self._outcomes.table(name))
        return self._tables[name]

    @property
    def cases(self) -> Table:
        """All figures, a row for each of case and baseline."""
        return self.table("cases")

    @property
    def channels(self) -> Table:
        """What each channel did."""
        return self.table("channels")

    @property
    def switches(self) -> Table:
        """What each switch did."""
        return self.table("switches")

    @property
    def jobs(self) -> Table:
        """When each job ran; its figures are in `figures.jobs`."""
        return self.table("jobs")

    @property
    def ranks(self) -> Table:
        """How each rank spent its time."""
        return self.table("ranks")

    @property
    def warnings(self) -> list[str]:
        """What to know before using the figures."""
        return list(self.figures["warnings"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.figures, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.figures if name.isidentifier())]

    def details(self) -> str:
        """The table of `drowse run --details`: all figures."""
        return self._text("details")

    def write(self, folder: str | os.PathLike[str], *, parquet: bool = False) -> None:
        """Writes all tables into a folder, as `drowse run --out` does."""
        if self._outcomes is None:
            raise ValueError("a result that was pickled has not all that a folder of results holds: write it before")
        self._outcomes.write(os.fspath(folder), parquet)

    def plot(self, kind: str) -> str:
        """Draws one of the charts of `drowse plot` as SVG, such as `energy`, `states` or `ranks`."""
        return self._written(lambda folder: folder.plot(kind))

    def chart(self, kind: str) -> dict[str, Any]:
        """Returns a chart as a specification of Vega-Lite with its data: `altair.Chart.from_dict` takes it."""
        return self._written(lambda folder: folder.chart(kind))

    def _written(self, use: Callable[[SweepResult], _T]) -> _T:
        """Writes all tables into a folder of its own, and uses it."""
        from drowse.sweep import SweepResult

        with tempfile.TemporaryDirectory(prefix="drowse-") as folder:
            self.write(folder)
            return use(SweepResult(folder))

    def _text(self, kind: str) -> str:
        if self._outcomes is None:
            return self._stored[kind]
        return self._outcomes.text(kind == "details")

    def __repr__(self) -> str:
        return self._text("short")

    def _repr_html_(self) -> str:
        text = f"<pre>{html.escape(repr(self))}</pre>"
        # What takes long to draw is drawn when it is asked for.
        if self._outcomes is None or len(self.channels) > _MOST_DRAWN:
            return text
        return text + self.plot("states")

    def __getstate__(self) -> dict[str, Any]:
        names = ["cases", "channels", "switches", "jobs", "ranks", "engine", *_RECORDED]
        tables = {name: table for name in names if len(table := self.table(name)) > 0}
        texts = {kind: self._text(kind) for kind in ("short", "details")}
        return {"figures": self.figures, "baseline": self.baseline, "tables": tables, "texts": texts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._outcomes = None
        self._stored = state["texts"]
        self._tables = state["tables"]
        self.figures = state["figures"]
        self.baseline = state["baseline"]


# The tables that are recorded if they are asked for.
_RECORDED = (
    "idle_periods",
    "idle_pairs",
    "timers",
    "timeline",
    "waiting",
    "message_sizes",
    "rank_operations",
)
