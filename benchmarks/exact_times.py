"""Exact expected times of And_n and Xor_n for all small n and D, with what it took to compute them.

    python benchmarks/exact_times.py and:4 --nodes 3 4 5       # adds to results/exact_times.jsonl
    python benchmarks/exact_times.py --table                   # the table of docs/reference/exact.md

Cases already in the results are not computed again.
"""

from __future__ import annotations

import argparse
import resource
import time
from math import isnan
from typing import Any

from gatewalk.theory.chain.exact import exact
from gatewalk.theory.conjunctions import theorem3, theorem6
from measurements import add, stored


def main() -> None:
    """Compute what is asked for and missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--nodes", nargs="+", type=int, default=[])
    parser.add_argument("--selection", nargs="+", default=["nonstrict", "strict"])
    parser.add_argument("--profile", nargs="+", default=["paper"])
    parser.add_argument(
        "--table", action="store_true", help="print the results and what they took as Markdown"
    )
    given = parser.parse_args()
    for target in given.targets:
        for nodes in given.nodes:
            for profile in given.profile:
                for selection in given.selection:
                    _compute(target, nodes, selection, profile)
    if given.table:
        print(table(stored("exact_times")))
        print()
        print(resources(stored("exact_times")))


def _case(record: dict[str, Any]) -> tuple[str, int, str, str]:
    return record["target"], record["nodes"], record["selection"], record["profile"]


def _compute(target: str, nodes: int, selection: str, profile: str) -> None:
    if (target, nodes, selection, profile) in {_case(record) for record in stored("exact_times")}:
        return
    began, processor = time.perf_counter(), time.process_time()
    found = exact(target, nodes=nodes, selection=selection, profile=profile)
    record = {
        **found.record(),
        "p_never": found.p_never,
        "expected_if_solved": None if isnan(found.expected_if_solved) else found.expected_if_solved,
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(time.process_time() - processor, 2),
        "peak_gb_so_far": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }
    add("exact_times", record)


def table(records: list[dict[str, Any]]) -> str:
    """One row for each target, profile and D: both selections, their ratio and the bounds."""
    rows: dict[tuple[str, str, int], dict[str, dict[str, Any]]] = {}
    for record in records:
        key = (record["profile"], record["target"], record["nodes"])
        rows.setdefault(key, {})[record["selection"]] = record
    lines = [
        "| profile | target | D | genotypes | classes | non-strict | ± | strict | ± | strict / non-strict "
        "| Theorem 6 | Theorem 3 |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (profile, target, nodes), both in sorted(rows.items()):
        loose, strict = both.get("nonstrict"), both.get("strict")
        one = loose or strict
        assert one is not None
        applies = target.startswith("and:") and profile == "paper" and nodes >= one["n"] - 1
        ratio = "–"
        if loose and strict and "inf" not in (loose["expected_iterations"], strict["expected_iterations"]):
            ratio = f"{strict['expected_iterations'] / loose['expected_iterations']:.2f}"
        cells = [
            profile,
            f"`{target}`",
            str(nodes),
            f"{one['states']:,}",
            f"{one['classes']:,}",
            *_shown(loose),
            *_shown(strict),
            ratio,
            f"{theorem6(one['n'], nodes):,.0f}" if applies else "–",
            f"{theorem3(one['n'], nodes):,.0f}" if applies else "–",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def resources(records: list[dict[str, Any]]) -> str:
    """What the larger cases took; the peak of memory is that of all cases of one call so far."""
    lines = [
        "| profile | target | D | selection | classes | seconds | processor seconds | peak GB |",
        "|---|---|--:|---|--:|--:|--:|--:|",
    ]
    for one in sorted(records, key=lambda record: record["classes"]):
        if one["classes"] > 30_000:
            lines.append(
                f"| {one['profile']} | `{one['target']}` | {one['nodes']} | {one['selection']} "
                f"| {one['classes']:,} | {one['seconds']:.0f} | {one['processor_seconds']:.0f} "
                f"| {one['peak_gb_so_far']:.1f} |"
            )
    return "\n".join(lines)


def _shown(record: dict[str, Any] | None) -> tuple[str, str]:
    if record is None:
        return "", ""
    if record["expected_iterations"] == "inf":
        return f"∞ (never: {record['p_never']:.4f})", "∞"
    return f"{record['expected_iterations']:,.4f}", f"{record['std_iterations']:,.2f}"


if __name__ == "__main__":
    main()
