"""With which probability a selection accepts the best offspring, also one that a user wrote.

A user's selection is a function of two ranks and a source of random numbers; its chance to return true is the
sum over all outcomes of its draws (`outcomes`), with loops solved as a small linear system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from gatewalk.cgp.cgp_search import CgpSearch, Ties
from gatewalk.cgp.operators import OwnSelection, in_one_line
from gatewalk.errors import InputError
from gatewalk.search.twins import random_of, rules_without_rows
from gatewalk.theory.chain.own.outcomes import Course, Draw, Leaf, Tree, merged, trees_of
from gatewalk.theory.chain.own.pauses import NotFollowed
from gatewalk.theory.chain.solving import SOLVED, Accept

ALWAYS = 1.0 - 1e-12  # a probability that differs from 1 by no more than rounding


def acceptance(search: CgpSearch, levels: Sequence[int]) -> Accept | None:
    """What the selection of a search accepts; None if that is all in `tie_acceptance`.

    levels: the mismatches of each level.
    """
    selection = search.selection
    if isinstance(selection, Ties):
        chance = selection.probability
        return lambda level, other: 1.0 if other < level else chance
    if not isinstance(selection, OwnSelection):
        return None
    rules = rules_without_rows(search)

    def run(course: Course, function: Callable[..., object], *ranks: int) -> object:
        course.operands = (random_of(rules, course),)
        return function(*ranks, *course.operands)

    @cache
    def accept(level: int, other: int) -> float:
        ranks = levels[level], 0 if other == SOLVED else levels[other]
        try:
            trees = merged(trees_of(selection.frozen, lambda course, function: run(course, function, *ranks)))
            chance = _chance_of_true(trees)
        except Exception as error:
            raise in_one_line(selection, error) from None
        if other == SOLVED and chance < (ALWAYS if search.offspring > 1 else 1.0 - ALWAYS):
            raise InputError(
                f"selection {selection} refuses solved offspring; exact times are known if it always accepts "
                "them, or sometimes and --lambda is 1"
            )
        return chance

    return accept


def _chance_of_true(trees: Sequence[Tree]) -> float:
    """The probability that a function returns true, from its first position."""
    moves, ends = np.eye(len(trees)), np.zeros(len(trees))
    for number, tree in enumerate(trees):
        for leaf, chance in _leaves(tree):
            if leaf.failed is not None:
                raise leaf.failed
            if leaf.position is not None:
                moves[number, leaf.position] -= chance
            elif leaf.returned:
                ends[number] += chance
    try:
        return float(np.linalg.solve(moves, ends)[0])
    except np.linalg.LinAlgError:
        raise NotFollowed("a loop of it never ends") from None


def _leaves(tree: Tree) -> Iterator[tuple[Leaf, float]]:
    if isinstance(tree, Leaf):
        yield tree, 1.0
    elif isinstance(tree, Draw):
        for then, share in zip(tree.then, tree.chances, strict=True):
            for leaf, chance in _leaves(then):
                yield leaf, chance * share
