"""Classes of programs: against the orbits of all programs, and what they are made of."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.chain import class_of_program, program_of_class, programs_of_segment
from gatewalk.theory.chain.sam.classes import blocks_of, solved_blocks
from gatewalk.theory.chain.sam.node_states import axes_of, output_axis, swapped_gates, walk_generator
from gatewalk.theory.chain.sam.symmetries import input_symmetries
from gatewalk.theory.chain.sam.tables import mask_of


def test_blocks_by_hand():
    """Two inputs and one node: the output is an input, or the node, which reads one input twice or both."""
    tables = exact("and:2", nodes=1).chain.tables
    for active in (0b0, 0b1):
        blocks = blocks_of(tables, active)
        assert (blocks.fitness.tolist(), blocks.orbit.tolist()) == ([1], [2])
    assert solved_blocks(tables, 0b0).key.size == 0
    assert solved_blocks(tables, 0b1).orbit.tolist() == [1]


@pytest.mark.parametrize(("name", "nodes"), [("and:2", 2), ("xor:2", 2), ("and:3", 2)])
def test_classes_are_orbits_and_sizes_their_genotypes(name, nodes):
    chain = exact(name, nodes=nodes).chain
    shape = chain.shape
    orders = list(permutations(range(shape.inputs)))
    orbits = Counter()
    class_of_orbit = {}
    for genes in programs_of(shape):
        if mismatches(shape, name, genes) == 0:
            continue
        images = (exchanged(shape, genes, order, swaps) for order in orders for swaps in range(1 << nodes))
        least = min(images)
        orbits[least] += 1
        number = class_of_program(chain, np.array(genes))
        assert number is not None
        assert class_of_orbit.setdefault(least, number) == number
    assert len(orbits) == len(set(class_of_orbit.values())) == chain.classes
    for orbit, number in class_of_orbit.items():
        assert chain.size[number] == orbits[orbit]


@pytest.mark.parametrize("lump", [True, False])
@pytest.mark.parametrize(
    ("name", "options"), [("and:3", {}), ("xor:2", {"gates": "xor,and"}), ("add:1", {"gates": "xor,and"})]
)
def test_a_program_of_a_class_is_in_it(name, options, lump):
    chain = exact(name, nodes=2, lump=lump, **options).chain
    for segment in chain.segments:
        for number, genes in enumerate(programs_of_segment(chain, segment), segment.classes.start):
            assert class_of_program(chain, genes) == number
            assert program_of_class(chain, number).tolist() == genes.tolist()
            assert mismatches(chain.shape, name, tuple(genes.tolist())) == chain.levels[segment.level]


@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("and:4", {}, 24),
        ("xor:5", {}, 120),
        ("sum:1", {}, 2),
        ("sum:2", {}, 4),
        ("and:3", {"profile": "tinyverse", "nodes": 3}, 1),
        ("and:3", {"profile": "tinyverse", "nodes": 6}, 1),
        ("and:3", {"profile": "tinyverse", "nodes": 3, "options": {"levels_over": "columns"}}, 6),
    ],
)
def test_how_many_symmetries_a_search_has(name, options, count):
    search = search_for(name, **options)
    training = complete(family_target(name))
    symmetries = input_symmetries(search.shape, training)
    assert len(symmetries) == count
    assert symmetries[0].tolist() == list(range(symmetries.shape[1]))


@pytest.mark.parametrize(
    ("target", "gates", "nodes"),
    [("table:2:0x3", "not", 2), ("table:2:0x3", "buf,not", 2), ("table:3:0xf", "not,buf", 3)],
)
def test_gates_of_one_input_have_no_second_connection_to_move(target, gates, nodes):
    """20,000 seeded runs: six standard errors are passed by chance once in 10^9 times."""
    search = search_for(target, nodes=nodes, gates=gates)
    expected = exact(target, nodes=nodes, gates=gates)
    iterations = run_many(search, seed=1, runs=range(20_000)).iterations
    error = expected.std_iterations / iterations.size**0.5
    assert abs(iterations.mean() - expected.expected_iterations) < 6 * error


def test_rates_are_sums_of_deviations():
    axis = axes_of(Shape(3, 1, 1, gate_set("and")))[0]
    assert sorted({round(rate, 9) for rate in axis.rates}) == [0.0, 1.5, 3.0]
    assert axis.weight.sum() == 9
    assert len(axis) == 6


def test_output_gene_is_an_axis():
    axis = output_axis(Shape(2, 1, 2, gate_set("and")))
    assert len(axis) == 4
    assert axis.rates[0] == pytest.approx(0, abs=1e-12)
    assert axis.rates[1:] == pytest.approx(4 / 3)


def test_swapped_gates():
    assert swapped_gates(gate_set("and,xor")) == [0, 1]
    assert swapped_gates(gate_set("nimply,ncimply")) == [1, 0]
    assert swapped_gates(gate_set("nimply,and")) is None
    assert swapped_gates(gate_set("and,not")) is None


@pytest.mark.parametrize("gates", ["and", "and,not", "nimply,ncimply,or"])
def test_the_eigenbasis_is_that_of_the_generator(gates):
    shape = Shape(2, 1, 2, gate_set(gates))
    for node, axis in enumerate(axes_of(shape)):
        states = list(zip(axis.function.tolist(), axis.first.tolist(), axis.second.tolist(), strict=True))
        sources = list(range(shape.inputs + node))
        generator = walk_generator(states, axis.lookup, sources, axis.counts)
        rows = [sum(row) for row in generator]
        assert rows == [0] * len(axis)  # what leaves a state arrives at the others
        known = np.array([[float(entry) for entry in row] for row in generator])
        assert np.abs(axis.from_eigen @ np.diag(axis.rates) @ axis.to_eigen - known).max() < 1e-12
        assert np.abs(axis.from_eigen @ axis.to_eigen - np.eye(len(axis))).max() < 1e-12


def test_masks():
    assert mask_of(1) == 1
    assert mask_of(5) == 0b11111
    assert mask_of(64) == 2**64 - 1
