"""From settings to tasks, rules of the twin and circuits: what each algorithm is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from gatewalk.circuit.equivalence import matches
from gatewalk.errors import InputError
from gatewalk.reference.stream import Stream
from gatewalk.search import cgp_reference, cgp_search, tgp_reference, tgp_search
from gatewalk.search.cgp_search import task_of
from gatewalk.search.reference_walk import ReferenceWalk, advance, saved
from gatewalk.search.settings import settings


def test_rules_of_the_twin():
    task = task_of(settings("table:2:0x8/0xd", nodes=3), None)
    bare, rules = cgp_reference.rules_without_rows(task), cgp_reference.rules_of(task)
    assert bare.training == ()
    assert (rules.Nin, rules.Nout, rules.Nfunc, rules.mutation) == (2, 1, 3, "sam")
    assert list(rules.training) == [((0, 0), (0,)), ((0, 1), (0,)), ((1, 1), (1,))]  # row 1 does not count


def test_rules_of_the_twin_of_trees():
    chosen = settings("and:2", algorithm="tgp-single", options={"terminals": "inputs+negated"})
    rules = tgp_reference.rules_of(tgp_search.task_of(chosen, None))
    assert (rules.inputs, rules.negated, rules.terminals) == (2, True, 4)
    assert [(tuple(row), int(wanted)) for row, wanted in rules.training] == [
        ((0, 0), 0),
        ((1, 0), 0),
        ((0, 1), 0),
        ((1, 1), 1),
    ]


@dataclass
class Count:
    """A search that improves with every third offspring."""

    fitness: int = 4
    iterations: int = 0
    elementary_steps: int = 0


def counting():
    step = Count()

    def generation(limit):
        assert step.iterations < limit
        step.iterations += 1
        step.elementary_steps += 2
        step.fitness = 4 - step.iterations // 3

    return ReferenceWalk(Stream([1, 2, 3, 4]), step, generation, lambda: [step.fitness, 9])


def test_it_stops_at_the_limit_and_when_solved():
    walk = counting()
    advance(walk, 7)
    assert (walk.offspring, walk.steps, walk.fitness, walk.solved) == (7, 14, 2, False)
    assert walk.improvements == [(3, 3), (6, 2)]
    advance(walk, 1000)
    assert (walk.offspring, walk.solved) == (12, True)


def test_what_is_saved():
    walk = counting()
    advance(walk, 4)
    arrays = {name: array.tolist() for name, array in saved(walk).items()}
    assert arrays == {"program": [3, 9], "stream": [1, 2, 3, 4], "counters": [4, 8]}


PROGRAM = [0, 0, 1, 0, 2, 3, 0, 0, 0, 3]  # node 3 is x1 & x2, node 4 and(x3, node 3), node 5 and(x1, x1)


def test_the_shape_and_the_task():
    chosen = settings("and:3", nodes="2n", profile="tinyverse", selection="strict", offspring=4)
    shape, task = cgp_search.shape_of(chosen), cgp_search.task_of(chosen, None)
    assert (shape.inputs, shape.outputs, shape.nodes, shape.levels_back) == (3, 1, 6, 6)
    assert (task.shape, task.law, task.mutation) == (shape, chosen.law, "sam")
    assert (task.strict, task.offspring, task.training) == (True, 4, None)
    assert cgp_search.genes_of(chosen) is None


def test_programs_are_counted_and_decoded():
    chosen = settings("and:3", nodes=3)
    program = np.array([*PROGRAM[:-1], 4], dtype=np.int32)
    assert cgp_search.gates(chosen, program) == 2
    assert matches(cgp_search.circuit(chosen, program), chosen.wanted)


@pytest.mark.parametrize("wrong", [PROGRAM[:-1], [1, *PROGRAM[1:]], [*PROGRAM[:-1], 6], [0, 3, *PROGRAM[2:]]])
def test_what_is_no_program_is_refused(wrong):
    chosen = settings("and:3", nodes=3)
    cgp_search.check_programs(chosen, [np.array(PROGRAM, dtype=np.int32)])
    with pytest.raises(InputError):
        cgp_search.check_programs(chosen, [np.array(wrong, dtype=np.int32)])


TREE = [0, 0, 1, 2, 0, 1, -3, 0, -1, -2]  # and(and(x1, x2), x3)


def test_the_task_of_trees():
    chosen = settings(
        "and:3", algorithm="tgp-multi", selection="strict", options={"terminals": "inputs+undesired:2"}
    )
    assert tgp_search.wanted(chosen).inputs == 5
    task = tgp_search.task_of(chosen, None)
    assert (task.multi, task.strict, task.offspring, len(task.terminals)) == (True, True, 1, 5)


def test_trees_are_counted_and_decoded():
    chosen = settings("and:3", algorithm="tgp-single")
    program = np.array(TREE, dtype=np.int32)
    tgp_search.check_programs(chosen, [program])
    assert tgp_search.gates(chosen, program) == 2
    assert matches(tgp_search.circuit(chosen, program), chosen.wanted)


@pytest.mark.parametrize("wrong", [[], TREE[:-1], [0, 0, 1, 3, *TREE[4:]], [0, 0, 1, 2, 1, *TREE[5:]]])
def test_what_is_no_tree_is_refused(wrong):
    with pytest.raises(InputError):
        tgp_search.check_programs(
            settings("and:3", algorithm="tgp-single"), [np.array(wrong, dtype=np.int32)]
        )
