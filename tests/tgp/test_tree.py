"""Trees in arrays: programs in and out, growth, undo, marks, and what is refused as a program."""

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.errors import InputError
from gatewalk.tgp import tree as module
from gatewalk.tgp.tgp_search import TerminalSet
from gatewalk.tgp.tree import (
    CLEAN,
    MARK,
    PATH,
    TERMINAL,
    TOUCHED,
    check,
    circuit,
    empty_tree,
    grown,
    leaves_of,
    load,
    program_of,
)

open_journal, undo, write_leaf, plant_leaf, touch, clear_marks = (
    entry(getattr(module, name))
    for name in ("open_journal", "undo", "write_leaf", "plant_leaf", "touch", "clear_marks")
)
PROGRAM = np.array([0, 0, 1, 2, 0, 1, -3, 1, -1, -2], dtype=np.int32)  # g0(g1(x0, x1), x2)


def test_a_program_goes_in_and_comes_out():
    tree = empty_tree(4)
    assert program_of(tree).size == leaves_of(program_of(tree)) == 0
    load(tree, PROGRAM)
    assert program_of(tree).tolist() == PROGRAM.tolist()
    assert leaves_of(PROGRAM) == 3
    larger = grown(tree)
    assert larger.leaf.shape[0] == 8
    assert program_of(larger).tolist() == PROGRAM.tolist()


def test_one_leaf():
    tree = empty_tree(4)
    plant_leaf(tree, np.int64(2))
    assert program_of(tree).tolist() == [-1, 2]


def test_writes_are_undone():
    tree = empty_tree(4)
    load(tree, PROGRAM)
    open_journal(tree)
    write_leaf(tree, np.int64(1), TERMINAL, np.int64(2))
    write_leaf(tree, np.int64(1), TERMINAL, np.int64(0))
    assert program_of(tree).tolist() != PROGRAM.tolist()
    undo(tree)
    assert program_of(tree).tolist() == PROGRAM.tolist()


def test_a_touched_node_marks_the_path_above():
    tree = empty_tree(4)
    load(tree, PROGRAM)
    touch(tree, np.int64(1))
    assert tree.inner[:2, MARK].tolist() == [PATH, TOUCHED]
    clear_marks(tree)
    assert tree.inner[:2, MARK].tolist() == [CLEAN, CLEAN]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([], "2, 6, 10"),
        ([0, 0, 1], "2, 6, 10"),
        ([-1, 3], "a terminal of the tree is none of the 3"),
        ([0, 0, 1, 2, -1, -2], "a gate of the tree is none of the 2"),
        ([0, 0, 1, 0, -1, -1], "do not form a tree"),
        ([-1, 0, 1, 0, 0, -2], "do not form a tree"),
    ],
)
def test_what_is_no_program_is_refused(numbers, message):
    with pytest.raises(InputError, match=message):
        check(np.array(numbers, dtype=np.int32), terminals=3, gates=2, may_be_empty=False)


def test_programs_are_accepted():
    check(PROGRAM, terminals=3, gates=2, may_be_empty=False)
    check(np.empty(0, dtype=np.int32), terminals=3, gates=2, may_be_empty=True)


TWICE = [0, 0, 1, 1, 0, 0, 1, 2, 1, -1, -2, 1, -3, -4]  # (x1 or x2) and (x2 or x1)


def circuit_of(program, *, negated=False, empty="never", merge=False):
    return circuit(
        np.array(program, dtype=np.int32),
        gates=gate_set("and,or,nimply"),
        terminals=TerminalSet(2, 0, negated),
        input_labels=("x1", "x2"),
        output_labels=("y",),
        empty=empty,
        merge=merge,
    )


def test_equal_subexpressions_are_merged_if_asked():
    assert len(circuit_of(TWICE)) == 3
    merged = circuit_of(TWICE, merge=True)
    assert len(merged) == 2
    assert merged.nodes[1].sources == (2, 2)


def test_the_order_of_inputs_matters_where_the_gate_says_so():
    ordered = [number if place not in (8, 11) else 2 for place, number in enumerate(TWICE)]
    assert len(circuit_of(ordered, merge=True)) == 3


def test_one_leaf_is_a_wire_and_a_negated_one_a_gate():
    assert circuit_of([-1, 1]).outputs == (1,)
    assert len(circuit_of([-1, 1])) == 0
    inverted = circuit_of([-1, 3], negated=True)
    assert [node.gate.name for node in inverted.nodes] == ["not"]
    assert inverted.nodes[0].sources == (1,)


def test_a_negation_is_shared_only_when_merging():
    both = [0, 2, 2, 0, -1, -2]
    assert len(circuit_of(both, negated=True)) == 3
    assert len(circuit_of(both, negated=True, merge=True)) == 2


def test_the_empty_program_is_a_constant():
    assert [node.gate.name for node in circuit_of([], empty="false").nodes] == ["const0"]
    assert [node.gate.name for node in circuit_of([], empty="true").nodes] == ["const1"]


def test_deep_trees_need_no_recursion():
    leaves = 5000
    program = [0, *([0] * leaves)]
    for node in range(leaves - 1):
        program += [0, -1 - node, node + 1 if node < leaves - 2 else -leaves]
    assert len(circuit_of(program)) == leaves - 1
    assert len(circuit_of(program, merge=True)) == leaves - 1
