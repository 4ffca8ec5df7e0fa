"""What both estimators have in common: check and binarise examples, search for circuits, choose one."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from numbers import Real
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d, validate_data

from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown
from gatewalk.learn import coding as codes
from gatewalk.learn.binarising import Question, ask, parse_binarising, questions_of
from gatewalk.learn.coding import Coding, Shares
from gatewalk.learn.examples import least_mismatches, surplus, training_set
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
from gatewalk.learn.searching import Progress, search, search_options

Bits = NDArray[np.bool_]
PROGRESS_SECONDS = 1.0


@dataclass(frozen=True, eq=False)
class Learnt:
    """What an estimator has learnt.

    questions: the inputs of circuits. choice: the member of the front that predicts. shares: those of
    `coding.shares_of` for this circuit. least: `examples.least_mismatches`.
    """

    questions: tuple[Question, ...]
    coding: Coding
    front: tuple[FrontMember, ...]
    choice: FrontMember
    shares: Shares
    least: int


def accepts_text(estimator: Any) -> bool:
    """Whether columns may hold something other than numbers; never raises, whatever the parameters are."""
    return isinstance(estimator.binarise, str) and "onehot" in estimator.binarise


def learn(estimator: Any, X: Any, y: Any) -> Learnt:
    """Learn circuits with the parameters of an estimator, and set its attributes about features.

    If anything fails, or Ctrl-C is pressed, the estimator is left as it was.
    """
    before = dict(vars(estimator))
    try:
        return _learn(estimator, X, y)
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def _learn(estimator: Any, X: Any, y: Any) -> Learnt:
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
    label_names = [str(name) for name in y.columns] if hasattr(y, "columns") else None
    dtype = None if accepts_text(estimator) else "numeric"
    table, labels = validate_data(estimator, X, y, dtype=dtype, multi_output=True)
    if hasattr(labels, "toarray"):  # a sparse table
        labels = labels.toarray()
    check_classification_targets(labels)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels, label_names = column_or_1d(labels, warn=True), None
    coding = codes.coding_of(labels, label_names)
    seed = int(check_random_state(estimator.random_state).randint(2**31 - 1))
    held_out = held_out_examples(labels, estimator.validation_fraction, seed)
    names = feature_names(estimator)
    questions = questions_of(table[~held_out], names, how)
    inputs, wanted = ask(questions, table, names), codes.encode(coding, labels)
    training, validation = (
        (inputs[:, ~held_out], wanted[:, ~held_out]),
        (inputs[:, held_out], wanted[:, held_out]),
    )
    labels_in = tuple(question.yes for question in questions)
    circuits = search(
        training_set(*training),
        labels_in,
        coding.labels,
        options,
        seed=seed,
        tell=_printer(options.runs, options.budget, surplus(wanted)) if estimator.verbose else None,
    )
    circuits.append(without_gates(*training, (labels_in, coding.labels)))
    front = non_dominated(_member(circuit, coding, training, validation) for circuit in circuits)
    choice = chosen(front, estimator.choose)
    shares = codes.shares_of(outputs_on(choice.circuit, training[0]), training[1])
    return Learnt(questions, coding, front, choice, shares, least_mismatches(*training))


def feature_names(estimator: Any) -> list[str]:
    """The names of the columns; x0, x1, ... if they have none."""
    named = getattr(estimator, "feature_names_in_", None)
    if named is None:
        return [f"x{j}" for j in range(estimator.n_features_in_)]
    return [str(one) for one in named]


def answers(estimator: Any, X: Any) -> Bits:
    """The inputs that a fitted estimator's circuits read for these examples: a row for every input."""
    dtype = None if accepts_text(estimator) else "numeric"
    table = validate_data(estimator, X, dtype=dtype, reset=False)
    return ask(estimator._learnt.questions, table, feature_names(estimator))


def _member(
    circuit: Circuit, coding: Coding, training: tuple[Bits, Bits], validation: tuple[Bits, Bits]
) -> FrontMember:
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


def held_out_examples(labels: NDArray[Any], fraction: Any, seed: int) -> NDArray[np.bool_]:
    """Which examples are held out of training: the same share of every class, rounded, but never all."""
    held_out = np.zeros(len(labels), dtype=np.bool_)
    if fraction is None:
        return held_out
    if isinstance(fraction, bool) or not isinstance(fraction, Real) or not 0 < float(fraction) < 1:
        raise InputError(f"validation_fraction is {shown(fraction)}: use None or a number between 0 and 1")
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
        raise InputError(f"validation_fraction {shown(fraction)} of {len(labels)} examples is none: use more")
    return held_out


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
