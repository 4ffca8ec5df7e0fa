"""Which results apply to which settings, and why not."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory import bounds, penultimate, xor_bounds
from gatewalk.theory.statements import GAP, STATEMENTS, applied, statements, tail_statements

ON_COMPLETE_SETS = {
    "lemma2_mismatches", "theorem3", "theorem3_closed", "theorem3_tail_delta1", "theorem6", "theorem6_levels",
    "theorem4_leaving_probability", "theorem4_expected", "lemma8_drift", "theorem9", "tgp_single_tinyverse",
    "certified_levels", "enclosure_lower", "enclosure_upper",
    "xor_lower", "xor_lower_active", "xor_lower_log2", "xor_stuck_lower",
}  # fmt: skip


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
    assert "D: needs D = n - 1" in reasons("and:6", selection="strict")["theorem4_expected"]


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


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("and:12", {}),
        ("and:12", {"nodes": 11, "selection": "strict"}),
        ("xor:300", {"nodes": "n"}),
    ],
)
def test_sampled_sets_get_no_statement_for_complete_ones(name: str, options: dict[str, Any]) -> None:
    complete, sampled = (
        statements(settings(name, training=kind, **options)) for kind in ("complete", "sample")
    )
    assert any(item.value is not None for item in complete if item.key in ON_COMPLETE_SETS)
    for before, after in zip(complete, sampled, strict=True):
        if before.key in ON_COMPLETE_SETS:
            assert after.value is None
            assert (
                before.value is None or after.why == "training: needs the complete set: --training complete"
            )
        elif before.key not in ("tgp_single_order", "sampled_expected"):
            assert (after.value, after.why) == (before.value, before.why)
    order = {"and": "O(log n)", "xor": None}[name.partition(":")[0]]
    assert next(item.value for item in sampled if item.key == "tgp_single_order") == order


def test_all_unmet_assumptions_are_named() -> None:
    found = reasons("and:8", nodes=8, training="sample", mutation="point:2", offspring=4)["theorem4_expected"]
    assert [part.partition(":")[0] for part in found.split("; ")] == [
        "D", "training", "mutation", "lambda", "selection",
    ]  # fmt: skip


def test_one_statement_by_its_key() -> None:
    search = settings("and:8", nodes=16)
    assert applied("theorem3", search).value == bounds.theorem3(8, 16)
    with pytest.raises(InputError, match="no statement 'theorem2'"):
        applied("theorem2", search)
    keys = [one.key for one in STATEMENTS]
    assert len(set(keys)) == len(keys)


def test_the_gap_of_theorem_6_is_said_wherever_it_has_a_number() -> None:
    for item in (*statements(settings("and:8")), *tail_statements(settings("and:8"), 0.5)):
        assert (item.note == GAP) == item.name.startswith("Theorem 6")
    assert not any(item.note for item in statements(settings("and:8", selection="strict")))


def test_exclusive() -> None:
    found = values("xor:300", nodes="n")
    assert found["theorem9"] == "exp(Omega(n))"
    assert "large enough" in applied("theorem9", settings("xor:300", nodes="n")).note
    assert found["lemma8_drift"] > 0.3
    assert 0.99 < found["lemma7_probability"] <= 1
    assert 0 < found["lemma7_rest"] < 1e-12


def test_lemma_8_holds_up_to_a_hundredth_and_theorem_9_is_only_sure_without_excess() -> None:
    assert values("xor:1000", nodes=1010)["lemma8_drift"] > 0.3
    assert "D <= 1010 nodes" in reasons("xor:1000", nodes=1011)["lemma8_drift"]
    assert values("xor:1000", nodes=1000)["theorem9"] == "exp(Omega(n))"
    assert "how small, the paper does not say" in reasons("xor:1000", nodes=1001)["theorem9"]


def test_lemma_8_needs_a_potential_in_its_interval() -> None:
    assert values("xor:256", nodes="n")["lemma8_drift"] is not None
    assert "n >= 256" in reasons("xor:255", nodes="n")["lemma8_drift"]
    for n in range(2, 600):
        low, high = xor_bounds.lemma8_interval(n)
        assert any(low <= y <= high for y in range(5)) == (n >= xor_bounds.LEMMA8_INPUTS)


def test_lemma_7_is_about_one_random_start_with_unlimited_reach() -> None:
    assert values("xor:20", nodes="n")["lemma7_probability"] == xor_bounds.lemma7_probability(20, 20)
    for options in (
        {"options": {"levels_back": 2, "levels_over": "sources"}},
        {"options": {"levels_back": 2}},
        {"options": {"rows": 2}},
    ):
        assert reasons("xor:20", nodes=20, **options)["lemma7_probability"].startswith("reach:")
    assert reasons("xor:20", nodes=20, options={"starts": 2})["lemma7_probability"].startswith("start:")
    genes = "genes:" + ",".join(map(str, [0, 0, 1, 0, 0, 1, 3]))
    assert reasons("xor:3", nodes=2, start=genes)["lemma7_probability"].startswith("start:")
    assert values("xor:20", nodes=20, options={"levels_back": 20})["lemma7_probability"] is not None


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
