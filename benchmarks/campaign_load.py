"""The load that campaigns promise to bear: a million short runs, and the status of a million rows.

    python benchmarks/campaign_load.py [--runs 1000000] [--rows 1000000]

Prints one JSON line per measurement: seconds, runs a second and the memory of the process at a
quarter of the runs and at the end, which should not differ by much.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from gatewalk.campaign import campaign, plan, run
from gatewalk.campaign.execution import Progress
from gatewalk.campaign.export import export
from gatewalk.campaign.results import Results, status
from gatewalk.campaign.store import add_runs, begin_campaign, enter_cells
from gatewalk.campaign.store_file import writing
from gatewalk.search.batch import Batch, run_batch


def memory_mb() -> float:
    """The memory of this process now, in megabytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def short_runs(folder: Path, runs: int, jobs: int) -> None:
    """Many runs of and:4 in one campaign."""
    store = folder / f"short{jobs}.sqlite"
    run(campaign(target="and:4", replications=20), jobs=1).close()  # compiles
    early: list[float] = []

    def watch(progress: Progress) -> None:
        if not early and progress.done * 4 > progress.planned:
            early.append(memory_mb())

    began = time.perf_counter()
    run(campaign(target="and:4", replications=runs, seed=7), store, jobs=jobs, watch=watch).close()
    seconds = time.perf_counter() - began
    report = {
        "case": f"{runs} runs of and:4, jobs={jobs}",
        "seconds": seconds,
        "runs_per_second": runs / seconds,
    }
    sizes = {"mb_at_a_quarter": early[0], "mb_at_the_end": memory_mb(), "file_mb": store.stat().st_size / 1e6}
    print(json.dumps(report | sizes), flush=True)


def many_rows(folder: Path, rows: int) -> None:
    """A store of so many rows, in 100 cells; its status, its opening for writing, and its export."""
    store = folder / "many.sqlite"
    made = campaign(target="and:2", nodes=list(range(3, 103)), replications=rows // 100)
    cells = plan(made)
    with writing(store) as connection:
        numbers = enter_cells(connection, cells)
        ident = begin_campaign(connection, made, "benchmark")
        for cell, number in zip(cells, numbers, strict=True):
            count = rows // 100
            batch = Batch(search=cell.search, seed=0, runs=range(count), seconds=600.0, limit=600.0)
            add_runs(connection, ident, [(number, run_batch(batch).parts)], traces=False)
    timed("status", rows, lambda: status(store))
    timed("campaign with nothing to do", rows, lambda: run(made, store, jobs=1).close())
    with Results.open(store) as results:
        timed("export to CSV", rows, lambda: export(results, "csv", folder / "runs.csv"))
        timed("export to Parquet", rows, lambda: export(results, "parquet", folder / "runs.parquet"))


def timed(what: str, rows: int, action: object) -> None:
    """Print how long an action took."""
    began = time.perf_counter()
    assert callable(action)
    action()
    seconds = time.perf_counter() - began
    print(json.dumps({"case": f"{what}, {rows} rows", "seconds": seconds, "mb": memory_mb()}), flush=True)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.runs:
            short_runs(Path(name), options.runs, options.jobs)
        if options.rows:
            many_rows(Path(name), options.rows)


if __name__ == "__main__":
    main()
