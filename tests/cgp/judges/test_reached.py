"""Conjunctions of any size without a table, against all rows; and who reads what in the parent."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.cgp.judges.reached import reached_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of


@pytest.mark.parametrize("gate", ["and", "or"])
@pytest.mark.parametrize(("n", "nodes"), [(1, 1), (3, 2), (8, 16), (9, 100)])
def test_conjunctions_by_the_inputs_they_miss(check_judge, mismatches, gate, n, nodes) -> None:
    shape, training = Shape(n, 1, nodes, gate_set([gate])), complete(target(f"{gate}:{n}"))

    def rank_of(genes) -> int:
        return (mismatches(shape, training, genes) + 1).bit_length() - 1  # Lemma 2: 2^rank - 1

    check_judge(shape, large_of, reached_of, rank_of, picked=nodes == 16)


@pytest.mark.parametrize(("levels_back", "over", "rows"), [(1, "sources", 1), (2, "columns", 4)])
def test_conjunctions_of_a_limited_reach(check_judge, mismatches, levels_back, over, rows) -> None:
    shape = Shape(5, 1, 40, gate_set(["and"]), levels_back=levels_back, levels_over=over, rows=rows)
    training = complete(target("and:5"))

    def rank_of(genes) -> int:
        return (mismatches(shape, training, genes) + 1).bit_length() - 1

    check_judge(shape, large_of, reached_of, rank_of, seed=1)


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_active_reader_of_every_source_is_known(take_program, seed: int) -> None:
    n, nodes = 4, 12
    shape = Shape(n, 1, nodes, gate_set(["and"]))
    layout = layout_of(shape)
    genes = np.random.default_rng(seed).integers(0, layout.choices).astype(np.int32)
    genes[-1] = n + nodes - 1 - seed % 3
    judge = reached_of(layout)
    take_program(judge, large_of(layout, picked=False), genes)
    active = active_nodes(shape, genes)
    assert judge.active[n : n + nodes].tolist() == active.tolist()
    for source in range(n + nodes):
        readers = [n + b for b in range(nodes) if active[b] and source in genes[3 * b + 1 : 3 * b + 3]]
        readers += [n + nodes] * int(genes[-1] == source)
        assert judge.reader[source] == max(readers, default=-1)
