"""Trees of outcomes: probabilities, positions, and functions that are refused."""

from __future__ import annotations

import pytest

import gatewalk.theory.chain.own.outcomes as module
from gatewalk import search_for
from gatewalk.native.frozen import frozen
from gatewalk.search.own_operators import PROGRAM, RANDOM
from gatewalk.theory.chain.own.chain import outcomes_of
from gatewalk.theory.chain.own.outcomes import Draw, Leaf, Look
from gatewalk.theory.chain.own.pauses import NotFollowed

SEARCH = search_for("and:2", nodes=2, gates="and,or")


def trees(function):
    return outcomes_of(SEARCH, frozen(function, methods=PROGRAM | RANDOM))


def sam(program, random):
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return


def of_an_inactive_one(program, random):
    for _ in range(2):
        program.change(random.gene(program), random)
        program.change(inactive(program, random), random)


def inactive(program, random):
    while True:
        gene = random.gene(program)
        other = gene + 1
        if not program.is_active(gene) and other > 0:
            return gene


def by_gaps(program, random):
    gene = random.gap(0.25)
    while gene < program.genes:
        if program.value(gene) == program.parent_value(gene):
            program.change(gene, random)
        gene += 1 + random.gap(0.25)


def spent(tree):
    """The probability that is spent, whatever the program: every look has the same below each value."""
    match tree:
        case Leaf():
            return 1.0
        case Draw():
            return sum(share * spent(then) for then, share in zip(tree.then, tree.chances, strict=True))
        case Look():
            assert len({round(spent(then), 12) for then in tree.then}) == 1
            return spent(tree.then[0])


@pytest.mark.parametrize("function", [sam, of_an_inactive_one, by_gaps])
def test_probabilities_add_up_whatever_the_program(function):
    for tree in trees(function):
        assert spent(tree) == pytest.approx(1.0, abs=1e-14)


def test_positions():
    """SAM's is one, the head of its loop, where nothing is known."""
    assert len(trees(sam)) == 1
    assert len(trees(of_an_inactive_one)) == 4
    assert len(trees(by_gaps)) == 1 + 2 * SEARCH.shape.length  # before and after each gene


def test_a_counter_without_end_is_refused(monkeypatch):
    def counts(program, random):
        tries = 0
        while True:
            tries += 1
            program.change(random.gene(program), random)
            if tries > 3 and random.chance(0.5):
                return

    monkeypatch.setattr(module, "MOST_STEPS", 20_000)
    with pytest.raises(NotFollowed, match="more than its first"):
        trees(counts)


def test_what_is_kept_must_be_plain():
    def keeps(program, random):
        change = program.change
        for _ in range(2):
            change(random.gene(program), random)

    with pytest.raises(NotFollowed, match="change is a method"):
        trees(keeps)


def test_an_error_belongs_to_the_programs_that_raise_it():
    def fails(program, random):
        gene = random.gene(program)
        program.set(gene, 1 // program.value(gene))

    (tree,) = trees(fails)
    errors = [repr(leaf.failed) for leaf in leaves(tree)]
    assert errors.count("None") < len(errors)
    assert any("ZeroDivisionError" in error for error in errors)


def leaves(tree):
    return [tree] if isinstance(tree, Leaf) else [leaf for then in tree.then for leaf in leaves(then)]


def test_too_many_draws_at_once_are_refused(monkeypatch):
    def hoards(program, random):
        number = (random.chance(0.5) + random.chance(0.5) + random.chance(0.5)) + (
            random.chance(0.5) + random.chance(0.5) + random.chance(0.5)
        )
        program.change(number % program.genes, random)

    assert len(leaves(trees(hoards)[0])) > 64
    monkeypatch.setattr(module, "MOST_OUTCOMES", 5)
    with pytest.raises(NotFollowed, match="more than 5 draws"):
        trees(hoards)


def test_a_function_that_changes_its_mind_is_refused():
    turns = []

    def run(course, function):
        turns.append(0)
        return course.integer(2 + len(turns) % 2)

    with pytest.raises(NotFollowed, match="the same each time"):
        module.trees_of(frozen(sam, methods=PROGRAM | RANDOM), run)
