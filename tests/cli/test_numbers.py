"""Numbers and notes of statements as they are shown."""

from __future__ import annotations

import pytest
from rich.console import Console

from gatewalk.cli.numbers import chance, number, show_notes
from gatewalk.theory.statements import Applied


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([3, 1, 0], "3, 1, 0"),
        ([1023, 511, 255, 127], "1,023, 511, 255, ..."),
        ("O(n log n)", "O(n log n)"),
        (227.5489, "227.549"),
        (12345678.9, "12,345,679"),
        (1.5e12, "1.5000e+12"),
        (8.5e-23, "8.5000e-23"),
        (663, "663"),
    ],
)
def test_numbers(value: object, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("p", "rest", "shown"),
    [
        (0.5, 0.5, "0.5000"),
        (0.998, 0.002, "0.9980"),
        (1 - 1e-7, 1e-7, "1 - 1e-07"),
        (1.0, 3e-30, "1 - 3e-30"),
    ],
)
def test_chances_near_one_show_what_is_left(p: float, rest: float, shown: str) -> None:
    assert chance(p, rest) == shown


def test_what_is_said_of_several_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    items = [
        Applied("a", "Theorem 3", "", None, "D: needs [more] nodes"),
        Applied("b", "Theorem 3, tail", "", None, "D: needs [more] nodes"),
        Applied("c", "Theorem 6", "", 1.0, note="a gap"),
        Applied("d", "Lemma 1", "", 2.0),
    ]
    show_notes(Console(width=100), items)
    assert capsys.readouterr().out.splitlines() == [
        "note: Theorem 6: a gap",
        "does not apply: Theorem 3, Theorem 3 tail: D: needs [more] nodes",
    ]
