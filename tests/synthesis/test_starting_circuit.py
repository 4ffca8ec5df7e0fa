from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import circuit_side, compare
from gatewalk.circuit.formats import write_file
from gatewalk.errors import InputError
from gatewalk.synthesis.starting_circuit import in_gates, start_of

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


def test_a_built_in_target_begins_with_the_circuit_of_its_rule() -> None:
    start = start_of("mul:4")
    assert len(start.circuit.simplify()) == 64  # the array multiplier
    assert start.wanted == target("mul:4")
    assert compare(circuit_side(start.circuit), start.side)


@pytest.mark.parametrize("suffix", [".blif", ".aag", ".v", ".json"])
def test_a_file_begins_with_what_it_holds(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"half{suffix}"
    half = Circuit(("a", "b"), (Node(gate("and"), (0, 1)), Node(gate("or"), (0, 1))), (2, 3), ("c", "d"))
    write_file(half, path)
    start = start_of(str(path))
    assert start.name == str(path)
    assert compare(circuit_side(half), start.side)


def test_of_a_pla_rows_that_do_not_matter_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "free.pla"
    path.write_text(".i 2\n.o 1\n.type fd\n11 1\n10 -\n.e\n")
    start = start_of(path)
    assert start.wanted is not None
    assert start.wanted.cares is not None
    first_input = Circuit(("x0", "x1"), (), (0,), ("y0",))
    assert compare(circuit_side(first_input), start.side)


def test_many_inputs_have_no_table() -> None:
    start = start_of("add:64")
    assert start.wanted is None
    assert start.side.circuit is not None


def test_what_a_gate_set_cannot_spell_may_still_be_its_function() -> None:
    start = start_of(MAJORITY_BY_XOR)
    made = in_gates(start, gate_set("and,or"))
    assert {node.gate.name for node in made.nodes} <= {"and", "or"}
    assert compare(circuit_side(made), start.side)
    with pytest.raises(InputError, match="cannot do what"):
        in_gates(start_of("xor:3"), gate_set("and,or"))


def test_what_has_no_outputs_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to minimise"):
        start_of(Circuit(("a",), (), (), ()))
