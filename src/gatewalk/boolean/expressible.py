"""Whether gates can express a target at all, by Post's lattice.

The functions that circuits of given gates compute form a clone: a set that contains the inputs and is closed
under composition. Post ("The two-valued iterative systems of mathematical logic", 1941) found all clones of
Boolean functions; each is an intersection of classes of the ten kinds below. So a function is in the clone of
a gate set if and only if it is in every class that contains all the gates (Lau, "Function Algebras on Finite
Sets", 2006).

- 0-preserving, 1-preserving, self-dual, monotone, affine: Post's five maximal classes.
- conjunctions, disjunctions, functions of at most one input.
- 1-separating of degree k: any k rows with value 1 have an input in common that is 1 in all of them; of
  infinite degree: one input is 1 wherever the function is. 0-separating is the dual: exchange 0 and 1.

A gate without inputs counts as a constant function of one input. Up to `MOST_EXACT` inputs the whole table of
the target is checked and the answer is exact. For larger targets, and for targets with rows that do not
count, only some rows are checked: if they prove that a target is outside a class, that is certain; if they
do not, it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet, gate
from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.boolean.targets import Target

Bits = NDArray[np.bool_]  # tables, bool[functions, 2^n]; or the inputs on some rows, bool[n, rows]
Evaluator = Callable[[Bits], tuple[Bits, Bits]]  # rows -> the outputs' values and whether they count

MOST_EXACT = 12  # the most inputs of a target whose whole table is checked
_MOST_SAMPLED_BITS = 1 << 22
_SUGGESTED = ("not", "and", "or", "xor", "nand", "nor")


@dataclass(frozen=True)
class _Class:
    """A closed class of functions.

    makes, misses: words for messages: what its members are, and what a function outside is not.
    outside: for each function of a table, whether it is outside the class.
    proven_outside: for each output of a target, whether its values on the given rows prove it outside.
    """

    makes: str
    misses: str
    outside: Callable[[Bits], Bits]
    proven_outside: Callable[[Evaluator, Bits, np.random.Generator], Bits]


def why_inexpressible(wanted: Target, gates: GateSet) -> str | None:
    """Why no circuit of these gates computes a target, by Post's lattice, and which gates to add.

    None if the gates suffice, or if no reason against it was found.

    >>> from gatewalk.boolean.gates import gate_set
    >>> from gatewalk.boolean.targets import family_target
    >>> why_inexpressible(family_target("xor:3"), gate_set("and,or"))
    '{and, or} makes only monotone functions, xor:3 is not monotone: add not, xor or nand'
    >>> why_inexpressible(family_target("xor:3"), gate_set("and,not")) is None
    True
    """
    barriers = list(_barriers(wanted, gates))
    if not barriers:
        return None
    one, output = barriers[0]
    what = wanted.label if wanted.outputs == 1 else f"{wanted.output_labels[output]} of {wanted.label}"
    expressible = f"{{{', '.join(gates.names)}}} makes only {one.makes}"
    return f"{expressible}, {what} {one.misses}: add {_either(_remedies(wanted, gates))}"


def _barriers(wanted: Target, gates: GateSet) -> Iterator[tuple[_Class, int]]:
    """The classes that contain all the gates but not the target, each with an output that is outside."""
    tables = [_table_of(gate) for gate in gates.gates]
    within = [
        family for family in _classes(gates.arity) if not any(family.outside(table).any() for table in tables)
    ]
    if not within:
        return
    if wanted.inputs <= MOST_EXACT and wanted.cares is None:
        table = unpack(wanted.evaluate(projections(wanted.inputs)), 1 << wanted.inputs)
        tested: Iterator[tuple[_Class, Bits]] = ((family, family.outside(table)) for family in within)
    else:
        tested = _proven(wanted, within)
    for family, outside in tested:
        if outside.any():
            yield family, int(outside.argmax())


def _remedies(wanted: Target, gates: GateSet) -> list[str]:
    """Up to three gates, each of which makes the set sufficient as far as is known; nand always does."""
    remedies = []
    for name in _SUGGESTED:
        more = gate(name)
        if more not in gates.gates and not any(_barriers(wanted, GateSet((*gates.gates, more)))):
            remedies.append(name)
    return remedies[:3]


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _table_of(one: Gate) -> Bits:
    """The table of one gate; a constant without inputs becomes a constant function of one input."""
    bits = [bool(one.table >> row & 1) for row in range(1 << one.arity)]
    return np.array([bits * 2 if one.arity == 0 else bits])


def _classes(arity: int) -> Iterator[_Class]:
    """The classes to check for gates of at most `arity` inputs, those that are easiest to explain first.

    No degrees from m on are needed for gates of m inputs: a gate that is separating of degree m is separating
    of every degree, because among rows without a common 1 there are m that have none.
    """
    yield from _SIMPLE
    for degree in (*range(2, arity), inf):
        yield from _separating(degree)


# Tests on whole tables. Bit i of a row's number is input i, so the reversed table has all inputs
# complemented.


def _dual(table: Bits) -> Bits:
    return ~table[:, ::-1]


def _input_bits(table: Bits) -> Bits:
    """The inputs of all rows, bool[n, 2^n]."""
    rows = np.arange(table.shape[1])
    return np.array([rows >> i & 1 for i in range(table.shape[1].bit_length() - 1)], bool)


def _not_monotone(table: Bits) -> Bits:
    falls = np.zeros(table.shape[0], bool)
    for i in range(table.shape[1].bit_length() - 1):
        halves = table.reshape(table.shape[0], -1, 2, 1 << i)
        falls |= (halves[:, :, 0] & ~halves[:, :, 1]).any(axis=(1, 2))
    return falls


def _linear_part(table: Bits) -> tuple[Bits, Bits]:
    """For each function, the inputs that matter on the row of zeros, and whether it is affine.

    It is affine if it is the exclusive or of these inputs, or its complement.
    """
    inputs = _input_bits(table)
    start = table[:, :1]
    matters = table[:, [1 << i for i in range(inputs.shape[0])]] ^ start
    parity = (matters.astype(np.int32) @ inputs.astype(np.int32)) % 2 == 1
    return matters, ((parity ^ start) == table).all(axis=1)


def _not_affine(table: Bits) -> Bits:
    return ~_linear_part(table)[1]


def _not_unary(table: Bits) -> Bits:
    matters, is_affine = _linear_part(table)
    return np.asarray(~is_affine | (matters.sum(axis=1) > 1))


def _not_conjunction(table: Bits) -> Bits:
    """Whether it is neither constant nor a conjunction: that of the inputs that matter on the row of ones."""
    inputs = _input_bits(table)
    top = table[:, -1:]
    last = table.shape[1] - 1
    matters = top & ~table[:, [last ^ 1 << i for i in range(inputs.shape[0])]]
    conjunction = (matters.astype(np.int32) @ (~inputs).astype(np.int32)) == 0
    return np.asarray(((conjunction & top) != table).any(axis=1))


def _not_separating(table: Bits, degree: float) -> Bits:
    inputs = _input_bits(table)
    if degree >= inputs.shape[0]:
        ones_without = table.astype(np.int32) @ (~inputs).astype(np.int32).T  # rows with value 1 and input 0
        return np.asarray((ones_without > 0).all(axis=1))
    common = table
    for _ in range(int(degree) - 1):
        common = _intersections(common, table)
    return common[:, 0].copy()


def _intersections(first: Bits, second: Bits) -> Bits:
    """The rows that are the conjunction of a row of the first set and a row of the second.

    Found by counting: the conjunction of a pair contains a row if and only if both of the pair contain it.
    """
    counts = _sums_of_larger(first.astype(np.int64), 1) * _sums_of_larger(second.astype(np.int64), 1)
    return _sums_of_larger(counts, -1) > 0


def _sums_of_larger(values: NDArray[np.int64], sign: int) -> NDArray[np.int64]:
    """For each row the sum of the values of all rows that contain it (sign 1), or the inverse (sign -1)."""
    total = values.copy()
    for i in range(values.shape[1].bit_length() - 1):
        halves = total.reshape(values.shape[0], -1, 2, 1 << i)
        halves[:, :, 0] += sign * halves[:, :, 1]
    return total


# Tests on single rows. A class consists of the functions that preserve a relation: if rows are related but
# the values on them are not, the function is outside.


def _proven(wanted: Target, within: list[_Class]) -> Iterator[tuple[_Class, Bits]]:
    generator = np.random.default_rng(1)
    width = wanted.inputs + wanted.outputs
    count = int(np.clip(_MOST_SAMPLED_BITS // width, 4, 512))
    density = generator.random(count)
    rows = generator.random((wanted.inputs, count), np.float32) < density
    rows[:, 0], rows[:, 1] = False, True

    def value(looked_at: Bits) -> tuple[Bits, Bits]:
        packed = pack(looked_at)
        values = unpack(wanted.evaluate(packed), looked_at.shape[1])
        if wanted.cares is None:
            return values, np.ones_like(values)
        return values, unpack(wanted.cares(packed), looked_at.shape[1])

    for one in within:
        yield one, one.proven_outside(value, rows, generator)


def _refuted(value: Evaluator, related: list[Bits], is_broken: Callable[..., Bits]) -> Bits:
    """For each output, whether its values on some related rows, which all count, break the relation."""
    looked_up = [value(rows) for rows in related]
    counts = np.logical_and.reduce([known for _, known in looked_up])
    return np.asarray((counts & is_broken(*(values for values, _ in looked_up))).any(axis=1))


def _shuffled(rows: Bits, generator: np.random.Generator) -> Bits:
    return rows[:, generator.permutation(rows.shape[1])]


def _keeps_constant(bit: bool) -> Callable[[Evaluator, Bits, np.random.Generator], Bits]:
    def proven_outside(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
        return _refuted(value, [np.full((rows.shape[0], 1), bit)], lambda v: v != bit)

    return proven_outside


def _breaks_duality(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
    return _refuted(value, [rows, ~rows], np.equal)


def _breaks_order(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
    return _refuted(value, [rows & _shuffled(rows, generator), rows], np.greater)


def _breaks_parity(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
    second, third = _shuffled(rows, generator), _shuffled(rows, generator)
    related = [rows, second, third, rows ^ second ^ third]
    return _refuted(value, related, lambda a, b, c, d: a ^ b ^ c ^ d)


def _breaks_meet(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
    others = np.concatenate([_shuffled(rows, generator), ~rows], axis=1)
    rows = np.concatenate([rows, rows], axis=1)
    return _refuted(value, [rows, others, rows & others], lambda a, b, both: (a & b) != both)


def _needs_two_inputs(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
    """Whether changing some inputs changes the value, and changing only other inputs does so too."""
    some = _shuffled(rows, generator)
    others = ~some & _shuffled(rows, generator)
    related = [rows, rows ^ some, rows ^ others]
    return _refuted(value, related, lambda a, b, c: (a != b) & (a != c))


def _of_dual(
    test: Callable[[Evaluator, Bits, np.random.Generator], Bits],
) -> Callable[[Evaluator, Bits, np.random.Generator], Bits]:
    """The test of the dual class: that of the class with inputs and outputs complemented."""

    def proven_outside(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
        def dual_value(looked_at: Bits) -> tuple[Bits, Bits]:
            values, known = value(~looked_at)
            return ~values, known

        return test(dual_value, ~rows, generator)

    return proven_outside


def _breaks_separation(degree: float) -> Callable[[Evaluator, Bits, np.random.Generator], Bits]:
    def proven_outside(value: Evaluator, rows: Bits, generator: np.random.Generator) -> Bits:
        found = _refuted(value, [rows, ~rows], np.logical_and)  # two rows without a common 1
        if degree == inf:
            values, known = value(rows)
            for output in range(values.shape[0]):
                ones = rows[:, values[output] & known[output]]
                found[output] |= bool(ones.shape[1]) and not ones.all(axis=1).any()
        return found

    return proven_outside


_SIMPLE = (
    _Class("functions of one input", "depends on more", _not_unary, _needs_two_inputs),
    _Class("conjunctions and constants", "is neither", _not_conjunction, _breaks_meet),
    _Class(
        "disjunctions and constants",
        "is neither",
        lambda table: _not_conjunction(_dual(table)),
        _of_dual(_breaks_meet),
    ),
    _Class("exclusive ors and their complements", "is neither", _not_affine, _breaks_parity),
    _Class("monotone functions", "is not monotone", _not_monotone, _breaks_order),
    _Class(
        "functions that are 0 where all inputs are 0",
        "is 1 there",
        lambda table: table[:, 0].copy(),
        _keeps_constant(False),
    ),
    _Class(
        "functions that are 1 where all inputs are 1",
        "is 0 there",
        lambda table: ~table[:, -1],
        _keeps_constant(True),
    ),
    _Class(
        "self-dual functions",
        "is not self-dual",
        lambda table: (table != _dual(table)).any(axis=1),
        _breaks_duality,
    ),
)


def _separating(degree: float) -> tuple[_Class, _Class]:
    """The 1-separating and the 0-separating functions of that degree."""
    if degree == inf:
        makes = "functions that are {0} only where one certain input is {0}"
    else:
        makes = f"functions of which any {degree} rows with value {{0}} have an input {{0}} in common"
    proves = _breaks_separation(degree)
    return (
        _Class(makes.format(1), "is none of them", lambda table: _not_separating(table, degree), proves),
        _Class(
            makes.format(0),
            "is none of them",
            lambda table: _not_separating(_dual(table), degree),
            _of_dual(proves),
        ),
    )
