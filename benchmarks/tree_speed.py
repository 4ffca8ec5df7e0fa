"""Iterations per second of tree GP on the path to success.

    python benchmarks/tree_speed.py [--runs 200] [--store]

Every case is walked many times from its random start to success; one JSON line per case. A round is
all runs one after the other; the best round counts, so that a busy machine disturbs less. (Repeating
a single short run would flatter: the processor learns its branches by heart.)
`iterations_per_second` is of the kernel's calls, `with_python` of all that a run needs around them,
start and log of improvements included. --store writes them to results/tree_speed.jsonl.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import gatewalk as gw
from gatewalk.tgp import loop
from gatewalk.tgp.tgp_search import PROFILES
from gatewalk.tgp.walk import Walk, start
from measurements import store

ROUNDS = 15
BUDGET = 1_000_000


def cases() -> Iterator[tuple[str, str, bool, str]]:
    """Target, profile, multi and evaluation."""
    for profile in PROFILES:
        for multi in (False, True):
            for name, evaluation in (
                ("and:15", "table"),
                ("and:12", "table"),
                ("and:15", "symbolic"),
                ("and:1000", "symbolic"),
            ):
                yield name, profile, multi, evaluation
    yield "xor:12", "paper", False, "table"
    yield "xor:12", "paper", False, "symbolic"


def walk_of(name: str, profile: str, multi: bool, evaluation: str) -> Walk:
    """A walk that can be started again and again."""
    algorithm = "tgp-multi" if multi else "tgp-single"
    search = gw.search_for(name, algorithm=algorithm, profile=profile, evaluation=evaluation, offspring=1)
    assert isinstance(search, gw.TgpSearch)
    return start(search, None, stream=np.arange(1, 5, dtype=np.uint64))


def kernel_seconds(walk: Walk, words: NDArray[np.uint64]) -> float:
    """Seconds in the kernel from start to success; the arrays have grown in an earlier run."""
    start(walk.search, None, stream=words, after=walk)
    seconds = 0.0
    while not walk.solved and walk.offspring < BUDGET:
        began = time.thread_time()
        loop.advance_one(walk.tree, walk.steps_law, walk.rule, walk.evaluator, walk.course, BUDGET)
        seconds += time.thread_time() - began
        walk.course.counters[loop.LOGGED] = 0
    return seconds


def whole_seconds(walk: Walk, words: NDArray[np.uint64]) -> float:
    """Seconds of a run, its start included."""
    began = time.thread_time()
    start(walk.search, None, stream=words, after=walk)
    walk.advance(BUDGET)
    return time.thread_time() - began


def measure(name: str, profile: str, multi: bool, evaluation: str, runs: int) -> dict[str, object]:
    """One line of the results."""
    walk = walk_of(name, profile, multi, evaluation)
    if name not in ("and:12", "and:15"):
        runs = max(1, runs // 40)
    states = np.random.default_rng(1).integers(2**64, size=(runs, 4), dtype=np.uint64)
    iterations = leaves = 0
    for words in states:
        whole_seconds(walk, words)
        iterations += walk.offspring
        leaves += walk.size
    kernel = min(sum(kernel_seconds(walk, words) for words in states) for _ in range(ROUNDS))
    whole = min(sum(whole_seconds(walk, words) for words in states) for _ in range(ROUNDS))
    return {
        "case": f"{name} tgp-{'multi' if multi else 'single'} {profile}",
        "evaluation": evaluation,
        "runs": runs,
        "mean_iterations": round(iterations / runs, 1),
        "mean_leaves": round(leaves / runs, 1),
        "iterations_per_second": round(iterations / kernel),
        "with_python": round(iterations / whole),
    }


def main() -> None:
    """Measure all cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--store", action="store_true", help="write the results beside this file")
    given = parser.parse_args()
    lines = []
    for case in cases():
        lines.append(measure(*case, runs=given.runs))
        print(json.dumps(lines[-1]), flush=True)
    if given.store:
        store("tree_speed", lines)


if __name__ == "__main__":
    main()
