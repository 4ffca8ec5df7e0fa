"""The literal search for cheaper programs, by hand."""

from __future__ import annotations

from itertools import product

from gatewalk.boolean.gates import GATES
from gatewalk.reference.cgp import Setting, fitness
from gatewalk.reference.cheapest import Costs, cost, shrink
from gatewalk.reference.stream import Stream

ROWS = [(row, (row[0] & row[1],)) for row in product((0, 1), repeat=2)]
SETTING = Setting(Nin=2, Nout=1, Nfunc=4, functions=(GATES["and"], GATES["not"]), k=2, training=ROWS)
PLAIN = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]  # node 2 is and(x1, x2)
TWICE = [0, 0, 1, 1, 2, 0, 1, 3, 0, 0, 0, 0, 4]  # not(not(and(x1, x2)))


def test_what_a_program_costs() -> None:
    prices = Costs(prices=(5, 2), level_price=0, slack=0, goal=0)
    assert cost(SETTING, prices, PLAIN) == 5
    assert cost(SETTING, prices, TWICE) == 5 + 2 + 2
    deep = Costs(prices=(5, 2), level_price=100, slack=0, goal=0)
    assert cost(SETTING, deep, PLAIN) == 105
    assert cost(SETTING, deep, TWICE) == 309


def test_it_stays_correct_within_the_slack_and_ends_at_the_goal() -> None:
    costs = Costs(prices=(5, 2), level_price=0, slack=2, goal=5)
    states = 0
    for state in shrink(SETTING, costs, Stream([1, 2, 3, 4]), x=TWICE, limit=100_000):
        states += 1
        assert fitness(SETTING, state.step.x) == 0
        assert state.cost <= cost(SETTING, costs, state.step.x) <= state.cost + costs.slack
        assert cost(SETTING, costs, state.best) == state.cost
    assert states > 1
    assert (state.cost, state.step.fitness) == (5, 0)
