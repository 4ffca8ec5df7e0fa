"""Short names of cells: the target, and the settings in which cells of the same target differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gatewalk.boolean.targets import label_of
from gatewalk.errors import brief
from gatewalk.search.settings import OPTIONS, SEED

# The columns by which cells can be distinguished, and how each is shown.
_SHOWN = {option.columns[0].name: option.label for option in OPTIONS.values() if option.label}
_SHOWN[SEED.name] = "seed={}"


def labels(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """A label for each cell, given as its values by column (`search.settings.cell_values`)."""
    varying = []
    for name in _SHOWN:
        pairs = {(cell["target"], cell[name]) for cell in cells if cell[name] is not None}
        if len(pairs) > len({target for target, _ in pairs}):
            varying.append(name)
    short = _labels(cells, [name for name in varying if name != "budget"])
    return short if len(set(short)) == len(cells) else _labels(cells, varying)  # budgets only if needed


def _labels(cells: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    return [" ".join([label_of(cell["target"]), *_words(cell, names)]) for cell in cells]


def _words(cell: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [_SHOWN[name].format(brief(str(cell[name]))) for name in names if cell[name] is not None]


def duration(seconds: float | None) -> str:
    """A length of time in words: 12 s, 3 min 20 s, 5 h 10 min, 2 d 4 h."""
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
