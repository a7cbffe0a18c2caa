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
