"""The door to the reference implementation: `--evaluation reference` runs the literal twin of a search.

It is the same search with the same random stream, and so the same run, iteration by iteration; only slower.
"""

from __future__ import annotations

from collections.abc import Callable, Container, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import TrainingSet, complete, counted
from gatewalk.cgp.cgp_search import CgpSearch, Mutation, Selection, Ties
from gatewalk.cgp.operators import OwnMutation, OwnObserver, OwnOperator, OwnSelection, in_one_line
from gatewalk.reference import cgp, operators, tgp, waiting
from gatewalk.reference.stream import Stream
from gatewalk.search.options import Search
from gatewalk.tgp.tgp_search import TgpSearch

Arrays = dict[str, NDArray[Any]]


class Step(Protocol):
    """The counters of a twin."""

    fitness: int
    iterations: int
    elementary_steps: int


@dataclass(eq=False)
class TwinWalk:
    """A run under way, by a twin.

    step: the counters, which `generation` updates.
    generation(limit): makes one generation, of no more offspring than up to the limit.
    numbers(): the parent as integers.
    more(): arrays in which a saved run differs from the usual ones.
    improvements: (offspring, fitness) at the start and at each improvement.
    observed: what an observer has counted, by the name of its column.
    """

    stream: Stream
    step: Step
    generation: Callable[[int], object]
    numbers: Callable[[], list[int]]
    more: Callable[[], Arrays] = dict
    improvements: list[tuple[int, int]] = field(default_factory=list)
    observed: dict[str, int] = field(default_factory=dict)
    evaluation: str = "reference"

    @property
    def offspring(self) -> int:
        return self.step.iterations

    @property
    def steps(self) -> int:
        return self.step.elementary_steps

    @property
    def solved(self) -> bool:
        return self.step.fitness == 0

    @property
    def fitness(self) -> int:
        return self.step.fitness

    @property
    def program(self) -> NDArray[np.int32]:
        return np.array(self.numbers(), dtype=np.int32)

    def advance(self, limit: int) -> None:
        """Search until solved or until there were `limit` offspring."""
        while not self.solved and self.offspring < limit:
            before = self.fitness
            self.generation(limit)
            if self.fitness < before:
                self.improvements.append((self.offspring, self.fitness))

    def saved(self) -> Arrays:
        """The arrays from which the run can be continued, the same as those of a kernel's."""
        usual: Arrays = {
            "program": self.program,
            "stream": np.array(self.stream.words, dtype=np.uint64),
            "counters": np.array([self.offspring, self.steps], dtype=np.int64),
        }
        return usual | self.more()


def start(
    search: Search,
    training: TrainingSet | None,
    *,
    stream: NDArray[np.uint64],
    observer: OwnObserver | None = None,
) -> TwinWalk:
    """Begin a run with its first parent."""
    source = Stream(stream.tolist())
    if isinstance(search, TgpSearch):
        tree_rules = rules_of_trees(search, training)
        walk = _tgp_walk(tree_rules, source, next(tgp.tgp(tree_rules, source, limit=0)))
    else:
        rules = rules_of(search, training)
        first = None if search.start is None else list(search.start)
        step = next(cgp.cgp(rules, source, x=first, limit=0))
        walk = _cgp_walk(rules, source, step)
        if observer is not None:
            _watch(walk, rules, step, observer)
    walk.improvements.append((0, walk.fitness))
    return walk


def restored(search: Search, training: TrainingSet | None, arrays: Arrays) -> TwinWalk:
    """The run that `saved` gave these arrays of."""
    stream, counters = Stream(arrays["stream"].tolist()), arrays["counters"].tolist()
    if isinstance(search, TgpSearch):
        tree_rules, tree = rules_of_trees(search, training), tgp.tree_of(arrays["program"].tolist())
        return _tgp_walk(tree_rules, stream, tgp.Step(tree, tgp.fitness(tree_rules, tree), *counters))
    rules, x = rules_of(search, training), arrays["program"].tolist()
    step = cgp.Step(x, cgp.fitness(rules, x), counters[0], counters[1])
    if rules.waiting == "drawn":
        from gatewalk.cgp import waiting as kernels

        # Called for its checks: it raises InputError for counters that no search can have.
        kernels.restored(replace(search, evaluation="auto"), training, arrays)
        _, step.picks, step.until_candidate, step.skipped = counters
        step.undrawn = {ending: count for ending, count in enumerate(arrays["undrawn"].tolist()) if count}
        step.elementary_steps = waiting.elementary_steps(rules, step, stream)
    return _cgp_walk(rules, stream, step)


def _cgp_walk(rules: cgp.Rules, stream: Stream, step: cgp.Step) -> TwinWalk:
    is_drawn = rules.waiting == "drawn"
    turn = waiting.to_candidate if is_drawn else cgp.generation

    def counters() -> Arrays:
        undrawn = np.zeros(len(step.x) + 1, dtype=np.int64)
        for ending, count in step.undrawn.items():
            undrawn[ending] = count
        kept = [step.iterations, step.picks, step.until_candidate, step.skipped]
        return {"counters": np.array(kept, dtype=np.int64), "undrawn": undrawn}

    return TwinWalk(
        stream,
        step,
        lambda limit: turn(rules, step, stream, limit),
        lambda: list(step.x),
        counters if is_drawn else dict,
    )


def _watch(walk: TwinWalk, rules: cgp.Rules, step: cgp.Step, observer: OwnObserver) -> None:
    """Have the observer called after every generation of a walk."""
    generation, watch = walk.generation, _checked(observer, partial(operators.counted, observer.columns))
    walk.observed = dict.fromkeys(observer.columns, 0)

    def watched(limit: int) -> None:
        before = step.fitness
        generation(limit)
        known = {**walk.observed, **operators.told(rules, before, step)}
        walk.observed = watch(*(known[name] for name in observer.parameters))

    walk.generation = watched


def _tgp_walk(rules: tgp.Rules, stream: Stream, step: tgp.Step) -> TwinWalk:
    return TwinWalk(
        stream,
        step,
        lambda limit: tgp.generation(rules, step, stream, limit),
        lambda: list(tgp.program(step.x)),
    )


def rules_of(search: CgpSearch, training: TrainingSet | None) -> cgp.Rules:
    """The rules of the twin, with the rows of a run; None is the complete set."""
    rows = complete(search.target) if training is None else training
    inputs = np.array([unpack(words, rows.rows) for words in rows.inputs], dtype=int).T
    outputs = unpack(rows.outputs, rows.rows).T.astype(int).astype(object)
    outputs[~unpack(counted(rows), rows.rows).T] = None
    pairs = zip(inputs.tolist(), outputs.tolist(), strict=True)
    return replace(rules_without_rows(search), training=[(tuple(x), tuple(y)) for x, y in pairs])


def rules_without_rows(search: CgpSearch) -> cgp.Rules:
    """The rules of the twin without training rows, for callers that compute fitness themselves."""
    shape = search.shape
    return cgp.Rules(
        Nin=shape.inputs,
        Nout=shape.outputs,
        Nfunc=shape.nodes,
        functions=shape.gates.gates,
        k=shape.arity,
        training=(),
        strict=search.strict,
        mutation=search.mutation.name,
        strength=search.mutation.strength,
        offspring=search.offspring,
        sam_ends=search.law.sam_ends,
        waiting=search.law.waiting,
        ties=search.law.ties,
        starts=search.law.starts,
        levels_back=shape.levels_back,
        levels_over=shape.levels_over,
        rows=shape.rows,
        own_mutation=_own_mutation(search.mutation),
        own_selection=_own_selection(search.selection),
    )


def _own_mutation(mutation: Mutation) -> cgp.Mutate | None:
    return partial(operators.mutated, _checked(mutation)) if isinstance(mutation, OwnMutation) else None


def _own_selection(selection: Selection) -> cgp.Accept | None:
    if isinstance(selection, Ties):
        return partial(operators.accepted, operators.ties(selection.probability))
    return partial(operators.accepted, _checked(selection)) if isinstance(selection, OwnSelection) else None


def _checked(operator: OwnOperator, read: Callable[[Any], Any] = lambda answer: answer) -> Callable[..., Any]:
    """The function of an operator, whose answer is read; its errors say which line is wrong."""
    function = operator.frozen.function

    def call(*arguments: Any) -> Any:
        try:
            return read(function(*arguments))
        except Exception as error:
            raise in_one_line(operator, error) from None

    return call


def rules_of_trees(search: TgpSearch, training: TrainingSet | None) -> tgp.Rules:
    """The rules of the twin of tree GP, with the rows of a run; None is the complete set."""
    search.check_gates()
    rows = complete(search.trained_on) if training is None else training
    inputs = np.array([unpack(words, rows.rows) for words in rows.inputs], dtype=int).T
    outputs = unpack(rows.outputs[0], rows.rows).astype(int)
    law = search.law
    return tgp.Rules(
        inputs=search.terminals.inputs,
        functions=search.gates.gates,
        training=[(tuple(x), y) for x, y in zip(inputs.tolist(), outputs.tolist(), strict=True)],
        negated=search.terminals.negated,
        multi=search.steps == "multi",
        strict=search.strict,
        offspring=search.offspring,
        insert_at=law.insert_at,
        delete_at=law.delete_at,
        substitution=law.substitution,
        child_order=law.child_order,
        empty=law.empty,
        size_limit=law.size_limit,
        ties=law.ties,
        starts=law.starts,
    )


def operands(
    rules: cgp.Rules,
    draws: operators.Draws,
    *,
    parent: Sequence[int],
    offspring: MutableSequence[int],
    active: Container[int],
) -> tuple[operators.Program, operators.Random]:
    """The `program` and `random` of a user's mutation, with any source of draws.

    active: the active nodes of the parent, as sources. Neither they nor the genes need be known before they
    are asked for.
    """
    return operators.Program(rules, parent, offspring, active), random_of(rules, draws)


def random_of(rules: cgp.Rules, draws: operators.Draws) -> operators.Random:
    """The `random` of a user's mutation or selection, with any source of draws."""
    return operators.Random(draws, rules.genes)
