"""Settings: what is checked, resolved, and told to a user who was wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.cgp.law import PAPER, TINYVERSE
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import law_text, settings


def test_profiles_are_named_sets_of_options() -> None:
    assert settings("and:4").law == PAPER
    made = settings("and:4", profile="tinyverse")
    assert made.law == TINYVERSE
    assert made.options == {}
    one = settings("and:4", profile="tinyverse", options={"ties": "accept", "levels_back": "none"})
    assert one.options == {"ties": "accept", "levels_back": None}
    assert settings("and:4", options={"starts": "2", "levels_back": "5"}).options == {
        "starts": 2,
        "levels_back": 5,
    }


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"algorithm": "cpg"}, "did you mean cgp"),
        ({"selection": "stric"}, "did you mean strict"),
        ({"profile": "x"}, "use paper, tinyverse"),
        ({"evaluation": "tables"}, "did you mean table"),
        ({"mutation": "point:0"}, "point:K"),
        ({"mutation": "rate:2"}, "0 < P <= 1"),
        ({"training": "sample:0"}, "sample:ROWS"),
        ({"training": "half"}, "use complete"),
        ({"training": 5}, "training is 5; it must be a text"),
        ({"mutation": 3}, "mutation is 3; it must be a text"),
        ({"selection": True}, "unknown selection True"),
        ({"budget": -1}, "budget is -1"),
        ({"budget": 1.5}, "budget is 1.5; it must be a whole number"),
        ({"offspring": 0}, "lambda is 0"),
        ({"gates": "andd"}, "unknown gate"),
        ({"options": {"tie": "coin"}}, "this algorithm knows sam_ends"),
        ({"options": {"ties": "dice"}}, "use accept, coin"),
        ({"start": "nowhere.json"}, "cannot read the start"),
        ({"start": "penultimate"}, "n-1 nodes"),
        ({"start": "near-optimum"}, "for xor:N with gates xor"),
        ({"start": "genes:1,2"}, "25 genes, not 2"),
    ],
)
def test_errors_say_what_is_possible(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        settings("and:4", **wrong)


def test_parts_may_be_given_instead_of_names() -> None:
    by_name = settings("and:4", gates="and,or", budget=10)
    assert settings(target("and:4"), gates=gate_set("and,or"), budget=np.int64(10)) == by_name


@pytest.mark.parametrize("wrong", [{"seed": -1, "run": 0}, {"seed": 1.5, "run": 0}, {"seed": 1, "run": -1}])
def test_a_seed_is_a_natural_number(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"(seed|run) is "):
        run_once(settings("and:4"), **wrong)


def test_law_text_holds_what_determines_a_run_and_nothing_else() -> None:
    base = settings("and:9")
    same = settings("and:9", nodes=18, budget=5, evaluation="reference", gates=["and"])
    assert law_text(base) == law_text(same)
    others = [
        settings("and:9", nodes=17),
        settings("and:9", selection="strict"),
        settings("and:9", options={"ties": "coin"}),
        settings("and:9", mutation="point:1"),
        settings("and:9", training="sample"),
        settings("and:9", offspring=2),
        settings("and:9", gates="and,or"),
        settings("and:9", algorithm="tgp-single"),
        settings("and:9", algorithm="tgp-multi"),
    ]
    texts = {law_text(one) for one in [base, *others]}
    assert len(texts) == len(others) + 1
    assert json.loads(law_text(settings("and:9", training="sample")))["rows"] == 18
    assert law_text(settings("and:9", training="sample")) == law_text(settings("and:9", training="sample:18"))


def test_own_gates_are_honoured_and_known_by_what_they_do() -> None:
    made = settings("maj:3", nodes=20, gates="mine=0x17,and")
    assert made.gates == ("mine=0x17", "and")
    run = run_once(made, seed=1, run=0)
    assert run.solved
    assert {node.gate.name for node in run.circuit.nodes} <= {"mine", "and"}
    other = settings("maj:3", nodes=20, gates="other=0x17,and")
    assert law_text(made) == law_text(other) != law_text(settings("maj:3", nodes=20, gates="mine=0x16,and"))
    assert run_once(other, seed=1, run=0).program.tolist() == run.program.tolist()
