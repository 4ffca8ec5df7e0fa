"""Results of exact solvers: what JSON gets, and how they are shown."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

from gatewalk.search.settings import settings
from gatewalk.theory.chain.result import ExactResult, finite_or_text

FOUND = ExactResult(
    settings=settings("and:3", nodes=2),
    states=432,
    classes=50,
    expected_iterations=38.5,
    std_iterations=30.25,
    worst_start_expected=99.0,
    p_solved_at_start=0.125,
)


def test_infinity_is_a_text() -> None:
    assert finite_or_text(2.5) == 2.5
    assert finite_or_text(inf) == "inf"


def test_the_record_is_the_contract_of_the_command_line() -> None:
    found = FOUND.record()
    assert {
        "target": "and:3", "n": 3, "nodes": 2, "selection": "nonstrict", "profile": "paper", "states": 432,
        "classes": 50, "expected_iterations": 38.5, "std_iterations": 30.25, "worst_start_expected": 99.0,
        "p_solved_at_start": 0.125,
    }.items() <= found.items()  # fmt: skip
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_what_has_no_end_is_a_text_in_the_record() -> None:
    lost = replace(FOUND, states=None, expected_iterations=inf, std_iterations=inf, worst_start_expected=inf)
    found = lost.record()
    assert {found[key] for key in ("states", "expected_iterations", "std_iterations")} == {"inf"}
    assert json.dumps(found, allow_nan=False)


def test_it_is_shown_in_a_line_and_in_a_table() -> None:
    assert repr(FOUND) == (
        "<ExactResult and:3 nodes=2 nonstrict paper: 38.5 expected iterations, deviation 30.25, 50 classes>"
    )
    assert "<th>expected_iterations</th><td>38.5</td>" in FOUND._repr_html_()
