"""Targets: the Boolean functions wanted, by name and size as in `and:8`.

A family is one function over words: it takes the columns of the inputs, uint64[n, words], and its size, and
returns the columns of the outputs, so that it works on any rows and for any size. To add a target, write
that function and register it with `family`; its docstring is its description, the first line for lists.

The families from `mux` to `alu` are those of the General Boolean Function Benchmark Suite (Kalkreuth,
Vašíček, Husa, Vermetten, Ye and Bäck, FOGA 2023): inputs and outputs have its labels and its order, numbers
are unsigned, and bit i of a number X is X[i], least significant bit first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from itertools import combinations
from urllib.parse import unquote

import numpy as np

from gatewalk.boolean import bit_sliced
from gatewalk.boolean.family import FAMILIES, Family, Rule, address_bits, bus, family
from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.tables import ALL, Words
from gatewalk.errors import InputError, brief, printable, shown

Evaluate = Callable[[Words], Words]

MANY_NODES = 1000
FEW_NODES = 300
THEOREMS_BUDGET = 1_000_000
SEARCH_BUDGET = 50_000_000
MOST_PAIRED = 300  # inputs of icomp, which has an output for every pair and relation
MOST_SORTED = 10_000  # inputs of sort, whose rule is a network of some K log² K gates


@dataclass(frozen=True)
class Target:
    """A Boolean function of `inputs` inputs and `outputs` outputs.

    gates: a small gate set that can express it, whatever the size. For nand and nor one gate is
        enough, but then n inputs take 2n - 3 gates and a search in 2n nodes rarely finds them.
    symmetric: no permutation of the inputs changes it.
    fewest_nodes: fewer gates of at most two inputs than this, whichever they are, cannot compute
        it: an output that depends on v inputs needs v - 1, and different outputs that are no inputs
        need a gate each. 0 if nothing is known.
    evaluate: from the columns of the inputs, uint64[inputs, words], those of the outputs.
    cares: likewise from the columns of the inputs, the rows that count, uint64[outputs, words]: where
        the bit of an output is 0, any value of that output is right. None if all count.
    nodes, offspring, budget: of a search for it where nothing else is said, see `defaults`; nodes
        None is what does for most functions.
    content: what it computes, as a text, by which runs are seeded: of a function that has a name of its own,
        the name says it.
    """

    name: str
    inputs: int
    outputs: int
    input_labels: tuple[str, ...] = field(repr=False)
    output_labels: tuple[str, ...] = field(repr=False)
    gates: tuple[str, ...]
    symmetric: bool
    fewest_nodes: int
    family: str
    evaluate: Evaluate = field(repr=False)
    cares: Evaluate | None = field(default=None, repr=False)
    nodes: int | None = None
    offspring: int = 1
    budget: int = SEARCH_BUDGET
    content: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.content:
            object.__setattr__(self, "content", self.name)

    @property
    def label(self) -> str:
        """What it is called for readers."""
        return label_of(self.name)


def label_of(name: str) -> str:
    """What a target of this name is called for readers: the name that it was given, or the text that it is.

    Examples
    --------
    >>> label_of("odd@table:3:0x96"), label_of("and:8")
    ('odd', 'and:8')
    """
    given, at, text = name.rpartition("@")
    return brief(printable(unquote(given) if at else text))


@dataclass(frozen=True)
class Defaults:
    """What a search for a target uses where nothing else is said."""

    gates: tuple[str, ...]
    nodes: int
    offspring: int
    budget: int


def defaults(wanted: Target) -> Defaults:
    """The settings with which a bare `gatewalk evolve TARGET` searches.

    and, or, xor, nand, nor and xnor have what the theorems and the paper's experiments have: 2n nodes, one
    offspring and a million iterations. The others have what benchmarks/defaults.py found to be quick.

    Examples
    --------
    >>> defaults(target("and:8"))
    Defaults(gates=('and',), nodes=16, offspring=1, budget=1000000)
    """
    nodes = _enough(wanted.inputs + wanted.outputs, MANY_NODES) if wanted.nodes is None else wanted.nodes
    return Defaults(wanted.gates, nodes, wanted.offspring, wanted.budget)


def _enough(ends: int, least: int) -> int:
    """Nodes for so many inputs and outputs: a large target needs more than a small one."""
    return max(least, 10 * ends)


@dataclass(frozen=True)
class _Sized:
    """A rule at one size: equal to another of the same rule and size, also in another process."""

    rule: Rule
    size: int

    def __call__(self, x: Words) -> Words:
        return self.rule(x, self.size)


def families() -> tuple[Family, ...]:
    """Every family, in the order of this file."""
    return tuple(FAMILIES.values())


@lru_cache(maxsize=256)
def target(name: str) -> Target:
    """The target of that name, a family and its size: "and:8"."""
    if not isinstance(name, str):
        raise InputError(f"target {shown(name)} is not a name, as in and:8")
    text = name.strip().lower()
    family_name, colon, size_text = text.partition(":")
    found = FAMILIES.get(family_name)
    if found is None:
        near = _near(family_name)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise InputError(
            f"unknown target {shown(name)}: {hint}targets are {', '.join(FAMILIES)}, as in and:8"
        )
    example = f"{family_name}:{found.example}"
    if not colon:
        raise InputError(f"target {shown(name)} has no size: write it as in {example}")
    if not (size_text.isascii() and size_text.isdigit()):
        raise InputError(f"target {shown(name)}: {shown(size_text)} is not a size, write it as in {example}")
    if len(size_text) > 9 or not found.smallest <= int(size_text) <= found.largest:
        raise InputError(f"target {shown(name)}: the size must be from {found.smallest} to {found.largest}")
    return member(found, int(size_text))


def _near(text: str) -> list[str]:
    """Names that may be meant: and:8 for and8, and families that are written alike."""
    parts = re.fullmatch(r"([a-z_]+)[^a-z0-9:]?([0-9]{1,9})", text, re.ASCII)
    if parts is not None and parts[1] in FAMILIES:
        return [f"{parts[1]}:{parts[2]}"]
    return get_close_matches(text, FAMILIES, n=3)


def member(of: Family, size: int) -> Target:
    """The target of a family that has this size."""
    input_labels, output_labels = of.input_labels(size), of.output_labels(size)
    ends = len(input_labels) + len(output_labels)
    return Target(
        name=f"{of.name}:{size}",
        inputs=len(input_labels),
        outputs=len(output_labels),
        input_labels=input_labels,
        output_labels=output_labels,
        gates=of.gates,
        symmetric=of.symmetric,
        fewest_nodes=of.fewest_nodes(size),
        family=of.name,
        evaluate=_Sized(of.rule, size),
        nodes=2 * len(input_labels) if of.nodes is None else _enough(ends, of.nodes),
        budget=THEOREMS_BUDGET if of.nodes is None else SEARCH_BUDGET,
    )


def fewest_nodes(wanted: Target, gates: GateSet) -> int:
    """The least number of nodes known to be necessary with these gates.

    Parity of n inputs without xor and xnor takes 3(n - 1): Schnorr, "Zwei lineare untere Schranken
    für die Komplexität Boolescher Funktionen", Computing 13, 1974.
    """
    if gates.arity > 2:
        return -(-wanted.fewest_nodes // (gates.arity - 1)) if wanted.outputs == 1 else 0
    if wanted.family in ("xor", "xnor", "parity", "epar") and not {"xor", "xnor"} & set(gates.names):
        return max(wanted.fewest_nodes, 3 * (wanted.inputs - 1))
    return wanted.fewest_nodes


def _at_least_one(size: int) -> int:
    """Every input matters and even for one input the target is not that input itself."""
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
