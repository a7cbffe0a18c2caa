"""All that the command knows is here, too."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

from conftest import ROOT

import drowse as dr
from drowse import _drowse

SCHEMA = json.loads((ROOT / "schema" / "experiment.schema.json").read_text())


def kinds(definition: dict[str, object]) -> list[str]:
    return [kind["properties"]["kind"]["const"] for kind in definition["oneOf"]]  # type: ignore[index,attr-defined]


def made(namespace: type) -> set[str]:
    """The words of the kinds that a namespace has."""
    sources = (inspect.getsource(kind) for kind in vars(namespace).values() if inspect.isclass(kind))
    return {line.split('"')[3] for source in sources for line in source.splitlines() if '"kind": "' in line}


def test_every_kind_is_a_class():
    definitions = SCHEMA["$defs"]
    for namespace, name in [(dr.network, "Network"), (dr.policy, "policy"), (dr.app, "App")]:
        assert made(namespace) == set(kinds(definitions[name])), name


def test_every_section_is_an_argument():
    arguments = inspect.signature(dr.Experiment).parameters
    assert {"jobs" if name == "job" else name for name in SCHEMA["properties"]} - {"sweep"} == set(arguments)


# What each command is here. Two write what only a shell and `man` read.
COMMANDS: dict[str, str | None] = {
    "run": "Experiment.run",
    "sweep": "Sweep.run",
    "search": "Sweep.search",
    "rerun": "SweepResult.rerun",
    # An executor submits the cases.
    "submit": "Sweep.run",
    "status": "SweepResult.status",
    "merge": "merge",
    "network": "Experiment.describe",
    "trace": "Trace",
    "usage": "Experiment.usage",
    "best": "SweepResult.best",
    # A page for operators, made of sweeps.
    "advise": None,
    # A screen of the terminal.
    "show": None,
    "report": "SweepResult.report",
    "plot": "SweepResult.plot",
    "table": "SweepResult.to_latex",
    "reproduce": "reproduce",
    "states": "link_states",
    "devices": "devices",
    "schema": "schema",
    "completions": None,
    "man": None,
}
# What the subcommands of `drowse trace` are.
TRACES = {"info": "info", "check": "check", "convert": "convert", "cut": "cut", "scale": "scale"}


def listed(help_text: str) -> set[str]:
    """The commands that a help lists."""
    commands = help_text.split("Commands:\n")[1].split("\n\n")[0]
    return {line.split()[0] for line in commands.splitlines() if line.startswith("  ") and line[2] != " "} - {"help"}


def test_every_command_has_a_name(command):
    assert listed(command("--help").stdout) == set(COMMANDS)
    for name in filter(None, COMMANDS.values()):
        thing: object = dr
        for part in name.split("."):
            thing = getattr(thing, part)
        assert callable(thing) and thing.__doc__, name
    assert listed(command("trace", "--help").stdout) == set(TRACES)
    assert all(callable(getattr(dr.Trace, name)) for name in TRACES.values())


def test_every_operation_has_a_function():
    for form in _drowse.operation_forms():
        name = form.split()[0].replace("-", "_")
        assert name in dr.__all__ and getattr(dr, name).__doc__, form


def test_every_table_has_a_name():
    res = dr.Experiment.from_text(
        'network = { kind = "torus", dims = [4] }\njob = { app = { kind = "stencil", dims = [4], bytes = "8 B" } }'
    ).run()
    for name in _drowse.table_names():
        assert res.table(name).name == name


def test_help_is_readable():
    for name in dr.__all__:
        thing = getattr(dr, name)
        if inspect.isclass(thing):
            assert thing.__doc__, name
    assert "50 us" in (dr.__doc__ or "")


def test_it_is_imported_soon():
    code = "import time; began = time.process_time(); import drowse; print(time.process_time() - began)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Seconds of a core; a notebook should not wait for it. Five times what it takes.
    assert float(done.stdout) < 0.5
