"""What one gate of a set computes of distinct sources."""

from itertools import product

import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.errors import InputError
from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES
from gatewalk.synthesis.repertoire import absorbs, has_free_negation, repertoire, with_negations

AND_TYPE = "and,nand,or,nor,imply,cimply,nimply,ncimply,not"


@pytest.mark.parametrize("names", [tuple(GATES), ("nand",), ("mux", "not"), ("xor", "const1")])
def test_every_way_computes_its_function(names):
    found = repertoire(gate_set(names)).ways
    for (operands, table), (one, pins) in found.items():
        for row in range(1 << operands):
            bits = [row >> j & 1 for j in range(operands)] or [0]
            assert one(*(bits[pin] for pin in pins)) == table >> row & 1


def test_a_gate_that_reads_a_source_twice():
    assert repertoire("nand").tables(1) == (0b01,)
    assert repertoire("xor").tables(0) == (0,)
    assert len(repertoire(TWO_INPUT_GATES).tables(2)) == 10
    assert repertoire("mux").tables(2) == (0b1000, 0b1110)


@pytest.mark.parametrize(
    ("gates", "negation", "absorbing"),
    [
        (TWO_INPUT_GATES, True, True),
        (AND_TYPE, True, True),
        ("xor,xnor", False, False),  # without a not
        ("xor,xnor,not", True, True),
        ("nand", False, False),
        ("and,or,not", False, False),
        ("and,or,xor,not", False, False),
    ],
)
def test_sets_in_which_negations_are_free(gates, negation, absorbing):
    found = repertoire(gates)
    assert (has_free_negation(found), absorbs(found)) == (negation, absorbing)


def test_negations_of_operands_and_result():
    for table, flips, result in product(range(16), range(4), (False, True)):
        found = with_negations(table, 2, flips, result)
        for row in range(4):
            assert found >> row & 1 == table >> (row ^ flips) & 1 ^ result


def test_gates_of_four_inputs_are_refused():
    with pytest.raises(InputError, match="at most 3"):
        repertoire("and,wide=0x8000")
