"""Experiments, runs, and what comes out: the same as from the command."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path

import pytest
from conftest import stencil

import drowse as dr

TABLES = ["cases.csv", "channels.csv", "switches.csv", "jobs.csv", "ranks.csv", "manifest.json"]


def same_files(one: Path, other: Path, names: list[str]) -> None:
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def test_a_file_gives_the_bytes_of_the_command(root, command, tmp_path):
    exp = dr.Experiment.from_toml("examples/racks.toml")
    exp.run(baseline="always-on", tables=["idle-periods"]).write(tmp_path / "ours")
    done = command(
        "run", "examples/racks.toml", "--baseline", "always-on", "--table", "idle-periods", "--out", str(tmp_path / "theirs")
    )
    assert done.returncode == 0, done.stderr
    same_files(tmp_path / "ours", tmp_path / "theirs", [*TABLES, "idle_periods.csv"])


def test_an_experiment_of_python_is_the_file_that_it_writes(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exp = stencil().with_keys({"network.uplinks": 2})
    (tmp_path / "stencil.toml").write_text(exp.to_toml())
    done = command("run", "stencil.toml", "--out", "theirs", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    exp.run().write("ours")
    same_files(tmp_path / "ours", tmp_path / "theirs", ["channels.csv", "ranks.csv", "jobs.csv"])
    assert dr.Experiment.from_text(exp.to_toml()).run().cases["case_id"] == exp.run().cases["case_id"]


def test_figures_are_those_of_the_tables():
    res = stencil().run(baseline="always-on")
    case, baseline = res.cases.rows()
    assert res.makespan_s == case["makespan_s"] > 0
    # What a ratio to the baseline means.
    assert res.relative.makespan == pytest.approx(res.makespan_s / res.baseline.makespan_s)
    assert baseline["makespan_s"] == res.baseline.makespan_s
    assert res.figures["relative.makespan"] == res.relative.makespan
    # Two channels a link; a rank a node.
    assert len(set(res.ranks["rank"])) == 16
    assert sum(res.channels["wakes"]) > 0
    with pytest.raises(AttributeError, match="no figure 'makespn'"):
        _ = res.relative.makespn


def test_results_and_experiments_are_pickled():
    exp = stencil()
    assert pickle.loads(pickle.dumps(exp)) == exp
    res = exp.run(baseline="always-on", tables=["waiting"])
    again = pickle.loads(pickle.dumps(res))
    assert repr(again) == repr(res) and again.details() == res.details()
    assert again.figures == res.figures and again.baseline == res.baseline
    for name in ["cases", "channels", "ranks", "waiting"]:
        assert list(again.table(name).rows()) == list(res.table(name).rows()), name
    network = dr.network.HyperX(dims=[4, 4], nodes=2)
    assert pickle.loads(pickle.dumps(network)) == network


def test_threads_of_python_run_at_once_and_alike():
    exp, texts = stencil(), []
    threads = [threading.Thread(target=lambda: texts.append(repr(exp.run(threads=2)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [repr(exp.run(threads=1))] * 3


def test_a_path_is_that_of_where_the_experiment_was_made(ping, tmp_path, monkeypatch):
    expected = ping.run().makespan_s
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert pickle.loads(pickle.dumps(ping)).run().makespan_s == expected


def test_progress_is_told_and_may_stop_a_run():
    shares: list[float] = []
    stencil(500).run(progress=shares.append)
    assert shares == sorted(shares) and all(0.0 <= share <= 1.0 for share in shares) and shares

    class Enough(Exception):
        pass

    def stop(share: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        stencil(30000).run(progress=stop)
