"""Any program on packed tables: active nodes, every gate, mismatches that leave out unused rows."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.genotype import Shape, active_nodes, valid_values
from gatewalk.cgp.judges.table import mark_active, plain_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of


def random_genes(shape: Shape, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize("gates", ["and", "nand,not", "mux,const0,buf,xor"])
def test_active_nodes_have_a_path_to_an_output(gates: str) -> None:
    shape = Shape(3, 2, 30, gate_set(gates))
    active = np.full(3 + 30 + 2, 7, dtype=np.uint8)
    for seed in range(20):
        genes = random_genes(shape, seed)
        mark_active(layout_of(shape), genes, active)
        assert active[3:33].tolist() == active_nodes(shape, genes).tolist()
        assert active[33] == 1


@pytest.mark.parametrize("name", GATES)
def test_every_gate_on_all_rows(name: str, take_program) -> None:
    gate = GATES[name]
    shape = Shape(3, 1, 1, gate_set([name]))
    training = TrainingSet("complete", 8, projections(3), np.zeros((1, 1), dtype=np.uint64))
    judge = plain_of(layout_of(shape), training)
    genes = np.array([0, *[2, 0, 1][: shape.arity], 3], dtype=np.int32)
    wrong = take_program(judge, large_of(layout_of(shape), picked=False), genes)
    rows = [[row >> place & 1 for place in (2, 0, 1)] for row in range(8)]
    expected = [gate(*bits[: gate.arity]) for bits in rows]
    assert unpack(judge.values[3], 8).astype(int).tolist() == expected
    assert wrong == sum(expected)


@pytest.mark.parametrize("rows", [1, 2, 63, 64, 65, 128, 5000])
def test_mismatches_of_all_outputs(rows: int, mismatches, take_program) -> None:
    shape = Shape(4, 3, 20, gate_set("and,or,nor,not"))
    bits = np.random.default_rng(rows).integers(0, 2, size=(7, rows))
    training = TrainingSet("sample", rows, pack(bits[:4]), pack(bits[4:]))
    layout = layout_of(shape)
    judge, program = plain_of(layout, training), large_of(layout, picked=False)
    for seed in range(10):
        genes = random_genes(shape, seed)
        assert take_program(judge, program, genes) == mismatches(shape, training, genes)


def random_rows(inputs: int, outputs: int, rows: int) -> TrainingSet:
    random = np.random.default_rng(rows)
    bits = random.integers(0, 2, size=(inputs + outputs, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.mark.parametrize(
    ("inputs", "outputs", "gates", "rows"),
    [
        (4, 1, list(GATES), 65),
        (5, 70, ["mux", "and", "not", "const1"], 100),
        (3, 2, ["const0", "buf"], 1),
        (6, 1, ["maj"], 2),
        (9, 3, ["and", "or", "nand", "nor"], 20_000),
    ],
)
def test_offspring_are_ranked_by_their_mismatches(check_judge, mismatches, inputs, outputs, gates, rows):
    shape = Shape(inputs, outputs, 20, gate_set(gates))
    training = random_rows(inputs, outputs, rows)
    check_judge(
        shape,
        large_of,
        lambda layout: plain_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=rows == 2,
    )
