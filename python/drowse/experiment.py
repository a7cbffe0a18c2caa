"""Experiments, and sweeps over them: a network, what runs on it, and how its links sleep."""

from __future__ import annotations

import html
import json
import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from drowse import _drowse
from drowse.errors import InputError
from drowse.executors import Executor, wait
from drowse.figures import Figures
from drowse.folder import Found, SweepResult
from drowse.own import by_source, called
from drowse.result import Result
from drowse.section import own_policies, plain
from drowse.show import watched
from drowse.spec import Cost, Job, Link, Node, Power, Scheduler, Search, Simulation, Switch, Traffic, Transport
from drowse.trace import Trace

if TYPE_CHECKING:
    from typing import TypeAlias

    from drowse.own import CompiledPolicy, SleepPolicy
    from drowse.spec import AnyApp, AnyNetwork, AnyPolicy

    Value: TypeAlias = str | int | float | bool | Sequence[Any] | Mapping[str, Any]
    """A value of a key."""
    Progress: TypeAlias = Callable[[float], object] | bool | None
    """Is told the share that is done; or whether a bar is shown, which is by default in notebooks."""
    Own: TypeAlias = Mapping[str, SleepPolicy | CompiledPolicy]
    """Policies of one's own, by what identifies them."""
    Recorded: TypeAlias = Literal[
        "idle-periods",
        "idle-pairs",
        "timers",
        "timeline",
        "waiting",
        "message-sizes",
        "rank-operations",
        "waits",
        "wakes",
        "power",
    ]
    """A table that is recorded if it is asked for."""

__all__ = ["Description", "Experiment", "Sweep"]

# Where an experiment file has a sweep.
_SWEEP = re.compile(r"^\s*\[?\s*sweep\b", re.MULTILINE)
# How errors name an experiment that has no file.
_NO_FILE = "<experiment>"


class Experiment:
    """A network, what runs on it, and how its links sleep: what an experiment file says.

    It is a value: nothing changes it, `with_keys` makes another. Paths in it are relative to the folder in which it was
    made, or to that of its file. It is checked when it is used, or by `check`.
    """

    __slots__ = ("_text", "_path", "_folder", "_sets", "_own")

    _text: str
    _path: str
    _folder: str
    _sets: tuple[str, ...]
    _own: Own

    def __init__(
        self,
        network: AnyNetwork,
        *,
        power: Power | AnyPolicy | None = None,
        jobs: Sequence[Job | Trace | AnyApp] | Job | Trace | AnyApp | None = None,
        traffic: Traffic | None = None,
        switch: Switch | None = None,
        link: Link | Sequence[Link] | None = None,
        node: Node | None = None,
        transport: Transport | None = None,
        scheduler: Scheduler | None = None,
        cost: Cost | None = None,
        simulation: Simulation | None = None,
        search: Search | None = None,
        title: str | None = None,
        seed: int | None = None,
        preset: str | None = None,
    ) -> None:
        """Makes an experiment of its sections.

        power: Sleeping links, or the policy alone by which they sleep.
        jobs: What runs: traces, applications, or jobs with more keys; several run side by side.
        traffic: Open-loop traffic, beside jobs or instead of them.
        seed: Seed of all random draws. Default 1.
        preset: Named defaults, for all that is not given.
        """
        if power is not None and not isinstance(power, Power):
            power = Power(policy=power)
        tree = plain({
            "title": title,
            "seed": seed,
            "preset": preset,
            "network": network,
            "switch": switch,
            "link": link,
            "node": node,
            "transport": transport,
            "power": power,
            "cost": cost,
            "simulation": simulation,
            "job": _jobs(jobs),
            "scheduler": scheduler,
            "traffic": traffic,
            "search": search,
        })
        self._take(_drowse.from_json(json.dumps(tree)), _NO_FILE, (), None, own_policies(tree))

    def _take(self, text: str, path: str, sets: tuple[str, ...], folder: str | None, own: Own) -> None:
        self._text = text
        self._path = path
        self._folder = os.getcwd() if folder is None else folder
        self._sets = sets
        self._own = own

    @classmethod
    def of(cls, text: str, path: str, sets: tuple[str, ...], folder: str | None, own: Own) -> Experiment:
        """Makes an experiment of a text, the path by which errors name it, replaced keys, the folder of its path, and its
        policies in Python."""
        experiment = cls.__new__(cls)
        experiment._take(text, path, sets, folder, own)
        return experiment

    @classmethod
    def from_toml(
        cls, path: str | os.PathLike[str], *, policies: Sequence[SleepPolicy | CompiledPolicy] = ()
    ) -> Experiment:
        """Reads an experiment file; if it names policies in Python, these are `policies`."""
        path = os.fspath(path)
        return cls.of(_drowse.read_text(path), path, (), None, by_source(policies))

    @classmethod
    def from_text(cls, text: str, *, policies: Sequence[SleepPolicy | CompiledPolicy] = ()) -> Experiment:
        """Takes the text of an experiment file; its paths are relative to the working folder."""
        return cls.of(text, _NO_FILE, (), None, by_source(policies))

    def with_keys(self, keys: Mapping[str, Value]) -> Experiment:
        """Returns the same experiment with keys replaced, as `--set` does: `{"network.trunk": 2}`.

        Names of tables are joined by dots; the tables of a list are numbered from 0: `job.0.trace`.
        """
        values = plain(keys)
        sets = (f"{path}={_value(value)}" for path, value in values.items())
        own = {**self._own, **own_policies(values)}
        return self.of(self._text, self._path, (*self._sets, *sets), self._folder, own)

    def to_toml(self) -> str:
        """Returns the text of the experiment file; where keys were replaced, in the order of their names."""
        return _drowse.to_toml(self.written()) if self._sets else self._text

    def check(self) -> None:
        """Reads the experiment and all files that it names, as a run does before it simulates.

        Raises InputError where something is wrong: it says where, and what to do.
        """
        _drowse.check(self.written())

    def describe(self, *, prove: bool = False) -> Description:
        """Describes the network: counts, distances, bisection, costs. Nothing is simulated, and no job is needed.

        prove: Proves that the routing cannot deadlock, or finds a cycle of channels.
        """
        text, figures = _drowse.describe_network(self.written(), prove)
        return Description(self, text, Figures(json.loads(figures)))

    def usage(
        self,
        *,
        count: Literal["channels", "cables"] = "channels",
        time: str | None = None,
        delay: str | None = None,
        out: str | os.PathLike[str] | None = None,
    ) -> Figures:
        """Counts which links the programs use; nothing is simulated.

        count: Counts channels (each direction of a link) or cables by class and switch.
        time: Time in which everything is sent; adds utilisation and the bound of savings.
        delay: Time to switch a channel off or on, below half of the other.
        out: Writes tables of channels and of the communication matrix, and a picture of that, into this folder.
        """
        folder = None if out is None else os.fspath(out)
        return Figures(json.loads(_drowse.count_usage(self.written(), count == "cables", time, delay, folder)))

    def run(
        self,
        *,
        baseline: Literal["always-on", "alone"] | Experiment | None = None,
        threads: int | None = None,
        tables: Sequence[Recorded] = (),
        peak_window: str = "10 us",
        trace_format: str | None = None,
        progress: Progress = None,
    ) -> Result:
        """Runs the experiment, and its baseline if there is one.

        baseline: What it is compared with: the same with all links always on, with each job alone (under a scheduler),
            or another experiment.
        threads: Threads of both runs; as many as pay off by default. Results do not depend on it.
        tables: Tables that are recorded beside the usual ones.
        peak_window: The window of the peak utilisation in the table `waiting`, a time.
        trace_format: Reads the traces of all jobs as this format.
        progress: Is called with the share that is done, from 0 to 1; or whether a bar is shown.

        Other threads of Python go on meanwhile. Ctrl-C stops it, and so does an exception of `progress`.
        """
        against = baseline.written() if isinstance(baseline, Experiment) else baseline
        with watched(progress) as told:
            outcomes = _drowse.run(
                self.written(),
                baseline=against,
                threads=threads,
                tables=tables,
                peak_window=peak_window,
                trace_format=trace_format,
                progress=told,
            )
        return Result(outcomes)

    def timeline(
        self,
        folder: str | os.PathLike[str],
        *formats: Literal["prv", "perfetto", "table"],
        window: str | None = None,
        jobs: Sequence[str] | None = None,
        ranks: str | None = None,
        links: str | None = None,
        limit: int = 500_000,
        baseline: Literal["always-on"] | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> SweepResult:
        """Runs the experiment, and writes what ranks and links do over time into a folder, beside the usual tables.

        formats: `prv` for Paraver, `perfetto` for ui.perfetto.dev and Chrome, `table` for `spans.csv`, which reports
            draw.
        window: The time that it shows, such as `1ms..2ms`, or `1ms..` to the end; by default all.
        jobs: Names of the jobs that it shows; by default all.
        ranks: The ranks of each job that it shows, such as `0-15,40`, or `none`; by default all.
        links: The links that it shows, by the numbers of their channels, written likewise; by default all.
        limit: The most records. Where there are more, it ends earlier, and a warning says so.
        baseline: Runs the same with all links always on, too.
        """
        shown = (window, None if jobs is None else list(jobs), ranks, links, limit)
        path, always_on = os.fspath(folder), baseline is not None
        with watched(progress) as told:
            notes = _drowse.timeline(self.written(), path, list(formats), shown, always_on, threads, told)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return SweepResult(path)

    def sweep(
        self,
        keys: Mapping[str, Sequence[Value] | Mapping[str, Any]] | None = None,
        *,
        baseline: Literal["always-on"] | Mapping[str, Value] | None = None,
    ) -> Sweep:
        """Returns the cases that all combinations of the values of some keys make.

        keys: The values of each key, a list or a range as in an experiment file: `{"network.trunk": [2, 4]}`. Without
            keys, the sweep is that of the experiment's file.
        baseline: What each case is compared with: the same with all links always on, or with these keys set otherwise.
        """
        varied: dict[str, Value] = dict(keys or {})
        if baseline is not None:
            varied["baseline"] = baseline
        if not varied:
            return Sweep(self)
        if _SWEEP.search(self._text):
            return Sweep(self.with_keys({f"sweep.{path}": values for path, values in varied.items()}))
        # The order of keys is that of the cases, so they are written as a table.
        axes = plain(varied)
        lines = (f"{json.dumps(path)} = {_value(values)}\n" for path, values in axes.items())
        text = self._text.rstrip("\n") + "\n\n[sweep]\n" + "".join(lines)
        return Sweep(self.of(text, self._path, self._sets, self._folder, {**self._own, **own_policies(axes)}))

    def written(self) -> tuple[str, str, list[str], dict[str, object]]:
        """Returns text, path, replaced keys and policies in Python, which the compiled part needs; the path is relative to
        the working folder, as errors should name it."""
        here = os.getcwd()
        path = self._path if here == self._folder else os.path.join(self._folder, self._path)
        return self._text, path, list(self._sets), {source: called(policy) for source, policy in self._own.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(self._state())

    def _state(self) -> tuple[str, str, tuple[str, ...], str]:
        return self._text, self._path, self._sets, self._folder

    def __reduce__(self) -> tuple[Any, ...]:
        return Experiment.of, (*self._state(), self._own)

    def __repr__(self) -> str:
        return self.to_toml()

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.to_toml())}</pre>"


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
            wait(futures, told)
            _drowse.merge_folders([folder], folder, threads, parquet)
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


def _share(experiment: Experiment, folder: str, number: int, tasks: int, threads: int) -> None:
    """Runs a share of the cases, in whichever process this is."""
    _drowse.shard(experiment.written(), folder, number, tasks, threads)


class Description:
    """What a network is like: its `figures`, and a picture if it is small."""

    __slots__ = ("_experiment", "_text", "figures")

    figures: Figures
    """Counts of switches, links and ports, distances, bisection, costs."""

    def __init__(self, experiment: Experiment, text: str, figures: Figures) -> None:
        self._experiment = experiment
        self._text = text
        self.figures = figures

    @property
    def switches(self) -> list[str]:
        """What each switch is called, or where it is: its place is the number that tables have."""
        return _drowse.switch_names(self._experiment.written())

    def svg(self, *, colour: str | os.PathLike[str] | None = None, by: str | None = None) -> str:
        """Draws the network: its switches where they can be told apart, else blocks of them with counts.

        colour: Colours its links by what they did in a run: the folder that the run has written.
        by: The figure that colours them, such as `utilisation` or `asleep`; by default the first that is there.
        """
        return _drowse.draw_network(self._experiment.written(), None if colour is None else os.fspath(colour), by)

    def dot(self) -> str:
        """Returns the network as a picture for Graphviz."""
        return _drowse.dot_network(self._experiment.written())

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        text = f"<pre>{html.escape(self._text)}</pre>"
        try:
            return text + self.svg()
        except InputError:
            # An ideal network has nothing to draw.
            return text


def _jobs(jobs: Sequence[Job | Trace | AnyApp] | Job | Trace | AnyApp | None) -> list[dict[str, Any]] | None:
    """Returns the tables of jobs."""
    if jobs is None:
        return None
    return [_job(job) for job in (jobs if isinstance(jobs, Sequence) else [jobs])]


def _job(job: Job | Trace | AnyApp) -> dict[str, Any]:
    if isinstance(job, Trace):
        return {"trace": job.path}
    if isinstance(job, Job):
        return job.to_dict()
    return {"app": job.to_dict()}


def _value(value: Value) -> str:
    """Writes a value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, str):
        # TOML escapes as JSON does, but for characters beyond the first plane.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
