"""The best circuits of a store: for each target the smallest that fits its training set, drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.boolean.targets import label_of
from gatewalk.campaign.results import Results
from gatewalk.campaign.stored import StoredCell
from gatewalk.circuit.drawing import svg
from gatewalk.report.sections.cells import Cells, Tell
from gatewalk.report.sections.numbers import counted, finite

MOST_CIRCUITS = 24
_MOST_GATES = 80  # a larger circuit is not drawn on a page
_MOST_BYTES = 60_000  # of one drawing
_MOST_INPUTS = 200


def circuits(results: Results, cells: Cells, *, tell: Tell | None = None) -> dict[str, Any]:
    """Drawings of the smallest circuits, as SVG.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> found = run(campaign(target="and:3", replications=5, seed=7), jobs=1)
    >>> [one["gates"] for one in circuits(found, read_cells(found))["drawn"]]
    [2]
    """
    best = _smallest(cells)
    if not best:
        reason = "No run has solved its task yet." if cells.read else "There is no finished run yet."
        return {"drawn": [], "reason": reason, "note": ""}
    drawn = []
    chosen = list(best.items())[:MOST_CIRCUITS]
    for place, (target, (stored, cell, run)) in enumerate(chosen):
        if tell is not None:
            tell("drawing circuits", place / len(chosen))
        drawn.append({"target": label_of(target), **_drawn(results, stored, cell, run)})
    left_out = len(best) - len(chosen)
    note = f"{counted(left_out, 'more target')} left out of this page." if left_out else ""
    return {"drawn": drawn, "reason": "", "note": note}


def _smallest(cells: Cells) -> dict[str, tuple[StoredCell, CellRuns, int]]:
    """For each target, the run whose circuit has the fewest gates; the first of several.

    A run on a sampled training set counts only if there is none on the complete set; of those, the ones that
    do best on validation rows come first, because a small circuit may fit few rows by chance.
    """
    best: dict[str, tuple[tuple[bool, float, int], tuple[StoredCell, CellRuns, int]]] = {}
    for stored, cell in cells.read:
        solved = np.flatnonzero(cell.columns["solved"])
        if not solved.size:
            continue
        gates = np.asarray(cell.columns["gates"])[solved]
        shares = np.asarray(cell.columns["generalisation"], dtype=np.float64)[solved]
        first = int(np.lexsort((gates, -shares))[0])
        place = int(solved[first])
        target = cell.values["target"]
        sampled = not np.isnan(shares[first])
        rank = (sampled, -float(shares[first]) if sampled else 0.0, int(gates[first]))
        if target not in best or rank < best[target][0]:
            best[target] = (rank, (stored, cell, place))
    return {target: found for target, (_, found) in best.items()}


def _drawn(results: Results, stored: StoredCell, cell: CellRuns, place: int) -> dict[str, Any]:
    number = int(cell.columns["run"][place])
    circuit = results.run(stored, number).circuit
    simple = circuit.simplify()
    words = counted(len(simple), "gate")
    if len(simple) < len(circuit):
        words += f" after simplification, {len(circuit):,} as evolved"
    words += f", run {number:,} of {cell.label}."
    share = finite(float(cell.columns["generalisation"][place]), 4)
    if share is not None:
        right = "all" if share == 1 else f"{100 * share:.1f} %"
        words += f" It fits a sampled training set; on validation rows {right} of its outputs are right."
    picture = None
    if len(simple) > _MOST_GATES or len(simple.input_labels) > _MOST_INPUTS:
        words += " It is too large to draw here; gatewalk evolve --out writes such a circuit as a file."
    else:
        picture = svg(simple)
        if len(picture) > _MOST_BYTES:
            picture, words = None, f"{words} Its drawing is too large for this page."
    return {"svg": picture, "words": words, "gates": len(simple)}
