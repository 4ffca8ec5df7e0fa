"""Theorem 4's start: measured times beside the exact expectation, figure.svg from runs.csv."""

from __future__ import annotations

from pathlib import Path

from gatewalk.analysis import figures, style
from gatewalk.analysis.growth import growth, mean_time
from gatewalk.analysis.reading import read_runs, series
from gatewalk.theory.penultimate import expected_iterations

HERE = Path(__file__).parent


def main() -> None:
    """Fit, print, draw."""
    found = series(read_runs(HERE / "runs.csv"), lambda run: run["selection"])
    fits = {name: growth(cells, resamples=200) for name, cells in found.items()}
    exact = {n: float(expected_iterations(n)) for n in found["strict"]}
    for n, cell in found["strict"].items():
        mean, error = mean_time(cell), 1 / cell.runs**0.5  # a geometric time deviates by its mean
        print(f"n = {n}: {mean:.4g}, exactly {exact[n]:.4g}, ratio {mean / exact[n]:.2f} +- {error:.2f}")
    for name, fitted in fits.items():
        for item in fitted.estimates:
            print(
                f"{name:10} {item.fit.model.formula:12} rate {item.fit.rate:.3f} "
                f"[{item.rate.low:.3f}, {item.rate.high:.3f}] weight {item.weight:.3f}"
            )
    figure = figures.growth_figure(
        {name: (found[name], fits[name]) for name in found},
        title="And$_n$, $D = n-1$, penultimate start",
        bounds={"strict": exact},
        bound_name="exact expectation, strict",
    )
    style.save(figure, HERE / "figure.svg")


if __name__ == "__main__":
    main()
