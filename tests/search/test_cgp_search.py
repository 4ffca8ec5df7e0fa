"""Cartesian GP by kernels: shapes and tasks of settings, programs checked, counted and decoded."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.circuit.equivalence import matches
from gatewalk.errors import InputError
from gatewalk.search import cgp_search
from gatewalk.search.settings import settings

PROGRAM = [0, 0, 1, 0, 2, 3, 0, 0, 0, 3]  # node 3 is x1 & x2, node 4 and(x3, node 3), node 5 and(x1, x1)


def test_the_shape_and_the_task() -> None:
    chosen = settings("and:3", nodes="2n", profile="tinyverse", selection="strict", offspring=4)
    shape, task = cgp_search.shape_of(chosen), cgp_search.task_of(chosen, None)
    assert (shape.inputs, shape.outputs, shape.nodes, shape.levels_back) == (3, 1, 6, 6)
    assert (task.shape, task.law, task.mutation) == (shape, chosen.law, "sam")
    assert (task.strict, task.offspring, task.training) == (True, 4, None)
    assert cgp_search.genes_of(chosen) is None


def test_programs_are_counted_and_decoded() -> None:
    chosen = settings("and:3", nodes=3)
    program = np.array([*PROGRAM[:-1], 4], dtype=np.int32)
    assert cgp_search.gates(chosen, program) == 2
    assert matches(cgp_search.circuit(chosen, program), chosen.wanted)


@pytest.mark.parametrize("wrong", [PROGRAM[:-1], [1, *PROGRAM[1:]], [*PROGRAM[:-1], 6], [0, 3, *PROGRAM[2:]]])
def test_what_is_no_program_is_refused(wrong: list[int]) -> None:
    chosen = settings("and:3", nodes=3)
    cgp_search.check_programs(chosen, [np.array(PROGRAM, dtype=np.int32)])
    with pytest.raises(InputError):
        cgp_search.check_programs(chosen, [np.array(wrong, dtype=np.int32)])
