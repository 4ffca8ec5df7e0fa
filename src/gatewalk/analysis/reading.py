"""Reading the runs of an exported campaign: CSV in, samples by size out."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Mapping

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.errors import InputError

Record = Mapping[str, str]


def read_runs(*paths: str | os.PathLike[str]) -> list[dict[str, str]]:
    """The runs in one or several CSV exports.

    Parameters
    ----------
    *paths
        The files, as `gatewalk campaign export --to csv` writes them.

    Returns
    -------
    list of dict
        A row for each run, every value as text.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("and.csv").write_text("target,n,iterations,solved\\nand:4,4,17,true\\n")
    >>> read_runs("and.csv")[0]["iterations"]
    '17'
    """
    rows: list[dict[str, str]] = []
    for path in paths:
        try:
            with open(path, newline="", encoding="utf-8") as file:
                rows += list(csv.DictReader(file))
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error
        if rows and not {"n", "iterations", "solved"} <= set(rows[0]):
            raise InputError(f"{path} is not an export of runs: it lacks a column n, iterations or solved")
    return rows


def series(
    runs: Iterable[Record],
    label: Callable[[Record], str],
    *,
    by: Callable[[Record], int] = lambda run: int(run["n"]),
) -> dict[str, dict[int, Sample]]:
    """Runs as curves: samples by label and size.

    Parameters
    ----------
    runs
        Rows, from `read_runs`.
    label
        A function that names the curve of a row.
    by
        A function that gives the size of a row; by default its n.

    Returns
    -------
    dict
        By label, in the order of first appearance, a dictionary of samples by size.

    Examples
    --------
    >>> rows = [{"target": "and:4", "n": "4", "iterations": "17", "solved": "true"}]
    >>> series(rows, lambda row: "and")["and"][4].successes
    1
    """
    found: dict[str, dict[int, list[tuple[float, bool]]]] = {}
    for run in runs:
        times = found.setdefault(label(run), {}).setdefault(by(run), [])
        times.append((float(run["iterations"]), run["solved"].lower() in ("true", "1")))
    return {
        name: {size: sample(*zip(*times, strict=True)) for size, times in sorted(cells.items())}
        for name, cells in found.items()
    }
