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

import gatewalk as gw
from gatewalk.boolean.table_targets import table_target
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
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
from gatewalk.theory.chain.reach import CHAINS, estimated_seconds, nodes_by_default, quick_nodes
from gatewalk.theory.chain.result import ExactResult, part_of
from gatewalk.theory.chain.sam.chain import SamChain


def test_large_chains_are_ranked(monkeypatch):
    known = exact_result(search_for("and:3", nodes=3))
    door = import_module("gatewalk.theory.chain.exact")
    monkeypatch.setattr(door, "RANKED_FROM", 0)
    taken = []
    monkeypatch.setattr(
        door,
        "ranked_result",
        lambda search, **options: taken.append(search) or ranked_result(search, **options),
    )
    result = exact_result(search_for("and:3", nodes=3))
    assert result.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    lost = exact_result(search_for("xor:3", nodes=2, selection="strict"))
    assert lost.p_never > 0  # by the other solver
    assert [search.target.name for search in taken] == ["and:3", "xor:3"]
    exact_result(search_for("and:3", nodes=3), lump=False)
    assert len(taken) == 2


def test_refused_before_any_memory_is_taken():
    with pytest.raises(InputError, match=r"and:5 with 8 nodes .* GB, more than --memory 16; up to 6"):
        exact_result(search_for("and:5", nodes=8))
    with pytest.raises(InputError, match="--memory 1; up to 5 nodes"):
        exact_result(search_for("and:6", nodes=6), memory=10**9)


def test_a_refusal_says_what_takes_a_minute():
    with pytest.raises(InputError, match="up to 6 nodes are possible; up to 5 take about a minute; other"):
        exact_result(search_for("and:5", nodes=8))
    with pytest.raises(InputError, match=r"28,.* states with rate:0.1, .*; up to 4 take about a minute"):
        exact_result(search_for("and:4", nodes=5, mutation="rate:0.1"))
    with pytest.raises(InputError, match="no number of nodes that could do takes less than a minute"):
        exact_result(search_for("xor:8", nodes=7))


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("and:5", {}, 5),
        ("and:5", {"selection": "strict"}, 5),
        ("xor:3", {}, 5),
        ("xor:4", {}, 5),
        ("xor:5", {}, 4),
        ("maj:3", {}, 4),
        ("and:4", {"mutation": "point:2"}, 4),
        ("and:4", {"start": [0, 0, 1] * 8 + [0]}, 5),
        ("and:4", {"profile": "tinyverse"}, 5),
        ("and:4", {"options": {"rows": 2}}, 4),
        ("and:8", {}, None),
        ("mul:4", {}, None),
    ],
)
def test_the_most_nodes_in_a_minute(name, options, most):
    search = search_for(name, **options)
    assert quick_nodes(search) == most
    if most is not None:
        assert estimated_seconds(replace(search, nodes=most, start=None)) <= 60
        assert quick_nodes(search, memory=1) is None


def test_without_nodes_there_are_the_fewest_that_suffice():
    assert exact("and:3").search.nodes == 2
    assert exact("and:3", nodes=3).search.nodes == 3
    assert exact(search_for("and:2")).search.nodes == 4  # a search has its own
    assert exact("and:4", start="penultimate").search.nodes == 3
    with pytest.raises(InputError, match="maj:3 with gates and,or; choose --nodes: up to 4"):
        exact("maj:3")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("maj:3", {}),
        ("and:3", {"gates": "nand"}),
        ("xnor:3", {"gates": "xnor"}),
        ("and:3", {"profile": "tinyverse"}),
        ("and:3", {"options": {"rows": 2}, "nodes": 4}),
        ("table:3:0x80", {}),
    ],
)
def test_no_default_where_so_few_nodes_may_not_suffice(name, options):
    with pytest.raises(InputError, match="choose --nodes"):
        nodes_by_default(search_for(name, **options))


@pytest.mark.parametrize("family", CHAINS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_n_minus_1_nodes_suffice_for_these(family, size):
    target = gw.target(f"{family}:{size}")
    search = search_for(target, nodes=size - 1, gates=",".join(CHAINS[family]), budget=200_000)
    assert nodes_by_default(search) == size - 1
    assert run_many(search, seed=1, runs=range(1), jobs=1)[0].solved


@pytest.mark.parametrize("mutation", ["sam", "point:1", "rate:0.2"])
@pytest.mark.parametrize("options", [{}, {"selection": "strict"}, {"profile": "tinyverse"}, {"offspring": 3}])
def test_the_time_from_a_given_start(mutation, options):
    """The numbers are those from this program, whatever the profile does with random starts."""
    words = {"nodes": 3, "mutation": mutation, **options}
    anywhere = exact("and:3", **words)
    genes = [0, 1, 2, 0, 1, 2, 0, 2, 2, 3]
    solved = exact("and:3", start=genes, **words)
    assert solved.expected_iterations == anywhere.expected_from(genes)
    assert solved.p_solved_at_start == 0.0
    assert solved.worst_start_expected == anywhere.worst_start_expected
    assert solved.result.record()["start"] == "genes:" + ",".join(map(str, genes))
    if solved.p_never == 0:
        tail = solved.distribution().exceeds
        assert sum(tail(t) for t in range(60_000)) == pytest.approx(solved.expected_iterations, rel=1e-6)


def test_a_start_that_is_solved():
    solved = exact("and:2", nodes=1, start=[0, 0, 1, 2])
    assert (solved.p_solved_at_start, solved.expected_iterations, solved.std_iterations) == (1.0, 0.0, 0.0)


def test_runs_from_a_start_take_as_long():
    """Means of 4000 runs within six standard errors: a false alarm in 10^8 tries (seed 1)."""
    search = search_for("and:4", nodes=3, start="penultimate")
    result = exact_result(search)
    times = run_many(search, seed=1, runs=range(4000), jobs=1).iterations
    assert abs(times.mean() - result.expected_iterations) < 6 * result.std_iterations / np.sqrt(times.size)


def test_a_start_that_always_ends_is_not_made_infinite_by_others():
    """Under strict selection some programs of xor:2 are stuck for ever, but not every one."""
    words = {"nodes": 3, "selection": "strict"}
    anywhere = exact("xor:2", **words)
    assert anywhere.expected_iterations == inf
    chain, hopeful = anywhere.chain, anywhere.hopeful
    stuck = chain.program_of(int(np.flatnonzero(~hopeful)[0])).tolist()
    assert exact("xor:2", start=stuck, **words).p_never == 1.0
    safe = chain.program_of(int(np.flatnonzero(hopeful)[0])).tolist()
    assert exact("xor:2", start=safe, **words).expected_iterations < inf


def test_each_mutation_has_its_chain():
    for mutation, kind in (("sam", SamChain), ("point:1", PointRateChain), ("rate:0.2", PointRateChain)):
        search = search_for("and:2", nodes=2, mutation=mutation)
        solved = solve_chain(search)
        assert isinstance(solved.chain, kind)
        assert solved.result == exact_result(search)
        assert exact("and:2", nodes=2, mutation=mutation).result == solved.result


def test_trees_have_a_result_and_no_details():
    trees = search_for("and:3", algorithm="tgp-single", profile="tinyverse")
    assert exact_result(trees).states is None
    with pytest.raises(InputError, match="available for cgp only"):
        solve_chain(trees)


MADE = search_for("and:3", nodes=2)


def solve(details, made=MADE):
    shares = []
    result, extra = result_with_details(
        made,
        details,
        lump=True,
        memory=10**9,
        on_progress=lambda share, words: shares.append(share),
    )
    return result, extra, shares


def test_nothing_is_added_unasked():
    result, extra, _ = solve(Details())
    assert extra == {}
    assert result.expected_iterations > 0


def test_everything_at_once():
    result, extra, shares = solve(
        Details(quantiles=(0.0, 0.5, 0.99), tail=(0, 100), levels=True, worst_start=True, fraction=True)
    )
    assert list(extra) == ["quantiles", "tail", "levels", "worst_start", "fraction"]
    quantiles, tail, levels = extra["quantiles"], extra["tail"], extra["levels"]
    assert list(quantiles) == ["0.0", "0.5", "0.99"]
    assert sorted(quantiles.values()) == list(quantiles.values())
    assert tail["0"] == pytest.approx(1 - result.p_solved_at_start)
    assert [level["level"] for level in levels] == [1, 2]
    assert len(extra["worst_start"]) == 7
    assert float(Fraction(str(extra["fraction"]))) == pytest.approx(result.expected_iterations)
    assert shares == sorted(shares)


def test_a_search_that_may_never_end_says_so():
    stuck = search_for("and:3", nodes=3, profile="tinyverse", selection="strict")
    result, extra, _ = solve(Details(quantiles=(0.999,)), stuck)
    assert 0 < extra["p_never"] < 1
    assert rare(result).keys() == {"p_never", "expected_if_solved"}
    assert extra["quantiles"] == {"0.999": "inf"}


RESULT = ExactResult(
    search=search_for("and:3", nodes=2),
    states=432,
    classes=50,
    expected_iterations=38.5,
    std_iterations=30.25,
    worst_start_expected=99.0,
    p_solved_at_start=0.125,
)


def test_the_record_is_the_contract_of_the_command_line():
    record = RESULT.record()
    assert {
        "target": "and:3", "n": 3, "nodes": 2, "selection": "nonstrict", "profile": "paper", "states": 432,
        "classes": 50, "expected_iterations": 38.5, "std_iterations": 30.25, "worst_start_expected": 99.0,
        "p_solved_at_start": 0.125, "algorithm": "cgp", "law_options": "{}", "training": "complete",
        "gate_set": "and", "mutation": "sam", "offspring": 1, "start": "random", "uncounted": 0,
    }.items() <= record.items()  # fmt: skip
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_what_has_no_end_is_a_text_in_the_record():
    lost = replace(RESULT, states=None, expected_iterations=inf, std_iterations=inf, worst_start_expected=inf)
    record = lost.record()
    assert {record[key] for key in ("states", "expected_iterations", "std_iterations")} == {"inf"}
    assert json.dumps(record, allow_nan=False)


def test_it_is_shown_in_a_line_and_in_a_table():
    assert repr(RESULT) == (
        "<ExactResult and:3 nodes=2 nonstrict paper: 38.5 expected iterations, deviation 30.25, 50 classes>"
    )
    assert "<th>expected_iterations</th><td>38.5</td>" in RESULT._repr_html_()


def test_a_phase_reports_its_part_of_the_whole():
    told = []
    first = part_of(lambda share, words: told.append((share, words)), 0.0, 0.25)
    second = part_of(first, 0.5, 1.0)  # a phase of a phase
    first(0.5, "moves")
    second(0.0, "mean")
    second(1.0, "mean")
    assert told == [(0.125, "moves"), (0.125, "mean"), (0.25, "mean")]


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
    target = table_target([TABLES[gate]], 3, cares=[cares])
    search = search_for(target, nodes=2, gates=gate, selection=selection, profile=profile)
    rows = [tuple(row >> i & 1 for i in range(3)) for row in range(8)]
    free = frozenset(bits for row, bits in enumerate(rows) if not cares >> row & 1)
    law = search.law
    literal = chain_of(search.shape, law, gate=gate, strict=search.strict, free=free)
    for lump in (True, False):
        result = exact_result(search, lump=lump)
        assert result.expected_iterations == pytest.approx(literal.expected_iterations, rel=1e-9)
    assert result.p_solved_at_start == pytest.approx(literal.start_law[literal.all_fitness == 0].sum())


def test_only_symmetries_of_the_rows_that_count_are_used():
    options = {"nodes": 2, "gates": "and"}
    symmetric, lopsided = (exact(f"table:3:0x80/{cares}", **options) for cares in ("0x81", "0xb5"))
    assert symmetric.chain.tables.moved_source.shape[0] == 6
    assert lopsided.chain.tables.moved_source.shape[0] == 1


@pytest.mark.parametrize("mutation", ["point:1", "rate:0.2"])
def test_runs_take_as_long(mutation):
    """Means of 4000 runs within six standard errors: a false alarm in 10^8 tries (seed 1)."""
    search = search_for("table:3:0x80/0xb5", nodes=3, gates="and,or", mutation=mutation, budget=10**6)
    result = exact_result(search)
    times = run_many(search, seed=1, runs=range(4000), jobs=1).iterations
    error = result.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - result.expected_iterations) < 6 * error


def test_rows_that_count_for_some_outputs_only():
    with pytest.raises(InputError, match="rows that count for some outputs only"):
        exact_result(search_for("table:2:0x8/0xe,0x1/0x7", nodes=2))
    whole = exact_result(search_for("table:2:0x8/0xe,0x6/0xe", nodes=2, gates="and,xor"))
    assert whole.expected_iterations > 0
