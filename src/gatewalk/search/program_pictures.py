"""Pictures of a run's final program with inactive nodes in grey: schematic, and genotype as in Figure 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gatewalk.cgp.genotype import Genes, Shape
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture import Picture
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.program_drawing import genotype_picture
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
    return schematic(whole_circuit(**_program(run)))


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


def whole_circuit(
    shape: Shape, genes: Genes, *, input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """A circuit of all nodes, active or not."""
    nodes: list[Node] = []
    listed = genes.tolist()
    for first in range(0, shape.nodes * shape.block, shape.block):
        gate = shape.gates.gates[listed[first]]
        nodes.append(Node(gate, tuple(listed[first + 1 : first + 1 + gate.arity])))
    outputs = tuple(listed[shape.nodes * shape.block :])
    return Circuit(tuple(input_labels), tuple(nodes), outputs, tuple(output_labels))
