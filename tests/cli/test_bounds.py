"""`gatewalk bounds`: keys, numbers, reasons and errors."""

from __future__ import annotations

import re
from math import comb
from pathlib import Path

import pytest
from command import call, record

from gatewalk.theory import bounds

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "bounds.md"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return call(capsys, "bounds", *arguments)


def test_json_keys_and_values(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "bounds", "and:8", "--nodes", "2n")
    assert found["target"] == "and:8"
    assert (found["n"], found["nodes"]) == (8, 16)
    assert found["theorem3"] == bounds.theorem3(8, 16)
    assert found["theorem3_closed"] == bounds.theorem3_closed(8, 16)
    assert found["theorem3_tail_delta1"] == bounds.theorem3_tail(8, 16, 1)
    assert found["theorem6"] == bounds.theorem6(8, 16)
    assert found["lemma1_bits"] == bounds.lemma1_bits(8, 16)
    assert found["theorem9"] is None
    assert "tail" not in found


def test_strict_selection_has_no_theorem6(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "bounds", "and:8", "--selection", "strict")["theorem6"] is None


def test_nulls_have_reasons_and_numbers_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["and:8"], ["xor:500", "--nodes", "n"], ["add:2"], ["and:8", "--training", "sample"]):
        found = record(capsys, "bounds", *arguments, "--tail", "0.5")
        for part in (found, found["tail"]):
            assert {key for key, value in part.items() if value is None} == set(part["reasons"])


def test_the_reason_names_the_assumption(capsys: pytest.CaptureFixture[str]) -> None:
    common = ("bounds", "and:8")
    for options, about in (
        (("--training", "sample"), "training"),
        (("--mutation", "point:2"), "mutation"),
        (("--lambda", "4"), "lambda"),
        (("--option", "levels_back=3"), "reach"),
        (("--nodes", "5"), "D"),
        (("--gates", "and,or"), "target"),
    ):
        assert record(capsys, *common, *options)["reasons"]["theorem6"].startswith(f"{about}: needs")
    _, out, _ = run(capsys, "and:8", "--training", "sample")
    assert "training: needs the complete set" in out


def test_the_gap_of_theorem_6_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "gap" in record(capsys, "bounds", "and:8")["notes"]["theorem6"]
    _, out, _ = run(capsys, "and:8")
    assert "note: Theorem 6, Theorem 6 levels: the proof has a gap" in out


def test_a_chance_that_rounds_to_one_is_shown_by_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "xor:100", "--nodes", "n")
    left = record(capsys, "bounds", "xor:100", "--nodes", "n")["lemma7_rest"]
    assert f"1 - {left:.2g}" in out


def test_thousands_of_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "bounds", "and:3000", "--nodes", "n^2")
    assert found["theorem6"] == bounds.theorem6(3000, 9_000_000)


def test_a_million_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "bounds", "xor:1000000")["lemma7_probability"] == 1.0
    found = record(capsys, "bounds", "xor:20", "--nodes", "1000000")["lemma7_probability"]
    fair = sum(comb(20, odd) for odd in range(16)) / 2**20  # with so many toggles all parities are alike
    assert found == pytest.approx(fair, rel=1e-9)
    assert record(capsys, "bounds", "and:1000000")["theorem6"] == bounds.theorem6(1_000_000, 2_000_000)


def test_tail(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "bounds", "and:8", "--tail", "0.99")
    assert found["tail"]["probability"] == 0.99
    assert found["tail"]["theorem6_markov"] > found["theorem6"]


def test_table_says_why_not(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "or:4", "--tail", "0.9")
    assert status == 0
    assert "Theorem 6" in out
    assert "does not apply" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["and:0"], "size"),
        (["nonsense:4"], "unknown target"),
        (["and:4", "--nodes", "x"], "nodes"),
        (["and:4", "--tail", "2"], "between 0 and 1"),
        (["and:4", "--tail", "a"], "not a valid float"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_the_literature_on_trees_is_named_as_orders(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "bounds", "and:6")["tgp_single_order"] == "O(n log n)"
    assert record(capsys, "bounds", "xor:6")["tgp_single_order"] == "exp(Omega(n))"
    assert record(capsys, "bounds", "maj:5")["tgp_single_order"] is None


def test_the_reference_has_every_key_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "bounds", "and:4", "--tail", "0.5")
    text = REFERENCE.read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert [key for row in rows for key in re.findall(r"`(\w+)`", row)] == list(found)
    words = set(re.findall(r"`(\w+)`", text[text.index("`tail` holds") :]))
    assert set(found["tail"]) <= words
