"""Targets: the Boolean functions wanted, by name and size as in `and:8`; `rules.py` says what names mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from urllib.parse import unquote

from gatewalk.boolean.family import Family, Rule
from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.rules import FAMILIES, MANY_NODES
from gatewalk.boolean.tables import Words
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
        What a search for it takes by default (`gatewalk.boolean.defaults`); nodes is None if the default
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
    """The settings with which `gatewalk evolve TARGET` searches if nothing else is said.

    and, or, xor, nand, nor and xnor have what the theorems and the paper's experiments have: 2n nodes, one
    offspring and a million iterations. The others have what benchmarks/defaults.py found to be quick.

    Parameters
    ----------
    wanted
        The target.

    Returns
    -------
    Defaults
        Its gates, nodes, offspring and budget.

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
    """The families of targets.

    Returns
    -------
    tuple of Family
        In the order of `rules.py`.

    Examples
    --------
    >>> [family.name for family in families()][:3]
    ['and', 'or', 'xor']
    """
    return tuple(FAMILIES.values())


@lru_cache(maxsize=256)
def target(name: str) -> Target:
    """The target of a name.

    Parameters
    ----------
    name
        A family and its size, as "and:8"; `gatewalk.target` also takes files, functions and tables.

    Returns
    -------
    Target
        The function.

    Examples
    --------
    >>> target("mux:4").input_labels
    ('D[0]', 'D[1]', 'D[2]', 'D[3]', 'ADDR[0]', 'ADDR[1]')
    """
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
