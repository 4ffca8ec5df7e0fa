"""Point and rate mutation: against the algorithm written down, dead ends, limits, and what is refused."""

from __future__ import annotations

from itertools import product
from math import inf, prod

import numpy as np
import pytest
from all_programs import mismatches, programs_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.mutations import mutation_from_text
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory.chain.exact import exact_result, solve_chain
from gatewalk.theory.chain.point_rate import operator_of, point_rate_chain
from gatewalk.theory.chain.sam.node_states import axes_of, output_axis


def test_one_point_and_strict_selection_can_be_stuck():
    result = solve_chain(search_for("and:3", nodes=2, mutation="point:1", selection="strict")).result
    assert result.expected_iterations == result.worst_start_expected == inf
    assert 0 < result.p_never < 1
    assert result.expected_if_solved < 1000


def test_full_rate_is_blind():
    """Every gene of one node and its output always changes: of two values, to the other one."""
    result = solve_chain(search_for("and:2", nodes=1, mutation="rate:1.0", options={"levels_back": 1})).result
    assert result.classes == 9
    assert result.expected_iterations > 1


def test_profiles_differ_by_what_they_count():
    counted = solve_chain(search_for("and:2", nodes=2, mutation="point:2")).result
    less = exact_result(search_for("and:2", nodes=2, mutation="point:2", options={"uncounted": 1}))
    unsolved = 1 - counted.p_solved_at_start
    assert less.expected_iterations == pytest.approx(counted.expected_iterations - unsolved, rel=1e-12)


def test_refused():
    with pytest.raises(InputError, match="states with rate"):
        point_rate_chain(search_for("and:3", nodes=6, mutation="rate:0.1"))
    with pytest.raises(InputError, match="point:K and rate:P, not sam"):
        point_rate_chain(search_for("and:2", nodes=2))


def test_each_search_finds_its_chain():
    assert exact_result(search_for("and:2", nodes=1)).classes < 12
    assert exact_result(search_for("and:2", nodes=1, mutation="point:1")).classes == 9
    assert exact_result(search_for("and:2", algorithm="tgp-single")).states is None


def offspring_law(mutation, genes, counts):
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
        after = {}
        for program, chance in law.items():
            for gene, count in enumerate(counts):
                others = [v for v in range(count) if v != program[gene]] or [program[gene]]
                for value in others:
                    child = (*program[:gene], value, *program[gene + 1 :])
                    after[child] = after.get(child, 0.0) + chance / len(counts) / len(others)
        law = after
    return law


def literal_tail(mutation, offspring, selection, ties, most):
    """P(T > t) for And_2 with one node, from all tuples of offspring of each of its twelve programs."""
    counts = [1, 2, 2, 3]

    def wrong(genes):
        _, a, b, out = genes
        used = {a, b} if out == 2 else {out}
        return 2 ** (2 - len(used)) - 1

    programs = list(product(*(range(count) for count in counts)))
    laws = {genes: offspring_law(mutation, genes, counts) for genes in programs}
    now = {genes: 1 / len(programs) for genes in programs if wrong(genes)}
    beyond = []
    while len(beyond) < most:
        alive = [0.0] * offspring
        after = {}
        for parent, mass in now.items():
            for children in product(laws[parent].items(), repeat=offspring):
                chance = mass * prod(share for _, share in children)
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
def test_the_whole_distribution_is_that_of_the_algorithm(mutation, offspring, uncounted, selection, ties):
    options = {"ties": ties, "uncounted": uncounted}
    search = search_for(
        "and:2", nodes=1, mutation=mutation, offspring=offspring, selection=selection, options=options
    )
    solved = solve_chain(search)
    known = literal_tail(mutation, offspring, selection, ties, 24)
    law = solved.distribution()
    assert law.error <= 1e-12
    assert [law.exceeds(t) for t in range(24 - uncounted)] == pytest.approx(known[uncounted:], abs=1e-12)
    never = solved.result.p_never
    assert (never > 0) == (selection == "strict" and mutation == "point:1")
    beyond = np.array([law.exceeds(t) for t in range(5000)]) - never
    assert beyond.sum() == pytest.approx((1 - never) * solved.result.expected_if_solved, rel=1e-9)
    if never == 0:
        variance = ((2 * np.arange(beyond.size) + 1) @ beyond) - beyond.sum() ** 2
        assert variance**0.5 == pytest.approx(solved.result.std_iterations, rel=1e-7)


def test_distribution_where_the_search_may_be_stuck():
    solved = solve_chain(search_for("and:3", nodes=2, mutation="point:1", selection="strict"))
    law = solved.distribution()
    assert law.exceeds(10**6) == pytest.approx(solved.result.p_never, rel=1e-9)
    assert law.quantile(0.999) == inf


def test_worst_start():
    search = search_for("and:3", nodes=2, mutation="rate:0.2", selection="strict")
    solved = solve_chain(search)
    worst = solved.worst_start
    assert worst is not None
    assert solved.expected_from(worst) == pytest.approx(solved.worst_start_expected, rel=1e-12)
    assert solved.worst_start_expected > solved.expected_iterations


@pytest.mark.parametrize("gates", ["and", "or,nimply", "and,not"])
def test_a_program_of_a_state_is_in_it(gates):
    chain = point_rate_chain(search_for("and:2", nodes=2, gates=gates, mutation="point:1"))
    for state in range(chain.level_start[-1]):
        genes = chain.program_of(state)
        level = next(i for i, last in enumerate(chain.level_start[1:]) if state < last)
        assert mismatches(chain.shape, "and:2", tuple(genes.tolist())) == chain.levels[level]
        assert chain.state_of(genes) == state
    sizes = np.zeros(chain.level_start[-1], dtype=np.int64)
    for genes in programs_of(chain.shape):
        state = chain.state_of(genes)
        assert (state is None) == (mismatches(chain.shape, "and:2", genes) == 0)
        if state is not None:
            sizes[state] += 1
    assert (sizes == chain.size).all()


def test_levels_are_those_of_sam():
    with pytest.raises(InputError, match="levels are known for sam, not point:1"):
        solve_chain(search_for("and:2", nodes=2, mutation="point:1")).levels()


def changed(shape, genes, gene):
    """One gene given a new value, if it has another."""
    others = [value for value in valid_values(shape, gene) if value != genes[gene]]
    if not others:
        return {genes: 1.0}
    return {(*genes[:gene], value, *genes[gene + 1 :]): 1 / len(others) for value in others}


def by_points(shape, genes, points):
    now = {genes: 1.0}
    for _ in range(points):
        after = {}
        for program, chance in now.items():
            for gene in range(shape.length):
                for other, share in changed(shape, program, gene).items():
                    after[other] = after.get(other, 0.0) + chance * share / shape.length
        now = after
    return now


def by_rate(shape, genes, rate):
    result = {}
    for other in programs_of(shape):
        chance = 1.0
        for gene, (old, new) in enumerate(zip(genes, other, strict=True)):
            others = len(valid_values(shape, gene)) - 1
            if others:
                chance *= 1 - rate if old == new else rate / others
        result[other] = chance
    return result


@pytest.mark.parametrize("swaps", [True, False])
@pytest.mark.parametrize("mutation", ["point:1", "point:2", "rate:0.3"])
@pytest.mark.parametrize("gates", ["and", "or,xor"])
def test_the_mean_over_all_offspring(gates, mutation, swaps):
    shape = Shape(2, 1, 1, gate_set(gates))
    axes = [*axes_of(shape, swaps=swaps), output_axis(shape)]
    kind, _, strength = mutation.partition(":")
    values = np.random.default_rng(1).random(tuple(len(axis) for axis in axes))
    means = operator_of(mutation_from_text(mutation), shape, axes)(values).reshape(values.shape)

    def cell_of(genes):
        return int(axes[0].lookup[genes[:3]]), int(axes[1].lookup[0, genes[3], 0])

    for genes in product(*(valid_values(shape, gene) for gene in range(shape.length))):
        if kind == "point":
            offspring = by_points(shape, genes, int(strength))
        else:
            offspring = by_rate(shape, genes, float(strength))
        assert sum(offspring.values()) == pytest.approx(1)
        known = sum(chance * values[cell_of(other)] for other, chance in offspring.items())
        assert means[cell_of(genes)] == pytest.approx(known, rel=1e-11)


def test_sam_looks_at_active_nodes_and_is_refused():
    shape = Shape(2, 1, 1, gate_set("and"))
    with pytest.raises(InputError, match="point:K and rate:P"):
        operator_of(Sam(), shape, [*axes_of(shape), output_axis(shape)])
