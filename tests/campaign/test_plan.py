"""Cells: the product of grids, each once, with errors that name the place."""

from __future__ import annotations

import pytest

from gatewalk.campaign import Campaign, campaign, grid, parse, plan
from gatewalk.campaign.plan import combinations, doubts_of, product_size
from gatewalk.errors import InputError


def test_the_product_of_a_grid() -> None:
    cells = plan(campaign(target=["and:4", "and:6"], nodes=["n", "2n"], selection=["strict", "nonstrict"]))
    assert [(c.settings.target, c.settings.nodes, c.settings.selection) for c in cells] == [
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


def test_expressions_that_coincide_are_one_cell() -> None:
    assert len(plan(campaign(target="and:4", nodes=["2n", "n+4", 8, "3n"]))) == 2


def test_options_that_do_not_apply_multiply_nothing() -> None:
    cells = plan(
        campaign(
            target="and:4",
            algorithm=["cgp", "tgp-multi"],
            nodes=["n", "2n", "3n"],
            mutation=["sam", "point:1"],
            law={"sam_ends": ["changed", "picked"]},
        )
    )
    algorithms = [c.settings.algorithm for c in cells]
    assert algorithms.count("tgp-multi") == 1
    assert algorithms.count("cgp") == 3 * 2 * 2


def test_families_are_crossed_with_sizes_and_sized_targets_are_not() -> None:
    cells = plan(campaign(target=["and", "or", "xor:3"], n=[2, 4]))
    assert [c.settings.target for c in cells] == ["and:2", "and:4", "or:2", "or:4", "xor:3"]


def test_overlapping_grids_run_once_with_the_larger_number() -> None:
    few = grid(target=["and:4", "and:6"], replications=10)
    many = grid(target="and:4", nodes=8, replications=30)
    cells = plan(Campaign(grids=(few, many, few)))
    assert [(c.settings.target, c.replications) for c in cells] == [("and:4", 30), ("and:6", 10)]


def test_what_determines_a_result_is_in_the_key() -> None:
    base = {"target": "and:4", "seed": 1}
    keys = {
        plan(campaign(**{**base, **change}))[0].key  # type: ignore[arg-type]
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
            {"law": {"ties": "coin"}},
            {"algorithm": "tgp-multi"},
            {"target": "or:4"},
        )
    }
    assert len(keys) == 13


def test_what_does_not_is_not() -> None:
    one = plan(campaign(target="and:4", replications=3, evaluation="auto"))
    other = plan(campaign(target="and:4", replications=9, evaluation="table", traces=True, name="x"))
    assert one[0].key == other[0].key


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
def test_errors_name_line_key_and_allowed_values(text: str, words: list[str]) -> None:
    with pytest.raises(InputError) as error:
        plan(parse(text, "f.toml"))
    for word in words:
        assert word in str(error.value)


def test_errors_of_a_combination_name_the_cell() -> None:
    text = '[grid]\ntarget = "add:2"\nalgorithm = ["tgp-multi"]\n'
    with pytest.raises(InputError, match=r"f.toml:3: algorithm: add:2 has 3 outputs"):
        plan(parse(text, "f.toml"))


def test_errors_from_python_name_the_option() -> None:
    with pytest.raises(InputError, match="selection: "):
        plan(campaign(target="and:4", selection="stirct"))


def test_a_product_is_counted_before_it_is_made() -> None:
    """A grid of 10^8 cells is refused without a cell of it; options that do not apply do not count."""
    numbers = list(range(1, 101))
    large = {"target": ["and"], "n": numbers, "nodes": numbers, "offspring": numbers, "budget": numbers}
    with pytest.raises(InputError, match="the lists make 100000000 cells, at most 250,000"):
        plan(campaign(**large))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="10000000000000000000000000000000000000000 cells"):
        plan(campaign(target="and:4", law={f"a{i}": numbers for i in range(20)}))
    trees = grid(target="and", n=[2, 3], algorithm="tgp-multi", nodes=numbers, mutation=["sam", "point:2"])
    assert product_size(trees) == 2
    assert product_size(grid(target=["and:2", "and:2"], nodes=[3, 3, "3"], law={"ties": ["coin"] * 9})) == 2


def test_the_count_is_that_of_the_combinations() -> None:
    mixed = grid(
        target=["and", "xor:3"],
        n=[2, 3],
        algorithm=["cgp", "tgp-multi", "cgp"],
        nodes=["n", "2n"],
        budget=[5, 6],
        law={"sam_ends": ["changed", "picked"], "ties": ["coin", "accept"]},
    )
    found = list(combinations(mixed))
    assert len(found) == product_size(mixed) == 3 * (2 * 2 * 2 * 2 + 2 * 2)
    assert len({repr(one) for one in found}) == len(found)


def test_doubts_are_said_once() -> None:
    hopeless = plan(campaign(target="xor:3", gates="and", nodes=[4, 5]))
    assert len(doubts_of(hopeless)) == 1
    assert doubts_of(plan(campaign(target=["xor:3", "and:3"]))) == []
