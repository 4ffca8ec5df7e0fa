"""Gates by name, each held as its truth table, and gate sets: the lookup table of CGP.

Bit r of a gate's table is its value on row r, where input j (a, b, c for j = 0, 1, 2) is bit j of r. To add a
gate, add one line to `_ALL`; a further name for a gate goes into `_ALIASES`. A user's own gate has a name
that is none of these, and is written with its table: `mine=0x1b`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from gatewalk.errors import InputError, shown, whole_number


@dataclass(frozen=True)
class Gate:
    """A Boolean function with a name, held as its truth table.

    Attributes
    ----------
    name
        What it is called, as in `--gates and,or`.
    arity
        The number of its inputs.
    table
        Its truth table as an integer: bit r is the value where input j has bit j of r.
    symbol
        How it is written in expressions, with the operands a, b and c.

    Examples
    --------
    >>> from gatewalk import gate
    >>> nand = gate("nand")
    >>> nand(1, 1), nand.arity, bin(nand.table)
    (0, 2, '0b111')
    """

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
        return self.text

    @property
    def is_own(self) -> bool:
        """Whether a user defined the gate: it is none of those listed here."""
        return GATES.get(self.name) != self

    @property
    def text(self) -> str:
        """A text from which `gate` makes the same gate: its name, with the table if a user defined it."""
        return f"{self.name}={table_text(self)}" if self.is_own else self.name

    @property
    def content(self) -> str:
        """A text for the function that the gate computes, whatever a user named it; runs are seeded by it."""
        return f"={table_text(self)}" if self.is_own else self.name


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


LARGEST_ARITY = 6  # of a user's own gate: its table of 2^6 rows fits one word
_NAME = re.compile(r"[a-z_][a-z0-9_]+", re.IGNORECASE | re.ASCII)


def gate(name: str, arity: int | None = None, table: int | None = None) -> Gate:
    """A gate by its name, or one of your own.

    Parameters
    ----------
    name
        The name or an alias of a known gate, in upper or lower case; or a new name, for one of your own; or a
        text with its table, such as "mine=0x1b" or "mine=00011011".
    arity, table
        For a gate of your own: its number of inputs, and its truth table, in which bit r is the value on row
        r, where input j is bit j of r.

    Returns
    -------
    Gate
        The gate. If name, arity and table are those of a known gate, it is the known one.

    Examples
    --------
    >>> gate("AND")(1, 1), gate("mine", 2, 0b0010) == gate("mine=0x2")
    (1, True)
    """
    if not isinstance(name, str):
        raise InputError(f"gate must be a name such as and, not {shown(name)}")
    key, equals, text = name.strip().partition("=")
    if arity is None and table is None and equals:
        arity, table = _parsed_table(name, text)
    if arity is not None and table is not None:
        return _own(key.strip(), arity, table)
    key = key.strip().lower()
    found = GATES.get(_ALIASES.get(key, key))
    if found is None or arity is not None or table is not None:
        near = get_close_matches(key, [*GATES, *_ALIASES], n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        own = "one of your own needs its table, as in mine=0x1b"
        known = ", ".join(GATES)
        raise InputError(f"unknown gate {shown(name.strip())}; {hint}the gates are {known}; {own}")
    return found


def _own(name: str, arity: int, table: int) -> Gate:
    """A gate that a user defines, after checks of its name and table."""
    whole_number(f"gate {shown(name)}: its number of inputs", arity, least=0, most=LARGEST_ARITY)
    whole_number(f"gate {shown(name)}: its table", table, least=0, most=(1 << (1 << arity)) - 1)
    if not _NAME.fullmatch(name):
        raise InputError(
            f"gate {shown(name)}: a name has at least two letters, digits or _, and no digit at the beginning"
        )
    known = GATES.get(_ALIASES.get(name.lower(), name.lower()))
    if known is not None and (known.arity, known.table) != (arity, table):
        raise InputError(f"gate {shown(name)}: {known.name} is another gate; choose another name")
    operands = ", ".join("abcdef"[:arity])
    return known or Gate(name, int(arity), int(table), f"{name}({operands})")


def _parsed_table(name: str, text: str) -> tuple[int, int]:
    """The arity and the table from a text: 0x and a hexadecimal digit per four rows, or one bit per row."""
    digits = text.strip().lower()
    is_hex = digits.startswith("0x")
    bits = 4 * (len(digits) - 2) if is_hex else len(digits)
    well_formed = re.fullmatch("0x[0-9a-f]+" if is_hex else "[01]+", digits, re.ASCII)
    if not well_formed or bits.bit_count() != 1 or bits > 1 << LARGEST_ARITY:
        raise InputError(
            f"gate {shown(name)}: a table has a digit for each row, 0110, or for four of them, 0x1b, "
            f"and up to {LARGEST_ARITY} inputs"
        )
    return bits.bit_length() - 1, int(digits, 16 if is_hex else 2)


def table_text(one: Gate) -> str:
    """A gate's table as a text that `gate` reads."""
    rows = 1 << one.arity
    return f"0x{one.table:0{rows // 4}x}" if rows >= 4 else f"{one.table:0{rows}b}"


@dataclass(frozen=True)
class GateSet:
    """The gates that a search may use, numbered from 0 in the order given: the paper's lookup table.

    Attributes
    ----------
    gates
        The gates.

    Examples
    --------
    >>> from gatewalk import gate_set
    >>> allowed = gate_set("and,not")
    >>> allowed.names, allowed.arity
    (('and', 'not'), 2)
    """

    gates: tuple[Gate, ...]

    def __post_init__(self) -> None:
        if not self.gates:
            raise InputError("a gate set needs at least one gate, as in 'and,or'")
        by_name: dict[str, Gate] = {}
        for one in self.gates:
            if by_name.setdefault(one.name, one) != one:
                raise InputError(f"two different gates are called {shown(one.name)}; rename one of them")
        if len(by_name) < len(self.gates):
            twice = next(name for name, count in Counter(self.names).items() if count > 1)
            raise InputError(f"gate {shown(twice)} appears twice in the gate set; remove one")

    @cached_property
    def arity(self) -> int:
        """k of the paper: the number of connection genes of each node, at least one."""
        return max(1, *(one.arity for one in self.gates))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.gates)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Texts from which `gate_set` makes the same set."""
        return tuple(one.text for one in self.gates)

    def __len__(self) -> int:
        return len(self.gates)

    def __str__(self) -> str:
        return ",".join(self.texts)


def gate_set(gates: str | Iterable[str | Gate]) -> GateSet:
    """A set of gates, in the order given.

    Parameters
    ----------
    gates
        Names in one text ("and,or"), also with gates of your own as their tables ("and,mine=0x1b"), or a
        list of names and gates.

    Returns
    -------
    GateSet
        Each gate once.

    Examples
    --------
    >>> gate_set("and,or").names
    ('and', 'or')
    """
    listed = gates.split(",") if isinstance(gates, str) else list(gates)
    chosen = [item if isinstance(item, Gate) else gate(item) for item in listed if str(item).strip()]
    return GateSet(tuple(chosen))


def is_symmetric(one: Gate) -> bool:
    """Whether the order of the gate's inputs does not matter: its value depends only on how many are 1."""
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
