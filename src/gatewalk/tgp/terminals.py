"""Terminal sets: what the leaves of a tree can be.

To the inputs of the target, the literature adds undesired inputs, on which the target does not depend, and
negated inputs (Mambrini and Oliveto 2016; Lissovoi and Oliveto 2018). Terminals are numbered: first the
inputs of the target, then the undesired ones, then the negations of all these in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target
from gatewalk.errors import InputError, shown


@dataclass(frozen=True)
class TerminalSet:
    """What leaves can be.

    desired, undesired: the number of inputs of the target, and of inputs beside them.
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
            f"terminals are {shown(text)}: write inputs, inputs+negated, inputs+undesired:3 "
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
        evaluate=_ignoring(target.evaluate, target.inputs),
    )


def _ignoring(evaluate: Callable[[Words], Words], inputs: int) -> Callable[[Words], Words]:
    return lambda words: evaluate(words[:inputs])


def terminal_words(terminals: TerminalSet, inputs: Words) -> Words:
    """The words of every terminal on the rows of a training set."""
    if inputs.shape[0] != terminals.inputs:
        raise InputError(
            f"the training set has {inputs.shape[0]} inputs and the terminals {terminals.inputs}: "
            "draw it from the target widened by the undesired inputs"
        )
    return np.concatenate([inputs, ~inputs]) if terminals.negated else inputs
