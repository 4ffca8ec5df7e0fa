"""Walks by resubstitution to test: targets, gates, the price of a level, and the slack."""

from __future__ import annotations

from gatewalk.boolean.targets import Target
from gatewalk.boolean.truth_table import table_target
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.resubstitution import Walk, begin

# Two outputs of which rows do not count, some for one and some for both.
PARTLY = table_target([0x9A5C, 0x3B61], 4, cares=[0x7FF7, 0xEF3F])
CASES = [
    ("mul:2", "any", 0, 2),
    ("onescount:3", "nand", 0, 3),
    ("maj:5", "aig", 0, 1),
    ("mcomp:2", "and,or,not", 0, 2),
    ("onescount:4", "and,xor,nimply", 3, 7),
    (PARTLY, "and,or,xor,not", 1, 4),
]


def begun(name: str | Target, gates: str, level_price: int, slack: int, *, seed: int) -> Walk:
    """A walk before its first step, with gates of different prices."""
    wanted, allowed = target(name), basis(gates)
    prices = [2 + place % 3 for place in range(len(allowed))]
    start = mapped(target_circuit(wanted), allowed)
    return begin(wanted, start, gates=allowed, prices=prices, level_price=level_price, slack=slack, seed=seed)
