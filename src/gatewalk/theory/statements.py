"""Every result of the paper, and those beyond it, as one entry: its words, assumptions and number.

`statements` gives them all for one choice of settings, each with its number or with the assumptions that
these settings do not meet; `applied` gives one of them. To add a result, add a `Statement` to `STATEMENTS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gatewalk.boolean.gates import gate_set
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory import bounds, penultimate, tails, tree_bounds, xor_bounds
from gatewalk.theory.assumptions import (
    ALGORITHM_1,
    CARTESIAN,
    COMPLETE_SET,
    CONJUNCTION,
    EITHER_SELECTION,
    ENOUGH_NODES,
    EXCLUSIVE,
    FEWEST_NODES,
    HUNDREDTH_MORE_NODES,
    LARGE_N,
    NONSTRICT,
    ONE_OFFSPRING,
    ONE_START,
    SMALL_EXCESS,
    STRICT,
    UNLIMITED_REACH,
    Assumption,
    Case,
    case_of,
    inputs_from,
    inputs_to,
    nodes_from,
    why_not,
)
from gatewalk.theory.beyond import BEYOND
from gatewalk.theory.known_settings import check_known
from gatewalk.theory.statement import Statement

LISTED_LEVELS = 64  # beyond this many levels Lemma 2's numbers are too long to list
GAP = (
    "the proof has a gap: it counts at most two genes that can undo i+, but some programs have three; "
    "the bound held in every case solved exactly"
)


@dataclass(frozen=True)
class Applied:
    """A statement of the theory, applied to the settings of a search.

    Attributes
    ----------
    key, name, says
        Its key in JSON, where it stands in the paper, and what its number is.
    value
        The number; None if the statement does not apply.
    why
        If it does not apply: the assumptions that are not met, each after what it is about.
    note
        If it applies: what to know beside the number, such as an assumption that nobody can check.

    Examples
    --------
    >>> from gatewalk import settings
    >>> found = applied("theorem3", settings("xor:4"))
    >>> found.value, found.why
    (None, 'target: needs and:N with gates and')
    """

    key: str
    name: str
    says: str
    value: Any
    why: str = ""
    note: str = ""


_ON_CONJUNCTIONS = (CONJUNCTION, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1)
_THEOREM3 = (*_ON_CONJUNCTIONS, EITHER_SELECTION)
_THEOREM3_TAIL = (*_THEOREM3, nodes_from(10))
_THEOREM4 = (CONJUNCTION, inputs_from(3), FEWEST_NODES, COMPLETE_SET, *ALGORITHM_1, STRICT)
_THEOREM6 = (*_ON_CONJUNCTIONS, NONSTRICT)
_LEMMA7 = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, CARTESIAN, UNLIMITED_REACH, ONE_START)
_ON_EXCLUSIVES = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, COMPLETE_SET, *ALGORITHM_1, NONSTRICT)
_LEMMA8 = (
    *_ON_EXCLUSIVES,
    HUNDREDTH_MORE_NODES,
    inputs_from(xor_bounds.LEMMA8_INPUTS, because=": before, no potential is in [n/256 - 2, n/128 - 2]"),
)

_CONJUNCTIONS = (
    Statement(
        "lemma1_bits",
        "Lemma 1",
        "bits that store a program",
        (CARTESIAN,),
        lambda case: bounds.lemma1_bits(
            case.n,
            case.nodes,
            outputs=case.made.wanted.outputs,
            gates=len(case.made.gates),
            arity=gate_set(case.made.gates).arity,
        ),
    ),
    Statement(
        "lemma2_mismatches",
        "Lemma 2",
        "mismatches at level 1, 2, ..., n",
        (
            CONJUNCTION,
            inputs_from(2),
            COMPLETE_SET,
            inputs_to(LISTED_LEVELS, because=" to be listed: 2^(n-i) - 1 for level i"),
        ),
        lambda case: [bounds.lemma2_mismatches(case.n, i) for i in range(1, case.n + 1)],
    ),
    Statement(
        "theorem3",
        "Theorem 3",
        "E[T] at most: sum over levels, both selections",
        _THEOREM3,
        lambda case: bounds.theorem3(case.n, case.nodes),
    ),
    Statement(
        "theorem3_closed",
        "Theorem 3, closed",
        "E[T] at most: (3D+1)^3 D^2 (n-1) 2 pi^2/3 = O(n D^5)",
        _THEOREM3,
        lambda case: bounds.theorem3_closed(case.n, case.nodes),
    ),
    Statement(
        "theorem3_tail_delta1",
        "Theorem 3, tail",
        "T above this with probability at most exp(-1/3)",
        _THEOREM3_TAIL,
        lambda case: bounds.theorem3_tail(case.n, case.nodes, 1),
    ),
    Statement(
        "theorem6",
        "Theorem 6",
        "E[T] at most: non-strict, with H(n-1) and zeta(2) = O(n D^4)",
        _THEOREM6,
        lambda case: bounds.theorem6(case.n, case.nodes),
        GAP,
    ),
    Statement(
        "theorem6_levels",
        "Theorem 6, levels",
        "E[T] at most: its sum over levels before zeta(2)",
        _THEOREM6,
        lambda case: bounds.theorem6_levels(case.n, case.nodes),
        GAP,
    ),
    Statement(
        "theorem4_leaving_probability",
        "Theorem 4, leaving",
        "exact chance to leave a penultimate start in one iteration",
        _THEOREM4,
        lambda case: float(penultimate.leaving_probability(case.n)),
    ),
    Statement(
        "theorem4_expected",
        "Theorem 4, start",
        "E[T] from a penultimate start, exactly, ~ 16 n^6",
        _THEOREM4,
        lambda case: float(penultimate.expected_iterations(case.n)),
    ),
)

_EXCLUSIVES = (
    Statement(
        "lemma7_probability",
        "Lemma 7",
        "exact chance that at most 3n/4 inputs are odd at the start",
        _LEMMA7,
        lambda case: xor_bounds.lemma7_probability(case.n, case.nodes),
    ),
    Statement(
        "lemma7_rest",
        "Lemma 7, rest",
        "one minus this chance; where that is less than rounding, an upper bound",
        _LEMMA7,
        lambda case: xor_bounds.lemma7_rest(case.n, case.nodes),
    ),
    Statement(
        "lemma8_drift",
        "Lemma 8",
        "drift away from the optimum at least, on [n/256 - 2, n/128 - 2]",
        _LEMMA8,
        lambda case: float(
            xor_bounds.lemma8_drift(case.n, case.nodes, xor_bounds.excess(case.n, case.nodes))
        ),
    ),
    Statement(
        "theorem9",
        "Theorem 9",
        "T, with probability 1 - exp(-Omega(n))",
        (*_ON_EXCLUSIVES, ONE_START, SMALL_EXCESS, LARGE_N),
        lambda _: "exp(Omega(n))",
    ),
)

_TREES = (
    Statement(
        "tgp_single_tinyverse",
        "Trees, single",
        "E[T] = 3 n H(n-1), exactly, of tgp-single with profile tinyverse",
        (CONJUNCTION, inputs_from(2), COMPLETE_SET, ONE_OFFSPRING),
        lambda case: tree_bounds.single_tinyverse(case.n),
    ),
    Statement(
        "tgp_single_order",
        "Trees, order",
        "E[T] of HVL-prime, one step (Mambrini and Oliveto 2016)",
        (
            Assumption(
                "target",
                "known for and:N with gates and, and for xor:N with gates xor on the complete set",
                lambda case: _tree_order(case) is not None,
            ),
            ONE_OFFSPRING,
        ),
        lambda case: _tree_order(case),
    ),
)

STATEMENTS: tuple[Statement, ...] = (*_CONJUNCTIONS, *_EXCLUSIVES, *BEYOND, *_TREES)


def _tree_order(case: Case) -> str | None:
    """The literature's order, without constants."""
    family = case.made.wanted.family
    if case.made.gates != (family,):
        return None
    return tree_bounds.order(family, is_complete=case.made.training == "complete")


def statements(made: Settings) -> tuple[Applied, ...]:
    """All results for these settings, in the order of the paper.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`.

    Returns
    -------
    tuple of Applied
        One for each entry of `STATEMENTS`.

    Examples
    --------
    >>> from gatewalk import settings
    >>> found = {item.key: item for item in statements(settings("and:8", training="sample"))}
    >>> found["theorem3"].value, found["theorem3"].why
    (None, 'training: needs the complete set: --training complete')
    """
    check_known(made)
    return tuple(_apply(one, made) for one in STATEMENTS)


def applied(key: str, made: Settings) -> Applied:
    """The number of one statement for the settings of a search.

    Parameters
    ----------
    key
        That of the statement, as `gatewalk bounds --json` has it.
    made
        The search, from `gatewalk.settings`.

    Returns
    -------
    Applied
        The number, or why there is none.

    Examples
    --------
    >>> from gatewalk import settings
    >>> applied("theorem4_expected", settings("and:3", nodes=2, selection="strict")).value
    663.0
    """
    check_known(made)
    for one in STATEMENTS:
        if one.key == key:
            return _apply(one, made)
    raise InputError(f"there is no statement {key!r}; there are {', '.join(one.key for one in STATEMENTS)}")


def _apply(one: Statement, made: Settings) -> Applied:
    case = case_of(made)
    why = why_not(one.assumptions, made)
    if why:
        return Applied(one.key, one.name, one.says, None, why)
    return Applied(one.key, one.name, one.says, one.formula(case), note="; ".join(_notes(one, case)))


def _notes(one: Statement, case: Case) -> Iterator[str]:
    if one.note:
        yield one.note
    for assumption in one.assumptions:
        if assumption.holds is None:
            yield assumption.words_for(case)


def tail_statements(made: Settings, probability: float) -> tuple[Applied, ...]:
    """Iterations that are not exceeded with a given probability, by each statement that gives any.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`.
    probability
        Between 0 and 1.

    Returns
    -------
    tuple of Applied
        A number, or the reason why there is none, for each statement.

    Examples
    --------
    >>> from gatewalk import settings
    >>> [one.key for one in tail_statements(settings("and:8", nodes=16), 0.99) if one.value is not None]
    ['theorem3', 'theorem3_lemma10', 'theorem6_markov']
    """
    tails.check_probability(probability)
    check_known(made)
    return tuple(_apply(one, made) for one in _tails(probability))


def _tails(probability: float) -> tuple[Statement, ...]:
    return (
        Statement(
            "theorem3",
            "Theorem 3",
            "with delta = 3 ln(1/(1-P))",
            _THEOREM3_TAIL,
            lambda case: tails.theorem3_quantile(case.n, case.nodes, probability),
        ),
        Statement(
            "theorem3_lemma10",
            "Theorem 3, Lemma 10",
            "Witt's bound on the levels' own probabilities",
            _THEOREM3,
            lambda case: tails.theorem3_witt_quantile(case.n, case.nodes, probability),
        ),
        Statement(
            "theorem6_markov",
            "Theorem 6, Markov",
            "Markov's inequality, once or in windows of e E[T]",
            _THEOREM6,
            lambda case: tails.markov_quantile(bounds.theorem6(case.n, case.nodes), probability),
            GAP,
        ),
        Statement(
            "theorem4",
            "Theorem 4, start",
            "from a penultimate start, exactly (geometric)",
            _THEOREM4,
            lambda case: tails.geometric_quantile(
                float(penultimate.leaving_probability(case.n)), probability
            ),
        ),
    )
