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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations, product

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.boolean.small_tables import restricted
from gatewalk.boolean.tables import ALL, Words, projections
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.errors import InputError, shown

TYPES = ("f", "fd", "fr", "fdr")
MOST_PAIRS = 1 << 24  # the most pairs of cubes that are compared
MOST_LISTED = 1 << 23  # the most pairs of a cube and an output on which a circuit is built
_FEW = 3  # functions of up to so many inputs may be one gate
_WIDEST_GATE = max(gate.arity for gate in GATES.values())
_WORD_INPUTS = 6  # the rows of so many inputs are one word
_TERNARY = str.maketrans("-", "2")
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
    rows, cubes = range(1 << listed.inputs), set(listed.cubes)
    table = sum(1 << row for row in rows if any(holds(cube, row) for cube in cubes))
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


def _check_room(draft: Draft, cubes: Iterable[str], summands: int) -> None:
    """Raise `InputError` if products of these cubes and sums of so many of them are too many gates."""
    literals = sum(max(0, len(cube) - cube.count("-") - 1) for cube in cubes)
    if not any(cube.count("-") == len(cube) for cube in cubes):
        draft.check_room(literals + max(0, summands - 1))


def add_cubes(draft: Draft, listed: Cubes, sources: Sequence[int]) -> int:
    """Add the function to a circuit, as one named gate or as a sum of products; returns its source."""
    named = named_gate(listed)
    if named is not None:
        gate, order = named
        return draft.add(gate, [sources[position] for position in order])
    _check_room(draft, listed.cubes, len(listed.cubes))
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
        pairs = sum(outputs.count(sign) for _, outputs in self.products for sign in listed)
        if pairs > MOST_LISTED:
            raise InputError(
                f"the products have {pairs:,} signs of outputs that need gates; Gatewalk reads at most "
                f"{MOST_LISTED:,}"
            )
        by_output: list[list[str]] = [[] for _ in self.output_labels]
        for cube, outputs in self.products:
            for sign in listed:
                j = outputs.find(sign)
                while j >= 0:
                    by_output[j].append(cube)
                    j = outputs.find(sign, j + 1)
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
    for cube, outputs in cover.products:
        inside = _rows_of(cube, inputs)
        for j, sign in enumerate(outputs):
            if sign in rows:
                rows[sign][j] |= inside
    return _specified(cover, rows)


def _specified(cover: Cover, rows: Mapping[str, Words]) -> tuple[Words, Words]:
    """Where each output is 1, and where it counts, by the rows on which it has each sign."""
    on, off, free = (
        rows[sign] if cover.lists(sign) else np.zeros_like(rows[sign]) for sign in ("1", "0", "-")
    )
    counted = ~free
    if cover.lists("0"):
        wrong = np.flatnonzero((on & off & counted).any(axis=1))
        if wrong.size:
            raise _contradiction(cover, int(wrong[0]))
        counted &= on | off
    return on & counted, counted


def complete_tables(cover: Cover) -> tuple[Words, Words]:
    """`ones` and `cares` on the complete table, for few inputs, but up to millions of products.

    A cube is the product of a cube of the first inputs and one of the last inputs. The rows of all cubes of
    the first inputs are looked up, and joined for each cube of the last inputs; only then are the - of the
    last inputs spread over both values. So a product costs a few words, not the whole table.

    >>> from gatewalk.boolean.tables import table_numbers
    >>> cover = Cover(("a", "b"), ("y",), (("11", "1"), ("00", "-")))
    >>> [table_numbers(words, 4) for words in complete_tables(cover)]
    [[8], [14]]
    """
    n, m = len(cover.input_labels), len(cover.output_labels)
    low = min(n, max(_WORD_INPUTS, (n + 1) // 2))
    lows = _rows_of_all(low)
    codes = np.array([int("0" + cube.translate(_TERNARY), 3) for cube, _ in cover.products], np.int64)
    text = "".join(outputs for _, outputs in cover.products).encode("ascii")
    signs = np.frombuffer(text, np.uint8).reshape(-1, m)
    first, last = np.divmod(codes, 3 ** (n - low))
    rows = {
        sign: np.stack(
            [
                _joined_rows(lows, first[column], last[column], n - low)
                for column in (signs[:, j] == ord(sign) for j in range(m))
            ]
        )
        for sign in _SET
    }
    return _specified(cover, rows)


def _rows_of_all(n: int) -> Words:
    """The rows of every cube of n inputs, uint64[3^n, words], by the cube as a number of base 3, 2 for -."""
    columns = projections(n)
    rows = np.full((1, columns.shape[1] if n else 1), ALL, np.uint64)
    for column in columns:
        choices = np.stack([~column, column, np.full_like(column, ALL)])
        rows = (rows[:, None, :] & choices[None, :, :]).reshape(3 * len(rows), -1)
    return rows


def _joined_rows(lows: Words, first: NDArray[np.int64], last: NDArray[np.int64], high: int) -> Words:
    """The rows of cubes, given by those of their first inputs and the numbers of their `high` last inputs."""
    words = lows.shape[1]
    joined = np.zeros((3**high, words), np.uint64)
    if len(first):
        order = np.argsort(last, kind="stable")
        numbers, starts = np.unique(last[order], return_index=True)
        joined[numbers] = np.bitwise_or.reduceat(lows[first[order]], starts, axis=0)
    spread = joined.reshape((3,) * high + (words,))
    for axis in range(high):
        zero, one, both = np.moveaxis(spread, axis, 0)
        spread = np.stack([zero | both, one | both], axis=axis)
    # The first of these inputs is the lowest bit of a row's number.
    return spread.transpose(*reversed(range(high)), high).reshape(-1)


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

    Cubes are compared by pairs, unless each is a single row: then only equal ones overlap. For type fdr such
    a row is refused even if it is listed as a don't care too.
    """
    if not cover.lists("0"):
        return
    if not any("-" in cube for cube, _ in cover.products):
        _check_rows(cover)
        return
    on, off = ([line for line in cover.products if sign in line[1]] for sign in "10")
    if len(off) * len(on) > MOST_PAIRS:
        raise InputError(
            f"{len(on):,} cubes of ones and {len(off):,} of zeros are too many to compare, "
            f"more than {MOST_PAIRS:,} pairs: list fewer; a PLA of type f or fd needs no zeros"
        )
    on_1, on_0, is_1 = _bits(on, 0, "1"), _bits(on, 0, "0"), _bits(on, 1, "1")
    off_1, off_0, is_0 = _bits(off, 0, "1"), _bits(off, 0, "0"), _bits(off, 1, "0")
    for i in range(len(on)):
        both = is_1[i] & is_0
        apart = (on_1[i] & off_0 | on_0[i] & off_1).any(axis=1)
        wrong = np.flatnonzero(both.any(axis=1) & ~apart)
        if wrong.size:
            raise _contradiction(cover, int(np.flatnonzero(np.unpackbits(both[wrong[0]].view(np.uint8)))[0]))


def _check_rows(cover: Cover) -> None:
    said: dict[str, tuple[int, int]] = {}  # by row, the outputs that are 1 and those that are 0, as bits
    for row, outputs in cover.products:
        on, off = said.get(row, (0, 0))
        on |= int("".join("1" if sign == "1" else "0" for sign in outputs), 2)
        off |= int("".join("1" if sign == "0" else "0" for sign in outputs), 2)
        if on & off:
            raise _contradiction(cover, len(outputs) - (on & off).bit_length())
        said[row] = on, off


def _bits(products: Sequence[tuple[str, str]], part: int, sign: str) -> Words:
    """Where a part of each product, its cube or its outputs, has the sign, as a bit set."""
    width = len(products[0][part]) if products else 0
    text = "".join(product[part] for product in products).encode("ascii")
    signs = np.frombuffer(text, np.uint8).reshape(len(products), width)
    packed = np.packbits(signs == ord(sign), axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


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

    distinct = [list(dict.fromkeys(listed)) for listed in terms]
    if draft.inputs > _FEW:
        cubes_of_all = dict.fromkeys(chain.from_iterable(distinct))
        _check_room(draft, cubes_of_all, sum(max(0, len(cubes) - 1) for cubes in distinct))
    results = []
    for cubes in distinct:
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
