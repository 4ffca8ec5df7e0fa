"""How many programs per second: the cases of `gatewalk bench` and how they are timed.

What is timed is what runs execute: a course of whole runs, from the seeds to the columns, in the very kernels
that `evolve` and campaigns call. A run that ends is followed by the next one, whose start counts too. Times
are processor times of one thread; kernels are loaded before the clock starts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from gatewalk.boolean.targets import target
from gatewalk.search.course import Course, advance_course, course_of
from gatewalk.search.session import evaluations_of
from gatewalk.search.settings import Settings, settings


@dataclass(frozen=True)
class Case:
    """A target, its number of nodes and its gates; options: others of `settings`."""

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
    """The fast evaluations that can do a case."""
    wanted = target(case.target)
    found = ["table"] if wanted.inputs <= 20 else []
    if wanted.family in ("and", "or", "xor") and case.gates == (wanted.family,):
        found.append("symbolic")
    return found


@dataclass(eq=False)
class Work:
    """A case on its way. made: programs so far, starts included."""

    course: Course
    made: int = 0
    finished: int = field(default=0, repr=False)  # programs of the runs that are over


def settings_of(case: Case, evaluation: str) -> Settings:
    """The search of a case."""
    options = dict(case.options)
    return settings(case.target, nodes=case.nodes, gates=case.gates, evaluation=evaluation, **options)


def work_of(case: Case, evaluation: str, *, seed: int = 1) -> Work:
    """Make a case ready."""
    work = Work(course_of(settings_of(case, evaluation), seed=seed, runs=range(1 << 40)))
    seconds_of(work, 100)
    return work


def seconds_of(work: Work, programs: int) -> float:
    """Make about so many programs; returns the processor time."""
    goal, started = work.made + programs, time.thread_time()
    while work.made < goal:
        done = advance_course(work.course, goal - work.made)
        if done is not None:
            work.finished += int(done.evaluations.sum())
        session = work.course.session
        under_way = evaluations_of(session.settings, session.walk.offspring) if session else 0
        work.made = work.finished + under_way
    return time.thread_time() - started


def per_second(work: Work, seconds: float) -> float:
    """Programs per second of processor time, from about that many seconds of work."""
    total, spent = 1000, 0.0
    while spent < seconds / 4:
        before = work.made
        spent = seconds_of(work, total)
        made = work.made - before
        total = int(total * min(10.0, max(2.0, seconds / max(spent, 1e-6))))
    before = work.made
    spent = seconds_of(work, max(1, int(made * seconds / spent)))
    return (work.made - before) / spent


def record(case: Case, evaluation: str, seconds: float) -> dict[str, Any]:
    """The speed of a case, with the keys of `gatewalk bench --json`."""
    wanted = target(case.target)
    return {
        "case": case.name,
        "n": wanted.inputs,
        "nodes": case.nodes,
        "gates": ",".join(case.gates),
        "evaluation": evaluation,
        "iterations_per_second": round(per_second(work_of(case, evaluation), seconds)),
    }
