"""Keep of exported runs what a study reads: python reduce.py EXPORT.csv ... > runs.csv"""

from __future__ import annotations

import csv
import sys

KEEP = ("target", "n", "nodes", "selection", "gate_set", "run", "iterations", "solved")


def main() -> None:
    """Columns in KEEP of all files, in order."""
    writer = csv.DictWriter(sys.stdout, KEEP, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for name in sys.argv[1:]:
        with open(name, newline="", encoding="utf-8") as file:
            writer.writerows(csv.DictReader(file))


if __name__ == "__main__":
    main()
