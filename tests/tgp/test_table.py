"""Words of gates, and the words looked at first."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections
from gatewalk.tgp.table import gate_words, probed_words


def test_every_gate_of_two_inputs_has_its_words() -> None:
    a, b = 0b1010, 0b1100
    gates = [gate for gate in GATES.values() if gate.arity == 2]
    assert len(gates) == 16
    for gate in gates:
        kind, x, y, z = gate_words(gate)
        value = ((a ^ x) & (b ^ y)) ^ z if kind else (a & x) ^ (b & y) ^ z
        assert value & 0b1111 == gate.table


def test_probes_tell_any_two_conjunctions_and_any_two_disjunctions_apart() -> None:
    n = 8
    inputs = projections(n)
    probes = probed_words(inputs.shape[1])
    assert len(set(probes.tolist())) == probes.size
    subsets = [list(used) for size in range(1, n + 1) for used in combinations(range(n), size)]
    for gate in (np.bitwise_and, np.bitwise_or):
        seen = {gate.reduce(inputs[used], axis=0)[probes].tobytes() for used in subsets}
        assert len(seen) == len(subsets)


def test_probes_of_narrow_tables() -> None:
    assert probed_words(1).tolist() == [0]
    assert sorted(probed_words(3).tolist()) == [0, 1, 2]
