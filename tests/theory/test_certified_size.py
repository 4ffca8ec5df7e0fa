"""Which levels `gatewalk bounds` certifies by itself."""

from __future__ import annotations

import pytest

from gatewalk.search.settings import settings
from gatewalk.theory import certified_size
from gatewalk.theory.chain import exact
from gatewalk.theory.statements import applied


def test_statement_is_the_certificate_or_says_what_is_possible() -> None:
    found = applied("certified_levels", settings("and:4", nodes=4))
    assert found.value == pytest.approx(862.34, abs=0.01)
    assert found.note == ""
    assert "D <= 4 here" in applied("certified_levels", settings("and:4", nodes=5)).why
    assert "n <= 5 here" in applied("certified_levels", settings("and:8", nodes=8)).why
    assert applied("certified_levels", settings("and:4", nodes=4, selection="strict")).value is None


def test_size_is_about_the_number_of_classes() -> None:
    for n, nodes in [(2, 3), (3, 3), (4, 3), (3, 4)]:
        assert certified_size.fits(n, nodes)
        assert exact(f"and:{n}", nodes=nodes).classes < certified_size.MOST_CLASSES
    assert not certified_size.fits(2, 5)
    assert not certified_size.fits(7, 6)
    assert not certified_size.fits(3, 10**9)
