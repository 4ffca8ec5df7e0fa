"""Named gate sets: which gates they have."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.errors import InputError
from gatewalk.synthesis.bases import basis


def essential(table: int) -> bool:
    """Whether a table of two inputs depends on both."""
    bits = [table >> row & 1 for row in range(4)]
    return bits[0::2] != bits[1::2] and bits[:2] != bits[2:]


def test_any_has_every_gate_that_reads_both_inputs_and_not() -> None:
    found = basis("any")
    assert {gate.table for gate in found.gates if gate.arity == 2} == set(filter(essential, range(16)))
    assert [gate.name for gate in found.gates if gate.arity == 1] == ["not"]


def test_aig_has_the_gates_that_are_an_and_with_negations() -> None:
    found = {gate.table for gate in basis("aig").gates}
    assert found == {table for table in range(16) if table.bit_count() in (1, 3)}


def test_gates_by_name_as_a_set_and_from_a_library(tmp_path: Path) -> None:
    mine = gate_set("nand,not")
    assert basis(mine) is mine
    assert basis(" AIG ") == basis("aig")
    assert basis("nand,not") == mine
    library = tmp_path / "cells.genlib"
    library.write_text(
        "GATE two 2 O=!(a*b); PIN * INV 1 999 1 0 1 0\nGATE one 1 O=!a; PIN * INV 1 999 1 0 1 0\n"
    )
    assert {(gate.arity, gate.table) for gate in basis(str(library)).gates} == {(2, 0b0111), (1, 0b01)}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="anything"):
        basis("anything")
