"""The statements of Theorems A to F against exact values, means of runs, and each other.

The proofs behind them are examined in `proofs/`.
"""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory import conjunction_times as times
from gatewalk.theory import enclosure
from gatewalk.theory.conjunctions import theorem6, theorem6_levels
from gatewalk.theory.statements import applied, tail_statements

STORED = Path(__file__).parents[2] / "benchmarks" / "results" / "exact_times.jsonl"


def exact_records():
    """The stored exact times of conjunctions in the paper's profile."""
    records = [json.loads(line) for line in STORED.read_text().splitlines()]
    return [
        record for record in records if record["profile"] == "paper" and record["target"].startswith("and")
    ]


def test_the_bounds_enclose_every_stored_exact_value():
    seen = set()
    for record in exact_records():
        n, nodes, selection = record["n"], record["nodes"], record["selection"]
        search = search_for(record["target"], nodes=nodes, selection=selection)
        assert applied("conjunction_lower", search).value <= record["expected_iterations"]
        if selection == "nonstrict":
            assert record["expected_iterations"] <= applied("conjunction_upper", search).value
        seen.add((n, nodes))
    assert len(seen) >= 15


@pytest.mark.parametrize(("n", "nodes"), [(8, 7), (8, 16), (12, 12), (30, 3000)])
def test_the_bounds_enclose_means_of_runs(n, nodes):
    """Means of 200 runs by six standard errors: passed by chance with less than 10^-6."""
    search = search_for(f"and:{n}", nodes=nodes, budget=10**9)
    found = run_many(search, seed=1, runs=range(200)).iterations
    error = found.std() / 200**0.5
    lower, upper = (applied(f"conjunction_{side}", search).value for side in ("lower", "upper"))
    assert (lower is None) == (nodes == 3000)
    assert (lower or 0) < found.mean() - 6 * error
    assert found.mean() + 6 * error < upper


@pytest.mark.parametrize(
    ("n", "nodes"), [(2, 1), (4, 4), (10, 30), (30, 29), (100, 99), (100, 10_000), (2000, 4000)]
)
def test_the_best_upper_bound(n, nodes):
    search = search_for(f"and:{n}", nodes=nodes)
    best, of_levels = applied("conjunction_upper", search), applied("enclosure_upper", search)
    closed = {"Theorem A": times.theorem_a(n, nodes), "Theorem B": times.theorem_b(n, nodes)}
    if of_levels.value is None:
        assert best.value == min(closed.values()) == closed[best.note.removeprefix("from ")]
    else:
        assert best.value == of_levels.value < min(closed.values())
        assert best.note == "from the enclosure"
    assert best.value < theorem6_levels(n, nodes) < theorem6(n, nodes)


def test_a_uniform_start_has_a_smaller_bound_than_a_given_one():
    start = [0, 0, 1, 0, 4, 2, 0, 0, 0, 5]
    uniform, given = (
        applied("conjunction_upper", search).value
        for search in (search_for("and:4", nodes=3), search_for("and:4", nodes=3, start=start))
    )
    assert uniform < 106 < given < 155


def test_the_number_that_theorem_6_prints_is_a_bound():
    """By the enclosure at small sizes, and beyond by Theorem A."""
    for n in (*range(2, 13), 16, 24, 40):
        for nodes in (n - 1, n, n + 1, n + 3, 2 * n, n * n):
            assert enclosure.by_levels(n, nodes) <= theorem6_levels(n, nodes)
    for n in (16, 50, 1000, 10**6):  # and 21 n (3D)^3 H(n-1) <= 72 n D^4 zeta(2) as soon as D >= 4.8 H(n-1)
        assert times.theorem_a(n, n - 1) <= theorem6(n, n - 1)


def test_a_start_that_is_given():
    one = applied("conjunction_lower", search_for("and:6", nodes=5, start="penultimate"))
    assert one.value == 27.5
    assert one.note == "from Theorem D"
    solved = "genes:0,0,1,0,2,3,4"
    assert applied("conjunction_lower", search_for("and:3", nodes=2, start=solved)).value is None
    more = search_for("and:3", nodes=3, start="genes:0,0,0,0,0,0,0,0,0,5")
    assert "start that is not optimal" in applied("conjunction_lower", more).why
    assert applied("conjunction_upper", more).value == applied("enclosure_upper", more).value


@pytest.mark.parametrize("options", [{}, {"selection": "strict"}, {"options": {"ties": "coin"}}])
def test_the_lower_bound_asks_nothing_of_the_selection(options):
    search = search_for("and:5", nodes=4, **options)
    least = (1 - float(times.optimal_start(5))) * 18
    assert applied("conjunction_lower", search).value == pytest.approx(
        max(least, enclosure.lower(5, 4, strict=search.strict))
    )


def test_which_searches_they_are_about():
    paper = search_for("and:16", nodes=15, start="penultimate")
    assert applied("penultimate_lower", paper).value == 2175
    assert 2175 < applied("penultimate_upper", paper).value < 1300 * 16**3
    for options, about in (
        ({"nodes": 16}, "D"),
        ({"nodes": 15, "selection": "strict"}, "selection"),
        ({"nodes": 15, "offspring": 4}, "lambda"),
        ({"nodes": 15, "training": "sample"}, "training"),
        ({"nodes": 15, "mutation": "point:2"}, "mutation"),
    ):
        assert applied("penultimate_upper", search_for("and:16", **options)).why.startswith(f"{about}:")
    assert applied("penultimate_upper", search_for("and:3", nodes=2)).value is not None
    assert "n >= 4" in applied("penultimate_lower", search_for("and:3", nodes=2)).why
    assert "random" in applied("unused_inputs", paper).why
    assert applied("unused_inputs", search_for("and:30", nodes=3000)).value == pytest.approx(
        13.1347, abs=1e-4
    )
    assert applied("unused_inputs", search_for("xor:30", nodes=3000)).value is None
    for name, words, value in (
        ("and:30", {"nodes": 3000, "selection": "strict"}, "sqrt(D) n^o(1)"),
        ("and:30", {"nodes": 3000}, None),
        ("and:30", {"nodes": 900, "selection": "strict"}, None),
        ("and:30", {"nodes": 27_000, "selection": "strict"}, None),
    ):
        assert applied("many_nodes_order", search_for(name, **words)).value == value
    assert "92/d" in applied("many_nodes_order", search_for("and:30", nodes=3000, selection="strict")).note


def test_tails():
    tails = {item.key: item.value for item in tail_statements(search_for("and:8", nodes=16), 0.9)}
    assert enclosure.by_levels(8, 16) < tails["conjunction_markov"] < tails["theorem6_markov"]


def test_thousands_of_inputs():
    for nodes in (2999, 9_000_000):
        assert isfinite(applied("conjunction_upper", search_for("and:3000", nodes=nodes)).value)
    assert times.optimal_start(times.SMALL_START + 1) < 4.0**-times.SMALL_START
    million = search_for("and:1000000", nodes="n-1")
    assert applied("conjunction_lower", million).value == pytest.approx(1e12, rel=1e-5)
    assert applied("conjunction_upper", million).value < theorem6(10**6, 10**6 - 1)
    assert applied("conjunction_lower", search_for("and:3000", nodes=2999)).value == pytest.approx(
        5999 * 2999 / 2
    )


def test_sizes_are_checked():
    with pytest.raises(InputError, match="cannot join"):
        times.theorem_a(4, 2)
    with pytest.raises(InputError, match="n >= 4"):
        times.penultimate_lower(3)
    with pytest.raises(InputError, match="n >= 2"):
        times.success_chance(1)
