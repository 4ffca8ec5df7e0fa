"""Programs one input short: the chance to be completed against Algorithm 3 solved literally."""

import random
from fractions import Fraction
from itertools import permutations, product

import literal_cgp as literal
import pytest

from gatewalk.errors import InputError
from gatewalk.search.start import penultimate
from gatewalk.theory.conjunctions import leaving_probability
from gatewalk_studies.traps.arrivals import trap_arrivals
from gatewalk_studies.traps.one_short import completed, one_short


def all_programs(n, literal):
    genes = [range(literal.values(n, n - 1, gene)) for gene in range(3 * n - 2)]
    return [list(program) for program in product(*genes)]


def in_theorem4(n, program, literal):
    """The words of Theorem 4's proof."""
    used = literal.used_inputs(n, program)
    last, root = program[3 * n - 5 : 3 * n - 3], program[-1]
    return (
        len(used) == n - 1
        and literal.active_nodes(n, program) == set(range(n - 2))
        and root == n + n - 3
        and root not in last
        and not any(source < n and source not in used for source in last)
    )


def as_one_of_its_kind(n, program):
    """The smallest program that other names of the inputs and of a node's two connections make of it."""
    images = []
    for names in permutations(range(n)):
        named = [*names, *range(n, 2 * n - 1)]
        genes = []
        for node in range(n - 1):
            genes += [0, *sorted(named[source] for source in program[3 * node + 1 : 3 * node + 3])]
        images.append([*genes, named[program[-1]]])
    return min(images)


def check(n, program, literal):
    kind = one_short(program, n)
    assert kind is not None
    assert kind.leaving == literal.leave_chance(n, program), program
    active = literal.active_nodes(n, program)
    assert kind.after == (None if len(active) == n - 1 else n - 2 - next(iter({*range(n - 1)} - active)))
    return kind


def test_every_program_of_three_inputs():
    """Membership, the chance and the least chance, with all 720 programs."""
    traps = 0
    for program in all_programs(3, literal):
        if len(literal.used_inputs(3, program)) != 2:
            assert one_short(program, 3) is None
            continue
        kind = check(3, program, literal)
        assert kind.is_trap == in_theorem4(3, program, literal)
        assert kind.is_trap == (kind.leaving <= leaving_probability(3))
        assert kind.is_trap == (kind.leaving == leaving_probability(3))
        traps += kind.is_trap
    assert traps == 24  # 3 missing inputs, 2 orders, 2 x 2 sources of the last node


def test_every_program_of_four_inputs():
    """Membership of all 100 800 programs, the chance of one of each kind."""
    kinds = {}
    for program in all_programs(4, literal):
        short = len(literal.used_inputs(4, program)) == 3
        of_program = one_short(program, 4)
        assert (of_program is not None) == short
        if of_program is None:
            continue
        assert of_program.is_trap == in_theorem4(4, program, literal)
        assert of_program.is_trap == (of_program.leaving <= leaving_probability(4))
        if all(program[3 * node + 1] <= program[3 * node + 2] for node in range(3)):
            kind = as_one_of_its_kind(4, program)
            if tuple(kind) not in kinds:
                kinds[tuple(kind)] = check(4, kind, literal)
            assert kinds[tuple(kind)] == of_program
    assert {(item.after, item.changes) for item in kinds.values()} == {
        (None, 0),
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
    }  # fmt: skip; the first node reads inputs, and all connections from these pass over it


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_some_programs_of_five_inputs(seed):
    rng = random.Random(seed)
    while True:
        program = literal.random_program(5, 4, rng)
        if len(literal.used_inputs(5, program)) == 4 and len(literal.active_nodes(5, program)) == 3:
            break
    check(5, program, literal)


@pytest.mark.parametrize("n", [7, 12, 20])
def test_no_program_has_a_smaller_chance_than_a_trap(n):
    least = leaving_probability(n)
    arrived = [arrival.kind for arrival in trap_arrivals(n, runs=150, seed=8).arrivals]
    assert sum(item is not None and item.is_trap for item in arrived) > 10
    for item in arrived:
        if item is not None:
            assert (item.leaving == least) == item.is_trap
            assert item.leaving >= least


@pytest.mark.parametrize("n", [30, 300])
def test_far_from_the_end_there_are_more_ways(n):
    """An inactive node with r nodes after it has r + 1 ways to be used: the chance is near (r + 1) p."""
    least = leaving_probability(n)
    for after in (1, 2, 5):
        spare = n - 2 - after
        genes = []
        reads = 0  # a chain: each active node reads the one before it and the next input
        for node in range(n - 1):
            if node == spare:
                genes += [0, 0, 0]
                continue
            first = 0 if reads == 0 else n + node - 1 - (node - 1 == spare)
            reads += 1
            genes += [0, first, reads]
        kind = one_short([*genes, 2 * n - 2], n)
        assert kind is not None
        assert (kind.after, kind.changes) == (after, 2)
        assert 1 < kind.leaving / least / (after + 1) < 1 + 5 * after / n


@pytest.mark.parametrize("n", [3, 4, 9, 40])
def test_ways_to_set_both_sources(n):
    """The closed form in the proof of Proposition 3; it falls with the values, and grows with what fits."""
    y, least_ways = Fraction(2, 2 * n - 1), []
    for spare in range(n - 1):
        m = n + spare
        none, single, both = (
            completed(n, spare, now, (m - 1, 0)) for now in ((m - 2, 1), (m - 1, 1), (0, m - 1))
        )
        assert none == y**2 / ((1 - y) * (m - 1 - y * (m - 2) / 2) * (m - 1 + y))
        assert none < single < both
        least_ways.append(none)
    assert least_ways == sorted(least_ways, reverse=True)
    assert least_ways[-1] / (2 * n - 1) / (2 * n - 2) == leaving_probability(n)


def test_what_is_no_program_is_refused():
    with pytest.raises(InputError, match="10 genes, not 7"):
        one_short(penultimate(3, 2), 4)
    with pytest.raises(InputError, match="not before it"):
        one_short([0, 0, 1, 0, 0, 4, 3], 3)
