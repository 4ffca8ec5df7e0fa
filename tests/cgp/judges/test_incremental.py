"""Incremental evaluation against programs computed row by row, on tables of one word up to two parts."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import pack, projections
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges.incremental import MOST_OUTPUTS, incremental_of
from gatewalk.cgp.large import large_of

FULL = ["and", "or", "nand", "nor", "not"]


def random_rows(inputs: int, outputs: int, rows: int) -> TrainingSet:
    random = np.random.default_rng(rows)
    bits = random.integers(0, 2, size=(inputs + outputs, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.fixture
def check(check_judge, mismatches):
    def check(shape: Shape, training: TrainingSet, **options) -> None:
        check_judge(
            shape,
            large_of,
            lambda layout: incremental_of(layout, training),
            lambda genes: mismatches(shape, training, genes),
            **options,
        )

    return check


@pytest.mark.parametrize("rows", [1, 2, 64, 65, 512, 513, 5000, 20_000])
def test_tables_of_all_sizes(check, rows: int) -> None:
    check(Shape(6, 2, 30, gate_set(FULL)), random_rows(6, 2, rows), seed=rows)


@pytest.mark.parametrize("outputs", [1, 5, MOST_OUTPUTS])
@pytest.mark.parametrize("rows", [50, 300])
def test_many_outputs(check, outputs: int, rows: int) -> None:
    check(Shape(7, outputs, 40, gate_set(FULL)), random_rows(7, outputs, rows), seed=outputs)


@pytest.mark.parametrize("gates", ["and", "nand,not", "xor,buf", "imply,not_a,true,buf_b"])
def test_gate_sets(check, gates: str) -> None:
    check(Shape(5, 3, 30, gate_set(gates)), random_rows(5, 3, 200), seed=1, picked=True)


def test_sets_of_nodes_in_several_words(check) -> None:
    check(Shape(3, 2, 200, gate_set(FULL)), random_rows(3, 2, 70), seed=2)
    check(Shape(3, 2, 128, gate_set(FULL)), random_rows(3, 2, 7), seed=3)


@pytest.mark.parametrize("name", ["and:9", "xor:5", "maj:14"])
def test_complete_tables_whose_rows_are_put_in_order(check, name: str) -> None:
    training = complete(target(name))
    check(Shape(training.inputs.shape[0], 1, 30, gate_set(FULL)), training, seed=4)


def test_a_rare_output_on_a_table_of_two_parts(check) -> None:
    wanted = np.zeros((1, 1 << 14), dtype=bool)
    wanted[0, 12345] = True
    training = TrainingSet("complete", 1 << 14, projections(14), pack(wanted))
    check(Shape(14, 1, 40, gate_set(["and", "nor"])), training, seed=5)


@pytest.mark.parametrize(("over", "rows"), [("sources", 1), ("columns", 3)])
def test_connections_of_a_limited_reach(check, over, rows: int) -> None:
    shape = Shape(6, 2, 30, gate_set(FULL), levels_back=4, levels_over=over, rows=rows)
    check(shape, random_rows(6, 2, 300), seed=6)
