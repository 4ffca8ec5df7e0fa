"""A statement as data: its number for a case, or the assumptions that the case does not meet."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from gatewalk.search.settings import settings
from gatewalk.theory.assumptions import CONJUNCTION, case_of, inputs_from, unmet, why_not
from gatewalk.theory.statement import Statement

SQUARE = Statement(
    key="square",
    name="Square",
    says="n squared",
    assumptions=(CONJUNCTION, inputs_from(3)),
    formula=lambda case: case.n**2,
)


def test_the_formula_is_about_a_case() -> None:
    search = settings("and:5", nodes=7)
    assert unmet(SQUARE.assumptions, search) == ()
    assert SQUARE.formula(case_of(search)) == 25
    assert SQUARE.note == ""


def test_assumptions_say_why_it_does_not_apply() -> None:
    assert why_not(SQUARE.assumptions, settings("and:2")).startswith("n: ")
    assert unmet(SQUARE.assumptions, settings("xor:2")) == (CONJUNCTION,)  # n would be of another target


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        SQUARE.key = "cube"  # type: ignore[misc]
