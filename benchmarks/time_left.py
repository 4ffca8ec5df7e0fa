"""How near the truth the times are that a campaign shows: before it begins, and while it runs.

    python benchmarks/time_left.py [--table]

For each campaign: the estimate of the dry run over the time that the campaign took; and, while it ran, at how
many of the moments after the first two seconds a time left was shown, how many of these were within a factor
of two of the truth, and the worst of them. Times of less than two seconds do not count, since nobody waits.
"""

from __future__ import annotations

import argparse
import time

from gatewalk.campaign import Campaign, campaign, grid, plan, run
from gatewalk.campaign.planning import estimates, together
from gatewalk.search.scheduler import threads
from measurements import store, stored

LEAST = 2.0  # seconds

CAMPAIGNS = {
    "one cell, short runs": campaign(target="and:8", replications=1_500_000, seed=1),
    "one cell, heavy tail": campaign(
        target="and:7", nodes=6, selection="strict", replications=4_000, budget=10**9, seed=1
    ),
    "sizes": campaign(target="and", n=[4, 6, 8, 10, 12, 16, 20], nodes="n", replications=20_000, seed=1),
    "sizes, both selections": campaign(
        target="and",
        n=[4, 5, 6, 7, 8],
        nodes=["n", "2n"],
        selection=["nonstrict", "strict"],
        replications=5_000,
        budget=10**8,
        seed=1,
    ),
    "runs that fail": campaign(target="maj:5", nodes=[8, 16, 30], replications=400, budget=2_000_000, seed=1),
    "trees and programs": Campaign(
        grids=(
            grid(target="and", n=[8, 12], algorithm=["tgp-single", "tgp-multi"], replications=60_000),
            grid(target="mul:2", nodes=[100, 1000], replications=8_000),
        ),
        seed=1,
    ),
    "few long runs": campaign(target="mul:3", replications=300, budget=10**9, seed=1),
}


def ratio(estimate: float, truth: float) -> float:
    """How far an estimate is from the truth, as a factor of at least 1."""
    return max(estimate, truth) / max(1e-9, min(estimate, truth))


def measure(name: str) -> dict[str, object]:
    """Run a campaign, and compare every time that it showed with the time that it took."""
    made = CAMPAIGNS[name]
    cells = plan(made)
    runs = [cell.replications for cell in cells]
    before = together(estimates(cells, runs), runs, threads=threads())
    shown: list[tuple[float, float | None]] = []
    began = time.perf_counter()
    run(made, watch=lambda state: shown.append((time.perf_counter() - began, state.seconds_left))).close()
    took = time.perf_counter() - began
    counted = [(took - at, left) for at, left in shown if at >= LEAST and took - at >= LEAST]
    factors = [ratio(left, truth) for truth, left in counted if left is not None]
    return {
        "campaign": name,
        "seconds": took,
        "dry_run": None if before is None else before / took,
        "moments": len(counted),
        "shown": len(factors),
        "within_two": sum(factor <= 2 for factor in factors),
        "worst": max(factors, default=None),
    }


def main() -> None:
    """Measure all campaigns and keep the results, or print those kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--table", action="store_true", help="print what was measured before")
    if not parser.parse_args().table:
        records = []
        for name in CAMPAIGNS:
            records.append(measure(name))
            print(records[-1], flush=True)
        store("time_left", records)
    for record in stored("time_left"):
        print(*(f"{key} {value}" for key, value in record.items()), sep=", ")


if __name__ == "__main__":
    main()
