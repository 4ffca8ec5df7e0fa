"""Averaging over SAM's changes of inactive genes: diagonal in the eigenbasis of their walks.

SAM (Algorithm 3) picks genes uniformly until an ending gene is picked. Say `ending` genes end the
loop; picks of genes without another value do nothing. Each pick is an ending gene with the same
probability as any single inactive gene, so in continuous time, every gene ringing at rate one,
the inactive genes walk independently for an exponential time of rate `ending`, and then an ending
gene, uniform and independent of that time, changes. The mean over the time of a tensor h of the
inactive nodes' states is

    G h = ending ∫ exp(-ending t) exp(-t Σ_b N_b) h dt = ending (ending + Σ_b N_b)^-1 h

with the generators N_b of `chain_axes`. They act on different axes and commute, so in the product
of their eigenbases G multiplies each component by ending / (ending + Σ_b rate_b). For genes of k
values this is the eigenvalue ending / (ending + Σ_{g in S} k_g / (k_g - 1)) of a set S of
genes in deviation from their mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatewalk.theory.chain_axes import Axis, Floats


def mixed(tensor: Floats, axes: Sequence[Axis], ending: int, *, transposed: bool = False) -> Floats:
    """G along the leading axes of a tensor, one for each of `axes`; the last axis is carried along.

    `transposed` applies the transpose of G, which moves probabilities instead of averaging values.
    """
    if not axes:
        return tensor
    shape = tensor.shape
    carried = shape[-1]
    # Each product takes the first axis away and puts it last, so after all of them blocks come first.
    for axis in axes:
        matrix = axis.from_eigen if transposed else axis.to_eigen.T
        tensor = tensor.reshape(len(axis), -1).T @ matrix
    tensor = tensor.reshape(carried, -1)
    tensor *= _damping(axes, ending)[None, :]
    # And back: the last axis is taken away and put first.
    for axis in reversed(axes):
        matrix = axis.to_eigen.T if transposed else axis.from_eigen
        tensor = matrix @ tensor.reshape(-1, len(axis)).T
    return tensor.reshape(shape)


def _damping(axes: Sequence[Axis], ending: int) -> Floats:
    rates: Floats = np.zeros(1)
    for axis in axes:
        rates = (rates[:, None] + axis.rates[None, :]).reshape(-1)
    rates += ending
    return np.divide(ending, rates, out=rates)
