"""A search by tree GP as a value: what is searched for, and every choice that determines its runs.

The choices that theorists change are gathered in a *law*. `PAPER` is HVL-prime as the literature has it:
Neumann, O'Reilly and Wagner (2011), Mambrini and Oliveto (2016). `TINYVERSE` is how the tree GP of the
experiments published with Dang, Kalkreuth and Opris (2026) really behaved. Each difference between them is a
field of its own.

The leaves of a tree are the inputs of the target, or a larger terminal set: the literature adds undesired
inputs, on which the target does not depend, and negated inputs (Mambrini and Oliveto 2016; Lissovoi and
Oliveto 2018). Terminals are numbered: first the inputs of the target, then the undesired ones, then the
negations of all these in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache, partial
from typing import Literal, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import COMPLETE, Complete, Sample, sampled_rows
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown, whole_number

Selection = Literal["nonstrict", "strict"]
Evaluation = Literal["auto", "table", "symbolic", "reference"]
Profile = Literal["paper", "tinyverse"]


@dataclass(frozen=True, kw_only=True)
class TgpLaw:
    """Options of the search law; the defaults are those of the profile `paper`.

    insert_at: the v that an insertion replaces by f(v, u), u a new leaf: a uniform "node", a uniform
        "leaf", or the leaf in which a "descent" from the root by fair coins ends.
    delete_at: which leaf is deleted, its sibling taking their parent's place: uniform or by "descent".
    substitution: gives a uniform terminal to a uniform leaf ("leaves"), a uniform function to a
        uniform inner node ("functions"), either to a uniform node ("both"), or is not among the
        operators ("off"); the other two are then equally likely.
    child_order: an insertion makes f(v, u) or f(u, v) at "random", or f(u, v), "new-first".
    empty: a tree of one leaf is "never" deleted, or becomes the empty program, which computes the
        constant "false" or "true" and which only an insertion changes, into one leaf.
    size_limit: an offspring with more leaves is rejected (Doerr, Lissovoi and Oliveto 2019).
    ties: under non-strict selection an equally fit offspring is always accepted ("accept") or the
        parent is uniform among the best ("coin").
    starts: the search starts from the best of this many uniform leaves (among equals a uniform
        one if selection is non-strict, the first if it is strict).
    uncounted: iterations reported are max(0, T - uncounted), where T offspring were evaluated.
    terminals: what leaves can be: "inputs", to which "+undesired:K" adds K inputs that the target
        ignores and "+negated" the negation of every input (Mambrini and Oliveto 2016;
        Lissovoi and Oliveto 2018).
    """

    insert_at: Literal["node", "leaf", "descent"] = "node"
    delete_at: Literal["leaf", "descent"] = "leaf"
    substitution: Literal["leaves", "functions", "both", "off"] = "leaves"
    child_order: Literal["random", "new-first"] = "random"
    empty: Literal["never", "false", "true"] = "never"
    size_limit: int | None = None
    ties: Literal["accept", "coin"] = "accept"
    starts: int = 1
    uncounted: int = 0
    terminals: str = "inputs"

    def __post_init__(self) -> None:
        hints = get_type_hints(TgpLaw)
        for option in fields(self):
            choices = get_args(hints[option.name])
            value = getattr(self, option.name)
            if isinstance(option.default, str) and choices and value not in choices:
                listed = ", ".join(choices)
                raise InputError(f"tree option {option.name} is {shown(value)}; use {listed}")
        if self.size_limit is not None:
            whole_number("option size_limit", self.size_limit, least=1)
        whole_number("option starts", self.starts, least=1)
        whole_number("option uncounted", self.uncounted, least=0)


PAPER = TgpLaw()
TINYVERSE = TgpLaw(
    insert_at="descent",
    delete_at="descent",
    substitution="functions",
    child_order="new-first",
    ties="coin",
    starts=2,
    uncounted=1,
)
PROFILES = {"paper": PAPER, "tinyverse": TINYVERSE}


@dataclass(frozen=True)
class TerminalSet:
    """What leaves can be.

    desired, undesired: the number of inputs of the target, and of inputs added to them.
    negated: whether the negations of all of them are terminals too.
    """

    desired: int
    undesired: int
    negated: bool

    @property
    def inputs(self) -> int:
        return self.desired + self.undesired

    def __len__(self) -> int:
        return self.inputs * (2 if self.negated else 1)


@lru_cache(maxsize=64)
def terminal_set(text: str, inputs: int) -> TerminalSet:
    """The set that `TgpLaw.terminals` names, for a target of so many inputs."""
    first, *more = text.split("+")
    undesired = [part.removeprefix("undesired:") for part in more if part.startswith("undesired:")]
    negated = [part for part in more if part == "negated"]
    well_formed = first == "inputs" and len(undesired) + len(negated) == len(more)
    if not well_formed or max(len(undesired), len(negated)) > 1 or not all(map(_is_count, undesired)):
        raise InputError(
            f"terminals are {shown(text)}; write inputs, inputs+negated, inputs+undesired:3 "
            "or inputs+undesired:3+negated"
        )
    return TerminalSet(inputs, sum(map(int, undesired)), bool(negated))


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def widened(target: Target, text: str) -> Target:
    """The target with the undesired inputs that `TgpLaw.terminals` names added; it ignores them.

    Trees over such terminals are trained and validated on rows of the widened target.
    """
    terminals = terminal_set(text, target.inputs)
    if not terminals.undesired:
        return target
    labels = tuple(f"u{i}" for i in range(1, terminals.undesired + 1))
    return replace(
        target,
        name=f"{target.name}+undesired:{terminals.undesired}",
        inputs=terminals.inputs,
        input_labels=target.input_labels + labels,
        symmetric=False,
        evaluate=partial(_ignoring, target.evaluate, target.inputs),  # unlike a closure, it can be pickled
    )


def _ignoring(evaluate: Callable[[Words], Words], inputs: int, words: Words) -> Words:
    return evaluate(words[:inputs])


def terminal_words(terminals: TerminalSet, inputs: Words) -> Words:
    """The words of every terminal on the rows of a training set."""
    if inputs.shape[0] != terminals.inputs:
        raise InputError(
            f"the training set has {inputs.shape[0]} inputs and the terminals {terminals.inputs}: "
            "draw it from the target widened by the undesired inputs"
        )
    return np.concatenate([inputs, ~inputs]) if terminals.negated else inputs


@dataclass(frozen=True, kw_only=True)
class TgpSearch:
    """A search by the (1+lambda) TGP, except for its seed; `search_for` makes one from words.

    target, gates: the function to search for, and the gates of a tree.
    steps: an offspring takes a "single" HVL-prime step, or "multi": 1 + Poisson(1) of them.
    The other fields are as in `CgpSearch`; trees begin at random.

    >>> import gatewalk as gw
    >>> gw.search_for("and:8", algorithm="tgp-multi").steps
    'multi'
    """

    target: Target
    gates: GateSet
    steps: Literal["single", "multi"]
    selection: Selection = "nonstrict"
    offspring: int = 1
    training: Complete | Sample = COMPLETE
    profile: Profile = "paper"
    law: TgpLaw = PAPER
    budget: int = 1_000_000
    evaluation: Evaluation = "auto"

    def __post_init__(self) -> None:
        if self.target.outputs != 1:
            raise InputError(
                f"{self.target.label} has {self.target.outputs} outputs, but trees have one; "
                "use --algorithm cgp",
                option="algorithm",
            )

    @property
    def algorithm(self) -> str:
        return f"tgp-{self.steps}"

    @property
    def n(self) -> int:
        """The number of inputs of the target."""
        return self.target.inputs

    @property
    def strict(self) -> bool:
        return self.selection == "strict"

    @property
    def starts(self) -> int:
        """The number of leaves of which the best is the first parent."""
        return self.law.starts

    @property
    def limit(self) -> int:
        """The number of offspring that the budget allows."""
        return self.budget + self.law.uncounted

    @cached_property
    def terminals(self) -> TerminalSet:
        """What leaves can be."""
        return terminal_set(self.law.terminals, self.target.inputs)

    @cached_property
    def trained_on(self) -> Target:
        """The target whose rows are drawn for training: with the undesired inputs that the law adds."""
        return widened(self.target, self.law.terminals)

    @cached_property
    def rows(self) -> int | None:
        """The number of rows of a sampled training set; None for the complete one."""
        return sampled_rows(self.training, self.target)

    def check_gates(self) -> None:
        """Raise `InputError` if a gate does not fit into a tree.

        It is asked when a run begins and not before, since campaigns of older versions entered such searches
        into their stores.
        """
        for gate in self.gates.gates:
            if gate.arity != 2:
                raise InputError(f'trees need two-input gates; remove "{gate.name}"', option="gates")

    def check_programs(self, programs: Sequence[NDArray[np.int32]] | NDArray[np.int32]) -> None:
        """Raise `InputError` if arrays, from outside, are not trees of this search."""
        from gatewalk.tgp.tree import check

        may_be_empty = self.law.empty != "never"
        for program in programs:
            check(program, terminals=len(self.terminals), gates=len(self.gates), may_be_empty=may_be_empty)

    def gates_of(self, program: NDArray[np.int32]) -> int:
        """The number of gates of a tree, one less than its leaves."""
        from gatewalk.tgp.tree import leaves_of

        return max(0, leaves_of(program) - 1)

    def circuit_of(self, program: NDArray[np.int32], *, merge: bool = False) -> Circuit:
        """The circuit of a tree; its inputs include undesired ones. merge: equal gates become one."""
        from gatewalk.tgp.tree import circuit

        return circuit(
            program,
            gates=self.gates,
            terminals=self.terminals,
            input_labels=self.trained_on.input_labels,
            output_labels=self.trained_on.output_labels,
            empty=self.law.empty,
            merge=merge,
        )
