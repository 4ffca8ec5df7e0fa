"""Cells of the paper's experiments with running times that a test makes up."""

import numpy as np

import gatewalk as gw
from gatewalk.stats import sample
from gatewalk_studies.paper.cells import MODELS, SELECTIONS, Cell, Place

RUNS = 30


# Means in which the paper's claims are true.
TRUE = {"cgp-1n": 9000.0, "cgp-2n": 1000.0, "cgp-3n": 120.0, "tgp-single": 20.0, "tgp-multi": 15.0}


def made(mean_of, *, strict=8.0, part="complete"):
    """Exponential times with these means, times n; strict ones longer for CGP."""
    rng = np.random.default_rng(7)
    cells = {}
    for selection in SELECTIONS:
        for model in MODELS:
            for n in range(6, 12):
                factor = strict if selection == "strict" and model.nodes else 1.0
                drawn = rng.exponential(mean_of[model.name] * n * factor, RUNS)
                ability = np.full(RUNS, 1 - 2.0**-n - 0.01) if part == "incomplete" else np.zeros(0)
                words = {"algorithm": model.algorithm, "selection": selection}
                words |= {"nodes": model.nodes} if model.nodes else {}
                cells[Place(part, "paper", selection, model.name, n)] = cell_of(
                    np.minimum(drawn, 1e6),
                    drawn < 1e6,
                    ability=ability,
                    search=gw.search_for(f"and:{n}", **words),
                )
    return cells


def cell_of(iterations, solved, *, ability=None, search=None):
    """A cell with these runs."""
    runs = sample(iterations, solved)
    generalisation = np.linspace(0.5, 1.0, runs.runs) if ability is None else ability
    search = search or gw.search_for("and:4", nodes=4)
    return Cell(search=search, runs=runs, all_runs=runs, generalisation=generalisation)
