"""How far something has come, in a notebook."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

__all__ = ["watched"]


@contextmanager
def watched(progress: Callable[[float], object] | bool | None) -> Generator[Callable[[float], object] | None, None, None]:
    """Returns what is told the share that is done: the function that was given, or a bar, which is gone at the end."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not in_notebook()):
        yield None
        return
    bar = _NotebookBar() if in_notebook() else _Line()
    try:
        yield bar.show
    finally:
        bar.end()


def in_notebook() -> bool:
    """Returns whether the kernel of a notebook runs this."""
    shell = sys.modules.get("IPython")
    kernel = shell.get_ipython() if shell is not None else None
    return kernel is not None and getattr(kernel, "kernel", None) is not None


class _NotebookBar:
    """A bar below a cell."""

    def __init__(self) -> None:
        shown: Any = importlib.import_module("IPython.display")
        self._bar: Any = shown.display({"text/html": "", "text/plain": ""}, raw=True, display_id=True)

    def show(self, share: float) -> None:
        bar = f"<progress value='{share:.4f}' max='1'></progress> {100 * share:.0f} %"
        self._bar.update({"text/html": bar, "text/plain": f"{100 * share:.0f} %"}, raw=True)

    def end(self) -> None:
        self._bar.update({"text/html": "", "text/plain": ""}, raw=True)


class _Line:
    """A line on a terminal."""

    def show(self, share: float) -> None:
        sys.stderr.write(f"\r{100 * share:3.0f} %")
        sys.stderr.flush()

    def end(self) -> None:
        sys.stderr.write("\r     \r")
        sys.stderr.flush()
