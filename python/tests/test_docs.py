"""The examples of the pages about Python."""

from __future__ import annotations

import importlib
import warnings

import pytest
from conftest import ROOT

import drowse as dr

PAGES = ROOT / "docs" / "python"
# Each goes on with the names of those before it.
ORDER = ["run", "sweep", "policy", "program", "traces", "networks", "notebooks"]


def test_examples_run(tmp_path, monkeypatch):
    for library in ["polars", "pandas", "numba"]:
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "traces").mkdir()
    # What the page runs takes minutes; a file of its name with a small program is read as what it is.
    program = [dr.iteration(), dr.compute("200 us"), dr.alltoall("1 KiB")] * 3
    dr.record(lambda rank, ranks: program, "small.drowse", ranks=64)
    (tmp_path / "small.drowse").rename("traces/cg.A.64.tar.zst")
    # A module of the blocks, and behind each line where it stands.
    lines = []
    for name in ORDER:
        is_code = False
        for number, line in enumerate((PAGES / f"{name}.md").read_text().split("\n"), 1):
            is_code = line == "```python" or (is_code and line != "```")
            if is_code and line != "```python":
                lines.append(f"{line}  # {name}.md:{number}" if line else line)
    (tmp_path / "page.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    with warnings.catch_warnings():
        # What a format does not tell is nothing to an example.
        warnings.simplefilter("ignore", dr.TraceWarning)
        names = vars(importlib.import_module("page"))
    found, trace = names["found"], names["trace"]
    assert {page.stem for page in PAGES.glob("*.md")} == set(ORDER)
    assert len(found.cases) > 4 and "<html" in (tmp_path / "report.html").read_text()
    assert names["campus"].describe().switches == ["west", "north", "south"]
    assert names["largest"] == 8 << 10
    assert dr.Trace("large.drowse").ranks == 64
    assert dr.Trace("slower.drowse").info().compute_s == pytest.approx(2 * trace.info().compute_s)
    assert dr.Trace("part.drowse").info().messages.count == 16 * 5
