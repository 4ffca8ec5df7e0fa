"""An editable circuit: parts of it can be replaced without going through all of it.

A source is a number: 0 to n - 1 are the inputs, and a gate keeps its number as long as it exists. The readers
of each source are known, and so is its level, the number of gates on the longest path to it. Two gates with
the same table and the same sources are merged at once (structural hashing), and a gate that only copies a
source is replaced by that source; one such change may cause others. A gate that nothing reads is removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heapify, heappop, heappush

from gatewalk.boolean.gates import Gate, is_symmetric
from gatewalk.boolean.small_tables import compose, support
from gatewalk.circuit.circuit import Circuit, Node

_Key = tuple[int, tuple[int, ...]]  # a table and the sources that it reads


@dataclass
class EditableCircuit:
    """A circuit that can be changed in place.

    gates, sources, levels: of each gate, by its number.
    readers: for each source, the gates that read it.
    ends: for each source, the numbers of the outputs that it is.
    known: the hashed gate of each table and its sources.
    next: the number of the next new gate.
    """

    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]
    outputs: list[int]
    gates: dict[int, Gate] = field(default_factory=dict)
    sources: dict[int, tuple[int, ...]] = field(default_factory=dict)
    readers: dict[int, set[int]] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)
    ends: dict[int, set[int]] = field(default_factory=dict)
    known: dict[_Key, int] = field(default_factory=dict)
    next: int = 0

    def __len__(self) -> int:
        return len(self.gates)


def make_editable(circuit: Circuit) -> EditableCircuit:
    """An editable copy of a circuit; a gate's number is its number as a source of the circuit."""
    n = len(circuit.input_labels)
    work = EditableCircuit(circuit.input_labels, circuit.output_labels, list(circuit.outputs), next=n)
    for j in range(n):
        work.readers[j] = set()
        work.levels[j] = 0
    for node in circuit.nodes:
        _enter(work, node.gate, node.sources)
    for output, source in enumerate(circuit.outputs):
        work.ends.setdefault(source, set()).add(output)
    return work


def to_circuit(work: EditableCircuit) -> Circuit:
    """The circuit as it is now, without gates that no output needs."""
    n = len(work.input_labels)
    needed = set(work.outputs)
    for number in sorted(work.gates, key=work.levels.__getitem__, reverse=True):
        if number in needed:
            needed.update(work.sources[number])
    new = {j: j for j in range(n)}  # the source of the circuit that each source becomes
    nodes: list[Node] = []
    for number in sorted(work.gates, key=lambda number: (work.levels[number], number)):
        if number in needed:
            new[number] = n + len(nodes)
            nodes.append(Node(work.gates[number], tuple(new[source] for source in work.sources[number])))
    outputs = tuple(new[source] for source in work.outputs)
    return Circuit(work.input_labels, tuple(nodes), outputs, work.output_labels)


def replace_gates(
    work: EditableCircuit,
    old: Iterable[int],
    replacement: Circuit,
    inputs: tuple[int, ...],
    outputs: tuple[int, ...],
) -> None:
    """Replace some gates by a circuit.

    old: the gates to remove.
    inputs: the sources that the replacement reads, none of which may depend on an old gate.
    outputs: the old gates that its outputs replace; every other gate that reads one of these, and every
        output of the circuit that is one, takes the new source.
    """
    gone = set(old)
    for number in gone:
        _forget(work, number)
    moved = {reader for output in outputs for reader in work.readers[output]} - gone
    for reader in moved:
        _forget(work, reader)
    new = list(inputs)  # the source that each source of the replacement becomes
    for node in replacement.nodes:
        new.append(add(work, node.gate, tuple(new[source] for source in node.sources)))
    instead = {gate: new[source] for gate, source in zip(outputs, replacement.outputs, strict=True)}
    for reader in moved:
        _read(work, reader, tuple(instead.get(source, source) for source in work.sources[reader]))
    for gate, source in instead.items():
        _move_ends(work, gate, source)
    _remove_unread(work, [*gone, *new])
    _settle(work, moved)


def add(work: EditableCircuit, gate: Gate, sources: tuple[int, ...]) -> int:
    """The source that is this gate on these sources: an existing gate, a copied source or a new gate."""
    copied = _copied(gate, sources)
    if copied is not None:
        return copied
    number = work.known.get(_key(gate, sources))
    return _enter(work, gate, sources) if number is None else number


def _enter(work: EditableCircuit, gate: Gate, sources: tuple[int, ...]) -> int:
    number = work.next
    work.next += 1
    work.gates[number] = gate
    work.sources[number] = sources
    work.readers[number] = set()
    for source in sources:
        work.readers[source].add(number)
    work.levels[number] = _level(work, sources)
    work.known.setdefault(_key(gate, sources), number)
    return number


def _level(work: EditableCircuit, sources: tuple[int, ...]) -> int:
    return 1 + max((work.levels[source] for source in sources), default=0)


def _key(gate: Gate, sources: tuple[int, ...]) -> _Key:
    return gate.table, tuple(sorted(sources)) if _has_no_order(gate) else sources


@lru_cache(1 << 10)
def _has_no_order(gate: Gate) -> bool:
    return gate.arity > 1 and is_symmetric(gate)


def _copied(gate: Gate, sources: tuple[int, ...]) -> int | None:
    """The source that the gate copies; None if it computes something else."""
    first = tuple(map(sources.index, sources))
    position = _copied_input(gate, first)
    return None if position is None else sources[position]


@lru_cache(1 << 12)
def _copied_input(gate: Gate, first: tuple[int, ...]) -> int | None:
    """The input that a gate copies, or None. Inputs with the same number in `first` have the same source."""
    if not first:
        return None
    table = compose(gate.table, tuple((position, False) for position in first), gate.arity)
    needed = support(table, gate.arity)
    if len(needed) == 1 and table >> (1 << needed[0]) & 1:
        return needed[0]
    return None


def _forget(work: EditableCircuit, number: int) -> None:
    """Remove a gate from the hash table `known`."""
    key = _key(work.gates[number], work.sources[number])
    if work.known.get(key) == number:
        del work.known[key]


def _read(work: EditableCircuit, number: int, sources: tuple[int, ...]) -> None:
    """Let a gate read these sources. The gate must not be in the hash table."""
    for source in work.sources[number]:
        work.readers[source].discard(number)
    work.sources[number] = sources
    for source in sources:
        work.readers[source].add(number)


def _move_ends(work: EditableCircuit, before: int, after: int) -> None:
    """Let the outputs of the circuit that are the source `before` be the source `after`."""
    ends = work.ends.pop(before, None)
    if ends:
        for end in ends:
            work.outputs[end] = after
        work.ends.setdefault(after, set()).update(ends)


def _settle(work: EditableCircuit, changed: Iterable[int]) -> None:
    """Hash gates with changed sources again, merge gates that became equal, and update levels, upwards."""
    queue = [(work.levels[number], number) for number in changed]
    heapify(queue)
    waiting = {number for _, number in queue}
    while queue:
        _, number = heappop(queue)
        if number not in waiting:
            continue
        waiting.discard(number)
        if number not in work.gates:
            continue
        gate, sources = work.gates[number], work.sources[number]
        copied = _copied(gate, sources)
        same = work.known.setdefault(_key(gate, sources), number) if copied is None else copied
        after: list[int] = []
        if same != number:
            after = list(work.readers[number])
            for reader in after:
                if reader not in waiting:
                    _forget(work, reader)
                swapped = (same if source == number else source for source in work.sources[reader])
                _read(work, reader, tuple(swapped))
            _move_ends(work, number, same)
            _remove_unread(work, [number])
        elif work.levels[number] != (level := _level(work, sources)):
            work.levels[number] = level
            after = [reader for reader in work.readers[number] if reader not in waiting]
            for reader in after:
                _forget(work, reader)
        for reader in after:
            if reader not in waiting:
                waiting.add(reader)
                heappush(queue, (work.levels[reader], reader))


def _remove_unread(work: EditableCircuit, candidates: Iterable[int]) -> None:
    """Remove candidates that nothing reads and that are no output, then sources that only these have read."""
    stack = list(candidates)
    while stack:
        number = stack.pop()
        if number not in work.gates or work.readers[number] or work.ends.get(number):
            continue
        _forget(work, number)
        for source in set(work.sources[number]):
            work.readers[source].discard(number)
            stack.append(source)
        del work.gates[number], work.sources[number], work.readers[number], work.levels[number]
