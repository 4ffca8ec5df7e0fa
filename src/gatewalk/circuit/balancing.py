"""Chains of one associative gate as trees: x1 & x2 & ... & x8 in depth 3 instead of 7, of as many gates.

The two operands that are known first are combined first, which makes the result as flat as can be: D. A.
Huffman's way, "A method for the construction of minimum-redundancy codes", 1952, with the larger depth for
the sum (M. C. Golumbic, "Combinatorial merging", 1976).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node, reached
from gatewalk.circuit.draft import Draft, add, finished

_ASSOCIATIVE = {GATES[name] for name in ("and", "or", "xor")}


def balance(circuit: Circuit) -> Circuit:
    """Make a circuit flatter: chains of and, or or xor gates become balanced trees.

    Gates that no output needs are left out. A gate that something else reads as well ends a chain.

    Parameters
    ----------
    circuit
        The circuit.

    Returns
    -------
    Circuit
        One that computes the same.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> chain = tuple(Node(gate("and"), sources) for sources in ((0, 1), (4, 2), (5, 3)))
    >>> balance(Circuit(("a", "b", "c", "d"), chain, (6,), ("y",))).depth
    2
    """
    n = len(circuit.input_labels)
    live = reached(circuit)
    within = _within(circuit, [node for i, node in enumerate(circuit.nodes) if live[n + i]])
    draft = Draft(n)
    level = [0] * n  # of every source of the draft
    place = list(range(n))
    for i, node in enumerate(circuit.nodes):
        if not live[n + i] or n + i in within:
            place.append(-1)  # is read by nothing that is built
        elif node.gate in _ASSOCIATIVE:
            place.append(
                _tree(draft, level, node.gate, [place[leaf] for leaf in _leaves(circuit, node, within)])
            )
        else:
            place.append(_added(draft, level, node.gate, [place[source] for source in node.sources]))
    outputs = [place[source] for source in circuit.outputs]
    return finished(draft, circuit.input_labels, outputs, circuit.output_labels)


def _added(draft: Draft, level: list[int], gate: Gate, sources: Sequence[int]) -> int:
    level.append(1 + max((level[source] for source in sources), default=0))
    return add(draft, gate, sources)


def _tree(draft: Draft, level: list[int], gate: Gate, leaves: Sequence[int]) -> int:
    """The gate over all leaves, the two of the least depth first."""
    heap = [(level[leaf], order, leaf) for order, leaf in enumerate(leaves)]
    heapify(heap)
    order = len(leaves)
    while len(heap) > 1:
        pair = [heappop(heap)[2], heappop(heap)[2]]
        made = _added(draft, level, gate, pair)
        heappush(heap, (level[made], order, made))
        order += 1
    return heap[0][2]


def _within(circuit: Circuit, live: list[Node]) -> set[int]:
    """The gates that are read once, by a gate of the same kind: inner parts of a chain."""
    n = len(circuit.input_labels)
    readers = Counter(source for node in live for source in node.sources)
    readers.update(circuit.outputs)
    return {
        source
        for node in live
        if node.gate in _ASSOCIATIVE
        for source in node.sources
        if source >= n and readers[source] == 1 and circuit.nodes[source - n].gate == node.gate
    }


def _leaves(circuit: Circuit, root: Node, within: set[int]) -> list[int]:
    """What a chain reads, from the left."""
    n = len(circuit.input_labels)
    found: list[int] = []
    waiting = list(reversed(root.sources))
    while waiting:
        source = waiting.pop()
        if source in within:
            waiting += reversed(circuit.nodes[source - n].sources)
        else:
            found.append(source)
    return found
