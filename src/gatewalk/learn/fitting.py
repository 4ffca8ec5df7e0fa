"""How estimators learn: examples become rows of bits, runs of CGP search for circuits, and one is chosen.

Each run of the (1+lambda) CGP keeps the fittest program of every size. The fronts of all runs are merged, and
their circuits simplified and measured.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from threading import Event, Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.tables import Words, pack
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import walk
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import Shape, decode, shape_for
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.mutations import canonical
from gatewalk.cgp.observers import UNSEEN, SizeFront, see, size_front
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.learn import coding as codes
from gatewalk.learn.coding import Coding, Shares
from gatewalk.learn.front import (
    FrontMember,
    check_choice,
    chosen,
    non_dominated,
    outputs_on,
    repaired,
    size,
    without_gates,
)
from gatewalk.learn.questions import Question, ask, parse_binarising, questions_of
from gatewalk.native.seeding import entropy_of
from gatewalk.search.scheduler import runs_on_threads, slices, threads
from gatewalk.search.seeds import cell_number

Bits = NDArray[np.bool_]
Examples = tuple[Bits, Bits]  # what circuits read and what they should answer; a column for every example
Progress = Callable[[int, int, int], None]  # called with a run, its iterations so far and its rank

CELL = cell_number("gatewalk.learn")
MOST_NODES = 2000
MOST_ROWS = 10_000_000
MOST_RUNS = 10_000
PROGRESS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Fitted:
    """What an estimator has learnt.

    questions: the inputs of circuits. choice: the member of the front that predicts. shares: those of
    `coding.shares_of` for this circuit. least: the `least_mismatches` of the training examples.
    """

    questions: tuple[Question, ...]
    coding: Coding
    front: tuple[FrontMember, ...]
    choice: FrontMember
    shares: Shares
    least: int


def fit(estimator: Any, X: Any, y: Any) -> Fitted:
    """Learn circuits with the parameters of an estimator, and set its attributes about features.

    If anything fails, or Ctrl-C is pressed, the estimator is left as it was.
    """
    before = dict(vars(estimator))
    try:
        return _fit(estimator, X, y)
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def _fit(estimator: Any, X: Any, y: Any) -> Fitted:
    how = parse_binarising(estimator.binarise)
    check_choice(estimator.choose)
    options = search_options(
        gates=estimator.gates,
        nodes=estimator.nodes,
        mutation=estimator.mutation,
        offspring=estimator.offspring,
        budget=estimator.budget,
        runs=estimator.runs,
        jobs=estimator.jobs,
    )
    table, labels, label_names = _checked(estimator, X, y)
    coding = codes.coding_of(labels, label_names)
    seed = int(check_random_state(estimator.random_state).randint(2**31 - 1))
    held_out = held_out_examples(labels, estimator.validation_fraction, seed)
    names = feature_names(estimator)
    questions = questions_of(table[~held_out], names, how)
    inputs, wanted = ask(questions, table, names), codes.encode(coding, labels)
    training = inputs[:, ~held_out], wanted[:, ~held_out]
    validation = inputs[:, held_out], wanted[:, held_out]
    input_labels = tuple(question.yes for question in questions)
    tell = _printer(options.runs, options.budget, surplus(wanted)) if estimator.verbose else None
    circuits = search(training_set(*training), input_labels, coding.labels, options, seed=seed, tell=tell)
    circuits.append(without_gates(*training, (input_labels, coding.labels)))
    front = non_dominated(_member(circuit, coding, training, validation) for circuit in circuits)
    choice = chosen(front, estimator.choose)
    shares = codes.shares_of(outputs_on(choice.circuit, training[0]), training[1])
    return Fitted(questions, coding, front, choice, shares, least_mismatches(*training))


def _checked(estimator: Any, X: Any, y: Any) -> tuple[NDArray[Any], NDArray[Any], list[str] | None]:
    """Examples and labels as arrays that passed scikit-learn's checks, and the names of several labels."""
    label_names = [str(name) for name in y.columns] if hasattr(y, "columns") else None
    table, labels = validate_data(estimator, X, y, dtype=_dtype(estimator), multi_output=True)
    if hasattr(labels, "toarray"):  # a sparse table
        labels = labels.toarray()
    check_classification_targets(labels)
    if labels.ndim == 2 and labels.shape[1] == 1:
        return table, column_or_1d(labels, warn=True), None
    return table, labels, label_names


def _dtype(estimator: Any) -> str | None:
    return None if accepts_text(estimator) else "numeric"


def accepts_text(estimator: Any) -> bool:
    """Whether columns may hold something other than numbers; never raises, whatever the parameters are."""
    return isinstance(estimator.binarise, str) and "onehot" in estimator.binarise


def feature_names(estimator: Any) -> list[str]:
    """The names of the columns; x0, x1, ... if they have none."""
    named = getattr(estimator, "feature_names_in_", None)
    if named is None:
        return [f"x{j}" for j in range(estimator.n_features_in_)]
    return [str(name) for name in named]


def answers(estimator: Any, X: Any) -> Bits:
    """The inputs that a fitted estimator's circuits read for these examples: a row for every input."""
    table = validate_data(estimator, X, dtype=_dtype(estimator), reset=False)
    return ask(estimator._fitted.questions, table, feature_names(estimator))


def held_out_examples(labels: NDArray[Any], fraction: Any, seed: int) -> NDArray[np.bool_]:
    """Which examples are held out of training: the same share of every class, rounded, but never all."""
    held_out = np.zeros(len(labels), dtype=np.bool_)
    if fraction is None:
        return held_out
    if isinstance(fraction, bool) or not isinstance(fraction, Real) or not 0 < float(fraction) < 1:
        raise InputError(f"validation_fraction is {shown(fraction)}; use None or a number between 0 and 1")
    random = np.random.default_rng([seed, 1])
    groups = (
        np.zeros(len(labels), dtype=np.int64)
        if labels.ndim == 2
        else np.unique(labels, return_inverse=True)[1]
    )
    for group in range(int(groups.max()) + 1):
        members = random.permutation(np.flatnonzero(groups == group))
        held_out[members[: min(len(members) - 1, round(float(fraction) * len(members)))]] = True
    if not held_out.any():
        raise InputError(
            f"validation_fraction {shown(fraction)} of {len(labels)} examples is none; use a larger one"
        )
    return held_out


def _member(circuit: Circuit, coding: Coding, training: Examples, validation: Examples) -> FrontMember:
    """A circuit that the search found, simplified, with its size, mismatches and accuracy."""
    simple = repaired(circuit, *training)
    outputs = outputs_on(simple, training[0])
    shares = codes.shares_of(outputs, training[1])

    def accuracy(given: Bits, wanted: Bits) -> float:
        right = predicted(coding, shares, given) == truth(coding, wanted)
        return float(right.reshape(len(right), -1).all(axis=1).mean())

    return FrontMember(
        size(simple),
        int((outputs != training[1]).sum()),
        accuracy(outputs, training[1]),
        accuracy(outputs_on(simple, validation[0]), validation[1]) if validation[0].shape[1] else None,
        simple,
    )


def predicted(coding: Coding, shares: Shares, outputs: Bits) -> NDArray[np.int64]:
    """The number of the likeliest class of every example; a column per label if there are several."""
    likeliest = [table.argmax(axis=1) for table in codes.probabilities(coding, shares, outputs)]
    several = coding.kind == "several labels"
    return np.asarray(np.column_stack(likeliest) if several else likeliest[0], dtype=np.int64)


def truth(coding: Coding, wanted: Bits) -> NDArray[np.int64]:
    """The number of the true class of every example, in the form that `predicted` has."""
    if coding.kind == "several labels":
        return wanted.T.astype(np.int64)
    return np.asarray(wanted.argmax(axis=0) if coding.kind == "one-hot" else wanted[0], dtype=np.int64)


def least_mismatches(inputs: Bits, wanted: Bits) -> int:
    """The mismatches that no circuit can avoid, because equal examples have different labels.

    On such examples a circuit can at best be right on the majority.

    >>> least_mismatches(np.array([[0, 0, 0, 1]], dtype=bool), np.array([[1, 1, 0, 0]], dtype=bool))
    1
    """
    words = np.ascontiguousarray(np.packbits(inputs, axis=0).T)
    _, group = np.unique(words, axis=0, return_inverse=True)
    group = group.ravel()
    total = np.bincount(group)
    ones = np.array([np.bincount(group, weights=row, minlength=total.size) for row in wanted], dtype=np.int64)
    return int(np.minimum(ones, total - ones).sum())


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """The options of `CircuitClassifier` about the search. nodes: None to choose by the number of outputs."""

    gates: GateSet
    nodes: int | None
    mutation: str
    offspring: int
    budget: int
    runs: int
    jobs: int


def search_options(
    *, gates: object, nodes: int | None, mutation: object, offspring: int, budget: int, runs: int, jobs: int
) -> SearchOptions:
    """Check the options one by one and collect them."""
    if not isinstance(gates, str | GateSet):
        raise InputError(f"gates is {shown(gates)}; give names such as 'and,or,not', or a gate set")
    if not isinstance(mutation, str):
        raise InputError(f"mutation is {shown(mutation)}; give text such as 'sam' or 'point:3'")
    if nodes is not None:
        whole_number("nodes", nodes, least=1, most=MOST_NODES)
    whole_number("offspring", offspring, least=1)
    whole_number("budget", budget, least=0)
    whole_number("runs", runs, least=1, most=MOST_RUNS)
    return SearchOptions(
        gates=gate_set(gates) if isinstance(gates, str) else gates,
        nodes=None if nodes is None else int(nodes),
        mutation=canonical(mutation),
        offspring=int(offspring),
        budget=int(budget),
        runs=int(runs),
        jobs=threads(jobs),
    )


def search(
    training: TrainingSet,
    input_labels: tuple[str, ...],
    output_labels: tuple[str, ...],
    options: SearchOptions,
    *,
    seed: int,
    tell: Progress | None = None,
) -> list[Circuit]:
    """Circuits of different sizes, each with fewer mismatches than all smaller ones.

    They are the fittest among all parents of the runs with this seed; the number of jobs does not change
    them. Ctrl-C ends all runs and raises KeyboardInterrupt.
    """
    outputs = len(output_labels)
    shape = shape_for(
        inputs=len(input_labels),
        outputs=outputs,
        nodes=min(MOST_NODES, 50 + 50 * outputs) if options.nodes is None else options.nodes,
        gates=options.gates,
        law=PAPER,
    )
    task = Task(
        target=target_of(input_labels, output_labels),
        training=training,
        shape=shape,
        law=PAPER,
        mutation=options.mutation,
        strict=False,
        offspring=options.offspring,
    )

    def front_of(run: int, stop: Event) -> SizeFront:
        return watched_run(task, seed=seed, run=run, limit=options.budget, stop=stop, tell=tell)

    programs = merged(shape, runs_on_threads(front_of, range(options.runs), options.jobs))
    return [
        decode(shape, genes, input_labels=input_labels, output_labels=output_labels) for genes in programs
    ]


def watched_run(
    task: Task, *, seed: int, run: int, limit: int, stop: Event | None = None, tell: Progress | None = None
) -> SizeFront:
    """Complete one run; returns the fittest program of every size among its parents."""
    front = size_front(task.shape)
    under_way = walk.start(
        task, evaluation="table", entropy=entropy_of(seed, CELL), runs=[run], limit=limit, observer=front
    )
    walk.advance(under_way, 0)
    see(front, under_way.program, np.int64(under_way.rank), np.int64(0))
    for _ in slices(under_way, stop):
        if tell:
            tell(run, under_way.offspring, under_way.rank)
    return front


def merged(shape: Shape, fronts: list[SizeFront]) -> list[NDArray[np.int64]]:
    """The programs that are fitter than all smaller ones of all runs, by growing size."""
    ranks = np.array([front.ranks for front in fronts])
    programs, least = [], UNSEEN
    for gates in range(shape.nodes + 1):
        run = int(ranks[:, gates].argmin())
        if ranks[run, gates] < least:
            least = int(ranks[run, gates])
            programs.append(fronts[run].programs[gates].astype(np.int64))
    return programs


def target_of(input_labels: tuple[str, ...], output_labels: tuple[str, ...]) -> Target:
    """A target that is known on its examples only and cannot be evaluated."""
    return Target(
        name="examples",
        inputs=len(input_labels),
        outputs=len(output_labels),
        input_labels=input_labels,
        output_labels=output_labels,
        gates=(),
        symmetric=False,
        fewest_nodes=0,
        family="examples",
        evaluate=_unknown,
    )


def _unknown(columns: Words) -> Words:
    raise ValueError("a function that is known on its examples only cannot be evaluated elsewhere")


def training_set(inputs: Bits, wanted: Bits) -> TrainingSet:
    """The training set of the search: a row for every example, repeated ones included, and two extra rows.

    The two extra rows have the same inputs and opposite outputs. So every program has exactly `surplus`
    mismatches on them and never reaches zero: a search that fits all examples still runs to the end of its
    budget and visits other programs that fit them.
    """
    if inputs.shape[1] > MOST_ROWS:
        raise InputError(f"{inputs.shape[1]:,} examples are too many; use at most {MOST_ROWS:,}")
    pair = np.repeat(inputs[:, :1], 2, axis=1)
    opposite = np.tile([False, True], (len(wanted), 1))
    return TrainingSet(
        "sample",
        inputs.shape[1] + 2,
        pack(np.hstack([inputs, pair])),
        pack(np.hstack([wanted, opposite])),
    )


def surplus(wanted: Bits) -> int:
    """The mismatches that every program has on the two extra rows."""
    return len(wanted)


def _printer(runs: int, budget: int, beyond: int) -> Progress:
    """A callback that reports the runs under way on standard error, at most once a second."""
    lock = Lock()
    last = [time.monotonic()]

    def tell(run: int, iterations: int, rank: int) -> None:
        with lock:
            if time.monotonic() - last[0] < PROGRESS_SECONDS and iterations < budget:
                return
            last[0] = time.monotonic()
            where = f"run {run + 1} of {runs}: {iterations:,} of {budget:,} iterations"
            print(f"{where}, {rank - beyond:,} mismatches", file=sys.stderr, flush=True)

    return tell
