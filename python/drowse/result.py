"""What a run gives: figures, tables, and how they are shown."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

from drowse import _drowse
from drowse.figures import Figures
from drowse.folder import SweepResult
from drowse.table import Table

_T = TypeVar("_T")

# Channels of a network whose result is drawn without being asked.
_MOST_DRAWN = 20_000


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

    def write(self, folder: str | os.PathLike[str], *, parquet: bool = False, replace: bool = False) -> None:
        """Writes all tables into a folder, as `drowse run --out` does.

        Tables there of an experiment with this title are replaced; what else is there only where `replace` says so.
        """
        if self._outcomes is None:
            raise ValueError("a result that was pickled has not all that a folder of results holds: write it before")
        self._outcomes.write(os.fspath(folder), parquet, replace)

    def plot(self, kind: str) -> str:
        """Draws one of the charts of `drowse plot` as SVG, such as `energy`, `states` or `ranks`."""
        return self._written(lambda folder: folder.plot(kind))

    def chart(self, kind: str) -> dict[str, Any]:
        """Returns a chart as a specification of Vega-Lite with its data: `altair.Chart.from_dict` takes it."""
        return self._written(lambda folder: folder.chart(kind))

    def _written(self, use: Callable[[SweepResult], _T]) -> _T:
        """Writes all tables into a folder of its own, and uses it."""
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
    "waits",
    "wait_matrix",
    "wakes",
)
