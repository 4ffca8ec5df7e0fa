"""Pictures of a run's final program with inactive nodes in grey: schematic, and genotype as in Figure 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from gatewalk.cgp.drawing import genotype_picture
from gatewalk.cgp.genotype import decode_whole
from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture import Picture
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.run import Run


def program_schematic(run: Run) -> Picture:
    """All nodes of the program as gates.

    Examples
    --------
    >>> import gatewalk as gw
    >>> from gatewalk.circuit.picture_files import write_picture
    >>> picture = program_schematic(gw.evolve("and:4", nodes=8, seed=1))
    >>> write_picture(picture, "program.svg")  # doctest: +SKIP
    """
    return schematic(decode_whole(**_program(run)))


def program_genotype(run: Run) -> Picture:
    """The nodes in a row with their edges, and the genes of each below it."""
    return genotype_picture(**_program(run))


def _program(run: Run) -> dict[str, Any]:
    if run.settings.algorithm != "cgp":
        raise InputError(f"{run.settings.algorithm} has trees, without inactive nodes: draw run.circuit")
    return {
        "shape": shape_of(run.settings),
        "genes": run.program.astype(np.int64),
        "input_labels": run.circuit.input_labels,
        "output_labels": run.circuit.output_labels,
    }
