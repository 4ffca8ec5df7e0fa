"""How many programs per second: the cases of `gatewalk bench` and how they are timed.

A case is timed as a course of whole runs, from the seeds to the columns, in the very kernels that `evolve`
and campaigns call. A run that ends is followed by the next one, whose start counts too. Times are processor
times of one thread; kernels are loaded before the clock starts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from gatewalk.boolean.targets import family_target
from gatewalk.search.session import Course, advance_course, course_of, evaluations_of
from gatewalk.search.settings import Settings, settings


@dataclass(frozen=True)
class Case:
    """A search to be timed: target, nodes and gates. options: further options of `settings`."""

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
    wanted = family_target(case.target)
    possible = ["table"] if wanted.inputs <= 20 else []
    if wanted.family in ("and", "or", "xor") and case.gates == (wanted.family,):
        possible.append("symbolic")
    return possible


@dataclass(eq=False)
class TimedCase:
    """A case under way. programs: those evaluated so far, starts included."""

    course: Course
    programs: int = 0
    finished: int = field(default=0, repr=False)  # programs of the runs that are over


def settings_of(case: Case, evaluation: str) -> Settings:
    """The settings of a case."""
    options = dict(case.options)
    return settings(case.target, nodes=case.nodes, gates=case.gates, evaluation=evaluation, **options)


def timed_case(case: Case, evaluation: str, *, seed: int = 1) -> TimedCase:
    """A case with its kernels loaded, ready to be timed."""
    timed = TimedCase(course_of(settings_of(case, evaluation), seed=seed, runs=range(1 << 40)))
    seconds_of(timed, 100)
    return timed


def seconds_of(timed: TimedCase, programs: int) -> float:
    """Evaluate about so many more programs; returns the processor time that they took."""
    goal, started = timed.programs + programs, time.thread_time()
    while timed.programs < goal:
        done = advance_course(timed.course, goal - timed.programs)
        if done is not None:
            timed.finished += int(done.evaluations.sum())
        session = timed.course.session
        under_way = evaluations_of(session.settings, session.walk.offspring) if session else 0
        timed.programs = timed.finished + under_way
    return time.thread_time() - started


def per_second(timed: TimedCase, seconds: float) -> float:
    """Programs per second of processor time, measured for about so many seconds."""
    total, spent = 1000, 0.0
    while spent < seconds / 4:
        before = timed.programs
        spent = seconds_of(timed, total)
        evaluated = timed.programs - before
        total = int(total * min(10.0, max(2.0, seconds / max(spent, 1e-6))))
    before = timed.programs
    spent = seconds_of(timed, max(1, int(evaluated * seconds / spent)))
    return (timed.programs - before) / spent


def record(case: Case, evaluation: str, seconds: float) -> dict[str, Any]:
    """The speed of a case, with the keys of `gatewalk bench --json`."""
    wanted = family_target(case.target)
    return {
        "case": case.name,
        "n": wanted.inputs,
        "nodes": case.nodes,
        "gates": ",".join(case.gates),
        "evaluation": evaluation,
        "iterations_per_second": round(per_second(timed_case(case, evaluation), seconds)),
    }
