"""Every example gives the same bytes from Python and from the command: runs, sweeps and searches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import drowse as dr

ROOT = Path(__file__).resolve().parents[2]
# What says when, where and how fast a run was made; and the checksums of that.
OF_THE_RUN = {"host.json", "engine.csv", "checksums.json"}
# More cases than these take hours: only how many there are is compared, and a part of the cases.
MOST_CASES = 40
# What makes examples short that would take minutes, by how their names begin.
SHORTER: dict[str, dict[str, int]] = {
    "andujar-set": {"sweep.seed.to": 1},
    "parallel-links": {"job.0.repeat": 1},
}


def command(*arguments: str) -> str:
    program = [os.environ["DROWSE"]] if "DROWSE" in os.environ else [sys.executable, "-m", "drowse"]
    done = subprocess.run([*program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    """The tables of a folder and what says of which experiment they are, by name; what is kept to go on is left out."""
    found = [*folder.glob("*.csv"), *folder.glob("*.json")]
    return {path.name: path.read_bytes() for path in found if path.name not in OF_THE_RUN}


def kind(path: Path) -> str:
    """Whether an example is a run, a sweep, a search, or describes a network alone."""
    exp = dr.Experiment.from_toml(path)
    if "[sweep" in path.read_text() or "\nsweep" in path.read_text():
        return "search" if "[search" in path.read_text() else "sweep"
    return "run" if "[[job]]" in exp.to_toml() or "[traffic]" in exp.to_toml() else "network"


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "examples").glob("*.toml")))
def test_the_same_bytes(name, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = Path("examples") / f"{name}.toml"
    exp, what = dr.Experiment.from_toml(path), kind(path)
    keys = next((keys for start, keys in SHORTER.items() if name.startswith(start)), {})
    exp = exp.with_keys(keys)
    sets = [f"--set={key}={value}" for key, value in keys.items()]
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    if what == "network":
        assert repr(exp.describe()).split() == command("network", str(path)).split()
        return
    if what == "run":
        exp.run().write(ours)
        command("run", str(path), *sets, "--out", str(theirs))
    elif what == "search":
        exp.sweep().search(ours)
        command("search", str(path), *sets, "--out", str(theirs))
    else:
        cases = len(exp.sweep())
        assert f"{cases:,} cases" in command("sweep", str(path), *sets, "--dry-run", "--out", str(theirs))
        if cases > MOST_CASES:
            pytest.skip("the rest is for clusters")
        exp.sweep().run(ours)
        command("sweep", str(path), *sets, "--out", str(theirs))
    assert files(ours) == files(theirs)
