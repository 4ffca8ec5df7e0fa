"""Names for files: the same ones every time, no two alike, labels kept where they can be."""

from __future__ import annotations

from gatewalk.circuit.formats.python_function import identifier
from gatewalk.circuit.labels import distinct, unused


def test_a_label_that_can_be_kept_is_kept():
    spell = identifier({"if"})
    used = {}
    found = distinct(["a b", "a_b", "if", "if_", "1", "é", ""], spell, used)
    assert found == ["a_b_2", "a_b", "if__2", "if_", "_1", "_x", "_x_2"]
    assert distinct(["a b"], spell, used) == ["a_b_3"]


def test_many_that_are_alike_take_no_longer_than_others():
    used = {}
    found = {unused("x", used) for _ in range(100_000)}
    assert len(found) == 100_000
    assert "x_100000" in found


def test_a_number_that_is_taken_is_passed_over():
    used = {"x": 1, "x_2": 1}
    assert unused("x", used) == "x_3"
    assert unused("x_3", used) == "x_3_2"
