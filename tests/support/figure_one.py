"""The example of the paper's Figure 1: three inputs, five nodes of which node 6 is inactive."""

from __future__ import annotations

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Genes, Shape, check


def figure_1() -> tuple[Shape, Genes]:
    """Its shape and genes."""
    shape = Shape(3, 1, 5, gate_set(["and", "or", "nor"]))
    blocks = [[0, 0, 1], [2, 3, 2], [1, 4, 3], [2, 0, 4], [0, 5, 1], [7]]
    return shape, check(shape, [gene for block in blocks for gene in block])
