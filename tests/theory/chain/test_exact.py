"""Which solver a search gets, and which searches get none."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from math import inf

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.table_targets import table_target
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings
from gatewalk.theory.chain.exact import (
    Details,
    exact,
    exact_result,
    rare,
    result_with_details,
    solve_chain,
)
from gatewalk.theory.chain.point_rate import PointRateChain
from gatewalk.theory.chain.ranked.search import ranked_result
from gatewalk.theory.chain.result import ExactResult, finite_or_text, part_of
from gatewalk.theory.chain.sam.chain import SamChain


def test_large_chains_are_ranked(monkeypatch):
    known = exact_result(settings("and:3", nodes=3))
    door = import_module("gatewalk.theory.chain.exact")
    monkeypatch.setattr(door, "RANKED_FROM", 0)
    taken = []
    monkeypatch.setattr(
        door,
        "ranked_result",
        lambda search, **options: taken.append(search) or ranked_result(search, **options),
    )
    found = exact_result(settings("and:3", nodes=3))
    assert found.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    lost = exact_result(settings("xor:3", nodes=2, selection="strict"))
    assert lost.p_never > 0  # by the other solver
    assert [search.target for search in taken] == ["and:3", "xor:3"]
    exact_result(settings("and:3", nodes=3), lump=False)
    assert len(taken) == 2


def test_refused_before_any_memory_is_taken():
    with pytest.raises(InputError, match=r"and:5 with 8 nodes .* GB, more than --memory 16; up to 6"):
        exact_result(settings("and:5", nodes=8))
    with pytest.raises(InputError, match="--memory 1; up to 5 nodes"):
        exact_result(settings("and:6", nodes=6), memory=10**9)


def test_each_mutation_has_its_chain():
    for mutation, kind in (("sam", SamChain), ("point:1", PointRateChain), ("rate:0.2", PointRateChain)):
        search = settings("and:2", nodes=2, mutation=mutation)
        solved = solve_chain(search)
        assert isinstance(solved.chain, kind)
        assert solved.result == exact_result(search)
        assert exact("and:2", nodes=2, mutation=mutation).result == solved.result


def test_trees_have_a_result_and_no_details():
    trees = settings("and:3", algorithm="tgp-single", profile="tinyverse")
    assert exact_result(trees).states is None
    with pytest.raises(InputError, match="available for cgp only"):
        solve_chain(trees)


MADE = settings("and:3", nodes=2)


def solve(details, made=MADE):
    shares = []
    found, extra = result_with_details(
        made,
        details,
        lump=True,
        memory=10**9,
        on_progress=lambda what, done: shares.append(done),
    )
    return found, extra, shares


def test_nothing_is_added_unasked():
    found, extra, _ = solve(Details())
    assert extra == {}
    assert found.expected_iterations > 0


def test_everything_at_once():
    found, extra, shares = solve(
        Details(quantiles=(0.0, 0.5, 0.99), tail=(0, 100), levels=True, worst_start=True, fraction=True)
    )
    assert list(extra) == ["quantiles", "tail", "levels", "worst_start", "fraction"]
    quantiles, tail, levels = extra["quantiles"], extra["tail"], extra["levels"]
    assert list(quantiles) == ["0.0", "0.5", "0.99"]
    assert sorted(quantiles.values()) == list(quantiles.values())
    assert tail["0"] == pytest.approx(1 - found.p_solved_at_start)
    assert [one["level"] for one in levels] == [1, 2]
    assert len(extra["worst_start"]) == 7
    assert float(Fraction(str(extra["fraction"]))) == pytest.approx(found.expected_iterations)
    assert shares == sorted(shares)


def test_a_search_that_may_never_end_says_so():
    stuck = settings("and:3", nodes=3, profile="tinyverse", selection="strict")
    found, extra, _ = solve(Details(quantiles=(0.999,)), stuck)
    assert 0 < extra["p_never"] < 1
    assert rare(found).keys() == {"p_never", "expected_if_solved"}
    assert extra["quantiles"] == {"0.999": "inf"}


FOUND = ExactResult(
    settings=settings("and:3", nodes=2),
    states=432,
    classes=50,
    expected_iterations=38.5,
    std_iterations=30.25,
    worst_start_expected=99.0,
    p_solved_at_start=0.125,
)


def test_infinity_is_a_text():
    assert finite_or_text(2.5) == 2.5
    assert finite_or_text(inf) == "inf"


def test_the_record_is_the_contract_of_the_command_line():
    found = FOUND.record()
    assert {
        "target": "and:3", "n": 3, "nodes": 2, "selection": "nonstrict", "profile": "paper", "states": 432,
        "classes": 50, "expected_iterations": 38.5, "std_iterations": 30.25, "worst_start_expected": 99.0,
        "p_solved_at_start": 0.125,
    }.items() <= found.items()  # fmt: skip
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_what_has_no_end_is_a_text_in_the_record():
    lost = replace(FOUND, states=None, expected_iterations=inf, std_iterations=inf, worst_start_expected=inf)
    found = lost.record()
    assert {found[key] for key in ("states", "expected_iterations", "std_iterations")} == {"inf"}
    assert json.dumps(found, allow_nan=False)


def test_it_is_shown_in_a_line_and_in_a_table():
    assert repr(FOUND) == (
        "<ExactResult and:3 nodes=2 nonstrict paper: 38.5 expected iterations, deviation 30.25, 50 classes>"
    )
    assert "<th>expected_iterations</th><td>38.5</td>" in FOUND._repr_html_()


def test_a_phase_reports_its_part_of_the_whole():
    told = []
    first = part_of(lambda what, done: told.append((what, done)), 0.0, 0.25)
    assert first is not None
    second = part_of(first, 0.5, 1.0)  # a phase of a phase
    assert second is not None
    first("moves", 0.5)
    second("mean", 0.0)
    second("mean", 1.0)
    assert told == [("moves", 0.125), ("mean", 0.125), ("mean", 0.25)]


def test_without_a_listener_there_is_none_for_a_phase():
    assert part_of(None, 0.0, 1.0) is None


TABLES = {"and": 0x80, "xor": 0x96}


@pytest.mark.parametrize(
    ("gate", "selection", "profile", "cares"),
    [
        ("and", "nonstrict", "paper", 0x81),
        ("and", "strict", "paper", 0xE8),
        ("and", "nonstrict", "paper", 0xB5),
        ("and", "strict", "tinyverse", 0xB5),
        ("xor", "nonstrict", "tinyverse", 0xC3),
        ("xor", "strict", "paper", 0xB5),
    ],
)
def test_the_literal_chain(gate, selection, profile, cares):
    """Symmetric and lopsided choices of rows: of 0xb5, only the identity is a symmetry."""
    wanted = table_target([TABLES[gate]], 3, cares=[cares])
    search = settings(wanted, nodes=2, gates=gate, selection=selection, profile=profile)
    rows = [tuple(row >> i & 1 for i in range(3)) for row in range(8)]
    free = frozenset(bits for row, bits in enumerate(rows) if not cares >> row & 1)
    law = search.law
    literal = chain_of(shape_of(search), law, gate=gate, strict=search.strict, free=free)
    for lump in (True, False):
        found = exact_result(search, lump=lump)
        assert found.expected_iterations == pytest.approx(literal.expected_iterations, rel=1e-9)
    assert found.p_solved_at_start == pytest.approx(literal.start_law[literal.all_fitness == 0].sum())


def test_only_symmetries_of_the_rows_that_count_are_used():
    options = {"nodes": 2, "gates": "and"}
    symmetric, lopsided = (exact(f"table:3:0x80/{cares}", **options) for cares in ("0x81", "0xb5"))
    assert symmetric.chain.tables.moved_source.shape[0] == 6
    assert lopsided.chain.tables.moved_source.shape[0] == 1


@pytest.mark.parametrize("mutation", ["point:1", "rate:0.2"])
def test_runs_take_as_long(mutation):
    """Means of 4000 runs within six standard errors: a false alarm in 10^8 tries (seed 1)."""
    search = settings("table:3:0x80/0xb5", nodes=3, gates="and,or", mutation=mutation, budget=10**6)
    found = exact_result(search)
    times = run_many(search, seed=1, runs=range(4000), jobs=1).iterations
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < 6 * error


def test_rows_that_count_for_some_outputs_only():
    with pytest.raises(InputError, match="rows that count for some outputs only"):
        exact_result(settings("table:2:0x8/0xe,0x1/0x7", nodes=2))
    whole = exact_result(settings("table:2:0x8/0xe,0x6/0xe", nodes=2, gates="and,xor"))
    assert whole.expected_iterations > 0
