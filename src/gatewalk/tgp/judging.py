"""How trees are evaluated: by tables or by counting leaves, behind the same functions.

A kernel is compiled for one of the two judges, `Table` or `Counts`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gatewalk.native.jit import Int, by_kind, inlined
from gatewalk.tgp.symbolic import Counts, count_all, count_offspring, uncount_offspring
from gatewalk.tgp.table import Table, compute_all, compute_leaf, drop_rows, evaluate, keep_rows
from gatewalk.tgp.tree import LEAVES, Tree, clear_marks

Judge = Table | Counts
TOO_LARGE = np.iinfo(np.int64).max  # the rank of an offspring over the size limit


@inlined
def _judge_by_table(tree: Tree, judge: Table, parent: Int, worst: Int, size_limit: Int) -> Int:
    """The rank of the offspring, or NO_SPACE; a rank over `worst` need not be exact."""
    if tree.info[LEAVES] > size_limit:
        clear_marks(tree)
        return TOO_LARGE
    return evaluate(tree, judge, parent, worst)


@inlined
def _judge_by_counts(tree: Tree, judge: Counts, parent: Int, worst: Int, size_limit: Int) -> Int:
    """The rank of the offspring."""
    rank = count_offspring(tree, judge)
    return rank if tree.info[LEAVES] <= size_limit else TOO_LARGE


@inlined
def _drop_rows(tree: Tree, judge: Table) -> None:
    """After the offspring was rejected, free the rows that it took."""
    drop_rows(judge)


@inlined
def _keep_counts(tree: Tree, judge: Counts) -> None:
    """After the offspring was accepted there is nothing to do: its leaves are counted already."""


Rank = Callable[[Tree, Judge], Int]
Step = Callable[[Tree, Judge], None]
judge_all: Rank = by_kind({Table: compute_all, Counts: count_all})  # evaluates a tree from scratch
judge_leaf: Rank = by_kind({Table: compute_leaf, Counts: count_all})  # the same for a tree of one leaf
judge_offspring: Callable[[Tree, Judge, Int, Int, Int], Int]
judge_offspring = by_kind({Table: _judge_by_table, Counts: _judge_by_counts})
take_back: Step = by_kind({Table: _drop_rows, Counts: uncount_offspring})  # called if it was rejected
settle: Step = by_kind({Table: keep_rows, Counts: _keep_counts})  # called if it was accepted
