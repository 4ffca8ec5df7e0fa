"""Mutations as values and as text; and each makes the offspring of its literal twin from the same stream."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import mutations
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.mutations import MUTATIONS, mutation_from_text
from gatewalk.cgp.mutations.point import MOST_POINTS, Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError, shown
from gatewalk.native.draws import gaps_of
from gatewalk.reference import cgp as reference
from gatewalk.reference.stream import Stream


def test_every_file_of_the_folder_is_a_mutation():
    files = {path.stem for path in Path(mutations.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(MUTATIONS) == files == set(reference.MUTATIONS)
    for name, kind in MUTATIONS.items():
        assert kind.name == kind.usage.partition(":")[0] == name == kind.__name__.lower()


@pytest.mark.parametrize(
    ("text", "mutation"),
    [
        ("sam", Sam()),
        ("point:1", Point(1)),
        ("point:1000000", Point(MOST_POINTS)),
        ("rate:0.05", Rate(0.05)),
        ("rate:1", Rate(1)),
        ("rate:1.0", Rate(1.0)),
        ("rate:0.001", Rate(0.001)),
        ("rate:1e-07", Rate(1e-7)),
    ],
)
def test_a_text_and_its_value(text, mutation):
    assert mutation_from_text(text) == mutation
    assert str(mutation) == text
    assert hash(mutation_from_text(text)) == hash(mutation)


@pytest.mark.parametrize(
    ("text", "written"),
    [("point:03", "point:3"), ("rate:.5", "rate:0.5"), ("rate:1e-3", "rate:0.001"), ("rate:01", "rate:1")],
)
def test_a_text_is_written_in_one_way(text, written):
    assert str(mutation_from_text(text)) == written


def test_a_rate_of_1_and_of_1_0_are_two_mutations_of_one_law():
    # Runs are seeded by what is written, and both were always possible.
    whole, real = Rate(1), Rate(1.0)
    assert whole != real
    assert (str(whole), str(real)) == ("rate:1", "rate:1.0")
    assert whole.strength == real.strength == 1.0
    for mutation in (whole, real):
        for ours, expected in zip(mutation.arrays().gaps, gaps_of(1.0), strict=True):
            assert np.array_equal(ours, expected)


@pytest.mark.parametrize("number", [0.25, np.float64(0.25), np.float32(0.25)])
def test_numbers_of_numpy_are_plain_ones(number):
    assert Rate(number) == Rate(0.25)
    assert str(Rate(number)) == "rate:0.25"
    assert str(Rate(np.int64(1))) == "rate:1"


def test_values_cannot_change():
    for mutation, field in ((Point(3), "genes"), (Rate(0.5), "probability")):
        with pytest.raises(FrozenInstanceError):
            setattr(mutation, field, 1)


def test_picks_that_an_offspring_takes_at_least():
    assert [mutation.fewest_picks(40) for mutation in (Sam(), Point(3), Rate(0.1))] == [1.0, 3.0, 4.0]


@pytest.mark.parametrize("genes", [0, -1, 1.5, "3", True, None, MOST_POINTS + 1])
def test_a_number_of_points_that_cannot_be_is_refused(genes):
    with pytest.raises(InputError, match="the genes of a point mutation"):
        Point(genes)


@pytest.mark.parametrize("probability", [0, -0.1, 1.5, 2, "0.5", True, None, float("nan"), float("inf")])
def test_a_probability_that_cannot_be_is_refused(probability):
    with pytest.raises(InputError, match="rate needs a probability P with 0 < P <= 1"):
        Rate(probability)


@pytest.mark.parametrize("text", ["", "Sam", "sam ", "swap", "point3", "3", ":", "__init__", "flip:2"])
def test_an_unknown_mutation_is_told_which_there_are(text):
    with pytest.raises(InputError, match="unknown mutation") as refused:
        mutation_from_text(text)
    assert shown(text) in str(refused.value)
    assert all(kind.usage in str(refused.value) for kind in MUTATIONS.values())


@pytest.mark.parametrize(
    "text",
    [
        *("sam:", "sam:1", "point", "point:", "point:0", "point:x", "point:-1", "point:1.5", "point:1:2"),
        *("point:+3", "point: 3", "point:1_0", "point:٣", "point:²", "point:1000001", "point:" + "9" * 5000),
        *("rate", "rate:", "rate:0", "rate:-0.1", "rate:2", "rate:1.0000001", "rate:nan", "rate:inf"),
        *("rate:x", "rate:0.1:0.2", "rate:1e-400", "rate:٠.٥", "rate:" + "9" * 5000),
    ],
)
def test_a_bad_strength_is_refused_with_the_usage(text):
    with pytest.raises(InputError) as refused:
        mutation_from_text(text)
    assert shown(text) in str(refused.value)
    assert MUTATIONS[text.partition(":")[0]].usage in str(refused.value)


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
    mutation = mutation_from_text(text)
    rules = reference.Rules(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=(),
        strength=mutation.strength,
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
        y, picks = reference.MUTATIONS[mutation.name](rules, x, stream)
        assert driver.child(maker) == y
        assert changes.steps == len(picks)
        assert words.tolist() == stream.words
        driver.ended(maker.program, changes, False)
