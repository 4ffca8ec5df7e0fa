"""Evaluators of small programs and those without a table: ranks against all rows, and Lemma 2."""

from itertools import combinations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.tables import pack
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.evaluators import small
from gatewalk.cgp.evaluators.affine import (
    INVERTED,
    ODD,
    REACHED,
    affine_of,
    affine_words,
    fitness_of,
    is_affine,
)
from gatewalk.cgp.evaluators.reached import reached_of
from gatewalk.cgp.evaluators.small import parity_of
from gatewalk.cgp.genotype import Shape, active_nodes, layout_of, valid_values
from gatewalk.cgp.large import large_of
from gatewalk.cgp.small import small_of

AFFINE = ("xor", "xnor", "not", "buf")
SETS = [names for size in range(1, 5) for names in combinations(AFFINE, size) if {"xor", "xnor"} & set(names)]
IS_INVERTED = {"xor": False, "parity": False, "xnor": True, "epar": True}


def test_affine_gates():
    assert {name for name in GATES if is_affine(gate_set([name]))} == set(AFFINE)
    assert not is_affine(gate_set("xor,and"))


def test_words_of_affine_gates():
    words = affine_words(layout_of(Shape(2, 1, 1, gate_set("xor,xnor,not,buf"))))
    every = 2**64 - 1
    assert words[:, 0].tolist() == [0, int(INVERTED), int(INVERTED), 0]
    assert words[:, 1].tolist() == [every] * 4
    assert words[:, 2].tolist() == words[:, 4].tolist() == [every, every, 0, 0]
    assert not words[:, 3].any()


def test_fitness_of_a_rank():
    assert [fitness_of(4, rank) for rank in range(3)] == [0, 8, 16]
    assert [fitness_of(1, rank) for rank in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("names", SETS, ids=",".join)
@pytest.mark.parametrize("family", IS_INVERTED)
def test_ranks_are_those_of_all_rows(names, family, take_program, mismatches):
    random, seen = np.random.default_rng(7), set()
    for n in range(1, 6):
        shape, training = Shape(n, 1, 6, gate_set(names)), complete(family_target(f"{family}:{n}"))
        layout = layout_of(shape)
        inverted = IS_INVERTED[family]
        small, in_words = small_of(layout, picked=False), parity_of(layout, inverted=inverted)
        large, in_marks = large_of(layout, picked=False), affine_of(layout, inverted=inverted)
        for _ in range(60):
            values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
            genes = np.array(values, dtype=np.int32)
            rank = take_program(in_words, small, genes)
            assert rank == take_program(in_marks, large, genes)
            assert fitness_of(n, int(rank)) == mismatches(shape, training, genes)
            seen.add(int(rank))
    can_invert = bool({"xnor", "not"} & set(names))
    assert seen == ({0, 1, 2} if can_invert else {1, 2} if IS_INVERTED[family] else {0, 1})


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("gates", ["xor", "xnor", "xor,not", "xnor,buf,xor"])
@pytest.mark.parametrize("nodes", [9, 90])
def test_affine_functions(follow_evaluator, mismatches, gates, inverted, nodes):
    shape, training = (
        Shape(3, 1, nodes, gate_set(gates)),
        complete(family_target("epar:3" if inverted else "xor:3")),
    )
    follow_evaluator(
        shape,
        large_of,
        lambda layout: affine_of(layout, inverted=inverted),
        lambda genes: mismatches(shape, training, genes) // 4,
        seed=nodes,
    )


def test_marks_count_paths(take_program):
    layout = layout_of(Shape(3, 1, 3, gate_set("xor,not")))
    evaluator = affine_of(layout, inverted=False)
    # Node 3 is x1 ^ x2, node 4 is not node 3, node 5 is node 3 ^ node 4: two paths to node 3, x3 has none.
    genes = np.array([0, 0, 1, 1, 3, 2, 0, 3, 4, 5], dtype=np.int32)
    assert take_program(evaluator, large_of(layout, picked=False), genes) == 1
    even, odd = REACHED, REACHED | ODD
    assert evaluator.active[:6].tolist() == [even, even, 0, even, odd, odd]


@pytest.mark.parametrize("gate", ["and", "or"])
@pytest.mark.parametrize(("n", "nodes"), [(1, 1), (3, 2), (8, 16), (9, 100)])
def test_conjunctions_by_the_inputs_they_miss(follow_evaluator, mismatches, gate, n, nodes):
    shape, training = Shape(n, 1, nodes, gate_set([gate])), complete(family_target(f"{gate}:{n}"))

    def rank_of(genes):
        return (mismatches(shape, training, genes) + 1).bit_length() - 1  # Lemma 2: 2^rank - 1

    follow_evaluator(shape, large_of, reached_of, rank_of, picked=nodes == 16)


@pytest.mark.parametrize(("levels_back", "over", "rows"), [(1, "sources", 1), (2, "columns", 4)])
def test_conjunctions_of_a_limited_reach(follow_evaluator, mismatches, levels_back, over, rows):
    shape = Shape(5, 1, 40, gate_set(["and"]), levels_back=levels_back, levels_over=over, rows=rows)
    training = complete(family_target("and:5"))

    def rank_of(genes):
        return (mismatches(shape, training, genes) + 1).bit_length() - 1

    follow_evaluator(shape, large_of, reached_of, rank_of, seed=1)


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_active_reader_of_every_source_is_known(take_program, seed):
    n, nodes = 4, 12
    shape = Shape(n, 1, nodes, gate_set(["and"]))
    layout = layout_of(shape)
    genes = np.random.default_rng(seed).integers(0, layout.choices).astype(np.int32)
    genes[-1] = n + nodes - 1 - seed % 3
    evaluator = reached_of(layout)
    take_program(evaluator, large_of(layout, picked=False), genes)
    active = active_nodes(shape, genes)
    assert evaluator.active[n : n + nodes].tolist() == active.tolist()
    for source in range(n + nodes):
        readers = [n + b for b in range(nodes) if active[b] and source in genes[3 * b + 1 : 3 * b + 3]]
        readers += [n + nodes] * int(genes[-1] == source)
        assert evaluator.reader[source] == max(readers, default=-1)


load, pass_from = entry(small.load), entry(small.pass_from)


def random_rows(inputs, rows):
    bits = np.random.default_rng(rows).integers(0, 2, size=(inputs + 1, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.mark.parametrize("picked", [False, True])
@pytest.mark.parametrize("gate", ["and", "or"])
@pytest.mark.parametrize(("n", "nodes"), [(1, 1), (2, 3), (6, 20), (7, 56)])
def test_small_conjunctions_by_the_inputs_they_miss(follow_evaluator, mismatches, gate, n, nodes, picked):
    shape, training = Shape(n, 1, nodes, gate_set([gate])), complete(family_target(f"{gate}:{n}"))

    def rank_of(genes):
        return (mismatches(shape, training, genes) + 1).bit_length() - 1  # Lemma 2: 2^rank - 1

    follow_evaluator(shape, small_of, small.sets_of, rank_of, picked=picked)


@pytest.mark.parametrize("gates", ["nand", "xor", "and,or,not", "imply,buf,true,nor"])
@pytest.mark.parametrize("rows", [1, 2, 33, 64])
def test_tables_of_one_word(follow_evaluator, mismatches, gates, rows):
    shape, training = Shape(6, 1, 20, gate_set(gates)), random_rows(6, rows)
    follow_evaluator(
        shape,
        small_of,
        lambda layout: small.table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        seed=rows,
    )


@pytest.mark.parametrize("nodes", [1, 57])
@pytest.mark.parametrize(("over", "rows"), [("sources", 1), ("columns", 1)])
def test_the_largest_and_the_smallest(follow_evaluator, mismatches, nodes, over, rows):
    shape = Shape(6, 1, nodes, gate_set("and,nor"), levels_back=3, levels_over=over, rows=rows)
    training = random_rows(6, 64)
    follow_evaluator(
        shape,
        small_of,
        lambda layout: small.table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=True,
    )


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("gates", ["xor", "xnor", "xor,not", "xnor,buf,xor"])
def test_small_affine_functions(follow_evaluator, mismatches, gates, inverted):
    shape, training = (
        Shape(4, 1, 12, gate_set(gates)),
        complete(family_target("xnor:4" if inverted else "xor:4")),
    )
    follow_evaluator(
        shape,
        small_of,
        lambda layout: small.parity_of(layout, inverted=inverted),
        lambda genes: mismatches(shape, training, genes) // 8,
    )


def test_cones_are_the_sources_under_a_node(take_program):
    layout = layout_of(Shape(3, 1, 4, gate_set("and,not")))
    evaluator = small.table_of(layout, random_rows(3, 8))
    genes = np.array([0, 0, 1, 1, 3, 2, 0, 4, 2, 0, 0, 0, 5], dtype=np.int32)
    take_program(evaluator, small_of(layout, picked=False), genes)
    assert evaluator.cones[:7].tolist() == [1, 2, 4, 0b1011, 0b11011, 0b111111, 0b1000001]
    assert load(evaluator) == (0b111000 | 1 << 63, 7)


@pytest.mark.parametrize(("first", "end"), [(3, 3), (3, 4), (3, 7), (6, 7), (5, 4)])
def test_a_pass_computes_from_its_first_source_to_its_end(take_program, first, end):
    # One source more may be computed, never one below the first or, if there is none to do, any.
    layout = layout_of(Shape(3, 1, 4, gate_set(["nand"])))
    evaluator, program = small.table_of(layout, random_rows(3, 8)), small_of(layout, picked=False)
    genes = np.array([0, 0, 1, 0, 3, 2, 0, 4, 2, 0, 0, 0, 5], dtype=np.int32)
    take_program(evaluator, program, genes)
    wanted = evaluator.values.copy()
    evaluator.values[3:] = 99
    evaluator.values[3:first] = wanted[3:first]
    pass_from(evaluator, program, np.uint64(first), np.uint64(end))
    assert evaluator.values[: max(first, end)].tolist() == wanted[: max(first, end)].tolist()
    assert (evaluator.values[max(first, end) + 1 :] == 99).all()
