"""What all tests need. They run against the package that is installed; the command beside it is `$DROWSE`, or the one in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import drowse as dr

ROOT = Path(__file__).resolve().parents[2]

# Two ranks: one computes and sends, the other receives; both meet at a barrier.
PING = """\
0 init
0 compute 1000000
0 send 1 0 1000
0 barrier
0 finalize
1 init
1 recv 0 0 1000
1 barrier
1 finalize
"""


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of the repository, which is the working folder."""
    monkeypatch.chdir(ROOT)
    return ROOT


@pytest.fixture
def command() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command."""
    program = [os.environ["DROWSE"]] if "DROWSE" in os.environ else [sys.executable, "-m", "drowse"]

    def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*program, *arguments], cwd=cwd, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def ping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dr.Experiment:
    """Four nodes on a ring whose links sleep soon, and a tiny trace."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ping.ti").write_text(PING)
    return dr.Experiment(
        dr.Torus(dims=[4]), power=dr.StallTimer(deep="1 us"), jobs=[dr.Trace("ping.ti")], title="Ping"
    )


def stencil(iterations: int = 20, policy: dr.SleepPolicy | dr.CompiledPolicy | None = None) -> dr.Experiment:
    """Sixteen ranks on racks, whose links sleep; runs for a moment."""
    return dr.Experiment(
        dr.network.Racks(racks=4, nodes_per_rack=4),
        power=dr.Power(channels="all", policy=policy or dr.StallTimer(deep="50 us")),
        jobs=[dr.app.Stencil(dims=[4, 4], bytes="64 KiB", compute="200 us", iterations=iterations)],
    )
