"""Averaging over SAM's changes of inactive genes: diagonal in the eigenbasis of their walks.

SAM (Algorithm 3) picks genes uniformly until an ending gene is picked. Say `ending` genes end the
loop; picks of genes without another value do nothing. Each pick is an ending gene with the same
probability as any single inactive gene, so in continuous time, every gene ringing at rate one,
the inactive genes walk independently for an exponential time of rate `ending`, and then an ending
gene, uniform and independent of that time, changes. The mean over the time of a tensor h of the
inactive nodes' states is

    G h = ending ∫ exp(-ending t) exp(-t Σ_b N_b) h dt = ending (ending + Σ_b N_b)^-1 h

with the generators N_b of `node_states`. They act on different axes and commute, so in the product
of their eigenbases G multiplies each component by ending / (ending + Σ_b rate_b). For genes of k
values this is the eigenvalue ending / (ending + Σ_{g in S} k_g / (k_g - 1)) of a set S of
genes in deviation from their mean.

Tensors are long, so the loops over them run on threads, one per processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gatewalk.search.scheduler import mapped, threads
from gatewalk.theory.chain.sam.node_states import Axis, Floats


def on_threads(work: Callable[[slice], None], rows: int, *, alone: int = 20_000) -> None:
    """Call `work` on slices that cover all rows; on several threads if there are more than `alone` rows."""
    jobs = threads()
    if rows <= alone or jobs == 1:
        if rows:
            work(slice(0, rows))
        return
    step = -(-rows // (4 * jobs))
    parts = [slice(first, min(first + step, rows)) for first in range(0, rows, step)]
    mapped(lambda part, stop: work(part), parts, jobs=jobs)


# OpenBLAS multiplies matrices of up to this many products on one thread. Larger products are cut into such
# pieces, because our own threads are faster than those of OpenBLAS, which wait for each other at every piece.
ONE_THREAD = 262_144


def mixed(tensor: Floats, axes: Sequence[Axis], ending: int, *, transposed: bool = False) -> Floats:
    """Apply G along the leading axes of a tensor, one for each of `axes`; the last axis is left alone.

    `transposed` applies the transpose of G, which moves probabilities instead of averaging values.
    """
    return filtered(tensor, axes, lambda rates: ending / (ending + rates), transposed=transposed)


def filtered(
    tensor: Floats,
    axes: Sequence[Axis],
    factor: Callable[[Floats], Floats],
    *,
    transposed: bool = False,
) -> Floats:
    """Multiply each component in the product of the eigenbases by a function of its rate."""
    if not axes:
        return tensor
    shape = tensor.shape
    carried = shape[-1]
    for axis in axes:
        matrix = axis.from_eigen if transposed else axis.to_eigen.T
        tensor = _first_to_last(tensor.reshape(len(axis), -1), matrix)
    tensor = tensor.reshape(carried, -1)
    tensor *= factor(_rates(axes))[None, :]
    for axis in reversed(axes):
        matrix = axis.to_eigen.T if transposed else axis.from_eigen
        tensor = _last_to_first(tensor.reshape(-1, len(axis)), matrix)
    return tensor.reshape(shape)


def multiplied(tensor: Floats, matrices: Sequence[Floats]) -> Floats:
    """Multiply every axis of a tensor by a matrix."""
    shape = tensor.shape
    for matrix in reversed(matrices):
        tensor = _last_to_first(tensor.reshape(-1, len(matrix)), matrix)
    return tensor.reshape(shape)


def _first_to_last(tensor: Floats, matrix: Floats) -> Floats:
    """tensor.T @ matrix: the first axis is multiplied and comes last."""
    size, rest = tensor.shape
    result = np.empty((rest, size))

    def part(columns: slice, rows: int) -> None:
        source = tensor[:, columns].reshape(size, -1, rows).transpose(1, 2, 0)
        np.matmul(source, matrix, out=result[columns].reshape(-1, rows, size))

    _in_pieces(part, rest, size)
    return result


def _last_to_first(tensor: Floats, matrix: Floats) -> Floats:
    """matrix @ tensor.T: the last axis is multiplied and comes first."""
    rest, size = tensor.shape
    result = np.empty((size, rest))

    def part(columns: slice, rows: int) -> None:
        source = tensor[columns].reshape(-1, rows, size).transpose(0, 2, 1)
        np.matmul(matrix, source, out=result[:, columns].reshape(size, -1, rows).transpose(1, 0, 2))

    _in_pieces(part, rest, size)
    return result


def _in_pieces(part: Callable[[slice, int], None], rest: int, size: int) -> None:
    rows = min(rest, max(1, ONE_THREAD // (size * size)))
    whole = rest - rest % rows

    def pieces(numbers: slice) -> None:
        part(slice(numbers.start * rows, numbers.stop * rows), rows)

    on_threads(pieces, whole // rows, alone=64)
    if whole < rest:
        part(slice(whole, rest), rest - whole)


def _rates(axes: Sequence[Axis]) -> Floats:
    rates: Floats = np.zeros(1)
    for axis in axes:
        rates = (rates[:, None] + axis.rates[None, :]).reshape(-1)
    return rates
