"""How far exact synthesis reaches: smallest circuits of known functions, proven, and what they took.

    python benchmarks/exact_synthesis.py --seconds 60      # adds to results/exact_synthesis.jsonl
    python benchmarks/exact_synthesis.py --table           # the results as Markdown

Cases already in the results, with no less time, are not computed again.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES, smallest
from measurements import add, stored

SETS = {
    "any": TWO_INPUT_GATES,
    "and-type": "and,nand,or,nor,imply,cimply,nimply,ncimply,not",
    "nand": "nand",
}
CASES = [
    *((name, "any") for name in ("maj:3", "mux:2", "add:1", "mcomp:2", "maj:4", "mul:2", "sum:2")),
    *((name, "any") for name in ("onescount:4", "xor:6", "mux:3", "mux:4", "maj:5", "onescount:5", "add:2")),
    *((name, "and-type") for name in ("maj:3", "mux:2", "xor:3", "add:1", "mul:2", "maj:4", "xor:4")),
    *((name, "and-type") for name in ("mcomp:2", "sum:2", "onescount:4", "maj:5")),
    *((name, "nand") for name in ("xor:2", "mux:2", "maj:3", "xor:3", "add:1", "mul:2", "xor:4", "maj:4")),
]


def main() -> None:
    """Compute what is missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each case; 60 unless given")
    parser.add_argument("--table", action="store_true", help="print the results as Markdown")
    given = parser.parse_args()
    if given.table:
        print(table(stored("exact_synthesis")))
        return
    for target, gates in CASES:
        if not any(
            (record["target"], record["gates"]) == (target, gates)
            and (record["proven"] or record["limit"] >= given.seconds)
            for record in stored("exact_synthesis")
        ):
            _compute(target, gates, given.seconds)


def _compute(target: str, gates: str, seconds: float) -> None:
    began = time.process_time()
    found = smallest(target, gates=SETS[gates], seconds=seconds)
    record = {
        "target": target,
        "gates": gates,
        "size": None if found.circuit is None else len(found.circuit),
        "lower_bound": found.lower_bound,
        "proven": found.proven,
        "limit": seconds,
        "seconds": round(found.seconds, 2),
        "processor_seconds": round(time.process_time() - began, 2),
    }
    add("exact_synthesis", record)


def table(records: list[dict[str, Any]]) -> str:
    """The results as Markdown."""
    lines = ["| function | gates | smallest circuit | processor seconds |", "|---|---|---|---|"]
    for record in records:
        size = f"**{record['size']}**, proven" if record["proven"] else f"at least {record['lower_bound']}"
        lines.append(
            f"| `{record['target']}` | {record['gates']} | {size} | {record['processor_seconds']:g} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
