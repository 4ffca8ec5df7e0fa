"""Attacks Gatewalk for as long as it is told: `python tests/fuzz/run.py --minutes 10 [NAME ...]`.

Every fuzzer runs in a process of its own, so that a crash is seen. The seed of an attack that found something
is printed, and `--seed SEED --attacks 1 NAME` repeats it. `make fuzz` calls this.
"""

import argparse
import subprocess
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parent
NAMES = (
    "saved_searches",
    "stores",
    "specs",
    "study_folders",
    "circuit_files",
    "target_texts",
    "command_lines",
)


def work(name, seed, attacks, seconds):
    """Attack after attack in this process, until the time is up; 1 if one was a finding."""
    sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "support")]
    attack = import_module(name).attack
    began, done = time.monotonic(), 0
    while (attacks is None or done < attacks) and time.monotonic() - began < seconds:
        print(f"seed {seed + done}", flush=True)
        try:
            attack(Random(seed + done))
        except BaseException:
            traceback.print_exc()
            return 1
        done += 1
    print(f"{name}: {done} attacks in {time.monotonic() - began:.0f} s, nothing found", flush=True)
    return 0


def main():
    """Run the fuzzers asked for, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--minutes", type=float, default=1.0, help="of each fuzzer")
    parser.add_argument("--seed", type=int, default=0, help="of the first attack; the next ones count up")
    parser.add_argument("--attacks", type=int, help="how many at most")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        return work(given.names[0], given.seed, given.attacks, 60 * given.minutes)
    found = 0
    for name in given.names:
        if name not in NAMES:
            parser.error(f"unknown fuzzer {name}; there are {', '.join(NAMES)}")
        command = [sys.executable, __file__, "--here", name, "--seed", str(given.seed)]
        command += ["--minutes", str(given.minutes)]
        command += ["--attacks", str(given.attacks)] if given.attacks else []
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        if done.returncode:
            found += 1
            seed = next((line for line in reversed(lines) if line.startswith("seed ")), "no seed")
            how = f"killed by signal {-done.returncode}" if done.returncode < 0 else "a finding"
            print(f"{name}: {how} at {seed}\n{done.stderr[-3000:]}", flush=True)
        else:
            print(lines[-1], flush=True)
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
