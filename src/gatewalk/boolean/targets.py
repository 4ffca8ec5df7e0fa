"""Targets: the Boolean functions wanted, by name and size as in `and:8`.

A family is one function over words: it takes the columns of the inputs, uint64[n, words], and
returns those of the outputs, so that it works on any rows and for any n. To add a target, write
that function and register it with `_family`; its docstring is its description.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.tables import ALL, Words
from gatewalk.errors import InputError, shown

Evaluate = Callable[[Words], Words]
Labels = Callable[[int], tuple[str, ...]]

LARGEST_SIZE = 1_000_000


@dataclass(frozen=True)
class Target:
    """A Boolean function of `inputs` inputs and `outputs` outputs.

    gates: a small gate set that can express it, whatever the size. For nand and nor one gate is
        enough, but then n inputs take 2n - 3 gates and a search in 2n nodes rarely finds them.
    symmetric: no permutation of the inputs changes it.
    fewest_nodes: fewer gates of at most two inputs than this, whichever they are, cannot compute
        it: an output that depends on v inputs needs v - 1. 0 if nothing is known.
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


@dataclass(frozen=True)
class _Family:
    evaluate: Evaluate
    gates: tuple[str, ...]
    symmetric: bool
    input_labels: Labels
    output_labels: Labels
    fewest_nodes: Callable[[int], int]


_FAMILIES: dict[str, _Family] = {}


def _numbered(letter: str, count: int, start: int = 1) -> tuple[str, ...]:
    return tuple(f"{letter}{i}" for i in range(start, start + count))


def _family(
    name: str,
    *,
    gates: str,
    symmetric: bool = True,
    inputs: Labels = lambda size: _numbered("x", size),
    outputs: Labels = lambda size: ("y",),
    fewest_nodes: Callable[[int], int] = lambda size: size - 1,
) -> Callable[[Evaluate], Evaluate]:
    """Register the decorated function under a name; the options are functions of the size N."""

    def register(function: Evaluate) -> Evaluate:
        listed = tuple(gates.split(","))
        _FAMILIES[name] = _Family(function, listed, symmetric, inputs, outputs, fewest_nodes)
        return function

    return register


def families() -> dict[str, str]:
    """The name and one-line description of every family."""
    return {name: (family.evaluate.__doc__ or "").split("\n")[0] for name, family in _FAMILIES.items()}


@lru_cache(maxsize=256)
def target(name: str) -> Target:
    """The target of that name, a family and its size: "and:8"."""
    if not isinstance(name, str):
        raise InputError(f"target {shown(name)} is not a name, as in and:8")
    text = name.strip().lower()
    family_name, colon, size_text = text.partition(":")
    family = _FAMILIES.get(family_name)
    if family is None:
        near = get_close_matches(family_name, _FAMILIES, n=3)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise InputError(
            f"unknown target {shown(name)}: {hint}targets are {', '.join(_FAMILIES)}, as in and:8"
        )
    if not colon:
        raise InputError(f"target {shown(name)} has no size: write it as in {family_name}:8")
    if not (size_text.isascii() and size_text.isdigit()):
        raise InputError(
            f"target {shown(name)}: {shown(size_text)} is not a size, write it as in {family_name}:8"
        )
    if len(size_text) > 9 or not 1 <= int(size_text) <= LARGEST_SIZE:
        raise InputError(f"target {shown(name)}: the size must be from 1 to {LARGEST_SIZE}")
    size = int(size_text)
    input_labels, output_labels = family.input_labels(size), family.output_labels(size)
    return Target(
        name=f"{family_name}:{size}",
        inputs=len(input_labels),
        outputs=len(output_labels),
        input_labels=input_labels,
        output_labels=output_labels,
        gates=family.gates,
        symmetric=family.symmetric,
        fewest_nodes=family.fewest_nodes(size),
        family=family_name,
        evaluate=family.evaluate,
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


@_family("and", gates="and")
def conjunction(x: Words) -> Words:
    """1 if all N inputs are 1."""
    return np.bitwise_and.reduce(x, axis=0, keepdims=True)


@_family("or", gates="or")
def disjunction(x: Words) -> Words:
    """1 if any of N inputs is 1."""
    return np.bitwise_or.reduce(x, axis=0, keepdims=True)


@_family("xor", gates="xor")
def exclusive_disjunction(x: Words) -> Words:
    """1 if an odd number of N inputs is 1."""
    return np.bitwise_xor.reduce(x, axis=0, keepdims=True)


@_family("nand", gates="and,nand", fewest_nodes=_at_least_one)
def not_conjunction(x: Words) -> Words:
    """0 if all N inputs are 1."""
    return ~conjunction(x)


@_family("nor", gates="or,nor", fewest_nodes=_at_least_one)
def not_disjunction(x: Words) -> Words:
    """1 if none of N inputs is 1."""
    return ~disjunction(x)


@_family("xnor", gates="xor,xnor", fewest_nodes=_at_least_one)
def not_exclusive_disjunction(x: Words) -> Words:
    """1 if an even number of N inputs is 1.

    {xnor} alone cannot express it for odd N: a tree of xnor gates over L leaves complements
    the parity of its leaves L - 1 times.
    """
    return ~exclusive_disjunction(x)


@_family("maj", gates="and,or")
def majority(x: Words) -> Words:
    """1 if more than half of N inputs are 1 (for even N a tie gives 0)."""
    n = x.shape[0]
    return _exceeds(count_ones(x), n // 2)[np.newaxis]


@_family("parity", gates="and,or,nand,nor")
def odd_parity(x: Words) -> Words:
    """1 if an odd number of N inputs is 1, from and, or, nand, nor by default.

    For even N and a gate set closed under duality, as this one is, `parity:N` and `epar:N` are
    equally hard: exchanging and with or and nand with nor maps every program for the one to
    an equally fit program for the other.
    """
    return exclusive_disjunction(x)


@_family("epar", gates="and,or,nand,nor", fewest_nodes=_at_least_one)
def even_parity(x: Words) -> Words:
    """1 if an even number of N inputs is 1, from and, or, nand, nor by default (Koza's even parity)."""
    return ~exclusive_disjunction(x)


@_family(
    "add",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: _numbered("a", size, 0) + _numbered("b", size, 0),
    outputs=lambda size: _numbered("s", size + 1, 0),
    fewest_nodes=lambda size: 2 * size,
)
def adder(x: Words) -> Words:
    """The sum of two N-bit numbers, N + 1 bits; least significant bits first, a before b."""
    size = x.shape[0] // 2
    total = np.empty((size + 1, *x.shape[1:]), np.uint64)
    carry = np.zeros_like(x[0])
    for i in range(size):
        a, b = x[i], x[size + i]
        total[i] = a ^ b ^ carry
        carry = a & b | carry & (a ^ b)
    total[size] = carry
    return total


@_family(
    "mul",
    gates="and,or,xor,not",
    symmetric=False,
    inputs=lambda size: _numbered("a", size, 0) + _numbered("b", size, 0),
    outputs=lambda size: _numbered("p", 2 * size, 0),
    fewest_nodes=lambda size: 2 * size,
)
def multiplier(x: Words) -> Words:
    """The product of two N-bit numbers, 2N bits; least significant bits first, a before b."""
    size = x.shape[0] // 2
    product = np.zeros((2 * size, *x.shape[1:]), np.uint64)
    for shift in range(size):
        carry = np.zeros_like(x[0])
        for i in range(size):
            place, term = product[shift + i], x[i] & x[size + shift]
            product[shift + i], carry = place ^ term ^ carry, place & term | carry & (place ^ term)
        product[shift + size] = carry
    return product


def count_ones(x: Words) -> Words:
    """The number of ones among the inputs, row by row, as bit-sliced binary, lowest bit first."""
    digits = np.zeros((x.shape[0].bit_length(), *x.shape[1:]), np.uint64)
    for seen, column in enumerate(x, start=1):
        carry = column
        for place in range(seen.bit_length()):
            digits[place], carry = digits[place] ^ carry, digits[place] & carry
    return digits


def _exceeds(digits: Words, bound: int) -> Words:
    """Row by row, whether the bit-sliced number is larger than the bound."""
    larger: Words = np.zeros_like(digits[0])
    equal: Words = np.full_like(digits[0], ALL)
    for place in reversed(range(digits.shape[0])):
        if bound >> place & 1:
            equal &= digits[place]
        else:
            larger |= equal & digits[place]
            equal &= ~digits[place]
    return larger
