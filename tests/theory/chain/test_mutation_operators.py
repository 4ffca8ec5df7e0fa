"""Point and rate mutation as operators, against all offspring of all programs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from all_programs import Program, programs_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.errors import InputError
from gatewalk.theory.chain.mutation_operators import operator_of
from gatewalk.theory.chain.node_states import axes_of, output_axis


def changed(shape: Shape, genes: Program, gene: int) -> dict[Program, float]:
    """One gene given a new value, if it has another."""
    others = [value for value in valid_values(shape, gene) if value != genes[gene]]
    if not others:
        return {genes: 1.0}
    return {(*genes[:gene], value, *genes[gene + 1 :]): 1 / len(others) for value in others}


def by_points(shape: Shape, genes: Program, points: int) -> dict[Program, float]:
    now = {genes: 1.0}
    for _ in range(points):
        after: dict[Program, float] = {}
        for program, chance in now.items():
            for gene in range(shape.length):
                for other, share in changed(shape, program, gene).items():
                    after[other] = after.get(other, 0.0) + chance * share / shape.length
        now = after
    return now


def by_rate(shape: Shape, genes: Program, rate: float) -> dict[Program, float]:
    result: dict[Program, float] = {}
    for other in programs_of(shape):
        chance = 1.0
        for gene, (old, new) in enumerate(zip(genes, other, strict=True)):
            others = len(valid_values(shape, gene)) - 1
            if others:
                chance *= 1 - rate if old == new else rate / others
        result[other] = chance
    return result


@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("mutation", ["point:1", "point:2", "rate:0.3"])
@pytest.mark.parametrize("gates", ["and", "or,xor"])
def test_the_mean_over_all_offspring(gates: str, mutation: str, swaps: bool) -> None:
    shape = Shape(2, 1, 1, gate_set(gates))
    axes = [*axes_of(shape, swaps=swaps), output_axis(shape)]
    kind, _, strength = mutation.partition(":")
    values = np.random.default_rng(1).random(tuple(len(axis) for axis in axes))
    found = operator_of(mutation, shape, axes)(values).reshape(values.shape)

    def place(genes: Program) -> tuple[int, int]:
        return int(axes[0].lookup[genes[:3]]), int(axes[1].lookup[0, genes[3], 0])

    for genes in product(*(valid_values(shape, gene) for gene in range(shape.length))):
        if kind == "point":
            offspring = by_points(shape, genes, int(strength))
        else:
            offspring = by_rate(shape, genes, float(strength))
        assert sum(offspring.values()) == pytest.approx(1)
        known = sum(chance * values[place(other)] for other, chance in offspring.items())
        assert found[place(genes)] == pytest.approx(known, rel=1e-11)


def test_sam_looks_at_active_nodes_and_is_refused() -> None:
    shape = Shape(2, 1, 1, gate_set("and"))
    with pytest.raises(InputError, match="point:K and rate:P"):
        operator_of("sam", shape, [*axes_of(shape), output_axis(shape)])
