"""What kernels read of programs: active nodes and mismatches, against their circuits."""

from __future__ import annotations

import numpy as np
import pytest
from all_programs import mismatches, programs_of
from kernels import entry

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import active_genes
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain.kernel_tables import active_set, mask_of, state_fitness, tables_of
from gatewalk.theory.chain.node_states import axes_of
from gatewalk.theory.chain.symmetries import identity_only


@pytest.mark.parametrize(("name", "gates"), [("and:3", "and"), ("xor:2", "xor,not"), ("add:1", "and,nimply")])
def test_active_nodes_and_mismatches(name: str, gates: str) -> None:
    shape = shape_of(settings(name, nodes=2, gates=gates))
    axes = axes_of(shape)
    tables = tables_of(shape, axes, identity_only(shape), complete(target(name)))
    find_active, find_fitness = entry(active_set), entry(state_fitness)
    words = np.zeros(shape.inputs + shape.nodes, dtype=np.uint64)
    for genes in programs_of(shape)[::11]:
        blocks = [genes[node * shape.block : (node + 1) * shape.block] for node in range(shape.nodes)]
        state = np.array(
            [axis.lookup[block] for axis, block in zip(axes, blocks, strict=True)], dtype=np.int64
        )
        out = np.array(genes[shape.nodes * shape.block :], dtype=np.int64)
        active = find_active(tables, state, out)
        marked = active_genes(shape, np.array(genes))
        assert active == sum(1 << node for node in range(shape.nodes) if marked[node * shape.block])
        assert find_fitness(tables, state, out, active, words) == mismatches(shape, name, genes)


def test_masks() -> None:
    assert mask_of(1) == 1
    assert mask_of(5) == 0b11111
    assert mask_of(64) == 2**64 - 1
