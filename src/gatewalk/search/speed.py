"""How many offspring per second: the cases of `gatewalk bench` and how they are timed.

A search that ends is followed by one from a new random program, whose evaluation counts too, all in
compiled code, so that short searches are timed as well as long ones. Times are processor times of
one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.cgp import cone, cone_symbolic, cone_table, incremental, plain, symbolic
from gatewalk.cgp.blocks import copy_all
from gatewalk.cgp.core import EAGER, LOGGED, OFFSPRING, RANK, Core, core_of
from gatewalk.cgp.engines import Task, choose
from gatewalk.cgp.genotype import Genes, shape_for
from gatewalk.cgp.law import PAPER, CgpLaw
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.cgp.mutation import Mutation
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.rule import Rule, rule_of
from gatewalk.jit import Int, by_kind, outlined


@dataclass(frozen=True)
class Case:
    """A target, its number of nodes and its gates."""

    target: str
    nodes: int
    gates: tuple[str, ...] = ("and",)

    @property
    def name(self) -> str:
        return f"{self.target} D={self.nodes} {{{','.join(self.gates)}}}"


STANDARD = (
    *(Case(f"and:{n}", factor * n) for n in (5, 10, 15) for factor in (1, 3)),
    Case("parity:10", 100, ("and", "or", "nand", "nor")),
    Case("mul:3", 200, ("and", "or", "xor", "not")),
    Case("xor:10", 40, ("xor",)),
    Case("and:200", 200),
    Case("and:1000", 1000),
)


def task_of(case: Case, law: CgpLaw = PAPER) -> Task:
    """The search of a case."""
    wanted = target(case.target)
    shape = shape_for(
        inputs=wanted.inputs,
        outputs=wanted.outputs,
        nodes=case.nodes,
        gates=gate_set(case.gates),
        law=law,
    )
    return Task(
        target=wanted,
        training=None,
        shape=shape,
        law=law,
        mutation=Mutation(),
        strict=False,
        offspring=1,
    )


def evaluations_of(case: Case) -> list[str]:
    """The fast evaluations that can do a case."""
    wanted = target(case.target)
    found = ["table"] if wanted.inputs <= 20 else []
    if wanted.family in ("and", "xor") and case.gates == (wanted.family,):
        found.append("symbolic")
    return found


_KERNELS = {
    cone.Cone: cone,
    cone_symbolic.ConeSymbolic: cone_symbolic,
    cone_table.ConeTable: cone_table,
    symbolic.Symbolic: symbolic,
    incremental.Incremental: incremental,
    plain.Plain: plain,
}
_rank: Callable[[Layout, Any, Genes], Int] = by_kind({room: kernel.rank for room, kernel in _KERNELS.items()})
_advance: Callable[[Core, Layout, Rule, Any, Int], None]
_advance = by_kind({room: kernel.advance for room, kernel in _KERNELS.items()})


@outlined
def restarts(core: Core, layout: Layout, rule: Rule, room: Any, total: int) -> None:
    """So many evaluations: searches from random programs, one after the other."""
    done = 0
    while done < total:
        random_program(core.stream, layout, core.genes)
        copy_all(core.child, core.genes)
        core.counters[OFFSPRING] = 0
        core.counters[EAGER] = 0
        core.counters[RANK] = _rank(layout, room, core.genes)
        limit = total - done
        while core.counters[RANK] > 0 and core.counters[OFFSPRING] < limit:
            core.counters[LOGGED] = 0
            _advance(core, layout, rule, room, limit)
        done += core.counters[OFFSPRING] + 1


@dataclass(frozen=True, eq=False)
class Work:
    """A case on an engine, compiled and ready to be timed."""

    core: Core
    layout: Layout
    rule: Rule
    room: Any


def work_of(case: Case, evaluation: str, *, law: CgpLaw = PAPER, seed: int = 1) -> Work:
    """Make a case ready."""
    task = task_of(case, law)
    layout = layout_of(task.shape)
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64).astype(np.uint64)
    core = core_of(np.zeros(task.shape.length, dtype=np.int64), stream, np.zeros(8, dtype=np.int64))
    rule = rule_of(law, task.mutation, offspring=1, strict=False)
    work = Work(core, layout, rule, choose(task, evaluation).room(task, layout))
    seconds_of(work, 100)
    return work


def seconds_of(work: Work, total: int) -> float:
    """Do that many evaluations; returns the processor time."""
    start = time.thread_time()
    restarts(work.core, work.layout, work.rule, work.room, total)
    return time.thread_time() - start


def per_second(work: Work, seconds: float) -> float:
    """Evaluations per second of processor time, from about that many seconds of work."""
    total = 1000
    spent = seconds_of(work, total)
    while spent < seconds / 4:
        total = int(total * min(10.0, max(2.0, seconds / max(spent, 1e-6))))
        spent = seconds_of(work, total)
    total = max(1, int(total * seconds / spent))
    return total / seconds_of(work, total)


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
