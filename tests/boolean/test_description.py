"""Targets in words and as truth tables."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.description import description, tables_in_hex, truth_table
from gatewalk.boolean.targets import families, member, target
from gatewalk.boolean.truth_table import parse_table, table_target


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_family_is_described_in_a_sentence(family: object) -> None:
    first, rest = description(member(family, family.example))  # type: ignore[arg-type, attr-defined]
    assert first.endswith(".")
    assert "\n" not in first + rest


def test_a_function_of_ones_own() -> None:
    assert description(parse_table("table:3:0x96")) == ("A table of your own.", "")


def test_rows_are_numbered_by_their_inputs() -> None:
    values, counted = truth_table(target("mul:2"))
    assert values.shape == counted.shape == (4, 16)
    assert counted.all()
    for row in range(16):
        product = (row & 3) * (row >> 2)
        assert [product >> bit & 1 for bit in range(4)] == values[:, row].tolist()


def test_tables_in_hex_are_those_of_the_rows() -> None:
    assert tables_in_hex(target("xor:3")) == {"table": {"y": "0x96"}}
    some = table_target([0b1010], 2, cares=[0b0111])
    values, counted = truth_table(some)
    assert tables_in_hex(some) == {"table": {"y": "0x2"}, "cares": {"y": "0x7"}}
    assert np.flatnonzero(values[0] & counted[0]).tolist() == [1]
    assert counted.tolist() == [[True, True, True, False]]
    assert description(some)[0] == "A table of your own, on the rows that count."
