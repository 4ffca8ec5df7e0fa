"""Programs of any size without a table, against all rows; and who reads what in the parent."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.cgp.judges import symbolic
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of


@pytest.mark.parametrize("gate", ["and", "or"])
@pytest.mark.parametrize(("n", "nodes"), [(1, 1), (3, 2), (8, 16), (9, 100)])
def test_conjunctions_by_the_inputs_they_miss(check_judge, mismatches, gate, n, nodes) -> None:
    shape, training = Shape(n, 1, nodes, gate_set([gate])), complete(target(f"{gate}:{n}"))

    def rank_of(genes) -> int:
        return (mismatches(shape, training, genes) + 1).bit_length() - 1  # Lemma 2: 2^rank - 1

    check_judge(shape, large_of, symbolic.reached_of, rank_of, picked=nodes == 16)


@pytest.mark.parametrize(("levels_back", "over", "rows"), [(1, "sources", 1), (2, "columns", 4)])
def test_conjunctions_of_a_limited_reach(check_judge, mismatches, levels_back, over, rows) -> None:
    shape = Shape(5, 1, 40, gate_set(["and"]), levels_back=levels_back, levels_over=over, rows=rows)
    training = complete(target("and:5"))

    def rank_of(genes) -> int:
        return (mismatches(shape, training, genes) + 1).bit_length() - 1

    check_judge(shape, large_of, symbolic.reached_of, rank_of, seed=1)


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("gates", ["xor", "xnor", "xor,not", "xnor,buf,xor"])
@pytest.mark.parametrize("nodes", [9, 90])
def test_affine_functions(check_judge, mismatches, gates: str, inverted: bool, nodes: int) -> None:
    shape, training = Shape(3, 1, nodes, gate_set(gates)), complete(target("epar:3" if inverted else "xor:3"))
    check_judge(
        shape,
        large_of,
        lambda layout: symbolic.affine_of(layout, inverted=inverted),
        lambda genes: mismatches(shape, training, genes) // 4,
        seed=nodes,
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_active_reader_of_every_source_is_known(take_program, seed: int) -> None:
    n, nodes = 4, 12
    shape = Shape(n, 1, nodes, gate_set(["and"]))
    layout = layout_of(shape)
    genes = np.random.default_rng(seed).integers(0, layout.choices).astype(np.int32)
    genes[-1] = n + nodes - 1 - seed % 3
    judge = symbolic.reached_of(layout)
    take_program(judge, large_of(layout, picked=False), genes)
    active = active_nodes(shape, genes)
    assert judge.active[n : n + nodes].tolist() == active.tolist()
    for source in range(n + nodes):
        readers = [n + b for b in range(nodes) if active[b] and source in genes[3 * b + 1 : 3 * b + 3]]
        readers += [n + nodes] * int(genes[-1] == source)
        assert judge.reader[source] == max(readers, default=-1)


def test_marks_count_paths(take_program) -> None:
    layout = layout_of(Shape(3, 1, 3, gate_set("xor,not")))
    judge = symbolic.affine_of(layout, inverted=False)
    # Node 3 is x1 ^ x2, node 4 is not node 3, node 5 is node 3 ^ node 4: two paths to node 3, x3 has none.
    genes = np.array([0, 0, 1, 1, 3, 2, 0, 3, 4, 5], dtype=np.int32)
    assert take_program(judge, large_of(layout, picked=False), genes) == 1
    even, odd = symbolic.REACHED, symbolic.REACHED | symbolic.ODD
    assert judge.active[:6].tolist() == [even, even, 0, even, odd, odd]
