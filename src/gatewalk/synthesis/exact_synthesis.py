"""The smallest circuit of a function, with the proof that there is no smaller one.

Beginning at a lower bound, a SAT solver is asked whether r gates suffice, for growing r, until the answer is
yes (`exact_formula.py`). All smaller numbers were refuted, which is the proof.

The question for the solver is first made as small as possible. An output that equals an input or another
output takes no gate. If every negation of a gate is also a gate of the set (`has_free_negation`), only
circuits in normal form are searched for (Knuth, The Art of Computer Programming, 7.1.2). One row is chosen on
which every output counts. Inputs and outputs that are 1 on this row are negated. Then every gate can be taken
from those that are 0 where all their operands are 0. Three kinds of outputs remain, which take one gate each:
negated inputs, constants, and negations of another output. If some rows do not count, it is not known in
advance which outputs are of these kinds. In that case a step may also be a copy of a source, which becomes
its negation, or a constant.

The solver chooses functions, not gates: a gate may read a source several times, so nand(a, a) is a negation
and xor(a, a) is 0. A `Repertoire` lists every function that one gate of the set computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, count, product
from time import monotonic
from typing import Literal

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import Gate, GateSet, gate_set
from gatewalk.boolean.small_tables import column, compose, support, symmetric_pairs
from gatewalk.boolean.targets import TargetTables
from gatewalk.circuit.circuit import Circuit, Node, circuit_tables
from gatewalk.circuit.own_targets import target
from gatewalk.circuit.sat import satisfied
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.extras import need
from gatewalk.search.scheduler import OnProgress
from gatewalk.synthesis.exact_formula import Output, Question, Step, formula_for, read_model
from gatewalk.synthesis.lower_bounds import essential, lower_bound, tables_of_few_inputs

MOST_INPUTS = 8
MOST_OPERANDS = 3
TWO_INPUT_GATES = "and,or,xor,nand,nor,xnor,nimply,ncimply,imply,cimply,not,const0,const1"

Function = tuple[int, int]  # the number of operands, all of which matter, and the table
WiredGate = tuple[Gate, tuple[int, ...]]  # a gate, and for each of its inputs the operand that it reads


@dataclass(frozen=True)
class Smallest:
    """The result of exact synthesis.

    circuit: the smallest circuit; None if there was none in time or within `at_most`.
    lower_bound: no circuit of these gates is smaller.
    seconds: how long it took.

    >>> from gatewalk.synthesis import smallest
    >>> result = smallest("maj:3")
    >>> len(result.circuit), result.lower_bound, result.proven
    (4, 4, True)
    """

    circuit: Circuit | None
    lower_bound: int
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether a circuit was found and proven to be a smallest one."""
        return self.circuit is not None and len(self.circuit) == self.lower_bound


def smallest(
    what: object,
    *,
    gates: str | GateSet = TWO_INPUT_GATES,
    at_most: int | None = None,
    seconds: float | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> Smallest:
    """A circuit of the fewest gates that computes the function.

    If no circuit of the gates computes it, however large, or if there are too many inputs, `InputError` is
    raised.

    what: whatever `gatewalk.target` takes, with at most `MOST_INPUTS` inputs. On don't-care rows the circuit
        may have any value.
    gates: those to use, with at most three inputs each; by default all gates of at most two inputs. Every
        gate counts as one, including negations and constants.
    at_most: the largest number of gates to try.
    seconds: the time limit, after which the result holds what is known by then.
    on_progress: called a few times a second with the share of the time that is used up, or 0 without a limit.

    >>> result = smallest("xor:2", gates="nand")
    >>> len(result.circuit), result.proven
    (4, True)
    >>> smallest("maj:3", at_most=3).lower_bound
    4
    """
    need("pysat", "exact synthesis")
    began = monotonic()
    function = target(what)
    listed = gate_set(gates) if isinstance(gates, str) else gates
    tables = tables_of_few_inputs(function, most_inputs=MOST_INPUTS, purpose="exact synthesis")
    if at_most is not None:
        whole_number("at_most", at_most, least=0)
    if seconds is not None and not seconds >= 0:
        raise InputError(f"seconds is {shown(seconds)}; it must be at least 0")
    reason = why_inexpressible(function, listed)
    if reason is not None:
        raise InputError(reason)
    functions = repertoire(listed)
    reduced = reduction(tables, functions)
    bound = lower_bound(function, gates=listed).gates
    first = max(bound - reduced.extra, 1) if reduced.asked else 0

    def is_over() -> bool:
        spent = monotonic() - began
        on_progress(min(1.0, spent / seconds) if seconds else 0.0, f"are {tried} gates enough?")
        return seconds is not None and spent >= seconds

    for steps in count(first):
        tried = steps + reduced.extra
        if at_most is not None and tried > at_most:
            break
        formula = formula_for(reduced.question, steps)
        model = satisfied(formula.clauses, stop=is_over)
        if model is None:
            break
        if model is not False:
            circuit = circuit_of_steps(tables, reduced, functions, *read_model(formula, model))
            _check(circuit, tables)
            return Smallest(circuit, tried, monotonic() - began)
    return Smallest(None, tried, monotonic() - began)


def _check(circuit: Circuit, tables: TargetTables) -> None:
    """Evaluate the circuit on every row, so that a mistake in the formula cannot go unnoticed."""
    computed = circuit_tables(circuit, most_inputs=MOST_INPUTS, purpose="exact synthesis")
    for table, value, care in zip(computed, tables.values, tables.cares, strict=True):
        if (table ^ value) & care:
            raise RuntimeError("exact synthesis made a circuit that does not compute what was wanted")


@dataclass(frozen=True)
class Link:
    """An output for which no step is needed: an input or another output, perhaps negated, or a constant."""

    kind: Literal["input", "output", "constant"]
    number: int
    negated: bool = False


@dataclass(frozen=True)
class Reduction:
    """The smaller question, and how to make the whole circuit from its answer.

    asked: the outputs that the question is about.
    links: all other outputs.
    extra: the gates that the links take.
    row: bit j says whether input j is negated.
    negated: for each output asked, whether it is negated.
    """

    question: Question
    asked: tuple[int, ...]
    links: dict[int, Link]
    extra: int
    row: int
    negated: tuple[bool, ...]


def reduction(tables: TargetTables, functions: Repertoire) -> Reduction:
    """Reduce a function to the question that has to be asked about it, in normal form if possible."""
    links = _free_links(tables)
    row = _normal_row(tables, functions, links)
    extra = 0
    if row is not None and all(tables.is_complete(h) for h in range(len(tables.values))):
        extra = _link_negations(tables, links)
    asked = tuple(h for h in range(len(tables.values)) if h not in links)
    if row is None:
        return _plain(tables, functions, asked, links)
    return _normal(tables, functions, asked, links, extra, row)


def _free_links(tables: TargetTables) -> dict[int, Link]:
    """The outputs that equal an input on all rows that count, or are the same as an earlier output."""
    links: dict[int, Link] = {}
    seen: dict[tuple[int, int], int] = {}
    for h, (value, care) in enumerate(zip(tables.values, tables.cares, strict=True)):
        first = seen.setdefault((value, care), h)
        copies = [j for j in range(tables.inputs) if column(tables.inputs, j) & care == value]
        if copies:
            links[h] = Link("input", copies[0])
        elif first != h:
            links[h] = Link("output", first)
    return links


def _link_negations(tables: TargetTables, links: dict[int, Link]) -> int:
    """Add links for negated inputs, negated earlier outputs and constants; return the gates they take."""
    extra = 0
    inputs = {tables.everything ^ column(tables.inputs, j): j for j in range(tables.inputs)}
    seen: dict[int, int] = {}
    for h, value in enumerate(tables.values):
        if h in links:
            continue
        if value in (0, tables.everything):
            links[h] = Link("constant", int(value > 0))
        elif value in inputs:
            links[h] = Link("input", inputs[value], negated=True)
        elif tables.everything ^ value in seen:
            links[h] = Link("output", seen[tables.everything ^ value], negated=True)
        else:
            seen[value] = h
            continue
        extra += 1
    return extra


def _normal_row(tables: TargetTables, functions: Repertoire, links: dict[int, Link]) -> int | None:
    """The row on which inputs and outputs are negated to be 0; None if normal form does not apply."""
    if not has_free_negation(functions):
        return None
    asked = [h for h in range(len(tables.values)) if h not in links]
    if any(
        tables.values[h] in (0, tables.cares[h]) and (0, int(tables.values[h] > 0)) not in functions.gates_for
        for h in asked
    ):
        return None  # a constant would take more than one gate
    common = tables.everything
    for h in asked:
        common &= tables.cares[h]
    return (common & -common).bit_length() - 1 if common else None


def _plain(
    tables: TargetTables, functions: Repertoire, asked: tuple[int, ...], links: dict[int, Link]
) -> Reduction:
    by_count = {count: listed for count in range(4) if (listed := functions.tables(count))}
    negated = (False,) * len(asked)
    question = _question(tables, asked, negated, None, by_count, absorbing=False)
    return Reduction(question, asked, links, 0, 0, negated)


def _normal(
    tables: TargetTables,
    functions: Repertoire,
    asked: tuple[int, ...],
    links: dict[int, Link],
    extra: int,
    row: int,
) -> Reduction:
    negated = tuple(bool(tables.values[h] >> row & 1) for h in asked)
    by_count = {count: tuple(table for table in functions.tables(count) if not table & 1) for count in (2, 3)}
    if not all(tables.is_complete(h) for h in range(len(tables.values))):
        by_count[1] = (0b10,)
        if any(tables.values[h] in (0, tables.cares[h]) for h in asked):
            by_count[0] = (0,)
    possible = {count: listed for count, listed in by_count.items() if listed}
    question = _question(tables, asked, negated, row, possible, absorbing=absorbs(functions))
    return Reduction(question, asked, links, extra, row, negated)


def _question(
    tables: TargetTables,
    asked: tuple[int, ...],
    negated: tuple[bool, ...],
    row: int | None,
    functions: dict[int, tuple[int, ...]],
    absorbing: bool,
) -> Question:
    """The question about the outputs `asked`, with the inputs negated that are 1 on the row.

    The row itself is left out: in normal form every step is right there.
    """
    part = TargetTables(
        tables.inputs,
        tuple(tables.values[h] for h in asked),
        tuple(tables.cares[h] for h in asked),
        tables.input_labels,
        tuple(tables.output_labels[h] for h in asked),
    )
    flips = row or 0
    rows = [r for r in range(tables.rows) if r != row and any(care >> r & 1 for care in part.cares)]
    outputs = tuple(
        Output(
            sum((value >> r & 1 ^ is_negated) << t for t, r in enumerate(rows)),
            sum((care >> r & 1) << t for t, r in enumerate(rows)),
        )
        for value, care, is_negated in zip(part.values, part.cares, negated, strict=True)
    )
    return Question(
        rows=len(rows),
        inputs=tuple(
            sum(((r ^ flips) >> j & 1) << t for t, r in enumerate(rows)) for j in range(tables.inputs)
        ),
        outputs=outputs,
        functions=functions,
        absorbing=absorbing,
        apart=tuple((a, b) for a, b in combinations(range(len(asked)), 2) if negated[a] != negated[b]),
        read=tuple(sorted({j for h in range(len(asked)) for j in essential(part, h)})),
        # Negations do not change which inputs a step reads.
        exchangeable=symmetric_pairs((*part.values, *part.cares), part.inputs),
    )


def circuit_of_steps(
    tables: TargetTables,
    reduced: Reduction,
    functions: Repertoire,
    steps: Sequence[Step],
    picks: Sequence[int],
) -> Circuit:
    """The circuit of a model, in gates of the set: negations are undone and linked outputs added."""
    n = tables.inputs
    flips = [bool(reduced.row >> j & 1) for j in range(n)] + [False] * len(steps)
    for source, is_negated in zip(picks, reduced.negated, strict=True):
        flips[source] = is_negated
    nodes: list[Node] = []
    new = list(range(n))  # the source of the circuit that each input and step becomes

    def add(function: Function, operands: Sequence[int]) -> int:
        if function == (1, 0b10):
            return operands[0]
        gate, pins = functions.gates_for[function]
        nodes.append(Node(gate, tuple(operands[pin] if operands else 0 for pin in pins)))
        return n + len(nodes) - 1

    for i, step in enumerate(steps):
        signs = sum(flips[operand] << j for j, operand in enumerate(step.operands))
        table = with_negations(step.table, len(step.operands), signs, flips[n + i])
        new.append(add((len(step.operands), table), [new[operand] for operand in step.operands]))
    picked = {h: new[source] for h, source in zip(reduced.asked, picks, strict=True)}
    known: dict[Link, int] = {}

    def linked(link: Link) -> int:
        if link not in known:
            if link.kind == "constant":
                known[link] = add((0, link.number), ())
            else:
                source = link.number if link.kind == "input" else output(link.number)
                known[link] = add((1, 0b01), (source,)) if link.negated else source
        return known[link]

    def output(h: int) -> int:
        return picked[h] if h in picked else linked(reduced.links[h])

    outputs = tuple(output(h) for h in range(len(tables.values)))
    return Circuit(tables.input_labels, tuple(nodes), outputs, tables.output_labels)


@dataclass(frozen=True)
class Repertoire:
    """The functions that single gates of a set compute. gates_for: for each, the gate of fewest inputs."""

    gates_for: dict[Function, WiredGate]

    def tables(self, operands: int) -> tuple[int, ...]:
        """The tables of all functions of so many operands, except the copy, which no circuit needs."""
        return tuple(
            sorted(
                table for count, table in self.gates_for if count == operands and (count, table) != (1, 0b10)
            )
        )


@lru_cache(64)
def repertoire(gates: str | GateSet) -> Repertoire:
    """The repertoire of a gate set. Gates of more than three inputs raise `InputError`.

    >>> repertoire("nand").gates_for[1, 0b01]
    (Gate(name='nand', arity=2, table=7, symbol='~(a & b)'), (0, 0))
    """
    listed = gate_set(gates) if isinstance(gates, str) else gates
    gates_for: dict[Function, WiredGate] = {}
    for gate in sorted(listed.gates, key=lambda gate: gate.arity):
        if gate.arity > MOST_OPERANDS:
            raise InputError(
                f"gate {shown(gate.name)} has {gate.arity} inputs; "
                f"exact synthesis takes gates of at most {MOST_OPERANDS}"
            )
        for operands in range(gate.arity + 1):
            for pins, table in _connected(gate, operands):
                gates_for.setdefault((operands, table), (gate, pins))
    return Repertoire(gates_for)


def _connected(gate: Gate, operands: int) -> Iterable[tuple[tuple[int, ...], int]]:
    """Every way to connect the gate to operands so that all of them matter, with the resulting table."""
    spread = max(1, operands)
    for pins in product(range(spread), repeat=gate.arity):
        table = compose(gate.table, tuple((pin, False) for pin in pins), spread)
        if len(support(table, spread)) == operands:
            yield pins, table if operands else table & 1


def has_free_negation(functions: Repertoire) -> bool:
    """Whether the set has a `not`, and negating an operand or the result of any gate gives a gate of the set.

    A circuit of such gates can be brought into normal form: every gate is 0 where all its operands are 0.
    """
    wide = [function for function in functions.gates_for if function[0] >= 2]
    return (1, 0b01) in functions.gates_for and all(
        negated in functions.gates_for for function in wide for negated in _negations(function)
    )


def _negations(function: Function) -> Iterable[Function]:
    operands, table = function
    yield operands, table ^ (1 << (1 << operands)) - 1
    for j in range(operands):
        yield operands, with_negations(table, operands, 1 << j, False)


def with_negations(table: int, operands: int, flips: int, result: bool) -> int:
    """The table after negating the operands in the bit set `flips`, and the result if `result`."""
    rows = 1 << operands
    flipped = sum((table >> (row ^ flips) & 1) << row for row in range(rows))
    return flipped ^ (1 << rows) - 1 if result else flipped


def absorbs(functions: Repertoire) -> bool:
    """Whether any gate that reads a and b = f(a, c) can be replaced by a gate that reads a and c.

    If so, no gate of a smallest circuit needs to read a source together with a gate that reads that source.
    The answer is used for sets with free negation and for gates of two inputs only.
    """
    binary = functions.tables(2)
    if functions.tables(3) or not has_free_negation(functions):
        return False
    for outer, inner in product(binary, binary):
        table = sum((outer >> ((row & 1) | (inner >> row & 1) << 1) & 1) << row for row in range(4))
        if len(support(table, 2)) == 2 and table not in binary:
            return False
    return True
