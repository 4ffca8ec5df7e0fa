"""Large loops of the exact solver on threads, one per processor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from gatewalk.search.evolve import default_jobs


def each(work: Callable[[slice], None], rows: int, *, alone: int = 20_000) -> None:
    """Call `work` on slices that cover all rows; on several threads if there are more than `alone` rows."""
    jobs = default_jobs()
    if rows <= alone or jobs == 1:
        if rows:
            work(slice(0, rows))
        return
    step = -(-rows // (4 * jobs))
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, [slice(at, min(at + step, rows)) for at in range(0, rows, step)]))
