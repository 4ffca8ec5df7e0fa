"""Exact expected times of mutations and selections written as plain functions, and what they took.

    python benchmarks/own_chains.py and:2 --nodes 3 4         # adds to results/own_chains.jsonl
    python benchmarks/own_chains.py --table                   # the table of docs/reference/exact.md

Cases already in the results are not computed again.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import gatewalk as gw
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.own.chain import OwnChain
from measurements import add, stored


@gw.mutation("sam-written")
def sam_written(program, random):  # type: ignore[no-untyped-def]
    """SAM as it is."""
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return


@gw.mutation("sam-edges")
def sam_edges(program, random):  # type: ignore[no-untyped-def]
    """SAM that never picks a function gene."""
    while True:
        gene = random.gene(program)
        if program.is_function(gene):
            continue
        program.change(gene, random)
        if program.is_active(gene):
            return


@gw.mutation("three-genes")
def three_genes(program, random):  # type: ignore[no-untyped-def]
    """Point mutation of three genes."""
    for _ in range(3):
        program.change(random.gene(program), random)


@gw.selection("biased-ties")
def biased_ties(parent, offspring, random):  # type: ignore[no-untyped-def]
    """Accepts ties with probability 0.3."""
    return offspring < parent or (offspring == parent and random.chance(0.3))


OPERATORS: tuple[
    tuple[Any, Any, str], ...
] = (  # with Gatewalk's own mutation that is the same, if there is one
    (sam_written, "nonstrict", "sam"),
    (three_genes, "nonstrict", "point:3"),
    (sam_edges, biased_ties, ""),
)


def main() -> None:
    """Compute what is asked for and missing, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--nodes", nargs="+", type=int, default=[])
    parser.add_argument("--only", help="the name of one mutation")
    parser.add_argument("--table", action="store_true", help="print the results as Markdown")
    given = parser.parse_args()
    for target in given.targets:
        for nodes in given.nodes:
            for mutation, selection, known in OPERATORS:
                if given.only in (None, str(mutation)):
                    _compute(target, nodes, mutation, selection, known)
    if given.table:
        print(table(stored("own_chains")))


def _compute(target: str, nodes: int, mutation: Any, selection: Any, known: str) -> None:
    case = (target, nodes, str(mutation))
    if case in {(record["target"], record["nodes"], record["mutation"]) for record in stored("own_chains")}:
        return
    began, processor = time.perf_counter(), time.process_time()
    found = exact(target, nodes=nodes, mutation=mutation, selection=selection)
    assert isinstance(found.chain, OwnChain)
    seconds, busy = time.perf_counter() - began, time.process_time() - processor
    record = {
        **found.record(),
        "situations": sum(block.solved.size for block in found.chain.blocks),
        "seconds": round(seconds, 2),
        "processor_seconds": round(busy, 2),
        "peak_gb_so_far": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        "known": exact(target, nodes=nodes, mutation=known).expected_iterations if known else None,
    }
    add("own_chains", record)


def table(records: list[dict[str, Any]]) -> str:
    """A row for each case."""
    lines = [
        "| target | D | mutation, selection | programs | situations | expected | ± "
        "| differs from Gatewalk's by | processor seconds | peak GB |",
        "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in sorted(records, key=lambda record: (record["states"], record["mutation"])):
        apart = "" if one["known"] is None else f"{abs(one['expected_iterations'] / one['known'] - 1):.0e}"
        cells = [
            f"`{one['target']}`",
            str(one["nodes"]),
            f"{one['mutation']}, {one['selection']}",
            f"{one['states']:,}",
            f"{one['situations']:,}",
            f"{one['expected_iterations']:.4f}",
            f"{one['std_iterations']:.2f}",
            apart,
            f"{one['processor_seconds']:.1f}",
            f"{one['peak_gb_so_far']:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
