"""What a minimisation is given: options, named gate sets, and the circuit at which it begins."""

from __future__ import annotations

import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.cost import price
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import write_file
from gatewalk.errors import InputError
from gatewalk.synthesis.options import (
    LARGE,
    LARGE_SLACK,
    SLACKS,
    Options,
    basis,
    in_gates,
    slack_of,
    slack_units,
    start_of,
)


def options(**given):
    return Options(**{"gates": basis("nand"), "price": price("gates"), "evaluations": 10, **given})


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_every_second_run_has_more_slack(method):
    usual, more = SLACKS[method]
    units = [slack_units(options(method=method), run=run, gates=20) for run in range(4)]
    assert units == [usual, usual + more] * 2
    assert [slack_units(options(method=method, slack=0), run=run, gates=20) for run in (0, 1)] == [0, more]


def test_large_circuits_have_more_slack_unless_levels_come_first():
    assert [slack_of(options(), gates) for gates in (LARGE, LARGE + 1)] == [4, LARGE_SLACK]
    assert slack_of(options(price=price("gates,depth")), LARGE + 1) == LARGE_SLACK
    assert slack_of(options(price=price("depth")), LARGE + 1) == 4
    assert slack_of(options(method="cgp"), LARGE + 1) == 2
    assert slack_of(options(slack=3), LARGE + 1) == 3


def test_slack_is_in_the_units_of_the_price():
    depth = price("depth")
    assert slack_units(options(price=depth, slack=3), run=0, gates=20) == 3 * depth.level_unit
    halves = price("nand=2.5")
    assert slack_units(options(price=halves, slack=3), run=0, gates=20) == 6  # a unit is a half


def test_a_search_needs_an_end():
    with pytest.raises(InputError, match="give a limit: seconds, evaluations or both"):
        options(evaluations=None)


def depends_on_both(table):
    """Whether a table of two inputs depends on both."""
    bits = [table >> row & 1 for row in range(4)]
    return bits[0::2] != bits[1::2] and bits[:2] != bits[2:]


def test_any_has_every_gate_that_reads_both_inputs_and_not():
    gates = basis("any").gates
    assert {gate.table for gate in gates if gate.arity == 2} == set(filter(depends_on_both, range(16)))
    assert [gate.name for gate in gates if gate.arity == 1] == ["not"]


def test_aig_has_the_gates_that_are_an_and_with_negations():
    tables = {gate.table for gate in basis("aig").gates}
    assert tables == {table for table in range(16) if table.bit_count() in (1, 3)}


def test_gates_by_name_as_a_set_and_from_a_library(tmp_path):
    mine = gate_set("nand,not")
    assert basis(mine) is mine
    assert basis(" AIG ") == basis("aig")
    assert basis("nand,not") == mine
    library = tmp_path / "cells.genlib"
    library.write_text(
        "GATE two 2 O=!(a*b); PIN * INV 1 999 1 0 1 0\nGATE one 1 O=!a; PIN * INV 1 999 1 0 1 0\n"
    )
    assert {(gate.arity, gate.table) for gate in basis(str(library)).gates} == {(2, 0b0111), (1, 0b01)}


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="anything"):
        basis("anything")


MAJORITY_BY_XOR = Circuit(
    ("a", "b", "c"),
    (
        Node(gate("xor"), (0, 1)),
        Node(gate("xor"), (1, 2)),
        Node(gate("or"), (3, 4)),
        Node(gate("and"), (3, 4)),
        Node(gate("xnor"), (1, 6)),  # b where a and c agree with each other or with b ...
        Node(gate("xor"), (1, 6)),
    ),
    (8,),
    ("y",),
)


def test_a_built_in_target_begins_with_the_circuit_of_its_rule():
    start = start_of("mul:4")
    assert len(start.circuit.simplify()) == 64  # the array multiplier
    assert start.target == family_target("mul:4")
    assert equivalent(start.circuit, start.function)


@pytest.mark.parametrize("suffix", [".blif", ".aag", ".v", ".json"])
def test_a_file_begins_with_what_it_holds(tmp_path, suffix):
    path = tmp_path / f"half{suffix}"
    half = Circuit(("a", "b"), (Node(gate("and"), (0, 1)), Node(gate("or"), (0, 1))), (2, 3), ("c", "d"))
    write_file(half, path)
    start = start_of(str(path))
    assert start.name == str(path)
    assert equivalent(half, start.function)


def test_of_a_pla_rows_that_do_not_matter_do_not_count(tmp_path):
    path = tmp_path / "free.pla"
    path.write_text(".i 2\n.o 1\n.type fd\n11 1\n10 -\n.e\n")
    start = start_of(path)
    assert start.target is not None
    assert start.target.cares is not None
    first_input = Circuit(("x0", "x1"), (), (0,), ("y0",))
    assert equivalent(first_input, start.function)


def test_many_inputs_have_no_table():
    start = start_of("add:64")
    assert start.target is None
    assert start.function is start.circuit


def test_what_a_gate_set_cannot_spell_may_still_be_its_function():
    start = start_of(MAJORITY_BY_XOR)
    made = in_gates(start, gate_set("and,or"))
    assert {node.gate.name for node in made.nodes} <= {"and", "or"}
    assert equivalent(made, start.function)
    with pytest.raises(InputError, match="cannot do what"):
        in_gates(start_of("xor:3"), gate_set("and,or"))


def test_what_has_no_outputs_is_refused():
    with pytest.raises(InputError, match="nothing to minimise"):
        start_of(Circuit(("a",), (), (), ()))
