"""The law's options are checked, and the profiles differ as they should."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete
from gatewalk.errors import InputError
from gatewalk.tgp.law import (
    PAPER,
    PROFILES,
    TINYVERSE,
    TerminalSet,
    TgpLaw,
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
