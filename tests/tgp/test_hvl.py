"""One step of HVL-prime: its distribution against enumeration, for every option.

Chi-square, fixed seeds; each of the some 250 comparisons would fail by chance once in 10^9.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from kernels import entry
from scipy.stats import chi2

from gatewalk.tgp.hvl import hvl_step, steps_of
from gatewalk.tgp.law import TgpLaw
from gatewalk.tgp.tree import Tree, empty_tree, load, open_journal, program_of, undo

hvl_step, open_journal, undo = entry(hvl_step), entry(open_journal), entry(undo)

Nested = int | tuple["int", "Nested", "Nested"] | None  # a terminal, (function, left, right), or empty
TERMINALS = 3
FUNCTIONS = 2
SAMPLES = 4000

ONE_LEAF: Nested = 1
CHERRY: Nested = (1, 0, 2)
DEEP: Nested = (0, (1, 2, (0, 0, 1)), (1, 1, 0))


def numbers_of(tree: Nested) -> list[int]:
    """A nested tree as a program."""
    leaves: list[int] = []
    inner: list[list[int]] = []

    def add(node: Nested) -> int:
        if isinstance(node, tuple):
            place = len(inner)
            inner.append([node[0], 0, 0])
            inner[place][1:] = [add(node[1]), add(node[2])]
            return place
        assert node is not None
        leaves.append(node)
        return -len(leaves)

    return [] if tree is None else [add(tree), *leaves, *(number for node in inner for number in node)]


def nested(numbers: list[int]) -> Nested:
    """A program as a nested tree."""
    if not numbers:
        return None
    count = (len(numbers) + 2) // 4

    def at(name: int) -> Nested:
        if name < 0:
            return numbers[1 - 1 - name]
        first = 1 + count + 3 * name
        return numbers[first], at(numbers[first + 1]), at(numbers[first + 2])

    return at(numbers[0])


def places(tree: Nested) -> Iterator[tuple[int, ...]]:
    """Every node as the turns that lead to it."""
    yield ()
    if isinstance(tree, tuple):
        for turn in (1, 2):
            for rest in places(tree[turn]):
                yield (turn, *rest)


def at(tree: Nested, place: tuple[int, ...]) -> Nested:
    for turn in place:
        assert isinstance(tree, tuple)
        tree = tree[turn]
    return tree


def put(tree: Nested, place: tuple[int, ...], new: Nested) -> Nested:
    if not place:
        return new
    assert isinstance(tree, tuple)
    children = list(tree)
    children[place[0]] = put(tree[place[0]], place[1:], new)
    return tuple(children)  # type: ignore[return-value]


def chosen(tree: Nested, how: str) -> list[tuple[tuple[int, ...], Fraction]]:
    """Places and their probabilities."""
    every = list(places(tree))
    leaves = [place for place in every if not isinstance(at(tree, place), tuple)]
    if how == "descent":
        return [(place, Fraction(1, 2 ** len(place))) for place in leaves]
    inner = [place for place in every if isinstance(at(tree, place), tuple)]
    listed = {"leaf": leaves, "leaves": leaves, "node": every, "both": every, "functions": inner}[how]
    return [(place, Fraction(1, len(listed))) for place in listed]


def expected(tree: Nested, law: TgpLaw, functions: int) -> dict[Nested, Fraction]:
    """The distribution of the tree after one step."""
    result: dict[Nested, Fraction] = defaultdict(Fraction)
    operators = ["insert", "delete"] + (["substitute"] if law.substitution != "off" else [])
    share = Fraction(1, len(operators))
    if tree is None:
        for terminal in range(TERMINALS):
            result[terminal] += share / TERMINALS
        result[tree] += 1 - share
        return result
    for place, chance in chosen(tree, law.insert_at):
        v = at(tree, place)
        for u, f in product(range(TERMINALS), range(functions)):
            orders: list[Nested] = [(f, u, v)] + ([(f, v, u)] if law.child_order == "random" else [])
            for new in orders:
                result[put(tree, place, new)] += share * chance / (TERMINALS * functions * len(orders))
    if not isinstance(tree, tuple):
        result[tree if law.empty == "never" else None] += share
    else:
        for place, chance in chosen(tree, law.delete_at):
            above = at(tree, place[:-1])
            assert isinstance(above, tuple)
            result[put(tree, place[:-1], above[3 - place[-1]])] += share * chance
    if law.substitution != "off":
        options = chosen(tree, law.substitution)
        for place, chance in options:
            v = at(tree, place)
            labels = range(functions if isinstance(v, tuple) else TERMINALS)
            for label in labels:
                new = (label, v[1], v[2]) if isinstance(v, tuple) else label
                result[put(tree, place, new)] += share * chance / len(labels)
        if not options:
            result[tree] += share
    return result


def drawn(tree: Nested, law: TgpLaw, functions: int, seed: int) -> Counter[Nested]:
    """What the kernel makes of the tree, many times."""
    program = np.array(numbers_of(tree), dtype=np.int32)
    arrays: Tree = empty_tree(16)
    load(arrays, program)
    steps = steps_of(law, functions=functions, terminals=TERMINALS, paths=True)
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(SAMPLES):
        open_journal(arrays)
        assert hvl_step(arrays, steps, stream)
        found[tuple(program_of(arrays).tolist())] += 1
        undo(arrays)
        arrays.inner[:, 6] = 0  # marks: nothing is evaluated here
    assert program_of(arrays).tolist() == program.tolist()
    result: Counter[Nested] = Counter()
    for numbers, count in found.items():
        result[nested(list(numbers))] += count
    return result


def check(tree: Nested, law: TgpLaw, functions: int, seed: int) -> None:
    wanted = expected(tree, law, functions)
    assert sum(wanted.values()) == 1
    found = drawn(tree, law, functions, seed)
    assert set(found) <= set(wanted)
    statistic, cells, rest_wanted, rest_found = 0.0, 0, 0.0, 0
    for result, chance in wanted.items():
        mean = float(chance) * SAMPLES
        if mean < 5:
            rest_wanted += mean
            rest_found += found[result]
            continue
        statistic += (found[result] - mean) ** 2 / mean
        cells += 1
    if rest_wanted > 0:
        statistic += (rest_found - rest_wanted) ** 2 / rest_wanted
        cells += 1
    assert chi2.sf(statistic, max(1, cells - 1)) > 1e-9, (tree, law, statistic, cells)


@pytest.mark.parametrize("substitution", ["leaves", "functions", "both", "off"])
@pytest.mark.parametrize("insert_at", ["node", "leaf", "descent"])
def test_one_step_has_the_enumerated_distribution(insert_at: str, substitution: str) -> None:
    seed = 0
    for delete_at, order, empty in product(("leaf", "descent"), ("random", "new-first"), ("never", "true")):
        law = TgpLaw(
            insert_at=insert_at,  # type: ignore[arg-type]
            delete_at=delete_at,  # type: ignore[arg-type]
            substitution=substitution,  # type: ignore[arg-type]
            child_order=order,  # type: ignore[arg-type]
            empty=empty,  # type: ignore[arg-type]
        )
        trees = [ONE_LEAF, CHERRY, DEEP] if empty == "never" else [None, ONE_LEAF]
        for tree in trees:
            seed += 1
            check(tree, law, FUNCTIONS, seed)
    check(DEEP_OF_ONE_FUNCTION, law, 1, seed)


DEEP_OF_ONE_FUNCTION: Nested = (0, 0, (0, (0, 1, 2), 2))
