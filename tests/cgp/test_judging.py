"""Every judge has every function that the loop calls, each from the most special module that defines it."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import judging
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.cgp.judges import reached, table
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of

N, NODES = 4, 8
take, load, count_active = entry(judging.take), entry(judging.load), entry(judging.count_active)


def test_every_judge_has_every_function() -> None:
    names = ("take", "load", "save", "is_active", "count_active", "weigh", "keep", "drop")
    for modules in judging._MODULES.values():
        for name in names:
            assert any(hasattr(module, name) for module in modules), (modules, name)


@pytest.mark.parametrize(
    ("gates", "judge_of"),
    [
        ("and", reached.reached_of),
        ("and,or", lambda layout: table.plain_of(layout, complete(target(f"maj:{N}")))),
    ],
)
def test_a_kernel_finds_the_functions_of_its_judge(gates: str, judge_of) -> None:
    shape = Shape(N, 1, NODES, gate_set(gates))
    layout = layout_of(shape)
    judge, program = judge_of(layout), large_of(layout, picked=False)
    random = np.random.default_rng(2)
    for _ in range(5):
        genes = (random.random(shape.length) * shape.ranges.count).astype(np.int32)
        program.genes[: genes.size] = genes
        assert take(judge, program) >= 0
        assert count_active(judge, program, load(judge)) == active_nodes(shape, genes).sum()
