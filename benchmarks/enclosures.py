"""Bounds on both sides for every chain of And_n that can be enumerated, and how near the exact time they are.

    python benchmarks/enclosures.py and:4 --nodes 3 4 5       # adds to results/enclosures.jsonl
    python benchmarks/enclosures.py --table                   # the table of docs/theory/enclosure.md

Cases already in the results are not computed again.
"""

from __future__ import annotations

import argparse
import resource
import time
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import ceil
from typing import Any

from gatewalk import search_for
from gatewalk.theory.block_bounds import WIDTH, block_bounds
from gatewalk.theory.enclosure import by_early_optimum, by_levels
from measurements import add, stored

# The upper bounds of 0.3, which enumerated nothing, rounded up; its lower bounds are those for every n.
BEFORE = {
    (2, 1): 8,
    (2, 2): 12,
    (2, 3): 17,
    (2, 4): 23,
    (2, 5): 30,
    (3, 2): 324,
    (3, 3): 305,
    (3, 4): 335,
    (3, 5): 379,
    (4, 3): 2_615,
    (4, 4): 2_691,
    (4, 5): 2_715,
    (5, 4): 10_889,
    (5, 5): 11_589,
    (6, 5): 32_498,
}


def main() -> None:
    """Compute what is asked for and missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--nodes", nargs="+", type=int, default=[])
    parser.add_argument("--selection", nargs="+", default=["nonstrict", "strict"])
    parser.add_argument("--width", type=float, default=WIDTH, help="of blocks")
    parser.add_argument("--table", action="store_true", help="print the results as Markdown")
    given = parser.parse_args()
    for target in given.targets:
        for nodes in given.nodes:
            for selection in given.selection:
                _compute(target, nodes, selection, given.width)
    if given.table:
        print(table(stored("enclosures")))


def _case(record: dict[str, Any]) -> tuple[str, int, str]:
    return record["target"], record["nodes"], record["selection"]


def _compute(target: str, nodes: int, selection: str, width: float) -> None:
    if (target, nodes, selection) in map(_case, stored("enclosures")):
        return
    search = search_for(target, nodes=nodes, selection=selection)
    began, processor = time.perf_counter(), time.process_time()
    found = block_bounds(search, width=width)
    record = {
        "target": target,
        "n": search.n,
        "nodes": nodes,
        "selection": selection,
        "width": width,
        "lower": found.lower,
        "upper": found.upper,
        "upper_from_worst": found.upper_from_worst,
        "blocks": found.blocks,
        "classes": found.classes,
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(time.process_time() - processor, 2),
        "peak_gb_so_far": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }
    add("enclosures", record)


def table(records: list[dict[str, Any]]) -> str:
    """A row for each case: the exact time between its bounds, which are rounded outwards."""
    exact = {_case(record): record for record in stored("exact_times") if record["profile"] == "paper"}
    lines = [
        "| n | D | selection | before | at least | exact | at most | before | every n "
        "| exact / lower | upper / exact | blocks |",
        "|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for record in sorted(records, key=lambda record: (record["n"], record["nodes"], record["selection"])):
        time, low, high = exact[_case(record)]["expected_iterations"], record["lower"], record["upper"]
        n, nodes, is_strict = record["n"], record["nodes"], record["selection"] == "strict"
        cells = [
            str(n),
            str(nodes),
            record["selection"],
            outwards(by_early_optimum(n, nodes, strict=is_strict), ROUND_FLOOR),
            outwards(low, ROUND_FLOOR),
            f"{time:,.2f}",
            outwards(high, ROUND_CEILING),
            "" if is_strict else f"{BEFORE[n, nodes]:,}",
            "" if is_strict else f"{ceil(by_levels(n, nodes)):,}",
            f"{time / low:.2f}",
            f"{high / time:.2f}",
            f"{record['blocks']:,}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def outwards(value: float, rounding: str) -> str:
    """Two decimals of a bound that is still one."""
    return f"{Decimal(value).quantize(Decimal('0.01'), rounding):,}"


if __name__ == "__main__":
    main()
