"""Settings that are allowed but cannot lead to success are doubted, not refused."""

from __future__ import annotations

from gatewalk.search.doubts import doubts
from gatewalk.search.settings import settings


def test_too_few_nodes_are_a_doubt_not_an_error() -> None:
    (doubt,) = doubts(settings("and:8", nodes=6))
    assert "at least 7" in doubt
    assert doubts(settings("and:8", nodes=7)) == []
    assert doubts(settings("and:8", nodes=4, gates="and3")) == []
    assert "at least 9" in doubts(settings("parity:4", nodes=8))[0]


def test_gates_that_cannot_express_the_target_are_a_doubt() -> None:
    assert "monotone" in doubts(settings("xor:3", nodes=9, gates="and,or"))[0]
    assert doubts(settings("xor:3", nodes=9, gates="nand")) == []
