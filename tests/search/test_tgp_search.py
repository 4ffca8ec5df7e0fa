"""Tree GP by kernels: targets with undesired inputs, trees checked, counted and decoded."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.circuit.equivalence import matches
from gatewalk.errors import InputError
from gatewalk.search import tgp_search
from gatewalk.search.settings import settings

TREE = [0, 0, 1, 2, 0, 1, -3, 0, -1, -2]  # and(and(x1, x2), x3)


def test_the_task() -> None:
    chosen = settings(
        "and:3", algorithm="tgp-multi", selection="strict", options={"terminals": "inputs+undesired:2"}
    )
    assert tgp_search.wanted(chosen).inputs == 5
    task = tgp_search.task_of(chosen, None)
    assert (task.multi, task.strict, task.offspring, len(task.terminals)) == (True, True, 1, 5)


def test_trees_are_counted_and_decoded() -> None:
    chosen = settings("and:3", algorithm="tgp-single")
    program = np.array(TREE, dtype=np.int32)
    tgp_search.check_programs(chosen, [program])
    assert tgp_search.gates(chosen, program) == 2
    assert matches(tgp_search.circuit(chosen, program), chosen.wanted)


@pytest.mark.parametrize("wrong", [[], TREE[:-1], [0, 0, 1, 3, *TREE[4:]], [0, 0, 1, 2, 1, *TREE[5:]]])
def test_what_is_no_tree_is_refused(wrong: list[int]) -> None:
    with pytest.raises(InputError):
        tgp_search.check_programs(
            settings("and:3", algorithm="tgp-single"), [np.array(wrong, dtype=np.int32)]
        )
