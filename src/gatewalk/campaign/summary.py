"""A record per cell: its settings, and the running time of its runs with the interval; as CSV and as LaTeX.

`Results.summary()`, `gatewalk campaign export --to summary` and `--to tex` have the same numbers, which are
those of `gatewalk.stats` and of the report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from gatewalk.boolean.targets import label_of
from gatewalk.campaign import store as stored
from gatewalk.campaign.labels import labels, varying
from gatewalk.campaign.store import StoredCell
from gatewalk.campaign.store_file import explained
from gatewalk.errors import brief, printable
from gatewalk.numbers import UNKNOWN, counted, number, running_time
from gatewalk.search.options import CELL_COLUMNS, SEED, changed_options
from gatewalk.search.runs import RUN_COLUMNS
from gatewalk.stats.sample import sample
from gatewalk.stats.times import time_record
from gatewalk.typeset import to_latex
from gatewalk.version import __version__

if TYPE_CHECKING:
    from gatewalk.campaign.results import Results

COLUMNS = (
    "cell",
    *(column.name for column in CELL_COLUMNS),
    *("planned", "runs", "solved", "ert", "ert_low", "ert_high", "median", "mean_of_solved"),
)
_READ = tuple(column for column in RUN_COLUMNS if column.name in ("run", "iterations", "solved"))


def summary(results: Results) -> list[dict[str, Any]]:
    """The record of every cell, in the order of the store; `Results.summary` says what it has."""
    cells = results.cells()
    names = labels([cell.values for cell in cells])
    return [
        {"cell": name, **cell.values, **_times(results, cell)}
        for name, cell in zip(names, cells, strict=True)
    ]


def _times(results: Results, cell: StoredCell) -> dict[str, Any]:
    iterations: list[int] = []
    solved: list[int] = []
    with explained(results.name):
        for chunk in stored.run_chunks(results.connection, cell, _READ):
            values = dict(zip((column.name for column in _READ), chunk, strict=True))
            iterations += values["iterations"]
            solved += values["solved"]
    record = {"planned": cell.planned, "runs": len(iterations)}
    if not iterations:
        return {**record, "solved": 0, **dict.fromkeys(COLUMNS[COLUMNS.index("ert") :])}
    return record | time_record(sample(iterations, solved))


# Headings in LaTeX: of the columns that are always there, and of settings that are not called by their name.
_ALWAYS = ("$n$", "$D$", "runs", "solved", "ERT", r"95\,\%", "median", "mean (solved)")
_KINDS = {column.name: column.kind for column in CELL_COLUMNS}
_HEADS = {"offspring": r"$\lambda$", "law_options": "options", "gate_set": "gates"}


def as_latex(results: Results) -> str:
    """A tabular of booktabs with a row for each cell, for a table in a paper.

    Besides what is always there it has the settings in which cells of the same target differ.
    """
    cells, records = results.cells(), summary(results)
    settings = _settings([cell.values for cell in cells])
    heads = [*(_HEADS.get(name) or to_latex(name) for name in settings), *_ALWAYS]
    with explained(results.name):
        rows = [
            [*(to_latex(_setting(cell, name)) for name in settings), *_numbers(record)]
            for cell, record in zip(cells, records, strict=True)
        ]
    layout = "".join("lr"[_KINDS[name] == "count"] for name in settings) + "r" * len(_ALWAYS)
    runs = sum(record["runs"] for record in records)
    lines = [
        r"% needs \usepackage{booktabs}",
        f"% Gatewalk {__version__}: {counted(len(cells), 'cell')}, {counted(runs, 'run')}; in iterations.",
        "% ERT: iterations of all runs, also of those given up, per solved run, with its 95 % bootstrap",
        "% interval. The median is that of Kaplan and Meier, the mean that of the solved runs alone.",
        rf"\begin{{tabular}}{{@{{}}{layout}@{{}}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _settings(cells: Sequence[Mapping[str, Any]]) -> list[str]:
    """The settings that a table needs to tell its rows apart; n and nodes have columns of their own."""
    names = [column.name for column in CELL_COLUMNS if column.name not in ("target", "n", "nodes")]
    settings = varying(cells, names)
    if "budget" not in settings and len({cell["budget"] for cell in cells}) > 1:
        settings.append("budget")
    targets = {cell["target"] for cell in cells}
    is_family = len({target.partition(":")[0] for target in targets}) == 1
    if len(targets) == 1 or (is_family and all(cell["target"].endswith(f":{cell['n']}") for cell in cells)):
        return settings  # n says which target it is
    return ["target", *settings]


def _setting(cell: StoredCell, name: str) -> str:
    """A setting as its campaign wrote it, for readers."""
    value = cell.values[name]
    if value is None:
        return UNKNOWN
    if name == "target":
        return label_of(value)
    if name == "law_options":
        changed = changed_options(cell.search)
        return " ".join(f"{option}={what}" for option, what in changed.items()) or UNKNOWN
    if isinstance(value, int):
        return str(value) if name == SEED.name else number(value)
    word = cell.words.get(name)
    return printable(brief(word if isinstance(word, str) else value))


def _numbers(record: Mapping[str, Any]) -> list[str]:
    """What `_ALWAYS` has of a cell."""
    low, high = record["ert_low"], record["ert_high"]
    is_known = record["solved"] > 0
    texts = [
        str(record["n"]),
        number(record["nodes"]),
        number(record["runs"]),
        number(record["solved"]),
        running_time(record["ert"]),
        f"{number(low)} to {number(high)}" if is_known else UNKNOWN,
        "not reached" if record["median"] == inf else number(record["median"]),
        number(record["mean_of_solved"]),
    ]
    return [to_latex(text) for text in texts]
