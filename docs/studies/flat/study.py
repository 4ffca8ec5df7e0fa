"""Flat landscapes: growth of the time to Xor_n from runs.csv, and the drift near the optimum.

Writes figure.svg (growth), drift.svg (n = 1024, started next to the optimum) and prints the fits.
"""

from __future__ import annotations

from pathlib import Path

from gatewalk.analysis import figures, style
from gatewalk.analysis.growth import growth
from gatewalk.analysis.reading import read_runs, series
from gatewalk.search.settings import settings
from gatewalk.theory import negative_drift, xor_bounds
from gatewalk.theory.drift import drift_report, wander_runs
from gatewalk.theory.statements import applied

HERE = Path(__file__).parent
N = 1024


def drift() -> None:
    """Watch many short walks from next to the optimum: the potentials on which Lemma 8 bounds the drift."""
    made = settings(f"xor:{N}", nodes="n", start="near-optimum", budget=300)
    found = drift_report(wander_runs(made, seed=2026, runs=range(400), jobs=2))
    low, high = xor_bounds.lemma8_interval(N)
    estimate = applied("lemma8_drift", made).value
    for item in found[:10]:
        span = f"[{item.low:.3f}, {item.high:.3f}]"
        print(f"Y = {item.potential}: {item.steps} steps, drift {item.mean:.3f} {span}")
    checked = negative_drift.conditions(
        a=low,
        b=high,
        drift={item.potential: item.mean for item in found},
        steps={item.potential: item.sizes for item in found},
        delta=1.0,
    )
    print(f"Lemma 8: at least {estimate:.3f} on [{low}, {high}]; Theorem 11 from these numbers: {checked}")
    shown = [item for item in found if item.potential <= 60]
    figure = figures.drift_figure(shown, estimate=estimate, interval=(low, high), title="xor:1024, $D = n$")
    style.save(figure, HERE / "drift.svg")


def main() -> None:
    """Fit, print, draw."""
    runs = read_runs(HERE / "runs.csv")
    found = series(runs, lambda run: f"$D = {'n' if run['nodes'] == run['n'] else '2n'}$")
    fits = {name: growth(cells, resamples=200) for name, cells in found.items()}
    for name, fitted in fits.items():
        for item in fitted.estimates:
            print(
                f"{name} {item.fit.model.formula:12} rate {item.fit.rate:.3f} "
                f"[{item.rate.low:.3f}, {item.rate.high:.3f}] weight {item.weight:.3g}"
            )
        for held in fitted.held_out:
            print(f"{name} n = {held.n} by {held.model}: {held.predicted:.4g}, seen {held.observed:.4g}")
    drawn = {name: (cells, fits[name]) for name, cells in found.items()}
    figure = figures.growth_figure(drawn, title="Xor$_n$, non-strict", model="exponential")
    style.save(figure, HERE / "figure.svg")
    drift()


if __name__ == "__main__":
    main()
