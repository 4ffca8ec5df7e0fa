"""Single active-gene mutation: SAM (Algorithm 3; Goldman and Punch 2013)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import STEPS, Core, change
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.new_value import new_value
from gatewalk.jit import Int, kernel
from gatewalk.stream import pick


@kernel
def sam(core: Core, layout: Layout, active: NDArray[np.uint8], picked_ends: bool) -> Int:
    """Change random genes of the child until one active in the parent has changed.

    `picked_ends`: an active gene ends the loop when picked, changed or not. Returns the number
    of touched genes; every turn of the loop counts as an elementary step.
    """
    touched: Int = 0
    genes = np.uint64(core.child.size)
    while True:
        choice, spare = pick(core.stream, genes)
        core.counters[STEPS] += 1
        gene = np.int64(choice)
        value = new_value(core.stream, layout, core.child, gene, spare)
        changed = value != core.child[gene]
        if changed:
            touched = change(core, touched, gene, value)
        if active[layout.owner[gene]] and (changed or picked_ends):
            return touched
