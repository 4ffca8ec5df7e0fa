"""A search by Cartesian GP as a value: profiles, what follows from its fields, and its programs."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from gatewalk.cgp.cgp_search import PAPER, PROFILES, TINYVERSE, CgpLaw, CgpSearch
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError
from gatewalk.search.options import search_for


def test_the_profiles():
    assert PROFILES == {"paper": PAPER, "tinyverse": TINYVERSE}
    assert CgpLaw() == PAPER
    paper, tinyverse = asdict(PAPER), asdict(TINYVERSE)
    assert {name: tinyverse[name] for name in paper if paper[name] != tinyverse[name]} == {
        "sam_ends": "picked",
        "ties": "coin",
        "starts": 2,
        "uncounted": 1,
        "levels_back": "nodes",
        "levels_over": "sources",
    }


@pytest.mark.parametrize("options", [{"starts": 0}, {"starts": 1.5}, {"uncounted": -1}, {"rows": 0}])
def test_wrong_options_are_named(options):
    with pytest.raises(InputError, match=f"option {next(iter(options))}"):
        CgpLaw(**options)


def test_what_follows_from_the_fields():
    search = search_for("and:3", nodes="2n", profile="tinyverse", selection="strict", offspring=4)
    assert isinstance(search, CgpSearch)
    shape = search.shape
    assert (shape.inputs, shape.outputs, shape.nodes, shape.levels_back) == (3, 1, 6, 6)
    assert (search.algorithm, search.n, search.strict, search.law) == ("cgp", 3, True, TINYVERSE)
    assert (search.starts, search.limit, search.rows) == (2, search.budget + 1, None)
    assert search.trained_on is search.target
    assert search_for("and:3", training="sample:7").rows == 7
    assert search_for("and:3", start=[0, 0, 1, 0, 2, 3, 0, 2, 3, 4], nodes=3, profile="tinyverse").starts == 1


def test_equal_searches_are_one_key():
    words = {"nodes": 9, "mutation": "point:3", "start": [0, 0, 1] * 9 + [3]}
    assert len({search_for("and:3", **words), search_for("and:3", **words)}) == 1
    assert search_for("and:3", **words) != search_for("and:3", **words, budget=7)


@pytest.mark.parametrize("other", [{"selection": "nonstrict"}, {"mutation": "point:1"}, {"offspring": 2}])
def test_waiting_times_are_drawn_under_strict_selection_with_sam_and_one_offspring(other):
    strict = {"selection": "strict", "options": {"waiting": "drawn"}}
    assert search_for("and:4", **strict).law.waiting == "drawn"
    with pytest.raises(InputError, match="waiting=drawn is for"):
        search_for("and:4", **(strict | other))
    with pytest.raises(InputError, match="waiting=drawn is for"):
        replace(search_for("and:4", **strict), selection="nonstrict")


PROGRAM = [0, 0, 1, 0, 2, 3, 0, 0, 0, 3]  # node 3 is x1 & x2, node 4 and(x3, node 3), node 5 and(x1, x1)


def test_programs_are_counted_and_decoded():
    search = search_for("and:3", nodes=3)
    program = np.array([*PROGRAM[:-1], 4], dtype=np.int32)
    assert search.gates_of(program) == 2
    circuit = search.circuit_of(program)
    assert equivalent(circuit, search.target)
    assert (circuit.input_labels, circuit.output_labels) == (
        search.target.input_labels,
        search.target.output_labels,
    )


@pytest.mark.parametrize("wrong", [PROGRAM[:-1], [1, *PROGRAM[1:]], [*PROGRAM[:-1], 6], [0, 3, *PROGRAM[2:]]])
def test_what_is_no_program_is_refused(wrong):
    search = search_for("and:3", nodes=3)
    right, wrong = np.array(PROGRAM, dtype=np.int32), np.array(wrong, dtype=np.int32)
    search.check_programs([right])
    search.check_programs(np.stack([right, right]))
    with pytest.raises(InputError):
        search.check_programs([right, wrong])
    if wrong.size == right.size:
        with pytest.raises(InputError):
            search.check_programs(np.stack([right, wrong]))
