"""Trees in arrays: programs in and out, growth, undo, marks, and what is refused as a program."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.errors import InputError
from gatewalk.tgp import tree as module
from gatewalk.tgp.tree import (
    CLEAN,
    MARK,
    PATH,
    TERMINAL,
    TOUCHED,
    check,
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


def test_a_program_goes_in_and_comes_out() -> None:
    tree = empty_tree(4)
    assert program_of(tree).size == leaves_of(program_of(tree)) == 0
    load(tree, PROGRAM)
    assert program_of(tree).tolist() == PROGRAM.tolist()
    assert leaves_of(PROGRAM) == 3
    larger = grown(tree)
    assert larger.leaf.shape[0] == 8
    assert program_of(larger).tolist() == PROGRAM.tolist()


def test_one_leaf() -> None:
    tree = empty_tree(4)
    plant_leaf(tree, np.int64(2))
    assert program_of(tree).tolist() == [-1, 2]


def test_writes_are_undone() -> None:
    tree = empty_tree(4)
    load(tree, PROGRAM)
    open_journal(tree)
    write_leaf(tree, np.int64(1), TERMINAL, np.int64(2))
    write_leaf(tree, np.int64(1), TERMINAL, np.int64(0))
    assert program_of(tree).tolist() != PROGRAM.tolist()
    undo(tree)
    assert program_of(tree).tolist() == PROGRAM.tolist()


def test_a_touched_node_marks_the_path_above() -> None:
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
        ([0, 0, 1, 0, -1, -1], "do not make a tree"),
        ([-1, 0, 1, 0, 0, -2], "do not make a tree"),
    ],
)
def test_what_is_no_program_is_refused(numbers: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(np.array(numbers, dtype=np.int32), terminals=3, gates=2, may_be_empty=False)


def test_programs_are_accepted() -> None:
    check(PROGRAM, terminals=3, gates=2, may_be_empty=False)
    check(np.empty(0, dtype=np.int32), terminals=3, gates=2, may_be_empty=True)
