"""A gate of up to three inputs on whole columns of packed rows, in a kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, internal

Words = NDArray[np.uint64]


@internal
def apply_gate(a: Words, b: Words, c: Words, anf: Words, arity: Int, result: Words) -> None:
    """result = gate(a, b, c), word by word, from the coefficients `anf` of the gate's algebraic normal form.

    With the normal form one loop serves all gates, without a branch for each.
    """
    k0, ka, kb, kab = anf[0], anf[1], anf[2], anf[3]
    if arity < 3:
        if k0 | ka | kb == np.uint64(0):
            for w in range(result.size):
                result[w] = a[w] & b[w] & kab
        else:
            for w in range(result.size):
                result[w] = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        return
    kc, kac, kbc, kabc = anf[4], anf[5], anf[6], anf[7]
    for w in range(result.size):
        without = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        factor = kc ^ (kac & a[w]) ^ (b[w] & (kbc ^ (kabc & a[w])))
        result[w] = without ^ (c[w] & factor)
