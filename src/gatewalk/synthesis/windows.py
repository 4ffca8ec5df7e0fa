"""Windows: small parts of a large circuit, cut out as circuits of their own and put back.

A window grows from one gate. Candidates to join it are the gates that it reads, the gates that read it, and
other gates that read the same sources. The candidate that adds the fewest inputs joins, so paths that part
and meet again come to lie inside the window. This is the rule of reconvergence-driven cuts (Mishchenko and
Brayton, "Scalable logic synthesis using a simple circuit structure", IWLS 2006), applied in all directions,
as in evolutionary resynthesis (Kocnova and Vasicek, "EA-based resynthesis: an efficient tool for optimization
of digital circuits", Genetic Programming and Evolvable Machines 21, 2020). A window is convex: no path leaves
it and returns, so a replacement never closes a cycle.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.synthesis.workpiece import Workpiece, circuit_of_work, replace_gates, workpiece_of

MOST_INPUTS = 8
MOST_GATES = 20
_MOST_READERS = 8  # readers of one source that become candidates
_MOST_VISITED = 2000  # gates visited to find out whether an input depends on the window


@dataclass(frozen=True)
class Window:
    """A convex set of gates, by their numbers as sources of the circuit.

    nodes: the gates, in topological order. inputs: the sources outside that they read. outputs: the gates
    among them that are read outside, or are outputs of the circuit.
    """

    nodes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def window_around(
    circuit: Circuit | Workpiece,
    node: int,
    *,
    most_inputs: int = MOST_INPUTS,
    most_gates: int = MOST_GATES,
    random: Random,
) -> Window:
    """Grow a window from a gate.

    Parameters
    ----------
    circuit
        A circuit or a workpiece.
    node
        The gate to begin with, by its number as a source.
    most_inputs, most_gates
        The largest window. A gate that has more inputs than that is a window of its own.
    random
        Decides between equally good candidates.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> half = (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1)))
    >>> window_around(Circuit(("a", "b"), half, (2, 3), ("s", "c")), 2, random=Random(1))
    Window(nodes=(2, 3), inputs=(0, 1), outputs=(2, 3))
    """
    work = workpiece_of(circuit) if isinstance(circuit, Circuit) else circuit
    if node not in work.gates:
        raise InputError(f"there is no gate {shown(node)} in the circuit to begin a window with")
    whole_number("most_gates", most_gates, least=1)
    whole_number("most_inputs", most_inputs, least=1)
    nodes = _grown(work, node, most_inputs, most_gates, random)
    return window_of(work, _convex(work, nodes, most_visited=_MOST_VISITED))


def window_of(work: Workpiece, nodes: set[int]) -> Window:
    """The window of these gates, which must be a convex set; this is not checked."""
    inputs = {source for number in nodes for source in work.sources[number]} - nodes
    order = sorted(nodes, key=lambda number: (work.levels[number], number))
    outputs = tuple(number for number in order if work.ends.get(number) or not work.readers[number] <= nodes)
    return Window(tuple(order), tuple(sorted(inputs)), outputs)


def _grown(work: Workpiece, node: int, most_inputs: int, most_gates: int, random: Random) -> set[int]:
    """As many gates around one as the limits allow; the set may not be convex yet."""
    nodes: set[int] = set()
    inputs: set[int] = set()
    beside: set[int] = set()  # candidates
    joins = node
    while True:
        nodes.add(joins)
        inputs.discard(joins)
        beside.discard(joins)
        for source in work.sources[joins]:
            if source not in nodes and source not in inputs:
                inputs.add(source)
                if source in work.gates:
                    beside.add(source)
                beside |= _some_readers(work, source, random) - nodes
        beside |= _some_readers(work, joins, random) - nodes
        if len(nodes) >= most_gates or not beside:
            return nodes
        free_inputs = most_inputs - len(inputs)
        best = None
        for number in sorted(beside):
            brought = -(number in inputs)
            for source in set(work.sources[number]):
                if source not in inputs and source not in nodes:
                    brought += 1
            if brought <= free_inputs:
                rank = brought, not work.readers[number] <= nodes, random.random()
                if best is None or rank < best[0]:
                    best = rank, number
        if best is None:
            return nodes
        joins = best[1]


def _some_readers(work: Workpiece, source: int, random: Random) -> set[int]:
    readers = work.readers[source]
    return readers if len(readers) <= _MOST_READERS else set(random.sample(sorted(readers), _MOST_READERS))


def _convex(work: Workpiece, nodes: set[int], *, most_visited: int) -> set[int]:
    """Make the set convex: remove the gates that depend on an input which itself depends on the set.

    An input for which more than `most_visited` gates would have to be visited counts as dependent.
    """
    lowest = min(work.levels[number] for number in nodes)
    seen: dict[int, bool] = {}  # whether a source outside depends on the window, for those visited so far
    barred: set[int] = set()
    for number in sorted(nodes, key=work.levels.__getitem__):
        if any(
            source in barred
            or (source not in nodes and _depends(work, source, nodes, lowest, seen, most_visited))
            for source in work.sources[number]
        ):
            barred.add(number)
    return nodes - barred


def _depends(
    work: Workpiece, start: int, nodes: set[int], lowest: int, seen: dict[int, bool], most_visited: int
) -> bool:
    """Whether a source depends on one of the gates; also true if that takes too long to find out."""
    if start in seen:
        return seen[start]
    stack = [start]
    visited = {start}
    found = False
    while stack and not found:
        number = stack.pop()
        if work.levels[number] <= lowest or number not in work.gates:
            continue
        for source in work.sources[number]:
            if source in nodes or seen.get(source) or len(visited) > most_visited:
                found = True
            elif source not in visited and source not in seen:
                visited.add(source)
                stack.append(source)
    if not found:
        seen.update(dict.fromkeys(visited, False))
    seen[start] = found
    return found


def cut(circuit: Circuit | Workpiece, window: Window) -> Circuit:
    """The window as a circuit of its own, with the inputs and outputs of the window in the same order."""
    work = workpiece_of(circuit) if isinstance(circuit, Circuit) else circuit
    place = {source: j for j, source in enumerate(window.inputs)}
    nodes = []
    try:
        for number in window.nodes:
            nodes.append(Node(work.gates[number], tuple(place[source] for source in work.sources[number])))
            place[number] = len(place)
    except KeyError as missing:
        raise InputError(f"the window does not fit the circuit: it has no source {missing}") from None
    return Circuit(
        tuple(f"x{j + 1}" for j in range(len(window.inputs))),
        tuple(nodes),
        tuple(place[number] for number in window.outputs),
        tuple(f"y{j + 1}" for j in range(len(window.outputs))),
    )


def put_back(circuit: Circuit, window: Window, replacement: Circuit) -> Circuit:
    """The circuit with the replacement in the place of the window.

    Two gates with the same table and sources become one, and gates that nothing needs any more are removed,
    inside the window and outside.

    Parameters
    ----------
    circuit, window
        The circuit and a window of it.
    replacement
        A circuit with as many inputs and outputs as the window. The caller must make sure that it computes
        the same as the window; then the whole circuit does, too.

    Raises
    ------
    InputError
        If the replacement has another number of inputs or outputs, or the window is not of this circuit.
    """
    work = workpiece_of(circuit)
    replace_window(work, window, replacement)
    return circuit_of_work(work)


def replace_window(work: Workpiece, window: Window, replacement: Circuit) -> None:
    """Replace the window of a workpiece."""
    have = len(replacement.input_labels), len(replacement.outputs)
    if have != (len(window.inputs), len(window.outputs)):
        raise InputError(
            f"the window has {len(window.inputs)} inputs and {len(window.outputs)} outputs, "
            f"what is to replace it has {have[0]} and {have[1]}"
        )
    nodes = set(window.nodes)
    if (
        not nodes <= work.gates.keys()
        or window_of(work, nodes) != window
        or _convex(work, nodes, most_visited=len(work)) != nodes
    ):
        raise InputError("the window does not fit the circuit: it was cut from another one")
    replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
