"""Sweeps: one store for the command and for Python, wherever cases run."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from conftest import stencil

import drowse as dr

KEYS = {"power.policy.deep": ["10 us", "50 us"], "network.uplinks": [1, 2]}


def sweep() -> dr.Sweep:
    return stencil().sweep(KEYS, baseline="always-on")


def folder_of(path: Path) -> dict[str, bytes]:
    """What a sweep has written, but for what differs from run to run, and notes of shares."""
    names = ["cases.csv", "jobs.csv", "failed.csv", "manifest.json", "plan.json"]
    return {name: (path / name).read_bytes() for name in names if (path / name).exists()}


def test_cases_are_all_combinations(tmp_path):
    assert len(sweep()) == 4
    assert sweep().points()[1] == {"power.policy.deep": "10 us", "network.uplinks": "2"}
    result = sweep().run(tmp_path / "out")
    # Two networks have a baseline each.
    assert len(result.cases) == 4 + 2 and len(result.failed) == 0
    answer = result.best("energy", where="slowdown <= 5%")
    assert answer.best is not None and answer.best.case_id in result.cases["case_id"]
    assert answer.best.energy == min(group.best.energy for group in answer.groups)
    assert "<html" in result.report()


def test_the_command_ends_what_python_began_and_the_other_way_round(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(sweep().experiment.to_toml())
    whole = sweep().run("whole")
    # One of two shares here, the rest by the command.
    from drowse import _drowse

    _drowse.shard(sweep().experiment.written(), "python-first", 1, 2, 1)
    done = command("sweep", "sweep.toml", "--out", "python-first", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = command("sweep", "sweep.toml", "--out", "command-first", "--shard", "2/2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ran: list[float] = []
    sweep().run("command-first", progress=ran.append)
    expected = folder_of(Path(whole.folder))
    for name in ["python-first", "command-first"]:
        found = folder_of(tmp_path / name)
        assert found["cases.csv"] == expected["cases.csv"] and found["jobs.csv"] == expected["jobs.csv"]


@pytest.mark.parametrize("start", ["threads", "spawn", "fork"])
def test_any_executor_gives_the_same_folder(tmp_path, start):
    sweep().run(tmp_path / "here", threads=2)
    if start == "threads":
        executor = ThreadPoolExecutor(2)
    else:
        executor = ProcessPoolExecutor(2, mp_context=get_context(start))
    with executor:
        sweep().run(tmp_path / "there", executor=executor, tasks=3)
    assert folder_of(tmp_path / "here") == folder_of(tmp_path / "there")


def test_errors_cross_processes(tmp_path):
    wrong = stencil().sweep({"network.uplinks": [1, 3]})
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        with pytest.raises(dr.InputError, match="uplinks"):
            wrong.run(tmp_path, executor=executor)


def test_more_cases_than_were_asked_for(tmp_path):
    with pytest.raises(dr.InputError, match="4 cases, and up to 3"):
        sweep().run(tmp_path, cases=3)
