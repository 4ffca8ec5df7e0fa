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
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.tables import Words, pack
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import Sample, TrainingSet
from gatewalk.cgp import walk
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.observers import UNSEEN, SizeFront, see, size_front
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.learn import coding as codes
from gatewalk.learn.coding import Bits, Coding, Shares
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
from gatewalk.search.reading import read_gates, read_mutation
from gatewalk.search.scheduler import OnProgress, Slice, Stop, mapped, threads
from gatewalk.search.seeds import cell_number

Examples = tuple[Bits, Bits]  # what circuits read and what they should answer; a column for every example

CELL = cell_number("gatewalk.learn")
MOST_NODES = 2000
MOST_ROWS = 10_000_000
MOST_RUNS = 10_000
PROGRESS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Fitted:
    """What an estimator has learnt.

    questions: the inputs of circuits.
    choice: the member of the front that predicts.
    shares: those of `coding.shares_of` for this circuit.
    least: the `least_mismatches` of the training examples.
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
    whole_number("runs", estimator.runs, least=1, most=MOST_RUNS)
    jobs = threads(estimator.jobs)
    table, labels, label_names = _checked(estimator, X, y)
    coding = codes.coding_of(labels, label_names)
    seed = int(check_random_state(estimator.random_state).randint(2**31 - 1))
    held_out = held_out_examples(labels, estimator.validation_fraction, seed)
    names = feature_names(estimator)
    questions = questions_of(table[~held_out], names, how)
    inputs, correct = ask(questions, table, names), codes.encode(coding, labels)
    training = inputs[:, ~held_out], correct[:, ~held_out]
    validation = inputs[:, held_out], correct[:, held_out]
    target = target_of(tuple(question.yes for question in questions), coding.labels)
    rows = training_set(*training)
    callbacks = _printers() if estimator.verbose else {}
    circuits = search_circuits(
        search_of(estimator, target, rows.rows),
        rows,
        seed=seed,
        runs=int(estimator.runs),
        jobs=jobs,
        **callbacks,
    )
    circuits.append(without_gates(*training, (target.input_labels, target.output_labels)))
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

    def accuracy(given: Bits, correct: Bits) -> float:
        right = predicted(coding, shares, given) == truth(coding, correct)
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


def truth(coding: Coding, correct: Bits) -> NDArray[np.int64]:
    """The number of the true class of every example, in the form that `predicted` has."""
    if coding.kind == "several labels":
        return correct.T.astype(np.int64)
    return np.asarray(correct.argmax(axis=0) if coding.kind == "one-hot" else correct[0], dtype=np.int64)


def least_mismatches(inputs: Bits, correct: Bits) -> int:
    """The mismatches that no circuit can avoid, because equal examples have different labels.

    On such examples a circuit can at best be right on the majority.

    >>> least_mismatches(np.array([[0, 0, 0, 1]], dtype=bool), np.array([[1, 1, 0, 0]], dtype=bool))
    1
    """
    words = np.ascontiguousarray(np.packbits(inputs, axis=0).T)
    _, group = np.unique(words, axis=0, return_inverse=True)
    group = group.ravel()
    total = np.bincount(group)
    ones = np.array(
        [np.bincount(group, weights=row, minlength=total.size) for row in correct], dtype=np.int64
    )
    return int(np.minimum(ones, total - ones).sum())


def search_of(estimator: Any, target: Target, rows: int) -> CgpSearch:
    """The search that the parameters of an estimator describe.

    nodes: None chooses them by the number of outputs.
    """
    nodes, gates = estimator.nodes, estimator.gates
    if nodes is None:
        nodes = min(MOST_NODES, 50 + 50 * target.outputs)
    whole_number("nodes", nodes, least=1, most=MOST_NODES)
    whole_number("offspring", estimator.offspring, least=1)
    whole_number("budget", estimator.budget, least=0)
    if not isinstance(gates, str | GateSet):
        raise InputError(f"gates is {shown(gates)}; give names such as 'and,or,not', or a gate set")
    values: dict[str, Any] = {"target": target, "nodes": int(nodes)}
    values["gates"] = read_gates(gates, values)
    return CgpSearch(
        **values,
        mutation=read_mutation(estimator.mutation, values),
        offspring=int(estimator.offspring),
        training=Sample(rows),
        budget=int(estimator.budget),
        evaluation="table",
    )


def search_circuits(
    search: CgpSearch,
    training: TrainingSet,
    *,
    seed: int,
    runs: int,
    jobs: int = 1,
    on_done: Callable[[str], None] = lambda words: None,
    on_progress: OnProgress = lambda share, words: None,
) -> list[Circuit]:
    """Circuits of different sizes, each with fewer mismatches than all smaller ones.

    They are the fittest among all parents of the runs with this seed; the number of jobs does not change
    them. Ctrl-C ends all runs and raises KeyboardInterrupt.

    on_done: called with words about every run that is over.
    """
    states: dict[int, tuple[int, int]] = {}  # iterations and mismatches of every run that has begun

    def front_of(run: int, stop: Stop) -> tuple[int, SizeFront]:
        def note(kernel: walk.Walk) -> None:
            states[run] = kernel.offspring, kernel.rank - surplus(search.target)

        return run, watched_run(search, training, seed=seed, run=run, stop=stop, on_slice=note)

    def words_on(run: int) -> str:
        iterations, mismatches = states[run]
        done = f"{iterations:,} of {search.budget:,} iterations"
        return f"run {run + 1} of {runs}: {done}, {mismatches:,} mismatches"

    def tick() -> None:
        if begun := list(states):
            made = sum(states[run][0] for run in begun)
            on_progress(made / max(1, runs * search.budget), words_on(begun[-1]))

    results = mapped(
        front_of,
        range(runs),
        jobs=min(jobs, runs),
        on_done=lambda result: on_done(words_on(result[0])),
        tick=tick,
    )
    return [search.circuit_of(program) for program in merged([front for _, front in results])]


def watched_run(
    search: CgpSearch,
    training: TrainingSet,
    *,
    seed: int,
    run: int,
    stop: Stop = lambda: False,
    on_slice: Callable[[walk.Walk], None] = lambda kernel: None,
) -> SizeFront:
    """Make one run, until `stop` says yes; returns the fittest program of every size among its parents."""
    front = size_front(search.shape)
    kernel = walk.start(search, training, entropy=entropy_of(seed, CELL), runs=[run], observer=front)
    walk.advance(kernel, 0)
    see(front, kernel.program, np.int64(kernel.rank), np.int64(0))
    on_slice(kernel)
    piece = Slice()
    while not kernel.finished and not stop():
        began = time.perf_counter()
        made = walk.advance(kernel, piece.steps)
        piece.took(made, seconds=time.perf_counter() - began)
        on_slice(kernel)
    return front


def merged(fronts: list[SizeFront]) -> list[NDArray[np.int32]]:
    """The programs that are fitter than all smaller ones of all runs, by growing size."""
    ranks = np.array([front.ranks for front in fronts])
    programs, least = [], UNSEEN
    for gates in range(ranks.shape[1]):
        run = int(ranks[:, gates].argmin())
        if ranks[run, gates] < least:
            least = int(ranks[run, gates])
            programs.append(fronts[run].programs[gates])
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


def training_set(inputs: Bits, correct: Bits) -> TrainingSet:
    """The training set of the search: a row for every example, repeated ones included, and two extra rows.

    The two extra rows have the same inputs and opposite outputs. So every program has exactly `surplus`
    mismatches on them and never reaches zero: a search that fits all examples still runs to the end of its
    budget and visits other programs that fit them.
    """
    if inputs.shape[1] > MOST_ROWS:
        raise InputError(f"{inputs.shape[1]:,} examples are too many; use at most {MOST_ROWS:,}")
    pair = np.repeat(inputs[:, :1], 2, axis=1)
    opposite = np.tile([False, True], (len(correct), 1))
    return TrainingSet(
        "sample",
        inputs.shape[1] + 2,
        pack(np.hstack([inputs, pair])),
        pack(np.hstack([correct, opposite])),
    )


def surplus(target: Target) -> int:
    """The mismatches that every program has on the two extra rows."""
    return target.outputs


def _printers() -> dict[str, Any]:
    """Callbacks that print words on standard error: of runs under way, at most once a second."""
    last = time.monotonic()

    def on_done(words: str) -> None:
        nonlocal last
        last = time.monotonic()
        print(words, file=sys.stderr, flush=True)

    def on_progress(share: float, words: str) -> None:
        if time.monotonic() - last >= PROGRESS_SECONDS:
            on_done(words)

    return {"on_done": on_done, "on_progress": on_progress}
