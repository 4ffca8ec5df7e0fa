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
  It keeps fitness if the target is invariant under π (the complete training set is permuted
  into itself), and it keeps the mutation law if every gene's set of valid values is: NewValue is
  uniform over the values other than the current one, and which nodes are active does not change.
- Swaps. The two connections of one node are exchanged, together with the gate if it is not
  commutative (`node_states`).
- Solved programs are one absorbing state, which no hitting time looks behind.

What the states of inactive nodes add is not lumped away but integrated out at each step: the
inactive part of an offspring is, exactly, the inactive part of the parent after a random time of
independent walks (`inactive_mixing`), so that it costs one tensor product per set of active nodes.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.theory.chain.node_states import Axis, Ints

Words = NDArray[np.uint64]


def input_symmetries(shape: Shape, inputs: Words, wanted: Words) -> Ints:
    """All permutations of the sources, identity first, under which the search looks the same.

    `inputs` and `wanted` are one word per input and per output of the complete training set.
    Row g sends source s to result[g, s]; nodes stay where they are.
    """
    n = shape.inputs
    rows = 1 << n
    columns = [_bits(word, rows) for word in inputs]
    outputs = [_bits(word, rows) for word in wanted]
    reach = _reachable_inputs(shape)
    found = []
    for order in permutations(range(n)):
        if any({order[i] for i in seen} != seen for seen in reach):
            continue
        # The row in which input order[i] has the value that input i has in row r.
        moved = sum(columns[i].astype(np.int64) << order[i] for i in range(n))
        if all(np.array_equal(column[moved], column) for column in outputs):
            found.append([*order, *range(n, n + shape.nodes)])
    return np.array(found, dtype=np.int64)


def _reachable_inputs(shape: Shape) -> list[set[int]]:
    """The sets of inputs that connection genes reach."""
    genes = range(shape.length)
    connections = [g for g in genes if shape.owner[g] == shape.nodes or g % shape.block]
    reach = {frozenset(v for v in valid_values(shape, g) if v < shape.inputs) for g in connections}
    return [set(seen) for seen in reach]


def _bits(word: np.uint64, rows: int) -> NDArray[np.uint8]:
    return np.array([int(word) >> row & 1 for row in range(rows)], dtype=np.uint8)


def identity_only(shape: Shape) -> Ints:
    """The trivial group: no input may be exchanged for another."""
    return np.arange(shape.inputs + shape.nodes, dtype=np.int64)[None, :]


def moved_states(axis: Axis, symmetries: Ints) -> Ints:
    """result[g, c]: the state of a node that symmetry g makes of state c."""
    is_read = len(axis.counts) > 2  # a gate of one input has no second connection, which stays 0
    seconds = [g[axis.second] if is_read else axis.second for g in symmetries]
    return np.stack(
        [
            axis.lookup[axis.function, g[axis.first], second]
            for g, second in zip(symmetries, seconds, strict=True)
        ]
    )
