"""Traces: read, converted, cut and scaled as the command does."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path

import pytest

import drowse as dr


def ring(rank: int, ranks: int):
    for _ in range(10):
        yield dr.iteration()
        yield dr.compute("20 us")
        yield dr.isend((rank + 1) % ranks, "8 KiB", request=1)
        yield dr.recv((rank - 1) % ranks)
        yield dr.wait(1)


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dr.Trace:
    monkeypatch.chdir(tmp_path)
    return dr.record(ring, "ring.drowse", ranks=4)


def test_traces_are_written_as_the_command_writes_them(trace, command, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dr.TraceWarning)
        written = [
            trace.convert("ours.goal"),
            trace.convert("ours.txt", to="vef"),
            trace.cut("ours-part.drowse", iterations=(3, 5)),
            trace.cut("ours-time.drowse", time="40 us..80 us"),
            trace.scale("ours-large.drowse", ranks=8),
        ]
    calls = [
        ["convert", "-o", "theirs.goal"],
        ["convert", "-o", "theirs.txt", "--to", "vef"],
        ["cut", "-o", "theirs-part.drowse", "--iterations", "3..5"],
        ["cut", "-o", "theirs-time.drowse", "--time", "40 us..80 us"],
        ["scale", "-o", "theirs-large.drowse", "--ranks", "8"],
    ]
    for new, (name, *options) in zip(written, calls):
        done = command("trace", name, "ring.drowse", *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert Path(new.path).read_bytes() == Path(options[1]).read_bytes(), name
    part, large = written[2], written[4]
    assert sum(operation.kind == "iteration" for operation in part.operations(0)) == 3
    assert large.ranks == 8 and large.info().messages.count == 80


def test_what_is_not_told_is_warned_of(trace):
    with pytest.warns(dr.TraceWarning, match="iteration"):
        trace.convert("ring.goal")


def test_any_format_and_any_app_is_read(trace, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dr.TraceWarning)
        goal = trace.convert("ring.goal")
    assert sum(operation.kind == "compute" for operation in goal.operations(0)) == 10
    assert goal.ranks == 4 and goal.info().messages.count == 40
    app = 'network = { kind = "torus", dims = [4] }\njob = { app = { kind = "ping-pong", ranks = 2, bytes = "8 B" } }'
    (tmp_path / "app.toml").write_text(app)
    first = next(dr.Trace("app.toml").operations(0))
    assert isinstance(first, dr.Operation)


def test_a_trace_that_changes_is_read_anew(trace):
    assert trace.ranks == 4
    dr.record(ring, trace.path, ranks=3)
    os.utime(trace.path)
    assert trace.ranks == 3
    again = pickle.loads(pickle.dumps(trace))
    assert again == trace and again.ranks == 3 and hash(again) == hash(trace)


def test_wrong_input(trace, tmp_path):
    with pytest.raises(dr.InputError, match="no rank 4"):
        trace.operations(4)
    with pytest.raises(dr.InputError, match="no format `otf3`"):
        trace.operations(0, format="otf3")
    with pytest.raises(dr.InputError, match="none.ti"):
        dr.Trace("none.ti").ranks  # noqa: B018
    with pytest.raises(dr.InputError, match="`otf2` traces are not written"):
        trace.convert("x", to="otf2")
    with pytest.raises(dr.InputError, match="is read by this command"):
        trace.convert("ring.drowse", replace=True)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(dr.InputError, match="is there already.*replace=True"):
        trace.convert("mine.txt")
    assert trace.convert("mine.txt", replace=True).ranks == 4
    with pytest.raises(ValueError, match="nothing to cut"):
        trace.cut("x")
    with pytest.raises(ValueError, match="counted from 1"):
        trace.cut("x", iterations=(0, 3))
    with pytest.raises(dr.InputError, match="time: "):
        trace.cut("x", time="soon")
    with pytest.raises(dr.InputError, match="iteration"):
        trace.cut("x", iterations=99)
    with pytest.raises(dr.InputError, match="speed"):
        trace.convert("x", speed="0 flop/s")
    assert not (tmp_path / "x").exists()
