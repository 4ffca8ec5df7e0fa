"""Gates by name, each held as its truth table, and gate sets: the lookup table of CGP.

Bit r of a gate's table is its value on the row r in which input j (a, b, c from j = 0) is bit j
of r. To add a gate, add one line to `_ALL`; a second name for one goes into `_ALIASES`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from gatewalk.errors import InputError, shown


@dataclass(frozen=True)
class Gate:
    """A Boolean function of `arity` inputs; `symbol` writes it with the operands a, b and c."""

    name: str
    arity: int
    table: int
    symbol: str

    def __post_init__(self) -> None:
        if not 0 <= self.table < 1 << (1 << self.arity):
            raise ValueError(f"gate {self.name}: the table does not fit {self.arity} inputs")

    def __call__(self, *inputs: bool | int) -> int:
        """The gate's value, 0 or 1, on single bits."""
        if len(inputs) != self.arity:
            raise TypeError(f"gate {self.name} takes {self.arity} inputs, not {len(inputs)}")
        return self.table >> sum(bool(bit) << j for j, bit in enumerate(inputs)) & 1

    def __str__(self) -> str:
        return self.name


# For two inputs the table reads, from the left: value at b=1,a=1; b=1,a=0; b=0,a=1; b=0,a=0.
_ALL = (
    Gate("const0", 0, 0b0, "0"),
    Gate("const1", 0, 0b1, "1"),
    Gate("buf", 1, 0b10, "a"),
    Gate("not", 1, 0b01, "~a"),
    Gate("false", 2, 0b0000, "0"),
    Gate("nor", 2, 0b0001, "~(a | b)"),
    Gate("nimply", 2, 0b0010, "a & ~b"),
    Gate("not_b", 2, 0b0011, "~b"),
    Gate("ncimply", 2, 0b0100, "~a & b"),
    Gate("not_a", 2, 0b0101, "~a"),
    Gate("xor", 2, 0b0110, "a ^ b"),
    Gate("nand", 2, 0b0111, "~(a & b)"),
    Gate("and", 2, 0b1000, "a & b"),
    Gate("xnor", 2, 0b1001, "~(a ^ b)"),
    Gate("buf_a", 2, 0b1010, "a"),
    Gate("cimply", 2, 0b1011, "a | ~b"),
    Gate("buf_b", 2, 0b1100, "b"),
    Gate("imply", 2, 0b1101, "~a | b"),
    Gate("or", 2, 0b1110, "a | b"),
    Gate("true", 2, 0b1111, "1"),
    Gate("mux", 3, 0b11100100, "a ? c : b"),  # inputs: select, value if select is 0, value if it is 1
    Gate("maj", 3, 0b11101000, "maj(a, b, c)"),
    Gate("and3", 3, 0b10000000, "a & b & c"),
    Gate("nand3", 3, 0b01111111, "~(a & b & c)"),
    Gate("or3", 3, 0b11111110, "a | b | c"),
    Gate("nor3", 3, 0b00000001, "~(a | b | c)"),
    Gate("xor3", 3, 0b10010110, "a ^ b ^ c"),
    Gate("xnor3", 3, 0b01101001, "~(a ^ b ^ c)"),
    Gate("minority", 3, 0b00010111, "~maj(a, b, c)"),
    Gate("aoi21", 3, 0b00000111, "~(a & b | c)"),
    Gate("oai21", 3, 0b00011111, "~((a | b) & c)"),
)

_ALIASES = {
    "zero": "const0",
    "one": "const1",
    "0": "const0",
    "1": "const1",
    "wire": "buf",
    "id": "buf",
    "inv": "not",
    "and2": "and",
    "or2": "or",
    "xor2": "xor",
    "nand2": "nand",
    "nor2": "nor",
    "xnor2": "xnor",
    "andn": "nimply",
    "andnot": "nimply",
    "gt": "nimply",
    "nandn": "ncimply",
    "notand": "ncimply",
    "lt": "ncimply",
    "implies": "imply",
    "le": "imply",
    "orn": "cimply",
    "ornot": "cimply",
    "ge": "cimply",
    "eq": "xnor",
    "nxor": "xnor",
    "maj3": "maj",
    "ite": "mux",
}

GATES: dict[str, Gate] = {gate.name: gate for gate in _ALL}


def gate(name: str) -> Gate:
    """The gate of that name or alias, upper or lower case."""
    key = name.strip().lower()
    found = GATES.get(_ALIASES.get(key, key))
    if found is None:
        near = get_close_matches(key, [*GATES, *_ALIASES], n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise InputError(f"unknown gate {shown(name.strip())}: {hint}the gates are {', '.join(GATES)}")
    return found


@dataclass(frozen=True)
class GateSet:
    """The lookup table of the paper: gates indexed from 0 in the order given."""

    gates: tuple[Gate, ...]

    def __post_init__(self) -> None:
        if not self.gates:
            raise InputError("a gate set needs at least one gate, as in 'and,or'")
        for index, one in enumerate(self.gates):
            if one in self.gates[:index]:
                raise InputError(f"gate {shown(one.name)} is given twice in one gate set: remove one")

    @cached_property
    def arity(self) -> int:
        """k of the paper: the connection genes each node carries, at least one."""
        return max(1, *(one.arity for one in self.gates))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.gates)

    def __len__(self) -> int:
        return len(self.gates)

    def __str__(self) -> str:
        return ",".join(self.names)


def gate_set(names: str | Iterable[str]) -> GateSet:
    """The set of the named gates, in the order given: "and,or" or ["and", "or"]."""
    listed = names.split(",") if isinstance(names, str) else list(names)
    return GateSet(tuple(gate(name) for name in listed if name.strip()))


def is_symmetric(one: Gate) -> bool:
    """Whether the order of the gate's inputs does not matter: its value depends on their sum only."""
    seen = {(row.bit_count(), one.table >> row & 1) for row in range(1 << one.arity)}
    return len(seen) == one.arity + 1


def anf(one: Gate) -> tuple[int, ...]:
    """Algebraic normal form: coefficient m is 1 if the product of the inputs in bit set m is a term.

    The gate is the exclusive or of its terms; found by the Möbius transform of the table.
    """
    bits = [one.table >> row & 1 for row in range(1 << one.arity)]
    for j in range(one.arity):
        for row in range(1 << one.arity):
            if row >> j & 1:
                bits[row] ^= bits[row ^ 1 << j]
    return tuple(bits)
