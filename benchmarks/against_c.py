"""Gatewalk against the hand-written C program, side by side: alternating, medians, ratios.

    python benchmarks/against_c.py PATH/TO/limit.c [--repeats 7] [--seconds 0.4]

Builds the C program in a temporary folder with -O3 -march=native and writes
benchmarks/results/against_c.jsonl. What is timed here are whole runs, from their seeds to their columns, in
the kernels that `evolve` and campaigns call (`gatewalk.search.speed`); the C program restarts its search
after each success and keeps nothing. It draws only genes that can change, Gatewalk all of them, as Algorithm
3 is written. Of the C program, the fastest of the modes that apply is taken, by median. Searches differ in
length, so short times are noisy.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from gatewalk.search.speed import Case, per_second, timed_session
from measurements import store

AND = [Case(f"and:{n}", factor * n) for n in (5, 10, 15) for factor in (1, 3)]
XOR = [Case("xor:5", 10, ("xor",)), Case("xor:10", 40, ("xor",))]
PARITY = Case("parity:10", 100, ("and", "or", "nand", "nor"))
MULTIPLIER = Case("mul:3", 200, ("and", "or", "xor", "not"))
TABLE_MODES, SYMBOLIC_MODES = ("simple", "incr", "iab", "cone"), ("mask", "mcone")


def arguments_of(case: Case) -> list[str]:
    """The case as the C program wants it."""
    family, size = case.target.split(":")
    name = {"parity": "par"}.get(family, family)
    inputs = str(2 * int(size)) if family == "mul" else size
    return [name, inputs, str(case.nodes), ",".join(case.gates)]


def c_speed(program: Path, case: Case, mode: str, seconds: float, seed: int) -> float | None:
    """Evaluations per second of a mode; None if it does not apply."""
    command = [str(program), *arguments_of(case), mode, "-T", str(seconds), "-s", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True)
    return float(done.stdout.split("evals/s")[0].split()[-1]) if done.returncode == 0 else None


def compare(program: Path, case: Case, evaluation: str, repeats: int, seconds: float) -> dict[str, object]:
    """One line of the table."""
    modes = TABLE_MODES if evaluation == "table" else SYMBOLIC_MODES
    work = timed_session(case, evaluation)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {mode: [] for mode in modes}
    for repeat in range(repeats):
        ours.append(per_second(work, seconds))
        for mode in modes:
            speed = c_speed(program, case, mode, seconds, repeat + 1)
            if speed is not None:
                theirs[mode].append(speed)
    medians = {mode: statistics.median(speeds) for mode, speeds in theirs.items() if speeds}
    best = max(medians, key=lambda mode: medians[mode])
    return {
        "case": case.name,
        "evaluation": evaluation,
        "c_mode": best,
        "c_per_second": round(medians[best]),
        "per_second": round(statistics.median(ours)),
        "ratio": round(statistics.median(ours) / medians[best], 2),
    }


def main() -> None:
    """Compare all cases."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="limit.c")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4)
    given = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "limit"
        build = ["gcc", "-O3", "-march=native", "-mprefer-vector-width=512", "-w", "-o", str(program)]
        subprocess.run([*build, str(given.source)], check=True)
        pairs = [(case, "table") for case in (*AND, PARITY, MULTIPLIER)]
        pairs += [(case, "symbolic") for case in (*AND, *XOR)]
        for case, evaluation in pairs:
            line = compare(program, case, evaluation, given.repeats, given.seconds)
            print(json.dumps(line), flush=True)
            lines.append(line)
    store("against_c", lines)


if __name__ == "__main__":
    main()
