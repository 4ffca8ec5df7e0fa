"""A smaller circuit that is proven to compute the same: what `gatewalk circuit minimise` does.

The start is cleaned and written in the gates that are allowed, made cheaper by evolution, and cleaned again.
Nothing is returned that was not compared with the start, on all rows or by SAT.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from gatewalk.boolean.gates import GATES, GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import Side, Verdict, circuit_side, compare
from gatewalk.errors import InputError, shown
from gatewalk.search.evolve import default_jobs
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.cgp_search import search_by_cgp
from gatewalk.synthesis.lower_bounds import Bound, lower_bound
from gatewalk.synthesis.plan import METHODS, SLACKS, Found, Method, Plan, Watch
from gatewalk.synthesis.price import Price, price, units_of
from gatewalk.synthesis.resubstitution import can_walk
from gatewalk.synthesis.resubstitution_search import search_by_resubstitution
from gatewalk.synthesis.starting import in_gates, start_of
from gatewalk.synthesis.window_search import search_windows

DEFAULT_SECONDS = 10.0
PROOF_SECONDS = 60.0
MOST_WHOLE = 150  # gates of a circuit that is searched as a whole, and not in windows


@dataclass(frozen=True, kw_only=True, repr=False)
class Minimised:
    """The result of `minimise`: a circuit that was made smaller, with the proof that it is still right.

    Attributes
    ----------
    name
        What was minimised: a file or a target.
    before, circuit
        The circuit at the start, and the cheapest one found.
    price, gates
        What was counted, and the gates that could be used.
    verdict
        The proof that both circuits compute the same.
    bound
        The fewest gates that any circuit needs, and why; None if none is known or if something else was
        counted.
    evaluations, seconds
        How many circuits were tried, and how long it took.
    seed, runs, method, slack
        As they were given or chosen.
    interrupted
        Whether Ctrl-C ended the search.

    Examples
    --------
    >>> from gatewalk import minimise
    >>> found = minimise("maj:3", evaluations=2000, seed=1)
    >>> len(found.circuit), found.verdict.equal
    (4, True)
    """

    name: str
    before: Circuit
    circuit: Circuit
    price: Price
    gates: GateSet
    verdict: Verdict
    bound: Bound | None
    evaluations: int
    seconds: float
    seed: int
    runs: int
    method: str
    slack: int
    interrupted: bool

    @property
    def cost(self) -> float:
        """What the circuit costs; gates or levels where one of these counts."""
        return units_of(self.price, self.circuit) / self.price.unit

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no circuit has fewer gates."""
        return self.bound is not None and len(self.circuit) <= self.bound.gates

    @property
    def record(self) -> dict[str, Any]:
        """All of it in values that JSON has."""
        return {
            "circuit": self.name,
            "gates_before": len(self.before),
            "gates_after": len(self.circuit),
            "depth_before": self.before.depth,
            "depth_after": self.circuit.depth,
            "cost": self.price.text,
            "cost_after": self.cost,
            "gate_set": str(self.gates),
            "proven": self.verdict.proof and self.verdict.equal,
            "proof": self.verdict.method,
            "lower_bound": None if self.bound is None else self.bound.gates,
            "optimal": self.is_optimal,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 3),
            "seed": self.seed,
            "runs": self.runs,
            "method": self.method,
            "slack": self.slack,
            "interrupted": self.interrupted,
        }

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {name}" for name, count in self.circuit.counts.items())
        before, after = len(self.before), len(self.circuit)
        lines = [
            f"{self.name}: {before} gates before, {after} now ({kinds or 'wires only'}), "
            f"depth {self.circuit.depth}",
            f"{self.verdict}; {self.evaluations:,} circuits tried in {self.seconds:.1f} s",
        ]
        if self.price.text != "gates":
            lines.insert(1, f"cost ({self.price.text}): {self.cost:g}")
        if self.is_optimal and self.bound is not None:
            lines.append(f"there is no smaller circuit of these gates: {self.bound.reason}")
        elif self.bound is not None and self.bound.gates > 0:
            lines.append(f"at least {self.bound.gates} gates are needed: {self.bound.reason}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Minimised {self.name}: {len(self.before)} -> {len(self.circuit)} gates, {self.verdict}>"


def minimise(
    what: str | PathLike[str] | Circuit | Target,
    *,
    gates: str | GateSet = "any",
    cost: str | Mapping[str, float] = "gates",
    seconds: float | None = None,
    evaluations: int | None = None,
    method: str = "auto",
    slack: int | None = None,
    nodes: int | None = None,
    mutation: str | None = None,
    offspring: int | None = None,
    runs: int = 2,
    jobs: int | None = None,
    seed: int = 0,
    prove: bool = False,
    library: str | None = None,
    watch: Watch | None = None,
) -> Minimised:
    """Make a circuit smaller without changing what it computes.

    Parameters
    ----------
    what
        A circuit, its file, or a target: a built-in one begins with the circuit of its rule, another one
        with a sum of products or a decision diagram. Of a PLA, rows that do not matter do not count.
    gates
        The gates that may be used: "any" (all of two inputs, and not), "aig" (those that are an AND with
        negations) or a gate set such as "nand,not".
    cost
        What counts: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate, as in
        {"nand": 1, "xor": 2.5}.
    seconds, evaluations
        When to stop: by the clock, or after so many circuits in each run; 10 seconds if nothing is said.
    method
        "resubstitution": a walk in which one gate after the other is computed from other sources; "cgp": the
        loop of Cartesian GP, with programs that may only become cheaper or a little dearer. "auto": the
        first, unless there are gates of more than two inputs.
    slack
        The search goes on also from circuits that cost so much more than the best one.
    nodes, mutation, offspring
        Of method "cgp": see `gatewalk.evolve`.
    runs, jobs, seed
        How many searches, of which the best counts; threads; the random numbers. With `evaluations` and
        without `seconds` the result depends on no clock and no number of threads.
    prove
        Ask a SAT solver, for a minute or for `seconds` if these are more, whether fewer gates do: for
        functions of up to eight inputs, where gates are counted. The circuit is then a smaller one, or proven
        to be a smallest one.
    library
        A genlib file with the cells of a BLIF file that has .gate lines.
    watch
        Told about ten times a second how far it is.

    Returns
    -------
    Minimised
        With the circuit, and the proof that it computes the same as the start.

    Examples
    --------
    >>> found = minimise("mul:2", evaluations=200_000, seed=1)
    >>> len(found.circuit), found.verdict.proof
    (7, True)
    """
    began = time.perf_counter()
    allowed, priced = basis(gates), price(cost)
    start = start_of(what, library=library)
    searched = _searched(allowed, priced)
    way = _method(method, searched)
    loop = {"nodes": nodes, "mutation": mutation, "offspring": offspring}
    given: dict[str, Any] = {name: value for name, value in loop.items() if value is not None}
    if given and way != "cgp":
        raise InputError(
            f"{', '.join(given)}: these are options of the method cgp; say method cgp, or leave them out"
        )
    written = in_gates(start, searched)
    counts_gates = priced.text == "gates" and start.wanted is not None
    bound = lower_bound(start.wanted, gates=allowed) if counts_gates else None
    plan = Plan(
        gates=searched,
        price=priced,
        method=way,
        slack=slack,
        seconds=DEFAULT_SECONDS if seconds is None and evaluations is None else seconds,
        evaluations=evaluations,
        goal=0 if bound is None else bound.gates,
        runs=runs,
        jobs=default_jobs() if jobs is None else jobs,
        seed=seed,
        **given,
    )
    found = _search(written, plan, start.wanted, watch)
    circuit = found.circuit.simplify(gates=allowed)
    if units_of(priced, circuit) > found.units:
        circuit = found.circuit
    if prove and start.wanted is not None and bound is not None and not found.interrupted:
        patience = max(PROOF_SECONDS, seconds or 0.0)
        circuit, bound = proof_of_size(circuit, start.wanted, allowed, seconds=patience)
    return Minimised(
        name=start.name,
        before=start.circuit,
        circuit=circuit,
        price=priced,
        gates=allowed,
        verdict=proven(circuit, start.side),
        bound=bound,
        evaluations=found.evaluations,
        seconds=time.perf_counter() - began,
        seed=seed,
        runs=runs,
        method=way,
        slack=SLACKS[way][0] if slack is None else slack,
        interrupted=found.interrupted,
    )


def _method(method: str, gates: GateSet) -> Method:
    """The method that is meant."""
    if method == "auto":
        return "resubstitution" if can_walk(gates) else "cgp"
    for known in METHODS:
        if method == known:
            if known == "resubstitution" and not can_walk(gates):
                raise InputError("the method resubstitution takes gates of one or two inputs: use method cgp")
            return known
    raise InputError(f"method {shown(method)}: use auto, {' or '.join(METHODS)}")


def _search(start: Circuit, plan: Plan, wanted: Target | None, watch: Watch | None) -> Found:
    """Small circuits are searched whole, others in windows."""
    if wanted is None or len(start) > MOST_WHOLE:
        return search_windows(start, plan, watch=watch)
    if plan.method == "cgp":
        return search_by_cgp(start, plan, wanted=wanted, watch=watch)
    return search_by_resubstitution(start, plan, wanted=wanted, watch=watch)


def _searched(gates: GateSet, priced: Price) -> GateSet:
    """The gates without `not`, where a nand or nor of one input twice does the same for the same price."""
    others = tuple(one for one in gates.gates if one != GATES["not"])
    is_spare = priced.weights is None and any(one in (GATES["nand"], GATES["nor"]) for one in others)
    return GateSet(others) if is_spare else gates


def proof_of_size(
    circuit: Circuit, wanted: Target, gates: GateSet, *, seconds: float
) -> tuple[Circuit, Bound]:
    """A smaller circuit if SAT finds one in time, and what is known by then of how few gates suffice."""
    from gatewalk.synthesis.exact_synthesis import smallest

    tried = smallest(wanted, gates=gates, at_most=len(circuit) - 1, seconds=seconds)
    refuted = f"SAT refutes circuits of {tried.lower_bound - 1} gates"
    return tried.circuit or circuit, Bound(tried.lower_bound, refuted)


def proven(circuit: Circuit, side: Side) -> Verdict:
    """The proof that a circuit computes what it should; anything else is a mistake of this package."""
    verdict = compare(circuit_side(circuit), side)
    if not verdict or not verdict.proof:
        raise AssertionError(f"a circuit was found that does not compute the same: {verdict}")
    return verdict
