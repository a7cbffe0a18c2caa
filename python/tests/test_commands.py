"""What commands print and write is what functions return and write."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from conftest import stencil

import drowse as dr

KEYS = {"power.policy.deep": ["10 us", "50 us"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> dr.SweepResult:
    return stencil().sweep(KEYS, baseline="always-on").run(tmp_path_factory.mktemp("sweep") / "out")


def text_of(command, *arguments: str) -> str:
    done = command(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_folder_says_what_the_command_says(folder, command):
    path = folder.folder
    assert json.loads(repr(folder.status())) == json.loads(text_of(command, "status", path, "--format", "json"))
    assert folder.to_markdown() == text_of(command, "table", path)
    assert folder.to_latex(["makespan_s"]) == text_of(command, "table", path, "--latex", "--columns", "makespan_s")
    with pytest.raises(dr.InputError, match="nothing"):
        folder.to_markdown(["nothing"])


def test_charts(folder, command, tmp_path):
    assert "swept" in folder.charts
    picture = tmp_path / "swept.svg"
    text_of(command, "plot", folder.folder, "--kind", "swept", "-o", str(picture))
    # The file has a mark that it may be replaced.
    drawn = re.sub(r"<!--.*?-->", "", picture.read_text())
    assert folder.plot("swept").strip() == drawn.strip() and "<svg" in drawn
    assert folder.chart("swept")["datasets"]["swept"]
    with pytest.raises(dr.InputError, match="no data for a chart `pie`; they have it for: .*swept"):
        folder.plot("pie")
    with pytest.raises(dr.InputError, match="nowhere"):
        dr.SweepResult(tmp_path / "nowhere").plot("swept")


def test_a_search_finds_the_best_of_all(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exp = dr.Experiment.from_text(stencil().to_toml() + '\n[search]\nminimize = "energy"\nwhere = "slowdown <= 5%"\n')
    keys = {"power.policy.deep": {"from": "10 us", "to": "160 us", "factor": 2}}
    sweep = exp.sweep(keys, baseline="always-on")
    found = sweep.search("searched")
    assert found.figures.search.grid == 5 and found.figures.sweep.cases <= 5
    assert found.best is not None and found.result.folder == "searched"
    # No case of the whole sweep that keeps the condition takes less.
    best = sweep.run("whole").best("energy", where="slowdown <= 5%").best
    assert best is not None and best.case_id == found.best.case_id
    (tmp_path / "search.toml").write_text(sweep.experiment.to_toml())
    done = command("search", "search.toml", "--out", "theirs", "--format", "json", cwd=tmp_path)
    assert json.loads(done.stdout)["answer"] == found.to_dict()
    with pytest.raises(dr.InputError, match="search"):
        stencil().sweep(KEYS).search("none")


def test_shards_are_merged(folder, tmp_path):
    from drowse import _drowse

    written = stencil().sweep(KEYS, baseline="always-on").experiment.written()
    for number in (1, 2):
        _drowse.shard(written, str(tmp_path / str(number)), number, 2, 1)
    assert dr.SweepResult(tmp_path / "1").status().counts.missing > 0
    whole = dr.merge([tmp_path / "1", tmp_path / "2"], tmp_path / "all")
    assert whole.status().counts.missing == 0
    assert (tmp_path / "all" / "cases.csv").read_bytes() == Path(folder.folder, "cases.csv").read_bytes()
    with pytest.raises(dr.InputError):
        dr.merge([tmp_path / "nowhere"])


def test_timelines(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exp = stencil(3)
    (tmp_path / "stencil.toml").write_text(exp.to_toml())
    options = ["--timeline", "perfetto", "--timeline", "table", "--timeline-window", "..1ms", "--timeline-ranks", "0-3"]
    text_of(lambda *arguments: command(*arguments, cwd=tmp_path), "run", "stencil.toml", "--out", "theirs", *options)
    ours = exp.timeline("ours", "perfetto", "table", window="..1ms", ranks="0-3")
    spans = [{**row, "case_id": ""} for row in ours.table("spans").rows()]
    assert spans and spans == [{**row, "case_id": ""} for row in dr.SweepResult("theirs").table("spans").rows()]
    assert set(ours.table("spans")["rank"]) <= {0, 1, 2, 3, None}
    assert (tmp_path / "ours/timeline.perfetto.json").exists() and not (tmp_path / "ours/timeline.prv").exists()
    with pytest.warns(UserWarning, match="timeline"):
        stencil(100).timeline("short", "prv", limit=1)
    for wrong, said in [({"window": "2ms..1ms"}, "window"), ({"jobs": ["x"]}, "no job"), ({"links": "99999"}, "no link")]:
        with pytest.raises(dr.InputError, match=said):
            exp.timeline("none", "prv", **wrong)
    with pytest.raises(dr.InputError, match="formats: there is no `pdf`"):
        exp.timeline("none", "pdf")  # type: ignore[arg-type]


def test_networks_are_drawn(tmp_path, command, root):
    exp = dr.Experiment.from_toml("examples/racks.toml")
    found = exp.describe()
    assert found.svg() == text_of(command, "network", "examples/racks.toml", "--format", "svg")
    assert found.dot() == text_of(command, "network", "examples/racks.toml", "--format", "dot")
    exp.run().write(tmp_path / "run")
    colour = ["--colour", str(tmp_path / "run"), "--by", "utilisation"]
    coloured = text_of(command, "network", "examples/racks.toml", "--format", "svg", *colour)
    assert found.svg(colour=tmp_path / "run", by="utilisation") == coloured != found.svg()
    # A torus of three by two: coordinates, the first dimension fastest.
    grid = dr.Experiment(dr.Torus(dims=[3, 2])).describe()
    assert len(set(grid.switches)) == 6 and all(re.fullmatch(r"\d, \d", place) for place in grid.switches)


def test_usage_has_its_options(root, command, tmp_path):
    exp = dr.Experiment.from_toml("examples/usage-torus.toml")
    theirs = text_of(command, "usage", "examples/usage-torus.toml", "--count", "cables", "--time", "10 ms", "--format", "json")
    ours = json.loads(repr(exp.usage(count="cables", time="10 ms", out=tmp_path / "usage")))
    assert {**json.loads(theirs), "warnings": None} == {**ours, "warnings": None}
    assert (tmp_path / "usage" / "usage_matrix.csv").exists()
    with pytest.raises(dr.InputError, match="time: "):
        exp.usage(time="soon")


def test_numbers_of_a_paper(root):
    shares: list[float] = []
    rows = dr.reproduce("runtime", quick=True, progress=shares.append)
    # What the command has written of all papers.
    with open("docs/data/quick_reproduction.csv", encoding="utf-8", newline="") as file:
        theirs = [row for row in csv.DictReader(file) if row["paper"] == "runtime"]
    for name in ("place", "quantity", "verdict"):
        assert rows[name] == [row[name] or None for row in theirs]
    assert rows["ours"] == [float(row["ours"]) if row["ours"] else None for row in theirs]
    assert "equal" in rows["verdict"] and 0.0 <= max(shares) <= 1.0


def test_what_a_paper_has_not():
    with pytest.raises(dr.InputError, match="`torrus` is no paper"):
        dr.reproduce("torrus")  # type: ignore[arg-type]
    with pytest.raises(dr.InputError, match="`weights` are those of the workloads of `thin-trees`"):
        dr.reproduce("runtime", weights={"AA": 0})
    with pytest.raises(dr.InputError, match="weights: there is no workload `ZZ`"):
        dr.reproduce("thin-trees", weights={"ZZ": 0})
    with pytest.raises(dr.InputError, match="seeds"):
        dr.reproduce("torus", seeds=0)


def test_catalogues(command, root):
    states = json.loads(text_of(command, "states", "--format", "json"))
    assert [json.loads(repr(found)) for found in dr.link_states().values()] == states
    assert list(dr.link_states()) == [named["name"] for named in states]
    assert dr.schema() == json.loads((root / "schema" / "experiment.schema.json").read_text())
