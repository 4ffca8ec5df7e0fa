"""Every result of the paper for one choice of settings: its number, or why it does not apply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gatewalk.boolean.targets import Target
from gatewalk.cgp.law import PAPER, CgpLaw
from gatewalk.search.settings import Settings
from gatewalk.theory import bounds, penultimate, tails, tree_bounds, xor_bounds
from gatewalk.theory.known_settings import check_known

LISTED_LEVELS = 64  # beyond this many levels Lemma 2's numbers are too long to list


@dataclass(frozen=True)
class Statement:
    """One number. key: its name in JSON. value: None if it does not apply, and then `why` says why."""

    key: str
    name: str
    says: str
    value: Any
    why: str = ""


@dataclass(frozen=True)
class _Case:
    """The settings as the theorems see them."""

    made: Settings
    wanted: Target
    n: int
    nodes: int

    def without(self, *, family: str, needs_paper_law: bool = True, needs_nodes: bool = True) -> str:
        """Why results about this family do not apply; empty if they do."""
        if self.wanted.family != family or self.made.gates != (family,):
            dual = "; by duality or:N with gates or behaves as and:N" if self.wanted.family == "or" else ""
            return f"stated for {family}:N with gates {family}{dual}"
        if self.n < 2:
            return "needs n >= 2 inputs"
        if needs_nodes and self.nodes < self.n - 1:
            return f"needs D >= n - 1 = {self.n - 1} nodes"
        if needs_paper_law and not self.is_of_the_paper:
            return "proved for the algorithms of the paper: --profile paper, --mutation sam, --lambda 1"
        return ""

    @property
    def is_of_the_paper(self) -> bool:
        """Is the search one of Algorithms 1 to 3, however its random numbers are drawn?"""
        law = self.made.law
        of_law = isinstance(law, CgpLaw) and replace(law, waiting="walked") == PAPER
        return of_law and self.made.mutation == "sam" and self.made.offspring == 1


def statements(made: Settings) -> tuple[Statement, ...]:
    """All results for these settings, in the order of the paper."""
    check_known(made)
    wanted = made.wanted
    case = _Case(made, wanted, wanted.inputs, made.nodes or 0)
    return (*_conjunction(case), *_lower(case), *_exclusive(case), *_trees(case))


def _conjunction(case: _Case) -> list[Statement]:
    n, nodes = case.n, case.nodes
    why = case.without(family="and")
    lemma2 = case.without(family="and", needs_paper_law=False, needs_nodes=False)
    if not lemma2 and n > LISTED_LEVELS:
        lemma2 = f"2^(n-i) - 1 for level i: listed up to n = {LISTED_LEVELS}"
    tail = why or ("" if nodes >= 10 else "needs D >= 10 nodes")
    six = why or ("" if not case.made.strict else "proved for non-strict selection: --selection nonstrict")
    bits = bounds.lemma1_bits(
        n,
        nodes,
        outputs=case.wanted.outputs,
        gates=len(case.made.gates),
        arity=_arity(case.made),
    )
    return [
        Statement("lemma1_bits", "Lemma 1", "bits that store a program", bits),
        Statement(
            "lemma2_mismatches",
            "Lemma 2",
            "mismatches at level 1, 2, ..., n",
            None if lemma2 else [bounds.lemma2_mismatches(n, i) for i in range(1, n + 1)],
            lemma2,
        ),
        Statement(
            "theorem3",
            "Theorem 3",
            "E[T] at most: sum over levels, both selections",
            None if why else bounds.theorem3(n, nodes),
            why,
        ),
        Statement(
            "theorem3_closed",
            "Theorem 3, closed",
            "E[T] at most: (3D+1)^3 D^2 (n-1) 2 pi^2/3 = O(n D^5)",
            None if why else bounds.theorem3_closed(n, nodes),
            why,
        ),
        Statement(
            "theorem3_tail_delta1",
            "Theorem 3, tail",
            "T above this with probability at most exp(-1/3)",
            None if tail else bounds.theorem3_tail(n, nodes, 1),
            tail,
        ),
        Statement(
            "theorem6",
            "Theorem 6",
            "E[T] at most: non-strict, with H(n-1) and zeta(2) = O(n D^4)",
            None if six else bounds.theorem6(n, nodes),
            six,
        ),
        Statement(
            "theorem6_levels",
            "Theorem 6, levels",
            "E[T] at most: its sum over levels before zeta(2)",
            None if six else bounds.theorem6_levels(n, nodes),
            six,
        ),
    ]


def _arity(made: Settings) -> int:
    from gatewalk.boolean.gates import gate_set

    return gate_set(made.gates).arity


def theorem4_why_not(made: Settings) -> str:
    """Why Theorem 4 does not speak of these settings; empty if it does."""
    check_known(made)
    wanted = made.wanted
    case = _Case(made, wanted, wanted.inputs, made.nodes or 0)
    why = case.without(family="and")
    if not why and not made.strict:
        why = "proved for strict selection: --selection strict"
    if not why and case.nodes != case.n - 1:
        why = f"needs D = n - 1 = {case.n - 1} nodes"
    if not why and case.n < 3:
        why = "needs n >= 3 inputs"
    return why


def _lower(case: _Case) -> list[Statement]:
    why = theorem4_why_not(case.made)
    n = case.n
    return [
        Statement(
            "theorem4_leaving_probability",
            "Theorem 4, leaving",
            "exact chance to leave a penultimate start in one iteration",
            None if why else float(penultimate.leaving_probability(n)),
            why,
        ),
        Statement(
            "theorem4_expected",
            "Theorem 4, start",
            "E[T] from a penultimate start, exactly, ~ 16 n^6",
            None if why else float(penultimate.expected_iterations(n)),
            why,
        ),
    ]


def _exclusive(case: _Case) -> list[Statement]:
    n, nodes = case.n, case.nodes
    start = case.without(family="xor", needs_paper_law=False)
    if not start and case.made.law.starts != 1:
        start = "needs one uniform random start: --profile paper"
    why = case.without(family="xor")
    if not why and case.made.strict:
        why = "proved for non-strict selection: --selection nonstrict"
    if not why and not xor_bounds.theorem9_applies(n, nodes):
        why = "needs D <= (1+d) n with d < 1/100"
    return [
        Statement(
            "lemma7_probability",
            "Lemma 7",
            "exact chance that at most 3n/4 inputs are odd at the start",
            None if start else xor_bounds.lemma7_probability(n, nodes),
            start,
        ),
        Statement(
            "lemma8_drift",
            "Lemma 8",
            "drift away from the optimum at least, for large n",
            None if why else float(xor_bounds.lemma8_drift(n, nodes, xor_bounds.excess(n, nodes))),
            why,
        ),
        Statement(
            "theorem9",
            "Theorem 9",
            "T, with probability 1 - exp(-Omega(n))",
            None if why else "exp(Omega(n))",
            why,
        ),
    ]


def _trees(case: _Case) -> list[Statement]:
    why = ""
    if case.wanted.family != "and" or case.made.gates != ("and",) or case.n < 2:
        why = "stated for and:N with gates and, N >= 2"
    return [
        Statement(
            "tgp_single_tinyverse",
            "Trees, single",
            "E[T] = 3 n H(n-1), exactly, profile tinyverse",
            None if why else tree_bounds.single_tinyverse(case.n),
            why,
        ),
        _tree_order(case),
    ]


def _tree_order(case: _Case) -> Statement:
    """The literature's order on the complete set, without constants."""
    family = case.wanted.family
    for known in tree_bounds.ORDERS:
        if known.family == family and case.made.gates == (family,) and "complete" in known.task:
            words = f"E[T] of HVL-prime, one step: {known.source}"
            return Statement("tgp_single_order", "Trees, order", words, known.order, "")
    why = "known for and:N with gates and, xor:N with gates xor"
    return Statement("tgp_single_order", "Trees, order", "E[T] of HVL-prime, one step", None, why)


def tail_statements(made: Settings, probability: float) -> tuple[Statement, ...]:
    """Iterations not exceeded with this probability, by each result that gives any."""
    tails.check_probability(probability)
    found = {item.key: item for item in statements(made)}
    n, nodes = made.n, made.nodes or 0
    three, closed, six = found["theorem3"], found["theorem3_tail_delta1"], found["theorem6"]
    four = found["theorem4_leaving_probability"]
    return (
        Statement(
            "theorem3",
            "Theorem 3",
            "with delta = 3 ln(1/(1-P))",
            None if closed.why else tails.theorem3_quantile(n, nodes, probability),
            closed.why,
        ),
        Statement(
            "theorem3_lemma10",
            "Theorem 3, Lemma 10",
            "Witt's bound on the levels' own probabilities",
            None if three.why else tails.theorem3_witt_quantile(n, nodes, probability),
            three.why,
        ),
        Statement(
            "theorem6_markov",
            "Theorem 6, Markov",
            "Markov's inequality, once or in windows of e E[T]",
            None if six.why else tails.markov_quantile(float(six.value), probability),
            six.why,
        ),
        Statement(
            "theorem4",
            "Theorem 4, start",
            "from a penultimate start, exactly (geometric)",
            None if four.why else tails.geometric_quantile(float(four.value), probability),
            four.why,
        ),
    )
