"""`CircuitClassifier`: a classifier for scikit-learn whose model is a Boolean circuit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from gatewalk.learn import presenting
from gatewalk.learn.coding import probabilities
from gatewalk.learn.front import outputs_on
from gatewalk.learn.learning import accepts_text, answers, learn


class CircuitClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a circuit of few gates that tells classes apart, by Cartesian genetic programming.

    Fitness is the number of wrong outputs over all examples, each counted as often as it occurs. If equal
    examples have different labels, the best circuit is right on the majority of them. The search uses its
    whole budget even if all examples are fitted, because a smaller circuit may still be found. It keeps the
    most accurate circuit of every size (`front_`). Ctrl-C raises KeyboardInterrupt and leaves the estimator
    as it was before.

    Parameters
    ----------
    gates : str or GateSet, default="and,or,nand,nor"
        The gates that circuits may use.
    nodes : int or None, default=None
        The most gates that a circuit can have while it evolves; None stands for 50 + 50 per output.
    mutation : str, default="sam"
        "sam", "point:K" or "rate:P".
    offspring : int, default=1
        Offspring per generation.
    budget : int, default=500_000
        Iterations of every run, that is, offspring created and evaluated.
    runs : int, default=4
        The number of independent searches, whose fronts are merged.
    choose : str, default="accuracy"
        Which circuit of the front predicts. "accuracy": the most accurate one, and the smallest if several
        are equally accurate. "gates<=K": the same among those with at most K gates. "knee": the one at which
        the front bends most.
    validation_fraction : float or None, default=None
        The share of the examples that is held out of training and used to measure the accuracy for `choose`.
        None: `choose` uses the accuracy in training.
    binarise : str or None, default=None
        What to do with columns that are not 0 and 1: refuse them (None), use one input per category
        ("onehot"), compare numbers with quantiles ("quantiles:K"), or both ("onehot,quantiles:K").
    random_state : int, RandomState or None, default=None
        With the same number the result is the same, whatever the number of jobs.
    jobs : int, default=1
        Threads for the runs.
    verbose : bool, default=False
        Report the progress of the search on standard error.

    Attributes
    ----------
    circuit_ : Circuit
        The circuit that predicts, with an input for every bit and an output for every class or label (a
        single output for two classes).
    front_ : tuple of FrontMember
        The front: simplified circuits of growing size and falling number of mismatches.
    classes_ : array, or list of arrays
        The classes; a list if each example has several labels.
    least_mismatches_ : int
        The mismatches that no circuit can avoid, because equal training examples have different labels.
    n_features_in_, feature_names_in_
        As for every estimator of scikit-learn.

    Examples
    --------
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

    def fit(self, X: Any, y: Any) -> CircuitClassifier:
        """Learn from examples, the rows of X; y has the class of each, or a row of 0 and 1 for each."""
        learnt = learn(self, X, y)
        self._learnt = learnt
        self.circuit_, self.front_ = learnt.choice.circuit, learnt.front
        self.least_mismatches_ = learnt.least
        several = learnt.coding.kind == "several labels"
        self.classes_ = (
            [learnt.coding.classes] * len(learnt.coding.labels) if several else learnt.coding.classes
        )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """How likely each class is, as counted among the training examples (`gatewalk.learn.coding`).

        The table has a column for every class; with several labels per example, there is one table for each.
        """
        check_is_fitted(self)
        learnt = self._learnt
        found = probabilities(learnt.coding, learnt.shares, outputs_on(self.circuit_, answers(self, X)))
        return found if learnt.coding.kind == "several labels" else found[0]

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of every example."""
        found = self.predict_proba(X)
        if isinstance(found, list):
            return np.column_stack([table.argmax(axis=1) for table in found])
        return np.asarray(self.classes_[found.argmax(axis=1)])

    def expression(self) -> str:
        """The circuit as text: a line for every output, and for every gate that is read more than once."""
        check_is_fitted(self)
        return str(self.circuit_)

    def rules(self) -> list[str]:
        """The circuit as if-then rules: an irredundant sum of products for every output."""
        check_is_fitted(self)
        return presenting.rules(self._learnt)

    def draw(self, path: str | Path) -> None:
        """Draw the circuit, with the inputs that it reads, into an .svg, .pdf or .png file."""
        check_is_fitted(self)
        presenting.draw(self.circuit_, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.categorical = tags.input_tags.string = accepts_text(self)
        return tags
