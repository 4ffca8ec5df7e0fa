"""Estimators for scikit-learn: a classifier whose model is a circuit, and Boolean features from circuits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from gatewalk.circuit.circuit import Circuit, needed_part
from gatewalk.circuit.drawing.picture import check_suffix, write_picture
from gatewalk.circuit.drawing.schematic import schematic
from gatewalk.errors import InputError, shown
from gatewalk.learn.coding import probabilities
from gatewalk.learn.fitting import accepts_text, answers, fit
from gatewalk.learn.front import outputs_on
from gatewalk.learn.rules import rules_of, texts_of

FEATURES = ("outputs", "front")


class CircuitEstimator(BaseEstimator):  # type: ignore[misc]
    """What both estimators have in common: parameters, learning, and the circuit shown to people."""

    def __init__(
        self,
        *,
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

    def _learn(self, X: Any, y: Any) -> None:
        fitted = fit(self, X, y)
        self._fitted = fitted
        self.circuit_, self.front_ = fitted.choice.circuit, fitted.front
        self.least_mismatches_ = fitted.least

    def expression(self) -> str:
        """The circuit as text: a line for every output, and for every gate that is read more than once."""
        check_is_fitted(self)
        return str(self.circuit_)

    def rules(self) -> list[str]:
        """The circuit as if-then rules: an irredundant sum of products for every output."""
        check_is_fitted(self)
        return texts_of(rules_of(self.circuit_, self._fitted.questions), self._fitted.coding)

    def draw(self, path: str | Path) -> None:
        """Draw the circuit, with the inputs that it reads, into an .svg, .pdf or .png file."""
        check_is_fitted(self)
        check_suffix(path)
        write_picture(schematic(needed_part(self.circuit_)), path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = accepts_text(self)
        return tags


class CircuitClassifier(ClassifierMixin, CircuitEstimator):  # type: ignore[misc]
    """Learns a circuit of few gates that tells classes apart, by Cartesian genetic programming.

    Fitness is the number of wrong outputs over all examples, each counted as often as it occurs. If equal
    examples have different labels, the best circuit is right on the majority of them. The search uses its
    whole budget even if all examples are fitted, because a smaller circuit may still be found. It keeps the
    most accurate circuit of every size (`front_`). Ctrl-C raises KeyboardInterrupt and leaves the estimator
    as it was before.

    gates: those that circuits may use.
    nodes: the most gates that a circuit can have while it evolves; None stands for 50 + 50 per output.
    mutation, offspring: as in `gatewalk.evolve`.
    budget: iterations of every run, that is, offspring created and evaluated.
    runs: the number of independent searches, whose fronts are merged.
    choose: which circuit of the front predicts. "accuracy": the most accurate one, and the smallest if
        several are equally accurate. "gates<=K": the same among those with at most K gates. "knee": the one
        at which the front bends most.
    validation_fraction: the share of the examples that is held out of training and used to measure the
        accuracy for `choose`. None: `choose` uses the accuracy in training.
    binarise: what to do with columns that are not 0 and 1: refuse them (None), use one input per category
        ("onehot"), compare numbers with quantiles ("quantiles:K"), or both ("onehot,quantiles:K").
    random_state: with the same number the result is the same, whatever the number of jobs.
    jobs: threads for the runs.
    verbose: whether to report the progress of the search on standard error.

    After `fit`, there are also:

    circuit_: the circuit that predicts, with an input for every bit and an output for every class or label (a
        single output for two classes).
    front_: simplified circuits of growing size and falling number of mismatches, each a `FrontMember`.
    classes_: the classes; a list of arrays if each example has several labels.
    least_mismatches_: the mismatches that no circuit can avoid, because equal training examples have
        different labels.

    >>> import numpy as np
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    >>> y = np.where(X.sum(axis=1) >= 2, "many", "few")
    >>> model = CircuitClassifier(gates="and,or", budget=20_000, random_state=1).fit(X, y)
    >>> model.score(X, y), len(model.circuit_)
    (1.0, 4)
    >>> print(*model.rules(), sep="\\n")
    if x0 and x1 then the class is many
    if x0 and x2 then the class is many
    if x1 and x2 then the class is many
    otherwise the class is few
    """

    def fit(self, X: Any, y: Any) -> CircuitClassifier:
        """Learn from examples, the rows of X; y has the class of each, or a row of 0 and 1 for each."""
        self._learn(X, y)
        coding = self._fitted.coding
        several = coding.kind == "several labels"
        self.classes_ = [coding.classes] * len(coding.labels) if several else coding.classes
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """How likely each class is, as counted among the training examples (`gatewalk.learn.coding`).

        The table has a column for every class; with several labels per example, there is one table for each.
        """
        check_is_fitted(self)
        fitted = self._fitted
        tables = probabilities(fitted.coding, fitted.shares, outputs_on(self.circuit_, answers(self, X)))
        return tables if fitted.coding.kind == "several labels" else tables[0]

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of every example."""
        likely = self.predict_proba(X)
        if isinstance(likely, list):
            return np.column_stack([table.argmax(axis=1) for table in likely])
        return np.asarray(self.classes_[likely.argmax(axis=1)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


class CircuitTransformer(TransformerMixin, CircuitEstimator):  # type: ignore[misc]
    """Learns circuits as `CircuitClassifier` does, and returns their outputs as Boolean features.

    features: "outputs", those of the chosen circuit, one for every class or label (a single one for two
        classes); or "front", the outputs of all circuits of the front, smallest circuit first, without
        constants and without repetitions.

    All other parameters, and the attributes after `fit`, are those of `CircuitClassifier`; instead of
    `classes_` there is:

    circuits_: the circuits whose outputs are the features.

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
        super().__init__(
            gates=gates,
            nodes=nodes,
            mutation=mutation,
            offspring=offspring,
            budget=budget,
            runs=runs,
            choose=choose,
            validation_fraction=validation_fraction,
            binarise=binarise,
            random_state=random_state,
            jobs=jobs,
            verbose=verbose,
        )
        self.features = features

    def fit(self, X: Any, y: Any) -> CircuitTransformer:
        """Learn from examples, the rows of X; y has the class of each, or a row of 0 and 1 for each."""
        if self.features not in FEATURES:
            raise InputError(f"features is {shown(self.features)}; use {' or '.join(map(repr, FEATURES))}")
        self._learn(X, y)
        if self.features == "front":
            self.circuits_ = tuple(member.circuit for member in self.front_)
            self._outputs = _distinct_outputs(self.circuits_)
        else:
            self.circuits_ = (self.circuit_,)
            self._outputs = _all_outputs(self.circuit_)
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
        labels = self._fitted.coding.labels
        if self.features == "outputs":
            return np.array(labels, dtype=object)
        gates = [member.gates for member in self.front_]
        return np.array([f"{labels[o]}_of_{gates[c]}_gates" for c, o in self._outputs], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _all_outputs(circuit: Circuit) -> list[tuple[int, int]]:
    return [(0, output) for output in range(len(circuit.outputs))]


def _distinct_outputs(circuits: tuple[Circuit, ...]) -> list[tuple[int, int]]:
    """The circuit and the output of every feature: no constants, and no output whose formula is repeated."""
    distinct: dict[tuple[int, str], tuple[int, int]] = {}
    for number, circuit in enumerate(circuits):
        for output in range(len(circuit.outputs)):
            part = needed_part(circuit, [output])
            if part.input_labels:
                distinct.setdefault((output, str(part)), (number, output))
    return list(distinct.values()) or _all_outputs(circuits[0])
