"""What a minimisation is given: the gates it may use, the circuit it begins with, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Literal, get_args

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.table_targets import MOST_INPUTS
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import Cost
from gatewalk.circuit.files import format_of, read_file
from gatewalk.circuit.library import gates_named
from gatewalk.circuit.own_targets import circuit_target, is_file, target
from gatewalk.circuit.target_circuit import sum_of_products, target_circuit
from gatewalk.errors import InputError, brief, whole_number
from gatewalk.search.scheduler import threads
from gatewalk.search.session import check_seed
from gatewalk.synthesis.mapping import mapped

MOST_RUNS = 10_000

Method = Literal["resubstitution", "cgp"]
METHODS: tuple[Method, ...] = get_args(Method)
SLACKS = {"resubstitution": (4, 4), "cgp": (2, 1)}  # the default slack, and the extra of every second run


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to search for a cheaper circuit.

    gates: those that may be used; the start must consist of them. price: what a circuit costs.

    slack: a circuit is accepted if it costs at most so many units (gates, levels or a price of 1) more than
    the best one; None is the default of the method. Every second run has a larger slack, because which slack
    works better depends on the circuit.

    nodes, mutation, offspring: options of the method "cgp", as in `gatewalk.evolve`. nodes: those of programs
    for the whole circuit; None chooses them by the size of the best circuit.

    seconds, evaluations: when to stop, the latter for each run; at least one is given. goal: a cost, in units
    of `Cost`, that cannot be improved on: reaching it ends the search.

    runs, jobs, seed: how many independent searches, of which the best counts; how many threads; the seed.
    """

    gates: GateSet
    price: Cost
    method: Method = "resubstitution"
    slack: int | None = None
    nodes: int | None = None
    mutation: str = "sam"
    offspring: int = 1
    seconds: float | None = None
    evaluations: int | None = None
    goal: int = 0
    runs: int = 2
    jobs: int = field(default_factory=threads)
    seed: int = 0

    def __post_init__(self) -> None:
        if self.slack is not None:
            whole_number("slack", self.slack, least=0, most=1000)
        whole_number("runs", self.runs, least=1, most=MOST_RUNS)
        threads(self.jobs)  # checks it
        check_seed(self.seed)
        if self.nodes is not None:
            whole_number("nodes", self.nodes, least=1, most=1 << 19)
        if self.evaluations is not None:
            whole_number("evaluations", self.evaluations, least=1)
        if self.seconds is not None and not 0 < self.seconds < 1e9:
            raise InputError(f"seconds must be more than 0, not {self.seconds}")
        if self.seconds is None and self.evaluations is None:
            raise InputError("give a limit: seconds, evaluations or both")


def slack_units(options: Options, *, run: int) -> int:
    """How much more than the best circuit an accepted circuit may cost in this run, in units of `Cost`."""
    slack, more = SLACKS[options.method]
    if options.slack is not None:
        slack = options.slack
    return (slack + (more if run % 2 else 0)) * options.price.unit


@dataclass(frozen=True)
class Progress:
    """How far a search is. gates: those of the best circuit so far."""

    gates: int
    evaluations: int
    seconds: float


Watch = Callable[[Progress], None]

AND_LIKE = ("and", "or", "nand", "nor", "nimply", "ncimply", "imply", "cimply")
# Gate sets in which complexity theory measures circuits. `any` is B2, the gates that depend on both of their
# two inputs (Knuth, TAOCP 7.1.2), with `not`. `aig` is U2, the gates that are an AND whose inputs and output
# may be negated: a circuit of g of them is an and-inverter graph of g nodes, where negations are free.
BASES: dict[str, tuple[str, ...]] = {
    "any": (*AND_LIKE, "xor", "xnor", "not"),
    "aig": AND_LIKE,
}


def basis(gates: str | GateSet) -> GateSet:
    """The gates that a circuit may use, by name.

    Parameters
    ----------
    gates
        "any", "aig" or another named basis, a list of gates, or the path of a .genlib file.

    Returns
    -------
    GateSet
        The gates.

    Examples
    --------
    >>> len(basis("any")), basis("and,or").names
    (11, ('and', 'or'))
    """
    if isinstance(gates, GateSet):
        return gates
    named = BASES.get(gates.strip().lower())
    return gates_named(gates) if named is None else gate_set(named)


@dataclass(frozen=True)
class Start:
    """The circuit as it was given, and the function that all smaller circuits must compute.

    target: this function; None if it has too many inputs for a table. Then the circuit itself defines it.
    """

    name: str
    circuit: Circuit
    target: Target | None

    @property
    def function(self) -> Circuit | Target:
        """What results are compared with."""
        return self.circuit if self.target is None else self.target


def start_of(what: str | PathLike[str] | Circuit | Target, *, library: str | None = None) -> Start:
    """The start for the file of a circuit, the name of a target, a circuit or a target.

    A built-in target begins with the circuit of its rule, any other function with a sum of products.
    Don't-care rows of a PLA do not count. library: a genlib file with the cells of a BLIF file.
    """
    if isinstance(what, Circuit):
        return _of_circuit(what, "the circuit")
    if isinstance(what, Target) or (isinstance(what, str) and not is_file(what)):
        return _of_target(target(what))
    path = Path(what)
    if format_of(path).read_target is not None:
        return Start(str(path), read_file(path), target(str(path)))
    return _of_circuit(read_file(path, library=library), str(path))


def _of_circuit(circuit: Circuit, name: str) -> Start:
    if not circuit.outputs or not circuit.input_labels:
        raise InputError(f"{name} has no inputs or no outputs, so there is nothing to minimise")
    is_table = len(circuit.input_labels) <= MOST_INPUTS
    return Start(name, circuit, circuit_target(circuit) if is_table else None)


def _of_target(given: Target) -> Start:
    return Start(brief(given.name), target_circuit(given), given if given.inputs <= MOST_INPUTS else None)


def in_gates(start: Start, gates: GateSet) -> Circuit:
    """The start rewritten with these gates.

    If a gate of the circuit cannot be expressed in them, such as xor in {and, or}, its function perhaps still
    can: then a sum of products is rewritten instead.
    """
    try:
        return mapped(start.circuit, gates)
    except InputError:
        if start.target is None:
            raise
        return mapped(sum_of_products(start.target), gates)
