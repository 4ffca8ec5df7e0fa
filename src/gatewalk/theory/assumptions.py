"""The assumptions that statements make about a search, as data: each with a text and a check.

Every statement of `gatewalk.theory.statements` lists its assumptions. `unmet` is the only place that checks
them, for the command line, for figures and for Python. An assumption that cannot be checked for given
settings, such as "n large enough", has no check; it is reported beside the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from gatewalk.cgp.law import CgpLaw
from gatewalk.search.settings import Settings

OF_PROFILES = ("mutation", "selection", "reach", "start", "counting")  # subjects that a profile can decide


@dataclass(frozen=True)
class Case:
    """A search as the proofs see it: its settings, n and D (0 for trees)."""

    settings: Settings
    n: int
    nodes: int


def case_of(settings: Settings) -> Case:
    """The case of these settings."""
    return Case(settings, settings.n, settings.nodes or 0)


@dataclass(frozen=True)
class Assumption:
    """One assumption of a statement.

    about: the part of the search that it is about: "target", "gates", "algorithm", "mutation", "lambda",
        "selection", "training", "reach", "start", "counting", "n", "D" or "size" (of the chain to be solved).
    words: the assumption as a text, or a function that returns the text for a case.
    holds: whether a case meets it; None if that cannot be decided for a single case.
    """

    about: str
    words: str | Callable[[Case], str]
    holds: Callable[[Case], bool] | None

    def words_for(self, case: Case) -> str:
        """The assumption as a text, for this case."""
        return self.words if isinstance(self.words, str) else self.words(case)


def unmet(assumptions: Iterable[Assumption], settings: Settings) -> tuple[Assumption, ...]:
    """The assumptions that these settings do not meet, in the given order.

    After an unmet assumption about the target or the gates, the following ones are not checked: they would be
    about another search.
    """
    case = case_of(settings)
    failed: list[Assumption] = []
    for one in assumptions:
        if one.holds is not None and not one.holds(case):
            failed.append(one)
            if one.about in ("target", "gates"):
                break
    return tuple(failed)


def why_not(assumptions: Iterable[Assumption], settings: Settings) -> str:
    """The unmet assumptions as one text, each preceded by what it is about; empty if all are met."""
    case, failed = case_of(settings), unmet(assumptions, settings)
    words = "; ".join(f"{one.about}: {one.words_for(case)}" for one in failed)
    if settings.profile != "paper" and any(one.about in OF_PROFILES for one in failed):
        words += "; --profile paper is as the proofs need it"
    return words


def of_family(family: str, *, dual: str = "") -> Assumption:
    """The target is family:N and the only gate that of the family. dual: a family that behaves the same."""

    def words(case: Case) -> str:
        hint = f"; by duality {dual}:N with gates {dual} behaves as {family}:N"
        return f"needs {family}:N with gates {family}" + (hint if case.settings.wanted.family == dual else "")

    return Assumption(
        "target",
        words,
        lambda case: case.settings.wanted.family == family and case.settings.gates == (family,),
    )


def inputs_from(least: int, *, because: str = "") -> Assumption:
    """n is at least this."""
    return Assumption("n", f"needs n >= {least} inputs{because}", lambda case: case.n >= least)


def inputs_to(most: int, *, because: str = "") -> Assumption:
    """n is at most this."""
    return Assumption("n", f"needs n <= {most} inputs{because}", lambda case: case.n <= most)


def nodes_from(least: int) -> Assumption:
    """D is at least this."""
    return Assumption("D", f"needs D >= {least} nodes", lambda case: case.nodes >= least)


def nodes_to(most: int, *, because: str = "") -> Assumption:
    """D is at most this."""
    return Assumption("D", f"needs D <= {most} nodes{because}", lambda case: case.nodes <= most)


def _law(case: Case) -> CgpLaw | None:
    """The law of a Cartesian search; None for trees, for which the assumption CARTESIAN does not hold."""
    return case.settings.law if isinstance(case.settings.law, CgpLaw) else None


def _reaches_everything(case: Case) -> bool:
    """Whether every node can read all inputs and all nodes before it."""
    law = _law(case)
    if law is None or law.rows != 1:
        return law is None
    back = case.nodes if law.levels_back == "nodes" else law.levels_back
    farthest = case.nodes - 1 if law.levels_over == "columns" else case.n + case.nodes - 1
    return back is None or back >= farthest


def _excess_at_most(most: Fraction) -> Callable[[Case], bool]:
    return lambda case: case.nodes <= (1 + most) * case.n


CONJUNCTION = of_family("and", dual="or")
EXCLUSIVE = of_family("xor")
CARTESIAN = Assumption(
    "algorithm", "needs Cartesian GP: --algorithm cgp", lambda case: case.settings.algorithm == "cgp"
)
SAM = Assumption(
    "mutation",
    "needs --mutation sam with sam_ends=changed",
    lambda case: (
        (law := _law(case)) is None or (case.settings.mutation == "sam" and law.sam_ends == "changed")
    ),
)
ONE_OFFSPRING = Assumption("lambda", "needs --lambda 1", lambda case: case.settings.offspring == 1)
STRICT = Assumption("selection", "needs --selection strict", lambda case: case.settings.strict)
NONSTRICT = Assumption(
    "selection",
    "needs --selection nonstrict with ties=accept",
    lambda case: not case.settings.strict and case.settings.law.ties == "accept",
)
EITHER_SELECTION = Assumption(
    "selection",
    "needs --selection strict, or nonstrict with ties=accept",
    lambda case: case.settings.strict or case.settings.law.ties == "accept",
)
COMPLETE_SET = Assumption(
    "training",
    "needs the complete set: --training complete",
    lambda case: case.settings.training == "complete",
)
UNLIMITED_REACH = Assumption(
    "reach",
    "needs nodes that can read all before them: no levels_back, rows=1",
    _reaches_everything,
)
ONE_START = Assumption(
    "start",
    "needs one uniform random start: --start random with starts=1",
    lambda case: case.settings.law.starts == 1 and case.settings.start == "random",
)
ANY_SINGLE_START = Assumption(
    "start", "needs one start: starts=1", lambda case: case.settings.law.starts == 1
)
EVERY_OFFSPRING_COUNTED = Assumption(
    "counting",
    "needs every offspring counted: uncounted=0",
    lambda case: case.settings.law.uncounted == 0,
)
ENOUGH_NODES = Assumption(
    "D",
    lambda case: f"needs D >= n - 1 = {case.n - 1} nodes",
    lambda case: case.nodes >= case.n - 1,
)
FEWEST_NODES = Assumption(
    "D",
    lambda case: f"needs D = n - 1 = {case.n - 1} nodes",
    lambda case: case.nodes == case.n - 1,
)
HUNDREDTH_MORE_NODES = Assumption(
    "D",
    lambda case: f"needs D <= (1+d) n with d <= 1/100: D <= {case.n + case.n // 100} nodes",
    _excess_at_most(Fraction(1, 100)),
)
SMALL_EXCESS = Assumption(
    "D",
    lambda case: (
        "needs D <= (1+d) n for a constant d < 1/100 that is small enough; how small, the paper does not "
        f"say: only D <= n = {case.n} is certain"
    ),
    _excess_at_most(Fraction(0)),
)
LARGE_N = Assumption("n", "for n large enough; how large, the paper does not say", None)
ALGORITHM_1 = (  # with SAM, however its random numbers are drawn; the selection is a statement's own
    CARTESIAN,
    SAM,
    ONE_OFFSPRING,
    UNLIMITED_REACH,
    ANY_SINGLE_START,
    EVERY_OFFSPRING_COUNTED,
)
