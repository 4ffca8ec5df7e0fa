"""How many programs per second: the cases of `gatewalk bench` and how they are timed.

A case is timed as a session of whole runs, from the seeds to the columns, in the very kernels that `evolve`
and campaigns call. A run that ends is followed by the next one, whose start counts too. Times are processor
times of one thread; kernels are loaded before the clock starts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from gatewalk.boolean.targets import family_target
from gatewalk.search.options import Search, search_for
from gatewalk.search.session import Session, advance_runs, session_of


@dataclass(frozen=True)
class Case:
    """A search to be timed: target, nodes and gates. options: further words of `search_for`."""

    target: str
    nodes: int
    gates: tuple[str, ...] = ("and",)
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        words = "".join(f" {name}={value}" for name, value in self.options)
        return f"{self.target} D={self.nodes} {{{','.join(self.gates)}}}{words}"


STANDARD = (
    *(Case(f"and:{n}", factor * n) for n in (5, 10, 15) for factor in (1, 3)),
    Case("parity:10", 100, ("and", "or", "nand", "nor")),
    Case("mul:3", 200, ("and", "or", "xor", "not")),
    Case("mul:3", 200, ("and", "or", "xor", "not"), (("offspring", 4),)),
    Case("xor:10", 40, ("xor",)),
    Case("and:200", 200),
    Case("and:1000", 1000),
)


def evaluations_for(case: Case) -> list[str]:
    """The evaluations, among table and symbolic, that are possible for a case."""
    target = family_target(case.target)
    possible = ["table"] if target.inputs <= 20 else []
    if target.family in ("and", "or", "xor") and case.gates == (target.family,):
        possible.append("symbolic")
    return possible


def search_of(case: Case, evaluation: str) -> Search:
    """The search of a case."""
    words: Any = {"evaluation": evaluation, **dict(case.options)}
    return search_for(case.target, nodes=case.nodes, gates=case.gates, **words)


def timed_session(case: Case, evaluation: str, *, seed: int = 1) -> Session:
    """A session of a case with its kernels loaded, ready to be timed."""
    session = session_of(search_of(case, evaluation), seed=seed, runs=range(1 << 40))
    seconds_of(session, 100)
    return session


def seconds_of(session: Session, programs: int) -> float:
    """Evaluate about so many more programs; returns the processor time that they took."""
    goal, started = session.programs + programs, time.thread_time()
    while session.programs < goal:
        advance_runs(session, goal - session.programs)
    return time.thread_time() - started


def per_second(session: Session, seconds: float) -> float:
    """Programs per second of processor time, measured for about so many seconds."""
    total, spent = 1000, 0.0
    while spent < seconds / 4:
        before = session.programs
        spent = seconds_of(session, total)
        evaluated = session.programs - before
        total = int(total * min(10.0, max(2.0, seconds / max(spent, 1e-6))))
    before = session.programs
    spent = seconds_of(session, max(1, int(evaluated * seconds / spent)))
    return (session.programs - before) / spent


def record(case: Case, evaluation: str, seconds: float) -> dict[str, Any]:
    """The speed of a case, with the keys of `gatewalk bench --json`."""
    target = family_target(case.target)
    return {
        "case": case.name,
        "n": target.inputs,
        "nodes": case.nodes,
        "gates": ",".join(case.gates),
        "evaluation": evaluation,
        "iterations_per_second": round(per_second(timed_session(case, evaluation), seconds)),
    }
