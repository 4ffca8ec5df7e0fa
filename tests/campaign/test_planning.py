"""Cells: the product of grids, none of them twice, with errors that name the line."""

import hashlib
import json
from importlib import import_module

import pytest

from gatewalk.campaign import Campaign, campaign, grid, plan
from gatewalk.campaign.labels import labels
from gatewalk.campaign.planning import (
    SECONDS_TO_STORE,
    cell_key,
    combinations,
    doubts_of,
    doubts_of_merging,
    estimates,
    law_version_of,
    product_size,
    together,
)
from gatewalk.campaign.spec import parse
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import cell_values, law_text, search_for
from gatewalk.search.seeds import LAW_VERSION
from gatewalk.search.session import advance_runs

PLAN = import_module("gatewalk.campaign.planning")  # the name in the package is the function


def test_the_product_of_a_grid():
    cells = plan(campaign(target=["and:4", "and:6"], nodes=["n", "2n"], selection=["strict", "nonstrict"]))
    assert [(c.search.target.name, c.search.nodes, c.search.selection) for c in cells] == [
        ("and:4", 4, "strict"),
        ("and:4", 4, "nonstrict"),
        ("and:4", 8, "strict"),
        ("and:4", 8, "nonstrict"),
        ("and:6", 6, "strict"),
        ("and:6", 6, "nonstrict"),
        ("and:6", 12, "strict"),
        ("and:6", 12, "nonstrict"),
    ]
    assert len({c.key for c in cells}) == 8


def test_expressions_that_coincide_are_one_cell():
    assert len(plan(campaign(target="and:4", nodes=["2n", "n+4", 8, "3n"]))) == 2


def test_options_that_do_not_apply_multiply_nothing():
    cells = plan(
        campaign(
            target="and:4",
            algorithm=["cgp", "tgp-multi"],
            nodes=["n", "2n", "3n"],
            mutation=["sam", "point:1"],
            options={"sam_ends": ["changed", "picked"]},
        )
    )
    algorithms = [c.search.algorithm for c in cells]
    assert algorithms.count("tgp-multi") == 1
    assert algorithms.count("cgp") == 3 * 2 * 2


def test_families_are_crossed_with_sizes_and_sized_targets_are_not():
    cells = plan(campaign(target=["and", "or", "xor:3"], n=[2, 4]))
    assert [c.search.target.name for c in cells] == ["and:2", "and:4", "or:2", "or:4", "xor:3"]


def test_overlapping_grids_run_once_with_the_larger_number():
    few = grid(target=["and:4", "and:6"], replications=10)
    many = grid(target="and:4", nodes=8, replications=30)
    cells = plan(Campaign(grids=(few, many, few)))
    assert [(c.search.target.name, c.replications) for c in cells] == [("and:4", 30), ("and:6", 10)]


def test_what_determines_a_result_is_in_the_key():
    base = {"target": "and:4", "seed": 1}
    keys = {
        plan(campaign(**{**base, **change}))[0].key
        for change in (
            {},
            {"seed": 2},
            {"budget": 5},
            {"nodes": 9},
            {"selection": "strict"},
            {"profile": "tinyverse"},
            {"mutation": "point:2"},
            {"training": "sample"},
            {"offspring": 4},
            {"gates": "and,or"},
            {"options": {"ties": "coin"}},
            {"algorithm": "tgp-multi"},
            {"target": "or:4"},
        )
    }
    assert len(keys) == 13


def test_what_does_not_is_not():
    (few,) = plan(campaign(target="and:4", replications=3, evaluation="auto"))
    (many,) = plan(campaign(target="and:4", replications=9, evaluation="table", traces=True, name="x"))
    assert few.key == many.key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[grid]\ntarget = ["and:4", "adn:4"]', ["f.toml:2: target:", "adn", "and"]),
        ('[grid]\ntarget = "and:4"\nselection = ["strict", "stirct"]', ["f.toml:3: selection:", "nonstrict"]),
        ('mutation = "smm"\n[grid]\ntarget = "and:4"', ["f.toml:1: mutation:", "sam"]),
        ('[grid]\ntarget = "and:4"\nnodes = ["2m"]', ["f.toml:3: nodes:", "2n"]),
        ('[grid]\ntarget = "and:4"\nalgorithm = ["gp"]', ["f.toml:3: algorithm:", "tgp-multi"]),
        ('profile = "tiny"\n[grid]\ntarget = "and:4"', ["f.toml:1: profile:", "tinyverse"]),
        ('[grid]\ntarget = "and:4"\ngates = ["adn"]', ["f.toml:3: gates:", "and"]),
        ('[grid]\ntarget = "and:4"\n[grid.law]\nties = ["coin", "cion"]', ["f.toml:4: law.ties:", "accept"]),
        ('[grid]\ntarget = "and:4"\n[grid.law]\ntise = ["coin"]', ["f.toml:4: law.tise:", "ties"]),
        ('[law]\nties = "cion"\n[grid]\ntarget = "and:4"', ["f.toml:2: law.ties:", "accept"]),
        ('[[grid]]\ntarget = "or:2"\n[[grid]]\ntarget = "and:4"\ntraining = "all"', ["f.toml:5: training:"]),
    ],
)
def test_errors_name_line_key_and_allowed_values(text, words):
    with pytest.raises(InputError) as error:
        plan(parse(text, "f.toml"))
    for word in words:
        assert word in str(error.value)


def test_errors_of_a_combination_name_the_cell():
    text = '[grid]\ntarget = "add:2"\nalgorithm = ["tgp-multi"]\n'
    with pytest.raises(InputError, match=r"f.toml:3: algorithm: add:2 has 3 outputs"):
        plan(parse(text, "f.toml"))


def test_errors_from_python_name_the_option():
    with pytest.raises(InputError, match="selection: "):
        plan(campaign(target="and:4", selection="stirct"))


def test_a_product_is_counted_before_it_is_made():
    """A grid of 10^8 cells is refused without a cell of it; options that do not apply do not count."""
    numbers = list(range(1, 101))
    large = {"target": ["and"], "n": numbers, "nodes": numbers, "offspring": numbers, "budget": numbers}
    with pytest.raises(InputError, match="the lists make 100000000 cells, at most 250,000"):
        plan(campaign(**large))
    with pytest.raises(InputError, match="10000000000000000000000000000000000000000 cells"):
        plan(campaign(target="and:4", options={f"a{i}": numbers for i in range(20)}))
    trees = grid(target="and", n=[2, 3], algorithm="tgp-multi", nodes=numbers, mutation=["sam", "point:2"])
    assert product_size(trees) == 2
    assert (
        product_size(grid(target=["and:2", "and:2"], nodes=[3, 3, "3"], options={"ties": ["coin"] * 9})) == 2
    )


def test_the_count_is_that_of_the_combinations():
    mixed = grid(
        target=["and", "xor:3"],
        n=[2, 3],
        algorithm=["cgp", "tgp-multi", "cgp"],
        nodes=["n", "2n"],
        budget=[5, 6],
        options={"sam_ends": ["changed", "picked"], "ties": ["coin", "accept"]},
    )
    combined = list(combinations(mixed))
    assert len(combined) == product_size(mixed) == 3 * (2 * 2 * 2 * 2 + 2 * 2)
    assert len({repr(words) for words in combined}) == len(combined)


def test_cells_that_differ_only_in_what_determines_no_run_are_left_out_with_a_word():
    asked = campaign(target=["and:3", "and:4"], evaluation=["table", "symbolic", "auto"], nodes=["n", "2n"])
    cells = plan(asked)
    assert [cell.words["evaluation"] for cell in cells] == ["table"] * 4
    (doubt,) = doubts_of_merging(asked, cells)
    assert doubt.startswith("evaluation determines no run")
    assert "8 are left out" in doubt


def test_one_value_written_in_two_ways_is_one_cell_without_a_word():
    asked = campaign(target="and:4", nodes=["2n", 8], evaluation="table")
    assert len(plan(asked)) == 1
    assert doubts_of_merging(asked, plan(asked)) == []


def test_doubts_are_said_once():
    hopeless = plan(campaign(target="xor:3", gates="and", nodes=[4, 5]))
    assert len(doubts_of(hopeless)) == 1
    assert doubts_of(plan(campaign(target=["xor:3", "and:3"]))) == []


def test_keys_differ_in_every_part():
    keys = {cell_key("a", 1, 2), cell_key("b", 1, 2), cell_key("a", 2, 2), cell_key("a", 1, 3)}
    assert len(keys) == 4


def test_keys_are_the_same_in_every_version():
    """Stores on disk hold these; another value here means that every run is run again."""
    assert cell_key('{"law":1}', 10, 7).hex() == "387a42263a96ceff35cce0c55e1a4d6f"


def test_only_runs_that_changed_have_a_new_version():
    tree = law_text(search_for("and:4", algorithm="tgp-single"))
    assert law_version_of(tree) == 1
    assert law_version_of(tree.replace('"and"', '"and","const1"')) == 2
    assert law_version_of(law_text(search_for("and:4"))) == 3
    assert law_version_of(law_text(search_for("maj:5", gates="and,or,one"))) == 3
    assert LAW_VERSION == 3


def test_runs_that_did_not_change_keep_their_key():
    """As stores of the first version had it."""
    law = law_text(search_for("and:4", algorithm="tgp-single"))
    text = json.dumps({"version": 1, "law": law, "budget": 10, "seed": 7}, sort_keys=True)
    assert cell_key(law, 10, 7) == hashlib.blake2b(text.encode(), digest_size=16).digest()


def test_solvable_cells_have_an_estimate(monkeypatch):
    monkeypatch.setattr(PLAN, "_LONGEST_TRIAL", 0.05)
    tried = estimates(plan(campaign(target=["and:2", "and:3"], budget=100_000)), [100, 100])
    assert list(tried) == [0, 1]
    assert all(seconds is not None and 0 < seconds < 60 for seconds in tried.values())


def test_a_cell_that_does_not_end_has_none(monkeypatch):
    monkeypatch.setattr(PLAN, "_LONGEST_TRIAL", 0.05)
    assert estimates(plan(campaign(target="and:4", nodes=2, budget=10**12)), [10]) == {0: None}


def test_nothing_to_do_takes_no_time():
    assert estimates(plan(campaign(target="and:2")), [0]) == {0: 0.0}


def test_an_estimate_is_near_the_truth(monkeypatch):
    """By a trial that takes on its runs more than once, and a clock that counts iterations."""
    clock = 0.0

    def advance(session, programs):
        nonlocal clock
        clock += programs * 1e-6
        return advance_runs(session, programs)

    monkeypatch.setattr(PLAN, "_RUNS", 10)
    monkeypatch.setattr(PLAN, "advance_runs", advance)
    monkeypatch.setattr(PLAN.time, "perf_counter", lambda: clock)
    (cell,) = plan(campaign(target="and:6"))
    seconds = estimates([cell], [1000])[0]
    monkeypatch.undo()
    taken = 1e-6 * float(run_many(cell.search, seed=5, runs=range(1000)).evaluations.sum())
    assert seconds is not None
    assert taken / 4 < seconds < taken * 4  # a slice may end with what it was asked for half done


def test_cells_share_the_threads_and_one_thread_stores():
    assert together({0: 6.0, 1: 2.0}, [10, 10], threads=2) == 4.0
    assert together({0: 6.0, 1: 2.0}, [10_000_000, 0], threads=2) == 10_000_000 * SECONDS_TO_STORE


def test_one_unknown_cell_leaves_no_estimate():
    assert together({0: 6.0, 1: None}, [10, 10], threads=1) is None


def test_of_many_cells_some_are_tried(monkeypatch):
    monkeypatch.setattr(PLAN, "_MOST_TRIALS", 3)
    monkeypatch.setattr(PLAN, "_estimate", lambda cell, runs, trial: 2.0)
    tried = estimates(plan(campaign(target="and", n="2..8")), [10] * 7)
    assert tried == {0: 2.0, 3: 2.0, 6: 2.0}
    assert together(tried, [10] * 7, threads=1) == 14.0


def test_only_what_differs_within_a_target_is_shown():
    cells = plan(campaign(target=["and:4", "xor:3"], nodes=["n", "2n"]))
    assert labels([cell_values(cell.search, cell.seed) for cell in cells]) == [
        "and:4 nodes=4",
        "and:4 nodes=8",
        "xor:3 nodes=3",
        "xor:3 nodes=6",
    ]


def test_what_a_tree_lacks_is_left_out():
    cells = plan(
        campaign(target="and:4", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"], offspring=[1, 4])
    )
    assert labels([cell_values(cell.search, cell.seed) for cell in cells])[-1] == "and:4 tgp-multi lambda=4"


def test_a_budget_is_told_only_where_nothing_else_tells_cells_apart():
    wide = plan(
        Campaign(grids=(grid(target="and:4", nodes=4, budget=5), grid(target="and:4", nodes=8, budget=6)))
    )
    assert labels([cell_values(cell.search, cell.seed) for cell in wide]) == [
        "and:4 nodes=4",
        "and:4 nodes=8",
    ]
    same = plan(campaign(target="and:4", budget=[5, 6]))
    assert labels([cell_values(cell.search, cell.seed) for cell in same]) == [
        "and:4 budget=5",
        "and:4 budget=6",
    ]
