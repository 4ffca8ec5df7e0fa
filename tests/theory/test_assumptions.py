"""Which searches meet an assumption, one changed setting at a time, and what is said where it is not met."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from gatewalk.cgp.law import CgpLaw
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory import assumptions
from gatewalk.theory.assumptions import Assumption, case_of, unmet, why_not

Options = dict[str, Any] | None
OTHER_LAWS: dict[str, Any] = {
    "sam_ends": "picked",
    "waiting": "drawn",
    "ties": "coin",
    "starts": 2,
    "uncounted": 1,
    "levels_back": 2,
    "levels_over": "sources",
    "rows": 2,
}
COIN = {"ties": "coin"}
SAME_LAWS = {"waiting", "levels_over"}  # by themselves they change no distribution


def failed(asked: Assumption, name: str, **options: Any) -> bool:
    return unmet((asked,), settings(name, **options)) == (asked,)


def test_every_option_of_the_law_that_is_not_the_paper_s_fails_one_assumption() -> None:
    assert {field.name for field in fields(CgpLaw)} == set(OTHER_LAWS)  # a new option needs an assumption
    asked = (*assumptions.ALGORITHM_1, assumptions.EITHER_SELECTION)
    for name, value in OTHER_LAWS.items():
        selection = "strict" if name == "waiting" else "nonstrict"
        search = settings("and:5", nodes=8, selection=selection, options={name: value})
        assert len(unmet(asked, search)) == (name not in SAME_LAWS), name


@pytest.mark.parametrize(
    ("asked", "met", "not_met"),
    [
        (assumptions.CONJUNCTION, {}, {"gates": "and,or"}),
        (assumptions.CARTESIAN, {}, {"algorithm": "tgp-single"}),
        (assumptions.SAM, {}, {"mutation": "point:2"}),
        (assumptions.ONE_OFFSPRING, {}, {"offspring": 2}),
        (assumptions.STRICT, {"selection": "strict"}, {}),
        (assumptions.NONSTRICT, {}, {"selection": "strict"}),
        (assumptions.NONSTRICT, {}, {"options": COIN}),
        (assumptions.EITHER_SELECTION, {"selection": "strict", "options": COIN}, {"options": COIN}),
        (assumptions.COMPLETE_SET, {}, {"training": "sample"}),
        (assumptions.COMPLETE_SET, {}, {"training": "sample:1000"}),
        (assumptions.ONE_START, {}, {"nodes": 4, "start": "penultimate"}),
        (assumptions.ANY_SINGLE_START, {"nodes": 4, "start": "penultimate"}, {"options": {"starts": 2}}),
        (assumptions.ENOUGH_NODES, {"nodes": 4}, {"nodes": 3}),
        (assumptions.FEWEST_NODES, {"nodes": 4}, {"nodes": 5}),
        (assumptions.SMALL_EXCESS, {"nodes": 5}, {"nodes": 6}),
        (assumptions.inputs_from(5), {}, None),
        (assumptions.inputs_from(6), None, {}),
        (assumptions.inputs_to(5), {}, None),
        (assumptions.inputs_to(4), None, {}),
        (assumptions.nodes_from(10), {"nodes": 10}, {"nodes": 9}),
    ],
)  # fmt: skip
def test_each_assumption(
    asked: Assumption, met: dict[str, Any] | None, not_met: dict[str, Any] | None
) -> None:
    assert met is None or not failed(asked, "and:5", **met)
    assert not_met is None or failed(asked, "and:5", **not_met)


@pytest.mark.parametrize(
    ("options", "is_unlimited"),
    [
        ({}, True),
        ({"levels_back": 7}, True),  # the last of eight nodes reads seven columns back
        ({"levels_back": "nodes"}, True),
        ({"levels_back": 6}, False),
        ({"levels_back": "nodes", "levels_over": "sources"}, False),
        ({"levels_back": 12, "levels_over": "sources"}, True),
        ({"levels_back": 11, "levels_over": "sources"}, False),
        ({"rows": 2}, False),
    ],
)
def test_reach_is_what_programs_can_read(options: dict[str, Any], is_unlimited: bool) -> None:
    search = settings("xor:5", nodes=8, options=options)
    counts = shape_of(search).ranges.count.reshape(-1)[:-1].reshape(8, 3)[:, 1:]
    assert all((counts[node] == 5 + node).all() for node in range(8)) == is_unlimited
    assert failed(assumptions.UNLIMITED_REACH, "xor:5", nodes=8, options=options) != is_unlimited


def test_a_hundredth_more_nodes_is_allowed_and_no_more() -> None:
    asked = assumptions.HUNDREDTH_MORE_NODES
    assert not failed(asked, "xor:1000", nodes=1010)
    assert failed(asked, "xor:1000", nodes=1011)
    assert "1010" in why_not((asked,), settings("xor:1000", nodes=1011))


def test_another_target_needs_no_further_reason() -> None:
    asked = (assumptions.CONJUNCTION, assumptions.STRICT, assumptions.FEWEST_NODES)
    assert why_not(asked, settings("xor:4")) == "target: needs and:N with gates and"
    assert [one.about for one in unmet(asked, settings("and:4"))] == ["selection", "D"]
    assert "by duality or:N" in why_not(asked, settings("or:4"))


def test_reasons_say_what_they_are_about_and_which_profile_would_do() -> None:
    asked = (assumptions.SAM, assumptions.COMPLETE_SET)
    assert why_not(asked, settings("and:4")) == ""
    search = settings("and:4", profile="tinyverse", training="sample")
    assert why_not(asked, search) == (
        "mutation: needs --mutation sam with sam_ends=changed; "
        "training: needs the complete set: --training complete; --profile paper is as the proofs need it"
    )


def test_what_nobody_can_check_is_never_unmet() -> None:
    assert unmet((assumptions.LARGE_N,), settings("xor:2")) == ()
    assert "large enough" in assumptions.LARGE_N.words_for(case_of(settings("xor:2")))
