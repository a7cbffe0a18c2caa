"""Sweeps: all cases of an experiment, stored as the command stores them."""

from __future__ import annotations

import html
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from drowse import _drowse
from drowse.errors import InputError
from drowse.experiment import by_source
from drowse.own import called
from drowse.result import Figures
from drowse.show import watched
from drowse.table import Table

if TYPE_CHECKING:
    from drowse.experiment import Experiment, Progress
    from drowse.own import CompiledPolicy, SleepPolicy

__all__ = ["Answer", "Executor", "Found", "Sweep", "SweepResult", "merge"]


class Executor(Protocol):
    """Runs functions elsewhere: any of `concurrent.futures`, `Client.get_executor()` of Dask, or one of submitit.

    `submit` returns something with `done()` and `result()`.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Begins to run a function, and returns what becomes of it."""


class Sweep:
    """All cases of an experiment.

    Every finished case is kept in a folder, the same that the command keeps: a sweep that was stopped goes on when it is
    run again, by the command or from Python.
    """

    __slots__ = ("experiment",)

    experiment: Experiment
    """The experiment, with the values of the keys that are varied."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment

    def __len__(self) -> int:
        """The number of cases, baselines not counted."""
        return _drowse.case_count(self.experiment.written())

    def points(self) -> list[dict[str, str]]:
        """The values of each case."""
        names, points = _drowse.points(self.experiment.written())
        return [dict(zip(names, values)) for values in points]

    def check(self) -> None:
        """Checks all cases, as a run does before the first one."""
        self.experiment.check()

    def run(
        self,
        store: str | os.PathLike[str],
        *,
        threads: int | None = None,
        executor: Executor | None = None,
        tasks: int | None = None,
        cases: int = 10_000,
        parquet: bool = False,
        progress: Progress = None,
    ) -> SweepResult:
        """Runs the cases that are missing in a folder, and writes its tables.

        store: The folder for tables and finished cases.
        threads: Cases that run at a time, here or in each task; all cores here, and one in a task, by default.
        executor: Runs the cases elsewhere, on machines that see the same folder.
        tasks: Shares of the cases that the executor gets; by default 64, or as many as there are cases.
        cases: Refuses to run more cases than this.
        parquet: Writes each table as Parquet, too.
        progress: Is called with the share of missing cases that has been run; or whether a bar is shown.

        Results depend neither on threads nor on the executor. Ctrl-C stops it; finished cases are kept.
        """
        folder = os.fspath(store)
        if executor is None:
            with watched(progress) as told:
                _drowse.sweep(self.experiment.written(), folder, threads, cases, parquet, told)
            return SweepResult(folder)
        count = len(self)
        if count > cases:
            raise InputError(f"error: this sweep has {count} cases, and up to {cases} are run")
        tasks = max(1, min(count, 64)) if tasks is None else tasks
        shares = [(number, tasks, threads or 1) for number in range(1, tasks + 1)]
        futures = [executor.submit(_share, self.experiment, os.path.abspath(folder), *share) for share in shares]
        with watched(progress) as told:
            _wait(futures, told)
            _drowse.merge(folder, threads, parquet)
        return SweepResult(folder)


    def search(
        self,
        store: str | os.PathLike[str],
        *,
        threads: int | None = None,
        cases: int = 10_000,
        progress: Callable[[int], object] | None = None,
    ) -> Found:
        """Finds the best case without running all: bisects between the values of ranges, runs all values of lists.

        What is best says the section `search` of the experiment.

        store: The folder for tables and finished cases.
        threads: Cases that run at a time; all cores by default.
        cases: Refuses to run more cases than this.
        progress: Is called with the cases that have been run in this round; how many it will take is not known before.

        A search that was stopped goes on when it is run again, and `run` in the same folder runs the other cases.
        """
        folder = os.fspath(store)
        return Found(folder, *_drowse.search(self.experiment.written(), folder, threads, cases, progress))


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


def _share(experiment: Experiment, folder: str, number: int, tasks: int, threads: int) -> None:
    """Runs a share of the cases, in whichever process this is."""
    _drowse.shard(experiment.written(), folder, number, tasks, threads)


def _wait(futures: Sequence[Any], told: Callable[[float], object] | None) -> None:
    """Waits for all, so that an error of one does not lose what the others do; raises the first."""
    try:
        while not all(future.done() for future in futures):
            if told is not None:
                told(sum(1 for future in futures if future.done()) / len(futures))
            time.sleep(0.02)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    for future in futures:
        future.result()


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
