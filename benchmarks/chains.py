"""How far exact chains reach: And_n with D nodes, what the chain takes, and runs of the search beside it.

    python benchmarks/chains.py 5 6                              # n D: adds to results/chains.jsonl
    python benchmarks/chains.py 7 6 --selection strict
    python benchmarks/chains.py 5 6 --runs 100000                # the same by simulation: its mean and z
    python benchmarks/chains.py --table                          # the tables of docs/explanation/chains.md

Each case has a process of its own, so that its peak of memory is its own. Cases already in the results are
not computed again. `taskset -c 0` in front leaves it one processor.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory.chain.ranked.programs import chain_of
from gatewalk.theory.chain.ranked.search import moments_of, ranked_result, result_of
from measurements import add, stored

SEED = 2026
BUDGET = 10**12  # more than any run takes


def main() -> None:
    """Compute what is asked for and missing, or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("size", nargs="*", type=int, help="n and D")
    parser.add_argument("--selection", nargs="+", default=["strict", "nonstrict"])
    parser.add_argument("--runs", type=int, default=0, help="simulate so many runs instead")
    parser.add_argument("--table", action="store_true", help="print the results as Markdown")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # in this process
    given = parser.parse_args()
    if given.size and len(given.size) != 2:
        parser.error("give n and D")
    for selection in given.selection if given.size else []:
        search = _search(*given.size, selection)
        kind = "runs" if given.runs else "chain"
        if _case(kind, search.target.name, search.nodes, selection) in map(_case_of, stored("chains")):
            continue
        if given.runs:
            _store(simulated(search, given.runs))
        elif given.here:
            _store(solved(search))
        else:
            size = map(str, given.size)
            subprocess.run([sys.executable, __file__, *size, "--selection", selection, "--here"], check=True)
    if given.table:
        print(table(stored("chains")))


def _search(n: int, nodes: int, selection: Any) -> CgpSearch:
    search = search_for(f"and:{n}", nodes=nodes, selection=selection)
    assert isinstance(search, CgpSearch)
    return search


def _case(kind: str, target: str, nodes: int | None, selection: str) -> tuple[Any, ...]:
    return kind, target, nodes, selection


def _case_of(record: dict[str, Any]) -> tuple[Any, ...]:
    return _case(record["kind"], record["target"], record["nodes"], record["selection"])


def _store(record: dict[str, Any]) -> None:
    add("chains", record)


def solved(search: CgpSearch) -> dict[str, Any]:
    """The chain, solved, and what that took."""
    ranked_result(_search(3, 3, search.selection))  # compiles, which is not measured
    began, processor = time.perf_counter(), time.process_time()
    said = [began]

    def on_progress(share: float, words: str) -> None:
        if time.perf_counter() - said[0] > 30:
            said[0] = time.perf_counter()
            print(f"{said[0] - began:.0f} s: {words}, {100 * share:.0f} %", file=sys.stderr, flush=True)

    chain = chain_of(search)
    sizes = [0] * len(chain.levels)
    for segment in chain.segments:
        sizes[segment.level] += segment.ways * len(segment.pairs)
    moments = moments_of(chain, on_progress=on_progress)
    return {
        "kind": "chain",
        **result_of(search, chain, moments).record(),
        "blocks": int(chain.classes.level.size),
        "largest_level": max(sizes),
        "ties_kept": max(moments.ties),
        "ties_in_all": sum(moments.ties),
        "threads": len(os.sched_getaffinity(0)),
        "seconds": round(time.perf_counter() - began, 1),
        "processor_seconds": round(time.process_time() - processor, 1),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }


def simulated(search: CgpSearch, count: int) -> dict[str, Any]:
    """Runs of the search, and how far their mean is from the exact one, in standard errors."""
    search = replace(search, budget=BUDGET)
    runs = run_many(search, seed=SEED, runs=range(count), jobs=len(os.sched_getaffinity(0)))
    times = np.asarray(runs.iterations, dtype=np.float64)
    error = float(times.std(ddof=1)) / count**0.5
    case = _case("chain", search.target.name, search.nodes, search.selection)
    known = [record for record in stored("chains") if _case_of(record) == case]
    return {
        "kind": "runs",
        "target": search.target.name,
        "n": search.n,
        "nodes": search.nodes,
        "selection": search.selection,
        "seed": SEED,
        "runs": count,
        "all_solved": bool(np.all(runs.solved)),
        "mean": float(times.mean()),
        "std": float(times.std(ddof=1)),
        "error": error,
        "z": (float(times.mean()) - known[0]["expected_iterations"]) / error if known else None,
    }


def table(records: list[dict[str, Any]]) -> str:
    """One row for each chain, with the simulation beside it."""
    runs = {_case_of(record)[1:]: record for record in records if record["kind"] == "runs"}
    lines = [
        "| n | D | selection | genotypes | classes | blocks | largest level | moves kept at once | expected "
        "| ± | worst start | processor s | s | peak GB | runs | their mean | z |",
        "|--:|--:|---|" + "--:|" * 14,
    ]
    chains = [record for record in records if record["kind"] == "chain"]
    for chain in sorted(chains, key=lambda record: (record["nodes"], record["n"], record["selection"])):
        other = runs.get(_case_of(chain)[1:])
        compared = (
            ("", "", "")
            if other is None
            else (f"{other['runs']:,}", f"{other['mean']:,.2f} ± {other['error']:.2f}", f"{other['z']:+.2f}")
        )
        cells = (
            chain["n"],
            chain["nodes"],
            chain["selection"],
            f"{chain['states']:,}",
            f"{chain['classes']:,}",
            f"{chain['blocks']:,}",
            f"{chain['largest_level']:,}",
            "" if chain["ties_kept"] is None else f"{chain['ties_kept']:,}",
            f"{chain['expected_iterations']:,.4f}",
            f"{chain['std_iterations']:,.2f}",
            f"{chain['worst_start_expected']:,.2f}",
            f"{chain['processor_seconds']:,.0f}",
            f"{chain['seconds']:,.0f} ({chain['threads']})",
            f"{chain['peak_gb']:.1f}",
            *compared,
        )
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
