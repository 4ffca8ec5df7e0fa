"""Which genotypes the chain may treat as one: the symmetries of a search, and why lumping is exact.

Let H be a group of permutations of the genotypes. If every h in H keeps fitness and the mutation
law, f(hx) = f(x) and P(hx → hy) = P(x → y), then selection, which looks at fitness only, keeps
them too, so the search is a Markov chain whose transition matrix commutes with H. For orbits
[x], [y] the probability Σ_{y' in [y]} P(x → y') is then the same for every x' = hx in [x], because
Σ_{y'} P(hx → y') = Σ_{y'} P(x → h^-1 y') and h^-1 permutes [y]. This is Kemeny and Snell's
criterion (1960, section 6.3): the orbits are a Markov chain, and hitting times from x and from
[x] have the same distribution. Nothing is approximated.

Three kinds of symmetry are used, and they generate H.

- Inputs. A permutation π of the inputs acts on every connection gene that points to an input.
  It keeps fitness if the training set, its rows with the outputs wanted, is permuted into itself as
  a multi-set; the complete set is if the target is invariant under π. It keeps the mutation law if
  every gene's set of valid values is kept: NewValue is uniform over the values other than the
  current one, and which nodes are active does not change.
- Swaps. The two connections of one node are exchanged, together with the gate if it is not
  commutative (`node_states`).
- Solved programs are one absorbing state, which no hitting time looks behind.

What the states of inactive nodes add is not lumped away but integrated out at each step: the
inactive part of an offspring is, exactly, the inactive part of the parent after a random time of
independent walks (`mixing`), so that it costs one tensor product per set of active nodes.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.theory.chain.sam.node_states import Axis, Ints

Words = NDArray[np.uint64]


def input_symmetries(shape: Shape, training: TrainingSet) -> Ints:
    """All permutations of the sources that are symmetries of the search, the identity first.

    Row g sends source s to result[g, s]; nodes stay where they are.
    """
    n = shape.inputs
    columns = unpack(training.inputs, training.rows).astype(np.int64)
    right = unpack(training.outputs, training.rows).astype(np.int64)
    outputs = sum(column << n + o for o, column in enumerate(right))
    before = np.sort(outputs + sum(column << i for i, column in enumerate(columns)))
    reach = _reachable_inputs(shape)
    symmetries = []
    for order in permutations(range(n)):
        if any({order[i] for i in seen} != seen for seen in reach):
            continue
        # The set with input order[i] as input i has the same rows with the same outputs.
        moved = np.sort(outputs + sum(columns[i] << order[i] for i in range(n)))
        if np.array_equal(moved, before):
            symmetries.append([*order, *range(n, n + shape.nodes)])
    return np.array(symmetries, dtype=np.int64)


def _reachable_inputs(shape: Shape) -> list[set[int]]:
    """The sets of inputs that connection genes reach."""
    genes = range(shape.length)
    connections = [g for g in genes if shape.owner[g] == shape.nodes or g % shape.block]
    reach = {frozenset(v for v in valid_values(shape, g) if v < shape.inputs) for g in connections}
    return [set(seen) for seen in reach]


def identity_only(shape: Shape) -> Ints:
    """The trivial group: no input may be exchanged for another."""
    return np.arange(shape.inputs + shape.nodes, dtype=np.int64)[None, :]


def moved_states(axis: Axis, symmetries: Ints) -> Ints:
    """result[g, c]: the state of a node that symmetry g makes of state c."""
    is_read = len(axis.counts) > 2  # gates of one input have no second connection; its gene stays 0
    seconds = [g[axis.second] if is_read else axis.second for g in symmetries]
    return np.stack(
        [
            axis.lookup[axis.function, g[axis.first], second]
            for g, second in zip(symmetries, seconds, strict=True)
        ]
    )
