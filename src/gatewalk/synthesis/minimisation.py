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
from gatewalk.boolean.table_targets import MOST_OUTPUTS
from gatewalk.boolean.targets import Target
from gatewalk.cgp.cgp_search import Mutation
from gatewalk.cgp.mutations import mutation_from_text
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import Cost, cost_units, price
from gatewalk.circuit.equivalence import EXHAUSTIVE_INPUTS, Verdict, equivalent
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.search.scheduler import OnProgress, progress_bar, threads
from gatewalk.synthesis import exact_synthesis
from gatewalk.synthesis.free_inverters import (
    FREE,
    NormalForm,
    counted_gates,
    from_normal_form,
    has_free_inverters,
    into_normal_form,
    merged,
    normal_form,
)
from gatewalk.synthesis.lower_bounds import Bound, lower_bound
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import METHODS, Method, Options, Start, basis, in_gates, slack_of, start_of
from gatewalk.synthesis.resubstitution import can_resubstitute
from gatewalk.synthesis.searchers import is_searched_whole, search_cheaper
from gatewalk.synthesis.windows import MOST_GATES as WINDOW_GATES

DEFAULT_SECONDS = 10.0
PROOF_SECONDS = 60.0  # at most, if no seconds are given
SHARE_BEFORE_PROOF = 0.5  # what the search takes of the seconds and of the progress if a proof is to follow


@dataclass(frozen=True, kw_only=True, repr=False)
class Minimised:
    """The result of `minimise`: a circuit that was made smaller, with the proof that it is still right.

    name: what was minimised, a file or a target.
    before, circuit: the circuit at the start, written in the gates that could be used if it has others, and
        the cheapest one.
    price, gates: what was counted, and the gates that could be used.
    verdict: the proof that both circuits compute the same.
    bound: the fewest gates that any circuit needs, and why; None if none is known or if something else was
        counted.
    evaluations, seconds: how many circuits were tried, and how long it took.
    method, slack: as given, or as chosen where nothing was given.
    interrupted: whether Ctrl-C ended the search.

    >>> from gatewalk import minimise
    >>> result = minimise("maj:3", evaluations=2000, seed=1)
    >>> len(result.circuit), result.verdict.equal
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
    def counted_before(self) -> Circuit:
        """What counts of the circuit at the start: of an and/inverter graph the gates without inverters."""
        return _counted(self.before, self.gates, self.price)

    @property
    def counted(self) -> Circuit:
        """What counts of the circuit: of an and/inverter graph the gates without inverters."""
        return _counted(self.circuit, self.gates, self.price)

    @property
    def cost(self) -> float:
        """What the circuit costs: its gates, its levels, or the sum of its prices."""
        return cost_units(self.price, self.counted) / self.price.unit

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no circuit has fewer gates."""
        return self.bound is not None and len(self.counted) <= self.bound.gates

    @property
    def record(self) -> dict[str, Any]:
        """The result as a dictionary of values that JSON can hold."""
        return {
            "circuit": self.name,
            "gates_before": len(self.counted_before),
            "gates_after": len(self.counted),
            "depth_before": self.counted_before.depth,
            "depth_after": self.counted.depth,
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
        before, counted = self.counted_before, self.counted
        free = _counts_no_inverters(self.gates, self.price)
        inverters = sum(node.gate in FREE for node in self.circuit.nodes) if free else 0
        counts = self.circuit.counts.items()
        kinds = ", ".join(f"{count} {name}" for name, count in counts if not (free and GATES[name] in FREE))
        lines = [
            f"{self.name}: {len(before)} gates before, {len(counted)} now ({kinds or 'wires only'}), "
            f"depth {counted.depth}",
            f"{self.verdict}; {self.evaluations:,} circuits tried in {self.seconds:.1f} s",
        ]
        if inverters:
            lines.insert(
                1, f"not counted, as in and/inverter graphs: {inverters} negated or constant outputs"
            )
        if self.price.text != "gates":
            begun = cost_units(self.price, before) / self.price.unit
            lines.insert(1, f"cost ({self.price.text}): {begun:g} before, {self.cost:g} now")
        if self.is_optimal and self.bound is not None:
            lines.append(f"there is no smaller circuit of these gates: {self.bound.reason}")
        elif self.bound is not None and self.bound.gates > 0:
            lines.append(f"at least {self.bound.gates} gates are needed: {self.bound.reason}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        before, now = len(self.counted_before), len(self.counted)
        return f"<Minimised {self.name}: {before} -> {now} gates, {self.verdict}>"


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
    mutation: str | Mutation | None = None,
    offspring: int | None = None,
    runs: int = 2,
    jobs: int | None = None,
    seed: int = 0,
    prove: bool = False,
    library: str | None = None,
    on_progress: OnProgress | None = None,
) -> Minimised:
    """Make a circuit smaller without changing what it computes.

    Ctrl-C ends the search; the best circuit so far is proven and returned. After two seconds a bar shows how
    far the search is, on a terminal or in a notebook.

    what: a circuit, the file of one, or a target. A built-in target begins with the circuit of its rule, any
        other with a sum of products or a decision diagram. Don't-care rows of a PLA may take any value.
    gates: those that may be used: "any" (all gates of two inputs, and not), "aig" (those that are an AND with
        negations; as in and/inverter graphs, negations of outputs are not counted) or a gate set such as
        "nand,not".
    cost: what to minimise: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate, as in
        {"nand": 1, "xor": 2.5}.
    seconds, evaluations: when to stop, after so many seconds, or after so many circuits in each run; by
        default after 10 seconds. With `evaluations` and without `seconds`, the result depends neither on the
        clock nor on the threads.
    method: "resubstitution", a random walk in which each step computes one gate from other sources; "cgp",
        the loop of Cartesian GP, which accepts programs that are cheaper or at most a little dearer than the
        best one; or "auto", resubstitution unless there are gates of more than two inputs.
    slack: the search also continues from circuits that cost at most so much more than the best one. The
        default is 4, and 12 if the circuit begins with more than 150 gates (2 with the method "cgp").
    nodes, mutation, offspring: options of the method "cgp": see `gatewalk.evolve`.
    runs: how many independent searches, of which the best result is returned.
    prove: whether to ask a SAT solver if fewer gates suffice. It gets half of `seconds`, or up to a minute
        if none are given. This is possible for up to eight inputs if the cost is the number of gates. If the
        solver finishes in time, the circuit is proven to be a smallest one.
    library: a genlib file with the cells of a BLIF file that has .gate lines.
    on_progress: told the share done and a few words several times a second, in place of the bar.

    >>> result = minimise("mul:2", evaluations=200_000, seed=1)
    >>> len(result.circuit), result.verdict.proof
    (7, True)
    """
    began = time.perf_counter()
    allowed, priced = basis(gates), price(cost)
    start = start_of(what, library=library)
    _check_solver(start, allowed, priced, prove=prove)
    searched = _searched(allowed, priced)
    chosen = _method(method, searched)
    of_cgp = {"nodes": nodes, "mutation": mutation, "offspring": offspring}
    given: dict[str, Any] = {name: value for name, value in of_cgp.items() if value is not None}
    if given and chosen != "cgp":
        raise InputError(f"{', '.join(given)}: for the method cgp only; use method cgp, or remove them")
    if isinstance(mutation, str):
        given["mutation"] = mutation_from_text(mutation)
    free = _counts_no_inverters(allowed, priced)
    usable = GateSet((*allowed.gates, *FREE)) if free else allowed
    written = in_gates(start, searched)
    form = None
    if free and start.target is not None and start.target.outputs <= MOST_OUTPUTS:
        form = normal_form(start.target)
    begun = written if form is None else mapped(into_normal_form(written, form), searched)
    function = start.target if form is None else form.target
    bound = None
    if priced.text == "gates" and start.target is not None:
        bound = lower_bound(start.target, gates=allowed, free_inverters=free)
    share = SHARE_BEFORE_PROOF if prove else 1.0
    limit = DEFAULT_SECONDS if seconds is None and evaluations is None else seconds
    options = Options(
        gates=searched,
        price=priced,
        method=chosen,
        slack=slack,
        seconds=limit if seconds is None else share * seconds,
        evaluations=evaluations,
        goal=0 if bound is None else bound.gates,
        runs=runs,
        jobs=threads(jobs),
        seed=seed,
        **given,
    )
    with progress_bar(start.name, on_progress) as show:
        result = search_cheaper(
            begun, options, target=function, on_progress=lambda done, words: show(share * done, words)
        )
        interrupted = result.interrupted
        # The search goes through other circuits of the same price; if none is cheaper, the start stays.
        cheapest = result.circuit if result.units < cost_units(priced, begun) else begun
        circuit = _finished(cheapest, form, allowed, priced)
        if prove and bound is not None and function is not None and not interrupted:
            try:
                circuit, bound = proof_of_size(
                    circuit,
                    function,
                    form,
                    bound,
                    allowed,
                    seconds=PROOF_SECONDS if seconds is None else seconds - share * seconds,
                    on_progress=lambda done, words: show(share + (1 - share) * done, f"proof: {words}"),
                )
            except KeyboardInterrupt:  # what the search found is not lost
                interrupted = True
    return Minimised(
        name=start.name,
        before=start.circuit if _is_written_in(start.circuit, usable) else written,
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
        slack=slack_of(options, len(begun) if is_searched_whole(begun, function, chosen) else WINDOW_GATES),
        interrupted=interrupted,
    )


def _check_solver(start: Start, gates: GateSet, priced: Cost, *, prove: bool) -> None:
    """Refuse, before the search, a proof that cannot be had after it."""
    inputs = len(start.circuit.input_labels)
    if prove:
        need("pysat", "exact synthesis")
        if priced.text != "gates":
            raise InputError(
                f"only a number of gates is proven smallest, not cost {priced.text}; leave out prove"
            )
        if inputs > exact_synthesis.MOST_INPUTS:
            raise InputError(
                f"a circuit is proven smallest up to {exact_synthesis.MOST_INPUTS} inputs, not {inputs}; "
                "leave out prove"
            )
        exact_synthesis.repertoire(gates)  # refuses gates of many inputs
    if inputs > EXHAUSTIVE_INPUTS:
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


def _searched(gates: GateSet, priced: Cost) -> GateSet:
    """The gates for the search: without `not` if a nand or nor that reads one input twice costs the same."""
    others = tuple(gate for gate in gates.gates if gate != GATES["not"])
    is_spare = priced.weights is None and any(gate in (GATES["nand"], GATES["nor"]) for gate in others)
    return GateSet(others) if is_spare else gates


def _counts_no_inverters(gates: GateSet, priced: Cost) -> bool:
    """Whether circuits are and/inverter graphs, in which every gate costs the same and inverters nothing."""
    return has_free_inverters(gates) and priced.weights is None


def _counted(circuit: Circuit, gates: GateSet, priced: Cost) -> Circuit:
    """What counts of a circuit."""
    return counted_gates(circuit) if _counts_no_inverters(gates, priced) else circuit


def _is_written_in(circuit: Circuit, gates: GateSet) -> bool:
    return {node.gate for node in circuit.nodes} <= set(gates.gates)


def _finished(circuit: Circuit, form: NormalForm | None, gates: GateSet, priced: Cost) -> Circuit:
    """The circuit of the function itself, simplified where that costs no more."""
    given = circuit if form is None else from_normal_form(circuit, form)
    free = _counts_no_inverters(gates, priced)
    simplified = given.simplify(gates=GateSet((*gates.gates, *FREE)) if free else gates)
    candidates = (simplified, given, merged(simplified)) if free else (simplified, given)
    return min(candidates, key=lambda circuit: cost_units(priced, _counted(circuit, gates, priced)))


def proof_of_size(
    circuit: Circuit,
    function: Target,
    form: NormalForm | None,
    bound: Bound,
    gates: GateSet,
    *,
    seconds: float,
    on_progress: OnProgress,
) -> tuple[Circuit, Bound]:
    """A smaller circuit if SAT finds one in time, else the given one; and the lower bound known by then.

    function: what is searched for, in normal form if there is one.
    """
    size = len(_counted(circuit, gates, price()))
    if size <= bound.gates:
        return circuit, bound
    tried = exact_synthesis.smallest(
        function, gates=gates, at_most=size - 1, seconds=seconds, on_progress=on_progress
    )
    if tried.circuit is not None:
        circuit = _finished(tried.circuit, form, gates, price())
    if tried.lower_bound > bound.gates and (form is None or form.is_unique):
        bound = Bound(tried.lower_bound, f"SAT refutes circuits of {tried.lower_bound - 1} gates")
    return circuit, bound


def proven(circuit: Circuit, function: Circuit | Target) -> Verdict:
    """The proof that a circuit computes what it should; if it does not, this package has a bug."""
    verdict = equivalent(circuit, function)
    if not verdict or not verdict.proof:
        raise AssertionError(f"a circuit was found that does not compute the same: {verdict}")
    return verdict
