"""`gatewalk bounds`: keys, numbers, reasons, refusals."""

import re
from math import comb
from pathlib import Path

import pytest
from command import call, record
from refusals import refused
from rich.console import Console

from gatewalk.cli.bounds import chance, show_notes, value_text
from gatewalk.numbers import number
from gatewalk.theory import conjunctions
from gatewalk.theory.statements import Applied

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "bounds.md"


def run(capsys, *arguments):
    return call(capsys, "bounds", *arguments)


def test_json_keys_and_values(capsys):
    found = record(capsys, "bounds", "and:8", "--nodes", "2n")
    assert found["target"] == "and:8"
    assert (found["n"], found["nodes"]) == (8, 16)
    assert found["theorem3"] == conjunctions.theorem3(8, 16)
    assert found["theorem3_closed"] == conjunctions.theorem3_closed(8, 16)
    assert found["theorem3_tail_delta1"] == conjunctions.theorem3_tail(8, 16, 1)
    assert found["theorem6"] == conjunctions.theorem6(8, 16)
    assert found["lemma1_bits"] == conjunctions.lemma1_bits(8, 16)
    assert found["theorem9"] is None
    assert "tail" not in found


def test_strict_selection_has_no_theorem6(capsys):
    assert record(capsys, "bounds", "and:8", "--selection", "strict")["theorem6"] is None


def test_nulls_have_reasons_and_numbers_have_none(capsys):
    for arguments in (["and:8"], ["xor:500", "--nodes", "n"], ["add:2"], ["and:8", "--training", "sample"]):
        found = record(capsys, "bounds", *arguments, "--tail", "0.5")
        for part in (found, found["tail"]):
            assert {key for key, value in part.items() if value is None} == set(part["reasons"])


def test_the_reason_names_the_assumption(capsys):
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


def test_the_gap_of_theorem_6_is_said(capsys):
    assert "gap" in record(capsys, "bounds", "and:8")["notes"]["theorem6"]
    _, out, _ = run(capsys, "and:8")
    assert "note: Theorem 6, Theorem 6 levels: the proof has a gap" in out


def test_a_chance_that_rounds_to_one_is_shown_by_what_is_left(capsys):
    _, out, _ = run(capsys, "xor:100", "--nodes", "n")
    left = record(capsys, "bounds", "xor:100", "--nodes", "n")["lemma7_rest"]
    assert f"1 − {number(left, digits=2)}" in out


def test_thousands_of_inputs(capsys):
    found = record(capsys, "bounds", "and:3000", "--nodes", "n^2")
    assert found["theorem6"] == conjunctions.theorem6(3000, 9_000_000)


def test_a_million_inputs(capsys):
    assert record(capsys, "bounds", "xor:1000000")["lemma7_probability"] == 1.0
    found = record(capsys, "bounds", "xor:20", "--nodes", "1000000")["lemma7_probability"]
    fair = sum(comb(20, odd) for odd in range(16)) / 2**20  # with so many toggles all parities are alike
    assert found == pytest.approx(fair, rel=1e-9)
    assert record(capsys, "bounds", "and:1000000")["theorem6"] == conjunctions.theorem6(1_000_000, 2_000_000)


def test_tail(capsys):
    found = record(capsys, "bounds", "and:8", "--tail", "0.99")
    assert found["tail"]["probability"] == 0.99
    assert found["tail"]["theorem6_markov"] > found["theorem6"]


def test_table_says_why_not(capsys):
    status, out, _ = run(capsys, "or:4", "--tail", "0.9")
    assert status == 0
    assert "Theorem 6" in out
    assert "does not apply" in out


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["and:0"], ("and:0", "size")),
        (["nonsense:4"], ("'nonsense:4'",)),
        (["and:4", "--tail", "2"], ("2", "between 0 and 1")),
        (["and:4", "--tail", "a"], ("--tail", "'a'", "number")),
    ],
)
def test_refusals(capsys, arguments, names):
    refused(capsys, "bounds", *arguments, naming=names)


def test_the_literature_on_trees_is_named_as_orders(capsys):
    assert record(capsys, "bounds", "and:6")["tgp_single_order"] == "O(n log n)"
    assert record(capsys, "bounds", "xor:6")["tgp_single_order"] == "exp(Omega(n))"
    assert record(capsys, "bounds", "maj:5")["tgp_single_order"] is None


def test_the_reference_has_every_key_and_no_other(capsys):
    found = record(capsys, "bounds", "and:4", "--tail", "0.5")
    text = REFERENCE.read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert [key for row in rows for key in re.findall(r"`(\w+)`", row)] == list(found)
    words = set(re.findall(r"`(\w+)`", text[text.index("`tail` holds") :]))
    assert set(found["tail"]) <= words


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([3, 1, 0], "3, 1, 0"),
        ([1023, 511, 255, 127], "1,023, 511, 255, ..."),
        ("O(n log n)", "O(n log n)"),
        (227.5489, "227.549"),
        (12345678.9, "12,345,679"),
        (1.5e12, "1.5 · 10¹²"),
        (8.5e-23, "8.5 · 10⁻²³"),
        (663, "663"),
    ],
)
def test_values_of_statements(value, shown):
    assert value_text(value) == shown


@pytest.mark.parametrize(
    ("value", "most", "least"),
    [
        (4.3453, "4.3453", "4.3453"),
        (4.34530001, "4.34531", "4.3453"),
        (1234.5, "1,235", "1,234"),
        (5491735.0001, "5,491,736", "5,491,735"),
        (1.22712e21, "1.228 · 10²¹", "1.227 · 10²¹"),
        (7, "7", "7"),
        (2.0**0.5 / 1e6, "1.41422 · 10⁻⁶", "1.41421 · 10⁻⁶"),
    ],
)
def test_bounds_are_rounded_outwards(value, most, least):
    assert value_text(value, side="at most") == most
    assert value_text(value, side="at least") == least


def test_the_best_bound_comes_first(capsys):
    """Of each question, and what it says is rounded to its safe side."""
    found = record(capsys, "bounds", "and:9", "--nodes", "20")
    above = [found[key] for key in ("conjunction_upper", "enclosure_upper", "theorem6", "theorem3")]
    assert above == sorted(above)
    assert list(found).index("conjunction_upper") < list(found).index("theorem6")
    assert list(found).index("conjunction_lower") < list(found).index("enclosure_lower")
    assert found["conjunction_lower"] >= found["enclosure_lower"]
    _, out, _ = run(capsys, "and:9", "--nodes", "20")
    assert out.index("Best upper bound") < out.index("Theorem 6") < out.index("Best lower bound")


@pytest.mark.parametrize(
    ("p", "rest", "shown"),
    [
        (0.5, 0.5, "0.5000"),
        (0.998, 0.002, "0.9980"),
        (1 - 1e-7, 1e-7, "1 − 10⁻⁷"),
        (1.0, 3e-30, "1 − 3 · 10⁻³⁰"),
    ],
)
def test_chances_near_one_show_what_is_left(p, rest, shown):
    assert chance(p, rest) == shown


def test_what_is_said_of_several_is_said_once(capsys):
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
