"""Targets: the Boolean functions to search for, their tables, and what is known of them.

A target is named by its family and size, as `and:8` (`families.py`), or given by its table
(`table_targets.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from inspect import getdoc
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.families import FAMILIES, MANY_NODES, OWN_FAMILIES, Family, Rule
from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.tables import Words, projections, table_numbers, unpack
from gatewalk.errors import InputError, brief, printable, shown

Evaluate = Callable[[Words], Words]

THEOREMS_BUDGET = 1_000_000
SEARCH_BUDGET = 50_000_000


@dataclass(frozen=True)
class Target:
    """A Boolean function to search for.

    Attributes
    ----------
    name
        Its name, as in "and:8".
    inputs, outputs
        How many it has.
    input_labels, output_labels
        What they are called.
    gates
        A small gate set that can express it at any size. For nand and nor one gate would be enough, but
        then n inputs take 2n - 3 gates, and a search in 2n nodes rarely finds them.
    symmetric
        Whether no permutation of the inputs changes it.
    fewest_nodes
        Fewer gates of at most two inputs cannot compute it: an output that depends on v inputs needs v - 1,
        and different outputs that are not inputs need a gate each. 0 if nothing is known.
    family
        The family it belongs to, as "and".
    evaluate
        A function from the columns of the inputs, uint64[inputs, words], to those of the outputs.
    cares
        A function from the columns of the inputs to the rows that count, uint64[outputs, words]: where the
        bit of an output is 0, any value of that output is right. None if all rows count.
    nodes, offspring, budget
        What a search for it takes by default (`defaults` below); nodes is None if the default
        for most functions will do.
    content
        What it computes, as text, by which runs are seeded; empty if the name says it.

    Examples
    --------
    >>> import gatewalk as gw
    >>> adder = gw.target("add:2")
    >>> adder.inputs, adder.output_labels, adder.gates
    (5, ('O[0]', 'O[1]', 'O[2]'), ('and', 'or', 'xor', 'not'))
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

    def __hash__(self) -> int:
        return hash(self.name)  # the name says everything, and Python hashes a text only once

    @property
    def label(self) -> str:
        """Its name for readers, see `label_of`."""
        return label_of(self.name)


def label_of(name: str) -> str:
    """The name of a target for readers: the name that a user gave, or else the text itself.

    >>> label_of("odd@table:3:0x96"), label_of("and:8")
    ('odd', 'and:8')
    """
    given, at, text = name.rpartition("@")
    return brief(printable(unquote(given) if at else text))


@dataclass(frozen=True)
class Defaults:
    """The settings of a search for a target that the user does not choose."""

    gates: tuple[str, ...]
    nodes: int
    offspring: int
    budget: int


def defaults(target: Target) -> Defaults:
    """The settings with which `gatewalk evolve TARGET` searches if nothing else is said.

    For and, or, xor, nand, nor and xnor they are those of the theorems and of the experiments in the paper,
    2n nodes, one offspring and a million iterations. For the others, benchmarks/defaults.py found them quick.

    >>> defaults(family_target("and:8"))
    Defaults(gates=('and',), nodes=16, offspring=1, budget=1000000)
    """
    nodes = _enough(target.inputs + target.outputs, MANY_NODES) if target.nodes is None else target.nodes
    return Defaults(target.gates, nodes, target.offspring, target.budget)


def _enough(ends: int, least: int) -> int:
    """A number of nodes for so many inputs and outputs together: ten for each, but no fewer than `least`."""
    return max(least, 10 * ends)


@dataclass(frozen=True)
class _Sized:
    """A rule at a fixed size. Two of the same rule and size are equal, even after one was sent by pickle."""

    rule: Rule
    size: int

    def __call__(self, x: Words) -> Words:
        return self.rule(x, self.size)


def families() -> tuple[Family, ...]:
    """The families of targets, in the order of `families.py`.

    >>> [family.name for family in families()][:3]
    ['and', 'or', 'xor']
    """
    return tuple(FAMILIES.values())


@lru_cache(maxsize=256)
def family_target(name: str) -> Target:
    """The target of a family and a size, as "and:8"; `gatewalk.target` takes files and functions too.

    >>> family_target("mux:4").input_labels
    ('D[0]', 'D[1]', 'D[2]', 'D[3]', 'ADDR[0]', 'ADDR[1]')
    """
    if not isinstance(name, str):
        raise InputError(f"target must be a name such as and:8, not {shown(name)}")
    text = name.strip().lower()
    family_name, colon, size_text = text.partition(":")
    family = FAMILIES.get(family_name)
    if family is None:
        near = _near(family_name)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        known = ", ".join((*FAMILIES, *OWN_FAMILIES))
        raise InputError(f"unknown target {shown(name)}; {hint}the targets are {known}, as in and:8")
    example = f"{family_name}:{family.example}"
    if not colon:
        raise InputError(f"target {shown(name)} has no size; write it as in {example}")
    if not (size_text.isascii() and size_text.isdigit()):
        raise InputError(f"target {shown(name)}: {shown(size_text)} is not a size; write it as in {example}")
    if len(size_text) > 9 or not family.smallest <= int(size_text) <= family.largest:
        raise InputError(f"target {shown(name)}: the size must be from {family.smallest} to {family.largest}")
    return family_member(family, int(size_text))


def _near(text: str) -> list[str]:
    """Names that the user may have meant: and:8 for and8, or families with a similar spelling."""
    parts = re.fullmatch(r"([a-z_]+)[^a-z0-9:]?([0-9]{1,9})", text, re.ASCII)
    if parts is not None and parts[1] in FAMILIES:
        return [f"{parts[1]}:{parts[2]}"]
    return get_close_matches(text, (*FAMILIES, *OWN_FAMILIES), n=3)


def family_member(of: Family, size: int) -> Target:
    """The member of a family that has this size."""
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


def fewest_nodes(target: Target, gates: GateSet) -> int:
    """The least number of nodes known to be necessary with these gates.

    Parity of n inputs without xor and xnor takes 3(n - 1): Schnorr, "Zwei lineare untere Schranken
    für die Komplexität Boolescher Funktionen", Computing 13, 1974.
    """
    if gates.arity > 2:
        return -(-target.fewest_nodes // (gates.arity - 1)) if target.outputs == 1 else 0
    if target.family in ("xor", "xnor", "parity", "epar") and not {"xor", "xnor"} & set(gates.names):
        return max(target.fewest_nodes, 3 * (target.inputs - 1))
    return target.fewest_nodes


def description(target: Target) -> tuple[str, str]:
    """The first sentence on a target, and the rest of what its family says.

    >>> description(family_target("and:3"))[0]
    '1 if all K inputs are 1.'
    """
    for family in families():
        if family.name == target.family:
            first, _, rest = (getdoc(family.rule) or "").partition("\n\n")
            return first, " ".join(rest.split())
    rows = "" if target.cares is None else ", on the rows that count"
    return f"A {target.family} of your own{rows}.", ""


def truth_table(target: Target) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The values of a target and which of them count: bool[outputs, rows] each.

    Input i of row r is bit i of r.

    >>> truth_table(family_target("and:2"))[0].tolist()
    [[False, False, False, True]]
    """
    inputs, rows = projections(target.inputs), 1 << target.inputs
    values = unpack(target.evaluate(inputs), rows)
    return values, np.ones_like(values) if target.cares is None else unpack(target.cares(inputs), rows)


@dataclass(frozen=True)
class TargetTables:
    """The function of a target as whole numbers, whose bit r stands for row r.

    values: for each output, its values; on rows that do not count they are 0. cares: for each output, the
    rows that count.
    """

    inputs: int
    values: tuple[int, ...]
    cares: tuple[int, ...]
    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of rows, counting or not."""
        return 1 << self.inputs

    @property
    def everything(self) -> int:
        """The table that is 1 on all rows."""
        return (1 << self.rows) - 1

    def is_complete(self, output: int) -> bool:
        """Whether all rows of the output count."""
        return self.cares[output] == self.everything


def target_tables(target: Target) -> TargetTables:
    """The tables of a target, which should have few inputs: each has 2^n bits.

    >>> tables = target_tables(family_target("onescount:3"))
    >>> [hex(table) for table in tables.values]
    ['0x96', '0xe8']
    """
    columns, rows = projections(target.inputs), 1 << target.inputs
    values = table_numbers(target.evaluate(columns), rows)
    if target.cares is None:
        cares = [(1 << rows) - 1] * target.outputs
    else:
        cares = table_numbers(target.cares(columns), rows)
    counted = tuple(value & care for value, care in zip(values, cares, strict=True))
    return TargetTables(target.inputs, counted, tuple(cares), target.input_labels, target.output_labels)


def tables_in_hex(target: Target) -> dict[str, dict[str, str]]:
    """Of each output its column as a number, bit r for row r; and which rows count, if not all do.

    >>> tables_in_hex(family_target("and:2"))
    {'table': {'y': '0x8'}}
    """
    tables = target_tables(target)
    listed = {"table": tables.values} | ({} if target.cares is None else {"cares": tables.cares})
    return {
        key: dict(zip(tables.output_labels, map(hex, numbers), strict=True))
        for key, numbers in listed.items()
    }
