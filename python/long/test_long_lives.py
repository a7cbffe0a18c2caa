"""Nothing is left behind: memory after many runs, a folder after a kernel that was killed, runs that are interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import drowse as dr

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from conftest import stencil  # noqa: E402


def resident() -> int:
    """The memory of this process, in pages."""
    return int(Path("/proc/self/statm").read_text().split()[1])


class Raises:
    def start(self, channel, link_class):
        return 0

    def timers(self, link_class, state):
        return None, 50_000_000

    def idle_ended(self, link_class, state, since, until):
        raise RuntimeError("on purpose")


def test_a_thousand_runs_leave_nothing():
    small, raising = stencil(2), stencil(2, policy=Raises())
    for number in range(1, 1001):
        small.run().channels.to_numpy("energy_j")
        if number % 10 == 0:
            with pytest.raises(RuntimeError):
                raising.run()
        if number == 200:
            before = resident()
    # An allocator may round up; a result has some tens of kilobytes.
    assert resident() < 1.02 * before


@pytest.mark.parametrize("policy", ["dr.StallTimer(deep='50 us')", "Plain()"])
@pytest.mark.parametrize("after", [0.1, 1.0, 2.0])
def test_ctrl_c_ends_a_run_soon(policy, after):
    code = f"""
import signal, sys, time
# A shell that starts tests in the background lets them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(Path(__file__).resolve().parents[1] / "tests")!r})
from conftest import stencil
import drowse as dr
class Plain:
    version = 1
    def start(self, channel, link_class): return 0
    def timers(self, link_class, state): return None, 50_000_000
    def idle_ended(self, link_class, state, since, until): return 0
exp = stencil(1_000_000, policy={policy})
print("ready", flush=True)
try:
    exp.run()
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
print(exp.with_keys({{"job.0.app.iterations": 2}}).run().makespan_s)
"""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None and run.stdout.readline() == "ready\n"
    time.sleep(after)
    sent = time.monotonic()
    run.send_signal(signal.SIGINT)
    too_late = threading.Timer(60, run.kill)
    too_late.daemon = True
    too_late.start()
    ended = float(run.stdout.readline())
    # Half a second, and as much again for a machine that does other things.
    assert ended - sent < 1.0, ended - sent
    assert float(run.stdout.readline()) > 0 and run.wait() == 0


def test_a_sweep_whose_process_is_killed_loses_only_what_was_in_flight(tmp_path):
    folder = tmp_path / "store"
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[1] / "tests")!r})
from conftest import stencil
stencil(200).sweep({{"seed": list(range(1, 17))}}).run({str(folder)!r}, threads=1)
"""
    run = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and len(list(folder.glob("cases/*"))) < 4:
        time.sleep(0.05)
    run.kill()
    run.wait()
    done = {path: path.stat().st_mtime_ns for path in folder.glob("cases/*")}
    assert len(done) >= 4
    sweep = stencil(200).sweep({"seed": list(range(1, 17))})
    result = sweep.run(folder)
    assert len(result.cases) == 16
    # Whole cases are not run again.
    again = {path for path, when in done.items() if path.stat().st_mtime_ns != when}
    assert len(again) <= 1, again
    sweep.run(tmp_path / "other")
    assert (folder / "cases.csv").read_bytes() == (tmp_path / "other/cases.csv").read_bytes()


def test_dask_gives_the_same_folder(tmp_path):
    distributed = pytest.importorskip("distributed")
    sweep = stencil().sweep({"seed": list(range(1, 17))})
    sweep.run(tmp_path / "here")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        sweep.run(tmp_path / "there", executor=client.get_executor())
    assert (tmp_path / "here/cases.csv").read_bytes() == (tmp_path / "there/cases.csv").read_bytes()


def test_submitit_gives_the_same_folder(tmp_path):
    submitit = pytest.importorskip("submitit")
    sweep = stencil().sweep({"seed": list(range(1, 5))})
    sweep.run(tmp_path / "here")
    # What Slurm would run on nodes, as processes of this machine.
    executor = submitit.LocalExecutor(tmp_path / "logs")
    executor.update_parameters(timeout_min=5)
    sweep.run(tmp_path / "there", executor=executor)
    assert (tmp_path / "here/cases.csv").read_bytes() == (tmp_path / "there/cases.csv").read_bytes()


def test_a_million_rows_are_not_copied():
    pa, pl, duckdb = (pytest.importorskip(name) for name in ("pyarrow", "polars", "duckdb"))
    torus = dr.Torus(dims=[64, 64], nodes=1)
    stencil = dr.app.Stencil(dims=[64, 64], bytes="1 KiB", compute="100 us", iterations=20)
    exp = dr.Experiment(torus, power=dr.StallTimer(deep="20 us"), jobs=stencil)
    table = exp.run(tables=["timeline"]).table("timeline")
    assert len(table) > 1_000_000
    arrow = pa.table(table)
    for name in table.columns:
        numbers = table._table.numbers(name)
        if numbers is not None:
            assert arrow[name].chunk(0).buffers()[1].address == numbers.__array_interface__["data"][0], name
    assert len(pl.DataFrame(table)) == len(table)
    periods = table
    assert duckdb.sql("select count(*) from periods").fetchall() == [(len(table),)]
