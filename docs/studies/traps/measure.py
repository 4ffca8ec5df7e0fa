"""Where strict runs on And_n at D = n - 1 arrive, exactly and by seeded runs: kinds.csv and sizes.csv.

Half an hour on one core. What is finished is on disk after every n and is not made again: delete the two
files to begin anew.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from gatewalk.theory.one_short import OneShort
from gatewalk.theory.traps import ExactArrivals, TrapArrivals, exact_trap_arrivals, trap_arrivals

HERE = Path(__file__).parent
SEED = 2026
EXACT = (3, 4, 5, 6)
RUNS = {
    3: 4000, 4: 4000, 5: 4000, 6: 4000, 8: 4000, 10: 4000, 12: 4000, 16: 4000,
    20: 4000, 24: 4000, 28: 4000, 32: 4000, 50: 400, 40: 800,
}  # fmt: skip
SIZES = ("n", "how", "runs", "traps", "trap_share", "before", "mean", "error")
KINDS = ("n", "how", "after", "changes", "share", "wait")
Row = dict[str, float | int | str]


def exact_rows(found: ExactArrivals) -> tuple[Row, list[Row]]:
    """The probabilities; they have no error."""
    mean = found.expected_iterations
    size: Row = {"n": found.n, "how": "exact", "runs": 0, "traps": 0, "trap_share": found.trap_share}
    size |= {"before": mean - found.last_wait, "mean": mean, "error": 0.0}
    return size, kinds(found.n, "exact", [(kind, share) for kind, share in found.shares])


def run_rows(found: TrapArrivals) -> tuple[Row, list[Row]]:
    """The shares of the runs."""
    mean, error = found.mean()
    before = sum(item.iterations for item in found.arrivals) / found.runs
    size: Row = {"n": found.n, "how": "runs", "runs": found.runs, "traps": found.traps}
    size |= {"trap_share": found.traps / found.runs, "before": before, "mean": mean, "error": error}
    arrived = [(item.found, 1 / found.runs) for item in found.arrivals if item.found]
    return size, kinds(found.n, "runs", arrived)


def kinds(n: int, how: str, arrived: list[tuple[OneShort, float]]) -> list[Row]:
    """By the place of the inactive node and the changes needed: the share, and the mean wait 1/p."""
    share: dict[tuple[int, int], float] = defaultdict(float)
    wait: dict[tuple[int, int], float] = defaultdict(float)
    for kind, weight in arrived:
        key = (-1 if kind.after is None else kind.after, kind.changes)
        share[key] += weight
        wait[key] += weight * float(1 / kind.leaving)
    return [
        {"n": n, "how": how, "after": after, "changes": changes, "share": share[after, changes],
         "wait": wait[after, changes] / share[after, changes]}
        for after, changes in sorted(share)
    ]  # fmt: skip


def write(name: str, columns: tuple[str, ...], rows: list[Row]) -> None:
    """The rows of a file, by how and by n."""
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in sorted(rows, key=lambda row: (row["how"], int(row["n"]))):
            writer.writerow(
                {key: f"{value:.9g}" if isinstance(value, float) else value for key, value in row.items()}
            )


def read(name: str) -> list[Row]:
    """What was written before."""
    if not (HERE / name).exists():
        return []
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        return [dict(row) for row in csv.DictReader(file)]


def main() -> None:
    """Make what is not there yet."""
    sizes, every = read("sizes.csv"), read("kinds.csv")
    done = {(row["how"], int(row["n"])) for row in sizes}
    for how, n in [("exact", n) for n in EXACT] + [("runs", n) for n in RUNS]:
        if (how, n) in done:
            continue
        print(f"n = {n}, {how}", file=sys.stderr, flush=True)
        if how == "exact":
            size, found = exact_rows(exact_trap_arrivals(n))
        else:
            size, found = run_rows(trap_arrivals(n, runs=RUNS[n], seed=SEED))
        sizes.append(size)
        every += found
        write("sizes.csv", SIZES, sizes)
        write("kinds.csv", KINDS, every)


if __name__ == "__main__":
    main()
