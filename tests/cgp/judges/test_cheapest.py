"""The judge that makes circuits smaller walks as its literal twin, over every mutation and several costs."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import circuit_target
from gatewalk.circuit.truth import circuit_of_tables
from gatewalk.reference import cheapest as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.cgp_reference import setting_of
from gatewalk.search.shrinking import Epoch, Shrinking, advance_epoch, begin_epoch
from gatewalk.synthesis.mapping import mapped

FULL_ADDER = "and,or,xor,nand,nor,xnor,nimply,ncimply,imply,cimply"
CASES = {
    # gates, prices, the price of a level
    "gates in one word": (FULL_ADDER, (1,) * 10, 0),
    "weighted": ("and,or,not,xor", (2, 2, 1, 5), 0),
    "depth, then gates": ("nand,not", (1, 1), 1000),
    "plain, with gates of three inputs": ("and,or,not,maj,const1", (1, 1, 1, 3, 0), 0),
}


def adder(gates: str) -> Circuit:
    """A full adder of these gates, with more of them than it needs."""
    return mapped(circuit_of_tables((0x96, 0xE8), ("a", "b", "c"), ("s", "o")), gate_set(gates))


def shrinking_of(start: Circuit, case: str, *, mutation: str, offspring: int, slack: int) -> Shrinking:
    gates, prices, level_price = CASES[case]
    return Shrinking(
        wanted=circuit_target(start),
        gates=gate_set(gates),
        prices=prices,
        level_price=level_price,
        slack=slack,
        goal=0,
        mutation=mutation,
        offspring=offspring,
    )


def begun(shrinking: Shrinking, start: Circuit, *, nodes: int, seed: int) -> Epoch:
    return begin_epoch(shrinking, start, nodes=nodes, best=None, seed=seed, run=2, number=5)


# Each mutation and number of offspring with the fast judge of what is right; plainly, with two of them.
WALKS = [
    (case, mutation, offspring)
    for case in CASES
    for mutation, offspring in (("sam", 1), ("sam", 3), ("point:4", 3), ("rate:0.05", 1))
    if not case.startswith("plain") or (mutation, offspring) in (("sam", 1), ("point:4", 3))
]


@pytest.mark.parametrize(("case", "mutation", "offspring"), WALKS)
def test_it_walks_as_the_twin(case: str, mutation: str, offspring: int) -> None:
    gates, prices, level_price = CASES[case]
    start = adder(gates)
    slack = 2 * max(max(prices), level_price)
    shrinking = shrinking_of(start, case, mutation=mutation, offspring=offspring, slack=slack)
    epoch = begun(shrinking, start, nodes=len(start) + 12, seed=3)
    words = np.random.SeedSequence(3, spawn_key=(2, 5)).generate_state(4, np.uint64).tolist()
    costs = twin.Costs(prices, level_price, slack, 0)
    moved = 0
    literal = twin.shrink(
        setting_of(epoch.walk.task), costs, Stream(words), x=epoch.walk.program.tolist(), limit=10**9
    )
    for _, state in zip(range(150), literal, strict=False):
        judge = epoch.walk.parts.judge
        assert epoch.walk.program.tolist() == state.step.x
        assert (epoch.offspring, epoch.best) == (state.step.iterations, state.cost)
        assert judge.genes.tolist() == state.best
        moved += state.step.x != state.best
        advance_epoch(epoch, 1)
    assert moved > 5  # it does walk away from the best program


def test_a_lasting_walk_stays_right_and_within_the_slack() -> None:
    start = adder(FULL_ADDER)
    wanted = target("onescount:3")
    shrinking = shrinking_of(start, "gates in one word", mutation="sam", offspring=1, slack=2)
    epoch = begun(shrinking, start, nodes=30, seed=1)
    sizes = set()
    for _ in range(200):
        advance_epoch(epoch, 100)
        assert matches(epoch.circuit, wanted)
        assert matches(epoch.best_circuit, wanted)
        assert len(epoch.best_circuit) == epoch.best
        assert len(epoch.circuit) <= epoch.best + 2
        sizes.add(len(epoch.circuit))
    assert epoch.best == 5  # a full adder of any gates takes five
    assert sizes >= {6, 7}
