"""What users do, timed through the public API and the commands: several offspring, rate mutation, many runs.

    python benchmarks/users.py [--repeats 5] [--without-paper]

Programs per second of (1+4) and of one offspring, alternating, medians of processor time; then whole
commands, with kernels compiled, by the clock and with the most memory that they held.
Writes benchmarks/results/users.jsonl.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gatewalk.search.speed import Case, per_second, timed_session
from measurements import store

GATES = ("and", "or", "nand", "nor")
SEVERAL = [
    *(Case("mul:3", nodes, GATES) for nodes in (200, 1000, 3000)),
    Case("maj:9", 60, ("and", "or")),
    Case("and:15", 45),
    Case("and:1000", 1000),
]
ALONE = [
    Case("mul:3", 3000, GATES, (("offspring", 4), ("mutation", "rate:0.004"))),
    Case("and:30", 60, ("and",), (("offspring", 4), ("mutation", "point:3"))),
    Case("or:40", 40, ("or",), (("offspring", 4),)),
    Case("and:1000", 1000, ("and",), (("offspring", 4), ("mutation", "rate:0.001"))),
]
MILLION = 'seed = 1\nreplications = 1_000_000\n[grid]\ntarget = "and:4"\nnodes = "2n"\n'
FORTY = 'seed = 1\nreplications = 20_000\n[grid]\ntarget = ["and:4", "and:5"]\nnodes = "2n"\n'


def several(case: Case, repeats: int) -> dict[str, Any]:
    """(1+4) beside one offspring."""
    works = {
        count: timed_session(Case(case.target, case.nodes, case.gates, (("offspring", count),)), "auto")
        for count in (1, 4)
    }
    speeds: dict[int, list[float]] = {count: [] for count in works}
    for _ in range(repeats):
        for count, work in works.items():
            speeds[count].append(per_second(work, 0.4))
    one, four = (statistics.median(speeds[count]) for count in (1, 4))
    return {"case": case.name, "one": round(one), "four": round(four), "ratio": round(four / one, 2)}


def alone(case: Case, repeats: int) -> dict[str, Any]:
    """One setting by itself."""
    work = timed_session(case, "auto")
    return {
        "case": case.name,
        "per_second": round(statistics.median(per_second(work, 0.4) for _ in range(repeats))),
    }


# Run by a process of its own: what a child held is counted from what its parent held when it began.
WATCH = """
import resource, subprocess, sys, time
started = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(status, time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def command(name: str, arguments: list[str], folder: str) -> dict[str, Any]:
    """A whole command by the clock; the most memory that it held."""
    whole = [sys.executable, "-c", WATCH, sys.executable, "-m", "gatewalk", *arguments]
    done = subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=True)
    status, seconds, kilobytes = done.stdout.split()
    if status != "0":
        raise SystemExit(f"gatewalk {' '.join(arguments)} ended with status {status}")
    return {"case": name, "seconds": round(float(seconds), 1), "megabytes": round(int(kilobytes) / 1024)}


def commands(folder: str, with_paper: bool) -> list[tuple[str, list[str]]]:
    """Name and arguments of each; the first of a kind loads or compiles kernels."""
    for name, text in (("million", MILLION), ("forty", FORTY)):
        Path(folder, f"{name}.toml").write_text(text)
    evolve = ["evolve", "and:4", "--runs", "100000", "--json"]
    found = [
        ("evolve and:4 --runs 100000 --json, first", evolve),
        ("evolve and:4 --runs 100000 --json", evolve),
        ("campaign of 40,000 runs of and:4 and and:5", ["campaign", "run", "forty.toml"]),
        ("campaign of 1,000,000 runs of and:4", ["campaign", "run", "million.toml"]),
    ]
    if with_paper:
        found += [("paper, first", ["paper", "--out", "first"]), ("paper", ["paper", "--out", "second"])]
    return found


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--without-paper", action="store_true", help="leave gatewalk paper out")
    given = parser.parse_args()
    lines: list[dict[str, Any]] = []

    def add(line: dict[str, Any]) -> None:
        lines.append(line)
        print(json.dumps(line), flush=True)

    for case in SEVERAL:
        add(several(case, given.repeats))
    for case in ALONE:
        add(alone(case, given.repeats))
    with TemporaryDirectory() as folder:
        for name, arguments in commands(folder, not given.without_paper):
            add(command(name, arguments, folder))
    store("users", lines)


if __name__ == "__main__":
    main()
