"""`CircuitTransformer`: Boolean features for scikit-learn, computed by circuits learnt from labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown
from gatewalk.learn import presenting
from gatewalk.learn.front import outputs_on
from gatewalk.learn.learning import accepts_text, answers, learn
from gatewalk.learn.rules import needed

FEATURES = ("outputs", "front")


class CircuitTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns circuits as `CircuitClassifier` does, and returns their outputs as Boolean features.

    Parameters
    ----------
    features : str, default="outputs"
        "outputs": the outputs of the chosen circuit, one for every class or label (a single one for two
        classes). "front": the outputs of all circuits of the front, smallest circuit first, without constants
        and without repetitions.
    gates, nodes, mutation, offspring, budget, runs, choose, validation_fraction, binarise, random_state, jobs
        As for `CircuitClassifier`.
    verbose : bool, default=False
        Report the progress of the search on standard error.

    Attributes
    ----------
    circuit_, front_, least_mismatches_, n_features_in_, feature_names_in_
        As for `CircuitClassifier`.
    circuits_ : tuple of Circuit
        The circuits whose outputs are the features.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = CircuitTransformer(budget=10_000, random_state=1).fit(X, y)
    >>> model.transform(X).ravel().astype(int), model.get_feature_names_out()
    (array([0, 1, 1, 0]), array(['class_1'], dtype=object))
    """

    def __init__(
        self,
        *,
        features: str = "outputs",
        gates: Any = "and,or,nand,nor",
        nodes: int | None = None,
        mutation: str = "sam",
        offspring: int = 1,
        budget: int = 500_000,
        runs: int = 4,
        choose: str = "accuracy",
        validation_fraction: float | None = None,
        binarise: str | None = None,
        random_state: Any = None,
        jobs: int = 1,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.gates = gates
        self.nodes = nodes
        self.mutation = mutation
        self.offspring = offspring
        self.budget = budget
        self.runs = runs
        self.choose = choose
        self.validation_fraction = validation_fraction
        self.binarise = binarise
        self.random_state = random_state
        self.jobs = jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> CircuitTransformer:
        """Learn from examples, the rows of X; y has the class of each, or a row of 0 and 1 for each."""
        if self.features not in FEATURES:
            raise InputError(f"features is {shown(self.features)}: use {' or '.join(map(repr, FEATURES))}")
        learnt = learn(self, X, y)
        self._learnt = learnt
        self.circuit_, self.front_ = learnt.choice.circuit, learnt.front
        self.least_mismatches_ = learnt.least
        members = learnt.front if self.features == "front" else (learnt.choice,)
        self.circuits_ = tuple(member.circuit for member in members)
        self._outputs = _features(self.circuits_) if self.features == "front" else _all(self.circuit_)
        return self

    def transform(self, X: Any) -> NDArray[np.bool_]:
        """The Boolean features of examples: a row for every example and a column for every feature."""
        check_is_fitted(self)
        inputs = answers(self, X)
        columns = [outputs_on(circuit, inputs) for circuit in self.circuits_]
        return np.column_stack([columns[circuit][output] for circuit, output in self._outputs])

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the features: those of the outputs, with the number of gates if features="front"."""
        check_is_fitted(self)
        if input_features is not None and len(input_features) != self.n_features_in_:
            raise InputError(
                f"input_features should have length equal to number of features ({self.n_features_in_}), "
                f"got {len(input_features)}"
            )
        labels = self._learnt.coding.labels
        if self.features == "outputs":
            return np.array(labels, dtype=object)
        gates = [member.gates for member in self.front_]
        return np.array([f"{labels[o]}_of_{gates[c]}_gates" for c, o in self._outputs], dtype=object)

    def expression(self) -> str:
        """The chosen circuit as text."""
        check_is_fitted(self)
        return str(self.circuit_)

    def rules(self) -> list[str]:
        """The chosen circuit as if-then rules."""
        check_is_fitted(self)
        return presenting.rules(self._learnt)

    def draw(self, path: str | Path) -> None:
        """Draw the chosen circuit, with the inputs that it reads, into an .svg, .pdf or .png file."""
        check_is_fitted(self)
        presenting.draw(self.circuit_, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = tags.input_tags.string = accepts_text(self)
        tags.transformer_tags.preserves_dtype = []
        return tags


def _all(circuit: Circuit) -> list[tuple[int, int]]:
    return [(0, output) for output in range(len(circuit.outputs))]


def _features(circuits: tuple[Circuit, ...]) -> list[tuple[int, int]]:
    """The circuit and the output of every feature: no constants, and no output whose drawing is repeated."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    for number, circuit in enumerate(circuits):
        for output in range(len(circuit.outputs)):
            part = needed(circuit, [output])
            if part.input_labels:
                found.setdefault((output, str(part)), (number, output))
    return list(found.values()) or _all(circuits[-1])
