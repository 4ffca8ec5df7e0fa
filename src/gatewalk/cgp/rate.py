"""Rate mutation: every gene gets a new value with the same probability, independently."""

from __future__ import annotations

import numpy as np

from gatewalk.cgp.core import STEPS, Core, change
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.new_value import new_value
from gatewalk.jit import Int, internal
from gatewalk.stream import next_word, unit


@internal
def rate(core: Core, layout: Layout, probability: float) -> Int:
    """Go through the child's genes in order; returns the number touched."""
    touched: Int = np.int64(0)
    for gene in range(core.child.size):
        if unit(core.stream) < probability:
            spare = next_word(core.stream) & np.uint64(0xFFFFFFFF)
            value = new_value(core.stream, layout, core.child, gene, spare)
            core.counters[STEPS] += 1
            if value != core.child[gene]:
                touched = change(core, touched, gene, value)
    return touched
