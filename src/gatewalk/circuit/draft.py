"""A circuit under construction: gates are added one by one, each after those it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError

MOST_GATES = 1 << 22


@dataclass
class Draft:
    """The gates added so far to a circuit of `inputs` inputs. negations: known negations of sources."""

    inputs: int
    nodes: list[Node] = field(default_factory=list)
    negations: dict[int, int] = field(default_factory=dict)


def add(draft: Draft, gate: Gate, sources: Sequence[int]) -> int:
    """Add a gate; returns its source number."""
    if len(draft.nodes) >= MOST_GATES:
        raise InputError(f"the circuit has more than {MOST_GATES:,} gates, the most that Gatewalk reads")
    draft.nodes.append(Node(gate, tuple(sources)))
    return draft.inputs + len(draft.nodes) - 1


def constant(draft: Draft, value: int) -> int:
    """Add a constant gate, 0 or 1; returns its source number."""
    return add(draft, GATES["const1" if value else "const0"], ())


def negation(draft: Draft, source: int) -> int:
    """The source that is the negation of a source: an existing not gate, or a new one."""
    if source not in draft.negations:
        draft.negations[source] = add(draft, GATES["not"], (source,))
    return draft.negations[source]


def balanced(draft: Draft, gate: Gate, sources: Sequence[int]) -> int:
    """Add a tree, as flat as possible, of gates of two inputs over at least one source; returns its root."""
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
