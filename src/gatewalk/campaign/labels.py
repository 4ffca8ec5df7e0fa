"""Short names of cells: the target and whatever else differs among cells of the same target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gatewalk.campaign.plan import Cell

_SHOWN = (
    "algorithm",
    "nodes",
    "selection",
    "profile",
    "training",
    "mutation",
    "offspring",
    "gate_set",
    "start",
    "law_options",
    "budget",
    "seed",
)
_WITH_NAME = {"nodes": "nodes", "offspring": "lambda", "budget": "budget", "seed": "seed"}


def labels(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """A label for each cell, given as its values by column."""
    varying = []
    for name in _SHOWN:
        pairs = {(cell["target"], str(cell[name])) for cell in cells if cell[name] is not None}
        if len(pairs) > len({target for target, _ in pairs}):
            varying.append(name)
    return [" ".join([cell["target"], *_words(cell, varying)]) for cell in cells]


def _words(cell: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [
        f"{_WITH_NAME[name]}={cell[name]}" if name in _WITH_NAME else str(cell[name])
        for name in names
        if cell[name] is not None
    ]


def values_of(cell: Cell) -> dict[str, Any]:
    """A planned cell's values by column, as its store will have them."""
    made = cell.settings
    return {
        "target": made.target,
        "algorithm": made.algorithm,
        "nodes": made.nodes,
        "selection": made.selection,
        "profile": made.profile,
        "training": made.training,
        "mutation": made.mutation,
        "offspring": made.offspring,
        "gate_set": ",".join(made.gates),
        "start": made.start,
        "law_options": made.options,
        "budget": made.budget,
        "seed": cell.seed,
    }


def duration(seconds: float | None) -> str:
    """A length of time to read: 12 s, 3 min 20 s, 5 h 10 min, 2 d 4 h."""
    if seconds is None:
        return "unknown"
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"
