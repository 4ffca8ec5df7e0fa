"""Small programs in words: sets, single words of a table, affine functions; against all rows."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import pack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges import small
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.small import small_of

load, pass_from = entry(small.load), entry(small.pass_from)


def random_rows(inputs: int, rows: int) -> TrainingSet:
    bits = np.random.default_rng(rows).integers(0, 2, size=(inputs + 1, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.mark.parametrize("picked", [False, True])
@pytest.mark.parametrize("gate", ["and", "or"])
@pytest.mark.parametrize(("n", "nodes"), [(1, 1), (2, 3), (6, 20), (7, 56)])
def test_conjunctions_by_the_inputs_they_miss(check_judge, mismatches, gate, n, nodes, picked) -> None:
    shape, training = Shape(n, 1, nodes, gate_set([gate])), complete(target(f"{gate}:{n}"))

    def rank_of(genes) -> int:
        return (mismatches(shape, training, genes) + 1).bit_length() - 1  # Lemma 2: 2^rank - 1

    check_judge(shape, small_of, small.sets_of, rank_of, picked=picked)


@pytest.mark.parametrize("gates", ["nand", "xor", "and,or,not", "imply,buf,true,nor"])
@pytest.mark.parametrize("rows", [1, 2, 33, 64])
def test_tables_of_one_word(check_judge, mismatches, gates: str, rows: int) -> None:
    shape, training = Shape(6, 1, 20, gate_set(gates)), random_rows(6, rows)
    check_judge(
        shape,
        small_of,
        lambda layout: small.table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        seed=rows,
    )


@pytest.mark.parametrize("nodes", [1, 57])
@pytest.mark.parametrize(("over", "rows"), [("sources", 1), ("columns", 1)])
def test_the_largest_and_the_smallest(check_judge, mismatches, nodes: int, over, rows: int) -> None:
    shape = Shape(6, 1, nodes, gate_set("and,nor"), levels_back=3, levels_over=over, rows=rows)
    training = random_rows(6, 64)
    check_judge(
        shape,
        small_of,
        lambda layout: small.table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=True,
    )


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("gates", ["xor", "xnor", "xor,not", "xnor,buf,xor"])
def test_affine_functions(check_judge, mismatches, gates: str, inverted: bool) -> None:
    shape, training = Shape(4, 1, 12, gate_set(gates)), complete(target("xnor:4" if inverted else "xor:4"))
    check_judge(
        shape,
        small_of,
        lambda layout: small.parity_of(layout, inverted=inverted),
        lambda genes: mismatches(shape, training, genes) // 8,
    )


def test_cones_are_the_sources_under_a_node(take_program) -> None:
    layout = layout_of(Shape(3, 1, 4, gate_set("and,not")))
    judge = small.table_of(layout, random_rows(3, 8))
    genes = np.array([0, 0, 1, 1, 3, 2, 0, 4, 2, 0, 0, 0, 5], dtype=np.int32)
    take_program(judge, small_of(layout, picked=False), genes)
    assert judge.cones[:7].tolist() == [1, 2, 4, 0b1011, 0b11011, 0b111111, 0b1000001]
    assert load(judge) == (0b111000 | 1 << 63, 7)


@pytest.mark.parametrize(("first", "end"), [(3, 3), (3, 4), (3, 7), (6, 7), (5, 4)])
def test_a_pass_computes_from_its_first_source_to_its_end(take_program, first: int, end: int) -> None:
    # One source more may be computed, never one below the first or, if there is none to do, any.
    layout = layout_of(Shape(3, 1, 4, gate_set(["nand"])))
    judge, program = small.table_of(layout, random_rows(3, 8)), small_of(layout, picked=False)
    genes = np.array([0, 0, 1, 0, 3, 2, 0, 4, 2, 0, 0, 0, 5], dtype=np.int32)
    take_program(judge, program, genes)
    wanted = judge.values.copy()
    judge.values[3:] = 99
    judge.values[3:first] = wanted[3:first]
    pass_from(judge, program, np.uint64(first), np.uint64(end))
    assert judge.values[: max(first, end)].tolist() == wanted[: max(first, end)].tolist()
    assert (judge.values[max(first, end) + 1 :] == 99).all()
