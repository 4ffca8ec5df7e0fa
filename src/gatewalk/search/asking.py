"""A fitness that is computed elsewhere: `begin(..., told=True)`, then `ask` and `tell` in turn.

The steps are those of the reference implementation, so a run that is told the true fitness is the seeded run
of `evaluation="reference"`, and of every other evaluation. It is slow by nature: every offspring goes through
Python. The reference computes a generation in one call and asks for each fitness in it; that call is made
anew from the same random stream after each answer, with the answers so far, until it needs no other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, whole_number
from gatewalk.reference import cgp
from gatewalk.reference.stream import Stream
from gatewalk.search.options import Search
from gatewalk.search.session import Arrays, Session
from gatewalk.search.twins import rules_without_rows


def ask(session: Session) -> Circuit:
    """The circuit whose fitness a run needs next: of the start, then of each offspring; `tell` answers.

    session: from `begin(search, seed=..., run=..., told=True)`. The target of the search says how many inputs
        and outputs a circuit has; its values are not looked at. Without an answer the same circuit is asked
        for again.

    Here a circuit of three inputs is to be 1 if just one of them is, and every gate beyond five costs as much
    as a mismatch:

    >>> import gatewalk as gw
    >>> rows = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    >>> session = gw.begin(gw.search_for("maj:3", gates="and,xor"), seed=1, run=0, told=True)
    >>> while not session.finished:
    ...     circuit = gw.ask(session)
    ...     mismatches = sum(circuit(*row) != (sum(row) == 1) for row in rows)
    ...     gw.tell(session, mismatches + max(0, len(circuit) - 5))
    >>> run = gw.result(session)
    >>> run.solved, len(run.circuit) <= 5
    (True, True)
    """
    walk = _walk(session)
    if walk.asked is None:
        raise InputError("the run is over; there is nothing more to ask for")
    return walk.search.circuit_of(np.array(walk.asked, dtype=np.int32))


def tell(session: Session, fitness: int) -> None:
    """Answer `ask`: the fitness of the circuit, a whole number that is to become 0.

    >>> import gatewalk as gw
    >>> session = gw.begin(gw.search_for("and:2"), seed=1, run=0, told=True)
    >>> gw.tell(session, len(gw.ask(session)))
    >>> session.iterations, session.fitness
    (0, 1)
    """
    walk = _walk(session)
    whole_number("fitness", fitness, least=0, most=1 << 4096)
    if walk.asked is None:
        raise InputError("the run is over; nothing was asked for")
    walk.told.append(int(fitness))
    session.programs += 1
    _go_on(walk)
    session.seconds = time.perf_counter() - walk.began


def start(search: Search, stream: NDArray[np.uint64]) -> AskedWalk:
    """Begin a run whose fitness will be told, with the random stream of the run."""
    if not isinstance(search, CgpSearch):
        raise InputError(f"ask and tell are for algorithm cgp, not {search.algorithm}")
    if search.law.waiting == "drawn":
        raise InputError("ask and tell make every offspring; remove the option waiting=drawn")
    walk = AskedWalk(search, rules_without_rows(search), Stream(stream.tolist()))
    _go_on(walk)
    return walk


@dataclass(eq=False)
class AskedWalk:
    """A run under way whose fitness is told.

    step: the search after the last whole generation; None before the start is chosen.
    told: what was told of the programs of the generation under way, or of the starts.
    asked: the program that is asked for; None if the run is over.
    """

    search: CgpSearch
    rules: cgp.Rules
    stream: Stream
    step: cgp.Step | None = None
    told: list[int] = field(default_factory=list)
    asked: list[int] | None = None
    improvements: list[tuple[int, int]] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)
    evaluation: str = "told"

    @property
    def known(self) -> cgp.Step:
        """The step; raises `InputError` if the start has no fitness yet."""
        if self.step is None:
            raise InputError("nothing is known of this run yet: ask, and tell the fitness of its start")
        return self.step

    @property
    def offspring(self) -> int:
        return 0 if self.step is None else self.step.iterations

    @property
    def steps(self) -> int:
        return 0 if self.step is None else self.step.elementary_steps

    @property
    def solved(self) -> bool:
        return self.step is not None and self.step.fitness == 0

    @property
    def fitness(self) -> int:
        return self.known.fitness

    @property
    def program(self) -> NDArray[np.int32]:
        return np.array(self.known.x, dtype=np.int32)

    def advance(self, limit: int) -> None:
        raise InputError("the fitness of this run is told; use ask and tell instead of advance")

    def saved(self) -> Arrays:
        raise InputError("a run whose fitness is told cannot be saved; tell a new one the same again")


class _Untold(Exception):
    """The reference needs the fitness of a program that nothing was told of."""

    def __init__(self, program: list[int]) -> None:
        self.program = program


def _walk(session: Session) -> AskedWalk:
    if not isinstance(session.walk, AskedWalk):
        raise InputError("this run computes its fitness itself; begin it with told=True")
    return session.walk


def _go_on(walk: AskedWalk) -> None:
    """Make all generations that what was told is enough for, and ask for the next program."""
    while True:
        if walk.solved or (walk.step is not None and walk.offspring >= walk.search.limit):
            walk.asked = None
            return
        stream = Stream(walk.stream.words)
        try:
            step = _next(walk, stream)
        except _Untold as untold:
            walk.asked = untold.program
            return
        if walk.step is None or step.fitness < walk.step.fitness:
            walk.improvements.append((step.iterations, step.fitness))
        walk.stream, walk.step, walk.told = stream, step, []


def _next(walk: AskedWalk, stream: Stream) -> cgp.Step:
    """The next step, with what was told; raises `_Untold` where that does not suffice."""
    rules, answers = walk.rules, iter(walk.told)
    known: dict[tuple[int, ...], int] = {}

    def rank(_: cgp.Rules, program: list[int]) -> int:
        known[tuple(program)] = fitness = _answer(answers, program)
        return fitness

    if walk.step is not None:
        return cgp.generation(rules, replace(walk.step), stream, walk.search.limit, rank)
    if walk.search.start is not None:
        first = list(walk.search.start)
        return cgp.Step(first, rank(rules, first), 0, 0)
    first = cgp.first_parent(rules, stream, rank)
    return cgp.Step(first, known[tuple(first)], 0, 0)


def _answer(answers: Iterator[int], program: list[int]) -> int:
    for fitness in answers:
        return fitness
    raise _Untold(program)
