"""A walk through trees: one run of a search by the (1+lambda) TGP, advanced in slices.

All that changes in a walk is in arrays. Saving it needs only the parent, the random stream and the counters;
everything else is computed again from them. So a walk that was stopped, saved and continued, even with
another evaluation, ends exactly as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.errors import InputError
from gatewalk.tgp import loop
from gatewalk.tgp.counts import counts_of, kind_of
from gatewalk.tgp.hvl import Steps, steps_of
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
from gatewalk.tgp.tgp_search import TgpSearch
from gatewalk.tgp.tree import LEAVES, Program, Tree, empty_tree, grown, leaves_of, load, program_of

Arrays = dict[str, NDArray[Any]]

FIRST_CAPACITY = 64  # leaves that the first arrays hold; they grow if a tree needs more


@dataclass(eq=False)
class Walk:
    """A run under way. improvements: (offspring, fitness) at the start and at each improvement."""

    search: TgpSearch
    evaluation: Literal["table", "symbolic"]
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

    def advance(self, limit: int) -> None:
        """Search until solved or until there were `limit` offspring.

        With several offspring a generation, the last generation may be cut short by the limit.
        """
        counters = self.course.counters
        while not self.solved and self.offspring < limit:
            status = _call_kernel(self, limit)
            logged = self.course.log[: counters[LOGGED]].tolist()
            self.improvements += [(offspring, self.fitness_of(rank)) for offspring, rank in logged]
            counters[LOGGED] = 0
            if status == NO_LEAF:
                self.tree = grown(self.tree)
            elif status == NO_SPACE and isinstance(self.evaluator, Table):
                self.evaluator = with_more_rows(self.evaluator)

    def saved(self) -> Arrays:
        """The arrays from which `restored` can continue the run."""
        counters = self.course.counters[[OFFSPRING, STEPS]]
        return {"program": self.program, "stream": self.course.stream.copy(), "counters": counters}


def choose(search: TgpSearch, training: TrainingSet | None) -> Literal["table", "symbolic"]:
    """The evaluation that the search asks for; `auto` is symbolic where that is exact, else by table."""
    is_exact = (training is None or training.kind == "complete") and kind_of(search) is not None
    if search.evaluation in ("auto", "symbolic") and is_exact:
        return "symbolic"
    if search.evaluation in ("auto", "table"):
        return "table"
    raise InputError(
        f"no {search.evaluation} evaluation of {search.target.name} trees with these settings; "
        "use --evaluation auto"
    )


def start(
    search: TgpSearch,
    training: TrainingSet | None,
    *,
    stream: NDArray[np.uint64],
    program: Program | None = None,
    after: Walk | None = None,
) -> Walk:
    """Begin a run from the given program, or from the best of `law.starts` uniform leaves.

    training: rows of `search.trained_on`; None is the complete set.
    after: a run of the same search that is over, whose arrays are used again.
    """
    if after is None:
        walk = _walk(search, training, choose(search, training))
    else:
        walk = after
        walk.course.counters[:] = 0
        if training is not None:
            walk.evaluator = _table(search, training)
    walk.course.stream[:] = stream
    if program is None:
        if isinstance(walk.evaluator, Table):
            release_all(walk.evaluator, len(search.terminals))
        walk.course.counters[RANK] = UNBORN
        _call_kernel(walk, 0)
    else:
        walk.course.counters[RANK] = _take(walk, program)
    walk.improvements[:] = [(0, walk.fitness)]
    return walk


def _call_kernel(walk: Walk, limit: int) -> int:
    kernel = loop.advance_one if walk.rule.offspring == 1 else loop.advance_several
    return int(kernel(walk.tree, walk.steps_law, walk.rule, walk.evaluator, walk.course, limit))


def restored(search: TgpSearch, training: TrainingSet | None, arrays: Arrays) -> Walk:
    """The run that `saved` gave these arrays of."""
    walk = _walk(search, training, choose(search, training))
    walk.course.stream[:] = arrays["stream"]
    walk.course.counters[[OFFSPRING, STEPS]] = arrays["counters"]
    walk.course.counters[RANK] = _take(walk, arrays["program"])
    return walk


def _take(walk: Walk, program: Program) -> int:
    """Make a program the parent; returns its rank."""
    while walk.tree.leaf.shape[0] < leaves_of(program):
        walk.tree = empty_tree(2 * walk.tree.leaf.shape[0])
    load(walk.tree, program)
    if isinstance(walk.evaluator, Table):
        while walk.evaluator.rows.shape[0] < len(walk.search.terminals) + leaves_of(program):
            walk.evaluator = with_more_rows(walk.evaluator)
        release_all(walk.evaluator, len(walk.search.terminals))
    return int(loop.rank(walk.tree, walk.evaluator))


def _walk(search: TgpSearch, training: TrainingSet | None, evaluation: Literal["table", "symbolic"]) -> Walk:
    search.check_gates()
    law, kind = search.law, kind_of(search) if evaluation == "symbolic" else None
    evaluator: Evaluator
    fitness_of: Callable[[int], int]
    evaluator, fitness_of = (
        (_table(search, training), int) if kind is None else counts_of(kind, search.terminals)
    )
    rule = Rule(
        law.starts,
        search.steps == "multi",
        search.offspring,
        search.strict,
        law.ties == "coin",
        TOO_LARGE if law.size_limit is None else law.size_limit,
    )
    course = LoopState(
        np.zeros(4, dtype=np.uint64),
        np.zeros(5, dtype=np.int64),
        np.zeros((LOG_LENGTH, 2), dtype=np.int64),
        np.zeros((4, 4), dtype=np.uint64),
    )
    steps = steps_of(
        law, functions=len(search.gates), terminals=len(search.terminals), paths=evaluation == "table"
    )
    return Walk(search, evaluation, steps, rule, empty_tree(FIRST_CAPACITY), evaluator, course, fitness_of)


def _table(search: TgpSearch, training: TrainingSet | None) -> Table:
    rows = complete(search.trained_on) if training is None else training
    return table_of(rows, search.gates, search.terminals, search.law, nodes=FIRST_CAPACITY)
