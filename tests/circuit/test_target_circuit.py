"""A circuit for every kind of target: right on all rows that count, and no larger than need be."""

import numpy as np
import pytest

from gatewalk.boolean.truth_table import table_target
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("with_cares", [False, True])
def test_tables(seed, with_cares):
    generator = np.random.default_rng(seed)
    inputs, outputs = int(generator.integers(1, 8)), int(generator.integers(1, 4))
    rows = 1 << inputs

    def drawn():
        return [
            int.from_bytes(generator.bytes(-(-rows // 8)), "little") % (1 << rows) for _ in range(outputs)
        ]

    wanted = table_target(drawn(), inputs, cares=[one | 1 for one in drawn()] if with_cares else None)
    circuit = target_circuit(wanted)
    assert matches(circuit, wanted)
    assert circuit == circuit.simplify()


def test_rows_that_do_not_count_are_made_use_of():
    wanted = target("table:4:0x8000/0x8001")
    assert len(target_circuit(wanted)) == 0  # any input is right on both rows
    assert matches(target_circuit(wanted), wanted)


def test_parity_is_no_sum_of_products():
    parity = sum((row.bit_count() & 1) << row for row in range(1 << 10))
    circuit = target_circuit(table_target([parity], 10))
    assert set(circuit.counts) <= {"xor", "xor3"}
    assert len(circuit) <= 9


def test_named_ones_and_netlists_are_what_they_say():
    assert target_circuit(target("add:2")).counts == {"xor": 4, "and": 4, "or": 2}
    circuit = target_circuit(target("add:12"))
    wanted = target(circuit)
    assert wanted.family == "netlist"
    assert target_circuit(wanted) == circuit
