"""From a tree to the circuit it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gatewalk.boolean.gates import Gate, GateSet, gate, is_symmetric
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.tgp.terminals import TerminalSet
from gatewalk.tgp.tree import Program, leaves_of


def circuit(
    program: Program,
    *,
    gates: GateSet,
    terminals: TerminalSet,
    input_labels: Sequence[str],
    output_labels: Sequence[str],
    empty: str = "never",
    merge: bool = False,
) -> Circuit:
    """The circuit of a tree, children before parents, left before right.

    A negated leaf becomes a `not` gate, and the empty program a constant.
    merge: make equal subexpressions one node; symmetric gates are equal whatever the order of their inputs.
    """
    nodes: list[Node] = []
    known: dict[tuple[str, tuple[int, ...]], int] = {}

    def add(one: Gate, sources: tuple[int, ...]) -> int:
        if not merge:
            nodes.append(Node(one, sources))
            return terminals.inputs + len(nodes) - 1
        key = (one.name, tuple(sorted(sources)) if is_symmetric(one) else sources)
        if key not in known:
            known[key] = terminals.inputs + len(nodes)
            nodes.append(Node(one, sources))
        return known[key]

    def read(terminal: int) -> int:
        if terminal < terminals.inputs:
            return terminal
        return add(gate("not"), (terminal - terminals.inputs,))

    if program.size:
        output = _in_order(program, gates, read, add)
    else:
        output = add(gate("const1" if empty == "true" else "const0"), ())
    return Circuit(tuple(input_labels), tuple(nodes), (output,), tuple(output_labels))


def _in_order(
    program: Program,
    gates: GateSet,
    read: Callable[[int], int],
    add: Callable[[Gate, tuple[int, ...]], int],
) -> int:
    """Add all nodes; returns the source of the root. There is no recursion, because trees can be deep."""
    leaves = leaves_of(program)
    terminals = program[1 : 1 + leaves].tolist()
    inner = program[1 + leaves :].reshape(leaves - 1, 3).tolist()
    done: list[int] = []
    stack = [(int(program[0]), False)]
    while stack:
        child, ready = stack.pop()
        if child < 0:
            done.append(read(terminals[-1 - child]))
        elif ready:
            right, left = done.pop(), done.pop()
            done.append(add(gates.gates[inner[child][0]], (left, right)))
        else:
            stack += [(child, True), (inner[child][2], False), (inner[child][1], False)]
    return done[0]
