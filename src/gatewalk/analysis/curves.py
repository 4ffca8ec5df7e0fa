"""Cells as curves: running times by one setting, with a curve for each choice of the other settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from gatewalk.analysis.cells import CellRuns, word_of
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.errors import InputError, shown
from gatewalk.search.options import Search
from gatewalk.stats.growth import Growth, growth
from gatewalk.stats.sample import Sample

Curves = dict[str, dict[int, Sample]]  # samples by curve and by position on the axis
SETTINGS = {toml: name for name, toml in TOML_NAMES.items()}  # from keys in TOML to names of settings
NUMBERS = tuple(
    toml for toml, name in SETTINGS.items() if [column.kind for column, _ in AXES[name].columns] == ["count"]
)


def curves(
    cells: Sequence[CellRuns], x: str = "n", *, label: Callable[[CellRuns], str] | None = None
) -> Curves:
    """Cells as curves: samples by curve and by the value of one setting.

    x: the setting along a curve: "n", or any other numeric setting.
    label: a function that names the curve of a cell. By default the name lists the settings other than x in
        which the cells differ, as the campaign writes them. Cells with the same label and x are merged.

    Curves come in the order of their first cell.

    >>> from gatewalk.analysis import cells_of
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and", n=[2, 3], replications=5, seed=7), jobs=1)
    >>> {name: list(along) for name, along in curves(cells_of(results)).items()}
    {'and': [2, 3]}
    """
    check_axis(x)
    samples: Curves = {}
    for name, at, cell in on_curves(cells, x, label):
        along = samples.setdefault(name, {})
        along[at] = _both(along[at], cell.runs) if at in along else cell.runs
    return {name: dict(sorted(along.items())) for name, along in samples.items()}


def fits(curves: Mapping[str, Mapping[int, Sample]], *, resamples: int = 200) -> dict[str, Growth]:
    """Growth fits of all curves with enough sizes and successes.

    curves: runs by curve and n.
    resamples: of the bootstrap of every fit.

    >>> from gatewalk.stats import sample
    >>> fits({"and": {4: sample([3, 9], [True, True])}})
    {}
    """
    fitted = {}
    for name, along in curves.items():
        try:
            fitted[name] = growth(along, resamples=resamples)
        except InputError:  # fewer than three sizes, or successes at only one
            continue
    return fitted


def searches_along(cells: Sequence[CellRuns], x: str = "n") -> dict[str, dict[int, Search]]:
    """The search at each point of each of the `curves`."""
    searches: dict[str, dict[int, Search]] = {}
    for name, at, cell in on_curves(cells, x):
        searches.setdefault(name, {}).setdefault(at, cell.search)
    return searches


def on_curves(
    cells: Sequence[CellRuns], x: str, label: Callable[[CellRuns], str] | None = None
) -> Iterator[tuple[str, int, CellRuns]]:
    """The cells that have this setting, each with the name of its curve and its position there."""
    cells = [cell for cell in cells if cell.values[column_of(x)] is not None]
    label = label or labelling(cells, x)
    for cell in cells:
        yield label(cell), position(cell, x), cell


def check_axis(x: str) -> None:
    """Refuse an axis that is not a numeric setting."""
    if x not in ("n", *NUMBERS):
        raise InputError(f"unknown axis {shown(x)}; use n, {', '.join(NUMBERS)}")


def column_of(toml: str) -> str:
    """The column that has the values of a setting, named as in TOML; or n."""
    return "n" if toml == "n" else AXES[SETTINGS[toml]].columns[0][0].name


def position(cell: CellRuns, x: str) -> int:
    """Where a cell lies on the horizontal axis; 0 if it has no such setting (trees have no nodes)."""
    return int(cell.values[column_of(x)] or 0)


def labelling(cells: Sequence[CellRuns], x: str) -> Callable[[CellRuns], str]:
    """A function that names curves by what differs among the cells, or else by the target's family."""
    differing = [
        name
        for name, option in AXES.items()
        if name != SETTINGS.get(x) and (name == "target" or option.label) and _differs(cells, name, x)
    ]
    short = [name for name in differing if name != "budget"]
    if len({(_name(cell, short, x), position(cell, x)) for cell in cells}) == len(cells):
        differing = short  # curves can be told apart without the budget

    laws = len({repr(cell.words.get("options")) for cell in cells})

    def name_of(cell: CellRuns) -> str:
        law = [f"{name}={value}" for name, value in cell.words.get("options", {}).items()]
        words = [_name(cell, differing, x), *(law if laws > 1 else ())]
        return " ".join(word for word in words if word) or _family(cell, x)

    return name_of


def _name(cell: CellRuns, settings: Sequence[str], x: str) -> str:
    return " ".join(word for word in (_word(cell, name, x) for name in settings) if word)


def _differs(cells: Sequence[CellRuns], name: str, x: str) -> bool:
    """Whether a setting differs among the cells that it applies to."""
    return len({_word(cell, name, x) for cell in cells if name in cell.words}) > 1


def _word(cell: CellRuns, name: str, x: str) -> str:
    if name == "target":
        return _family(cell, x)
    word = word_of(cell, name)
    if not word or (name, word) == ("start", "random"):  # the default start is not named
        return ""
    return AXES[name].label.format(word)


def _family(cell: CellRuns, x: str) -> str:
    label = cell.search.target.label
    return label.partition(":")[0] if x == "n" else label


def _both(first: Sample, second: Sample) -> Sample:
    return Sample(
        np.concatenate([first.iterations, second.iterations]), np.concatenate([first.solved, second.solved])
    )
