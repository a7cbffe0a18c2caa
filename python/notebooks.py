"""Runs notebooks in a fresh kernel each, and compares what their cells print with what is kept: `notebooks.py [--update] FILE...`.

Results are the same on every machine, so any difference is a fault. `--update` keeps what is printed now."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def printed(cell: Any) -> str:
    """Returns what a cell prints: streams and values as text, pictures left out."""
    text = ""
    for output in cell.get("outputs", ()):
        if output["output_type"] == "stream":
            # A kernel sends a stream in pieces whenever time is up, so that where it is cut says nothing.
            text += output["text"]
        elif value := output.get("data", {}).get("text/plain", ""):
            text += f"{value}\n"
    return text


def run(path: Path, update: bool) -> bool:
    """Runs a notebook in its folder; returns whether it prints what is kept."""
    kept = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, timeout=600, resources={"metadata": {"path": str(path.parent)}}, kernel_name="python3").execute()
    if update:
        for number, cell in enumerate(fresh.cells):
            # What changes from run to run is not kept.
            cell.metadata.clear()
            cell["id"] = f"cell-{number}"
        fresh.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        nbformat.write(fresh, path)
        return True
    same = True
    for before, after in zip(kept.cells, fresh.cells):
        if printed(before) != printed(after):
            same = False
            lines = difflib.unified_diff(printed(before).splitlines(), printed(after).splitlines(), "kept", "now", "", "", 1)
            print(path, *lines, sep="\n")
    return same


def main(arguments: list[str]) -> int:
    update = "--update" in arguments
    # All are run, so that all differences are shown.
    done = [run(Path(argument), update) for argument in arguments if argument != "--update"]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
