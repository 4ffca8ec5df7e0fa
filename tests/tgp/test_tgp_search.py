"""A search by tree GP as a value: profiles, terminals, what follows from its fields, and its trees."""

import numpy as np
import pytest

from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.tgp.tgp_search import (
    PAPER,
    PROFILES,
    TINYVERSE,
    TerminalSet,
    TgpLaw,
    TgpSearch,
    terminal_set,
    terminal_words,
    widened,
)


def test_the_profiles():
    assert PROFILES == {"paper": PAPER, "tinyverse": TINYVERSE}
    assert TgpLaw() == PAPER
    assert (PAPER.insert_at, PAPER.delete_at, PAPER.substitution) == ("node", "leaf", "leaves")
    assert (TINYVERSE.insert_at, TINYVERSE.delete_at, TINYVERSE.substitution) == (
        "descent",
        "descent",
        "functions",
    )
    assert (TINYVERSE.starts, TINYVERSE.uncounted, TINYVERSE.ties) == (2, 1, "coin")


@pytest.mark.parametrize(
    "options",
    [
        {"insert_at": "root"},
        {"delete_at": "node"},
        {"substitution": "none"},
        {"child_order": "old-first"},
        {"empty": "yes"},
        {"ties": "reject"},
        {"size_limit": 0},
        {"starts": 0},
        {"uncounted": -1},
    ],
)
def test_wrong_options_are_named(options):
    with pytest.raises(InputError, match=next(iter(options))):
        TgpLaw(**options)


def test_names():
    assert terminal_set("inputs", 4) == TerminalSet(4, 0, False)
    assert terminal_set("inputs+negated", 4) == TerminalSet(4, 0, True)
    assert terminal_set("inputs+undesired:3", 4) == TerminalSet(4, 3, False)
    assert terminal_set("inputs+undesired:3+negated", 4) == terminal_set("inputs+negated+undesired:3", 4)
    assert [len(terminal_set(text, 4)) for text in ("inputs", "inputs+undesired:3+negated")] == [4, 14]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "negated",
        "inputs+",
        "inputs+undesired",
        "inputs+undesired:x",
        "inputs+undesired:1+undesired:2",
        "inputs+b",
    ],
)
def test_wrong_names(text):
    with pytest.raises(InputError, match="inputs\\+negated"):
        terminal_set(text, 4)


def test_a_widened_target_ignores_its_new_inputs():
    wide = widened(family_target("and:2"), "inputs+undesired:2")
    assert wide.input_labels == ("x1", "x2", "u1", "u2")
    training = complete(wide)
    assert training.rows == 16
    assert (training.outputs[0] == (training.inputs[0] & training.inputs[1])).all()
    assert widened(family_target("and:2"), "inputs+negated") == family_target("and:2")


def test_negated_terminals_come_after_all_inputs():
    training = complete(family_target("and:3"))
    words = terminal_words(terminal_set("inputs+negated", 3), training.inputs)
    assert words.shape[0] == 6
    assert np.array_equal(words[3:], ~words[:3])


def test_what_follows_from_the_fields():
    search = search_for(
        "and:3", algorithm="tgp-multi", profile="tinyverse", options={"terminals": "inputs+undesired:2"}
    )
    assert isinstance(search, TgpSearch)
    assert (search.algorithm, search.steps, search.n, search.strict) == ("tgp-multi", "multi", 3, False)
    assert (search.starts, search.limit, search.rows) == (2, search.budget + 1, None)
    assert (len(search.terminals), search.trained_on.inputs) == (5, 5)
    assert search_for("and:3", algorithm="tgp-single").trained_on == search.target


def test_what_trees_cannot_do_is_refused():
    with pytest.raises(InputError, match="2 outputs, but trees have one; use --algorithm cgp") as error:
        search_for("add:1", algorithm="tgp-single")
    assert error.value.option == "algorithm"


@pytest.mark.parametrize("evaluation", ["auto", "reference"])
def test_gates_that_do_not_fit_are_refused_when_a_run_begins(evaluation):
    search = search_for("and:3", algorithm="tgp-single", gates="and,not", evaluation=evaluation)
    with pytest.raises(InputError, match='trees need two-input gates; remove "not"') as error:
        run_many(search, seed=1, runs=[0])
    assert error.value.option == "gates"


TREE = [0, 0, 1, 2, 0, 1, -3, 0, -1, -2]  # and(and(x1, x2), x3)


def test_trees_are_counted_and_decoded():
    search = search_for("and:3", algorithm="tgp-single")
    program = np.array(TREE, dtype=np.int32)
    search.check_programs([program])
    assert search.gates_of(program) == 2
    assert equivalent(search.circuit_of(program), search.target)


@pytest.mark.parametrize("wrong", [[], TREE[:-1], [0, 0, 1, 3, *TREE[4:]], [0, 0, 1, 2, 1, *TREE[5:]]])
def test_what_is_no_tree_is_refused(wrong):
    search = search_for("and:3", algorithm="tgp-single")
    with pytest.raises(InputError):
        search.check_programs([np.array(wrong, dtype=np.int32)])


def test_the_empty_tree_is_one_where_the_law_has_it():
    search, empty = search_for("and:3", algorithm="tgp-single"), np.empty(0, dtype=np.int32)
    with pytest.raises(InputError):
        search.check_programs([empty])
    search = search_for("and:3", algorithm="tgp-single", options={"empty": "true"})
    search.check_programs([empty])
    assert search.gates_of(empty) == 0
