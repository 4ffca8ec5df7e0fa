"""The results for one n: where runs arrive, and the parts of the expected time E[T].

A record, which JSON can hold, has the counts and times; its kinds are [after, changes, share, wait] by the
place of the inactive node (-1: none) and the connections that must change (`gatewalk.theory.one_short`).
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from pathlib import Path
from typing import Any

from gatewalk.stats.sample import clopper_pearson
from gatewalk.theory.conjunctions import expected_iterations
from gatewalk.theory.one_short import OneShort
from gatewalk.theory.traps import ExactArrivals, TrapArrivals

HERE = Path(__file__).parent
PARTS = ("traps", "next to last", "earlier nodes", "others", "before")
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Size:
    """The results for one n. runs: 0 for exact results. mean, error, parts: in units of Theorem 4's time.

    parts: the parts of E[T], by `PARTS`. left: [r] is the share of runs whose last inactive node, both of
    its connections to be changed, has r nodes after it.
    """

    n: int
    runs: int
    traps: int
    share: float
    mean: float
    error: float
    parts: Mapping[str, float]
    left: Mapping[int, float]

    def lower_share(self, confidence: float) -> float:
        """The lower end of Clopper and Pearson's interval for the chance to reach a trap."""
        return clopper_pearson(self.traps, self.runs, confidence)[0]


def record_of_runs(found: TrapArrivals) -> dict[str, Any]:
    """The record of measured runs: counts and shares."""
    mean, error = found.mean()
    arrived = [(item.found, 1 / found.runs) for item in found.arrivals if item.found]
    return {
        "runs": found.runs,
        "traps": found.traps,
        "trap_share": found.traps / found.runs,
        "before": sum(item.iterations for item in found.arrivals) / found.runs,
        "mean": mean,
        "error": error,
        "kinds": _kinds(arrived),
    }


def record_of_chain(found: ExactArrivals) -> dict[str, Any]:
    """The record of the exact chain: probabilities without an error."""
    return {
        "runs": 0,
        "traps": 0,
        "trap_share": found.trap_share,
        "before": found.expected_iterations - found.last_wait,
        "mean": found.expected_iterations,
        "error": 0.0,
        "kinds": _kinds(found.shares),
    }


def _kinds(arrived: Iterable[tuple[OneShort, float]]) -> list[list[float]]:
    share: dict[tuple[int, int], float] = defaultdict(float)
    wait: dict[tuple[int, int], float] = defaultdict(float)
    for kind, weight in arrived:
        key = (-1 if kind.after is None else kind.after, kind.changes)
        share[key] += weight
        wait[key] += weight * float(1 / kind.leaving)
    return [[*key, share[key], wait[key] / share[key]] for key in sorted(share)]


def size_of(n: int, record: Record) -> Size:
    """The results of a record, with times in units of Theorem 4's time."""
    unit = float(expected_iterations(n))
    parts = dict.fromkeys(PARTS, 0.0)
    parts["before"] = record["before"] / unit
    left = {}
    for after, changes, share, wait in record["kinds"]:
        parts[_part(after, changes)] += share * wait / unit
        if changes == 2:
            left[int(after)] = share
    return Size(
        n=n,
        runs=record["runs"],
        traps=record["traps"],
        share=record["trap_share"],
        mean=record["mean"] / unit,
        error=record["error"] / unit,
        parts=parts,
        left=left,
    )


def _part(after: float, changes: float) -> str:
    if changes < 2:
        return "others"
    return "traps" if after == 0 else "next to last" if after == 1 else "earlier nodes"


def kept(how: str) -> dict[int, dict[str, Any]]:
    """The stored records behind the notes (sizes.csv and kinds.csv), by n. how: "runs" or "exact"."""
    found: dict[int, dict[str, Any]] = {}
    for row in _rows("sizes.csv", how):
        whole = {name: int(row[name]) for name in ("runs", "traps")}
        real = {name: float(row[name]) for name in ("trap_share", "before", "mean", "error")}
        found[int(row["n"])] = {**whole, **real, "kinds": []}
    for row in _rows("kinds.csv", how):
        kind = [float(row[name]) for name in ("after", "changes", "share", "wait")]
        found[int(row["n"])]["kinds"].append(kind)
    return found


def _rows(name: str, how: str) -> list[dict[str, str]]:
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["how"] == how]


def exponent(first: Size, second: Size) -> tuple[float, float]:
    """The local exponent of E[T] between two n, and its standard error."""
    error = sqrt((first.error / first.mean) ** 2 + (second.error / second.mean) ** 2)
    distance = log(second.n / first.n)
    return log(second.mean / first.mean) / distance + unit_exponent(first.n, second.n), error / distance


def unit_exponent(first: int, second: int) -> float:
    """The local exponent of Theorem 4's time itself."""
    return log(float(expected_iterations(second) / expected_iterations(first))) / log(second / first)
