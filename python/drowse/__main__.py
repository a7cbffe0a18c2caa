"""The command `drowse`: also `python -m drowse`."""

from __future__ import annotations

import os
import shutil
import signal
import sys

from drowse import _drowse


def main() -> int:
    """Runs the command with the arguments of this process, and returns its exit code."""
    # Python only notes Ctrl-C, and would look at it when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _drowse.command(program(), sys.argv[1:])


def program() -> str:
    """Returns the file that runs the command again, as scripts for clusters do."""
    called = sys.argv[0]
    if os.path.basename(called) == "__main__.py":
        # `python -m drowse`: the script of the package lies beside the interpreter.
        beside = os.path.join(os.path.dirname(sys.executable), "drowse")
        called = beside if os.path.exists(beside) else shutil.which("drowse") or "drowse"
    return os.path.abspath(called) if os.path.dirname(called) else called


if __name__ == "__main__":
    sys.exit(main())
