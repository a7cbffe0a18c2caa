"""Folders of results, and what they answer."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Sequence
from typing import Any, cast

from drowse import _drowse
from drowse.figures import Figures
from drowse.own import CompiledPolicy, SleepPolicy, by_source, called
from drowse.table import Table

__all__ = ["Answer", "Found", "SweepResult", "merge"]


class SweepResult:
    """A folder of results: what a sweep or a run has written."""

    __slots__ = ("folder",)

    folder: str
    """The folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)

    def table(self, name: str) -> Table:
        """A table by the name of its file without ending, such as `cases`, `statistics` or `failed`."""
        return Table(_drowse.read_table(self.folder, name))

    @property
    def cases(self) -> Table:
        """A row for each case and baseline, with the values of keys and all figures."""
        return self.table("cases")

    @property
    def failed(self) -> Table:
        """A row for each case that could not finish, with the reason."""
        if not os.path.exists(os.path.join(self.folder, "failed.csv")):
            # It is written where there is such a case only.
            return Table(_drowse.Table("failed", {}))
        return self.table("failed")

    def best(self, minimize: str = "energy", *, where: str | None = None, by: Sequence[str] = ()) -> Answer:
        """Returns the best case.

        minimize: The figure that should be small: energy, edp, time, latency, power, slowdown, slowdown-of-fastest,
            job-slowdown, or a column of `cases`.
        where: What a case must keep, such as `slowdown <= 1%`.
        by: Keys of the sweep: an answer for each of their values.
        """
        text, answer = _drowse.best(self.folder, minimize, where, list(by))
        return Answer(text, json.loads(answer))

    def rerun(
        self,
        *,
        start: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        policies: Sequence[SleepPolicy | CompiledPolicy] = (),
    ) -> dict[str, str | None]:
        """Runs again what made the folder, and compares to the byte.

        start: Where the paths of the experiment begin, if not where they did.
        policies: The policies in Python that the folder names; others are refused.

        Returns for each file what differs first: an empty text where it is the same, None where it is not compared.
        """
        with tempfile.TemporaryDirectory(prefix="drowse-rerun") as into:
            origin = None if start is None else os.fspath(start)
            own = {source: called(policy) for source, policy in by_source(policies).items()}
            return dict(_drowse.rerun(self.folder, origin, into, threads, own))

    def report(self) -> str:
        """Returns a page of charts, as HTML that needs no network."""
        return _drowse.report(self.folder)

    def status(self) -> Figures:
        """Counts how many cases of the sweep are stored, of all and of each shard; works while others run."""
        return Figures(json.loads(_drowse.sweep_status([self.folder])[1]))

    @property
    def charts(self) -> list[str]:
        """The kinds of charts for which the tables have data."""
        return _drowse.chart_kinds(self.folder)

    def plot(self, kind: str) -> str:
        """Draws one chart as SVG."""
        return _drowse.draw_chart(self.folder, kind)

    def chart(self, kind: str) -> dict[str, Any]:
        """Returns one chart as a specification of Vega-Lite with its data, for `altair.Chart.from_dict`."""
        return cast("dict[str, Any]", json.loads(_drowse.chart_specification(self.folder, kind)))

    def to_markdown(self, columns: Sequence[str] = ()) -> str:
        """Returns a table for papers, a row a case: of these columns of `cases`, or of those that the report compares."""
        return _drowse.paper_table(self.folder, list(columns), False)

    def to_latex(self, columns: Sequence[str] = ()) -> str:
        """Returns the same in LaTeX, with rules of the package booktabs."""
        return _drowse.paper_table(self.folder, list(columns), True)

    def __repr__(self) -> str:
        return f"<results in {self.folder}: {len(self.cases)} cases>"

    def _repr_html_(self) -> str:
        return self.cases.to_html()


class Answer:
    """The best case of each group; printed, it is what `drowse best` prints."""

    __slots__ = ("groups", "_text", "_answer")

    groups: list[Figures]
    """For each group, `best` (a case: its `case_id`, `label` and figures, or None), `front` and the rest."""

    def __init__(self, text: str, answer: dict[str, Any]) -> None:
        self._text = text
        self._answer = answer
        self.groups = [Figures(group) for group in answer["groups"]]

    @property
    def best(self) -> Figures | None:
        """The best case; of several groups, that of the first."""
        best = self.groups[0].get("best") if self.groups else None
        return best if isinstance(best, Figures) else None

    def to_dict(self) -> dict[str, Any]:
        """Returns all, as `drowse best --format json` prints it."""
        return self._answer

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


class Found(Answer):
    """The answer of a search, and how many cases it took."""

    __slots__ = ("result", "figures")

    result: SweepResult
    """The folder with the cases that were run."""
    figures: Figures
    """The counts: `sweep.cases` that it took of a `search.grid`, in `search.rounds`."""

    def __init__(self, folder: str, text: str, found: str) -> None:
        said: dict[str, Any] = json.loads(found)
        super().__init__(text, said["answer"])
        self.result = SweepResult(folder)
        self.figures = Figures({"sweep": said["sweep"], "search": said["search"]})


def merge(
    folders: Sequence[str | os.PathLike[str]],
    into: str | os.PathLike[str] | None = None,
    *,
    threads: int | None = None,
    parquet: bool = False,
) -> SweepResult:
    """Writes the tables of a sweep whose cases were run by shards, in one folder or in several.

    folders: Folders of one sweep.
    into: The folder for all cases and the tables; by default the first one.
    threads: Cases that are copied at a time; all cores by default.
    parquet: Writes each table as Parquet, too.
    """
    if not folders:
        raise ValueError("there are no folders to merge")
    target = os.fspath(folders[0] if into is None else into)
    _drowse.merge_folders([os.fspath(folder) for folder in folders], target, threads, parquet)
    return SweepResult(target)
