"""Strict selection without waiting (`sam_stream=lean`) against the literal stream, seconds per run.

    python benchmarks/waiting.py [--runs 50] [--budget 1000000000000]

Runs to success; the literal stream has a smaller budget, and what it did not finish is said. Writes
benchmarks/results/waiting.jsonl.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings

RESULTS = Path(__file__).parent / "results" / "waiting.jsonl"
# target, nodes, runs and budget of the literal stream
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
    for target, nodes, literal_runs, literal_budget in CASES:
        lines.append(measured(target, nodes, "lean", given.runs, given.budget))
        if literal_runs:
            lines.append(measured(target, nodes, "literal", min(given.runs, literal_runs), literal_budget))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("".join(json.dumps(line) + "\n" for line in lines))


def measured(target: str, nodes: int, stream: str, runs: int, budget: int) -> dict[str, Any]:
    """The runs of a case with one stream."""
    made = settings(target, nodes=nodes, selection="strict", options={"sam_stream": stream}, budget=budget)
    run_once(
        settings(target, nodes=nodes, selection="strict", options={"sam_stream": stream}, budget=10),
        seed=0,
        run=0,
    )
    started = time.process_time()
    found = [run_once(made, seed=1, run=run) for run in range(runs)]
    seconds = (time.process_time() - started) / runs
    iterations = np.array([run.iterations for run in found])
    line = {
        "target": target,
        "nodes": nodes,
        "stream": stream,
        "runs": runs,
        "budget": budget,
        "solved": sum(run.solved for run in found),
        "mean_iterations": float(iterations.mean()),
        "median_iterations": float(np.median(iterations)),
        "most_iterations": int(iterations.max()),
        "seconds_per_run": round(seconds, 4),
        "slowest_seconds": round(max(run.seconds for run in found), 4),
        "iterations_per_second": round(float(iterations.mean()) / seconds),
    }
    print(json.dumps(line), flush=True)
    return line


if __name__ == "__main__":
    main()
