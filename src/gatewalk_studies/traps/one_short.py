"""Programs one input short of And_n at D = n - 1 nodes: the chance that one iteration reaches an optimum.

Under strict selection the (1+1) CGP* stays at such a program until it is solved, so this chance p is all
that is left to know: the rest of the run is geometric, of mean 1/p. With one gate, function genes never
change, and each effective elementary step of SAM changes one of N = 2n - 1 connection genes.

*All nodes active.* Exactly one source is read twice, and an optimum is made by pointing one of its two
readers at the missing input v: p = 1/N (1/(k_1 - 1) + 1/(k_2 - 1)), k the numbers of values of the two genes.

*One spare node w.* The active nodes form a tree, every source in it is read once, and r nodes come after w.
Exactly r + 1 of the tree's connections pass over w, from a source s before w to a reader g after it (the
output, if r = 0). An optimum is made by setting {s, v} as the sources of w and then pointing g at w, for one
of these. In the notation of `gatewalk.theory.conjunctions` with m = 2n - 2 - r values of w's connections,

    p = 1/N sum_(s, g) 1/(k_g - 1) [G(s, v) + G(v, s)],
    G(s, v) = 1/m^2 [1/(1-y) + (d_1 + d_2)/(1 - y(1+u)/2) + d_1 d_2/(1 - yu)],  y = 2/N, u = -1/(m-1),

where d_1 = m - 1 if the first connection of w reads s already and -1 if not, d_2 likewise for the second and
v. p is smallest, Theorem 4's, exactly if w is the last node and reads neither s nor v: these programs are the
traps (proofs in docs/theory/traps.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import gatewalk as gw


@dataclass(frozen=True)
class OneShort:
    """A kind of program that is one input short of And_n, with n - 1 nodes.

    after: how many nodes come after the inactive one; None if all nodes are active.
    changes: the fewest changes of inactive connections, 0 to 2, before the change of an active gene makes an
        optimum.
    leaving: the chance that one iteration makes an optimum.
    """

    n: int
    after: int | None
    changes: int
    leaving: Fraction

    @property
    def is_trap(self) -> bool:
        """Whether it is one of Theorem 4's programs."""
        return self.after == 0 and self.changes == 2


def one_short(genes: Sequence[int], n: int) -> OneShort | None:
    """What a program of n - 1 And gates needs to become a conjunction of all n inputs.

    None if the program is not exactly one input short. Genes are, as everywhere, function, connection and
    connection of each node, then the output.

    >>> start = gw.search_for("and:4", nodes=3, start="penultimate").start
    >>> kind = one_short(start, 4)
    >>> kind.is_trap, kind.leaving
    (True, Fraction(2, 17205))
    """
    nodes = n - 1
    if len(genes) != 3 * nodes + 1:
        raise gw.InputError(f"a program of {nodes} nodes has {3 * nodes + 1} genes, not {len(genes)}")
    reads = [(int(genes[3 * node + 1]), int(genes[3 * node + 2])) for node in range(nodes)]
    output = int(genes[3 * nodes])
    for reader, sources in enumerate([*reads, (output,)]):
        if min(sources) < 0 or max(sources) >= n + reader:
            raise gw.InputError(f"block {reader} of the program reads a source that is not before it")
    active, used = _in_reach(reads, output, n)
    if len(used) != n - 1:
        return None
    missing = next(source for source in range(n) if source not in used)
    if len(active) == nodes:
        return _all_active(n, reads)
    spare = next(node for node in range(nodes) if node not in active)
    return _with_spare(n, reads, output, spare, missing)


def _in_reach(reads: Sequence[tuple[int, int]], output: int, n: int) -> tuple[set[int], set[int]]:
    """The active nodes, and the inputs to which the output is connected."""
    reached = {output}
    for node in reversed(range(len(reads))):
        if n + node in reached:
            reached.update(reads[node])
    return {source - n for source in reached if source >= n}, {source for source in reached if source < n}


def _all_active(n: int, reads: Sequence[tuple[int, int]]) -> OneShort:
    """The output reads the last node, so the source that is read twice is read by nodes."""
    read = [source for pair in reads for source in pair]
    twice = next(source for source in read if read.count(source) == 2)
    readers = [node for node, pair in enumerate(reads) for source in pair if source == twice]
    chance = sum((Fraction(1, _others(n, node)) for node in readers), Fraction(0))
    return OneShort(n, None, 0, chance / (2 * n - 1))


def _with_spare(n: int, reads: Sequence[tuple[int, int]], output: int, spare: int, missing: int) -> OneShort:
    nodes = n - 1
    passing = [
        (source, reader)
        for reader, sources in enumerate([*reads, (output,)])
        for source in sources
        if reader > spare and source < n + spare
    ]
    now = reads[spare]
    chance = sum(
        (completed(n, spare, now, (source, missing)) / _others(n, reader) for source, reader in passing),
        Fraction(0),
    )
    fits = max((missing in now) + (source in now) for source, _ in passing)
    return OneShort(n, nodes - 1 - spare, 2 - fits, chance / (2 * n - 1))


def _others(n: int, reader: int) -> int:
    """How many other values a connection of a node has, or the output if the reader is n - 1."""
    return n + reader - 1


def completed(n: int, spare: int, now: tuple[int, int], after: tuple[int, int]) -> Fraction:
    """[G(s, v) + G(v, s)]: the weight of SAM's ways to set two sources, in some order, of the spare node.

    The sum over k of (2/N)^k times the chance that k changes of its connections lead from `now` to `after`.
    """
    (a, b), (source, missing) = now, after
    return _ordered(n, spare, a == source, b == missing) + _ordered(n, spare, a == missing, b == source)


@lru_cache(maxsize=4096)
def _ordered(n: int, spare: int, first_fits: bool, second_fits: bool) -> Fraction:
    """G: the weight of the ways to set both connections to given sources, which they may read already."""
    values = n + spare
    y, u = Fraction(2, 2 * n - 1), Fraction(-1, values - 1)
    d1, d2 = (values - 1 if fits else -1 for fits in (first_fits, second_fits))
    return (1 / (1 - y) + (d1 + d2) / (1 - y * (1 + u) / 2) + d1 * d2 / (1 - y * u)) / values**2
