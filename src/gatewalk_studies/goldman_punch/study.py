"""Goldman and Punch (2013): their runs compared with ours, and their claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gatewalk.campaign.plan import Cell
from gatewalk.search.scheduler import threads
from gatewalk.studies import Drawing, Findings, Measured
from gatewalk.studies.goldman_punch import figures
from gatewalk.studies.goldman_punch.active_nodes import Active, active_of, active_table, parsimony
from gatewalk.studies.goldman_punch.agreement import agreement, direction_table, holm_table
from gatewalk.studies.goldman_punch.cells import key_of, published_runs
from gatewalk.studies.goldman_punch.evaluations import (
    breadth,
    breadth_claim,
    exponent,
    lengths,
    medians,
    rates,
)
from gatewalk.studies.goldman_punch.identical import (
    WATCHED_OFFSPRING,
    WATCHED_RUNS,
    identical_claim,
    identical_table,
)
from gatewalk.theory.identical_offspring import identical_runs, rate_of


def observe(cell: Cell, *, jobs: int | None) -> dict[str, Any] | None:
    """Count identical offspring by the active genes of their parents, with one offspring per generation."""
    if not (cell.settings.mutation or "").startswith("rate:"):
        return None
    settings = replace(cell.settings, offspring=1, budget=WATCHED_OFFSPRING)
    found = identical_runs(settings, seed=cell.seed, runs=range(WATCHED_RUNS), jobs=threads(jobs))
    return {
        "rate": rate_of(settings),
        "genes": found.genes.tolist(),
        "offspring": found.offspring.tolist(),
        "identical": found.identical.tolist(),
        "nodes": found.nodes,
    }


def findings(measured: Measured) -> Findings:
    """Claims on agreement, medians, lengths, rates, Breadth and identical offspring."""
    ours = {key_of(cell): cell for cell in measured.cells}
    theirs = published_runs(measured.study)
    resamples = 20 if measured.quick else 200
    by_size = breadth(ours, theirs)
    fits = {name: exponent(along, resamples=resamples) for name, along in by_size.items()}
    active = active_of(ours)
    quick = measured.quick
    return Findings(
        claims=(
            agreement(measured.compared, quick=quick),
            medians(ours, theirs, quick=quick),
            lengths(ours, theirs, quick=quick),
            parsimony(active, quick=quick),
            rates(ours, quick=quick),
            breadth_claim(fits, quick=quick),
            identical_claim(measured.cells, quick=quick),
        ),
        figures=(
            Drawing(
                name="evaluations",
                caption="Median evaluations, (1+4) CGP: filled ours with 95 % intervals, open marks "
                "published; an arrow: fewer than half of the runs succeeded within 10⁷. "
                "Left: the 3-bit multiplier by nodes. Middle: four problems by mutation rate at 3,000 nodes; "
                "at the left edge single active-gene mutation. Right: Breadth, with the fitted power of our "
                "mean.",
                draw=partial(figures.draw_evaluations, ours, theirs, fits.get("ours")),
            ),
            *_active_drawing(active),
            *_identical_drawing([cell.observed for cell in measured.cells if cell.observed]),
        ),
        tables=(
            ("holm", holm_table(measured.compared)),
            ("direction", direction_table(ours, theirs)),
            ("active-nodes", active_table(active)),
            ("identical", identical_table(measured.cells)),
        ),
    )


def _active_drawing(active: Sequence[Active]) -> list[Drawing]:
    """The figure of active nodes; None if no multiplier was found, as in a quick run."""
    along = [row for row in active if (row.problem, row.mutation) == ("multiply", "sam")]
    drawing = Drawing(
        name="active",
        caption="Active nodes of solutions of the 3-bit multiplier by nodes, with single active-gene "
        "mutation: means and, of ours, the interval that 95 % of solutions are in; dashed: all nodes.",
        draw=partial(figures.draw_active, along),
    )
    return [drawing] if along else []


def _identical_drawing(seen: Sequence[Mapping[str, Any]]) -> list[Drawing]:
    drawing = Drawing(
        name="identical-offspring",
        caption="Share of offspring that are actively identical to their parents, by the active genes of the "
        "parent that can change: points are watched runs of all problems, lines the formula. At rates of 0.1 "
        "and 0.4 there are hardly any.",
        draw=partial(figures.draw_identical, seen),
    )
    return [drawing] if seen else []
