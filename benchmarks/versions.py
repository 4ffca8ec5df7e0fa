"""Two installed versions of Gatewalk, the same seeded runs in turn: how fast is the second beside the first?

    python benchmarks/versions.py OLD_PYTHON NEW_PYTHON [--repeats 7]

OLD_PYTHON and NEW_PYTHON are the interpreters of two environments. Each makes the same runs through
the public calls, in processes that live side by side and work in turn, so that both meet the same machine.
A ratio above 1 means that the new one is faster. A version that makes other runs is refused.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

SUITE = ["and", "or", "nand", "nor"]
# name, target, runs, options of a search; about a third of a second each
CASES = [
    ("and:5 strict", "and:5", 40_000, {"nodes": 10, "selection": "strict"}),
    ("and:10", "and:10", 20_000, {"nodes": 30}),
    ("and:15", "and:15", 8_000, {"nodes": 45}),
    ("and:10 table", "and:10", 1_500, {"nodes": 30, "evaluation": "table"}),
    ("parity:6", "parity:6", 40, {"nodes": 100, "gates": SUITE, "budget": 200_000}),
    ("mul:3", "mul:3", 20, {"nodes": 200, "gates": SUITE, "budget": 100_000}),
    ("mul:3 (1+4)", "mul:3", 20, {"nodes": 200, "gates": SUITE, "offspring": 4, "budget": 100_000}),
    ("mul:3 rate (1+4)", "mul:3", 3, {"nodes": 3000, "gates": SUITE, "offspring": 4, "mutation": "rate:0.004",
                                      "budget": 100_000}),
    ("and:30 point (1+4)", "and:30", 500, {"nodes": 60, "offspring": 4, "mutation": "point:3",
                                           "budget": 50_000}),
    ("and:1000", "and:1000", 3, {"nodes": 1000, "budget": 300_000}),
    ("xor:20", "xor:20", 12, {"nodes": 40, "budget": 300_000}),
    ("and:8 trees", "and:8", 9_000, {"algorithm": "tgp-multi"}),
    ("maj:9 (1+4)", "maj:9", 30, {"nodes": 60, "gates": ["and", "or"], "offspring": 4, "budget": 100_000}),
    ("and:4, 400,000 runs", "and:4", 400_000, {"nodes": 8}),
]  # fmt: skip

WORKER = """
import json, sys, time
import gatewalk as gw
search_for = gw.search_for if hasattr(gw, "search_for") else gw.settings  # as 0.2 has it
for line in sys.stdin:
    target, runs, options = json.loads(line)
    began = time.process_time()
    made = gw.run_many(search_for(target, **options), seed=1, runs=range(runs), jobs=1)
    print(json.dumps([time.process_time() - began, int(made.iterations.sum())]), flush=True)
"""


def main() -> None:
    """Measure, and print a line for each case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--repeats", type=int, default=7)
    chosen = parser.parse_args()
    workers = [
        subprocess.Popen(
            [python, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for python in (chosen.old, chosen.new)
    ]
    ratios = []
    for name, target, runs, options in CASES:
        seconds: list[list[float]] = [[], []]
        for repeat in range(chosen.repeats + 1):  # the first compiles
            totals = []
            for index, worker in enumerate(workers):
                assert worker.stdin
                assert worker.stdout
                worker.stdin.write(json.dumps([target, runs, options]) + "\n")
                taken, total = json.loads(worker.stdout.readline())
                totals.append(total)
                if repeat:
                    seconds[index].append(taken)
            if totals[0] != totals[1]:
                sys.exit(f"{name}: {totals[0]} iterations in the old version, {totals[1]} in the new one")
        old, new = (statistics.median(each) for each in seconds)
        ratios.append(old / new)
        print(f"{name:22} {old:7.3f} s {new:7.3f} s  {old / new:5.2f}", flush=True)
    print(f"{'median':22} {'':9} {'':9}  {statistics.median(ratios):5.2f}")


if __name__ == "__main__":
    main()
