"""Technology mapping: a circuit is rewritten with the gates that are allowed.

A gate of more than two inputs is first taken apart by Shannon's expansion on its last input. Each function of
two inputs then has a *spelling*, the shortest expression in the allowed gates. All spellings are found like
shortest paths: known spellings are combined by gates until none becomes shorter. What several spellings have
in common is merged afterwards (`simplify`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TypeAlias

from gatewalk.boolean.gates import GATES, Gate, GateSet
from gatewalk.boolean.small_tables import compose
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError, shown

WIDEST = 12  # inputs of the widest gate that is taken apart
A, B = 0b1010, 0b1100  # tables of the inputs, over two variables
Spelling: TypeAlias = "int | tuple[Gate, tuple[Spelling, ...]]"  # input 0 or 1, or a gate of spellings


def mapped(circuit: Circuit, gates: GateSet) -> Circuit:
    """Write a circuit with these gates only, and simplify it.

    If they cannot express a function of two inputs that the circuit needs, `InputError` is raised.

    >>> from gatewalk.boolean.gates import gate, gate_set
    >>> from gatewalk.circuit.circuit import Node
    >>> parity = Circuit(("x", "y"), (Node(gate("xor"), (0, 1)),), (2,), ("z",))
    >>> {node.gate.name for node in mapped(parity, gate_set("nand")).nodes}
    {'nand'}
    """
    allowed = frozenset(gates.gates)
    if any(node.gate not in allowed for node in circuit.nodes):
        circuit = _spelled(_narrowed(simplify(circuit), allowed), gates)
    return simplify(circuit, gates=gates)


def _narrowed(circuit: Circuit, allowed: frozenset[Gate]) -> Circuit:
    """The circuit with every gate taken apart that has more than two inputs and is not allowed."""
    draft = Draft(len(circuit.input_labels))
    source = list(range(draft.inputs))
    for node in circuit.nodes:
        reads = [source[s] for s in node.sources]
        if node.gate in allowed or node.gate.arity <= 2:
            source.append(draft.add(node.gate, reads))
        elif node.gate.arity > WIDEST:
            raise InputError(
                f"gate {shown(node.gate.name)} has {node.gate.arity} inputs; at most {WIDEST} can be mapped"
            )
        else:
            source.append(_expanded(draft, node.gate.table, reads))
    outputs = [source[s] for s in circuit.outputs]
    return draft.circuit(circuit.input_labels, outputs, circuit.output_labels)


def _expanded(draft: Draft, table: int, reads: list[int]) -> int:
    """Compute a table of these sources by gates of two inputs, by Shannon's expansion on the last source."""
    rows = 1 << len(reads)
    if table in (0, (1 << rows) - 1):
        return draft.constant(table & 1)
    if len(reads) == 1:
        return reads[0] if table == 0b10 else draft.add(GATES["not"], reads)
    if len(reads) == 2:
        return draft.add(_TWO_INPUT[table], reads)
    half = rows // 2
    everything = (1 << half) - 1
    low, high, last, rest = table & everything, table >> half, reads[-1], reads[:-1]
    if low == high:
        return _expanded(draft, low, rest)
    if low == high ^ everything:
        return draft.add(GATES["xor"], (last, _expanded(draft, low, rest)))
    for value, other, constant_name, name in (
        (low, high, 0, "and"),  # 0 unless last
        (low, high, everything, "cimply"),  # 1 unless last
        (high, low, 0, "nimply"),
        (high, low, everything, "or"),
    ):
        if value == constant_name:
            return draft.add(GATES[name], (_expanded(draft, other, rest), last))
    # If one cofactor implies the other, no negation is needed, and a monotone gate stays monotone.
    always_low, always_high = low & ~high == 0, high & ~low == 0
    when_high = _expanded(draft, high, rest)
    when_low = _expanded(draft, low, rest)
    if not always_high:
        when_high = draft.add(GATES["and"], (when_high, last))
    if not always_low:
        when_low = draft.add(GATES["nimply"], (when_low, last))
    return draft.add(GATES["or"], (when_high, when_low))


_TWO_INPUT = {gate.table: gate for gate in GATES.values() if gate.arity == 2}


def _spelled(circuit: Circuit, gates: GateSet) -> Circuit:
    """The circuit with every gate that is not allowed replaced by its spelling."""
    draft = Draft(len(circuit.input_labels))
    source = list(range(draft.inputs))
    for node in circuit.nodes:
        reads = [source[s] for s in node.sources]
        if node.gate in gates.gates:
            source.append(draft.add(node.gate, reads))
            continue
        operands = tuple((j, False) for j in range(node.gate.arity))
        spelling = spellings(gates).get(compose(node.gate.table, operands, 2))
        if spelling is None:
            raise InputError(
                f"the gates {gates} cannot do what {shown(node.gate.name)} does; allow more gates, "
                "or use --gates any"
            )
        source.append(_written(draft, spelling, reads or [0]))
    outputs = [source[s] for s in circuit.outputs]
    return draft.circuit(circuit.input_labels, outputs, circuit.output_labels)


def _written(draft: Draft, spelling: Spelling, reads: list[int]) -> int:
    if isinstance(spelling, int):
        return reads[min(spelling, len(reads) - 1)]
    gate, parts = spelling
    return draft.add(gate, [_written(draft, part, reads) for part in parts])


@lru_cache(maxsize=64)
def spellings(gates: GateSet) -> dict[int, Spelling]:
    """The shortest spelling of every function of two inputs that these gates can express, by its table."""
    shortest: dict[int, tuple[int, Spelling]] = {A: (0, 0), B: (0, 1)}  # by table: the size and the spelling
    improved = True
    while improved:
        improved = False
        for gate in gates.gates:
            for parts in product(tuple(shortest), repeat=gate.arity):
                table = _applied(gate, parts)
                size = 1 + sum(shortest[part][0] for part in parts)
                if table not in shortest or size < shortest[table][0]:
                    shortest[table] = (size, (gate, tuple(shortest[part][1] for part in parts)))
                    improved = True
    return {table: spelling for table, (_, spelling) in shortest.items()}


def _applied(gate: Gate, tables: tuple[int, ...]) -> int:
    """The table of a gate whose inputs are functions of two variables."""
    return sum(gate(*(table >> row & 1 for table in tables)) << row for row in range(4))
