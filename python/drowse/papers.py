"""The numbers of papers beside those that Drowse computes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import Literal

from drowse import _drowse
from drowse.show import watched
from drowse.table import Table

__all__ = ["reproduce"]


def reproduce(
    paper: Literal["torus", "perfbound", "thin-trees", "runtime", "all"],
    *,
    quick: bool = False,
    traces: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    weights: Mapping[str, float] | None = None,
    seeds: int | None = None,
    threads: int | None = None,
    progress: Callable[[float], object] | bool | None = None,
) -> Table:
    """Computes the numbers of a paper, and returns them beside those that it prints, with a verdict on each.

    quick: Leaves out long simulations.
    traces: The folder with the traces of programs; by default `traces`.
    out: Writes tables into this folder, and keeps finished cases there to continue later.
    weights: Weights of the workloads of `thin-trees`; 1 by default, 0 is not run.
    seeds: Seeds that cases which draw are run with.
    threads: Cases that run at a time; all cores by default.
    progress: Is called with the share that is done, which begins anew with each part; or whether a bar is shown.

    A number that follows from the paper's definitions and yet differs is a defect of Drowse, and is warned of.
    """
    given = None if weights is None else ",".join(f"{name}={weight:g}" for name, weight in weights.items())
    traces, out = (None if path is None else os.fspath(path) for path in (traces, out))
    with watched(progress) as told:
        rows, defect = _drowse.reproduce(paper, quick, traces, out, given, seeds, threads, told)
    if defect is not None:
        warnings.warn(f"{defect}: this is a defect of drowse; please report it", RuntimeWarning, stacklevel=2)
    return Table(rows)
