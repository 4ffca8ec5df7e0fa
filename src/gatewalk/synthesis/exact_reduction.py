"""A smaller question for the SAT solver: outputs that are known at once are left out, free negations removed.

An output that equals an input or another output takes no gate. If every negation of a gate is also a gate of
the set (`has_free_negation`), only circuits in normal form are searched for (Knuth, The Art of Computer
Programming, 7.1.2). One row is chosen on which every output counts. Inputs and outputs that are 1 on this row
are negated. Then every gate can be taken from those that are 0 where all their operands are 0. Three kinds of
outputs remain, which take one gate each: negated inputs, constants, and negations of another output. If some
rows do not count, it is not known in advance which outputs are of these kinds. In that case a step may also
be a copy of a source, which becomes its negation, or a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.synthesis.exact_formula import Output, Question, Step
from gatewalk.synthesis.repertoire import Function, Repertoire, absorbs, has_free_negation, with_negations
from gatewalk.synthesis.target_tables import TargetTables, column, essential, symmetric_pairs


@dataclass(frozen=True)
class Link:
    """An output for which no step is needed: an input or another output, perhaps negated, or a constant."""

    kind: Literal["input", "output", "constant"]
    number: int
    negated: bool = False


@dataclass(frozen=True)
class Reduction:
    """The question for the steps, and how to make the whole circuit from their answer.

    asked: the outputs that the question is about. links: all other outputs. extra: the gates that the links
    take. row: bit j says whether input j is negated. negated: for each output asked, whether it is negated.
    """

    question: Question
    asked: tuple[int, ...]
    links: dict[int, Link]
    extra: int
    row: int
    negated: tuple[bool, ...]


def reduction(wanted: TargetTables, functions: Repertoire) -> Reduction:
    """Reduce a function to the question that has to be asked about it, in normal form if possible."""
    links = _free_links(wanted)
    row = _normal_row(wanted, functions, links)
    extra = 0
    if row is not None and all(wanted.is_complete(h) for h in range(len(wanted.values))):
        extra = _link_negations(wanted, links)
    asked = tuple(h for h in range(len(wanted.values)) if h not in links)
    if row is None:
        return _plain(wanted, functions, asked, links)
    return _normal(wanted, functions, asked, links, extra, row)


def _free_links(wanted: TargetTables) -> dict[int, Link]:
    """The outputs that equal an input on all rows that count, or are the same as an earlier output."""
    links: dict[int, Link] = {}
    seen: dict[tuple[int, int], int] = {}
    for h, (value, care) in enumerate(zip(wanted.values, wanted.cares, strict=True)):
        first = seen.setdefault((value, care), h)
        copies = [j for j in range(wanted.inputs) if column(wanted.inputs, j) & care == value]
        if copies:
            links[h] = Link("input", copies[0])
        elif first != h:
            links[h] = Link("output", first)
    return links


def _link_negations(wanted: TargetTables, links: dict[int, Link]) -> int:
    """Add links for negated inputs, negated earlier outputs and constants; return the gates they take."""
    extra = 0
    inputs = {wanted.everything ^ column(wanted.inputs, j): j for j in range(wanted.inputs)}
    seen: dict[int, int] = {}
    for h, value in enumerate(wanted.values):
        if h in links:
            continue
        if value in (0, wanted.everything):
            links[h] = Link("constant", int(value > 0))
        elif value in inputs:
            links[h] = Link("input", inputs[value], negated=True)
        elif wanted.everything ^ value in seen:
            links[h] = Link("output", seen[wanted.everything ^ value], negated=True)
        else:
            seen[value] = h
            continue
        extra += 1
    return extra


def _normal_row(wanted: TargetTables, functions: Repertoire, links: dict[int, Link]) -> int | None:
    """The row on which inputs and outputs are negated to be 0; None if normal form does not apply."""
    if not has_free_negation(functions):
        return None
    asked = [h for h in range(len(wanted.values)) if h not in links]
    if any(
        wanted.values[h] in (0, wanted.cares[h]) and (0, int(wanted.values[h] > 0)) not in functions.ways
        for h in asked
    ):
        return None  # a constant would take more than one gate
    common = wanted.everything
    for h in asked:
        common &= wanted.cares[h]
    return (common & -common).bit_length() - 1 if common else None


def _plain(
    wanted: TargetTables, functions: Repertoire, asked: tuple[int, ...], links: dict[int, Link]
) -> Reduction:
    by_count = {count: tables for count in range(4) if (tables := functions.tables(count))}
    negated = (False,) * len(asked)
    question = _question(wanted, asked, negated, None, by_count, absorbing=False)
    return Reduction(question, asked, links, 0, 0, negated)


def _normal(
    wanted: TargetTables,
    functions: Repertoire,
    asked: tuple[int, ...],
    links: dict[int, Link],
    extra: int,
    row: int,
) -> Reduction:
    negated = tuple(bool(wanted.values[h] >> row & 1) for h in asked)
    by_count = {count: tuple(table for table in functions.tables(count) if not table & 1) for count in (2, 3)}
    if not all(wanted.is_complete(h) for h in range(len(wanted.values))):
        by_count[1] = (0b10,)
        if any(wanted.values[h] in (0, wanted.cares[h]) for h in asked):
            by_count[0] = (0,)
    kept = {count: tables for count, tables in by_count.items() if tables}
    question = _question(wanted, asked, negated, row, kept, absorbing=absorbs(functions))
    return Reduction(question, asked, links, extra, row, negated)


def _question(
    wanted: TargetTables,
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
        wanted.inputs,
        tuple(wanted.values[h] for h in asked),
        tuple(wanted.cares[h] for h in asked),
        wanted.input_labels,
        tuple(wanted.output_labels[h] for h in asked),
    )
    flips = row or 0
    rows = [r for r in range(wanted.rows) if r != row and any(care >> r & 1 for care in part.cares)]
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
            sum(((r ^ flips) >> j & 1) << t for t, r in enumerate(rows)) for j in range(wanted.inputs)
        ),
        outputs=outputs,
        functions=functions,
        absorbing=absorbing,
        apart=tuple((a, b) for a, b in combinations(range(len(asked)), 2) if negated[a] != negated[b]),
        read=tuple(sorted({j for h in range(len(asked)) for j in essential(part, h)})),
        exchangeable=symmetric_pairs(part),  # negations do not change which inputs a step reads
    )


def circuit_of_steps(
    wanted: TargetTables,
    reduced: Reduction,
    functions: Repertoire,
    steps: Sequence[Step],
    picks: Sequence[int],
) -> Circuit:
    """The circuit of a model, in gates of the set: negations are undone and linked outputs added."""
    n = wanted.inputs
    flips = [bool(reduced.row >> j & 1) for j in range(n)] + [False] * len(steps)
    for source, is_negated in zip(picks, reduced.negated, strict=True):
        flips[source] = is_negated
    nodes: list[Node] = []
    place = list(range(n))  # the source of the circuit that each input and step has become

    def add(function: Function, operands: Sequence[int]) -> int:
        if function == (1, 0b10):
            return operands[0]
        gate, pins = functions.ways[function]
        nodes.append(Node(gate, tuple(operands[pin] if operands else 0 for pin in pins)))
        return n + len(nodes) - 1

    for i, step in enumerate(steps):
        signs = sum(flips[operand] << j for j, operand in enumerate(step.operands))
        table = with_negations(step.table, len(step.operands), signs, flips[n + i])
        place.append(add((len(step.operands), table), [place[operand] for operand in step.operands]))
    found = {h: place[source] for h, source in zip(reduced.asked, picks, strict=True)}
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
        return found[h] if h in found else linked(reduced.links[h])

    outputs = tuple(output(h) for h in range(len(wanted.values)))
    return Circuit(wanted.input_labels, tuple(nodes), outputs, wanted.output_labels)
