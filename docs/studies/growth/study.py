"""Growth of the running time on And_n with n: fits, figure.svg and ratio.svg from runs.csv."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gatewalk.analysis import figures, style
from gatewalk.analysis.growth import growth, ratios
from gatewalk.analysis.reading import Record, read_runs, series
from gatewalk.theory.bounds import theorem6

HERE = Path(__file__).parent
NODES: dict[str, Callable[[int], int]] = {
    "$D = n$": lambda n: n,
    "$D = 2n$": lambda n: 2 * n,
    "$D = n^2$": lambda n: n * n,
}


def label(run: Record) -> str:
    """Which multiple of n the nodes are; at n = 2 the square is the double."""
    n, nodes = int(run["n"]), int(run["nodes"])
    return next(name for name, of in NODES.items() if of(n) == nodes)


def main() -> None:
    """Fit, print, draw."""
    found = series(read_runs(HERE / "runs.csv"), label)
    found = {name: found[name] for name in NODES}
    fits = {name: growth(cells, resamples=200) for name, cells in found.items()}
    for name, fitted in fits.items():
        print(name, {n: cell.runs for n, cell in found[name].items()})
        for item in fitted.estimates:
            fit = item.fit
            print(
                f"  {fit.model.formula:12} c = {fit.scale:.3g} rate = {fit.rate:.3f} "
                f"[{item.rate.low:.3f}, {item.rate.high:.3f}] AIC {fit.aic:.1f} weight {item.weight:.3f}"
            )
        for held in fitted.held_out:
            print(
                f"  n = {held.n} held out, {held.model}: {held.predicted:.4g} "
                f"[{held.interval.low:.4g}, {held.interval.high:.4g}], seen {held.observed:.4g}"
            )
    bounds = {name: {n: theorem6(n, NODES[name](n)) for n in cells} for name, cells in found.items()}
    drawn = {name: (cells, fits[name]) for name, cells in found.items()}
    style.save(figures.growth_figure(drawn, title="And$_n$, non-strict", bounds=bounds), HERE / "figure.svg")
    shares = {}
    for name, cells in found.items():
        shares[name] = ratios(cells, lambda n, of=NODES[name]: theorem6(n, of(n)))  # type: ignore[misc]
    style.save(figures.ratio_figure(shares, bound="Theorem 6"), HERE / "ratio.svg")


if __name__ == "__main__":
    main()
