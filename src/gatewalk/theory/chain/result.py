"""What every exact solver gives, whatever its chain: the numbers of a search, and its progress on the way."""

from __future__ import annotations

from collections.abc import Callable
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
    >>> result = exact_result(settings("and:2", nodes=1))
    >>> result.states, result.classes, round(result.expected_iterations, 3)
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
        settings = self.settings
        nodes = "" if settings.nodes is None else f" nodes={settings.nodes}"
        return (
            f"<{type(self).__name__} {settings.label}{nodes} {settings.selection} {settings.profile}: "
            f"{self.expected_iterations:.6g} expected iterations, deviation {self.std_iterations:.6g}, "
            f"{self.classes:,} classes>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in self.record().items()
        )
        return f"<table>{rows}</table>"

    def record(self) -> dict[str, Any]:
        """The keys of `gatewalk exact --json`; infinity is the text "inf"."""
        settings = self.settings
        return {
            "target": settings.target,
            "n": settings.n,
            "nodes": settings.nodes,
            "selection": settings.selection,
            "profile": settings.profile,
            "states": "inf" if self.states is None else self.states,
            "classes": self.classes,
            "expected_iterations": finite_or_text(self.expected_iterations),
            "std_iterations": finite_or_text(self.std_iterations),
            "worst_start_expected": finite_or_text(self.worst_start_expected),
            "p_solved_at_start": self.p_solved_at_start,
        }


def finite_or_text(number: float) -> float | str:
    """The number, or "inf" for infinity, which JSON does not have."""
    return "inf" if number == inf else number


TellProgress = Callable[[str, float], None]  # called with the name of the phase and the share that is done


def part_of(on_progress: TellProgress | None, begin: float, end: float) -> TellProgress | None:
    """The callback for one phase, which takes the whole computation from share `begin` to share `end`.

    A phase reports its own share, from 0 to 1; `on_progress` is told the share of the whole.

    >>> part_of(lambda what, done: print(what, done), 0.5, 1.0)("second half", 0.5)
    second half 0.75
    """
    if on_progress is None:
        return None
    return lambda what, done: on_progress(what, begin + (end - begin) * done)
