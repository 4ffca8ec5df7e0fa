"""Statements beyond the paper: listed, documented, and on the right side of the exact time."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.search.settings import settings
from gatewalk.theory.beyond_paper import BEYOND_PAPER
from gatewalk.theory.chain.sam_search import exact
from gatewalk.theory.statements import STATEMENTS, statements

DOCUMENTS = Path(__file__).parents[2] / "docs"


def test_they_are_among_all_statements_and_have_names_of_their_own() -> None:
    keys = [one.key for one in STATEMENTS]
    assert len(set(keys)) == len(keys)
    assert set(BEYOND_PAPER) <= set(STATEMENTS)


def test_each_is_in_the_reference() -> None:
    reference = (DOCUMENTS / "reference" / "bounds.md").read_text("utf-8")
    for one in BEYOND_PAPER:
        assert f"`{one.key}`" in reference


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_conjunctions_are_enclosed(selection: str) -> None:
    time = exact("and:3", nodes=3, selection=selection).expected_iterations
    found = {item.key: item for item in statements(settings("and:3", nodes=3, selection=selection))}
    assert found["enclosure_lower"].value <= time
    if selection == "strict":
        assert found["enclosure_upper"].value is None
        assert found["certified_levels"].value is None
    else:
        assert time <= found["certified_levels"].value <= found["enclosure_upper"].value


def test_exclusive_disjunctions() -> None:
    found = {item.key: item.value for item in statements(settings("xor:3", nodes=3))}
    known = exact("xor:3", nodes=3)
    assert found["xor_start_optimal"] == pytest.approx(known.p_solved_at_start, rel=1e-12)
    assert found["xor_lower"] <= found["xor_lower_active"] <= known.expected_iterations
    assert 2 ** found["xor_lower_log2"] == pytest.approx(found["xor_lower_active"])
    stuck = {item.key: item.value for item in statements(settings("xor:3", nodes=3, selection="strict"))}
    assert 0 < stuck["xor_stuck_lower"] <= exact("xor:3", nodes=3, selection="strict").p_never
