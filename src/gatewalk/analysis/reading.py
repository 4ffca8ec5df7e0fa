"""Running times read from an exported campaign: CSV in, samples by n out."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Mapping

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.errors import InputError

Record = Mapping[str, str]


def read_runs(*paths: str | os.PathLike[str]) -> list[dict[str, str]]:
    """The rows of one or several exports, each a run."""
    rows: list[dict[str, str]] = []
    for path in paths:
        try:
            with open(path, newline="", encoding="utf-8") as file:
                rows += list(csv.DictReader(file))
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error
        if rows and not {"n", "iterations", "solved"} <= set(rows[0]):
            raise InputError(f"{path} is no export of runs: it has no columns n, iterations, solved")
    return rows


def series(
    runs: Iterable[Record],
    label: Callable[[Record], str],
    *,
    by: Callable[[Record], int] = lambda run: int(run["n"]),
) -> dict[str, dict[int, Sample]]:
    """Samples by label and size, in the order of first appearance and of size."""
    found: dict[str, dict[int, list[tuple[float, bool]]]] = {}
    for run in runs:
        times = found.setdefault(label(run), {}).setdefault(by(run), [])
        times.append((float(run["iterations"]), run["solved"].lower() in ("true", "1")))
    return {
        name: {size: sample(*zip(*times, strict=True)) for size, times in sorted(cells.items())}
        for name, cells in found.items()
    }
