"""Algorithms 1-3 of Dang, Kalkreuth and Opris (2026), literally, in plain Python.

Names follow the paper: Nin, Nout, Nfunc, K, arity k, x the parent, y the offspring, i a gene. The
places where an option of `CgpLaw` departs from the paper are marked with the option's name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import floor
from typing import NamedTuple

from gatewalk.boolean.gates import Gate
from gatewalk.reference.stream import Stream

# Rows: (assignment of the inputs, wanted outputs); None is an output that does not count on this row.
Rows = Sequence[tuple[tuple[int, ...], tuple[int | None, ...]]]
Pick = tuple[int, int]  # a gene that a mutation picked, and the value that it has from then on
Mutate = Callable[["Rules", list[int], Stream], tuple[list[int], list[Pick]]]
Accept = Callable[["Rules", int, int, Stream], bool]  # of the fitness of the parent and of the best offspring


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The space of programs and the rules of the search, as plain values (see `CgpLaw`).

    own_mutation, own_selection: operators that take the place of those of the paper (`reference.operators`).
    The selection is asked whether the best offspring, if it is not worse than the parent, is accepted.
    """

    Nin: int
    Nout: int
    Nfunc: int
    functions: tuple[Gate, ...]
    k: int
    training: Rows
    strict: bool = False
    mutation: str = "sam"
    strength: float = 0.0
    offspring: int = 1
    sam_ends: str = "changed"
    waiting: str = "walked"
    ties: str = "accept"
    starts: int = 1
    levels_back: int | None = None
    levels_over: str = "columns"
    rows: int = 1
    own_mutation: Mutate | None = None
    own_selection: Accept | None = None

    @property
    def genes(self) -> int:
        return self.Nfunc * (self.k + 1) + self.Nout


class Offspring(NamedTuple):
    """An offspring: the genes that its mutation picked, one by one, and its fitness."""

    picks: list[Pick]
    fitness: int


@dataclass
class Step:
    """The search after some iterations: the parent, its fitness, and the counters.

    made: the offspring of the last generation.
    chosen: which of them became the parent; None if none did.

    The other fields are for `gatewalk.reference.waiting`:
    picks: the elementary steps of offspring that were made.
    undrawn: for each k the skipped offspring of earlier parents with e + f = k, whose picks are not drawn
    yet.
    until_candidate: iterations to the next candidate; 0 if they are not drawn yet.
    skipped: the skipped offspring of x.
    """

    x: list[int]
    fitness: int
    iterations: int
    elementary_steps: int
    made: list[Offspring] = field(default_factory=list)
    chosen: int | None = None
    picks: int = 0
    undrawn: dict[int, int] = field(default_factory=dict)
    until_candidate: int = 0
    skipped: int = 0


def valid(s: Rules, i: int) -> list[int]:
    """The set S of Algorithm 2: what gene i may be."""
    b = i // (s.k + 1)
    j = i % (s.k + 1)
    if i >= s.Nfunc * (s.k + 1):
        return list(range(s.Nin + s.Nfunc))
    if j == 0:
        return list(range(len(s.functions)))
    column = b // s.rows
    before = s.Nin + column * s.rows
    if s.levels_back is None:
        return list(range(before))
    if s.levels_over == "sources":  # levels_over
        return list(range(max(0, before - s.levels_back), before))
    first_column = max(0, column - s.levels_back)
    return [v for v in range(before) if v < s.Nin or (v - s.Nin) // s.rows >= first_column]


def new_value(s: Rules, y: list[int], i: int, stream: Stream, spare: int) -> int:
    """NewValue(y, i), Algorithm 2."""
    S = valid(s, i)
    if len([v for v in S if v != y[i]]) >= 1:
        S = [v for v in S if v != y[i]]  # avoid the old value if possible
    return S[stream.below_from(spare, len(S))] if len(S) > 1 or S[0] != y[i] else y[i]


def active_nodes(s: Rules, x: list[int]) -> set[int]:
    """The function nodes that an output depends on, through connections that gates use."""
    active: set[int] = set()
    reached = x[s.Nfunc * (s.k + 1) :]
    while reached:
        node = reached.pop()
        if node >= s.Nin and node not in active:
            active.add(node)
            block = x[(node - s.Nin) * (s.k + 1) : (node - s.Nin + 1) * (s.k + 1)]
            reached += block[1 : 1 + s.functions[block[0]].arity]
    return active


def is_active(s: Rules, active: Container[int], i: int) -> bool:
    """IsActive(x, i), with the active nodes of x given: does gene i belong to an active node?"""
    return i >= s.Nfunc * (s.k + 1) or s.Nin + i // (s.k + 1) in active


def mutation_sam(s: Rules, x: list[int], stream: Stream) -> tuple[list[int], list[Pick]]:
    """MutationSAM(x), Algorithm 3; also returns its picks: each is an elementary step."""
    y = list(x)
    active_of_x = active_nodes(s, x)
    picks: list[Pick] = []
    active = False
    while not active:
        i, spare = stream.pick(s.genes)
        y[i] = new_value(s, y, i, stream, spare)
        ends = y[i] != x[i] or s.sam_ends == "picked"  # sam_ends
        active = is_active(s, active_of_x, i) and ends
        picks.append((i, y[i]))
    return y, picks


def mutation_point(s: Rules, x: list[int], stream: Stream) -> tuple[list[int], list[Pick]]:
    """Miller's point mutation: a fixed number of genes, drawn with replacement, get new values."""
    y = list(x)
    picks: list[Pick] = []
    for _ in range(int(s.strength)):
        i, spare = stream.pick(s.genes)
        y[i] = new_value(s, y, i, stream, spare)
        picks.append((i, y[i]))
    return y, picks


@cache
def thresholds(p: float) -> list[int]:
    """2^64 (1 - (1-p)^(k+1)) for k = 0, 1, ..., rounded down, as far as a 64-bit word tells them apart."""
    found: list[int] = []
    stays = power = 1 - Fraction(p)
    while len(found) < 4096:
        t = min(floor(2**64 * (1 - power)), 2**64 - 1)
        if found and t == found[-1]:
            break
        found.append(t)
        power *= stays
    return found


def mutation_rate(s: Rules, x: list[int], stream: Stream) -> tuple[list[int], list[Pick]]:
    """Every gene gets a new value with the same probability p.

    The number of genes left out before the next one that changes is geometric: it is at least k + 1 with
    probability (1-p)^(k+1), which is the probability that a word is not below the k-th threshold.
    """
    y = list(x)
    picks: list[Pick] = []
    i = 0
    t = thresholds(s.strength)
    while True:
        left_out = bisect_right(t, stream.word())
        i += left_out
        if i >= s.genes:
            return y, picks
        if left_out < len(t):
            y[i] = new_value(s, y, i, stream, stream.word() % 2**32)
            picks.append((i, y[i]))
            i += 1


MUTATIONS = {"sam": mutation_sam, "point": mutation_point, "rate": mutation_rate}


def outputs(s: Rules, x: list[int], assignment: tuple[int, ...]) -> tuple[int, ...]:
    """What program x computes on one row."""
    values = list(assignment)
    for b in range(s.Nfunc):
        block = x[b * (s.k + 1) : (b + 1) * (s.k + 1)]
        gate = s.functions[block[0]]
        values.append(int(gate(*(values[v] for v in block[1 : 1 + gate.arity]))))
    return tuple(values[v] for v in x[s.Nfunc * (s.k + 1) :])


def fitness(s: Rules, x: list[int]) -> int:
    """f(x): mismatched outputs over the rows of the training set; None is an output that does not count."""
    return sum(
        got != want
        for assignment, wanted in s.training
        for got, want in zip(outputs(s, x, assignment), wanted, strict=True)
        if want is not None
    )


Rank = Callable[[Rules, list[int]], int]


def random_program(s: Rules, stream: Stream) -> list[int]:
    """x ~ Unif(X)."""
    genes = []
    for i in range(s.genes):
        S = valid(s, i)
        genes.append(S[stream.below(len(S))] if len(S) > 1 else S[0])
    return genes


def first_parent(s: Rules, stream: Stream, rank: Rank | None = None) -> list[int]:
    """The start: a random program (the best of several if `starts` says so); `rank` as in `generation`."""
    best, best_fitness, equals = [], -1, 0
    for _ in range(s.starts):
        x = random_program(s, stream)
        f = fitness(s, x) if rank is None else rank(s, x)
        if best_fitness < 0 or f < best_fitness:
            best, best_fitness, equals = x, f, 1
        elif f == best_fitness and not s.strict:
            equals += 1
            if stream.below(equals) == 0:
                best = x
    return best


def cgp(s: Rules, stream: Stream, *, x: list[int] | None = None, limit: int) -> Iterator[Step]:
    """The (1+lambda) CGP, Algorithm 1 for lambda = 1: the state after the start and each generation."""
    x = first_parent(s, stream) if x is None else list(x)
    step = Step(x, fitness(s, x), 0, 0)
    yield step
    while step.fitness > 0 and step.iterations < limit:
        yield generation(s, step, stream, limit)


def generation(s: Rules, step: Step, stream: Stream, limit: int, rank: Rank | None = None) -> Step:
    """One turn of the loop, which updates `step`.

    An offspring replaces the best so far, at first the parent, if it is fitter. Among equally fit ones that
    may replace it, one is drawn uniformly. rank: the function to minimise; None is the fitness.
    """
    mutate = s.own_mutation or MUTATIONS[s.mutation]
    best, best_fitness, equals = step.x, step.fitness, 0
    step.made, step.chosen, best_made = [], None, 0
    for number in range(s.offspring):
        y, picks = mutate(s, step.x, stream)
        f = fitness(s, y) if rank is None else rank(s, y)
        step.made.append(Offspring(picks, f))
        step.iterations += 1
        step.elementary_steps += len(picks)
        if f < best_fitness:
            best, best_fitness, equals, best_made = y, f, 1, number
        elif f == best_fitness and (f < step.fitness or not s.strict):
            equals += 1
            if equals == 1 or stream.below(equals) == 0:
                best, best_made = y, number
        if f == 0 or step.iterations >= limit:
            break
    accepted = equals > 0
    if accepted and s.own_selection is not None:
        accepted = s.own_selection(s, step.fitness, best_fitness, stream)
    elif accepted and best_fitness == step.fitness and s.ties == "coin":  # ties
        accepted = stream.below(equals + 1) != 0
    if accepted:
        step.x, step.fitness, step.chosen = best, best_fitness, best_made
    return step
