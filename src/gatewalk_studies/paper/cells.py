"""The cells of the reproduction, and the published numbers of the same cells.

And_n on complete and on sampled sets under two profiles; five models, two selections. Xor_n on complete sets
under Algorithms 1-3 only, which is what Theorem 9 is about (the levels-back of the other profile puts an
input out of reach when D = n - 1), and only non-strict: all programs but the optimal ones are equally fit, so
strict selection leaves its start only by luck.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

import gatewalk as gw
from gatewalk.analysis import CellRuns
from gatewalk.stats import Sample

REPLICATIONS = 30  # of every published cell; and of ours, unless --replications says otherwise
PARTS = ("complete", "incomplete", "xor")
PROFILES = ("tinyverse", "paper")
PROFILE_WORDS = {
    "tinyverse": "as the published experiments ran",
    "paper": "Algorithms 1\N{EN DASH}3 to the letter",
}
SELECTIONS = ("nonstrict", "strict")
SELECTION_WORDS = {"nonstrict": "non-strict", "strict": "strict"}
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Model:
    """An algorithm with its number of nodes; `nodes` is an expression in n, empty for trees."""

    name: str
    algorithm: str
    nodes: str

    def nodes_under(self, profile: str) -> str:
        """The number of nodes: S n by the text of the paper; the published runs had one more."""
        return f"{self.nodes}+1" if profile == "tinyverse" and self.nodes else self.nodes

    def label(self, profile: str = "paper") -> str:
        """The name of the model in tables."""
        if not self.nodes:
            return "TGP " + self.algorithm.removeprefix("tgp-")
        return f"CGP, D = {self.nodes_under(profile).replace('-', MINUS)}"


CGP = (Model("cgp-1n", "cgp", "n"), Model("cgp-2n", "cgp", "2n"), Model("cgp-3n", "cgp", "3n"))
TGP = (Model("tgp-single", "tgp-single", ""), Model("tgp-multi", "tgp-multi", ""))
MODELS = (*CGP, *TGP)
XOR_MODELS = (Model("cgp-n-1", "cgp", "n-1"), *CGP[:2], *TGP)
_BY_NAME = {model.name: model for model in (*XOR_MODELS, *MODELS)}


def label(name: str, profile: str = "paper") -> str:
    """A model's label by its name."""
    return _BY_NAME[name].label(profile)


@dataclass(frozen=True)
class Place:
    """Where a cell belongs: its part, profile, selection, model and n."""

    part: str
    profile: str
    selection: str
    model: str
    n: int


@dataclass(frozen=True)
class Cell:
    """The runs of a cell.

    runs: as many as figures and claims use in every cell. all_runs: these and the others that tests use.
    generalisation: of the programs of `runs`, on complete sets empty.
    """

    search: gw.CgpSearch | gw.TgpSearch
    runs: Sample
    all_runs: Sample
    generalisation: NDArray[np.float64]

    @property
    def nodes(self) -> int | None:
        """The number of nodes; None of trees."""
        return self.search.nodes if isinstance(self.search, gw.CgpSearch) else None


Cells = Mapping[Place, Cell]


def cells_by_place(cells: tuple[CellRuns, ...], *, replications: int) -> dict[Place, Cell]:
    """The cells of the study's campaign by their places. replications: how many runs `Cell.runs` has."""
    return {
        Place(
            part=part_of(cell.words),
            profile=cell.words["profile"],
            selection=cell.words["selection"],
            model=_model_of(cell.words).name,
            n=cell.values["n"],
        ): Cell(
            search=cell.search,
            runs=Sample(cell.runs.iterations[:replications], cell.runs.solved[:replications]),
            all_runs=cell.runs,
            generalisation=np.array(
                [value for value in cell.columns["generalisation"][:replications] if value is not None],
                dtype=np.float64,
            ),
        )
        for cell in cells
    }


def part_of(words: Mapping[str, Any]) -> str:
    """The part of the reproduction to which the cell belongs that these words of the campaign describe."""
    if words["target"].startswith("xor"):
        return "xor"
    return "complete" if words["training"] == "complete" else "incomplete"


def _model_of(words: Mapping[str, Any]) -> Model:
    return next(
        model
        for model in _BY_NAME.values()
        if model.algorithm == words["algorithm"]
        and model.nodes_under(words["profile"]) == words.get("nodes", "")
    )


def line(cells: Cells, part: str, profile: str, selection: str, model: str) -> dict[int, Cell]:
    """The cells of one curve, by n."""
    return {
        place.n: cell
        for place, cell in sorted(cells.items(), key=lambda item: item[0].n)
        if (place.part, place.profile, place.selection, place.model) == (part, profile, selection, model)
    }


def sizes_of(cells: Cells, part: str) -> list[int]:
    """Every n that this part has."""
    return sorted({place.n for place in cells if place.part == part})


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
    plotted = plotted_means("fig2", "runtime")
    rows = {}
    for entry in _entries("table2.csv"):
        key = _key(entry)
        values = {
            name: float(entry[name] or nan) for name in ("mean", "std", "min", "q1", "median", "q3", "max")
        }
        values["mean"] = plotted.get(key, values["mean"])
        rows[key] = Row(int(entry["successes"] or 0), **values)
    return rows


@cache
def plotted_means(name: str, quantity: str) -> dict[tuple[str, str, int], float]:
    """Plotted means by (selection, model, n): ("fig2" | "fig3", "runtime" | "generalisation")."""
    return {
        _key(entry): float(entry["value"])
        for entry in _entries("figure_values.csv")
        if entry["figure"] == name and entry["quantity"] == quantity
    }


def _entries(name: str) -> Iterator[dict[str, str]]:
    text = files(__package__).joinpath("data", name).read_text(encoding="utf-8")
    return iter(csv.DictReader(text.splitlines()))


def _key(entry: Mapping[str, str]) -> tuple[str, str, int]:
    model = entry["model"].removeprefix("simple_").replace("_sam", "").replace("_", "-")
    return entry["selection"].replace("-", ""), model, int(entry["n"])


@dataclass(frozen=True)
class SuccessfulRuns:
    """The statistics in the tables of the paper: of the successful runs only, with how many they are."""

    runs: int
    successes: int
    mean: float
    std: float
    min: float
    q1: float
    median: float
    q3: float
    max: float


def successful_runs(data: Sample) -> SuccessfulRuns:
    """Mean, standard deviation (n-1) and quartiles of the successful runs; censored runs are left out.

    If any run is censored, these numbers are too low.

    >>> from gatewalk.stats import sample
    >>> successful_runs(sample([3, 5, 9], [True, True, False])).mean
    4.0
    """
    times = data.times
    if times.size == 0:
        return SuccessfulRuns(data.runs, 0, nan, nan, nan, nan, nan, nan, nan)
    low, q1, median, q3, high = (float(value) for value in np.quantile(times, [0, 0.25, 0.5, 0.75, 1]))
    std = float(times.std(ddof=1)) if times.size > 1 else nan
    mean = float(times.mean())
    return SuccessfulRuns(data.runs, data.successes, mean, std, low, q1, median, q3, high)
