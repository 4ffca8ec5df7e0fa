"""Bounds on E[T] from both sides by robust value iteration over blocks of programs, for an enumerated chain.

A block is a set of programs of one level. Give every block phi one value V(phi). If V is *superharmonic*,

    1 + sum over y of P(x, y) V(y) <= V(x)    for every program x that is not optimal,

then E[T] <= V from every start; with >= it is subharmonic, and E[T] >= V. So a bound needs no linear system:
whatever V is, one pass over the programs proves it, here with a proven rounding error (`rounding`).

A good V is the best one that is constant on blocks,

    V(phi) = max (min) over x in phi of (1 + sum over phi' != phi of P(x, phi') V(phi')) / P(x leaves phi).

It is found level by level, by adding to each block the programs that violate the inequality most, until none
does by more than `SLACK`. The slack is then taken out of V: if 1 + P V - V <= e < 1 everywhere, V / (1 - e)
is superharmonic, and if it is >= -e, V / (1 + e) is subharmonic.

The first blocks are the programs of a level with the same surplus, the same number of bridges over inactive
nodes, and the same number of those whose source the inactive node is connected to (docs/theory/enclosure.md).
From the values of these blocks every program gets an estimate of its own, one step deeper; programs whose
estimates differ by a factor of at most `WIDTH` are the next blocks, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import log

import numpy as np

from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.assumptions import EITHER_SELECTION, ON_CONJUNCTIONS, ONE_START, require
from gatewalk.theory.chain.sam.chain import SamChain, build_chain, mix_transposed
from gatewalk.theory.chain.sam.moves import TIE
from gatewalk.theory.chain.sam.node_states import Floats, Ints
from gatewalk.theory.chain.sam.size import MEMORY
from gatewalk.theory.rounding import at_least, at_most, mean_over_offspring, rounded_down, rounded_up

SLACK = 0.01  # how far from harmonic, in iterations, before it is taken out
WIDTH = 1.02  # of blocks
ROUNDS = 5  # of blocks, each made of the values of those before
LARGE = 3_000_000  # beyond so many places, a level with ties has blocks of the same surplus only
NEEDS = (*ON_CONJUNCTIONS, EITHER_SELECTION, ONE_START)


@dataclass(frozen=True)
class BlockBounds:
    """lower <= E[T] <= upper from a uniform start, and how many blocks of how many classes prove it.

    upper_from_worst: E[T] is at most this from any start.
    """

    lower: float
    upper: float
    upper_from_worst: float
    blocks: int
    classes: int


def block_bounds(
    search: Search,
    *,
    width: float = WIDTH,
    memory: int | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> BlockBounds:
    """Both bounds for a search of the paper for and:N, with either selection.

    width: the factor within a block, above 1; the bounds of narrower blocks are nearer and take longer.
    memory: the most bytes that the chain may take; that of `gatewalk.theory.exact` if None.

    >>> from gatewalk import search_for
    >>> bounds = block_bounds(search_for("and:3", nodes=2))  # exactly 22.58
    >>> round(bounds.lower, 1), round(bounds.upper, 1)
    (22.1, 23.2)
    """
    require(NEEDS, search)
    if not width > 1:
        raise InputError(f"blocks need a width above 1, not {width}")
    chain = build_chain(search, memory=MEMORY if memory is None else memory, on_progress=on_progress)
    low, high, blocks = block_values(chain, width=width, on_progress=on_progress)
    lower, (upper, worst) = proven_lower(chain, low), proven_upper(chain, high)
    return BlockBounds(
        rounded_down(lower), rounded_up(upper), rounded_up(worst), blocks=blocks, classes=chain.classes
    )


def proven_upper(chain: SamChain, values: Floats) -> tuple[Fraction, Fraction]:
    """The upper bounds on E[T] that a function of the programs proves: from a uniform start, and from any.

    Raises `InputError` if it proves none.
    """
    slack = _excess(chain, values, above=True)
    if slack >= 1:
        raise InputError("these values are not superharmonic: they prove no upper bound")
    return _at_start(chain, values) / (1 - slack), Fraction(float(values.max())) / (1 - slack)


def proven_lower(chain: SamChain, values: Floats) -> Fraction:
    """The lower bound on E[T] from a uniform start that a function of the programs proves."""
    slack = _excess(chain, values, above=False)
    return _at_start(chain, values) / (1 + slack)


def _excess(chain: SamChain, values: Floats, *, above: bool) -> Fraction:
    """The greatest 1 + P V - V if `above`, else the greatest V - P V - 1, rounded up; at least 0."""
    if not ((values == 0) | (values > 1e-100) & (values < 1e100)).all():  # nothing underflows or overflows
        raise InputError("the values of a bound are 0 or between 1e-100 and 1e100")
    most = 0.0
    for level in range(len(chain.levels)):
        here = slice(chain.level_start[level], chain.level_start[level + 1])
        accepted = mean_over_offspring(chain, level, np.ones(chain.classes), solved=1.0)
        after = mean_over_offspring(chain, level, values)  # without the offspring that are refused
        if above:
            more, less = 1 + at_most(after), at_least(accepted) * values[here]
        else:
            more, less = at_most(accepted) * values[here], 1 + at_least(after)
        more, less = np.nextafter(more, np.inf), np.nextafter(less, -np.inf)
        most = max(most, float(np.nextafter(more - less, np.inf).max()))
    return Fraction(most)


def _at_start(chain: SamChain, values: Floats) -> Fraction:
    """The mean of the values over uniform programs, exactly; an optimum has 0."""
    different, block = np.unique(values, return_inverse=True)
    genotypes = np.zeros(different.size, dtype=np.int64)
    np.add.at(genotypes, block, chain.size)
    pairs = zip(different.tolist(), genotypes.tolist(), strict=True)
    return sum((Fraction(value) * count for value, count in pairs), Fraction(0)) / chain.genotypes


def block_values(
    chain: SamChain, *, width: float = WIDTH, on_progress: OnProgress = lambda share, words: None
) -> tuple[Floats, Floats, int]:
    """For every class a value that is at most, and one that is at least, E[T] from there; how many blocks.

    Both are up to `SLACK` and rounding: `proven_lower` and `proven_upper` make bounds of them.
    """
    low, high = np.zeros(chain.classes), np.zeros(chain.classes)
    alike = first_blocks(chain)
    blocks = 0
    for level in range(len(chain.levels)):
        here = slice(chain.level_start[level], chain.level_start[level + 1])
        below, above = _system(chain, level, low), _system(chain, level, high)
        places = sum(segment.places.stop - segment.places.start for segment in chain.at_level(level))
        is_large = below.has_ties and places > LARGE
        rounds = 1 if is_large else ROUNDS
        labels = _numbered(alike[here, :1] if is_large else alike[here])
        sooner, later = (system.base / system.accepted for system in (below, above))
        for number in range(rounds):
            low[here] = _best(below, labels, np.argmin, sooner)[labels]
            high[here] = _best(above, labels, np.argmax, later)[labels]
            if number < rounds - 1:
                sooner, later = _next_time(below, low[here]), _next_time(above, high[here])
                widths = np.log(sooner * later) / (2 * log(width))  # of the geometric mean
                labels = _numbered(np.floor(widths).astype(np.int64)[:, None])
            on_progress((level + (number + 1) / rounds) / len(chain.levels), "blocks")
        blocks += int(labels.max()) + 1
    return low, high, blocks


def _numbered(rows: Ints) -> Ints:
    """Equal rows get the same number, from 0 on."""
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


@dataclass(frozen=True, eq=False)
class _System:
    """The equations of a level when the values of all better programs are known.

    base: 1 + sum of P(x, y) V(y) over better y. accepted: the chance that the offspring is accepted.
    has_ties: whether it can be equally good.
    """

    chain: SamChain
    level: int
    base: Floats
    accepted: Floats
    has_ties: bool

    @property
    def first(self) -> int:
        return self.chain.level_start[self.level]

    @property
    def last(self) -> int:
        return self.chain.level_start[self.level + 1]


def _system(chain: SamChain, level: int, values: Floats) -> _System:
    first, last = chain.level_start[level], chain.level_start[level + 1]
    base = 1 + chain.mean(level, values, 0, first)
    accepted = chain.mean(level, np.ones(last), 0, last) + chain.solved(level)
    has_ties = any((segment.moves <= TIE).any() for segment in chain.at_level(level))
    return _System(chain, level, base, accepted, has_ties)


def _next_time(system: _System, values: Floats) -> Floats:
    """The expected time of a program if those at its level have these values: refusals are waited out."""
    tied = system.chain.mean(system.level, values, system.first, system.last)
    return (system.base + tied) / system.accepted


def _best(system: _System, labels: Ints, choose: Callable[[Floats], np.intp], wrong: Floats) -> Floats:
    """The values of blocks that are harmonic at the worst (`argmax`) or best (`argmin`) program of each.

    wrong: estimates by which the first programs are chosen.
    """
    count = int(labels.max()) + 1
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    sign = 1 if choose is np.argmax else -1
    values = np.zeros(count)
    rows: list[tuple[int, int, Floats]] = []  # a program, its block, and its chances to go to each block
    seen: set[int] = set()
    if not system.has_ties:
        return np.array([wrong[some[choose(wrong[some])]] for some in members])
    while True:
        worst = [int(some[choose(wrong[some])]) for some in members]
        new = [x for x in worst if x not in seen and (not rows or sign * wrong[x] > SLACK)]
        if not new:
            return values
        seen.update(new)
        rows += [(x, int(labels[x]), _row(system, labels, count, x)) for x in new]
        values = _chosen(system, rows, values, sign)
        wrong = system.accepted * (_next_time(system, values[labels]) - values[labels])


def _row(system: _System, labels: Ints, count: int, x: int) -> Floats:
    """The chances to go from program x of a level to each of its blocks."""
    number = x + system.first
    segment = next(some for some in system.chain.at_level(system.level) if number < some.classes.stop)
    one = np.zeros(segment.moves.shape[0])
    one[number - segment.classes.start] = 1.0
    after = mix_transposed(system.chain, segment, one)
    reached = np.flatnonzero(after)
    to = segment.moves[reached].astype(np.int64)
    to = np.where(to <= TIE, TIE - to, to) - system.first
    inside = (to >= 0) & (to < labels.size)
    chances = after[reached, None] * segment.probabilities
    return np.asarray(np.bincount(labels[to[inside]], chances[inside], count), dtype=np.float64)


def _chosen(system: _System, rows: list[tuple[int, int, Floats]], values: Floats, sign: int) -> Floats:
    """The values if every block has the worst, or best, of the programs listed: iteration of policies."""
    programs, blocks = np.array([x for x, _, _ in rows]), np.array([block for _, block, _ in rows])
    chances = np.array([row for _, _, row in rows])
    base, accepted = system.base[programs], system.accepted[programs]
    own = np.arange(blocks.size)
    leaving = accepted - chances[own, blocks]
    chances[own, blocks] = 0.0
    policy = np.full(values.size, -1)
    while True:
        order = np.lexsort((sign * (base + chances @ values) / leaving, blocks))
        last = np.full(values.size, -1)
        last[blocks[order]] = order
        if (last == policy).all():
            return values
        policy = last
        values = np.linalg.solve(np.diag(leaving[policy]) - chances[policy], base[policy])


def first_blocks(chain: SamChain) -> Ints:
    """For every class its surplus, its bridges, and those whose source an inactive node is connected to.

    A bridge over an inactive node j is a connection of an active node above j, or of the output, that reads a
    source below j.
    """
    n, nodes = chain.shape.inputs, chain.shape.nodes
    sources, active, out = _programs(chain)
    classes = np.arange(chain.classes)
    connected = np.zeros((n + nodes, chain.classes), dtype=np.int64)  # to which sources, as a bit set
    connected[:n] = (1 << np.arange(n))[:, None]
    for node in range(nodes):
        first, second = sources[node]
        connected[n + node] = connected[first, classes] | connected[second, classes] | 1 << n + node
    used = connected[out, classes]
    gates, level = (sum(used >> s & 1 for s in part) for part in (range(n, n + nodes), range(n)))
    bridges, useful = np.zeros(chain.classes, dtype=np.int64), np.zeros(chain.classes, dtype=np.int64)
    for node in range(nodes):
        inactive = ~active >> node & 1
        readers = [(active >> above & 1, read) for above in range(node + 1, nodes) for read in sources[above]]
        for is_active, read in [*readers, (np.ones_like(out), out)]:
            is_bridge = inactive & is_active & (read < n + node)
            bridges += is_bridge
            useful += is_bridge & connected[n + node] >> read & 1
    return np.stack([gates - level + 1, bridges, useful], axis=1)


def _programs(chain: SamChain) -> tuple[list[tuple[Ints, Ints]], Ints, Ints]:
    """Of every class the two sources of each node, the set of active nodes and the source of the output."""
    nodes, total = chain.shape.nodes, chain.shape.inputs + chain.shape.nodes
    state = np.zeros((nodes, chain.classes), dtype=np.int64)
    active, out = np.zeros(chain.classes, dtype=np.int64), np.zeros(chain.classes, dtype=np.int64)
    for segment in chain.segments:
        inactive, block = np.divmod(segment.example, segment.keys.size)
        key, out[segment.classes] = np.divmod(segment.keys[block], total)
        active[segment.classes] = segment.active
        for node in reversed(range(nodes)):
            if segment.active >> node & 1:
                key, state[node, segment.classes] = np.divmod(key, len(chain.axes[node]))
            else:
                inactive, state[node, segment.classes] = np.divmod(inactive, len(chain.axes[node]))
    pairs = [(axis.first[here], axis.second[here]) for axis, here in zip(chain.axes, state, strict=True)]
    return pairs, active, out
