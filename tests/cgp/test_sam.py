"""SAM's offspring follow Algorithm 3: chi-square against the law by enumeration, for all small n and D."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from frequencies import check_frequencies
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.core import STEPS, core_of, drop_child, mark_active
from gatewalk.cgp.genotype import Shape, shape_for
from gatewalk.cgp.law import PAPER, TINYVERSE
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.sam import sam

SAMPLES = 60_000


@numba.njit
def draw(core, layout, active, picked_ends, samples):
    drawn = np.zeros((samples, core.child.size), dtype=np.int64)
    for i in range(samples):
        touched = sam(core, layout, active, layout.block, picked_ends)
        drawn[i] = core.child
        drop_child(core, touched)
    return drawn


@pytest.mark.parametrize("law", [PAPER, TINYVERSE], ids=["paper", "tinyverse"])
@pytest.mark.parametrize(("n", "nodes"), [(n, nodes) for n in (2, 3) for nodes in (1, 2, 3)])
def test_offspring_law(n: int, nodes: int, law) -> None:
    # Four parents of different activity; chi-square at 1e-7 each, 48 tests: false alarms below 1e-5
    # over all, fixed by the seed.
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(["and"]), law=law)
    layout, chain = layout_of(shape), chain_of(shape, law)
    stream = np.array([n, nodes, 5, 7], dtype=np.uint64)
    core = core_of(np.zeros(shape.length, dtype=np.int64), stream, np.zeros(8, dtype=np.int64))
    active = np.zeros(nodes + 1, dtype=np.uint8)
    for output in sorted({0, n, n + nodes - 1, n + nodes // 2}):
        random_program(stream, layout, core.genes)
        core.genes[-1] = output
        core.child[:] = core.genes
        mark_active(layout, core.genes, active)
        drawn = draw(core, layout, active, law.sam_ends == "picked", SAMPLES)
        assert (core.child == core.genes).all()
        law_of_y = chain.offspring(tuple(core.genes.tolist()))
        assert sum(law_of_y.values()) == pytest.approx(1, abs=1e-12)
        check_frequencies(drawn, law_of_y)


def test_elementary_steps_are_geometric() -> None:
    # All three genes of the only node and the output gene are active: of 4 genes, 3 end the loop.
    shape = Shape(2, 1, 1, gate_set(["and"]))
    layout = layout_of(shape)
    genes = np.array([0, 0, 1, 2], dtype=np.int64)
    core = core_of(genes, np.array([1, 2, 3, 4], dtype=np.uint64), np.zeros(8, dtype=np.int64))
    active = np.ones(2, dtype=np.uint8)
    draw(core, layout, active, False, SAMPLES)
    mean = core.counters[STEPS] / SAMPLES
    error = np.sqrt((1 - 0.75) / 0.75**2 / SAMPLES)
    assert abs(mean - 4 / 3) < 5.5 * error  # a false alarm in 2.6e7
