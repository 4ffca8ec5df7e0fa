"""A search by Cartesian GP as a value: what is searched for, and every choice that determines its runs.

The choices that theorists change are gathered in a *law*. `PAPER` is Algorithms 1-3 of Dang, Kalkreuth and
Opris (2026) to the letter; `TINYVERSE` is how the experiments published with it really behaved. Each
difference between them is a field of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Real
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import COMPLETE, Complete, Sample, sampled_rows
from gatewalk.cgp.genotype import Shape, active_nodes, check, decode, invalid, shape_for
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, whole_number

Evaluation = Literal["auto", "table", "symbolic", "reference"]
Profile = Literal["paper", "tinyverse"]


@dataclass(frozen=True, kw_only=True)
class CgpLaw:
    """Options of the search law; the defaults are the paper's.

    sam_ends: SAM's loop ends when a gene of an active node has a "changed" value
        (Algorithm 3), or as soon as one is "picked", changed or not.
    waiting: how a search under strict selection, with SAM and one offspring, comes to its next parent.
        "walked": every offspring is made. "drawn": those that cannot be fitter are skipped, and how many
        there are is drawn at random. The distribution of a run is the same; the run of a given seed is not
        (`gatewalk.cgp.waiting`).
    ties: under non-strict selection an equally fit offspring is always accepted
        ("accept"), or the parent is uniform among the best ("coin").
    starts: the search starts from the best of this many uniform programs (among equals a
        uniform one if selection is non-strict, the first if it is strict).
    uncounted: iterations reported are max(0, T - uncounted), where T offspring were evaluated.
    levels_back: how far back a connection reaches; None is unlimited, "nodes" is D.
    levels_over: what levels_back counts: "sources" (inputs and nodes alike: block b reaches
        [max(0, n+b-L), n+b-1]) or "columns" (the original CGP: columns of nodes, with the
        inputs always in reach).
    rows: rows of the grid; a node reads only from columns before its own.
    """

    sam_ends: Literal["changed", "picked"] = "changed"
    waiting: Literal["walked", "drawn"] = "walked"
    ties: Literal["accept", "coin"] = "accept"
    starts: int = 1
    uncounted: int = 0
    levels_back: int | Literal["nodes"] | None = None
    levels_over: Literal["sources", "columns"] = "columns"
    rows: int = 1

    def __post_init__(self) -> None:
        whole_number("option starts", self.starts, least=1)
        whole_number("option uncounted", self.uncounted, least=0)
        whole_number("option rows", self.rows, least=1)


PAPER = CgpLaw()
TINYVERSE = CgpLaw(
    sam_ends="picked",
    ties="coin",
    starts=2,
    uncounted=1,
    levels_back="nodes",
    levels_over="sources",
)
PROFILES = {"paper": PAPER, "tinyverse": TINYVERSE}


@runtime_checkable
class Mutation(Protocol):
    """How an offspring is made from its parent: a frozen value, such as `Sam()` or `Point(3)`.

    name, strength: what the literal twin knows it by. `str(mutation)` is how it is written, and seeds runs.
    """

    @property
    def name(self) -> str: ...
    @property
    def strength(self) -> float: ...
    def fewest_picks(self, genes: int) -> float:
        """How many genes an offspring of a program of so many genes picks at least, on average."""
        ...

    def arrays(self) -> Any:
        """The mutation as the named tuple that kernels take."""
        ...


@dataclass(frozen=True)
class Ties:
    """Selection between nonstrict and strict: an offspring as fit as its parent is accepted with a chance.

    >>> import gatewalk as gw
    >>> gw.evolve("and:3", nodes=4, selection=gw.Ties(0.3), seed=1).solved
    True
    """

    probability: float

    def __post_init__(self) -> None:
        value = self.probability
        if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < value < 1.0:
            raise InputError(
                "selection ties needs a probability P with 0 < P < 1, as in ties:0.5; "
                "ties:0 is strict and ties:1 nonstrict"
            )
        object.__setattr__(self, "probability", float(value))

    def __str__(self) -> str:
        return f"ties:{self.probability!r}"

    @property
    def identity(self) -> str:
        """What it is known by in the hash that seeds runs."""
        return str(self)

    def rule(self, offspring: int) -> Any:
        """The selection as the named tuple that kernels take."""
        from gatewalk.cgp.selections import TiesOfOne, TiesOfSeveral

        return (TiesOfOne if offspring == 1 else TiesOfSeveral)(False, offspring, self.probability)


@runtime_checkable
class SelectionRule(Protocol):
    """A selection that is more than a word: `Ties(0.3)`, or one that a user wrote."""

    @property
    def identity(self) -> str:
        """What it is known by in the hash that seeds runs."""
        ...

    def rule(self, offspring: int) -> Any:
        """The selection as the named tuple that kernels take, for so many offspring a generation."""
        ...


Selection = Literal["nonstrict", "strict"] | SelectionRule


@dataclass(frozen=True, kw_only=True)
class CgpSearch:
    """A search by the (1+lambda) CGP, except for its seed; `search_for` makes one from words.

    target, gates, nodes: the function to search for, the gates of a program and its number of nodes, D.
    mutation, selection, offspring: the operators, and how many offspring a generation has, λ.
    training: the rows on which fitness counts mismatches.
    start: the genes of the first parent; None: random ones.
    profile, law: the profile, and its options, perhaps with some changed.
    budget: the iterations after which a run is given up.
    evaluation: how fitness is computed; it does not change the runs.

    >>> import gatewalk as gw
    >>> search = gw.search_for("and:8", nodes="2n")
    >>> search.target.inputs, search.nodes, search.selection, str(search.gates)
    (8, 16, 'nonstrict', 'and')
    """

    target: Target
    gates: GateSet
    nodes: int
    mutation: Mutation
    selection: Selection = "nonstrict"
    offspring: int = 1
    training: Complete | Sample = COMPLETE
    start: tuple[int, ...] | None = None
    profile: Profile = "paper"
    law: CgpLaw = PAPER
    budget: int = 1_000_000
    evaluation: Evaluation = "auto"

    def __post_init__(self) -> None:
        is_plain = self.mutation.name == "sam" and self.offspring == 1 and self.strict
        if self.law.waiting == "drawn" and not is_plain:
            raise InputError(
                "option waiting=drawn is for --selection strict, --mutation sam and --lambda 1",
                option="law.waiting",
            )

    def __getstate__(self) -> dict[str, Any]:
        """The fields alone; the arrays of `shape` would be long to send, and are made anew on arrival."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def algorithm(self) -> str:
        return "cgp"

    @property
    def n(self) -> int:
        """The number of inputs of the target."""
        return self.target.inputs

    @property
    def strict(self) -> bool:
        return self.selection == "strict"

    @property
    def starts(self) -> int:
        """The number of programs of which the best is the first parent."""
        return self.law.starts if self.start is None else 1

    @property
    def limit(self) -> int:
        """The number of offspring that the budget allows."""
        return self.budget + self.law.uncounted

    @property
    def trained_on(self) -> Target:
        """The target whose rows are drawn for training: here, the target itself."""
        return self.target

    @cached_property
    def rows(self) -> int | None:
        """The number of rows of a sampled training set; None for the complete one."""
        return sampled_rows(self.training, self.target)

    @cached_property
    def shape(self) -> Shape:
        """Which values every gene of a program may have."""
        return shape_for(
            inputs=self.target.inputs,
            outputs=self.target.outputs,
            nodes=self.nodes,
            gates=self.gates,
            law=self.law,
        )

    def check_programs(self, programs: Sequence[NDArray[np.int32]] | NDArray[np.int32]) -> None:
        """Raise `InputError` if arrays, from outside, are not programs of this search."""
        length = self.shape.length
        is_table = isinstance(programs, np.ndarray) and programs.ndim == 2 and programs.shape[1] == length
        if is_table and not invalid(self.shape, np.asarray(programs)).any():
            return
        for program in programs:
            check(self.shape, program.astype(np.int64))

    def gates_of(self, program: NDArray[np.int32]) -> int:
        """The number of active gates of a program."""
        return int(active_nodes(self.shape, program.astype(np.int64)).sum())

    def circuit_of(self, program: NDArray[np.int32]) -> Circuit:
        """The circuit that a program computes."""
        return decode(
            self.shape,
            program.astype(np.int64),
            input_labels=self.target.input_labels,
            output_labels=self.target.output_labels,
        )
