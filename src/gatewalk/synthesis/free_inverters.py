"""And/inverter graphs as the field counts them: a negated output costs no gate, and neither does a constant.

If every AND with negations is a gate, no gate has to read an inverter. Inverters are only needed at outputs:
where an output is the negation of an input, or of what another output computes. To count none of these, the
search is given the *normal form* of a target, in which all inputs and outputs are 0 on a chosen row. An
output and its negation have the same normal form, and that of a negated input is the input. The circuit that
is found then gets its `not` gates, which do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from gatewalk.boolean.gates import GATES, GateSet
from gatewalk.boolean.small_tables import column, compose
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.targets import Target, target_tables
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.formats.aiger import circuit_of_graph, graph_of

AND_LIKE = {
    gate.table: gate for gate in GATES.values() if gate.arity == 2 and gate.table.bit_count() in (1, 3)
}
FREE = tuple(GATES[name] for name in ("not", "const0", "const1"))


def has_free_inverters(gates: GateSet) -> bool:
    """Whether these are exactly the gates of and/inverter graphs.

    >>> from gatewalk.boolean.gates import gate_set
    >>> has_free_inverters(gate_set("and,not"))
    False
    """
    return set(gates.gates) == set(AND_LIKE.values())


def merged(circuit: Circuit) -> Circuit:
    """The circuit with gates merged that are equal up to negations; negated outputs have `not` gates."""
    return circuit_of_graph(graph_of(circuit), circuit.input_labels, circuit.output_labels)


def counted_gates(circuit: Circuit) -> Circuit:
    """The and gates that count: the circuit without the inverters and constants at its outputs."""
    graph = graph_of(circuit)
    graph.outputs = [max(2, literal & ~1) for literal in graph.outputs]  # a constant becomes an input
    return circuit_of_graph(graph, circuit.input_labels, circuit.output_labels)


@dataclass(frozen=True)
class NormalForm:
    """What a circuit computes if these inputs and outputs of it are negated, and constants left out.

    target: this function. It has the first input in place of a constant.
    inputs, outputs: those that are negated.
    constants: the value of each output that is constant on the rows that count.
    is_unique: whether there is a row on which all outputs count. If not, other choices of the negated
        outputs may allow smaller circuits.
    """

    target: Target
    inputs: frozenset[int]
    outputs: frozenset[int]
    constants: Mapping[int, int]
    is_unique: bool


def normal_form(target: Target) -> NormalForm:
    """The normal form of a target of at most `MOST_INPUTS` inputs and `MOST_OUTPUTS` outputs, as of a table.

    >>> from gatewalk.boolean.targets import family_target
    >>> normal_form(family_target("nand:2")).outputs
    frozenset({0})
    """
    tables = target_tables(target)
    constants = {
        h: int(value > 0)
        for h, (value, care) in enumerate(zip(tables.values, tables.cares, strict=True))
        if value in (0, care)
    }
    common = tables.everything
    for h, care in enumerate(tables.cares):
        common &= tables.everything if h in constants else care
    row = max(0, _lowest(common))
    columns = [column(tables.inputs, j) for j in range(tables.inputs)]
    values, cares, negated = [], [], set()
    for h, (value, care) in enumerate(zip(tables.values, tables.cares, strict=True)):
        value, care = (_moved(table, row, columns) for table in (value, care))
        if h in constants:
            value = columns[0]
        elif value & 1 if care & 1 else care ^ value in [ones & care for ones in columns]:
            negated.add(h)
            value ^= tables.everything
        values.append(value & care)
        cares.append(care)
    made = replace(
        table_target(values, tables.inputs, cares=cares),
        input_labels=target.input_labels,
        output_labels=target.output_labels,
    )
    flipped = frozenset(j for j in range(tables.inputs) if row >> j & 1)
    return NormalForm(made, flipped, frozenset(negated), constants, common != 0)


def _lowest(rows: int) -> int:
    """The first of these rows; -1 if there is none."""
    return (rows & -rows).bit_length() - 1


def _moved(table: int, row: int, columns: list[int]) -> int:
    """The table with the inputs negated that are 1 on the row, which thereby becomes row 0."""
    for j, ones in enumerate(columns):
        if row >> j & 1:
            table = (table & ones) >> (1 << j) | (table & ~ones) << (1 << j)
    return table


def into_normal_form(circuit: Circuit, form: NormalForm) -> Circuit:
    """The circuit of and-like gates in normal form; it may have `not` gates at outputs."""
    outputs = [0 if h in form.constants else source for h, source in enumerate(circuit.outputs)]
    bare = Circuit(circuit.input_labels, circuit.nodes, tuple(outputs), circuit.output_labels)
    negated = form.outputs | form.constants.keys() if 0 in form.inputs else form.outputs
    return _negated(bare, form.inputs, negated, {})


def from_normal_form(circuit: Circuit, form: NormalForm) -> Circuit:
    """The circuit of the function itself, from a circuit of and-like gates in normal form."""
    return _negated(circuit, form.inputs, form.outputs, form.constants)


def _negated(
    circuit: Circuit, inputs: Collection[int], outputs: Collection[int], constants: Mapping[int, int]
) -> Circuit:
    """The circuit with these inputs and outputs negated: by other gates where possible, else by `not`."""
    n = len(circuit.input_labels)
    asked: dict[int, set[bool]] = {}  # how each source is asked for by outputs: as it is, negated, or both
    for h, source in enumerate(circuit.outputs):
        if h not in constants:
            asked.setdefault(source, set()).add(h in outputs)
    draft = Draft(n)
    is_negated = [j in inputs for j in range(n)]
    for number, node in enumerate(circuit.nodes, start=n):
        operands = tuple((place, is_negated[source]) for place, source in enumerate(node.sources))
        table = compose(node.gate.table, operands, 2)
        is_negated.append(asked.get(number) == {True})
        draft.add(AND_LIKE[table ^ 15 if is_negated[-1] else table], node.sources)
    made = []
    for h, source in enumerate(circuit.outputs):
        if h in constants:
            made.append(draft.constant(constants[h]))
        else:
            made.append(draft.negation(source) if (h in outputs) != is_negated[source] else source)
    return draft.circuit(circuit.input_labels, made, circuit.output_labels)
