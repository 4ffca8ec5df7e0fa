"""Mutations by their names; and each makes the offspring of its literal twin from the same random numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import mutations
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.mutations import MODULES, parse_mutation
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError, shown
from gatewalk.native.draws import gaps_of
from gatewalk.reference import cgp as reference
from gatewalk.reference.stream import Stream


def test_every_file_of_the_folder_is_a_mutation():
    files = {path.stem for path in Path(mutations.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(MODULES) == files == set(reference.MUTATIONS)
    assert all(module.USAGE.partition(":")[0] == name for name, module in MODULES.items())


def test_good_texts():
    assert parse_mutation("sam") == Sam()
    assert parse_mutation("point:1") == Point(1)
    assert parse_mutation("point:1000000") == Point(1_000_000)
    assert parse_mutation("rate:0.05").gaps is gaps_of(0.05)
    assert parse_mutation("rate:1").gaps is gaps_of(1.0)
    assert parse_mutation("rate:1e-3").gaps is gaps_of(0.001)


@pytest.mark.parametrize("text", ["", "Sam", "sam ", "swap", "point3", "3", ":", "__init__", "flip:2"])
def test_an_unknown_mutation_is_told_which_there_are(text):
    with pytest.raises(InputError, match="unknown mutation") as refused:
        parse_mutation(text)
    assert shown(text) in str(refused.value)
    assert all(module.USAGE in str(refused.value) for module in MODULES.values())


@pytest.mark.parametrize(
    "text",
    [
        *("sam:", "sam:1", "point", "point:", "point:0", "point:x", "point:-1", "point:1.5", "point:1:2"),
        *("point:+3", "point: 3", "point:1_0", "point:٣", "point:²", "point:1000001", "point:" + "9" * 5000),
        *("rate", "rate:", "rate:0", "rate:-0.1", "rate:2", "rate:1.0000001", "rate:nan", "rate:inf"),
        *("rate:x", "rate:0.1:0.2", "rate:1e-400", "rate:٠.٥"),
    ],
)
def test_a_bad_strength_is_refused_with_the_usage(text):
    with pytest.raises(InputError) as refused:
        parse_mutation(text)
    assert shown(text) in str(refused.value)
    assert MODULES[text.partition(":")[0]].USAGE in str(refused.value)


SHAPES = {
    "gates": Shape(3, 1, 6, gate_set("and,nor,not")),
    "one gate": Shape(3, 1, 6, gate_set("nand")),
    "sources": Shape(4, 1, 9, gate_set("and,or"), levels_back=2, levels_over="sources"),
    "columns": Shape(2, 1, 12, gate_set("and,or"), levels_back=1, rows=3),
}


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("sam_ends", ["changed", "picked"])
@pytest.mark.parametrize("text", ["sam", "point:1", "point:4", "rate:0.1", "rate:1"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_offspring_are_those_of_the_twin(driver, shape, text, sam_ends, large):
    name, _, strength = text.partition(":")
    rules = reference.Rules(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=(),
        strength=float(strength or 0),
        sam_ends=sam_ends,
        levels_back=shape.levels_back,
        levels_over=shape.levels_over,
        rows=shape.rows,
    )
    words = np.random.default_rng(5).integers(1, 2**63, size=4, dtype=np.uint64)
    stream = Stream(words)
    maker = driver.maker(shape, text, large=large, picked=sam_ends == "picked")
    x = reference.random_program(rules, stream)
    words[:] = stream.words
    driver.begin(maker, x)
    for _ in range(50):
        changes = driver.make(maker, words)
        y, picks = reference.MUTATIONS[name](rules, x, stream)
        assert driver.child(maker) == y
        assert changes.steps == len(picks)
        assert words.tolist() == stream.words
        driver.ended(maker.program, changes, False)
