"""What a first command costs: `gatewalk evolve` with nothing compiled, and once more from the cache.

    python benchmarks/start.py [--repeats 5]

Seconds from the command to its end, of ten iterations of a run: everything is counted, Python and imports
too. `import` is `import gatewalk` alone, less an empty program. The settings take turns; least, median and
most.
Writes benchmarks/results/start.jsonl.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from tempfile import TemporaryDirectory

from measurements import store

DRAWN = "--option waiting=drawn"
CASES = {
    "small, symbolic": "and:8 --nodes 16",
    "large, symbolic": "and:200 --nodes 200",
    "small, one gate, table": "and:10 --nodes 30 --evaluation table",
    "small, table of 16 rows": "parity:4 --nodes 30 --gates and,or,nand,nor",
    "large, table": "parity:10 --nodes 100 --gates and,or,nand,nor",
    "large, table, lambda 4, rate": "parity:10 --nodes 100 --lambda 4 --mutation rate:0.01",
    "large, several outputs": "mul:3 --nodes 200 --gates and,or,xor,not",
    "small, symbolic, lambda 4": "and:8 --nodes 16 --lambda 4",
    "plain": "maj:5 --nodes 30 --gates and,or,const1",
    "waiting times, symbolic": f"and:12 --nodes 12 --selection strict {DRAWN}",
    "waiting times, table": f"parity:4 --nodes 30 --gates and,or,nand,nor --selection strict {DRAWN}",
    "trees, symbolic": "and:8 --algorithm tgp-single",
    "trees, table": "maj:5 --algorithm tgp-single --gates and,or",
    "trees, table, lambda 4": "maj:5 --algorithm tgp-multi --gates and,or --lambda 4",
}


def seconds(arguments: list[str], cache: str) -> float:
    """Time of a Python command whose kernels are in that folder."""
    started = time.perf_counter()
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def importing(cache: str) -> float:
    """Time of `import gatewalk`."""
    return seconds(["-c", "import gatewalk"], cache) - seconds(["-c", ""], cache)


def first_and_second(case: str) -> tuple[float, float]:
    """Times of a command without and with a cache."""
    command = ["-m", "gatewalk", "evolve", *case.split(), "--budget", "10", "--json"]
    with TemporaryDirectory() as cache:
        return seconds(command, cache), seconds(command, cache)


def spread(times: list[float]) -> list[float]:
    """Least, median and most."""
    return [round(value, 2) for value in (min(times), statistics.median(times), max(times))]


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    with TemporaryDirectory() as cache:
        imports = [importing(cache) for _ in range(1 + repeats)][1:]  # the first one reads the disk
    lines: list[dict[str, object]] = [{"case": "import", "seconds": spread(imports)}]
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in CASES}
    for _ in range(repeats):
        for name, case in CASES.items():
            times[name].append(first_and_second(case))
    for name, pairs in times.items():
        first, second = (spread(list(column)) for column in zip(*pairs, strict=True))
        lines.append({"case": name, "arguments": CASES[name], "first": first, "cached": second})
    for line in lines:
        print(json.dumps(line))
    store("start", lines)


if __name__ == "__main__":
    main()
