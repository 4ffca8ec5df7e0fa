"""Simplification: the same function with no more gates, without those that are obviously superfluous.

Every source belongs to a *class* of sources that have the same or the opposite value; a *literal* is a class
and whether it is negated. Two gates are in one class if they have the same table over the same classes
(structural hashing), after constants, repeated and ignored inputs and negations are removed from the table. A
gate is also considered together with the gates that it reads, which finds x & (x | y) = x and the like. Each
literal is then computed by one gate, of those allowed, that reads literals seen before. So the result never
has more gates than the circuit.

`balance` makes trees of chains of one associative gate, with as many gates: x1 & x2 & ... & x8 in depth 3
instead of 7. The two operands of the least depth are combined first, which gives the least depth of the
result: the algorithm of D. A. Huffman, "A method for the construction of minimum-redundancy codes", 1952,
with the larger depth in place of the sum (M. C. Golumbic, "Combinatorial merging", 1976).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import product

from gatewalk.boolean.gates import GATES, Gate, GateSet, gate_set
from gatewalk.boolean.small_tables import Operand, compose, nested, pins_for, restricted, support
from gatewalk.circuit.circuit import Circuit, Draft, Node, needed
from gatewalk.errors import InputError, shown

MOST_LEAVES = 4  # the most inputs of a gate taken together with the gates it reads

_CONSTANT = -1  # the class of 0 and 1
_ASSOCIATIVE = {GATES[name] for name in ("and", "or", "xor")}
Literal = tuple[int, bool]  # a class and whether it is negated


@dataclass(frozen=True)
class _Function:
    """A function of classes: a table, and the classes in ascending order, on all of which it depends."""

    leaves: tuple[int, ...]
    table: int


@dataclass
class _Pass:
    """What is known of the sources seen so far; inputs are the classes 0 to n - 1.

    functions, classes: the function of each class over other classes, and the class of each function.
    computed: how each literal is computed: by a gate and the literals it reads; None for an input.
    """

    functions: dict[int, _Function] = field(default_factory=dict)
    classes: dict[_Function, int] = field(default_factory=dict)
    computed: dict[Literal, tuple[Gate, tuple[Literal, ...]] | None] = field(default_factory=dict)


def simplify(circuit: Circuit, *, gates: str | GateSet | None = None) -> Circuit:
    """A circuit that computes the same with no more gates.

    Constants are propagated. Buffers, double negations, ignored inputs, gates that no output needs, and
    gates with the same or the opposite value as another one are removed. The result is the circuit itself if
    there is nothing to simplify, and simplifying it again changes nothing.

    gates: those that may be used. By default those of the circuit, constants and not, and for a gate that is
    left with fewer inputs any named gate of that many.

    >>> from gatewalk.boolean.gates import gate
    >>> nodes = (Node(gate("or"), (0, 1)), Node(gate("and"), (0, 2)), Node(gate("xor"), (3, 1)))
    >>> print(simplify(Circuit(("x", "y"), nodes, (4,), ("z",))))
    z = x ^ y
    """
    allowed = None if gates is None else (gate_set(gates) if isinstance(gates, str) else gates).gates
    current = circuit
    while True:
        simpler = _one_pass(current, allowed)
        if _measure(simpler, allowed) >= _measure(current, allowed):
            return current
        current = simpler


def _measure(circuit: Circuit, allowed: tuple[Gate, ...] | None) -> tuple[int, int, int]:
    """The numbers of disallowed gates, of gates, and of wires; every further pass must lower them."""
    foreign = 0 if allowed is None else sum(node.gate not in allowed for node in circuit.nodes)
    return foreign, len(circuit), sum(len(node.sources) for node in circuit.nodes)


def _one_pass(circuit: Circuit, allowed: tuple[Gate, ...] | None) -> Circuit:
    n = len(circuit.input_labels)
    state = _Pass(computed={(i, False): None for i in range(n)})
    literals: list[Literal] = [(i, False) for i in range(n)]
    used = tuple(dict.fromkeys(node.gate for node in circuit.nodes))
    is_needed = needed(circuit)
    for i, node in enumerate(circuit.nodes):
        if is_needed[n + i]:
            palette = _palette(node.gate, used) if allowed is None else allowed
            literals.append(_enter(state, node, [literals[s] for s in node.sources], palette, n))
        else:
            literals.append((_CONSTANT, False))  # a placeholder, which nothing needed reads
    return _built(circuit, state, [literals[source] for source in circuit.outputs])


def _palette(gate: Gate, used: tuple[Gate, ...]) -> tuple[Gate, ...]:
    """The gates that may replace a gate by default: the gates used, and named ones with fewer inputs."""
    smaller = (other for other in GATES.values() if other.arity < gate.arity or other.arity == 0)
    return tuple(dict.fromkeys((gate, *used, *smaller)))


def _enter(
    state: _Pass, node: Node, sources: list[Literal], palette: tuple[Gate, ...], inputs: int
) -> Literal:
    """The literal of a gate that reads these literals; if it is new, it is noted how to compute it."""
    own = _function(node.gate.table, sources)
    views = (*_deeper(state, own), own)
    for function in views:
        literal = _known(state, function)
        if literal is not None and literal in state.computed:
            return literal
    for function in views:
        how = _one_gate(state, function, node, sources, palette, inputs)
        if how is not None:
            break
    else:
        function = own
        if node.gate not in palette:
            raise InputError(
                f"no gate of {','.join(gate.name for gate in palette)} does what {shown(node.gate.name)} "
                "does in this circuit; allow more gates"
            )
        how = node.gate, tuple(sources)
    literal = _known(state, function) or _new_class(state, function, inputs)
    state.computed.setdefault(literal, how)
    return literal


def _function(table: int, operands: list[Literal]) -> _Function:
    """The function of these literals over the classes that matter to it."""
    classes = tuple(sorted({number for number, _ in operands if number != _CONSTANT}))
    place: dict[int, int | None] = {number: i for i, number in enumerate(classes)}
    inner: tuple[Operand, ...] = tuple((place.get(number), negated) for number, negated in operands)
    return _reduced(classes, compose(table, inner, len(classes)))


def _reduced(classes: tuple[int, ...], table: int) -> _Function:
    kept = support(table, len(classes))
    return _Function(tuple(classes[i] for i in kept), restricted(table, kept))


def _deeper(state: _Pass, own: _Function) -> list[_Function]:
    """The function in terms of the classes that its leaves read, in all ways that take no more leaves.

    Those with the fewest leaves come first.
    """
    functions: dict[_Function, None] = {}
    choices = [(False, True) if leaf in state.functions else (False,) for leaf in own.leaves]
    for opened in product(*choices) if len(own.leaves) <= MOST_LEAVES else ():
        if any(opened):
            function = _opened(state, own, opened)
            if function is not None and len(function.leaves) <= max(1, len(own.leaves)):
                functions[function] = None
    return sorted(functions, key=lambda function: (len(function.leaves), function.leaves, function.table))


def _opened(state: _Pass, own: _Function, opened: tuple[bool, ...]) -> _Function | None:
    """The function with some leaves replaced by the classes that they read; None if these are too many."""
    inner = [
        state.functions[leaf] if is_open else _Function((leaf,), 0b10)
        for leaf, is_open in zip(own.leaves, opened, strict=True)
    ]
    classes = sorted({number for function in inner for number in function.leaves})
    if len(classes) > MOST_LEAVES:
        return None
    place = {number: i for i, number in enumerate(classes)}
    parts = tuple((function.table, tuple(place[leaf] for leaf in function.leaves)) for function in inner)
    return _reduced(tuple(classes), nested(own.table, parts, len(classes)))


def _known(state: _Pass, function: _Function) -> Literal | None:
    """The literal of a function, if its class is known; it is not negated if it is 0 where all leaves are."""
    if not function.leaves:
        return _CONSTANT, bool(function.table)
    if len(function.leaves) == 1:
        return function.leaves[0], function.table == 0b01
    negated = bool(function.table & 1)
    number = state.classes.get(_positive(function))
    return None if number is None else (number, negated)


def _positive(function: _Function) -> _Function:
    every = (1 << (1 << len(function.leaves))) - 1
    return _Function(function.leaves, function.table ^ every) if function.table & 1 else function


def _new_class(state: _Pass, function: _Function, inputs: int) -> Literal:
    number = inputs + len(state.classes)
    positive = _positive(function)
    state.classes[positive] = number
    state.functions[number] = positive
    return number, positive != function


def _one_gate(
    state: _Pass,
    function: _Function,
    node: Node,
    sources: list[Literal],
    palette: tuple[Gate, ...],
    inputs: int,
) -> tuple[Gate, tuple[Literal, ...]] | None:
    """The best gate for the function over literals seen before: fewest negations, then fewest inputs."""
    if not function.leaves:
        return _constant_gate(function.table, palette, inputs)
    best: tuple[tuple[int, int, bool, int], tuple[Gate, tuple[Literal, ...]]] | None = None
    choices = [
        [negated for negated in (False, True) if (leaf, negated) in state.computed]
        for leaf in function.leaves
    ]
    for signs in product(*choices):
        literals = tuple(zip(function.leaves, signs, strict=True))
        operands = tuple((i, negated) for i, negated in enumerate(signs))
        table = compose(function.table, operands, len(signs))
        negations = sum(_is_negation(state, literal) for literal in literals)
        strange = sum(literal not in sources for literal in literals)
        for gate in palette:
            rank = negations, gate.arity, gate != node.gate, strange
            pins = pins_for(gate, table, len(signs)) if best is None or rank < best[0] else None
            if pins is not None:
                best = rank, (gate, tuple(literals[pin] for pin in pins))
    return None if best is None else best[1]


def _is_negation(state: _Pass, literal: Literal) -> bool:
    """Whether a literal is computed by negating its opposite."""
    how = state.computed[literal]
    return how is not None and all(number == literal[0] for number, _ in how[1])


def _constant_gate(
    value: int, palette: tuple[Gate, ...], inputs: int
) -> tuple[Gate, tuple[Literal, ...]] | None:
    for gate in sorted(palette, key=lambda gate: gate.arity):
        if (gate.arity == 0 or inputs) and pins_for(gate, value, 0) is not None:
            return gate, ((0, False),) * gate.arity
    return None


def _built(circuit: Circuit, state: _Pass, outputs: list[Literal]) -> Circuit:
    """The circuit of the literals that the outputs need, in the order in which they were seen."""
    needed = set[Literal]()
    stack = list(outputs)
    while stack:
        literal = stack.pop()
        if literal not in needed:
            needed.add(literal)
            how = state.computed[literal]
            stack += () if how is None else how[1]
    source = {(i, False): i for i in range(len(circuit.input_labels))}
    nodes: list[Node] = []
    for literal, how in state.computed.items():
        if how is not None and literal in needed:
            source[literal] = len(circuit.input_labels) + len(nodes)
            nodes.append(Node(how[0], tuple(source[read] for read in how[1])))
    sources = tuple(source[literal] for literal in outputs)
    return Circuit(circuit.input_labels, tuple(nodes), sources, circuit.output_labels)


def balance(circuit: Circuit) -> Circuit:
    """Make a circuit flatter: chains of and, or or xor gates become balanced trees.

    Gates that no output needs are left out. A gate that something else reads as well ends a chain.

    >>> from gatewalk.boolean.gates import gate
    >>> chain = tuple(Node(gate("and"), sources) for sources in ((0, 1), (4, 2), (5, 3)))
    >>> balance(Circuit(("a", "b", "c", "d"), chain, (6,), ("y",))).depth
    2
    """
    n = len(circuit.input_labels)
    is_needed = needed(circuit)
    within = _within(circuit, [node for i, node in enumerate(circuit.nodes) if is_needed[n + i]])
    draft = Draft(n)
    level = [0] * n  # the depth of every source of the draft
    place = list(range(n))
    for i, node in enumerate(circuit.nodes):
        if not is_needed[n + i] or n + i in within:
            place.append(-1)  # no gate of the result reads it
        elif node.gate in _ASSOCIATIVE:
            place.append(
                _tree(draft, level, node.gate, [place[leaf] for leaf in _leaves(circuit, node, within)])
            )
        else:
            place.append(_added(draft, level, node.gate, [place[source] for source in node.sources]))
    outputs = [place[source] for source in circuit.outputs]
    return draft.circuit(circuit.input_labels, outputs, circuit.output_labels)


def _added(draft: Draft, level: list[int], gate: Gate, sources: Sequence[int]) -> int:
    level.append(1 + max((level[source] for source in sources), default=0))
    return draft.add(gate, sources)


def _tree(draft: Draft, level: list[int], gate: Gate, leaves: Sequence[int]) -> int:
    """A tree of this gate over all leaves; the two of the least depth are joined first."""
    heap = [(level[leaf], order, leaf) for order, leaf in enumerate(leaves)]
    heapify(heap)
    order = len(leaves)
    while len(heap) > 1:
        pair = [heappop(heap)[2], heappop(heap)[2]]
        joined = _added(draft, level, gate, pair)
        heappush(heap, (level[joined], order, joined))
        order += 1
    return heap[0][2]


def _within(circuit: Circuit, nodes: list[Node]) -> set[int]:
    """The gates within chains: those that are read once, by a gate of the same kind."""
    n = len(circuit.input_labels)
    readers = Counter(source for node in nodes for source in node.sources)
    readers.update(circuit.outputs)
    return {
        source
        for node in nodes
        if node.gate in _ASSOCIATIVE
        for source in node.sources
        if source >= n and readers[source] == 1 and circuit.nodes[source - n].gate == node.gate
    }


def _leaves(circuit: Circuit, root: Node, within: set[int]) -> list[int]:
    """The sources that a chain reads, from left to right."""
    n = len(circuit.input_labels)
    leaves: list[int] = []
    stack = list(reversed(root.sources))
    while stack:
        source = stack.pop()
        if source in within:
            stack += reversed(circuit.nodes[source - n].sources)
        else:
            leaves.append(source)
    return leaves
