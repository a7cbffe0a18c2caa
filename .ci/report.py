"""Holds what pages of reports have found of themselves (.ci/report.js) against what their data ask for."""

import html
import json
import re
import sys
from pathlib import Path

# The marks of each chart, at least: a case, a bar, a link is one each.
# Two cases; four groups of links; 32 trunks and 64 nodes; 64 pairs of switches; two dimensions of four; 64 ranks.
RUN = {"energy": 2, "states": 8, "waiting": 4, "path": 4, "network": 96, "links": 64, "positions": 8, "ranks": 128}
RUN["idle"] = 50
# Forty tracks with several states each.
RUN["rank-timeline"] = RUN["link-timeline"] = 100
# Four groups of links that somebody waits for; messages of four sizes or more.
RUN["causes"] = 4
RUN["sizes"] = 4
# Two classes of links, switches, NICs and nodes, a line each.
RUN["power"] = 5
# Three classes of links, some intervals of two or more states.
RUN["idling"] = 100
# The longest waits, a bar each at least; ranks wait for three others or more.
RUN["waits"] = 20
RUN["wait-matrix"] = 192
RUN["wakes"] = 10
CHARTS = {
    "run": RUN,
    "phone": RUN,
    # Three dimensions of eight switches.
    "traffic": {"network": 1536, "links": 150, "positions": 24},
    # Eight cases and the Pareto front.
    "policies": {"energy": 9, "states": 16, "waiting": 16, "path": 16},
    # A bar a case for 30 cases.
    "thousand": {"energy": 1000, "swept": 1000, "states": 60, "waiting": 60, "path": 60},
}


def check(name, folder):
    dom = (folder / f"{name}.dom").read_text()
    text = re.search(r'<pre id="tested">(.*?)</pre>', dom, re.DOTALL)
    assert text, f"{name}: the page has not come to its end"
    found = json.loads(html.unescape(text[1]))
    assert not found["errors"], found["errors"]
    assert found["drawn"] == len(found["marks"]), f"{name}: a chart is not drawn: {found}"
    assert set(found["marks"]) == set(CHARTS[name]), f"{name}: {found['marks']}"
    few = {kind: found["marks"][kind] for kind, least in CHARTS[name].items() if found["marks"][kind] < least}
    assert not few, f"{name}: too few marks: {few}"
    assert not found["scrolls"], f"{name}: the page is wider than the screen"
    assert found["actions"] == [4] * found["drawn"], f"{name}: SVG, PNG, specification and CSV: {found['actions']}"
    rows = [[value for value in values if value is not None] for values in found["sorted"]]
    assert rows[0] == sorted(rows[0]) and rows[1] == rows[0][::-1], f"{name}: the table is not sorted"
    (light, dark) = found["themes"]
    assert light[0] != dark[0] and light[1] != dark[1], f"{name}: one theme only: {found['themes']}"
    if "filtered" in found:
        less, again = found["filtered"], found["again"]
        assert less["shown"] < found["shown"] == again["shown"], f"{name}: filters: {found}"
        assert f"{less['shown']} of {found['shown']} cases" == less["count"], less["count"]
        assert less["marks"]["energy"] < found["marks"]["energy"] == again["marks"]["energy"], f"{name}: {found}"
    print(f"{name}: {found['marks']}")


for page in CHARTS:
    check(page, Path(sys.argv[1]))
