"""The published data: Table 2 and the points of Figures 2 and 3 (source: data/README.md)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import nan

REPLICATIONS = 30
SOURCE = (
    "Dang, Kalkreuth, Opris: Runtime Analysis of Cartesian Genetic Programming in Evolving Boolean "
    "Functions, 2026, arXiv:2606.15923"
)


@dataclass(frozen=True)
class Row:
    """A cell of Table 2: iterations of the successful runs of 30; NaN where there were none.

    mean: as plotted in Figure 2, to four or five digits; the table prints it rounded.
    """

    successes: int
    mean: float
    std: float
    min: float
    q1: float
    median: float
    q3: float
    max: float


@cache
def table2() -> dict[tuple[str, str, int], Row]:
    """Table 2 by (selection, model, n), with this package's names for them."""
    plotted = figure("fig2", "runtime")
    found = {}
    for line in _lines("table2.csv"):
        key = (_selection(line["selection"]), _model(line["model"]), int(line["n"]))
        values = {
            name: float(line[name] or nan) for name in ("mean", "std", "min", "q1", "median", "q3", "max")
        }
        values["mean"] = plotted.get(key, values["mean"])
        found[key] = Row(int(line["successes"] or 0), **values)
    return found


@cache
def figure(name: str, quantity: str) -> dict[tuple[str, str, int], float]:
    """Plotted means by (selection, model, n): ("fig2" | "fig3", "runtime" | "generalisation")."""
    return {
        (_selection(line["selection"]), _model(line["model"]), int(line["n"])): float(line["value"])
        for line in _lines("figure_values.csv")
        if line["figure"] == name and line["quantity"] == quantity
    }


def _lines(name: str) -> Iterator[dict[str, str]]:
    text = files("gatewalk.studies.paper").joinpath("data", name).read_text(encoding="utf-8")
    return iter(csv.DictReader(text.splitlines()))


def _selection(text: str) -> str:
    return text.replace("-", "")


def _model(text: str) -> str:
    return text.removeprefix("simple_").replace("_sam", "").replace("_", "-")
