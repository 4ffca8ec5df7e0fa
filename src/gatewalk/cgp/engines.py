"""Engines: the ways to evaluate programs, fastest first, and for which searches each of them is exact.

An engine is asked about a search together with the training set of a run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.evaluators import affine, incremental, reached, small, small_table, table
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Large, large_of
from gatewalk.cgp.small import Small, is_small, small_of
from gatewalk.errors import InputError

ODD, EVEN = ("xor", "parity"), ("xnor", "epar")  # families that are 1 for an odd, or an even, number of ones
MOST_BITS = 1 << 34  # the most memory that an engine may take for values and observability: 2 GiB
Training = TrainingSet | None  # the rows of a run; None is the complete set
EvaluatorOf = Callable[[CgpSearch, Training, Layout], Any]


@dataclass(frozen=True)
class Engine:
    """A way to evaluate programs.

    evaluation: the value of `--evaluation` that it belongs to, "table" or "symbolic".
    program: makes the arrays that hold a program, small or large.
    applies: whether it is exact for a search on a training set.
    evaluator: makes the arrays of the evaluator that evaluates offspring.
    """

    name: str
    evaluation: str
    program: Callable[..., Small | Large]
    applies: Callable[[CgpSearch, Training], bool]
    evaluator: EvaluatorOf

    @property
    def watched(self) -> bool:
        """Whether an observer can follow it: observers read large programs only."""
        return self.program is large_of

    def fitness(self, search: CgpSearch, rank: int) -> int:
        """The number of mismatches on the training set that a rank stands for."""
        if self.evaluation == "table":
            return rank
        if is_conjunction(search, None):
            return (1 << rank) - 1  # Lemma 2: 2^(n-i) - 1 for i of n inputs
        return affine.fitness_of(search.target.inputs, rank)


@lru_cache(maxsize=4)
def _complete(target: Target) -> TrainingSet:
    return complete(target)


def training_of(search: CgpSearch, training: Training) -> TrainingSet:
    """The training set; the complete one is made here."""
    return _complete(search.target) if training is None else training


def is_conjunction(search: CgpSearch, training: Training) -> bool:
    """Whether the task is `and` from {and} on the complete set, or its dual, `or` from {or}."""
    family = search.target.family
    return training is None and family in ("and", "or") and search.gates.names == (family,)


def is_parity(search: CgpSearch, training: Training) -> bool:
    """Whether the task is a parity, or the inverse of one, from affine gates on the complete set."""
    is_complete = training is None and search.target.family in (*ODD, *EVEN)
    return is_complete and search.gates.arity == 2 and affine.is_affine(search.gates)


def is_symbolic(search: CgpSearch, training: Training) -> bool:
    """Whether programs can be evaluated without a table."""
    return is_conjunction(search, training) or is_parity(search, training)


def _symbolic_evaluator(search: CgpSearch, training: Training, layout: Layout) -> Any:
    if is_conjunction(search, training):
        return reached.reached_of(layout)
    return affine.affine_of(layout, inverted=search.target.family in EVEN)


def _small_symbolic_evaluator(search: CgpSearch, training: Training, layout: Layout) -> Any:
    if is_conjunction(search, training):
        return small.sets_of(layout)
    return small.parity_of(layout, inverted=search.target.family in EVEN)


def _small_symbolic(search: CgpSearch, training: Training) -> bool:
    return is_symbolic(search, training) and is_small(search.shape)


def _on_rows(
    evaluator_of: Callable[[Layout, TrainingSet], Any],
) -> EvaluatorOf:
    return lambda search, training, layout: evaluator_of(layout, training_of(search, training))


def _gates_read(search: CgpSearch) -> bool:
    """Whether every gate has one input or two. Only plain evaluation can handle constants and wider gates."""
    return search.gates.arity == 2 and all(gate.arity > 0 for gate in search.gates.gates)


def _row_count(search: CgpSearch, training: Training) -> int:
    return 1 << search.target.inputs if training is None else training.rows


def _in_a_word(search: CgpSearch, training: Training) -> bool:
    return is_small(search.shape) and _gates_read(search) and _row_count(search, training) <= 64


def _one_small_gate(search: CgpSearch, training: Training) -> bool:
    """Whether there is a single gate, of two inputs, and the program is small.

    With several gates searches get stuck more often, and incremental evaluation, which reuses what it knows
    about a parent, is faster.
    """
    has_one_gate = [gate.arity for gate in search.gates.gates] == [2]
    return is_small(search.shape) and has_one_gate and 128 * _row_count(search, training) <= MOST_BITS


def _incremental(search: CgpSearch, training: Training) -> bool:
    outputs = search.target.outputs
    bits = _row_count(search, training) * search.nodes * (outputs + 2)
    return _gates_read(search) and outputs <= incremental.MOST_OUTPUTS and bits <= MOST_BITS


# The first engine that applies is taken, so the fastest come first.
ENGINES = (
    Engine("small symbolic", "symbolic", small_of, _small_symbolic, _small_symbolic_evaluator),
    Engine("symbolic", "symbolic", large_of, is_symbolic, _symbolic_evaluator),
    Engine("small", "table", small_of, _in_a_word, _on_rows(small.table_of)),
    Engine("small table", "table", small_of, _one_small_gate, _on_rows(small_table.small_table_of)),
    Engine("incremental", "table", large_of, _incremental, _on_rows(incremental.incremental_of)),
    Engine("plain", "table", large_of, lambda search, training: True, _on_rows(table.plain_of)),
)


def named(name: str) -> Engine:
    """The engine of that name."""
    return next(engine for engine in ENGINES if engine.name == name)


def choose(search: CgpSearch, training: Training, *, is_watched: bool = False) -> Engine:
    """The fastest engine that the search allows and that is exact for it."""
    for engine in ENGINES:
        is_allowed = search.evaluation in (engine.evaluation, "auto") and (engine.watched or not is_watched)
        if is_allowed and engine.applies(search, training):
            return engine
    raise no_evaluation(search)


def no_evaluation(search: CgpSearch) -> InputError:
    """The error that the evaluation that was asked for is not exact for this search."""
    what = f"{search.evaluation} evaluation for {search.target.name}"
    return InputError(f"no {what} with these settings; use --evaluation auto")
