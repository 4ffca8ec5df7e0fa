"""Symbolic evaluation: fitness follows from how often each terminal occurs, so a step costs O(1) for any n.

{AND} on conjunctions: let a tree conjoin i of the n desired and j of the K undesired inputs. It is true on
2^(n+K-i-j) of the 2^(n+K) rows, on 2^(K-j) of them rightly, and the target is true on 2^K. So it mismatches
on 2^(n+K-i-j) + 2^K - 2^(K-j+1) rows; for K = 0 these are 2^(n-i) - 1 (Lemma 2 of Dang, Kalkreuth and Opris
2026; Lemma 1 of Mambrini and Oliveto 2016). {OR} on disjunctions is the dual.

{XOR} on exclusive disjunctions: a tree is the parity of the inputs that occur at an odd number of leaves. If
these are not exactly the wanted ones, tree and target differ by a parity of some inputs, which is 1 on half
of the rows.

Kernels compare ranks, the positions of these numbers in ascending order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, internal
from gatewalk.tgp.tgp_search import TerminalSet, TgpSearch
from gatewalk.tgp.tree import EDITS, LEAVES, TERMINAL, Tree

DESIRED, UNDESIRED, WRONG = range(3)  # indices into `Counts.used`
_LARGEST_RANKS = 200_000_000  # the most bits of all fitness values together

Kind = Literal["conjunction", "parity"]
_KINDS: dict[tuple[str, str], Kind] = {
    ("and", "and"): "conjunction",
    ("or", "or"): "conjunction",
    ("xor", "xor"): "parity",
    ("parity", "xor"): "parity",
}
_NEUTRAL = {"and": "true", "or": "false"}


class Counts(NamedTuple):
    """The counts that decide the rank of a tree.

    leaves: the number of leaves with each terminal.
    used: how many desired and how many undesired inputs occur, and how many have the wrong parity.
    ranks: the rank for each pair (desired, undesired) of numbers used, row after row.
    """

    leaves: NDArray[np.int64]
    used: NDArray[np.int64]
    ranks: NDArray[np.int64]
    desired: int
    undesired: int
    parity: bool


@dataclass(frozen=True)
class Fitness:
    """The number of mismatches that a rank stands for.

    values: the mismatches by rank; empty for conjunctions without undesired inputs, which follow a formula.
    """

    kind: Kind
    terminals: TerminalSet
    values: tuple[int, ...]

    def __call__(self, rank: int) -> int:
        if self.kind == "parity":
            return (1 << (self.terminals.inputs - 1)) * rank
        return self.values[rank] if self.terminals.undesired else (1 << rank) - 1


def kind_of(search: TgpSearch) -> Kind | None:
    """How counts decide the fitness on the complete set; None if they do not."""
    if len(search.gates) != 1:
        return None
    gate, terminals = search.gates.names[0], search.terminals
    kind = _KINDS.get((search.target.family, gate))
    if kind is None or terminals.negated:
        return None
    if kind == "conjunction":
        if search.law.empty not in ("never", _NEUTRAL[gate]):
            return None
        states = (terminals.desired + 1) * (terminals.undesired + 1)
        if terminals.undesired and states * terminals.inputs > _LARGEST_RANKS:
            return None
    return kind


@lru_cache(maxsize=4)
def _ranked(n: int, extra: int) -> tuple[tuple[int, ...], NDArray[np.int64]]:
    """The mismatches of conjunctions in ascending order, and the rank for each (desired, undesired) used.

    The result is cached: sorting so many long numbers takes longer than many runs. Kernels only read it.
    """
    table = [
        (1 << (n + extra - i - j)) + (1 << extra) - (2 << (extra - j))
        for i in range(n + 1)
        for j in range(extra + 1)
    ]
    values = tuple(sorted(set(table)))
    position = {value: rank for rank, value in enumerate(values)}
    return values, np.array([position[value] for value in table], dtype=np.int64)


def counts_of(kind: Kind, terminals: TerminalSet) -> tuple[Counts, Fitness]:
    """The arrays to count the leaves over a terminal set, and the fitness that ranks stand for."""
    n, extra = terminals.desired, terminals.undesired
    values: tuple[int, ...] = ()
    ranks = np.arange(n, -1, -1, dtype=np.int64)
    if kind == "conjunction" and extra:
        values, ranks = _ranked(n, extra)
    counts = Counts(
        np.zeros(len(terminals), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        ranks,
        n,
        extra,
        kind == "parity",
    )
    return counts, Fitness(kind, terminals, values)


@inlined
def _apply(counts: Counts, edit: Int) -> None:
    """Count a terminal gained (t + 1) or lost (-t - 1)."""
    terminal = edit - 1 if edit > 0 else -1 - edit
    change = 1 if edit > 0 else -1
    before = counts.leaves[terminal]
    counts.leaves[terminal] = before + change
    is_desired = terminal < counts.desired
    if counts.parity:
        was_right = (before % 2 == 1) == is_desired
        counts.used[WRONG] += 1 if was_right else -1
    elif before == 0 or before + change == 0:
        counts.used[DESIRED if is_desired else UNDESIRED] += change


@inlined
def _rank(counts: Counts) -> Int:
    if counts.parity:
        return np.int64(counts.used[WRONG] > 0)
    return np.int64(counts.ranks[counts.used[DESIRED] * (counts.undesired + 1) + counts.used[UNDESIRED]])


@inlined
def count_offspring(tree: Tree, counts: Counts) -> Int:
    """Count the terminals that the offspring gained and lost; returns its rank."""
    for place in range(tree.info[EDITS]):
        _apply(counts, tree.edits[place])
    return _rank(counts)


@inlined
def uncount_offspring(tree: Tree, counts: Counts) -> None:
    """After the offspring was rejected, undo what `count_offspring` did."""
    for place in range(tree.info[EDITS] - 1, -1, -1):
        _apply(counts, -tree.edits[place])


@internal
def count_all(tree: Tree, counts: Counts) -> Int:
    """Count all leaves of the tree; returns its rank."""
    counts.leaves[:] = 0
    counts.used[DESIRED] = 0
    counts.used[UNDESIRED] = 0
    counts.used[WRONG] = counts.desired
    for leaf in range(tree.info[LEAVES]):
        _apply(counts, np.int64(tree.leaf[leaf, TERMINAL]) + 1)
    return _rank(counts)
