"""Conjunctions with a superfluous Or in the gate set: fits and figure.svg from runs.csv."""

from __future__ import annotations

from pathlib import Path

from gatewalk.analysis import figures, style
from gatewalk.analysis.growth import growth
from gatewalk.analysis.reading import read_runs, series

HERE = Path(__file__).parent
LABELS = {"and": "gates {And}", "and,or": "gates {And, Or}"}


def main() -> None:
    """Fit, print, draw."""
    found = series(read_runs(HERE / "runs.csv"), lambda run: LABELS[run["gate_set"]])
    fits = {name: growth(cells, resamples=200) for name, cells in found.items()}
    for name, fitted in fits.items():
        for item in fitted.estimates:
            print(
                f"{name:16} {item.fit.model.formula:12} rate {item.fit.rate:.3f} "
                f"[{item.rate.low:.3f}, {item.rate.high:.3f}] weight {item.weight:.3f}"
            )
        for held in fitted.held_out:
            print(f"{name:16} n = {held.n} by {held.model}: {held.predicted:.4g}, seen {held.observed:.4g}")
    drawn = {name: (cells, fits[name]) for name, cells in found.items()}
    style.save(figures.growth_figure(drawn, title="And$_n$, $D = 2n$, non-strict"), HERE / "figure.svg")


if __name__ == "__main__":
    main()
