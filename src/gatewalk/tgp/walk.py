"""A walk through trees: the (1+lambda) TGP on one task, advanced in slices.

All that changes in a walk is in arrays. Saving it needs only the parent, the random stream and the counters;
everything else is computed again from them. So a walk that was stopped, saved and continued, even with
another evaluation, ends exactly as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.tgp import loop
from gatewalk.tgp import tree as phenotype
from gatewalk.tgp.counts import counts_of, kind_of
from gatewalk.tgp.hvl import Steps, steps_of
from gatewalk.tgp.law import TerminalSet, TgpLaw, terminal_set, widened
from gatewalk.tgp.loop import (
    LOG_LENGTH,
    LOGGED,
    NO_LEAF,
    OFFSPRING,
    RANK,
    STEPS,
    TOO_LARGE,
    UNBORN,
    Evaluator,
    LoopState,
    Rule,
)
from gatewalk.tgp.table import NO_SPACE, Table, release_all, table_of, with_more_rows
from gatewalk.tgp.tree import LEAVES, Program, Tree, empty_tree, grown, leaves_of, load, program_of

Arrays = dict[str, NDArray[Any]]
Evaluation = Literal["table", "symbolic"]

FIRST_CAPACITY = 64  # leaves that the first arrays hold; they grow if a tree needs more


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """What is searched for, and how.

    training: rows of the target, `widened` by the inputs that `law.terminals` adds; None is the complete set.
    multi: whether an offspring takes 1 + Poisson(1) steps; otherwise it takes one.
    """

    target: Target
    training: TrainingSet | None
    gates: GateSet
    law: TgpLaw
    multi: bool
    strict: bool
    offspring: int = 1

    def __post_init__(self) -> None:
        if self.target.outputs != 1:
            raise InputError(
                f"{self.target.name} has {self.target.outputs} outputs, but trees have one; "
                "use --algorithm cgp"
            )
        for gate in self.gates.gates:
            if gate.arity != 2:
                raise InputError(f'trees need two-input gates; remove "{gate.name}"')
        if self.offspring < 1:
            raise InputError(f"a generation needs at least 1 offspring, not {self.offspring}")

    @property
    def terminals(self) -> TerminalSet:
        return terminal_set(self.law.terminals, self.target.inputs)


@dataclass(eq=False)
class Walk:
    """A search under way. improvements: (offspring, fitness) at the start and at each improvement."""

    task: Task
    evaluation: Evaluation
    steps_law: Steps
    rule: Rule
    tree: Tree
    evaluator: Evaluator
    course: LoopState
    fitness_of: Callable[[int], int]
    improvements: list[tuple[int, int]] = field(default_factory=list)

    @property
    def offspring(self) -> int:
        return int(self.course.counters[OFFSPRING])

    @property
    def steps(self) -> int:
        """The number of HVL-prime steps made."""
        return int(self.course.counters[STEPS])

    @property
    def solved(self) -> bool:
        return bool(self.course.counters[RANK] == 0)

    @property
    def fitness(self) -> int:
        return self.fitness_of(int(self.course.counters[RANK]))

    @property
    def program(self) -> Program:
        """See `gatewalk.tgp.tree.program_of`."""
        return program_of(self.tree)

    @property
    def size(self) -> int:
        """The number of leaves of the tree, one more than it has gates."""
        return int(self.tree.info[LEAVES])


def choose(task: Task, evaluation: str) -> Evaluation:
    """The evaluation asked for; `auto` is symbolic where that is exact, else by table."""
    exact = (task.training is None or task.training.kind == "complete") and kind_of(
        task.target.family, task.target.inputs, task.gates, task.law
    ) is not None
    if evaluation in ("auto", "symbolic") and exact:
        return "symbolic"
    if evaluation in ("auto", "table"):
        return "table"
    raise InputError(
        f"no {evaluation} evaluation of {task.target.name} trees with these settings; use --evaluation auto"
    )


def start(
    task: Task, *, evaluation: str = "auto", stream: NDArray[np.uint64], program: Program | None = None
) -> Walk:
    """Begin from the given program, or from the best of `law.starts` uniform leaves."""
    walk = _walk(task, choose(task, evaluation))
    if program is None:
        restart(walk, stream)
    else:
        walk.course.stream[:] = stream
        walk.course.counters[RANK] = _take(walk, program)
        walk.improvements.append((0, walk.fitness))
    return walk


def restart(walk: Walk, stream: NDArray[np.uint64], training: TrainingSet | None = None) -> None:
    """Begin a new walk in the same arrays, with another random stream, and with other rows if given."""
    if training is not None:
        walk.task = replace(walk.task, training=training)
        walk.evaluator = _table(walk.task)
    walk.course.counters[:] = 0
    walk.course.stream[:] = stream
    if isinstance(walk.evaluator, Table):
        release_all(walk.evaluator, walk.steps_law.terminals)
    walk.course.counters[RANK] = UNBORN
    _call_kernel(walk, 0)
    walk.improvements[:] = [(0, walk.fitness)]


def advance(walk: Walk, limit: int) -> None:
    """Search until solved or until there were `limit` offspring.

    With several offspring a generation, the last generation may be cut short by the limit.
    """
    counters = walk.course.counters
    while not walk.solved and walk.offspring < limit:
        status = _call_kernel(walk, limit)
        logged = walk.course.log[: counters[LOGGED]].tolist()
        walk.improvements += [(offspring, walk.fitness_of(rank)) for offspring, rank in logged]
        counters[LOGGED] = 0
        if status == NO_LEAF:
            walk.tree = grown(walk.tree)
        elif status == NO_SPACE and isinstance(walk.evaluator, Table):
            walk.evaluator = with_more_rows(walk.evaluator)


def _call_kernel(walk: Walk, limit: int) -> int:
    kernel = loop.advance_one if walk.rule.offspring == 1 else loop.advance_several
    return int(kernel(walk.tree, walk.steps_law, walk.rule, walk.evaluator, walk.course, limit))


def saved(walk: Walk) -> Arrays:
    """The arrays from which `restored` can continue the walk."""
    counters = walk.course.counters[[OFFSPRING, STEPS]]
    return {"program": walk.program, "stream": walk.course.stream.copy(), "counters": counters}


def restored(task: Task, arrays: Arrays, *, evaluation: str = "auto") -> Walk:
    """The walk that was saved."""
    walk = _walk(task, choose(task, evaluation))
    walk.course.stream[:] = arrays["stream"]
    walk.course.counters[[OFFSPRING, STEPS]] = arrays["counters"]
    walk.course.counters[RANK] = _take(walk, arrays["program"])
    return walk


def circuit_of(task: Task, program: Program, *, merge: bool = False) -> Circuit:
    """The circuit that a program of this task computes; its inputs include undesired ones."""
    target = widened(task.target, task.law.terminals)
    return phenotype.circuit(
        program,
        gates=task.gates,
        terminals=task.terminals,
        input_labels=target.input_labels,
        output_labels=target.output_labels,
        empty=task.law.empty,
        merge=merge,
    )


def _take(walk: Walk, program: Program) -> int:
    """Make a program the parent; returns its rank."""
    while walk.tree.leaf.shape[0] < leaves_of(program):
        walk.tree = empty_tree(2 * walk.tree.leaf.shape[0])
    load(walk.tree, program)
    if isinstance(walk.evaluator, Table):
        while walk.evaluator.rows.shape[0] < len(walk.task.terminals) + leaves_of(program):
            walk.evaluator = with_more_rows(walk.evaluator)
        release_all(walk.evaluator, len(walk.task.terminals))
    return int(loop.rank(walk.tree, walk.evaluator))


def _walk(task: Task, evaluation: Evaluation) -> Walk:
    terminals = task.terminals
    symbolic = evaluation == "symbolic"
    kind = kind_of(task.target.family, task.target.inputs, task.gates, task.law) if symbolic else None
    evaluator: Evaluator
    fitness_of: Callable[[int], int]
    evaluator, fitness_of = (_table(task), int) if kind is None else counts_of(kind, terminals)
    rule = Rule(
        task.law.starts,
        task.multi,
        task.offspring,
        task.strict,
        task.law.ties == "coin",
        TOO_LARGE if task.law.size_limit is None else task.law.size_limit,
    )
    course = LoopState(
        np.zeros(4, dtype=np.uint64),
        np.zeros(5, dtype=np.int64),
        np.zeros((LOG_LENGTH, 2), dtype=np.int64),
        np.zeros((4, 4), dtype=np.uint64),
    )
    return Walk(
        task,
        evaluation,
        steps_of(task.law, functions=len(task.gates), terminals=len(terminals), paths=not symbolic),
        rule,
        empty_tree(FIRST_CAPACITY),
        evaluator,
        course,
        fitness_of,
    )


def _table(task: Task) -> Table:
    training = task.training or complete(widened(task.target, task.law.terminals))
    return table_of(training, task.gates, task.terminals, task.law, nodes=FIRST_CAPACITY)
