"""A fitness that is told: with the true one, the run is the seeded run of the reference implementation."""

from itertools import pairwise

import numpy as np
import pytest

import gatewalk as gw
from gatewalk.boolean.targets import truth_table
from gatewalk.errors import InputError

SEARCHES = {
    "paper": {"target": "xor:3", "gates": "nand", "nodes": 9},
    "strict": {"target": "and:5", "nodes": 7, "selection": "strict"},
    "two outputs, point": {"target": "add:1", "nodes": 12, "mutation": "point:2"},
    "generations, rate": {"target": "maj:3", "nodes": 12, "mutation": "rate:0.1", "offspring": 4},
    "strict generations": {"target": "or:5", "nodes": 7, "selection": "strict", "offspring": 3},
    "tinyverse": {"target": "and:5", "profile": "tinyverse", "offspring": 2},
    "coin": {"target": "or:4", "ties": "coin", "starts": 5},
    "a start": {"target": "and:6", "nodes": "n-1", "start": "penultimate"},
    "a start that is right": {"target": "and:2", "nodes": 1, "start": [0, 0, 1, 2]},
}


def true_fitness(search, circuit):
    wanted, counts = truth_table(search.target)
    return int(((wanted != circuit.table().T) & counts).sum())


@pytest.mark.parametrize("run", [0, 3])
@pytest.mark.parametrize("name", SEARCHES)
def test_with_the_true_fitness_it_is_the_run_of_the_reference(name, run):
    search = gw.search_for(**{"budget": 300, "evaluation": "reference"} | SEARCHES[name])
    session = gw.begin(search, seed=7, run=run, told=True)
    while not session.finished:
        gw.tell(session, true_fitness(search, gw.ask(session)))
    told, literal = gw.result(session), gw.evolve(search, seed=7, run=run)
    assert told.program.tolist() == literal.program.tolist()
    for column in (
        "iterations",
        "evaluations",
        "elementary_steps",
        "solved",
        "fitness",
        "gates",
        "improvements",
    ):
        assert getattr(told, column) == getattr(literal, column), column
    assert told.evaluation == "told"
    assert session.programs == literal.evaluations


def test_any_fitness_may_be_told():
    session = gw.begin(gw.search_for("and:3", nodes=8, gates="and,or"), seed=1, run=0, told=True)
    while not session.finished:
        gw.tell(session, 10**30 * abs(gw.ask(session).depth - 4))
    run = gw.result(session)
    assert run.circuit.depth == 4
    assert all(later < earlier for (_, earlier), (_, later) in pairwise(run.improvements))


def test_a_target_of_many_inputs_has_no_rows_to_be_looked_at():
    session = gw.begin(gw.search_for("maj:99", nodes=50, budget=20), seed=1, run=0, told=True)
    while not session.finished:
        gw.tell(session, 200 - len(gw.ask(session)))
    assert gw.result(session).iterations == 20


def test_the_same_is_asked_for_until_it_is_told():
    session = gw.begin(gw.search_for("and:3", nodes=6), seed=1, run=0, told=True)
    assert gw.ask(session) == gw.ask(session)
    with pytest.raises(InputError, match="nothing is known of this run yet"):
        gw.result(session)


def test_a_run_that_is_over_asks_for_nothing():
    session = gw.begin(gw.search_for("and:3"), seed=1, run=0, told=True)
    gw.tell(session, 0)
    assert session.finished
    for more in (lambda: gw.ask(session), lambda: gw.tell(session, 0)):
        with pytest.raises(InputError, match="the run is over"):
            more()


@pytest.mark.parametrize("wrong", [-1, 0.5, "3", True, None])
def test_a_fitness_is_a_whole_number(wrong):
    session = gw.begin(gw.search_for("and:3"), seed=1, run=0, told=True)
    with pytest.raises(InputError, match="fitness"):
        gw.tell(session, wrong)
    gw.tell(session, np.int64(3))
    assert session.fitness == 3


def test_what_cannot_be_done_is_refused():
    session = gw.begin(gw.search_for("and:3"), seed=1, run=0, told=True)
    gw.tell(session, 3)
    with pytest.raises(InputError, match="use ask and tell instead of advance"):
        gw.advance(session)
    with pytest.raises(InputError, match="cannot be saved"):
        gw.save(session)
    with pytest.raises(InputError, match="begin it with told=True"):
        gw.ask(gw.begin(gw.search_for("and:3"), seed=1, run=0))
    with pytest.raises(InputError, match="for algorithm cgp, not tgp-single"):
        gw.begin(gw.search_for("and:3", algorithm="tgp-single"), seed=1, run=0, told=True)
    with pytest.raises(InputError, match="waiting=drawn"):
        gw.begin(gw.search_for("and:3", waiting="drawn", selection="strict"), seed=1, run=0, told=True)
