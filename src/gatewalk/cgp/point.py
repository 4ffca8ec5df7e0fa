"""Miller's point mutation: a fixed number of genes, drawn with replacement, get new values (Miller 1999)."""

from __future__ import annotations

import numpy as np

from gatewalk.cgp.core import STEPS, Core, change
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.new_value import new_value
from gatewalk.jit import Int, internal
from gatewalk.stream import pick


@internal
def point(core: Core, layout: Layout, points: Int) -> Int:
    """Draw `points` genes of the child and give each a new value; returns the number touched."""
    touched: Int = np.int64(0)
    for _ in range(points):
        choice, spare = pick(core.stream, np.uint64(core.child.size))
        gene = np.int64(choice)
        value = new_value(core.stream, layout, core.child, gene, spare)
        if value != core.child[gene]:
            touched = change(core, touched, gene, value)
    core.counters[STEPS] += points
    return touched
