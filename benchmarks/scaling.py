"""Iterations per second against n, D and rows, with slopes, and two threads against one.

    python benchmarks/scaling.py

Writes benchmarks/results/scaling.jsonl and docs/explanation/scaling.svg.
"""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import numpy as np

from gatewalk.analysis import style
from gatewalk.search.speed import Case, per_second, seconds_of, timed_session
from measurements import store

HERE = Path(__file__).parent
FIGURE = HERE.parent / "docs" / "explanation" / "scaling.svg"
AXES = {"n": "number of inputs $n$", "D": "number of nodes $D$", "rows": "rows"}
# name, evaluation, what grows, sizes, case of a size
SERIES = [
    ("{AND}, D = n, symbolic", "symbolic", "n", (64, 128, 256, 512, 1024), lambda n: Case(f"and:{n}", n)),
    ("{AND}, n = 100, symbolic", "symbolic", "D", (100, 200, 400, 800, 1600), lambda d: Case("and:100", d)),
    ("{AND}, D = 20, tables", "table", "rows", (9, 11, 13, 15, 17), lambda n: Case(f"and:{n}", 20)),
]


def measure() -> list[dict[str, object]]:
    """All series, and the slope of each in logarithms."""
    lines: list[dict[str, object]] = []
    for name, evaluation, grows, sizes, case in SERIES:
        speeds = [per_second(timed_session(case(size), evaluation), 0.3) for size in sizes]
        x = [2**size for size in sizes] if grows == "rows" else list(sizes)
        slope = float(np.polyfit(np.log(x), np.log(speeds), 1)[0])
        lines.append({"series": name, "grows": grows, "x": x, "per_second": speeds, "slope": round(slope, 2)})
    return lines


def two_threads(iterations: int = 30_000_000) -> list[float]:
    """The time that two searches take one after the other over that in two threads, five times."""
    works = [timed_session(Case("and:15", 15), "symbolic", seed=seed) for seed in (1, 2)]
    ratios = []
    for _ in range(5):
        start = time.perf_counter()
        for work in works:
            seconds_of(work, iterations)
        alone = time.perf_counter() - start
        threads = [threading.Thread(target=seconds_of, args=(work, iterations)) for work in works]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ratios.append(round(alone / (time.perf_counter() - start), 2))
    return ratios


@style.styled()
def draw(lines: list[dict[str, object]]) -> None:
    """One panel for each series."""
    figure, (panels,) = style.panels(1, len(lines), height=2.6, sharey=True)
    for panel, line in zip(panels, lines, strict=True):
        panel.plot(line["x"], line["per_second"], "o-", color=style.BLUE)
        panel.set(xscale="log", xlabel=AXES[str(line["grows"])])
        panel.set_title(f"{line['series']}\nslope ${line['slope']:.2f}$")
        style.log_ticks(panel.xaxis)
        style.log_axis(panel, "iterations per second" if panel is panels[0] else "")
    style.save(figure, FIGURE)


def main() -> None:
    """Measure, store, draw."""
    lines = measure()
    draw(lines)
    ratios = two_threads()
    lines.append({"series": "two threads over one", "ratio": float(np.median(ratios)), "ratios": ratios})
    store("scaling", lines)
    for line in lines:
        print(json.dumps(line))


if __name__ == "__main__":
    main()
