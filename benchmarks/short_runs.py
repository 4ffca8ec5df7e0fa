"""What a run costs besides its iterations: many short runs, each alone and all in columns.

    python benchmarks/short_runs.py [--runs 2000] [--repeats 5]

Microseconds of processor time of a whole run, from the seed to its result; alternating, medians. Writes
benchmarks/results/short_runs.jsonl.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from measurements import store

CASES: dict[str, dict[str, Any]] = {
    "and:5": {"nodes": 15},
    "and:8": {"nodes": 40, "evaluation": "table"},
    "maj:3": {"nodes": 20, "profile": "tinyverse"},
    "mul:2": {"nodes": 80, "gates": "and,or,xor,not", "budget": 100},
    "and:4": {"algorithm": "tgp-single"},
}


def microseconds(runs: int, work: Callable[[], object]) -> float:
    """Processor time of the work, for each of so many runs."""
    started = time.process_time()
    work()
    return (time.process_time() - started) / runs * 1e6


def measured(target: str, options: dict[str, Any], runs: int, repeats: int) -> dict[str, Any]:
    """One line of the table."""
    search = search_for(target, **options)
    ways: dict[str, Callable[[], float]] = {
        "alone": lambda: microseconds(
            runs, lambda: [run_many(search, seed=1, runs=[run])[0] for run in range(runs)]
        ),
        "many": lambda: microseconds(runs, lambda: run_many(search, seed=1, runs=range(runs))),
        "many on two threads": lambda: microseconds(
            runs, lambda: run_many(search, seed=1, runs=range(runs), jobs=2)
        ),
    }
    iterations = run_many(search, seed=1, runs=range(runs)).iterations.mean()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            times[name].append(way())
    medians = {name: round(statistics.median(values), 1) for name, values in times.items()}
    return {"target": target, **options, "mean_iterations": round(float(iterations), 1), **medians}


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    lines = []
    for target, options in CASES.items():
        lines.append(measured(target, options, given.runs, given.repeats))
        print(json.dumps(lines[-1]), flush=True)
    store("short_runs", lines)


if __name__ == "__main__":
    main()
