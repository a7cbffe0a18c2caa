"""Where the cases of sweeps run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

__all__ = ["Executor", "wait"]


class Executor(Protocol):
    """Runs functions elsewhere: any of `concurrent.futures`, `Client.get_executor()` of Dask, or one of submitit.

    `submit` returns something with `done()` and `result()`.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Begins to run a function, and returns what becomes of it."""


def wait(futures: Sequence[Any], told: Callable[[float], object] | None) -> None:
    """Waits for all, so that an error of one does not lose what the others do; raises the first."""
    try:
        while not all(future.done() for future in futures):
            if told is not None:
                told(sum(1 for future in futures if future.done()) / len(futures))
            time.sleep(0.02)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    for future in futures:
        future.result()
