"""What goes wrong: which exception, where, what to do; and that it can be pickled."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, stencil

import drowse as dr


def text_of(network: str = 'kind = "torus"\ndims = [4]', job: str = 'trace = "ping.ti"') -> str:
    return f"[network]\n{network}\n[[job]]\n{job}\n"


# What is wrong, the line at which it is, and a word of what to do.
WRONG: list[tuple[str, int | None, str]] = [
    (text_of(network='kind = "tours"\ndims = [4]'), 2, "torus"),
    (text_of(network='kind = "torus"\ndims = [4]\ntrnk = 2'), 4, "trunk"),
    (text_of(network='kind = "torus"'), 1, "dims"),
    (text_of(network='kind = "torus"\ndims = []'), 3, "dims"),
    (text_of(network='kind = "torus"\ndims = [4]\nnodes = 0'), 4, "nodes"),
    (text_of(job='trace = "none.ti"'), None, "none.ti"),
    (text_of(job='trace = "ping.ti"\nplacement = "liner"'), 6, "linear"),
    (text_of() + "[power]\npolicy = { kind = \"stall-timer\", deep = \"50 parsecs\" }\n", 7, "50 parsecs"),
    (text_of() + "[switch]\npacket = \"0 B\"\n", 7, "packet"),
    ("[network\n", 1, "TOML"),
]


@pytest.mark.parametrize(("text", "line", "word"), WRONG)
def test_wrong_inputs_have_their_place(ping, text, line, word):
    with pytest.raises(dr.InputError) as caught:
        dr.Experiment.from_text(text).check()
    error = caught.value
    if line is not None:
        assert (error.file, error.line) == ("<experiment>", line)
        assert error.column is not None and error.column >= 1
    assert word in str(error) and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    fields = ["message", "proposal", "file", "line", "column", "key"]
    assert [getattr(again, name) for name in fields] == [getattr(error, name) for name in fields]
    assert str(again) == str(error) and type(again) is type(error)


def test_the_message_is_that_of_the_command(root, command):
    exp = dr.Experiment.from_toml("examples/racks.toml").with_keys({"network.uplinks": 3})
    with pytest.raises(dr.InputError) as caught:
        exp.run()
    done = command("run", "examples/racks.toml", "--set", "network.uplinks=3")
    assert done.returncode == 2
    assert done.stderr.rstrip("\n") == str(caught.value)
    assert caught.value.key == "network.uplinks"


def test_a_file_that_is_not_there():
    with pytest.raises(dr.InputError, match="no/such.toml: error: this file cannot be read"):
        dr.Experiment.from_toml("no/such.toml")


def test_a_job_that_cannot_finish(ping, tmp_path):
    (tmp_path / "ping.ti").write_text("0 init\n0 recv 1 0 8\n0 finalize\n1 init\n1 finalize\n")
    with pytest.raises(dr.NotFinished):
        ping.run()


def test_words_that_are_none():
    with pytest.raises(dr.InputError, match="`sometimes` is no baseline"):
        stencil().run(baseline="sometimes")
    with pytest.raises(TypeError, match="cannot be the value of a key"):
        dr.Torus(dims=object())  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_a_run_soon(threads):
    code = f"""
import drowse as dr, sys, time
from conftest import stencil
print("begin", flush=True)
try:
    stencil(10_000_000).run(threads={threads})
except KeyboardInterrupt:
    # A second run works.
    print("interrupted", time.time(), stencil().run().makespan_s > 0, flush=True)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline() == "begin\n"
    time.sleep(1.0)
    sent = time.time()
    os.kill(child.pid, signal.SIGINT)
    said = child.stdout.readline().split()
    assert child.wait(30) == 0 and said[0] == "interrupted" and said[2] == "True"
    assert float(said[1]) - sent < 0.5


def test_a_panic_is_a_fault(capfd):
    from drowse import _drowse

    with pytest.raises(dr.Fault, match="drowse panicked at .*: on purpose"):
        _drowse.panic("on purpose")
    assert capfd.readouterr().err == ""


def test_the_command_has_its_codes(command: Callable[..., subprocess.CompletedProcess[str]]):
    program = [sys.executable, "-m", "drowse"]
    run = lambda *arguments: subprocess.run([*program, *arguments], cwd=ROOT, capture_output=True, text=True)  # noqa: E731
    assert run("run", "examples/racks.toml", "--format", "json").returncode == 0
    assert run("run", "no-such.toml").returncode == 2
    assert run("--version").stdout.startswith(f"drowse {dr.__version__}\nbuild {dr.build}")
    assert run("rnu").returncode == 2
    # Scripts for clusters name the command of the package, not the interpreter.
    script = run("submit", "examples/stall-timer-sweep.toml", "--out", "x", "--parallel", "--dry-run").stdout
    assert sys.executable not in script and "drowse sweep" in script


def test_advice_in_a_message_is_the_proposal() -> None:
    unit = '`power.policy.deep`: `50 uss` has no unit that is known here (known: ps; ns); write it like "4.48 us"'
    assert dr.InputError(unit, unit).proposal == 'write it like "4.48 us"'
    there = dr.InputError("error: x.dot: is there already\nhelp: give another name, or replace=True")
    assert there.proposal == "give another name, or replace=True"
    assert dr.InputError("error: two switches are named 'a'").proposal is None
    assert pickle.loads(pickle.dumps(there)).proposal == there.proposal
