"""Lower bounds on the number of gates that a function needs, each with its reason, found without search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.small_tables import column, support
from gatewalk.boolean.targets import Target, TargetTables, target_tables
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError

MOST_INPUTS = 16


@dataclass(frozen=True)
class Bound:
    """A lower bound on the number of gates: fewer do not suffice, for this reason.

    >>> from gatewalk.synthesis import lower_bound
    >>> lower_bound("maj:3", gates="and,or,not").gates
    2
    """

    gates: int
    reason: str


def lower_bound(what: object, *, gates: str | GateSet, free_inverters: bool = False) -> Bound:
    """The best lower bound on the number of gates that is known without a search.

    what: whatever `gatewalk.target` takes, with at most `MOST_INPUTS` inputs.
    free_inverters: whether negations of outputs, and constants, are not counted.

    >>> lower_bound("xor:3", gates="and,or,not")
    Bound(gates=6, reason='y is a parity of 3 inputs: without xor 3 gates for each but one')
    """
    tables = tables_of_few_inputs(target(what), most_inputs=MOST_INPUTS, purpose="a lower bound")
    listed = gate_set(gates) if isinstance(gates, str) else gates
    return max(lower_bounds(tables, listed, free_inverters), key=lambda bound: bound.gates)


def tables_of_few_inputs(function: Target, *, most_inputs: int, purpose: str) -> TargetTables:
    """The tables of a target. More than `most_inputs` inputs raise `InputError` with `purpose` as subject."""
    if function.inputs > most_inputs:
        raise InputError(f"{purpose} handles at most {most_inputs} inputs, not {function.inputs}")
    return target_tables(function)


def essential(tables: TargetTables, output: int) -> tuple[int, ...]:
    """The inputs on which an output depends: each tells two rows apart that count."""
    return support(tables.values[output], tables.inputs, cares=tables.cares[output])


def lower_bounds(tables: TargetTables, gates: GateSet, free_inverters: bool = False) -> Iterator[Bound]:
    """Every bound that applies."""
    computed = _computed(tables, free_inverters)
    yield Bound(0, "nothing is known that it needs")
    yield from _one_output(tables, gates)
    yield from _all_inputs(tables, gates, computed)
    yield _different_outputs(tables, computed, free_inverters)
    yield from _parities(tables, gates)


def _one_output(tables: TargetTables, gates: GateSet) -> Iterator[Bound]:
    """A tree of g gates of k inputs has at most g(k - 1) + 1 leaves."""
    for h, label in enumerate(tables.output_labels):
        inputs = len(essential(tables, h))
        if inputs >= 2:
            needed = -(-(inputs - 1) // max(1, gates.arity - 1))
            yield Bound(
                needed, f"{label} depends on {inputs} inputs, and a gate joins at most {gates.arity} sources"
            )


def _all_inputs(tables: TargetTables, gates: GateSet, computed: list[int]) -> Iterator[Bound]:
    """g gates of k inputs read g k sources: every essential input, and every gate that is no output."""
    inputs = {j for h in computed for j in essential(tables, h)}
    ends = len({(tables.values[h], tables.cares[h]) for h in computed})
    needed = -(-(len(inputs) - ends) // max(1, gates.arity - 1))
    if needed > 0:
        yield Bound(needed, f"{ends} outputs depend on {len(inputs)} inputs, each of which some gate reads")


def _computed(tables: TargetTables, free_inverters: bool) -> list[int]:
    """The outputs that take a gate: they do not equal an input."""
    sources = [column(tables.inputs, j) for j in range(tables.inputs)]
    if free_inverters:
        sources.append(0)
    return [
        h
        for h, (value, care) in enumerate(zip(tables.values, tables.cares, strict=True))
        if all(_differ(value, source, care, free_inverters) for source in sources)
    ]


def _differ(one: int, other: int, care: int, free_inverters: bool) -> bool:
    """Whether two tables differ on these rows; with free inverters, also from each other's negations."""
    difference = (one ^ other) & care
    return difference != 0 and not (free_inverters and difference == care)


def _different_outputs(tables: TargetTables, computed: list[int], free_inverters: bool) -> Bound:
    """Outputs that must all differ from each other and from every input take one gate each."""
    chosen: list[int] = []
    for h in computed:
        if all(
            _differ(tables.values[h], tables.values[g], tables.cares[h] & tables.cares[g], free_inverters)
            for g in chosen
        ):
            chosen.append(h)
    negated = ", nor negations" if free_inverters else ""
    return Bound(len(chosen), f"{len(chosen)} outputs are no inputs{negated} and no two of them are the same")


def _parities(tables: TargetTables, gates: GateSet) -> Iterator[Bound]:
    """Without xor and xnor parity takes 3(v - 1) gates.

    Schnorr, "Zwei lineare untere Schranken für die Komplexität Boolescher Funktionen", Computing 13, 1974.
    """
    if gates.arity > 2 or any(gate.arity == 2 and gate.table in (0b0110, 0b1001) for gate in gates.gates):
        return
    for h, label in enumerate(tables.output_labels):
        inputs = essential(tables, h)
        if tables.is_complete(h) and len(inputs) >= 2 and _is_parity(tables, h, inputs):
            yield Bound(
                3 * (len(inputs) - 1),
                f"{label} is a parity of {len(inputs)} inputs: without xor 3 gates for each but one",
            )


def _is_parity(tables: TargetTables, output: int, inputs: tuple[int, ...]) -> bool:
    parity = 0
    for j in inputs:
        parity ^= column(tables.inputs, j)
    return tables.values[output] in (parity, parity ^ tables.everything)
