"""The paper's experiments (Table 1) as campaigns, and the Xor experiment it does not have.

And_n on complete sets, n = 3..15, and on sampled sets of ceil(n^1.3) rows, n = 3..50; five models,
two selections, two profiles. Xor_n under Algorithms 1-3 only, which is what Theorem 9 is about (the
levels-back of the other profile puts an input out of reach when D = n - 1), and only non-strict: all
programs but the optimal ones are equally fit, so strict selection leaves its start only by luck.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.campaign import Campaign, Grid, Progress, Results, grid
from gatewalk.campaign import run as run_campaign
from gatewalk.campaign.results import NAMES
from gatewalk.search.reading import in_n
from gatewalk.stats.sample import Sample, sample
from gatewalk.studies.paper.models import (
    CGP,
    MODELS,
    PARTS,
    PROFILES,
    SELECTIONS,
    TGP,
    XOR_MODELS,
    Model,
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to reproduce. comparison: how many runs of each short cell the tests of agreement use."""

    parts: tuple[str, ...] = PARTS
    profiles: tuple[str, ...] = PROFILES
    replications: int = 30
    comparison: int = 120
    budget: int = 1_000_000
    seed: int = 1
    complete: tuple[int, ...] = tuple(range(3, 16))
    incomplete: tuple[int, ...] = tuple(range(3, 51))
    xor: tuple[int, ...] = tuple(range(2, 11))

    def quick(self) -> Request:
        """The same request in seconds: small n and short runs, but through all of the code."""
        return replace(
            self,
            budget=20_000,
            complete=tuple(range(3, 8)),
            incomplete=(3, 5, 8, 12, 20, 30, 50),
            xor=tuple(range(2, 6)),
        )


@dataclass(frozen=True)
class Place:
    """The place of a cell: its part, profile, selection, model and n."""

    part: str
    profile: str
    selection: str
    model: str
    n: int


@dataclass(frozen=True)
class Cell:
    """The runs of a cell. runs: the replications asked for. all_runs: these and any others in the store."""

    nodes: int | None
    runs: Sample
    all_runs: Sample
    generalisation: NDArray[np.float64]


Cells = Mapping[Place, Cell]
Watch = Callable[[str, Progress], None]


def line(cells: Cells, part: str, profile: str, selection: str, model: str) -> dict[int, Cell]:
    """The cells of one curve, by n."""
    found = {
        place.n: cell
        for place, cell in cells.items()
        if (place.part, place.profile, place.selection, place.model) == (part, profile, selection, model)
    }
    return dict(sorted(found.items()))


def conjunctions(request: Request) -> Campaign:
    """The campaign of all And_n runs; short cells on complete sets get more runs."""
    grids: list[Grid] = []
    for profile in request.profiles:
        for part in request.parts:
            if part != "xor":
                grids += _grids(request, part, profile)
    return Campaign(grids=tuple(grids), seed=request.seed, name="paper")


def _grids(request: Request, part: str, profile: str) -> list[Grid]:
    sizes = request.complete if part == "complete" else request.incomplete
    often = max(request.replications, request.comparison) if part == "complete" else request.replications
    base: dict[str, Any] = {
        "target": [f"and:{n}" for n in sizes],
        "profile": profile,
        "training": "complete" if part == "complete" else "sample",
        "budget": request.budget,
    }
    nodes = [model.nodes_under(profile) for model in CGP]
    trees = [model.algorithm for model in TGP]
    return [
        grid(**base, algorithm=trees, selection=SELECTIONS, replications=often),
        grid(**base, nodes=nodes, selection="nonstrict", replications=often),
        grid(**base, nodes=nodes, selection="strict", replications=request.replications),
    ]


def exclusives(request: Request, n: int, models: Iterable[Model]) -> Campaign:
    """The campaign of Xor_n for these models."""
    base: dict[str, Any] = {"target": f"xor:{n}", "profile": "paper", "budget": request.budget}
    grids = [
        grid(**base, algorithm=model.algorithm, nodes=model.nodes or "2n", replications=request.replications)
        for model in models
    ]
    return Campaign(grids=tuple(grids), seed=request.seed, name="paper-xor")


def measure(
    request: Request,
    store: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    watch: Watch | None = None,
) -> dict[Place, Cell]:
    """Make the runs that the store lacks, and read all of them."""
    cells: dict[Place, Cell] = {}

    def run(stage: str, campaign: Campaign) -> dict[Place, Cell]:
        def tell(progress: Progress) -> None:
            if watch:
                watch(stage, progress)

        with run_campaign(campaign, store, jobs=jobs, watch=tell) as results:
            return read(results, request)

    if set(request.parts) & {"complete", "incomplete"}:
        sets = [part for part in ("complete", "incomplete") if part in request.parts]
        cells |= run("And" if len(sets) == 2 else f"And, {sets[0]} sets", conjunctions(request))
    if "xor" in request.parts:
        models: tuple[Model, ...] = XOR_MODELS
        for n in request.xor:
            found = run(f"Xor, n = {n}", exclusives(request, n, models))
            cells |= found
            models = tuple(model for model in models if _hopeful(found, model, n))
            if not models:
                break
    return cells


def _hopeful(cells: Cells, model: Model, n: int) -> bool:
    """Whether at least half of the runs succeeded, so that a larger n is worth its budget."""
    runs = cells[Place("xor", "paper", "nonstrict", model.name, n)].runs
    return 2 * runs.successes >= runs.runs


def read(results: Results, request: Request) -> dict[Place, Cell]:
    """The runs of a campaign of this module, by place."""
    grouped: dict[tuple[Place, int | None], list[tuple[int, int, bool, float | None]]] = {}
    at = {name: NAMES.index(name) for name in NAMES}
    wanted = ("target", "training", "algorithm", "nodes", "n", "profile", "selection")
    places: dict[tuple[object, ...], tuple[Place, int | None]] = {}
    for row in results.rows():
        key = tuple(row[at[name]] for name in wanted)
        if key not in places:
            places[key] = (_place(dict(zip(wanted, key, strict=True))), row[at["nodes"]])
        values = (row[at["run"]], row[at["iterations"]], row[at["solved"]], row[at["generalisation"]])
        grouped.setdefault(places[key], []).append(values)
    return {
        place: _cell(nodes, sorted(rows), request.replications) for (place, nodes), rows in grouped.items()
    }


def _place(values: Mapping[str, object]) -> Place:
    family = str(values["target"]).partition(":")[0]
    part = "xor" if family == "xor" else "complete" if values["training"] == "complete" else "incomplete"
    n, profile = int(str(values["n"])), str(values["profile"])
    model = next(
        model.name
        for model in (XOR_MODELS if part == "xor" else MODELS)
        if model.algorithm == values["algorithm"]
        and (not model.nodes or in_n(model.nodes_under(profile), n) == values["nodes"])
    )
    return Place(part, profile, str(values["selection"]), model, n)


def _cell(nodes: int | None, rows: list[tuple[int, int, bool, float | None]], replications: int) -> Cell:
    asked = [row for row in rows if row[0] < replications]
    abilities = [row[3] for row in asked if row[3] is not None]
    return Cell(
        nodes=nodes,
        runs=sample([row[1] for row in asked], [row[2] for row in asked]),
        all_runs=sample([row[1] for row in rows], [row[2] for row in rows]),
        generalisation=np.array(abilities, dtype=np.float64),
    )
