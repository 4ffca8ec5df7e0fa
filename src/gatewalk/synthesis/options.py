"""What a minimisation is given: the gates it may use, the circuit it begins with, and its options."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Literal, get_args

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.table_targets import MOST_INPUTS
from gatewalk.boolean.targets import Target
from gatewalk.cgp.cgp_search import Mutation
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.construction import sum_of_products, target_circuit
from gatewalk.circuit.cost import Cost
from gatewalk.circuit.files import format_of, read_file
from gatewalk.circuit.library import gates_named
from gatewalk.circuit.own_targets import circuit_target, is_file, target
from gatewalk.errors import InputError, brief, whole_number
from gatewalk.search.scheduler import threads
from gatewalk.search.seeds import check_seed
from gatewalk.synthesis.free_inverters import has_free_inverters, merged
from gatewalk.synthesis.mapping import mapped

MOST_RUNS = 10_000

Method = Literal["resubstitution", "cgp"]
METHODS: tuple[Method, ...] = get_args(Method)
SLACKS = {"resubstitution": (4, 4), "cgp": (2, 1)}  # the default slack, and the extra of every second run
LARGE = 150  # gates; resubstitution has more slack in a circuit of more than that
LARGE_SLACK = 12


@dataclass(frozen=True, kw_only=True)
class Options:
    """How to search for a cheaper circuit.

    gates: those that may be used; the start must consist of them.
    price: what a circuit costs.
    slack: a circuit is accepted if it costs at most so many units (gates, levels or a price of 1) more than
        the best one; None is the default of the method, which is larger for large circuits. Every second run
        has a larger slack, because which slack works better depends on the circuit.
    nodes, mutation, offspring: as in `CgpSearch`, for the method "cgp". nodes: those of programs for the
        whole circuit; None chooses them by the size of the best circuit.
    seconds, evaluations: when to stop, the latter for each run; at least one is given.
    goal: a cost, in units of `Cost`, that cannot be improved on: reaching it ends the search.
    runs: the number of independent searches, of which the best counts.
    """

    gates: GateSet
    price: Cost
    method: Method = "resubstitution"
    slack: int | None = None
    nodes: int | None = None
    mutation: Mutation = field(default_factory=Sam)
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
        whole_number("lambda", self.offspring, least=1)
        if self.evaluations is not None:
            whole_number("evaluations", self.evaluations, least=1)
        if self.seconds is not None and not 0 < self.seconds < 1e9:
            raise InputError(f"seconds must be more than 0, not {self.seconds}")
        if self.seconds is None and self.evaluations is None:
            raise InputError("give a limit: seconds, evaluations or both")


def slack_of(options: Options, gates: int) -> int:
    """The slack of the first run from a circuit of so many gates: the one given, or the default."""
    if options.slack is not None:
        return options.slack
    is_large = options.method == "resubstitution" and gates > LARGE
    # A level of slack is much more than a gate: if levels come first, large circuits have no more of it.
    by_gates = options.price.gate_unit >= options.price.level_unit
    return LARGE_SLACK if is_large and by_gates else SLACKS[options.method][0]


def slack_units(options: Options, *, run: int, gates: int) -> int:
    """How much more than the best circuit an accepted circuit may cost in this run, in units of `Cost`.

    gates: those of the circuit at which the run begins.
    """
    more = SLACKS[options.method][1] if run % 2 else 0
    return (slack_of(options, gates) + more) * options.price.unit


AND_LIKE = ("and", "or", "nand", "nor", "nimply", "ncimply", "imply", "cimply")
# Gate sets in which complexity theory measures circuits. `any` is B2, the gates that depend on both of their
# two inputs (Knuth, TAOCP 7.1.2), with `not`. `aig` is U2, the gates that are an AND whose inputs and output
# may be negated: a circuit of g of them is an and-inverter graph of g nodes, where negations are free.
BASES: dict[str, tuple[str, ...]] = {
    "any": (*AND_LIKE, "xor", "xnor", "not"),
    "aig": AND_LIKE,
}


def basis(gates: str | GateSet) -> GateSet:
    """The gates that a circuit may use: "any", "aig", a list of names, or those of a .genlib file.

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
    can: then a sum of products is rewritten instead. For and/inverter graphs, gates that are equal up to
    negations are merged, if that makes the circuit smaller.
    """
    try:
        written = mapped(start.circuit, gates)
        if has_free_inverters(gates):
            return min(written, mapped(merged(written), gates), key=len)
        return written
    except InputError:
        if start.target is None:
            raise
        return mapped(sum_of_products(start.target), gates)
