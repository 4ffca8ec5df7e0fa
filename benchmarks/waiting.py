"""Strict selection with waiting times drawn (`waiting=drawn`) against every offspring made, seconds per run.

    python benchmarks/waiting.py [--runs 50] [--budget 1000000000000]

Runs to success; where every offspring is made the budget is smaller, and what was not finished is said.
Writes benchmarks/results/waiting.jsonl.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from typing import Any

import numpy as np

from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from measurements import store

# target, nodes, runs and budget where every offspring is made
CASES = [
    ("and:8", 8, 50, 10**8),
    ("and:12", 12, 50, 10**8),
    ("and:12", 11, 5, 10**8),
    ("and:14", 14, 5, 10**8),
    ("and:16", 16, 3, 10**8),
    ("and:20", 20, 0, 0),
]


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--budget", type=int, default=10**12)
    given = parser.parse_args()
    lines = []
    for target, nodes, walked_runs, walked_budget in CASES:
        lines.append(measured(target, nodes, "drawn", given.runs, given.budget))
        if walked_runs:
            lines.append(measured(target, nodes, "walked", min(given.runs, walked_runs), walked_budget))
    store("waiting", lines)


def measured(target: str, nodes: int, waiting: str, runs: int, budget: int) -> dict[str, Any]:
    """The runs of a case."""
    search = search_for(target, nodes=nodes, selection="strict", options={"waiting": waiting}, budget=budget)
    run_many(replace(search, budget=10), runs=[0])  # compiles
    started = time.process_time()
    runs_made = run_many(search, seed=1, runs=range(runs))
    seconds = (time.process_time() - started) / runs
    line = {
        "target": target,
        "nodes": nodes,
        "waiting": waiting,
        "runs": runs,
        "budget": budget,
        "solved": int(runs_made.solved.sum()),
        "mean_iterations": float(runs_made.iterations.mean()),
        "median_iterations": float(np.median(runs_made.iterations)),
        "most_iterations": int(runs_made.iterations.max()),
        "seconds_per_run": round(seconds, 4),
        "slowest_seconds": round(float(runs_made.seconds.max()), 4),
        "iterations_per_second": round(float(runs_made.iterations.mean()) / seconds),
    }
    print(json.dumps(line), flush=True)
    return line


if __name__ == "__main__":
    main()
