"""What Drowse knows: devices, link states that have a name, and the keys of experiments."""

from __future__ import annotations

import json
from typing import Any, cast

from drowse import _drowse
from drowse.figures import Figures

__all__ = ["devices", "link_states", "schema"]


def devices() -> dict[str, list[Figures]]:
    """Returns the `switches`, `modules` and `nics` whose power is published, each with its source. What is not published is
    None."""
    return {kind: [Figures(device) for device in devices] for kind, devices in json.loads(_drowse.devices()).items()}


def link_states() -> dict[str, Figures]:
    """Returns the link states that have a name, by that: times, powers and sources. What is not published is None."""
    return {states["name"]: Figures(states) for states in json.loads(_drowse.link_states())}


def schema() -> dict[str, Any]:
    """Returns the JSON Schema of experiments."""
    return cast("dict[str, Any]", json.loads(_drowse.schema()))
