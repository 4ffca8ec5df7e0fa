"""What an exact solver says of a search, whichever chain it solved."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any

from gatewalk.search.settings import Settings


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactResult:
    """The running time of a search, from its Markov chain.

    Attributes
    ----------
    settings
        The search.
    states
        The number of programs; None if there is no end of them.
    classes
        The states of the chain that was solved.
    expected_iterations, std_iterations
        The expectation and the standard deviation of the running time.
    worst_start_expected
        The expectation from the worst start.
    p_solved_at_start
        The chance that a random program is a solution.
    p_never
        The chance that the target is never found.
    expected_if_solved
        The expectation over the searches that end.
    error, std_error
        The expectation and the deviation of a truncated chain are in the middle of intervals of these
        lengths.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.theory import exact_result
    >>> found = exact_result(settings("and:2", nodes=1))
    >>> found.states, found.classes, round(found.expected_iterations, 3)
    (12, 5, 2.356)
    """

    settings: Settings
    states: int | None
    classes: int
    expected_iterations: float
    std_iterations: float
    worst_start_expected: float
    p_solved_at_start: float
    p_never: float = 0.0
    expected_if_solved: float = 0.0
    error: float = 0.0
    std_error: float = 0.0

    def __repr__(self) -> str:
        made = self.settings
        nodes = "" if made.nodes is None else f" nodes={made.nodes}"
        return (
            f"<{type(self).__name__} {made.label}{nodes} {made.selection} {made.profile}: "
            f"{self.expected_iterations:.6g} expected iterations, deviation {self.std_iterations:.6g}, "
            f"{self.classes:,} classes>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in self.record().items()
        )
        return f"<table>{rows}</table>"

    def record(self) -> dict[str, Any]:
        """The keys of the command line's contract; infinite is the text "inf"."""
        made = self.settings
        return {
            "target": made.target,
            "n": made.n,
            "nodes": made.nodes,
            "selection": made.selection,
            "profile": made.profile,
            "states": "inf" if self.states is None else self.states,
            "classes": self.classes,
            "expected_iterations": finite_or_text(self.expected_iterations),
            "std_iterations": finite_or_text(self.std_iterations),
            "worst_start_expected": finite_or_text(self.worst_start_expected),
            "p_solved_at_start": self.p_solved_at_start,
        }


def finite_or_text(number: float) -> float | str:
    """JSON knows no infinity."""
    return "inf" if number == inf else number
