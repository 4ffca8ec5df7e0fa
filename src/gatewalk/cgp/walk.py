"""A walk through programs: runs of one search by the (1+lambda) CGP, advanced in slices.

All that changes in a walk is in arrays. Saving the run under way needs only the parent, the random stream and
the counters; everything else is computed again from them. So a run that was stopped, saved and continued,
even with another evaluation, ends exactly as one that was not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from gatewalk.boolean.tables import Words
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import loop
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.engines import Engine, choose
from gatewalk.cgp.genotype import Layout, layout_of
from gatewalk.cgp.large import Large
from gatewalk.cgp.loop import LoopState, RunArrays
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.observers import Nobody
from gatewalk.cgp.selections import OneOffspring, Rule, SeveralOffspring
from gatewalk.cgp.small import Small
from gatewalk.native.jit import uncached, without_collection

if TYPE_CHECKING:
    from gatewalk.cgp.operators import OwnObserver

Arrays = dict[str, NDArray[Any]]
Program = NDArray[np.int32]
LOG_LENGTH = 4096


@dataclass(eq=False)
class Walk:
    """Runs of one search, done one after the other.

    layout to observer: the arguments whose types the kernel is compiled for. pair: the parent and its
        offspring. rule: the selection.
    cell, course: the runs with their results, and how far they have come.
    own_observer: the observer, if a user wrote it.
    logs: pieces of the log, with rows (position, offspring, rank) for the start of a run and each
        improvement.
    """

    search: CgpSearch
    engine: Engine
    layout: Layout
    pair: Small | Large
    mutation: Any
    rule: Rule
    evaluator: Any
    observer: Any
    cell: RunArrays
    course: LoopState
    own_observer: OwnObserver | None = None
    logs: list[NDArray[np.int64]] = field(default_factory=list)

    @property
    def evaluation(self) -> str:
        return self.engine.evaluation

    @property
    def done(self) -> int:
        """The number of runs that are over."""
        return int(self.course.counters[loop.POSITION])

    @property
    def finished(self) -> bool:
        return self.done == self.size

    @property
    def size(self) -> int:
        """The number of runs."""
        return int(self.cell.runs.size)

    @property
    def is_under_way(self) -> bool:
        """Whether a run has begun and is not over."""
        return bool(self.course.counters[loop.STAGE] == loop.UNDER_WAY)

    # The properties below describe the run under way or, if there is none, the last one.

    @property
    def position(self) -> int:
        return self.done if self.is_under_way else max(0, self.done - 1)

    @property
    def offspring(self) -> int:
        return int(self.course.counters[loop.OFFSPRING])

    @property
    def steps(self) -> int:
        return int(self.course.counters[loop.STEPS])

    @property
    def solved(self) -> bool:
        return self.rank == 0

    @property
    def rank(self) -> int:
        return int(self.course.counters[loop.RANK])

    @property
    def fitness(self) -> int:
        return self.fitness_of(self.rank)

    @property
    def program(self) -> Program:
        program: Program = self.cell.programs[self.position]
        return program

    @property
    def observed(self) -> dict[str, int]:
        """What an observer that a user wrote has counted, by the name of its column."""
        position = slice(self.position, self.position + 1)
        return {name: int(values[0]) for name, values in self.observed_in(position).items()}

    def observed_in(self, positions: slice) -> dict[str, NDArray[np.int64]]:
        """The same for the runs at these positions."""
        if self.own_observer is None:
            return {}
        return dict(zip(self.own_observer.columns, self.observer.columns[positions].T.copy(), strict=True))

    @property
    def improvements(self) -> list[tuple[int, int]]:
        """(offspring, fitness) at the start of the run and at each improvement."""
        rows = [row for log in self.logs for row in log[log[:, 0] == self.position].tolist()]
        return [(offspring, self.fitness_of(rank)) for _, offspring, rank in rows]

    def fitness_of(self, rank: int) -> int:
        """The number of mismatches on the training set that a rank stands for."""
        return self.engine.fitness(self.search, rank)

    def take_log(self) -> NDArray[np.int64]:
        """Remove the log of the runs that are over and return it; that of the run under way stays."""
        rows = np.concatenate(self.logs)
        is_over = rows[:, 0] < self.done
        self.logs[:] = [rows[~is_over]]
        return rows[is_over]


def start(
    search: CgpSearch,
    training: TrainingSet | None,
    *,
    entropy: NDArray[np.uint32],
    runs: Sequence[int] | NDArray[np.uint64],
    observer: Any = None,
    own_observer: OwnObserver | None = None,
    engine: Engine | None = None,
    samples: Words | None = None,
) -> Walk:
    """A walk for these runs; the search has not begun.

    training: the rows of all runs; None is the complete set.
    entropy: the words of the seed and of the search (`gatewalk.native.seeding`).
    observer: see `observers`; None: nobody watches. own_observer: one that a user wrote, in its place.
    engine: the way to evaluate; None: the fastest one that the search allows.
    samples: for each run its rows for training and for validation (`loop.Sampled`), if runs have rows of
        their own; `training` then only tells how many rows there are.
    """
    if samples is None and training is not None and training.cares is None:
        rows = np.concatenate([training.inputs, training.outputs])
        samples = np.repeat(rows[np.newaxis, np.newaxis], len(runs), axis=0)
    engine = engine or choose(search, training, is_watched=observer is not None)
    if own_observer is not None:
        observer = own_observer.arrays(len(runs), is_symbolic=engine.evaluation == "symbolic")
    layout = layout_of(search.shape)
    numbers = np.array(runs, dtype=np.uint64)
    offspring, steps, ranks, gates, wrong = np.zeros((5, numbers.size), dtype=np.int64)
    cell = RunArrays(
        entropy,
        numbers,
        np.array(search.start or (), dtype=np.int32),
        search.starts,
        search.limit,
        offspring,
        steps,
        ranks,
        gates,
        wrong,
        np.zeros((numbers.size, search.shape.length), dtype=np.int32),
        loop.Shared() if samples is None else loop.Sampled(samples),
    )
    course = LoopState(
        np.zeros(4, dtype=np.uint64),
        np.zeros(loop.COUNTERS, dtype=np.int64),
        np.zeros((LOG_LENGTH, 3), dtype=np.int64),
    )
    walk = Walk(
        search,
        engine,
        layout,
        engine.program(layout, picked=search.law.sam_ends == "picked" and isinstance(search.mutation, Sam)),
        search.mutation.arrays(),
        _rule(search),
        engine.evaluator(search, training, layout),
        Nobody() if observer is None else observer,
        cell,
        course,
        own_observer,
    )
    with without_collection():  # compile the kernel or load it now, so that it is not timed with the search
        _advance(walk, cell._replace(runs=np.zeros(0, dtype=np.uint64)), 0)
    return walk


def _rule(search: CgpSearch) -> Rule:
    """The selection as the named tuple that kernels take."""
    if not isinstance(search.selection, str):
        return cast(Rule, search.selection.rule(search.offspring))
    kind = OneOffspring if search.offspring == 1 else SeveralOffspring
    return kind(search.strict, search.law.ties == "coin", search.offspring)


_advance_foreign = uncached(loop.advance)


def _advance(walk: Walk, cell: RunArrays, programs: int) -> int:
    parts = (walk.layout, walk.pair, walk.mutation, walk.rule, walk.evaluator, walk.observer)
    is_ours = all(type(part).__module__.startswith("gatewalk.") for part in parts)
    kernel = loop.advance if is_ours else _advance_foreign
    try:
        return int(cast(Any, kernel)(cell, walk.course, *parts, programs))
    except (NumbaError, ArithmeticError, ValueError) as error:
        from gatewalk.cgp.operators import explained

        raise explained(walk.search, error, walk.own_observer) from None


def advance(walk: Walk, programs: int) -> int:
    """Make about `programs` programs; returns how many were made.

    The start of a run counts as a program. Generations are made completely, unless the budget ends within
    one.
    """
    made = 0
    counters = walk.course.counters
    while not walk.finished:
        made += _advance(walk, walk.cell, programs - made)
        is_full = counters[loop.LOGGED] == LOG_LENGTH
        if counters[loop.LOGGED]:
            walk.logs.append(walk.course.log[: counters[loop.LOGGED]].copy())
            counters[loop.LOGGED] = 0
        if made >= programs or not is_full:
            break
    return made


def saved(walk: Walk) -> Arrays:
    """The arrays from which `resume` can continue the run under way."""
    counters = walk.course.counters[[loop.OFFSPRING, loop.STEPS]]
    return {"program": walk.program.copy(), "stream": walk.course.stream.copy(), "counters": counters}


def resume(walk: Walk, arrays: Arrays) -> None:
    """Let the first run of a new walk continue from the arrays that `saved` gave."""
    walk.course.stream[:] = arrays["stream"]
    walk.course.counters[[loop.OFFSPRING, loop.STEPS]] = arrays["counters"]
    walk.cell.programs[0] = arrays["program"]
    walk.course.counters[loop.STAGE] = loop.RESUMED
    advance(walk, 0)


def rewind(walk: Walk, arrays: Arrays) -> None:
    """Return a walk of one run to the point at which `saved` gave these arrays."""
    offspring = int(arrays["counters"][0])
    walk.logs[:] = [log[log[:, 1] <= offspring] for log in walk.logs]
    walk.course.counters[loop.POSITION] = 0
    resume(walk, arrays)
