"""Pauses: they change nothing that a function does, and say all that the rest of its run depends on."""

from __future__ import annotations

import random as plain
from dataclasses import dataclass, field

import pytest

from gatewalk.errors import InputError
from gatewalk.native.frozen import frozen
from gatewalk.theory.chain.own.pauses import with_pauses

DRAWS = frozenset({"integer", "chance"})


def collatz(random):
    number, steps = 1 + random.integer(50), 0
    while number != 1:
        half = number // 2
        number = half if number % 2 == 0 else 3 * number + 1
        steps += 1
        if steps == 20:
            break
    else:
        return -steps
    return steps


def nested(random):
    total = 0
    for limit in range(4, 0, -1):
        for item in range(limit):
            limit = 9  # the loop goes on as it began
            if random.chance(0.3):
                continue
            if item == 3:
                break
            total += item * limit
        else:
            total += 100
    for item in (1, 1, 2):
        total = 2 * total + item
    return total


def several(random):
    return sum_of(random, 3) + 10 * sum_of(random, random.integer(4)) + (100 if random.chance(0.5) else 0)


def sum_of(random, count):
    total = 0
    while count > 0:
        total += random.integer(5)
        count -= 1
    return total


def swapped(random):
    first, second = random.integer(3), random.integer(4)
    while random.chance(0.6):
        first, second = second, first
        random.integer(2)
        first += 1
    return first


def branching(random):
    one, two, three, turns = 0, 0, 0, 0
    while turns < 6:
        turns += 1
        if random.chance(0.4):
            one = random.integer(3)
            random.integer(2)
            continue
        if random.chance(0.5):
            three = random.integer(2)
        else:
            two += 3 * three
            random.integer(2)
        two += one
        for item in range(random.integer(3)):
            one = item
            if random.chance(0.5):
                break
        else:
            three = 1
    return two


@dataclass
class Told:
    """switch: after so many pauses the random numbers are those of another seed."""

    seen: list = field(default_factory=list)
    depth: int = 0
    source: object = None
    switch: int = 0

    def pause(self, place, live):
        self.seen.append((place, {name: value for name, value in live.items() if name != "random"}))
        if len(self.seen) == self.switch:
            self.source.seed(99)

    def called(self):
        self.depth += 1

    def returned(self):
        self.depth -= 1


class Source:
    def __init__(self, seed):
        self.seed(seed)

    def seed(self, number):
        self._random = plain.Random(number)

    def integer(self, bound):
        return self._random.randrange(bound)

    def chance(self, probability):
        return self._random.random() < probability


def made(function):
    return frozen(function, methods=DRAWS)


@pytest.mark.parametrize("function", [collatz, nested, several, swapped, branching])
def test_it_does_the_same(function):
    told = Told()
    watched = with_pauses(made(function), told)
    for seed in range(200):
        assert watched(Source(seed)) == function(Source(seed))
    assert told.depth == 0
    assert told.seen


@pytest.mark.parametrize("function", [collatz, nested, swapped, branching])
def test_what_is_told_decides_the_rest(function):
    """After equal pauses, equal random numbers lead to the same result, whatever came before."""
    told, results = Told(), {}
    watched = with_pauses(made(function), told)
    for seed in range(60):
        for switch in range(1, 9):
            told.source, told.switch, told.seen = Source(seed), switch, []
            result = watched(told.source)
            if len(told.seen) >= switch:
                place, live = told.seen[switch - 1]
                rest = (result, len(told.seen) - switch)
                results.setdefault((place, repr(sorted(live.items()))), []).append(rest)
    assert sum(len(some) > 1 for some in results.values()) >= 10
    assert all(len(set(some)) == 1 for some in results.values())


def test_only_what_is_still_read_is_told():
    told = Told()
    with_pauses(made(collatz), told)(Source(0))
    assert told.seen
    assert all(set(live) == {"number", "steps"} for _, live in told.seen)


def test_how_far_a_loop_has_come_is_told():
    told = Told()
    with_pauses(made(sum_of), told)(Source(0), 3)
    assert [live["count"] for _, live in told.seen] == [3, 3, 2, 2, 1, 1]  # before and after each draw
    told = Told()
    with_pauses(made(nested), told)(Source(0))
    left = [value for _, live in told.seen for value in live.values() if isinstance(value, range | tuple)]
    assert range(3, 0, -1) in left
    assert (1, 1, 2) in left


def test_between_statements_it_pauses_where_nothing_more_is_known():
    def one_after_the_other(random):
        random.integer(3)
        number = random.integer(3)
        random.chance(0.5)
        return number

    told = Told()
    with_pauses(made(one_after_the_other), told)(Source(0))
    assert [live for _, live in told.seen] == [{}]  # once: later on the number is known


def test_a_loop_over_anything_else_is_refused():
    def strange(random):
        for item in random.integer(3):
            return item
        return 0

    with pytest.raises(InputError, match="range or a tuple, not int"):
        with_pauses(made(strange), Told())(Source(0))
