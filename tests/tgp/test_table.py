"""Words of gates, and the words computed first."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from kernels import entry

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections
from gatewalk.tgp.table import gate_words, telling_order
from gatewalk.tgp.words import tail_start

tail_start = entry(tail_start)


def test_every_gate_of_two_inputs_has_its_words() -> None:
    a, b = 0b1010, 0b1100
    gates = [gate for gate in GATES.values() if gate.arity == 2]
    assert len(gates) == 16
    for gate in gates:
        kind, x, y, z = gate_words(gate)
        value = ((a ^ x) & (b ^ y)) ^ z if kind else (a & x) ^ (b & y) ^ z
        assert value & 0b1111 == gate.table


def test_tails_tell_any_two_conjunctions_and_any_two_disjunctions_apart() -> None:
    n = 13
    inputs = projections(n)
    words = inputs.shape[1]
    start = int(tail_start(words))
    assert 0 < start < words
    subsets = [list(used) for size in range(1, n + 1) for used in combinations(range(n), size)]
    for gate, mostly_ones in ((np.bitwise_and, False), (np.bitwise_or, True)):
        tails = inputs[:, telling_order(words, mostly_ones)[start:]]
        assert len({gate.reduce(tails[used], axis=0).tobytes() for used in subsets}) == len(subsets)


def test_the_order_has_every_word_once_and_keeps_the_last() -> None:
    for words in (1, 2, 3, 64, 100, 512):
        for mostly_ones in (False, True):
            order = telling_order(words, mostly_ones).tolist()
            assert sorted(order) == list(range(words))
            assert order[-1] == words - 1
