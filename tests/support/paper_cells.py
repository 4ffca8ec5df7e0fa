"""Cells of the paper's experiments with running times that a test makes up."""

import numpy as np

from gatewalk.stats.sample import sample
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.models import MODELS, SELECTIONS

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
                data = sample(np.minimum(drawn, 1e6), drawn < 1e6)
                ability = np.full(RUNS, 1 - 2.0**-n - 0.01) if part == "incomplete" else np.zeros(0)
                cells[Place(part, "paper", selection, model.name, n)] = Cell(None, data, data, ability)
    return cells
