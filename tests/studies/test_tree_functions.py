"""The trap of leaf substitution at the size limit, and verdicts that can be reached and missed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gatewalk.stats.sample import sample
from gatewalk_studies.tree_functions import study

# A tree is an input's number, or (is it AND?, left, right).
Node = int | tuple[bool, "Node", "Node"]


def value(tree, row):
    if isinstance(tree, int):
        return row[tree]
    left, right = value(tree[1], row), value(tree[2], row)
    return (left and right) if tree[0] else (left or right)


def mismatches(tree, n):
    return sum(value(tree, row) != all(row) for row in product((False, True), repeat=n))


def leaves(tree):
    return 1 if isinstance(tree, int) else leaves(tree[1]) + leaves(tree[2])


def leaf_changes(tree, n):
    """Every tree that one leaf's substitution or deletion makes of it."""
    if isinstance(tree, int):
        return list(range(n))
    is_and, left, right = tree
    found = [right] if isinstance(left, int) else []
    found += [left] if isinstance(right, int) else []
    found += [(is_and, new, right) for new in leaf_changes(left, n)]
    return found + [(is_and, left, new) for new in leaf_changes(right, n)]


def other_functions(tree):
    if isinstance(tree, int):
        return []
    is_and, left, right = tree
    found = [(not is_and, left, right)]
    found += [(is_and, new, right) for new in other_functions(left)]
    return found + [(is_and, left, new) for new in other_functions(right)]


PAIR = (True, 0, 1)
TRIPLE = (True, (True, 0, 1), 2)


@pytest.mark.parametrize(
    ("tree", "n"),
    [((False, PAIR, PAIR), 4), ((True, (False, PAIR, PAIR), 2), 5), ((False, TRIPLE, TRIPLE), 6)],
)
def test_at_the_limit_leaves_alone_lead_nowhere_and_functions_lead_out(tree, n):
    """A ∨ A with n leaves in all: what leaves can do, step by step without loss, is never an improvement."""
    own = mismatches(tree, n)
    assert own > 0
    reached, fresh = {tree}, [tree]
    while fresh:
        accepted = {new for new in leaf_changes(fresh.pop(), n) if mismatches(new, n) <= own}
        fresh += accepted - reached
        reached |= accepted
    assert {mismatches(new, n) for new in reached} == {own}
    assert {leaves(new) for new in reached} == {n}  # there is never room for another
    ways_out = [new for new in other_functions(tree) if mismatches(new, n) == own]
    assert any(mismatches(new, n) < own for way in ways_out for new in leaf_changes(way, n))


def share(solved, runs=60):
    return sample(np.full(runs, 100.0), np.arange(runs) < solved)


def test_verdict_on_the_trap():
    found = {"single, leaves only, ℓ = n": {8: share(58)}, "single, any node, ℓ = n": {8: share(60)}}
    assert study._trap(found).verdict == "confirmed"
    found["single, leaves only, ℓ = n"] = {8: share(60)}
    assert study._trap(found).verdict == "partly confirmed"


def test_verdict_on_the_limit():
    falling = {12: share(60), 24: share(60)}
    steep = {12: share(60), 24: sample(np.full(60, 300.0), np.ones(60, dtype=bool))}
    assert study._limit((12, falling)).verdict == "confirmed"
    assert study._limit((12, steep)).verdict == "partly confirmed"


def test_verdict_on_errors():
    small = {8: np.full(60, 0.01), 16: np.full(60, 0.02)}
    large = {8: np.full(60, 0.2), 16: np.full(60, 0.3)}
    assert study._small_errors(small, "w").verdict == "confirmed"
    assert study._small_errors(large, "w").verdict == "not confirmed"
