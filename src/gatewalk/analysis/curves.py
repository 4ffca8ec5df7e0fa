"""Cells as curves: running times by one setting, with a curve for each choice of the other settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gatewalk.analysis.cells import CellRuns, written
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import Settings
from gatewalk.stats.sample import Sample

Curves = dict[str, dict[int, Sample]]
_FIELDS = {toml: name for name, toml in TOML_NAMES.items()}
NUMBERS = tuple(
    toml for toml, name in _FIELDS.items() if [column.kind for column in AXES[name].columns] == ["count"]
)


def curves(
    cells: Sequence[CellRuns], x: str = "n", *, label: Callable[[CellRuns], str] | None = None
) -> Curves:
    """Cells as curves: samples by curve and by the value of one setting.

    Parameters
    ----------
    cells
        In any order; curves come in the order of their first cell.
    x
        The setting along a curve: "n", or any other numeric setting.
    label
        A function that names the curve of a cell. By default the name lists the settings other than x in
        which the cells differ, as the campaign writes them. Cells with the same label and x are merged.

    Returns
    -------
    dict
        For each curve, by name, a dictionary of samples by the value of x.

    Examples
    --------
    >>> from gatewalk.analysis import cells_of
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and", n=[2, 3], replications=5, seed=7), jobs=1)
    >>> {name: list(along) for name, along in curves(cells_of(results)).items()}
    {'and': [2, 3]}
    """
    check_axis(x)
    cells = [cell for cell in cells if _place(cell, x) is not None]
    naming = label or labelling(cells, x)
    found: Curves = {}
    for cell in cells:
        along = found.setdefault(naming(cell), {})
        at = position(cell, x)
        along[at] = _both(along[at], cell.runs) if at in along else cell.runs
    return {name: dict(sorted(along.items())) for name, along in found.items()}


def settings_along(cells: Sequence[CellRuns], x: str = "n") -> dict[str, dict[int, Settings]]:
    """The settings of the cell at each point of each of the `curves`."""
    cells = [cell for cell in cells if _place(cell, x) is not None]
    naming = labelling(cells, x)
    found: dict[str, dict[int, Settings]] = {}
    for cell in cells:
        found.setdefault(naming(cell), {}).setdefault(position(cell, x), cell.settings)
    return found


def check_axis(x: str) -> None:
    """Refuse an axis that is not a numeric setting."""
    if x not in ("n", *NUMBERS):
        raise InputError(f"unknown axis {shown(x)}; use n, {', '.join(NUMBERS)}")


def position(cell: CellRuns, x: str) -> int:
    """Where a cell lies on the horizontal axis; 0 if it has no such setting (trees have no nodes)."""
    return int(_place(cell, x) or 0)


def _place(cell: CellRuns, x: str) -> int | None:
    found: int | None = cell.values["n" if x == "n" else AXES[_FIELDS[x]].columns[0].name]
    return found


def labelling(cells: Sequence[CellRuns], x: str) -> Callable[[CellRuns], str]:
    """A function that names curves by what differs among the cells, or else by the target's family."""
    shown = [name for name in AXES if name != _FIELDS.get(x) and _differs(cells, name, x)]
    shown = [name for name in shown if name == "target" or AXES[name].label]
    short = [name for name in shown if name != "budget"]
    if len({(_name(cell, short, x), position(cell, x)) for cell in cells}) == len(cells):
        shown = short  # curves can be told apart without the budget

    laws = len({repr(cell.options.get("options")) for cell in cells})

    def name_of(cell: CellRuns) -> str:
        law = [f"{name}={value}" for name, value in cell.options.get("options", {}).items()]
        words = [_name(cell, shown, x), *(law if laws > 1 else ())]
        return " ".join(word for word in words if word) or _family(cell, x)

    return name_of


def _name(cell: CellRuns, shown: Sequence[str], x: str) -> str:
    return " ".join(word for word in (_word(cell, name, x) for name in shown) if word)


def _differs(cells: Sequence[CellRuns], name: str, x: str) -> bool:
    """Whether a setting differs among the cells that it applies to."""
    return len({_word(cell, name, x) for cell in cells if name in cell.options}) > 1


def _word(cell: CellRuns, name: str, x: str) -> str:
    if name == "target":
        return _family(cell, x)
    word = written(cell, name)
    if not word or (name, word) == ("start", "random"):  # the default start is not named
        return ""
    return AXES[name].label.format(word) if AXES[name].label else word


def _family(cell: CellRuns, x: str) -> str:
    label = cell.settings.label
    return label.partition(":")[0] if x == "n" else label


def _both(first: Sample, second: Sample) -> Sample:
    import numpy as np

    return Sample(
        np.concatenate([first.iterations, second.iterations]), np.concatenate([first.solved, second.solved])
    )
