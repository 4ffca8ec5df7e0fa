"""Sums of products: functions given by cubes, as BLIF and PLA files write them, to and from gates.

A cube is a string over 0, 1 and -, one character per input. It contains the rows in which every input that is
not - has the value given. `Cubes` are a function of one output. A `Cover` is a specification of several, as
Espresso writes it (R. K. Brayton, G. D. Hachtel, C. T. McMullen and A. L. Sangiovanni-Vincentelli, "Logic
minimization algorithms for VLSI synthesis", 1984, and espresso(5)). Its type says which sets it lists: f the
rows where an output is 1 (on), d where it does not matter (don't care), r where it is 0 (off):

- f: rows that are not on are off. Every row counts.
- fd: rows that are neither on nor don't care are off. A row that is both does not count.
- fr: rows that are neither on nor off do not count.
- fdr: as fr; don't cares may also be listed, and win over on and off.

`isop` makes an irredundant sum of products of a truth table: none of its cubes can be left out. It is the
algorithm of S. Minato, "Fast generation of irredundant sum-of-products forms from binary decision diagrams",
1992, on tables held as numbers (bit r the value on row r). The split is on the last input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

import numpy as np

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.boolean.small_tables import restricted
from gatewalk.boolean.tables import ALL, Words
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.errors import InputError, shown

TYPES = ("f", "fd", "fr", "fdr")
MOST_PAIRS = 1 << 24  # the most pairs of cubes that are compared
_FEW = 3  # functions of up to so many inputs may be one gate
_WIDEST_GATE = max(gate.arity for gate in GATES.values())
_BY_TABLE = {(gate.arity, gate.table): gate for gate in reversed(GATES.values())}


@dataclass(frozen=True)
class Cubes:
    """Cubes over `inputs` inputs; the function is `value` on them and the opposite elsewhere."""

    inputs: int
    cubes: tuple[str, ...]
    value: int = 1


def holds(cube: str, row: int) -> bool:
    """Whether the row, in which input j is bit j, lies in the cube."""
    return all(sign == "-" or int(sign) == row >> j & 1 for j, sign in enumerate(cube))


def table_of(listed: Cubes) -> int:
    """The truth table as a number, whose bit r is the value on row r; for few inputs only."""
    rows = range(1 << listed.inputs)
    table = sum(1 << row for row in rows if any(holds(cube, row) for cube in listed.cubes))
    return table if listed.value else table ^ (1 << len(rows)) - 1


@cache
def cubes_of(gate: Gate) -> Cubes:
    """The gate's cubes, of which none can be left out, widest first."""
    if gate.arity and not gate.table:
        # Some programs refuse a table with inputs but no rows, or take it for undefined.
        return Cubes(gate.arity, ("-" * gate.arity,), 0)
    ones = {row for row in range(1 << gate.arity) if gate.table >> row & 1}
    cubes = {"".join(signs) for signs in product("-10", repeat=gate.arity)}
    rows_of = {cube: {row for row in range(1 << gate.arity) if holds(cube, row)} for cube in cubes}
    usable = [cube for cube in cubes if rows_of[cube] <= ones]
    chosen: list[str] = []
    for cube in sorted(usable, key=lambda cube: (-cube.count("-"), cube)):
        if not rows_of[cube] <= set().union(*(rows_of[other] for other in chosen)):
            chosen.append(cube)
    for cube in list(chosen):
        others = [other for other in chosen if other != cube]
        if rows_of[cube] <= set().union(*(rows_of[other] for other in others)):
            chosen = others
    return Cubes(gate.arity, tuple(chosen))


@cache
def named_table(inputs: int, table: int) -> tuple[Gate, tuple[int, ...]] | None:
    """The named gate with this truth table, and the input of the table that each of its inputs reads."""
    if inputs > _WIDEST_GATE:
        return None
    for order in permutations(range(inputs)):
        gate = _BY_TABLE.get((inputs, restricted(table, order)))
        if gate is not None:
            return gate, order
    return None


def named_gate(listed: Cubes) -> tuple[Gate, tuple[int, ...]] | None:
    """The named gate that the cubes describe, and the input of the cubes that each of its inputs reads."""
    if listed.inputs > _WIDEST_GATE:
        return None
    return named_table(listed.inputs, table_of(listed))


def add_cubes(draft: Draft, listed: Cubes, sources: Sequence[int]) -> int:
    """Add the function to a circuit, as one named gate or as a sum of products; returns its source."""
    named = named_gate(listed)
    if named is not None:
        gate, order = named
        return draft.add(gate, [sources[position] for position in order])
    products = []
    for cube in listed.cubes:
        literals = [
            source if sign == "1" else draft.negation(source)
            for sign, source in zip(cube, sources, strict=True)
            if sign != "-"
        ]
        if not literals:
            return draft.constant(listed.value)
        products.append(draft.tree(GATES["and"], literals))
    if not products:
        return draft.constant(1 - listed.value)
    total = draft.tree(GATES["or"], products)
    return total if listed.value else draft.negation(total)


@dataclass(frozen=True)
class Cover:
    """Products over labelled inputs and outputs; `type` is f, fd, fr or fdr.

    A product is a cube and a sign for each output on its rows: 1 and 0 for its value, - where it does not
    count. A sign whose set the type does not list says nothing, as does any other sign.

    >>> from gatewalk.boolean.tables import projections, unpack
    >>> unpack(ones(Cover(("a", "b"), ("y",), (("11", "1"),)), projections(2)), 4).astype(int)
    array([[0, 0, 0, 1]])
    """

    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]
    products: tuple[tuple[str, str], ...]
    type: str = "fd"

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise InputError(f"unknown type of cover {shown(self.type)}; the types are {', '.join(TYPES)}")

    def lists(self, sign: str) -> bool:
        """Whether the type lists the set that a sign of an output stands for."""
        return _SET[sign] in self.type

    def cubes(self, *signs: str) -> list[list[str]]:
        """For every output the cubes on which it has one of these signs, if the type lists their sets."""
        listed = {sign for sign in signs if self.lists(sign)}
        by_output: list[list[str]] = [[] for _ in self.output_labels]
        for cube, outputs in self.products:
            for j, sign in enumerate(outputs):
                if sign in listed:
                    by_output[j].append(cube)
        return by_output


_SET = {"1": "f", "0": "r", "-": "d"}


def ones(cover: Cover, inputs: Words) -> Words:
    """The outputs, uint64[m, words], on columns of inputs, uint64[n, words]; 0 where no row counts."""
    return _ones_and_cares(cover, inputs)[0]


def cares(cover: Cover, inputs: Words) -> Words:
    """For every output the rows that count, uint64[m, words]."""
    return _ones_and_cares(cover, inputs)[1]


def _ones_and_cares(cover: Cover, inputs: Words) -> tuple[Words, Words]:
    n, m = len(cover.input_labels), len(cover.output_labels)
    if inputs.shape[0] != n:
        raise ValueError(f"the cover has {n} inputs, {inputs.shape[0]} columns were given")
    rows = {sign: np.zeros((m, inputs.shape[1]), np.uint64) for sign in _SET}
    listed_signs = [sign for sign in _SET if cover.lists(sign)]
    for cube, outputs in cover.products:
        inside = _rows_of(cube, inputs)
        for j, sign in enumerate(outputs):
            if sign in listed_signs:
                rows[sign][j] |= inside
    on, off, free = rows["1"], rows["0"], rows["-"]
    counted = ~free
    if cover.lists("0"):
        wrong = np.flatnonzero((on & off & counted).any(axis=1))
        if wrong.size:
            raise _contradiction(cover, int(wrong[0]))
        counted &= on | off
    return on & counted, counted


def _rows_of(cube: str, inputs: Words) -> Words:
    """The column of the rows in a cube."""
    rows = np.full(inputs.shape[1], ALL, np.uint64)
    for i, sign in enumerate(cube):
        if sign != "-":
            rows &= inputs[i] if sign == "1" else ~inputs[i]
    return rows


def _contradiction(cover: Cover, output: int) -> InputError:
    label = shown(cover.output_labels[output])
    return InputError(f"the cover contradicts itself: on one row output {label} is both 0 and 1")


def check_consistency(cover: Cover) -> None:
    """Raise `InputError` if a cover lists a row as 1 and as 0 for one output; works for any number of inputs.

    Cubes are compared by pairs. So for type fdr such a row is refused even if it is listed as a don't care
    too.
    """
    if not cover.lists("0"):
        return
    on, off = ([line for line in cover.products if sign in line[1]] for sign in "10")
    if len(off) * len(on) > MOST_PAIRS:
        raise InputError(
            f"{len(on):,} cubes of ones and {len(off):,} of zeros are too many to compare: "
            "write the file with type f or fd"
        )
    # Bit sets, since there may be millions of pairs.
    zeros = [(_bits(cube, "1"), _bits(cube, "0"), _bits(outputs, "0")) for cube, outputs in off]
    for cube, outputs in on:
        one, zero, is_1 = _bits(cube, "1"), _bits(cube, "0"), _bits(outputs, "1")
        for other_one, other_zero, is_0 in zeros:
            both = is_1 & is_0
            if both and not (one & other_zero or zero & other_one):
                raise _contradiction(cover, (both & -both).bit_length() - 1)


def _bits(signs: str, sign: str) -> int:
    """The positions of a sign as a bit set."""
    return int("".join("1" if other == sign else "0" for other in reversed(signs)) or "0", 2)


def ones_circuit(cover: Cover) -> Circuit:
    """The circuit whose outputs are 1 on the rows listed for 1, and 0 on all others.

    >>> print(ones_circuit(Cover(("a", "b"), ("y",), (("10", "1"),))))
    y = a & ~b
    """
    return sum_circuit(cover.cubes("1"), cover.input_labels, cover.output_labels)


def cares_circuit(cover: Cover) -> Circuit | None:
    """The circuit whose outputs are 1 on the rows that count; None if all rows count for every output."""
    draft = Draft(len(cover.input_labels))
    free = cover.cubes("-")
    if not any(free) and not cover.lists("0"):
        return None
    counted = [draft.negation(source) for source in _added(draft, free)]
    if cover.lists("0"):
        listed = _added(draft, cover.cubes("1", "0"))
        counted = (
            [draft.add(GATES["and"], pair) for pair in zip(counted, listed, strict=True)]
            if any(free)
            else listed
        )
    return draft.circuit(cover.input_labels, counted, cover.output_labels)


def sum_circuit(
    sums: Sequence[Sequence[str]], input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """The circuit whose outputs are 1 on the cubes listed for each."""
    draft = Draft(len(input_labels))
    return draft.circuit(input_labels, _added(draft, sums), output_labels)


def _added(draft: Draft, terms: Sequence[Sequence[str]]) -> list[int]:
    """The sums of cubes, one for each output; cubes that outputs share are built once."""
    known: dict[tuple[str, ...], int] = {}

    def added(*cubes: str) -> int:
        if cubes not in known:
            known[cubes] = add_cubes(draft, Cubes(draft.inputs, cubes), range(draft.inputs))
        return known[cubes]

    results = []
    for listed in terms:
        cubes = list(dict.fromkeys(listed))
        if len(cubes) <= 1 or draft.inputs <= _FEW:
            results.append(added(*cubes))
        else:
            results.append(draft.tree(GATES["or"], [added(cube) for cube in cubes]))
    return results


def isop(table: int, n: int, *, free: int = 0) -> tuple[str, ...]:
    """Cubes that cover exactly the ones of a table of n inputs.

    free: a table of the rows that do not matter, which cubes may cover or not.

    >>> isop(0b1110, 2)
    ('-1', '1-')
    >>> isop(0b0110, 2, free=0b1000)
    ('-1', '1-')
    """
    return _between(table & ~free, table | free, n, {})[0]


_Sum = tuple[tuple[str, ...], int]  # cubes, and the table of all their rows


def _between(low: int, high: int, n: int, known: dict[tuple[int, int, int], _Sum]) -> _Sum:
    """Cubes of n inputs that cover all rows of `low` and none outside `high`; the recursion is n deep."""
    if low == 0:
        return (), 0
    rows = 1 << n
    everything = (1 << rows) - 1
    if high == everything:
        return ("-" * n,), everything
    answer = known.get((low, high, n))
    if answer is not None:
        return answer
    half = rows >> 1
    mask = (1 << half) - 1
    low_0, low_1, high_0, high_1 = low & mask, low >> half, high & mask, high >> half
    cubes_0, rows_0 = _between(low_0 & ~high_1, high_0, n - 1, known)
    cubes_1, rows_1 = _between(low_1 & ~high_0, high_1, n - 1, known)
    left = low_0 & ~rows_0 | low_1 & ~rows_1
    cubes, rows_both = _between(left, high_0 & high_1, n - 1, known)
    listed = (*(c + "0" for c in cubes_0), *(c + "1" for c in cubes_1), *(c + "-" for c in cubes))
    result = listed, rows_0 | rows_both | (rows_1 | rows_both) << half
    known[low, high, n] = result
    return result
