"""Chains on sampled sets that `gatewalk bounds` solves by itself."""

from __future__ import annotations

import pytest

from gatewalk.search.settings import settings
from gatewalk.theory import exact_sets, sampled_size
from gatewalk.theory.statements import applied


def test_statement() -> None:
    search = settings("and:3", nodes=2, training="sample:4")
    known = exact_sets(search, sets=sampled_size.SETS, seed=0).expected_iterations
    assert applied("sampled_expected", search).value == pytest.approx(known, rel=1e-12)
    for wrong, about in [
        (settings("and:3", nodes=2), "training"),
        (settings("and:3", nodes=9, training="sample"), "size"),
        (settings("and:3", nodes=2, training="sample:65"), "size"),
        (settings("and:3", nodes=2, training="sample", mutation="point:2"), "mutation"),
        (settings("and:9", nodes=2, training="sample"), "size"),
    ]:
        found = applied("sampled_expected", wrong)
        assert found.value is None
        assert found.why.startswith(about), found


def test_never_solved_is_a_text() -> None:
    search = settings("xor:3", nodes=2, training="sample:6", selection="strict")
    assert applied("sampled_expected", search).value == "inf"
