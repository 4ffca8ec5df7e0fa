"""Levels and sub-levels against the literal CGP and against the definition of the proofs."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import shape_for, valid_values
from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.law import PAPER, TINYVERSE, CgpLaw
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.theory import levels

is_plus = entry(levels.is_plus)


def layout(n: int, nodes: int, law: CgpLaw = PAPER) -> Layout:
    return layout_of(shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set("and"), law=law))


def look_at(place: Layout, program: list[int]) -> tuple[int, int, int, int]:
    """Level, active gates, sub-level by counting, free connections by definition."""
    genes = np.array(program, dtype=np.int32)
    workspace = levels.workspace_of(place)
    mark_active(place, genes, workspace.active)
    level, gates = levels.level_and_gates(place, genes, workspace.active, workspace)
    plus = is_plus(place, genes, workspace.active, workspace, level, gates, False)
    free = levels.free_connections(place, genes, workspace.active, workspace, 10**6)
    assert genes.tolist() == program
    return int(level), int(gates), int(plus), int(free)


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (3, 2), (4, 3), (4, 8), (6, 5), (6, 20)])
def test_sub_level_is_a_surplus_of_gates(n: int, nodes: int, literal: ModuleType) -> None:
    rng = random.Random(n * 100 + nodes)
    place = layout(n, nodes)
    for _ in range(300):
        program = literal.random_program(n, nodes, rng)
        level, gates, plus, free = look_at(place, program)
        assert level == len(literal.used_inputs(n, program))
        assert gates == len(literal.active_nodes(n, program))
        if level < n:
            assert plus == (gates > level - 1) == (free > 0)
        assert free == free_by_definition(n, program, literal)


def free_by_definition(n: int, program: list[int], literal: ModuleType) -> int:
    """Try every unused input at every connection of an active node and at the output."""
    nodes = len(program) // 3
    used = literal.used_inputs(n, program)
    active = literal.active_nodes(n, program)
    found = 0
    for gene in range(len(program)):
        if gene < 3 * nodes and (gene % 3 == 0 or gene // 3 not in active):
            continue
        raised = []
        for unused in set(range(n)) - used:
            changed = list(program)
            changed[gene] = unused
            raised.append(len(literal.used_inputs(n, changed)) > len(used))
        assert len(set(raised)) <= 1  # which unused input does not matter
        found += any(raised)
    return found


def test_limited_reach_asks_for_an_unused_input_in_reach() -> None:
    n, nodes = 4, 4
    place = layout(n, nodes, TINYVERSE)
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set("and"), law=TINYVERSE)
    reach = [set(valid_values(shape, gene)) for gene in range(shape.length)]
    rng = random.Random(5)
    workspace = levels.workspace_of(place)
    seen = set()
    for _ in range(500):
        genes = np.array([rng.choice(sorted(values)) for values in reach], dtype=np.int32)
        mark_active(place, genes, workspace.active)
        level, gates = levels.level_and_gates(place, genes, workspace.active, workspace)
        plus = is_plus(place, genes, workspace.active, workspace, level, gates, True)
        expected = any_rises(place, genes, reach, int(level))
        assert bool(plus) == (expected and level < n)
        seen.add((gates > level - 1, bool(plus)))
    assert (True, False) in seen  # a surplus gate whose free connection reaches no unused input


def any_rises(place: Layout, genes: np.ndarray, reach: list[set[int]], level: int) -> bool:
    workspace = levels.workspace_of(place)
    active = np.zeros(place.inputs + place.nodes + 2, dtype=np.uint8)
    mark_active(place, genes, active)
    for gene, values in enumerate(reach):
        if not active[place.inputs + place.owner[gene]] or (gene % 3 == 0 and gene < 3 * place.nodes):
            continue
        for value in values & set(range(place.inputs)):
            changed = genes.copy()
            changed[gene] = value
            mark_active(place, changed, workspace.active)
            if levels.level_and_gates(place, changed, workspace.active, workspace)[0] > level:
                return True
    return False


def undoing_genes(literal: ModuleType, n: int, program: list[int]) -> set[int]:
    """The active genes of which some value leads from i+ to i-: the same level without a surplus gate."""
    nodes, level = len(program) // 3, len(literal.used_inputs(n, program))
    connections = {3 * node + place for node in literal.active_nodes(n, program) for place in (1, 2)}
    found = set()
    for gene in connections | {3 * nodes}:
        for value in range(literal.values(n, nodes, gene)):
            child = [*program[:gene], value, *program[gene + 1 :]]
            if (len(literal.used_inputs(n, child)), len(literal.active_nodes(n, child))) == (
                level,
                level - 1,
            ):
                found.add(gene)
    return found


def test_three_genes_can_undo_a_free_connection(literal: ModuleType) -> None:
    """The gap in the proof of Theorem 6, which counts at most two."""
    n, counterexample = 4, [0, 0, 1, 0, 0, 2, 0, 4, 5, 0, 4, 2, 6]
    assert literal.used_inputs(n, counterexample) == {0, 1, 2}
    assert literal.active_nodes(n, counterexample) == {0, 1, 2}  # one more than three inputs need: 3+
    assert undoing_genes(literal, n, counterexample) == {7, 8, 12}  # both connections of node 6, the output


def test_programs_with_three_such_genes_are_not_rare(literal: ModuleType) -> None:
    """One in sixteen at 3+ with n = D = 4; a share of 0.063 in 2000 is outside by chance with 1e-8."""
    rng, counts = random.Random(5), []
    while len(counts) < 2000:
        program = literal.random_program(4, 4, rng)
        if len(literal.used_inputs(4, program)) == 3 and len(literal.active_nodes(4, program)) > 2:
            counts.append(len(undoing_genes(literal, 4, program)))
    assert max(counts) == 3
    assert abs(counts.count(3) / 2000 - 0.063) < 0.031
