"""And-inverter graphs: a circuit of and gates of two inputs whose wires may negate.

A literal is twice a variable's number, plus 1 if negated; variable 0 is the constant 0, then come the
inputs, then the and gates. Equal gates are built once (structural hashing: A. Kuehlmann and F. Krohm,
"Equivalence checking using cuts and heaps", 1997).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.draft import Draft, add, constant, finished, negation

_FEW = 4  # up to so many operands, all their orders are tried

# An and gate by which of its two literals are negated.
_GATE = {(0, 0): "and", (0, 1): "nimply", (1, 0): "ncimply", (1, 1): "nor"}


@dataclass
class Aig:
    """An and-inverter graph. ands[k]: the two literals whose conjunction is variable inputs + 1 + k.

    The larger literal comes first. known: the literal of every and gate, by the two that it reads.
    """

    inputs: int
    ands: list[tuple[int, int]] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    known: dict[tuple[int, int], int] = field(default_factory=dict)


def conjunction(aig: Aig, a: int, b: int) -> int:
    """The literal of the conjunction of a and b: an existing and gate if there is one, else a new one."""
    if a < b:
        a, b = b, a
    if b == 0 or a == b ^ 1:
        return 0
    if b == 1 or a == b:
        return a
    if (a, b) not in aig.known:
        aig.ands.append((a, b))
        aig.known[a, b] = 2 * (aig.inputs + len(aig.ands))
    return aig.known[a, b]


def of_circuit(circuit: Circuit) -> Aig:
    """The graph of a circuit."""
    aig = Aig(len(circuit.input_labels))
    literals = [2 * (i + 1) for i in range(aig.inputs)]
    for node in circuit.nodes:
        operands = [literals[source] for source in node.sources]
        order = _best_order(node.gate.arity, node.gate.table)
        permuted = _permuted(node.gate.table, order)
        literals.append(_expanded(aig, permuted, [operands[j] for j in order]))
    aig.outputs = [literals[source] for source in circuit.outputs]
    return aig


@cache
def _best_order(arity: int, table: int) -> tuple[int, ...]:
    """The order of a gate's operands in which the expansion takes the fewest and gates."""
    first = tuple(range(arity))
    if arity > _FEW:
        return first

    def gates(order: tuple[int, ...]) -> int:
        alone = Aig(arity)
        _expanded(alone, _permuted(table, order), [2 * (j + 1) for j in order])
        return len(alone.ands)

    return min(permutations(first), key=gates)


def _permuted(table: int, order: Sequence[int]) -> int:
    """The table of the gate whose operand k is operand order[k] of the gate given."""
    found = 0
    for row in range(1 << len(order)):
        original = sum((row >> k & 1) << j for k, j in enumerate(order))
        found |= (table >> original & 1) << row
    return found


def _expanded(aig: Aig, table: int, operands: Sequence[int]) -> int:
    """The literal of a gate, by Shannon's expansion on its last operand; the recursion is `arity` deep."""
    if not operands:
        return table
    rows = 1 << (len(operands) - 1)
    everything = (1 << rows) - 1
    low = _expanded(aig, table & everything, operands[:-1])
    if table >> rows == table & everything ^ everything:
        high = low ^ 1
    else:
        high = _expanded(aig, table >> rows, operands[:-1])
    if low == high:
        return low
    select = operands[-1]
    if high == 1:
        return conjunction(aig, select ^ 1, low ^ 1) ^ 1
    if low == 1:
        return conjunction(aig, select, high ^ 1) ^ 1
    one, other = conjunction(aig, select, high), conjunction(aig, select ^ 1, low)
    return conjunction(aig, one ^ 1, other ^ 1) ^ 1


def to_circuit(aig: Aig, input_labels: Sequence[str], output_labels: Sequence[str]) -> Circuit:
    """The circuit of a graph; an and with negated inputs becomes one gate, a negated output a not gate."""
    draft = Draft(aig.inputs)
    place = {i + 1: i for i in range(aig.inputs)}

    def source(variable: int) -> int:
        if variable == 0 and 0 not in place:
            place[0] = constant(draft, 0)
        return place[variable]

    for k, (a, b) in enumerate(aig.ands):
        gate = GATES[_GATE[a & 1, b & 1]]
        place[aig.inputs + 1 + k] = add(draft, gate, (source(a >> 1), source(b >> 1)))
    outputs = []
    for literal in aig.outputs:
        if literal == 1:
            outputs.append(constant(draft, 1))
        else:
            value = source(literal >> 1)
            outputs.append(negation(draft, value) if literal & 1 else value)
    return finished(draft, input_labels, outputs, output_labels)
