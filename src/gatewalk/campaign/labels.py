"""Short names of cells: the target, and the settings in which cells of the same target differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gatewalk.boolean.targets import label_of
from gatewalk.errors import brief
from gatewalk.search.options import OPTIONS, SEED

# The columns by which cells can be distinguished, and how each is shown.
_SHOWN = {option.columns[0][0].name: option.label for option in OPTIONS.values() if option.label}
_SHOWN[SEED.name] = "seed={}"


def labels(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """A label for each cell, given as its values by column (`search.options.cell_values`)."""
    names = varying(cells, _SHOWN)
    short = _labels(cells, [name for name in names if name != "budget"])
    return short if len(set(short)) == len(cells) else _labels(cells, names)  # budgets only if needed


def _labels(cells: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[str]:
    return [label(cell["target"], {name: cell[name] for name in columns}) for cell in cells]


def label(target: str, values: Mapping[str, Any]) -> str:
    """The name of a target, and values by column as their settings show them; None is left out.

    >>> label("and:4", {"nodes": 8, "selection": "strict", "mutation": None})
    'and:4 nodes=8 strict'
    """
    words = [_SHOWN[name].format(brief(str(value))) for name, value in values.items() if value is not None]
    return " ".join([label_of(target), *words])


def varying(cells: Sequence[Mapping[str, Any]], columns: Iterable[str]) -> list[str]:
    """The columns in which cells of the same target differ, apart from cells that have no such setting."""
    names = []
    for name in columns:
        pairs = {(cell["target"], cell[name]) for cell in cells if cell[name] is not None}
        if len(pairs) > len({target for target, _ in pairs}):
            names.append(name)
    return names
