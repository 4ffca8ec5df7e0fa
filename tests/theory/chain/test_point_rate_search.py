"""Point and rate mutation: against the algorithm written down, dead ends, limits, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import inf, prod
from typing import Any

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.chain.point_rate_search import PointRateTimes, solved_point_or_rate
from gatewalk.theory.chain.solver import exact_details, exact_result


def test_one_point_and_strict_selection_can_be_stuck() -> None:
    found = solved_point_or_rate(settings("and:3", nodes=2, mutation="point:1", selection="strict")).result
    assert found.expected_iterations == found.worst_start_expected == inf
    assert 0 < found.p_never < 1
    assert found.expected_if_solved < 1000


def test_full_rate_is_blind() -> None:
    """Every gene of one node and its output always changes: of two values, to the other one."""
    found = solved_point_or_rate(
        settings("and:2", nodes=1, mutation="rate:1.0", options={"levels_back": 1})
    ).result
    assert found.classes == 9
    assert found.expected_iterations > 1


def test_profiles_differ_by_what_they_count() -> None:
    counted = solved_point_or_rate(settings("and:2", nodes=2, mutation="point:2")).result
    less = exact_result(settings("and:2", nodes=2, mutation="point:2", options={"uncounted": 1}))
    unsolved = 1 - counted.p_solved_at_start
    assert less.expected_iterations == pytest.approx(counted.expected_iterations - unsolved, rel=1e-12)


def test_refused() -> None:
    with pytest.raises(InputError, match="states with rate"):
        solved_point_or_rate(settings("and:3", nodes=6, mutation="rate:0.1"))
    with pytest.raises(InputError, match="point:K and rate:P, not sam"):
        solved_point_or_rate(settings("and:2", nodes=2))
    with pytest.raises(InputError, match="unknown mutation"):
        exact_result(replace(settings("and:2", nodes=2), mutation="shuffle:2"))


def test_each_search_finds_its_chain() -> None:
    assert exact_result(settings("and:2", nodes=1)).classes < 12
    assert exact_result(settings("and:2", nodes=1, mutation="point:1")).classes == 9
    assert exact_result(settings("and:2", algorithm="tgp-single")).states is None
    details = exact_details(settings("and:2", nodes=1, mutation="point:1"))
    assert isinstance(details, PointRateTimes)
    with pytest.raises(InputError, match="for cgp only"):
        exact_details(settings("and:2", algorithm="tgp-single"))


def offspring_law(mutation: str, genes: tuple[int, ...], counts: list[int]) -> dict[tuple[int, ...], float]:
    """The probability of every offspring, gene by gene."""
    name, _, strength = mutation.partition(":")
    if name == "rate":
        rate = float(strength)
        chances = [
            {value: 1.0 - rate if value == now else rate / (count - 1) for value in range(count)}
            if count > 1
            else {now: 1.0}
            for now, count in zip(genes, counts, strict=True)
        ]
        return {
            child: prod(chance[value] for chance, value in zip(chances, child, strict=True))
            for child in product(*chances)
        }
    law = {genes: 1.0}
    for _ in range(int(strength)):
        after: dict[tuple[int, ...], float] = {}
        for program, chance in law.items():
            for gene, count in enumerate(counts):
                others = [v for v in range(count) if v != program[gene]] or [program[gene]]
                for value in others:
                    child = (*program[:gene], value, *program[gene + 1 :])
                    after[child] = after.get(child, 0.0) + chance / len(counts) / len(others)
        law = after
    return law


def literal_tail(mutation: str, offspring: int, selection: str, ties: str, most: int) -> list[float]:
    """P(T > t) for And_2 with one node, from all tuples of offspring of each of its twelve programs."""
    counts = [1, 2, 2, 3]

    def wrong(genes: tuple[int, ...]) -> int:
        _, a, b, out = genes
        used = {a, b} if out == 2 else {out}
        return 2 ** (2 - len(used)) - 1

    programs = list(product(*(range(count) for count in counts)))
    laws = {genes: offspring_law(mutation, genes, counts) for genes in programs}
    now = {genes: 1 / len(programs) for genes in programs if wrong(genes)}
    beyond: list[float] = []
    while len(beyond) < most:
        alive = [0.0] * offspring
        after: dict[tuple[int, ...], float] = {}
        for parent, mass in now.items():
            for children in product(laws[parent].items(), repeat=offspring):
                chance = mass * prod(one for _, one in children)
                ranks = [wrong(child) for child, _ in children]
                solved = ranks.index(0) if 0 in ranks else offspring
                for search in range(min(solved + 1, offspring)):
                    alive[search] += chance
                if solved < offspring:
                    continue
                pool = [child for (child, _), rank in zip(children, ranks, strict=True) if rank == min(ranks)]
                if min(ranks) > wrong(parent) or (min(ranks) == wrong(parent) and selection == "strict"):
                    pool = [parent]
                elif min(ranks) == wrong(parent) and ties == "coin":
                    pool.append(parent)
                for child in pool:
                    after[child] = after.get(child, 0.0) + chance / len(pool)
        beyond += alive
        now = after
    return beyond[:most]


@pytest.mark.parametrize("mutation", ["point:1", "point:2", "rate:0.3"])
@pytest.mark.parametrize(("offspring", "uncounted"), [(1, 0), (2, 0), (3, 2)])
@pytest.mark.parametrize(
    ("selection", "ties"), [("strict", "accept"), ("nonstrict", "accept"), ("nonstrict", "coin")]
)
def test_the_whole_distribution_is_that_of_the_algorithm(
    mutation: str, offspring: int, uncounted: int, selection: str, ties: str
) -> None:
    options: dict[str, Any] = {"ties": ties, "uncounted": uncounted}
    search = settings(
        "and:2", nodes=1, mutation=mutation, offspring=offspring, selection=selection, options=options
    )
    found = solved_point_or_rate(search)
    known = literal_tail(mutation, offspring, selection, ties, 24)
    law = found.distribution()
    assert law.error <= 1e-12
    assert [law.exceeds(t) for t in range(24 - uncounted)] == pytest.approx(known[uncounted:], abs=1e-12)
    never = found.result.p_never
    assert (never > 0) == (selection == "strict" and mutation == "point:1")
    beyond = np.array([law.exceeds(t) for t in range(5000)]) - never
    assert beyond.sum() == pytest.approx((1 - never) * found.result.expected_if_solved, rel=1e-9)
    if never == 0:
        variance = ((2 * np.arange(beyond.size) + 1) @ beyond) - beyond.sum() ** 2
        assert variance**0.5 == pytest.approx(found.result.std_iterations, rel=1e-7)


def test_distribution_where_the_search_may_be_stuck() -> None:
    found = solved_point_or_rate(settings("and:3", nodes=2, mutation="point:1", selection="strict"))
    law = found.distribution()
    assert law.exceeds(10**6) == pytest.approx(found.result.p_never, rel=1e-9)
    assert law.quantile(0.999) == inf


def test_worst_start() -> None:
    search = settings("and:3", nodes=2, mutation="rate:0.2", selection="strict")
    found = solved_point_or_rate(search)
    worst = found.worst_start
    assert worst is not None
    cells = [axis.lookup[0, worst[3 * b + 1], worst[3 * b + 2]] for b, axis in enumerate(found.axes[:2])]
    state = np.ravel_multi_index((*cells, worst[-1]), [len(axis) for axis in found.axes])
    assert found.mean[state] == found.result.worst_start_expected > found.result.expected_iterations
