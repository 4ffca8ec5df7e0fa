"""What judges that rank in full mark, and when they do."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, active_nodes, valid_values
from gatewalk.cgp.judges import marked
from gatewalk.cgp.judges.affine import affine_of
from gatewalk.cgp.judges.reached import reached_of
from gatewalk.cgp.judges.table import plain_of
from gatewalk.cgp.judging import weigh
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.program import Changes

N, NODES = 4, 20
rank_of, weigh_part = entry(marked.rank_of), entry(weigh)
u = np.uint64


@pytest.mark.parametrize(
    ("name", "gates", "judge_of"),
    [
        ("maj", "and,or,not", lambda layout: plain_of(layout, complete(target(f"maj:{N}")))),
        ("xor", "xor,not", lambda layout: affine_of(layout, inverted=False)),
        ("and", "and", reached_of),
    ],
)
def test_the_offspring_is_marked_and_the_parent_stays(name: str, gates: str, judge_of, take_program) -> None:
    shape = Shape(N, 1, NODES, gate_set(gates))
    layout, random = layout_of(shape), np.random.default_rng(4)
    judge, program = judge_of(layout), large_of(layout, picked=False)

    def some_genes() -> np.ndarray:
        values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
        return np.array(values, dtype=np.int32)

    parent = some_genes()
    take_program(judge, program, parent)
    for _ in range(20):
        child = some_genes()
        program.genes[: child.size] = child
        found = rank_of(judge, program)
        assert (judge.marks[N : N + NODES] != 0).tolist() == active_nodes(shape, child).tolist()
        assert (judge.active[N : N + NODES] != 0).tolist() == active_nodes(shape, parent).tolist()
        assert found == take_program(judge_of(layout), large_of(layout, picked=False), child)


def test_an_offspring_that_uses_the_same_genes_is_not_ranked(take_program) -> None:
    layout = layout_of(Shape(N, 1, NODES, gate_set("and")))
    judge, program = plain_of(layout, complete(target(f"and:{N}"))), large_of(layout, picked=False)
    take_program(judge, program, np.zeros(layout.owner.size, dtype=np.int32))
    judge.marks[:] = 7
    rank, _ = weigh_part(judge, program, (u(0),), Changes(u(1), u(0), u(1)), 5, 5)
    assert rank == 5
    assert (judge.marks == 7).all()
