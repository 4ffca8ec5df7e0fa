"""The evaluator that makes circuits smaller walks as its twin, over every mutation and several costs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from cheapest_twin import Costs, cost, shrink

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.cgp.mutations import mutation_from_text
from gatewalk.circuit.construction import circuit_of_tables
from gatewalk.circuit.cost import Cost
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import circuit_target
from gatewalk.reference.cgp import Rules, fitness
from gatewalk.reference.stream import Stream
from gatewalk.search.twins import rules_of
from gatewalk.synthesis.cgp_shrinker import begin_cgp
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import Options

FULL_ADDER = "and,or,xor,nand,nor,xnor,nimply,ncimply,imply,cimply"
CASES = {
    # gates, prices, the price of a level
    "gates in one word": (FULL_ADDER, (1,) * 10, 0),
    "weighted": ("and,or,not,xor", (2, 2, 1, 5), 0),
    "depth, then gates": ("nand,not", (1, 1), 1000),
    "plain, with gates of three inputs": ("and,or,not,maj,const1", (1, 1, 1, 3, 0), 0),
}


def adder(gates):
    """A full adder of these gates, with more of them than it needs."""
    return mapped(circuit_of_tables((0x96, 0xE8), ("a", "b", "c"), ("s", "o")), gate_set(gates))


def begun(start, case, *, mutation, offspring, slack, nodes, seed):
    """A shrinker before its first step. slack: in gates of price 1, or in levels if these count."""
    gates, prices, level_price = CASES[case]
    allowed = gate_set(gates)
    weights = dict(zip(allowed.names, prices, strict=True))
    options = Options(
        gates=allowed,
        price=Cost(text="a test", weights=weights, gate_unit=1, level_unit=level_price, scale=1),
        method="cgp",
        slack=slack,
        mutation=mutation_from_text(mutation),
        offspring=offspring,
        evaluations=1,
        seed=seed,
    )
    return begin_cgp(options, circuit_target(start), start, run=2, number=5, nodes=nodes)


# Each mutation and number of offspring with the fast evaluator of what is right; plainly, with two of them.
WALKS = [
    (case, mutation, offspring)
    for case in CASES
    for mutation, offspring in (("sam", 1), ("sam", 3), ("point:4", 3), ("rate:0.05", 1))
    if not case.startswith("plain") or (mutation, offspring) in (("sam", 1), ("point:4", 3))
]


@pytest.mark.parametrize(("case", "mutation", "offspring"), WALKS)
def test_it_walks_as_the_twin(case, mutation, offspring):
    gates, prices, level_price = CASES[case]
    start = adder(gates)
    slack = 2 if level_price else 2 * max(prices)
    epoch = begun(
        start, case, mutation=mutation, offspring=offspring, slack=slack, nodes=len(start) + 12, seed=3
    )
    words = np.random.SeedSequence(3, spawn_key=(2, 5)).generate_state(4, np.uint64).tolist()
    costs = Costs(prices, level_price, slack * max(1, level_price), 0)
    moved = 0
    literal = shrink(
        rules_of(epoch.walk.search, None), costs, Stream(words), x=epoch.walk.program.tolist(), limit=10**9
    )
    for _, state in zip(range(150), literal, strict=False):
        evaluator = epoch.walk.evaluator
        assert epoch.walk.program.tolist() == state.step.x
        assert (epoch.steps, epoch.best) == (state.step.iterations, state.cost)
        assert evaluator.genes.tolist() == state.best
        moved += state.step.x != state.best
        epoch.advance(1)
    assert moved > 5  # it does walk away from the best program


def test_a_lasting_walk_stays_right_and_within_the_slack():
    start = adder(FULL_ADDER)
    target = family_target("onescount:3")
    epoch = begun(start, "gates in one word", mutation="sam", offspring=1, slack=2, nodes=30, seed=1)
    sizes = set()
    for _ in range(200):
        epoch.advance(100)
        assert equivalent(epoch.circuit, target)
        assert equivalent(epoch.best_circuit, target)
        assert len(epoch.best_circuit) == epoch.best
        assert len(epoch.circuit) <= epoch.best + 2
        sizes.add(len(epoch.circuit))
    assert epoch.best == 5  # a full adder of any gates takes five
    assert sizes >= {6, 7}


ROWS = [(row, (row[0] & row[1],)) for row in product((0, 1), repeat=2)]
RULES = Rules(Nin=2, Nout=1, Nfunc=4, functions=(GATES["and"], GATES["not"]), k=2, training=ROWS)
PLAIN = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]  # node 2 is and(x1, x2)
TWICE = [0, 0, 1, 1, 2, 0, 1, 3, 0, 0, 0, 0, 4]  # not(not(and(x1, x2)))


def test_what_a_program_costs():
    prices = Costs(prices=(5, 2), level_price=0, slack=0, goal=0)
    assert cost(RULES, prices, PLAIN) == 5
    assert cost(RULES, prices, TWICE) == 5 + 2 + 2
    deep = Costs(prices=(5, 2), level_price=100, slack=0, goal=0)
    assert cost(RULES, deep, PLAIN) == 105
    assert cost(RULES, deep, TWICE) == 309


def test_it_stays_correct_within_the_slack_and_ends_at_the_goal():
    costs = Costs(prices=(5, 2), level_price=0, slack=2, goal=5)
    states = 0
    for state in shrink(RULES, costs, Stream([1, 2, 3, 4]), x=TWICE, limit=100_000):
        states += 1
        assert fitness(RULES, state.step.x) == 0
        assert state.cost <= cost(RULES, costs, state.step.x) <= state.cost + costs.slack
        assert cost(RULES, costs, state.best) == state.cost
    assert states > 1
    assert (state.cost, state.step.fitness) == (5, 0)
