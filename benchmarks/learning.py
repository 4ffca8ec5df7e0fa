"""Circuits against decision trees, on Boolean data that is made by rule.

    python benchmarks/learning.py [DATA ...]

- monk-1, -2, -3: Thrun et al., "The MONK's problems", 1991. Six attributes of 3, 3, 2, 3, 4 and 2 values; (1)
  a1 = a2 or a5 = 1; (2) exactly two attributes have their first value; (3) a5 = 3 and a4 = 1, or a5 is not 4
  and a2 is not 3, with 5 % of the training labels turned. Training sets of the published sizes, 124, 169 and
  122, drawn anew for each of 20 seeds; tested on all 432 examples without noise, as there.
- mux11: the multiplexer of 3 address and 8 data bits, trained on 512 of 2048 rows, tested on the others; 20
  seeds.
- tic-tac-toe: the 958 final boards when x begins, does x win? Ten-fold stratified cross-validation, twice.
- breast-cancer: the numbers that ship with scikit-learn, 569 examples of 30 columns; circuits see quarters of
  them (quantiles:4), trees the numbers. Ten-fold stratified cross-validation, twice.
- digits: those of scikit-learn, 1797 examples of 64 numbers in ten classes; circuits see halves of them
  (quantiles:2), trees the numbers. Ten-fold stratified cross-validation, twice.

Models: `circuit`, CircuitClassifier as it is; `circuit, held out`, with validation_fraction=0.25; `tree`,
DecisionTreeClassifier as it is; `tree, depth by CV`, with the max_depth from 1 to 12 or unlimited that is
best in five-fold cross-validation on the training set. Of categories, trees see the same bits as circuits do;
of numbers, `tree, same bits` does.
Size: gates of a circuit, tests of a tree. `seconds` is processor time per fit, with all of cross-validation.
Writes benchmarks/results/learning.jsonl, a line per data set and model, and keeps lines not measured again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from gatewalk.learn import CircuitClassifier
from gatewalk.learn.questions import ask, parse_binarising, questions_of

RESULTS = Path(__file__).parent / "results" / "learning.jsonl"
SEEDS = 20
ATTRIBUTES = (3, 3, 2, 3, 4, 2)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Table = NDArray[Any]
Split = tuple[Table, Table, Table, Table]  # training examples and labels, test examples and labels


def monk(which: int, size: int) -> Iterator[Split]:
    """Training sets of one of the MONK's problems, each with all examples to test."""
    table = np.array(list(product(*(range(1, values + 1) for values in ATTRIBUTES))))
    a1, a2, _, a4, a5, _ = table.T
    rules = {
        1: (a1 == a2) | (a5 == 1),
        2: (table == 1).sum(axis=1) == 2,
        3: ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)),
    }
    labels = rules[which].astype(int)
    for seed in range(SEEDS):
        random = np.random.default_rng([which, seed])
        rows = random.permutation(len(table))[:size]
        given = labels[rows]
        if which == 3:
            given[random.permutation(size)[: round(0.05 * size)]] ^= 1
        yield table[rows], given, table, labels


def mux11() -> Iterator[Split]:
    """Training sets of the multiplexer, each with the other rows to test."""
    table = np.array(list(product((0, 1), repeat=11)))
    address = table[:, 0] * 4 + table[:, 1] * 2 + table[:, 2]
    labels = table[np.arange(len(table)), 3 + address]
    for seed in range(SEEDS):
        rows = np.random.default_rng([11, seed]).permutation(len(table))
        yield table[rows[:512]], labels[rows[:512]], table[rows[512:]], labels[rows[512:]]


def final_boards() -> tuple[Table, Table]:
    """All boards on which a game of tic-tac-toe ends, x begins; b is blank. And: has x won?"""
    found: dict[str, bool] = {}

    def has_won(board: str, player: str) -> bool:
        return any(all(board[place] == player for place in line) for line in LINES)

    def play(board: str, player: str, other: str) -> None:
        if has_won(board, other) or "b" not in board:
            found[board] = has_won(board, "x")
            return
        for place in range(9):
            if board[place] == "b":
                play(board[:place] + player + board[place + 1 :], other, player)

    play("b" * 9, "x", "o")
    boards = sorted(found)
    return np.array([list(board) for board in boards]), np.array([int(found[board]) for board in boards])


def folds(table: Table, labels: Table) -> Iterator[Split]:
    """Ten-fold stratified cross-validation, twice."""
    for training, test in RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=1).split(
        table, labels
    ):
        yield table[training], labels[training], table[test], labels[test]


# The splits, how circuits binarise, and are the columns categories?
DATA: dict[str, tuple[Callable[[], Iterator[Split]], str | None, bool]] = {
    "monk-1": (lambda: monk(1, 124), "onehot", True),
    "monk-2": (lambda: monk(2, 169), "onehot", True),
    "monk-3": (lambda: monk(3, 122), "onehot", True),
    "mux11": (mux11, None, False),
    "tic-tac-toe": (lambda: folds(*final_boards()), "onehot", True),
    "breast-cancer": (lambda: folds(*load_breast_cancer(return_X_y=True)), "quantiles:4", False),
    "digits": (lambda: folds(*load_digits(return_X_y=True)), "quantiles:2", False),
}


class Bits(TransformerMixin, BaseEstimator):
    """The bits that a circuit sees."""

    def __init__(self, binarise: str) -> None:
        self.binarise = binarise

    def fit(self, table: Table, labels: Table) -> Bits:
        self.names_ = [f"x{j}" for j in range(table.shape[1])]
        self.questions_ = questions_of(table, self.names_, parse_binarising(self.binarise))
        return self

    def transform(self, table: Table) -> Table:
        return ask(self.questions_, table, self.names_).T


def models(
    binarise: str | None, categories: bool, seed: int
) -> Iterator[tuple[str, Any, Callable[[Any], int]]]:
    """A model by name, and how to measure its size once it is fitted."""
    for name, options in (("circuit", {}), ("circuit, held out", {"validation_fraction": 0.25})):
        model = CircuitClassifier(binarise=binarise, random_state=seed, **options)
        yield name, model, lambda fitted: len(fitted.circuit_)
    encode = OneHotEncoder(handle_unknown="ignore", drop="if_binary") if categories else "passthrough"
    tree = make_pipeline(encode, DecisionTreeClassifier(random_state=seed))
    depths = {"decisiontreeclassifier__max_depth": [*range(1, 13), None]}
    yield "tree", tree, _tests
    yield "tree, depth by CV", GridSearchCV(tree, depths, cv=5), lambda fitted: _tests(fitted.best_estimator_)
    if binarise is not None and not categories:
        yield (
            "tree, same bits",
            make_pipeline(Bits(binarise), DecisionTreeClassifier(random_state=seed)),
            _tests,
        )


def _tests(fitted: Any) -> int:
    tree = fitted[-1].tree_
    return int(tree.node_count - tree.n_leaves)


def measured(name: str) -> Iterator[dict[str, Any]]:
    """A line for every model."""
    splits, binarise, categories = DATA[name]
    rows: dict[str, list[tuple[float, float, int, float]]] = {}
    for seed, (table, labels, test, truth) in enumerate(splits()):
        for model_name, model, size in models(binarise, categories, seed):
            began = time.process_time()
            model.fit(table, labels)
            seconds = time.process_time() - began
            row = model.score(table, labels), model.score(test, truth), size(model), seconds
            rows.setdefault(model_name, []).append(row)
    for model_name, found in rows.items():
        training, accuracy, size_of, seconds_of = np.array(found).T
        yield {
            "data": name,
            "model": model_name,
            "fits": len(found),
            "accuracy": round(float(accuracy.mean()), 4),
            "accuracy_sd": round(float(accuracy.std(ddof=1)), 4),
            "training_accuracy": round(float(training.mean()), 4),
            "size": round(float(size_of.mean()), 1),
            "size_sd": round(float(size_of.std(ddof=1)), 1),
            "seconds": round(float(np.median(seconds_of)), 3),
        }


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", nargs="*", metavar="DATA", default=list(DATA), help=", ".join(DATA))
    names = parser.parse_args().data
    if unknown := set(names) - set(DATA):
        parser.error(f"no data {', '.join(sorted(unknown))}: there are {', '.join(DATA)}")
    for name in names:
        kept = RESULTS.read_text().splitlines() if RESULTS.exists() else []
        lines = [line for line in kept if json.loads(line)["data"] != name]
        for line in measured(name):
            lines.append(json.dumps(line))
            print(lines[-1], flush=True)
        RESULTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
