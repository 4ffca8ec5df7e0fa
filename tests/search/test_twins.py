"""The door to the reference implementation: the rules of the twin of a search, and its walk."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from walks import same_run

from gatewalk.errors import InputError
from gatewalk.reference.stream import Stream
from gatewalk.search import twins
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.seeds import first_stream
from gatewalk.search.twins import TwinWalk


def test_rules_of_the_twin():
    search = search_for("table:2:0x8/0xd", nodes=3)
    bare, rules = twins.rules_without_rows(search), twins.rules_of(search, None)
    assert bare.training == ()
    assert (rules.Nin, rules.Nout, rules.Nfunc, rules.mutation) == (2, 1, 3, "sam")
    assert list(rules.training) == [((0, 0), (0,)), ((0, 1), (0,)), ((1, 1), (1,))]  # row 1 does not count


def test_outputs_that_do_not_count_on_a_row_are_none_of_its_rules():
    # Two outputs: the first counts on row 0 only, the second on all rows.
    search = search_for("table:1:0x2/0x1,0x1", nodes=3)
    assert list(twins.rules_of(search, None).training) == [((0,), (0, 1)), ((1,), (None, 0))]


def test_rules_of_the_twin_of_trees():
    search = search_for("and:2", algorithm="tgp-single", options={"terminals": "inputs+negated"})
    rules = twins.rules_of_trees(search, None)
    assert (rules.inputs, rules.negated, rules.terminals) == (2, True, 4)
    assert [(tuple(row), int(output)) for row, output in rules.training] == [
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

    return TwinWalk(Stream([1, 2, 3, 4]), step, generation, lambda: [step.fitness, 9])


def test_it_stops_at_the_limit_and_when_solved():
    walk = counting()
    walk.advance(7)
    assert (walk.offspring, walk.steps, walk.fitness, walk.solved) == (7, 14, 2, False)
    assert walk.improvements == [(3, 3), (6, 2)]
    walk.advance(1000)
    assert (walk.offspring, walk.solved) == (12, True)


def test_what_is_saved():
    walk = counting()
    walk.advance(4)
    arrays = {name: array.tolist() for name, array in walk.saved().items()}
    assert arrays == {"program": [3, 9], "stream": [1, 2, 3, 4], "counters": [4, 8]}


@pytest.mark.parametrize(
    "words",
    [
        {"nodes": 4},
        {"nodes": 3, "start": "penultimate"},
        {"nodes": 6, "profile": "tinyverse", "mutation": "rate:0.3", "offspring": 3},
        {"nodes": 5, "selection": "strict", "options": {"waiting": "drawn"}},
        {"algorithm": "tgp-multi", "gates": "and,or", "options": {"terminals": "inputs+undesired:1"}},
        {"algorithm": "tgp-single", "training": "sample:9"},
        {"nodes": 6, "training": "sample:9"},
    ],
)
def test_a_run_of_the_twin_is_that_of_kernels(words):
    search = search_for("and:4", budget=200, **words)
    kernels = run_many(search, seed=2, runs=range(4))
    literal = run_many(replace(search, evaluation="reference"), seed=2, runs=range(4))
    assert literal.evaluation == "reference" != kernels.evaluation
    assert all(same_run(a, b) for a, b in zip(kernels, literal, strict=True))


def test_counters_that_cannot_be_are_refused():
    search = search_for(
        "and:4", nodes=4, selection="strict", options={"waiting": "drawn"}, evaluation="reference"
    )
    walk = twins.start(search, None, stream=first_stream(search, 1, 0))
    walk.advance(30)
    arrays = walk.saved()
    twins.restored(search, None, arrays)
    with pytest.raises(InputError, match="not a saved search"):
        twins.restored(search, None, arrays | {"undrawn": np.full_like(arrays["undrawn"], 1000)})
