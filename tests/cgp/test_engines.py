"""Which engine is taken: the fastest that is exact, and none where there is none."""

from dataclasses import replace

import pytest
from walks import cgp_search, training_of

from gatewalk.cgp import evaluators
from gatewalk.cgp.engines import ENGINES, choose, named
from gatewalk.errors import InputError


@pytest.mark.parametrize(
    ("name", "nodes", "gates", "expected"),
    [
        ("and:8", 16, ["and"], "small symbolic"),
        ("or:8", 16, ["or"], "small symbolic"),
        ("xor:8", 16, ["xor"], "small symbolic"),
        ("xnor:8", 16, ["xor", "xnor"], "small symbolic"),
        ("epar:8", 16, ["xnor", "not"], "small symbolic"),
        ("and:40", 80, ["and"], "symbolic"),
        ("or:40", 40, ["or"], "symbolic"),
        ("parity:100", 99, ["xor", "not"], "symbolic"),
        ("and:5", 9, ["and", "or"], "small"),
        ("or:6", 9, ["and"], "small"),
        ("nand:6", 9, ["and", "nand"], "small"),  # nested inversions are no conjunctions: a table it is
        ("or:9", 9, ["nand"], "small table"),
        ("or:9", 9, ["nand", "and"], "incremental"),
        ("maj:5", 30, ["and", "or", "not"], "small"),
        ("mul:2", 30, ["and", "xor", "not"], "incremental"),
        ("maj:5", 30, ["and", "or", "nor", "const1"], "plain"),  # a constant reads no input
        ("mul:2", 30, ["and", "xor", "const0"], "plain"),
        ("maj:5", 30, ["maj", "and"], "plain"),
        ("and:5", 30, ["not", "buf"], "plain"),
    ],
)
def test_the_first_that_applies_is_taken(name, nodes, gates, expected):
    assert choose(cgp_search(name, nodes, gates=gates), None).name == expected


def test_an_evaluation_can_be_asked_for():
    assert choose(cgp_search("and:5", 9, evaluation="table"), None).name == "small"
    assert choose(cgp_search("and:5", 9, evaluation="symbolic"), None).name == "small symbolic"
    with pytest.raises(InputError, match="no symbolic evaluation for maj:3"):
        choose(cgp_search("maj:3", 9, evaluation="symbolic"), None)


def test_samples_are_rows():
    search = cgp_search("and:9", 9, rows=20)
    assert choose(search, training_of(search)).name == "small"
    with pytest.raises(InputError, match="symbolic"):
        choose(replace(search, evaluation="symbolic"), training_of(search))


def test_what_is_watched_keeps_its_genes_in_order():
    for name, nodes in (("and:5", 9), ("maj:3", 9), ("mul:2", 20)):
        assert choose(cgp_search(name, nodes), None, is_watched=True).watched


def test_every_engine_is_found_by_its_name():
    assert [named(engine.name) for engine in ENGINES] == list(ENGINES)


@pytest.mark.parametrize("mutation", ["sam", "point:2", "rate:0.01"])
@pytest.mark.parametrize("offspring", [1, 4])
@pytest.mark.parametrize("strict", [False, True])
def test_no_setting_falls_back_to_tables(mutation, offspring, strict):
    for name in ("and:1000", "or:1000", "xor:1000", "xnor:1000"):
        search = cgp_search(name, 1000, mutation=mutation, offspring=offspring, strict=strict)
        assert choose(search, None).name == "symbolic"


def test_every_evaluator_has_every_function():
    names = ("evaluate_anew", "load", "save", "is_active", "count_active", "evaluate", "keep", "drop")
    for modules in evaluators._MODULES.values():
        for name in names:
            assert any(hasattr(module, name) for module in modules), (modules, name)
