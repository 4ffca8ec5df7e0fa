"""Trees as circuits."""

from __future__ import annotations

import numpy as np

from gatewalk.boolean.gates import gate_set
from gatewalk.circuit.circuit import Circuit
from gatewalk.tgp.phenotype import circuit
from gatewalk.tgp.terminals import TerminalSet

TWICE = [0, 0, 1, 1, 0, 0, 1, 2, 1, -1, -2, 1, -3, -4]  # (x1 or x2) and (x2 or x1)


def made(program: list[int], *, negated: bool = False, empty: str = "never", merge: bool = False) -> Circuit:
    return circuit(
        np.array(program, dtype=np.int32),
        gates=gate_set("and,or,nimply"),
        terminals=TerminalSet(2, 0, negated),
        input_labels=("x1", "x2"),
        output_labels=("y",),
        empty=empty,
        merge=merge,
    )


def test_equal_subexpressions_are_merged_if_asked() -> None:
    assert len(made(TWICE)) == 3
    merged = made(TWICE, merge=True)
    assert len(merged) == 2
    assert merged.nodes[1].sources == (2, 2)


def test_the_order_of_inputs_matters_where_the_gate_says_so() -> None:
    ordered = [number if place not in (8, 11) else 2 for place, number in enumerate(TWICE)]
    assert len(made(ordered, merge=True)) == 3


def test_one_leaf_is_a_wire_and_a_negated_one_a_gate() -> None:
    assert made([-1, 1]).outputs == (1,)
    assert len(made([-1, 1])) == 0
    inverted = made([-1, 3], negated=True)
    assert [node.gate.name for node in inverted.nodes] == ["not"]
    assert inverted.nodes[0].sources == (1,)


def test_a_negation_is_shared_only_when_merging() -> None:
    both = [0, 2, 2, 0, -1, -2]
    assert len(made(both, negated=True)) == 3
    assert len(made(both, negated=True, merge=True)) == 2


def test_the_empty_program_is_a_constant() -> None:
    assert [node.gate.name for node in made([], empty="false").nodes] == ["const0"]
    assert [node.gate.name for node in made([], empty="true").nodes] == ["const1"]


def test_deep_trees_need_no_recursion() -> None:
    leaves = 5000
    program = [0, *([0] * leaves)]
    for node in range(leaves - 1):
        program += [0, -1 - node, node + 1 if node < leaves - 2 else -leaves]
    assert len(made(program)) == leaves - 1
    assert len(made(program, merge=True)) == leaves - 1
