"""Operators of one's own: a Python function becomes a mutation or a selection of searches.

The function is compiled into the loop and runs at the speed of the operators that Gatewalk has; and it is
interpreted, by the reference implementation, as its own literal twin. Before it is registered it runs
interpreted on a few small programs, so that most mistakes are refused at once, in one line.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from gatewalk.cgp import operators
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.operators import OwnMutation, OwnObserver, OwnOperator, OwnSelection
from gatewalk.errors import InputError, shown
from gatewalk.foreign import why
from gatewalk.native.frozen import Frozen, frozen
from gatewalk.numbers import counted
from gatewalk.reference.cgp import random_program
from gatewalk.reference.operators import Program, Random, StreamDraws
from gatewalk.reference.stream import Stream

if TYPE_CHECKING:
    from gatewalk.search.options import Words

RANDOM = frozenset({"gene", "connection", "integer", "chance", "gap"})
PROGRAM = frozenset(
    {"genes", "nodes", "inputs", "outputs", "arity"}
    | {"is_function", "is_connection", "is_output", "is_active", "node", "function", "connection", "output"}
    | {"value", "parent_value", "values", "change", "set"}
)
_TRIALS = (  # the words of the searches on whose programs a mutation is tried
    {"target": "and:2", "nodes": 2},
    {"target": "mul:2", "nodes": 7},
    {"target": "maj:3", "nodes": 9, "options": {"levels_back": 3}},
)
_OFFSPRING = 20  # of each
_MOST_LINES, _MOST_DRAWS = 500_000, 20_000  # of a trial, and of an offspring in it
_SAME = ((1, 1), (7, 7), (1000, 1000))  # ranks of parent and offspring
_BETTER = ((2, 1), (9, 3), (1000, 1))
_WORSE = ((1, 2), (3, 7), (1, 1000))
_STREAMS = 50


def mutation(name: str) -> Callable[[FunctionType], OwnMutation]:
    """Make a function of `program` and `random` a mutation of searches by Cartesian GP.

    >>> import gatewalk as gw
    >>> @gw.mutation("two-genes")
    ... def two_genes(program, random):
    ...     program.change(random.gene(program), random)
    ...     program.change(random.gene(program), random)
    >>> gw.evolve("and:3", nodes=4, mutation=two_genes, evaluation="reference", seed=1).solved
    True
    """
    operators.check_name("mutation", name)

    def register(function: FunctionType) -> OwnMutation:
        made = frozen(function, methods=PROGRAM | RANDOM, parameters=("program", "random"))
        attempt("mutation", name, made, lambda: _try_mutation(made))
        own: OwnMutation = operators.registered("mutation", name, made)
        return own

    return register


def selection(name: str) -> Callable[[FunctionType], OwnSelection]:
    """Make a function of `parent`, `offspring` and `random` a selection of searches by Cartesian GP.

    The function gets the ranks of the parent and of the best offspring, the smaller the better, and returns
    whether the offspring becomes the parent. It is asked only if the offspring is not worse.

    >>> import gatewalk as gw
    >>> @gw.selection("biased-ties")
    ... def biased_ties(parent, offspring, random):
    ...     return offspring < parent or (offspring == parent and random.chance(0.3))
    >>> gw.evolve("and:3", nodes=4, selection=biased_ties, evaluation="reference", seed=1).solved
    True
    """
    operators.check_name("selection", name)

    def register(function: FunctionType) -> OwnSelection:
        made = frozen(function, methods=RANDOM, parameters=("parent", "offspring", "random"))
        check_ranks("selection", name, made, {argument.arg for argument in made.tree.args.args[:2]})
        attempt("selection", name, made, lambda: _try_selection(made))
        own: OwnSelection = operators.registered("selection", name, made)
        return own

    return register


def check_ranks(kind: str, name: str, made: Frozen, ranks: Collection[str]) -> None:
    """Refuse a function that does anything with ranks, given by name, but compare them with each other."""
    compared = {
        operand
        for node in ast.walk(made.tree)
        if isinstance(node, ast.Compare)
        for operand in (node.left, *node.comparators)
        if all(isinstance(other, ast.Name) and other.id in ranks for other in (node.left, *node.comparators))
    }
    for node in ast.walk(made.tree):
        if isinstance(node, ast.Name) and node.id in ranks and node not in compared:
            raise InputError(
                f"{kind} {name}: line {node.lineno}: ranks differ between evaluations, so they may only "
                f"be compared with each other, as in offspring < parent; {node.id} is used otherwise"
            )


def attempt(kind: str, name: str, made: Frozen, trial: Callable[[], None]) -> None:
    """Run a trial; whatever goes wrong is an `InputError` of one line."""
    try:
        with _limited(made.place):
            trial()
    except Exception as error:
        raise InputError(f"{kind} {name}: {why(error, made.place)}") from None


@contextmanager
def _limited(place: str) -> Iterator[None]:
    """Within this context, functions of a file end with an error if they do not end by themselves."""
    lines, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        if frame.f_code.co_filename != place:
            return None
        lines += event == "line"
        if lines > _MOST_LINES:
            raise InputError("it does not end")
        return trace

    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def _stream(number: int) -> Stream:
    return Stream(np.random.SeedSequence(number).generate_state(4, np.uint64).tolist())


def _try_mutation(made: Frozen) -> None:
    from gatewalk.search.options import search_for
    from gatewalk.search.twins import rules_without_rows

    for words in _TRIALS:
        search = search_for(**words)  # type: ignore[arg-type]
        assert isinstance(search, CgpSearch)
        rules, stream = rules_without_rows(search), _stream(0)
        for _ in range(_OFFSPRING):
            program = Program(rules, random_program(rules, stream))
            made.function(program, Random(StreamDraws(stream), rules.genes, most=_MOST_DRAWS))


def _try_selection(made: Frozen) -> None:
    for number in range(_STREAMS):
        for pairs in (_SAME, _BETTER, _WORSE):
            answers = set()
            for parent, offspring in pairs:
                stream = _stream(number)
                answer = made.function(parent, offspring, Random(StreamDraws(stream), 10))
                if not isinstance(answer, bool):
                    raise InputError(f"it must return True or False, not {answer!r}")
                if answer and pairs is _WORSE:
                    raise InputError(
                        f"it accepts a worse offspring (ranks {parent} and {offspring}); searches keep the "
                        "best, so a selection may accept only what is not worse"
                    )
                answers.add((answer, tuple(stream.words)))
            if len(answers) > 1:
                raise InputError(
                    "its answer depends on the ranks themselves; they differ between evaluations, so it may "
                    "only compare them, as in offspring < parent"
                )


_CHECKED = (  # the words of the searches that `check_operator` makes, one for each evaluator or nearly
    {"target": "and:4", "nodes": 8},
    {"target": "and:4", "nodes": 8, "evaluation": "table"},
    {"target": "mul:2", "nodes": 20, "gates": "and,or,xor,not"},
    {"target": "parity:4", "nodes": 25, "gates": "and,or,nand,nor", "options": {"levels_back": 9}},
    {"target": "maj:3", "nodes": 70, "gates": "and,or,not", "offspring": 4},
)


def check_operator(
    operator: OwnOperator,
    target: object = None,
    *,
    iterations: int = 200,
    runs: int = 3,
    **words: Unpack[Words],
) -> str:
    """Compare an operator or observer as it is compiled with itself interpreted, iteration by iteration.

    They must have the same program, random stream and counts after every iteration, on several targets and
    with several evaluations; the first difference raises `InputError`, as does what cannot be compiled.

    target, words: another search to compare on, as `search_for` takes it.

    >>> import gatewalk as gw
    >>> @gw.mutation("one-gene")
    ... def one_gene(program, random):
    ...     program.change(random.gene(program), random)
    >>> print(gw.check_operator(one_gene, "and:3", iterations=20, runs=1))
    one-gene: the same compiled and interpreted, for 20 iterations of 1 run
    """
    from gatewalk.search.options import search_for

    if not isinstance(operator, OwnOperator):
        raise InputError(
            f"{shown(operator)} cannot be checked; check_operator takes a function under "
            '@gatewalk.mutation("name") or @gatewalk.selection("name")'
        )
    compared = 0
    searches: Sequence[dict[str, Any]] = _CHECKED if target is None else [{"target": target, **words}]
    part: dict[str, Any] = {operator.kind: operator}
    if isinstance(operator, OwnObserver):
        part = {}
        if target is None and "level" in operator.parameters:
            searches = searches[:2]  # conjunctions
    for one in searches:
        search = search_for(**{**one, **part, "budget": iterations})
        assert isinstance(search, CgpSearch)
        for run in range(runs):
            compared += _compare(operator, search, run)
    iterated, made = counted(compared, "iteration"), counted(len(searches) * runs, "run")
    return f"{operator}: the same compiled and interpreted, for {iterated} of {made}"


def _compare(operator: OwnOperator, search: CgpSearch, run: int) -> int:
    """Compare a run of a kernel with that of the twin, and return its iterations."""
    from gatewalk.search.session import advance, begin_run, saved_arrays, session_of

    observer = operator if isinstance(operator, OwnObserver) else None
    if observer is not None:
        from gatewalk.search.own_observers import check_watchable

        check_watchable(observer, search)
    kernel = session_of(search, seed=1, runs=(run,), observer=observer)
    twin = session_of(replace(search, evaluation="reference"), seed=1, runs=(run,), observer=observer)
    begin_run(kernel)
    begin_run(twin)
    while True:
        ours, theirs = saved_arrays(kernel), saved_arrays(twin)
        is_same = all((ours[name] == theirs[name]).all() for name in ours)
        if not is_same or kernel.observed != twin.observed:
            raise InputError(
                f"{operator.kind} {operator}: compiled and interpreted differ after {twin.iterations} "
                f"iterations of {search.target.label}; whole numbers beyond 64 bits are a possible reason"
            )
        if twin.finished:
            return twin.iterations
        advance(kernel, 1)
        advance(twin, 1)
