"""Which results apply to which settings, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory import bounds, penultimate
from gatewalk.theory.statements import statements, tail_statements


def values(name: str, **options: Any) -> dict[str, Any]:
    return {item.key: item.value for item in statements(settings(name, **options))}


def reasons(name: str, **options: Any) -> dict[str, str]:
    return {item.key: item.why for item in statements(settings(name, **options))}


def test_conjunction_nonstrict() -> None:
    found = values("and:8", nodes=16)
    assert found["theorem3"] == bounds.theorem3(8, 16)
    assert found["theorem3_tail_delta1"] == bounds.theorem3_tail(8, 16, 1)
    assert found["theorem6"] == bounds.theorem6(8, 16)
    assert found["lemma1_bits"] == bounds.lemma1_bits(8, 16)
    assert found["lemma2_mismatches"] == [127, 63, 31, 15, 7, 3, 1, 0]
    assert found["theorem4_expected"] is None
    assert found["theorem9"] is None


def test_every_missing_value_has_a_reason_and_no_other() -> None:
    for name, options in [
        ("and:8", {}),
        ("and:3", {"nodes": 2, "selection": "strict"}),
        ("and:4", {"nodes": 2}),
        ("and:1", {}),
        ("and:100", {}),
        ("or:5", {}),
        ("and:5", {"gates": "and,or"}),
        ("and:5", {"profile": "tinyverse"}),
        ("xor:200", {"nodes": "n"}),
        ("xor:5", {"profile": "tinyverse"}),
        ("add:2", {}),
    ]:
        for item in statements(settings(name, **options)):
            assert (item.value is None) == bool(item.why), (name, item)


def test_strict_has_no_theorem6_and_the_penultimate_start_needs_n_minus_1() -> None:
    found = values("and:6", nodes="n-1", selection="strict")
    assert found["theorem6"] is None
    assert found["theorem3"] == bounds.theorem3(6, 5)
    assert found["theorem4_expected"] == float(penultimate.expected_iterations(6))
    assert "D = n - 1" in reasons("and:6", selection="strict")["theorem4_expected"]


def test_small_and_foreign_cases() -> None:
    assert "D >= 10" in reasons("and:4", nodes=8)["theorem3_tail_delta1"]
    assert "duality" in reasons("or:4")["theorem3"]
    assert "profile paper" in reasons("and:4", profile="tinyverse")["theorem6"]
    few = statements(settings("and:8", nodes=3))
    assert [item.value is None for item in few if item.key in ("lemma2_mismatches", "theorem3")] == [
        False,
        True,
    ]
    assert "mutation sam" in reasons("and:4", mutation="point:2")["theorem3"]
    assert "lambda 1" in reasons("and:4", offspring=5)["theorem6"]
    assert reasons("and:4", selection="strict", options={"waiting": "drawn"})["theorem3"] == ""
    assert values("and:4", profile="tinyverse")["tgp_single_tinyverse"] == pytest.approx(
        12 * (1 + 1 / 2 + 1 / 3)
    )
    assert values("and:4", options={"ties": "coin"})["theorem6"] is None


def test_exclusive() -> None:
    found = values("xor:200", nodes="n")
    assert found["theorem9"] == "exp(Omega(n))"
    assert found["lemma8_drift"] > 0.3
    assert 0.99 < found["lemma7_probability"] <= 1
    assert values("xor:8")["theorem9"] is None


def test_tails() -> None:
    found = {item.key: item.value for item in tail_statements(settings("and:8", nodes=16), 0.99)}
    assert found["theorem3"] > found["theorem3_lemma10"] > bounds.theorem3(8, 16)
    assert found["theorem6_markov"] >= bounds.theorem6(8, 16)
    assert found["theorem4"] is None
    strict = settings("and:6", nodes="n-1", selection="strict")
    four = next(item for item in tail_statements(strict, 0.5) if item.key == "theorem4")
    assert four.value == pytest.approx(0.6931 * float(penultimate.expected_iterations(6)), rel=1e-3)
    with pytest.raises(InputError, match="between 0 and 1"):
        tail_statements(strict, 1.0)
