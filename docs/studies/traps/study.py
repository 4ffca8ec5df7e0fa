"""Traps from uniform starts: the certified bound, local exponents, what each kind costs; figure.svg."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gatewalk.analysis import style
from gatewalk.theory.filling import filling
from gatewalk.theory.penultimate import expected_iterations
from gatewalk.theory.traps import clopper_pearson

HERE = Path(__file__).parent
CONFIDENCE = 0.99
FITTED_FROM = (12, 20)
TICKS = (3, 5, 8, 12, 20, 32, 50)
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Size:
    """One n: shares and times, times in units of Theorem 4's. parts: before, then what each kind costs."""

    n: int
    runs: int
    traps: int
    share: float
    mean: float
    error: float
    parts: dict[str, float]

    def lower_share(self, confidence: float) -> float:
        """The exact share, or the lower end of Clopper and Pearson."""
        return clopper_pearson(self.traps, self.runs, confidence)[0] if self.runs else self.share


def read(name: str, how: str) -> list[dict[str, float]]:
    """The rows of a file that were made in one way."""
    with (HERE / name).open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row.pop("how") == how]
    return [{key: float(value) for key, value in row.items()} for row in rows]


def kind_of(row: dict[str, float]) -> str:
    """Which part of E[T] a kind of program belongs to."""
    if row["changes"] < 2:
        return "others"
    return "traps" if row["after"] == 0 else "next to last" if row["after"] == 1 else "earlier nodes"


def sizes(how: str) -> list[Size]:
    """All sizes that were made in one way."""
    kinds, found = read("kinds.csv", how), []
    for row in read("sizes.csv", how):
        n = int(row["n"])
        unit = float(expected_iterations(n))
        parts = dict.fromkeys(("traps", "next to last", "earlier nodes", "others", "before"), 0.0)
        parts["before"] = row["before"] / unit
        for kind in kinds:
            if kind["n"] == n:
                parts[kind_of(kind)] += kind["share"] * kind["wait"] / unit
        found.append(
            Size(
                n, int(row["runs"]), int(row["traps"]), row["trap_share"], row["mean"] / unit,
                row["error"] / unit, parts,
            )
        )  # fmt: skip
    return found


def exponent(first: Size, second: Size) -> tuple[float, float]:
    """The local exponent of E[T] between two n and its standard error."""
    distance = log(second.n / first.n)
    unit = log(float(expected_iterations(second.n) / expected_iterations(first.n)))
    error = sqrt((first.error / first.mean) ** 2 + (second.error / second.mean) ** 2)
    return (log(second.mean / first.mean) + unit) / distance, error / distance


def line(x: Values, y: Values, errors: Values) -> tuple[float, float, float, float]:
    """Weighted least squares y = a + b x: b with its standard error, a with its standard error."""
    weight = errors**-2.0
    middle = float(np.average(x, weights=weight))
    precision = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * y).sum()) / precision
    error = sqrt(1 / float(weight.sum()) + middle**2 / precision)
    return slope, 1 / sqrt(precision), float(np.average(y, weights=weight)) - slope * middle, error


def fits(name: str, found: list[Size], values: Values, errors: Values) -> None:
    """A power law, and a constant with a correction of order 1/n: each with the chi-square that is left."""
    n = np.array([float(size.n) for size in found])
    for law, x, y, error in (
        ("power of n", np.log(n), np.log(values), errors / values),
        ("limit, correction of order 1/n", 1 / n, values, errors),
    ):
        slope, slope_error, start, start_error = line(x, y, error)
        middle, half = (slope, slope_error) if law.startswith("power") else (start, start_error)
        left = float((((y - start - slope * x) / error) ** 2).sum())
        ends = f"95 % [{middle - 1.96 * half:.3f}, {middle + 1.96 * half:.3f}]"
        print(f"{name}, {law}: {middle:.3f}, {ends}, chi-square {left:.1f} of {n.size - 2}")


def tell(exact: list[Size], run: list[Size]) -> None:
    """The tables and fits of README.md."""
    together = 1 - (1 - CONFIDENCE) / len(run)
    print("| n | runs | traps | share | share at least, 99 % | E[T] at least, 99 % | all n at once, 99 % |")
    for size in run:
        unit = float(expected_iterations(size.n))
        low, least = size.lower_share(CONFIDENCE), size.lower_share(together)
        print(
            f"| {size.n} | {size.runs} | {size.traps} | {size.share:.3f} | {low:.3f} | {low * unit:.3g} "
            f"| {least * unit:.3g} = {least * unit / size.n**6:.2f} n^6 |"
        )
    names = list(run[0].parts)
    print("| n | how | E[T]/E4 | error | " + " | ".join(names) + " |")
    for how, size in [("exact", size) for size in exact] + [("runs", size) for size in run]:
        parts = " | ".join(f"{part:.3f}" for part in size.parts.values())
        print(f"| {size.n} | {how} | {size.mean:.3f} | {size.error:.3f} | {parts} |")
    for how, found in (("exact", exact), ("runs", run)):
        for first, second in pairwise(found):
            slope, error = exponent(first, second)
            unit = exponent(*(Size(one.n, 0, 0, 1, 1, 0, {}) for one in (first, second)))[0]
            where = f"{how}, n = {first.n} to {second.n}"
            print(f"{where}: exponent {slope:.3f} +- {error:.3f}, Theorem 4's {unit:.3f}")
    for first in FITTED_FROM:
        large = [size for size in run if size.n >= first]
        share = np.array([size.share for size in large])
        spread = np.sqrt(share * (1 - share) / np.array([size.runs for size in large]))
        mean, error = (np.array([getattr(size, name) for size in large]) for name in ("mean", "error"))
        fits(f"share of traps, n >= {first}", large, share, spread)
        fits(f"E[T]/E4, n >= {first}", large, mean, error)
    for n in (20, 32, 50):
        left = {
            row["after"]: row["share"]
            for row in read("kinds.csv", "runs")
            if row["n"] == n and row["changes"] == 2
        }
        print(f"left at n = {n}: " + ", ".join(f"{left[after]:.3f}" for after in range(4) if after in left))
    for nodes in (16, 18):
        model = filling(nodes)
        left = ", ".join(f"{share:.4f}" for share in model.left[:4])
        print(f"model of {nodes} nodes: {left} left; {model.last_wait:.4f} last, {model.before:.4f} before")


@style.styled()
def draw(exact: list[Size], run: list[Size]) -> Figure:
    """The share of traps, what E[T] is made of, and local exponents."""
    figure, ((left, middle, right),) = style.panels(1, 3, height=2.9)
    n = [size.n for size in run]
    low, high = (
        np.array([clopper_pearson(size.traps, size.runs, 0.975)[end] for size in run]) for end in (0, 1)
    )
    share = np.array([size.share for size in run])
    left.errorbar(
        n, share, [share - low, high - share], color=style.BLUE, marker="o", ls="none", label="runs"
    )
    left.plot([size.n for size in exact], [size.share for size in exact], label="exact", **style.EXACT)
    left.axhline(filling(18).left[0], color=style.VERMILION, linestyle="--", label="model, n → ∞")
    left.set(ylabel="chance to come to a trap", ylim=(0, 0.45))
    left.legend(loc="lower right")

    bottom = np.zeros(len(n))
    for number, name in enumerate(run[0].parts):
        part = np.array([size.parts[name] for size in run])
        middle.fill_between(
            n, bottom, bottom + part, color=style.COLOURS[number], alpha=0.6, lw=0, label=name
        )
        bottom = bottom + part
    middle.plot([size.n for size in exact], [size.mean for size in exact], **style.EXACT)
    middle.set(ylabel="E[T] in units of Theorem 4's time", ylim=(0, 1.2))
    handles, labels = middle.get_legend_handles_labels()
    middle.legend(handles[::-1], labels[::-1], loc="upper left")

    steps = [((a.n * b.n) ** 0.5, *exponent(a, b)) for a, b in pairwise(run)]
    x, slope, error = (np.array(column) for column in zip(*steps, strict=True))
    right.errorbar(x, slope, 1.96 * error, color=style.BLUE, marker="o", ls="none", label="runs")
    steps = [((a.n * b.n) ** 0.5, *exponent(a, b)) for a, b in pairwise(exact)]
    right.plot([step[0] for step in steps], [step[1] for step in steps], label="exact", **style.EXACT)
    ideal = [(k, log(float(expected_iterations(k + 1) / expected_iterations(k - 1))) / log((k + 1) / (k - 1)))
             for k in range(4, 50)]  # fmt: skip
    right.plot(*zip(*ideal, strict=True), color=style.VERMILION, linestyle="--", label="Theorem 4's start")
    right.axhline(6, color=style.GREY, lw=0.6)
    right.set(ylabel="local exponent of E[T]", ylim=(5, 10))
    right.legend()
    for axes in (left, middle, right):
        style.log_size_axis(axes, TICKS)
        axes.set_xlim(2.7, 56)
    return figure


def main() -> None:
    """Read, tell, draw."""
    exact, run = sizes("exact"), sizes("runs")
    tell(exact, run)
    style.save(draw(exact, run), HERE / "figure.svg")


if __name__ == "__main__":
    main()
