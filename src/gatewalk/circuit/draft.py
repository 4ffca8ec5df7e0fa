"""A circuit in the making: gates are added one by one, each after those it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError

MOST_GATES = 1 << 22


@dataclass
class Draft:
    """The gates so far of a circuit of that many inputs, and which source is the negation of which."""

    inputs: int
    nodes: list[Node] = field(default_factory=list)
    negations: dict[int, int] = field(default_factory=dict)


def add(draft: Draft, gate: Gate, sources: Sequence[int]) -> int:
    """Put a gate into the circuit and tell its source number."""
    if len(draft.nodes) >= MOST_GATES:
        raise InputError(f"the circuit has more than {MOST_GATES:,} gates, the most that Gatewalk reads")
    draft.nodes.append(Node(gate, tuple(sources)))
    return draft.inputs + len(draft.nodes) - 1


def constant(draft: Draft, value: int) -> int:
    """A gate that is 0 or 1 always."""
    return add(draft, GATES["const1" if value else "const0"], ())


def negation(draft: Draft, source: int) -> int:
    """The negation of a source: the not gate that reads it already, or a new one."""
    if source not in draft.negations:
        draft.negations[source] = add(draft, GATES["not"], (source,))
    return draft.negations[source]


def balanced(draft: Draft, gate: Gate, sources: Sequence[int]) -> int:
    """A tree of gates of two inputs, as flat as can be, over at least one source."""
    level = list(sources)
    while len(level) > 1:
        pairs = [add(draft, gate, pair) for pair in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[2 * len(pairs) :]
    return level[0]


def finished(
    draft: Draft, input_labels: Iterable[str], outputs: Iterable[int], output_labels: Iterable[str]
) -> Circuit:
    """The circuit of all gates added."""
    return Circuit(tuple(input_labels), tuple(draft.nodes), tuple(outputs), tuple(output_labels))
