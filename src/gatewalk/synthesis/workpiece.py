"""A circuit that is being worked on: parts of it are replaced without looking at all of it.

A source is a number: 0 to n - 1 are the inputs, a gate keeps its number as long as it is there. Who reads a
source is known, and so is its level, the number of gates on the longest path to it. Two gates with the same
table and the same sources are made one as soon as that comes about (structural hashing), and a gate that
only hands a source on is left out; both may cascade. What nothing reads is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heapify, heappop, heappush

from gatewalk.boolean.gates import Gate, is_symmetric
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.small_functions import compose, support

_Key = tuple[int, tuple[int, ...]]  # a table and the sources that it reads


@dataclass
class Workpiece:
    """The gates by number.

    readers: of each source, the gates that read it. ends: of each source, the outputs that it is. known: the
    gate that has a table and sources, of those that are hashed.
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


def workpiece_of(circuit: Circuit) -> Workpiece:
    """The circuit to be worked on; a gate has the number that it has as a source of the circuit."""
    n = len(circuit.input_labels)
    work = Workpiece(circuit.input_labels, circuit.output_labels, list(circuit.outputs), next=n)
    for j in range(n):
        work.readers[j] = set()
        work.levels[j] = 0
    for node in circuit.nodes:
        _enter(work, node.gate, node.sources)
    for place, source in enumerate(circuit.outputs):
        work.ends.setdefault(source, set()).add(place)
    return work


def circuit_of_work(work: Workpiece) -> Circuit:
    """The circuit as it is now; gates that no output needs are left out."""
    n = len(work.input_labels)
    needed = set(work.outputs)
    for number in sorted(work.gates, key=work.levels.__getitem__, reverse=True):
        if number in needed:
            needed.update(work.sources[number])
    place = {j: j for j in range(n)}
    nodes: list[Node] = []
    for number in sorted(work.gates, key=lambda number: (work.levels[number], number)):
        if number in needed:
            place[number] = n + len(nodes)
            nodes.append(Node(work.gates[number], tuple(place[source] for source in work.sources[number])))
    outputs = tuple(place[source] for source in work.outputs)
    return Circuit(work.input_labels, tuple(nodes), outputs, work.output_labels)


def replace_gates(
    work: Workpiece,
    old: Iterable[int],
    replacement: Circuit,
    inputs: tuple[int, ...],
    outputs: tuple[int, ...],
) -> None:
    """Put a circuit in the place of some gates.

    Parameters
    ----------
    old
        The gates that go.
    replacement
        What comes: its inputs are the sources `inputs`, and whatever reads `outputs`, other than the old
        gates themselves, will read its outputs. No input may depend on an old gate.
    """
    gone = set(old)
    for number in gone:
        _forget(work, number)
    moved = {reader for output in outputs for reader in work.readers[output]} - gone
    for reader in moved:
        _forget(work, reader)
    place = list(inputs)
    for node in replacement.nodes:
        place.append(add(work, node.gate, tuple(place[source] for source in node.sources)))
    instead = {one: place[source] for one, source in zip(outputs, replacement.outputs, strict=True)}
    for reader in moved:
        _read(work, reader, tuple(instead.get(source, source) for source in work.sources[reader]))
    for one, other in instead.items():
        _move_ends(work, one, other)
    _remove_unread(work, [*gone, *place])
    _settle(work, moved)


def add(work: Workpiece, gate: Gate, sources: tuple[int, ...]) -> int:
    """The source that a gate on these sources is: the gate that does so already, a source that it only
    hands on, or a new gate.
    """
    copied = _copied(gate, sources)
    if copied is not None:
        return copied
    number = work.known.get(_key(gate, sources))
    return _enter(work, gate, sources) if number is None else number


def _enter(work: Workpiece, gate: Gate, sources: tuple[int, ...]) -> int:
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


def _level(work: Workpiece, sources: tuple[int, ...]) -> int:
    return 1 + max((work.levels[source] for source in sources), default=0)


def _key(gate: Gate, sources: tuple[int, ...]) -> _Key:
    return gate.table, tuple(sorted(sources)) if _has_no_order(gate) else sources


@lru_cache(1 << 10)
def _has_no_order(gate: Gate) -> bool:
    return gate.arity > 1 and is_symmetric(gate)


def _copied(gate: Gate, sources: tuple[int, ...]) -> int | None:
    """The source that the gate hands on, if it does just that."""
    first = tuple(map(sources.index, sources))
    place = _copied_place(gate, first)
    return None if place is None else sources[place]


@lru_cache(1 << 12)
def _copied_place(gate: Gate, first: tuple[int, ...]) -> int | None:
    """Which input is handed on by a gate, if inputs with the same number in `first` have the same source."""
    if not first:
        return None
    table = compose(gate.table, tuple((place, False) for place in first), gate.arity)
    needed = support(table, gate.arity)
    if len(needed) == 1 and table >> (1 << needed[0]) & 1:
        return needed[0]
    return None


def _forget(work: Workpiece, number: int) -> None:
    """Take a gate out of those that are hashed."""
    key = _key(work.gates[number], work.sources[number])
    if work.known.get(key) == number:
        del work.known[key]


def _read(work: Workpiece, number: int, sources: tuple[int, ...]) -> None:
    """Let a gate, which is not hashed, read these sources."""
    for source in work.sources[number]:
        work.readers[source].discard(number)
    work.sources[number] = sources
    for source in sources:
        work.readers[source].add(number)


def _move_ends(work: Workpiece, one: int, other: int) -> None:
    """Let the outputs that are the first source be the second."""
    places = work.ends.pop(one, None)
    if places:
        for place in places:
            work.outputs[place] = other
        work.ends.setdefault(other, set()).update(places)


def _settle(work: Workpiece, changed: Iterable[int]) -> None:
    """Hash gates again whose sources have changed; what has become the same is made one, upwards."""
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


def _remove_unread(work: Workpiece, candidates: Iterable[int]) -> None:
    """Remove gates that nothing reads and that are no output, and then what they alone have read."""
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
