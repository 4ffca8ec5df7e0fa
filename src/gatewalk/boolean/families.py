"""Families of targets: the rules that say what `and`, `mul`, `sort` and the others compute at any size.

A rule is a function of the columns of the inputs, uint64[n, words], and the size; it returns the columns of
the outputs. So it works on any rows and for any size. To add a target, write its rule with bitwise operations
only and register it with `family`. The docstring describes the target to users; lists show its first line.
Users register functions of the size with `target_family`.

The families from `mux` to `alu` are those of the General Boolean Function Benchmark Suite (Kalkreuth,
Vašíček, Husa, Vermetten, Ye and Bäck, FOGA 2023): inputs and outputs have its labels and its order, numbers
are unsigned, and bit i of a number X is X[i], least significant bit first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gatewalk.boolean import bit_sliced
from gatewalk.boolean.tables import ALL, Words
from gatewalk.errors import InputError, shown

Rule = Callable[[Words, int], Words]  # the columns of the inputs, and the size -> the columns of the outputs
Labels = Callable[[int], tuple[str, ...]]
OfSize = Callable[[int], int]

LARGEST_SIZE = 1_000_000


@dataclass(frozen=True)
class Family:
    """The targets that one rule defines, for every size from `smallest` to `largest`.

    rule: computes the outputs from the inputs and the size.
    gates: names of gates that can express every member; the default gate set of a search.
    symmetric: no permutation of the inputs changes a member.
    input_labels, output_labels, fewest_nodes: functions of the size.
    example: the size that lists of targets show.
    nodes: the default number of nodes of a search for small members; large members get more. None stands for
        the setting of the theorems: twice as many nodes as inputs, and a small budget.
    """

    name: str
    rule: Rule
    gates: tuple[str, ...]
    symmetric: bool
    input_labels: Labels
    output_labels: Labels
    fewest_nodes: OfSize
    smallest: int
    largest: int
    example: int
    nodes: int | None

    @property
    def description(self) -> str:
        """The first line of the rule's docstring."""
        return (self.rule.__doc__ or "").split("\n")[0]


FAMILIES: dict[str, Family] = {}


def bus(name: str, width: int) -> tuple[str, ...]:
    """The labels of a number's bits, least significant first: X[0], X[1], ..."""
    return tuple(f"{name}[{i}]" for i in range(width))


def address_bits(size: int) -> int:
    """The number of bits of an address that selects one of `size` things."""
    return (size - 1).bit_length()


def _plain_inputs(size: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(1, size + 1))


def family(
    name: str,
    *,
    gates: str,
    symmetric: bool = True,
    inputs: Labels = _plain_inputs,
    outputs: Labels = lambda size: ("y",),
    fewest_nodes: OfSize = lambda size: size - 1,
    smallest: int = 1,
    largest: int = LARGEST_SIZE,
    example: int = 8,
    nodes: int | None = None,
) -> Callable[[Rule], Rule]:
    """Register the decorated rule under a name; the options are the fields of `Family`."""

    def register(rule: Rule) -> Rule:
        FAMILIES[name] = Family(
            name=name,
            rule=rule,
            gates=tuple(gates.split(",")),
            symmetric=symmetric,
            input_labels=inputs,
            output_labels=outputs,
            fewest_nodes=fewest_nodes,
            smallest=smallest,
            largest=largest,
            example=example,
            nodes=nodes,
        )
        return rule

    return register


Members = Callable[[int], object]  # the size -> whatever is a target
_FAMILY_NAME = re.compile(r"(?!(?:.*-)?x[0-9]+(?:-|\Z))[A-Za-z][A-Za-z0-9_-]*", re.ASCII)  # x1 is an input
_RESERVED = ("table", "netlist")  # with these begin the texts of other targets
OWN_FAMILIES: dict[str, TargetFamily] = {}  # of this process


@dataclass(frozen=True, eq=False)
class TargetFamily:
    """A family of targets that a user wrote: its name, and the function of K that returns its members.

    In seeds and stores a member is what it computes, a table or a netlist.
    """

    name: str
    members: Members

    def __call__(self, size: int) -> object:
        """What the function returns for this size, as it is."""
        return self.members(size)

    def __str__(self) -> str:
        return self.name


def target_family(name: str) -> Callable[[Members], TargetFamily]:
    """Decorate a function of the size K that returns a target, so that `name:K` is known as a target.

    Parameters
    ----------
    name
        What the family is called. A name of a built-in family is refused; a name of one's own may be given
        again, and then means the new function.

    Returns
    -------
    Callable
        The decorator. What it returns can be called as the function could.

    Examples
    --------
    >>> import gatewalk as gw
    >>> @gw.target_family("both-ends")
    ... def both_ends(k):
    ...     return f"x1 & x{k}"
    ...
    >>> gw.target("both-ends:5").inputs
    5
    """
    if not _FAMILY_NAME.fullmatch(str(name)) or name.lower() in _RESERVED:
        raise InputError(
            f"a family cannot be called {shown(name)}; use a letter, then letters, digits, _ and -, as in "
            '@target_family("dnf")'
        )
    if name.lower() in FAMILIES:
        raise InputError(f"there is a built-in family {name.lower()}; give yours another name")

    def register(members: Members) -> TargetFamily:
        if not callable(members):
            raise InputError(f"the family {name} must be a function of K, not {shown(members)}")
        OWN_FAMILIES[name] = TargetFamily(name, members)
        return OWN_FAMILIES[name]

    return register


MANY_NODES = 1000
FEW_NODES = 300
MOST_PAIRED = 300  # the most inputs of icomp, which has three outputs for every pair of them
MOST_SORTED = 10_000  # the most inputs of sort, whose rule is a network of some K log² K gates


def _at_least_one(size: int) -> int:
    """K - 1 nodes, since every input matters, but one for K = 1, where the target is not the input itself."""
    return max(1, size - 1)


@family("and", gates="and")
def conjunction(x: Words, size: int) -> Words:
    """1 if all K inputs are 1."""
    return np.bitwise_and.reduce(x, axis=0, keepdims=True)


@family("or", gates="or")
def disjunction(x: Words, size: int) -> Words:
    """1 if any of K inputs is 1."""
    return np.bitwise_or.reduce(x, axis=0, keepdims=True)


@family("xor", gates="xor")
def exclusive_disjunction(x: Words, size: int) -> Words:
    """1 if an odd number of K inputs is 1."""
    return np.bitwise_xor.reduce(x, axis=0, keepdims=True)


@family("nand", gates="and,nand", fewest_nodes=_at_least_one)
def not_conjunction(x: Words, size: int) -> Words:
    """0 if all K inputs are 1."""
    return ~conjunction(x, size)


@family("nor", gates="or,nor", fewest_nodes=_at_least_one)
def not_disjunction(x: Words, size: int) -> Words:
    """1 if none of K inputs is 1."""
    return ~disjunction(x, size)


@family("xnor", gates="xor,xnor", fewest_nodes=_at_least_one)
def not_exclusive_disjunction(x: Words, size: int) -> Words:
    """1 if an even number of K inputs is 1.

    {xnor} alone cannot express it for odd K: a tree of xnor gates over L leaves complements
    the parity of its leaves L - 1 times.
    """
    return ~exclusive_disjunction(x, size)


@family("maj", gates="and,or", example=5, nodes=FEW_NODES)
def majority(x: Words, size: int) -> Words:
    """1 if more than half of K inputs are 1 (for even K a tie gives 0)."""
    return bit_sliced.exceeds(bit_sliced.count_ones(x), size // 2)[np.newaxis]


@family("parity", gates="and,or,nand,nor", example=5, nodes=MANY_NODES)
def odd_parity(x: Words, size: int) -> Words:
    """1 if an odd number of K inputs is 1, as in the suite's epar files; by default without xor.

    For even K and a gate set closed under duality, as this one is, `parity:K` and `epar:K` are
    equally hard: exchanging and with or and nand with nor maps every program for the one to
    an equally fit program for the other.
    """
    return exclusive_disjunction(x, size)


@family("epar", gates="and,or,nand,nor", fewest_nodes=_at_least_one, example=5, nodes=MANY_NODES)
def even_parity(x: Words, size: int) -> Words:
    """1 if an even number of K inputs is 1, Koza's even parity; by default without xor."""
    return ~exclusive_disjunction(x, size)


@family(
    "mux",
    gates="and,or,nand,nor",
    symmetric=False,
    inputs=lambda size: bus("D", size) + bus("ADDR", address_bits(size)),
    outputs=lambda size: ("O",),
    fewest_nodes=lambda size: size + address_bits(size) - 1,
    example=4,
    nodes=FEW_NODES,
)
def multiplexer(x: Words, size: int) -> Words:
    """D[ADDR]: the one of K data inputs that the address says; 0 if the address is K or more."""
    return bit_sliced.select(x[size:], x[:size])[np.newaxis]


def _two_numbers(size: int) -> tuple[str, ...]:
    return bus("A", size) + bus("B", size)


@family(
    "add",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: (*_two_numbers(size), "Ci"),
    outputs=lambda size: bus("O", size + 1),
    fewest_nodes=lambda size: 2 * size,
    example=3,
    nodes=FEW_NODES,
)
def full_adder(x: Words, size: int) -> Words:
    """A + B + Ci, K + 1 bits: the sum of two K-bit numbers and a carry."""
    return bit_sliced.add(x[:size], x[size : 2 * size], x[2 * size])


@family(
    "sum",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=_two_numbers,
    outputs=lambda size: bus("O", size + 1),
    fewest_nodes=lambda size: 2 * size,
    example=3,
    nodes=FEW_NODES,
)
def adder(x: Words, size: int) -> Words:
    """A + B, K + 1 bits: the sum of two K-bit numbers without a carry."""
    return bit_sliced.add(x[:size], x[size:], np.zeros_like(x[0]))


@family(
    "add_sub",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: (*_two_numbers(size), "T"),
    outputs=lambda size: bus("O", size + 1),
    fewest_nodes=lambda size: 2 * size,
    example=2,
    nodes=FEW_NODES,
)
def adder_subtractor(x: Words, size: int) -> Words:
    """A + B if T is 0, A - B if T is 1, K + 1 bits in two's complement: O[K] is the carry or the borrow."""
    a, b, is_difference = x[:size], x[size : 2 * size], x[2 * size]
    total = bit_sliced.add(a, b, np.zeros_like(is_difference))
    result: Words = total & ~is_difference | bit_sliced.subtract(a, b) & is_difference
    return result


@family(
    "mul",
    gates="and,or,nand,nor",
    symmetric=False,
    inputs=_two_numbers,
    outputs=lambda size: bus("P", 2 * size),
    fewest_nodes=lambda size: 2 * size,
    example=3,
    nodes=MANY_NODES,
)
def multiplier(x: Words, size: int) -> Words:
    """A · B, 2K bits: the product of two K-bit numbers."""
    return bit_sliced.multiply(x[:size], x[size:])


@family(
    "mcomp",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=_two_numbers,
    outputs=lambda size: ("LT", "EQ", "GT"),
    fewest_nodes=lambda size: max(3, 2 * size - 1),
    example=3,
    nodes=FEW_NODES,
)
def magnitude_comparator(x: Words, size: int) -> Words:
    """Whether A < B, A = B, A > B, of two K-bit numbers."""
    return np.stack(bit_sliced.compare(x[:size], x[size:]))


@family(
    "icomp",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: bus("A", size),
    outputs=lambda size: bus("O", 3 * size * (size - 1) // 2),
    fewest_nodes=lambda size: 3 * size * (size - 1) // 2,
    smallest=2,
    largest=MOST_PAIRED,
    example=3,
    nodes=FEW_NODES,
)
def identity_comparator(x: Words, size: int) -> Words:
    """Whether A[i] < A[j], A[i] = A[j], A[i] > A[j], of K bits: three outputs for each pair i < j.

    The pairs are in lexicographic order, (0, 1), (0, 2), ..., (K - 2, K - 1).
    """
    pairs = combinations(x, 2)
    return np.stack([column for a, b in pairs for column in (~a & b, ~(a ^ b), a & ~b)])


@family(
    "demux",
    gates="and,or,nand,nor",
    symmetric=False,
    inputs=lambda size: ("A", *bus("ADDR", address_bits(size))),
    outputs=lambda size: bus("OUT", size),
    fewest_nodes=lambda size: size if size > 1 else 0,
    nodes=FEW_NODES,
)
def demultiplexer(x: Words, size: int) -> Words:
    """OUT[ADDR] is A and the other K - 1 outputs are 0; all are 0 if the address is K or more."""
    return bit_sliced.decode(x[1:], x[0], size)


@family(
    "onehot_enc",
    gates="and,or,nand,nor",
    symmetric=False,
    inputs=lambda size: bus("binary", address_bits(size)),
    outputs=lambda size: bus("onehot", size),
    fewest_nodes=lambda size: size if size > 2 else 1,
    smallest=2,
    nodes=FEW_NODES,
)
def one_hot_encoder(x: Words, size: int) -> Words:
    """onehot[binary] is 1 and the other K - 1 outputs are 0; all are 0 if the number is K or more."""
    return bit_sliced.decode(x, np.full_like(x[0], ALL), size)


@family(
    "onescount",
    gates="and,or,xor,not",
    inputs=lambda size: bus("A", size),
    outputs=lambda size: bus("O", size.bit_length()),
    fewest_nodes=lambda size: max(size - 1, size.bit_length()) if size > 1 else 0,
    example=5,
    nodes=FEW_NODES,
)
def ones_counter(x: Words, size: int) -> Words:
    """The number of ones among K inputs, in as many bits as the number K takes."""
    return bit_sliced.count_ones(x)


@family(
    "alu",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: bus("SEL", 3) + _two_numbers(size),
    outputs=lambda size: ("CARRY", *bus("O", size)),
    fewest_nodes=lambda size: 2 * size + 2,
    example=2,
    nodes=MANY_NODES,
)
def arithmetic_logic_unit(x: Words, size: int) -> Words:
    """A and B under the operation SEL, K bits: 0 and, 1 or, 2 xor, 3 sum, 4 to 7 difference A - B.

    CARRY is the carry of the sum and the borrow of the difference (1 where A < B), else 0. The suite's alu3
    and alu4 have one more output O[K], which is always 0; its alu5 to alu8 are as here.
    """
    (low, middle, high), a, b = x[:3], x[3 : 3 + size], x[3 + size :]
    total = bit_sliced.add(a, b, np.zeros_like(low))
    difference = bit_sliced.subtract(a, b)
    without_carry = np.zeros_like(low)[np.newaxis]
    first = np.concatenate([a & b, without_carry]) & ~low | np.concatenate([a | b, without_carry]) & low
    second = np.concatenate([a ^ b, without_carry]) & ~low | total & low
    result = (first & ~middle | second & middle) & ~high | difference & high
    return np.roll(result, 1, axis=0)


@family(
    "sort",
    gates="and,or",
    inputs=lambda size: bus("A", size),
    outputs=lambda size: bus("O", size),
    fewest_nodes=lambda size: size if size > 1 else 0,
    largest=MOST_SORTED,
    example=5,
    nodes=MANY_NODES,
)
def sorter(x: Words, size: int) -> Words:
    """The K input bits in ascending order: O[j] is 1 if at least K - j of them are 1.

    So O[0] is their conjunction and O[K - 1] their disjunction.
    """
    return bit_sliced.sort(x)
