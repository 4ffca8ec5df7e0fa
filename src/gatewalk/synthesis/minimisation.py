"""A smaller circuit that is proven to compute the same: what `gatewalk circuit minimise` does.

The start is simplified and rewritten in the allowed gates, made cheaper by a search, and simplified again.
Every result is compared with the start before it is returned, on all rows or by SAT.
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
from gatewalk.circuit.cost import Cost, cost_units, price
from gatewalk.circuit.equivalence import EXHAUSTIVE_INPUTS, Verdict, compare
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.search.scheduler import threads
from gatewalk.synthesis.lower_bounds import Bound, lower_bound
from gatewalk.synthesis.options import (
    METHODS,
    SLACKS,
    Method,
    Options,
    Start,
    Watch,
    basis,
    in_gates,
    start_of,
)
from gatewalk.synthesis.resubstitution import can_resubstitute
from gatewalk.synthesis.turns import SearchResult
from gatewalk.synthesis.whole_search import search_whole
from gatewalk.synthesis.window_search import search_windows

DEFAULT_SECONDS = 10.0
PROOF_SECONDS = 60.0
MOST_WHOLE = 150  # gates of the largest circuit that is searched as a whole; larger ones in windows


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
        As given, or as chosen where nothing was given.
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
    price: Cost
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
        """What the circuit costs: its gates, its levels, or the sum of its prices."""
        return cost_units(self.price, self.circuit) / self.price.unit

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no circuit has fewer gates."""
        return self.bound is not None and len(self.circuit) <= self.bound.gates

    @property
    def record(self) -> dict[str, Any]:
        """The result as a dictionary of values that JSON can hold."""
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
        A circuit, the file of one, or a target. A built-in target begins with the circuit of its rule, any
        other with a sum of products or a decision diagram. Don't-care rows of a PLA may take any value.
    gates
        The gates that may be used: "any" (all gates of two inputs, and not), "aig" (those that are an AND
        with negations) or a gate set such as "nand,not".
    cost
        What to minimise: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate, as in
        {"nand": 1, "xor": 2.5}.
    seconds, evaluations
        When to stop: after so many seconds, or after so many circuits in each run; by default after 10
        seconds.
    method
        "resubstitution": a random walk in which each step computes one gate from other sources. "cgp": the
        loop of Cartesian GP, which accepts programs that are cheaper or at most a little dearer than the best
        one. "auto": resubstitution, unless there are gates of more than two inputs.
    slack
        The search also continues from circuits that cost at most so much more than the best one.
    nodes, mutation, offspring
        Options of the method "cgp": see `gatewalk.evolve`.
    runs, jobs, seed
        How many independent searches, of which the best result is returned; how many threads; the seed. With
        `evaluations` and without `seconds`, the result depends neither on the clock nor on the threads.
    prove
        Ask a SAT solver whether fewer gates suffice, for a minute, or for `seconds` if that is longer. This
        is possible for up to eight inputs if the cost is the number of gates. If the solver finishes in time,
        the circuit is proven to be a smallest one.
    library
        A genlib file with the cells of a BLIF file that has .gate lines.
    watch
        Called about ten times a second with the progress.

    Returns
    -------
    Minimised
        The circuit, with the proof that it computes the same as the start.

    Examples
    --------
    >>> found = minimise("mul:2", evaluations=200_000, seed=1)
    >>> len(found.circuit), found.verdict.proof
    (7, True)
    """
    began = time.perf_counter()
    allowed, priced = basis(gates), price(cost)
    start = start_of(what, library=library)
    _check_solver(start, prove=prove)
    searched = _searched(allowed, priced)
    chosen = _method(method, searched)
    of_cgp = {"nodes": nodes, "mutation": mutation, "offspring": offspring}
    given: dict[str, Any] = {name: value for name, value in of_cgp.items() if value is not None}
    if given and chosen != "cgp":
        raise InputError(f"{', '.join(given)}: for the method cgp only; use method cgp, or remove them")
    written = in_gates(start, searched)
    counts_gates = priced.text == "gates" and start.target is not None
    bound = lower_bound(start.target, gates=allowed) if counts_gates else None
    options = Options(
        gates=searched,
        price=priced,
        method=chosen,
        slack=slack,
        seconds=DEFAULT_SECONDS if seconds is None and evaluations is None else seconds,
        evaluations=evaluations,
        goal=0 if bound is None else bound.gates,
        runs=runs,
        jobs=threads(jobs),
        seed=seed,
        **given,
    )
    result = _search(written, options, start.target, watch)
    # The search goes through other circuits of the same price; if none is cheaper, the start is kept.
    cheapest = result.circuit if result.units < cost_units(priced, written) else written
    circuit = cheapest.simplify(gates=allowed)
    if cost_units(priced, circuit) > result.units:
        circuit = cheapest
    if prove and start.target is not None and bound is not None and not result.interrupted:
        patience = max(PROOF_SECONDS, seconds or 0.0)
        circuit, bound = proof_of_size(circuit, start.target, allowed, seconds=patience)
    return Minimised(
        name=start.name,
        before=start.circuit,
        circuit=circuit,
        price=priced,
        gates=allowed,
        verdict=proven(circuit, start.function),
        bound=bound,
        evaluations=result.evaluations,
        seconds=time.perf_counter() - began,
        seed=seed,
        runs=runs,
        method=chosen,
        slack=SLACKS[chosen][0] if slack is None else slack,
        interrupted=result.interrupted,
    )


def _check_solver(start: Start, *, prove: bool) -> None:
    """Ask for the SAT solver before the search, if the proof after the search takes one."""
    if prove:
        need("pysat", "exact synthesis")
    if len(start.circuit.input_labels) > EXHAUSTIVE_INPUTS:
        need("pysat", "proving that circuits of many inputs are equal")


def _method(method: str, gates: GateSet) -> Method:
    """The method of this name; "auto" chooses one that the gates allow."""
    if method == "auto":
        return "resubstitution" if can_resubstitute(gates) else "cgp"
    for known in METHODS:
        if method == known:
            if known == "resubstitution" and not can_resubstitute(gates):
                raise InputError("the method resubstitution needs gates of one or two inputs; use method cgp")
            return known
    raise InputError(f"unknown method {shown(method)}; use auto, {' or '.join(METHODS)}")


def _search(start: Circuit, options: Options, target: Target | None, watch: Watch | None) -> SearchResult:
    """Search a small circuit as a whole, and a large one in windows."""
    if target is None or len(start) > MOST_WHOLE:
        return search_windows(start, options, watch=watch)
    return search_whole(start, options, target=target, watch=watch)


def _searched(gates: GateSet, priced: Cost) -> GateSet:
    """The gates for the search: without `not` if a nand or nor that reads one input twice costs the same."""
    others = tuple(gate for gate in gates.gates if gate != GATES["not"])
    is_spare = priced.weights is None and any(gate in (GATES["nand"], GATES["nor"]) for gate in others)
    return GateSet(others) if is_spare else gates


def proof_of_size(
    circuit: Circuit, target: Target, gates: GateSet, *, seconds: float
) -> tuple[Circuit, Bound]:
    """A smaller circuit if SAT finds one in time, else the given one; and the lower bound known by then."""
    from gatewalk.synthesis.exact_synthesis import smallest

    tried = smallest(target, gates=gates, at_most=len(circuit) - 1, seconds=seconds)
    refuted = f"SAT refutes circuits of {tried.lower_bound - 1} gates"
    return tried.circuit or circuit, Bound(tried.lower_bound, refuted)


def proven(circuit: Circuit, function: Circuit | Target) -> Verdict:
    """The proof that a circuit computes what it should; if it does not, this package has a bug."""
    verdict = compare(circuit, function)
    if not verdict or not verdict.proof:
        raise AssertionError(f"a circuit was found that does not compute the same: {verdict}")
    return verdict
