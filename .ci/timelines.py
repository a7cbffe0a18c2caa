"""Holds what other programs read of our timelines against our own table of them. Used by .ci/timelines."""

import csv
import http.server
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

PATIENCE = 180


def states(prv, end):
    """The states of a Paraver file before a time, each with its object."""
    found = Counter()
    for line in prv.read_text().splitlines():
        if line.startswith("1:"):
            *who, since, until, state = map(int, line.split(":"))
            until = min(until, end)
            found[(*who, since, until, state)] += since < until
    return +found


def cut(folder, end):
    ours = states(folder / "timeline.prv", int(end))
    theirs = states(folder / "timeline.cut.prv", sys.maxsize)
    assert ours and ours == theirs, f"{folder.name}: other states: {(ours - theirs).most_common(3)}, {(theirs - ours).most_common(3)}"
    print(f"{folder.name}: Paraver's authors' tools read {sum(ours.values())} states of the first {end} ns as we do")


def asked(pages, trace, chromium):
    """Opens a trace in Perfetto's page, and returns what its trace processor has found."""
    found, done = {}, threading.Event()
    test = Path(__file__).with_suffix(".js").read_text()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=pages)

        def send(self, kind, body):
            self.send_response(200)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path.split("?")[0] == "/":
                page = (pages / "index.html").read_text().replace("<head>", f"<head><script>{test}</script>", 1)
                self.send("text/html", page.encode())
            elif self.path == "/trace.json":
                self.send("application/json", trace.read_bytes())
            else:
                super().do_GET()

        def do_POST(self):
            found.update(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send("text/plain", b"")
            done.set()

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}"
        flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}/profile"]
        browser = subprocess.Popen([chromium, *flags, f"{here}/#!/?url={here}/trace.json"], stderr=subprocess.DEVNULL)
        ended = done.wait(PATIENCE)
        browser.terminate()
        browser.wait()
        server.shutdown()
    assert ended, f"{trace}: Perfetto has not read it within {PATIENCE} s"
    return found


def perfetto(folder, pages, chromium):
    found = asked(Path(pages), folder / "timeline.perfetto.json", chromium)
    assert not found["complaints"], f"{folder.name}: Perfetto says {found['complaints']}"
    kinds, times, tracks = Counter(), Counter(), set()
    with open(folder / "spans.csv", newline="") as table:
        for row in csv.DictReader(table):
            kind = "state" if row["kind"] in ("rank", "link") else row["kind"]
            kinds[kind, row["state"]] += 1
            if kind == "state":
                times[row["state"]] += int(row["to_ps"]) - int(row["from_ps"])
                tracks.add((row["kind"], row["job"], row["rank"], row["channel"]))
    slices = {name: (int(count), int(time)) for name, count, time in found["slices"]}
    wanted = {state: count for (kind, state), count in kinds.items() if kind == "state"}
    assert {name: count for name, (count, _) in slices.items()} == wanted, f"{folder.name}: {slices}, not {wanted}"
    for name, (count, time) in slices.items():
        assert abs(time - times[name] / 1000) <= count, f"{folder.name}: {name} for {time} ns, not {times[name]} ps"
    (messages,), (lanes,), (threads,) = found["flows"][0], found["counters"][0], found["tracks"][0]
    seen = {"message": int(messages), "lanes": int(lanes)}
    assert all(seen[kind] == kinds[kind, ""] for kind in seen), f"{folder.name}: {seen} of {kinds}"
    assert int(threads) == len(tracks), f"{folder.name}: {threads} tracks, not {len(tracks)}"
    print(f"{folder.name}: Perfetto reads {sum(wanted.values())} states on {threads} tracks, {messages} messages, {lanes} changes of lanes")


command, folder, *more = sys.argv[1:]
{"cut": cut, "perfetto": perfetto}[command](Path(folder), *more)
