"""Exact times of mutations and selections that users write: against Gatewalk's own, enumeration and runs."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from all_programs import mismatches, programs_of
from edges import biased_ties, sam_edges

import gatewalk as gw
from gatewalk.cgp.genotype import active_genes, valid_values
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.theory import exact, exact_result
from gatewalk.theory.assumptions import is_taught
from gatewalk.theory.chain.own import pauses
from gatewalk.theory.chain.own.acceptance import acceptance
from gatewalk.theory.chain.own.chain import OwnChain
from gatewalk.theory.chain.own.pauses import Names
from gatewalk.theory.chain.reach import estimated_seconds, quick_nodes
from gatewalk.theory.chain.solving import SOLVED


@gw.mutation("own-sam")
def own_sam(program, random):
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return


@gw.mutation("own-point")
def own_point(program, random):
    for _ in range(2):
        program.change(random.gene(program), random)


@gw.mutation("unrolled")
def unrolled(program, random):
    program.change(random.gene(program), random)
    program.change(random.gene(program), random)


@gw.mutation("own-rate")
def own_rate(program, random):
    gene = random.gap(0.2)
    while gene < program.genes:
        program.change(gene, random)
        gene += 1 + random.gap(0.2)


@gw.mutation("gene-by-gene")
def gene_by_gene(program, random):
    for gene in range(program.genes):
        if random.chance(0.2):
            program.change(gene, random)


def drawn(program, random):
    while True:
        gene = random.gene(program)
        if not program.is_output(gene):
            return gene


@gw.mutation("differing")
def differing(program, random):
    """Until some gene differs from the parent's, which a second change may undo."""
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        other = drawn(program, random)
        program.change(other, random)
        if program.value(gene) != program.parent_value(gene):
            return


@gw.selection("loose")
def loose(parent, offspring, random):
    return offspring <= parent


@gw.selection("lazy")
def lazy(parent, offspring, random):
    while random.chance(0.5):
        if random.chance(0.2):
            return False
    return offspring <= parent


WAYS = [
    {},
    {"selection": "strict"},
    {"offspring": 3},
    {"profile": "tinyverse", "options": {"levels_back": 2, "sam_ends": "changed"}, "offspring": 2},
]
KNOWN = [
    (own_sam, "sam"),
    (own_point, "point:2"),
    (unrolled, "point:2"),
    (own_rate, "rate:0.2"),
    (gene_by_gene, "rate:0.2"),
]


def same(ours, known):
    for name in ("expected_iterations", "std_iterations", "worst_start_expected", "p_solved_at_start"):
        assert getattr(ours, name) == pytest.approx(getattr(known, name), rel=1e-12)
    assert ours.p_never == pytest.approx(known.p_never, abs=1e-12)


@pytest.mark.parametrize("words", WAYS)
@pytest.mark.parametrize(("own", "name"), KNOWN)
def test_as_gatewalks_own(own, name, words):
    for target, more in (("and:2", {"gates": "and,nor"}), ("and:3", {}), ("xor:2", {})):
        search = {"nodes": 2, **more, **words}
        ours = exact(target, mutation=own, **search)
        assert isinstance(ours.chain, OwnChain)
        same(ours, exact(target, mutation=name, lump=False, **search))


def test_one_that_is_larger_and_its_distribution():
    ours, known = exact("and:2", nodes=3, mutation=own_sam), exact("and:2", nodes=3)
    same(ours, known)
    for t in (0, 1, 5, 30):
        assert ours.distribution().exceeds(t) == pytest.approx(known.distribution().exceeds(t), abs=1e-12)
    assert ours.expected_from(ours.worst_start) == pytest.approx(ours.worst_start_expected, rel=1e-12)
    assert known.expected_from(ours.worst_start) == pytest.approx(known.worst_start_expected, rel=1e-12)
    start = [0, 0, 1, 0, 2, 1, 0, 0, 0, 1]
    from_there = exact("and:2", nodes=3, mutation=own_sam, start=start).expected_iterations
    assert from_there == pytest.approx(known.expected_from(start), rel=1e-12)


def test_a_search_that_may_never_end():
    words = {"nodes": 2, "selection": "strict"}
    ours, known = (exact("xor:2", mutation=name, **words) for name in (own_sam, "sam"))
    assert ours.expected_iterations == known.expected_iterations == inf
    assert ours.p_never == pytest.approx(known.p_never, rel=1e-12)
    assert ours.expected_if_solved == pytest.approx(known.expected_if_solved, rel=1e-12)


# By enumeration: what one turn does to every program, and linear systems on all of them.
def changes(shape, genes, gene):
    others = [value for value in valid_values(shape, gene) if value != genes[gene]] or [genes[gene]]
    return {(*genes[:gene], value, *genes[gene + 1 :]): 1 / len(others) for value in others}


def offspring(shape, programs, turn):
    """(1 - Q)^-1 E: every program's offspring; turn(genes) lists (ends, next genes, probability)."""
    place = {genes: number for number, genes in enumerate(programs)}
    on, end = np.zeros((2, len(programs), len(programs)))
    for number, genes in enumerate(programs):
        for ends, after, chance in turn(genes):
            (end if ends else on)[number, place[after]] += chance
    return np.linalg.solve(np.eye(len(programs)) - on, end)


def by_sam_edges(shape, programs):
    inner, laws = shape.nodes * shape.block, {}

    def turn_of(active):
        def turn(genes):
            for gene in range(shape.length):
                if gene < inner and gene % shape.block == 0:
                    yield False, genes, 1 / shape.length
                    continue
                for after, chance in changes(shape, genes, gene).items():
                    yield active[gene] and len(valid_values(shape, gene)) > 1, after, chance / shape.length

        return turn

    for number, genes in enumerate(programs):
        active = tuple(active_genes(shape, np.array(genes)).tolist())
        if active not in laws:
            laws[active] = offspring(shape, programs, turn_of(active))
        yield laws[active][number]


def by_differing(shape, programs):
    inner = shape.nodes * shape.block

    def turn_of(parent):
        def turn(genes):
            for gene in range(shape.length):
                for between, chance in changes(shape, genes, gene).items():
                    for other in range(inner):
                        for after, share in changes(shape, between, other).items():
                            yield after[gene] != parent[gene], after, chance * share / shape.length / inner

        return turn

    for number, genes in enumerate(programs):
        yield offspring(shape, programs, turn_of(genes))[number]


@pytest.mark.parametrize(
    ("own", "law", "gates", "nodes"),
    [
        (sam_edges, by_sam_edges, "and", 1),
        (sam_edges, by_sam_edges, "and", 2),
        (differing, by_differing, "and,nor,xor", 1),
    ],
)
@pytest.mark.parametrize(("selection", "tie"), [(biased_ties, 0.3), (loose, 1.0)])
def test_as_by_enumeration(own, law, gates, nodes, selection, tie):
    ours = exact("and:2", nodes=nodes, gates=gates, mutation=own, selection=selection)
    shape = ours.search.shape
    programs = programs_of(shape)
    rank = np.array([mismatches(shape, "and:2", genes) for genes in programs])
    moves = np.zeros((len(programs), len(programs)))
    for number, made in enumerate(law(shape, programs)):
        assert made.sum() == pytest.approx(1.0, abs=1e-12)
        moves[number] = made * np.where(rank < rank[number], 1.0, np.where(rank == rank[number], tie, 0.0))
        moves[number, number] += 1 - moves[number].sum()
    unsolved = np.flatnonzero(rank > 0)
    inner = np.eye(unsolved.size) - moves[np.ix_(unsolved, unsolved)]
    mean = np.linalg.solve(inner, np.ones(unsolved.size))
    square = np.linalg.solve(inner, 2 * mean - 1)
    expected = mean.sum() / rank.size
    assert ours.expected_iterations == pytest.approx(expected, rel=1e-12)
    assert ours.std_iterations == pytest.approx(sqrt(square.sum() / rank.size - expected**2), rel=1e-12)
    assert ours.worst_start_expected == pytest.approx(mean.max(), rel=1e-12)
    for number in unsolved[::7]:
        known = mean[np.searchsorted(unsolved, number)]
        assert ours.expected_from(programs[number]) == pytest.approx(known, rel=1e-12)


@pytest.mark.parametrize("selection", [biased_ties, lazy])
def test_runs_take_as_long(selection):
    """Means of 1500 runs within six standard errors: a false alarm in 10^8 tries."""
    words = {"nodes": 2, "mutation": sam_edges, "selection": selection, "evaluation": "reference"}
    search = gw.search_for("and:2", **words, budget=10_000)
    times = run_many(search, seed=5, runs=range(1500), jobs=1).iterations
    result = exact_result(search)
    assert abs(times.mean() - result.expected_iterations) < 6 * result.std_iterations / sqrt(times.size)


@pytest.mark.parametrize("mutation", ["sam", "point:1", own_sam])
@pytest.mark.parametrize("offspring", [1, 3])
def test_selections(mutation, offspring):
    words = {"nodes": 2, "mutation": mutation, "offspring": offspring}
    same(exact("and:3", selection=loose, **words), exact("and:3", selection="nonstrict", **words))
    same(exact("and:3", selection=biased_ties, **words), exact("and:3", selection="ties:0.3", **words))
    half = exact("and:3", selection="ties:0.5", **words).expected_iterations
    coin = exact("and:3", options={"ties": "coin"}, **words).expected_iterations
    assert (half == pytest.approx(coin, rel=1e-12)) == (offspring == 1)


def test_ties_by_any_solver():
    search = gw.search_for("and:3", nodes=3, selection="ties:0.3")
    from gatewalk.theory.chain.exact import solve_chain
    from gatewalk.theory.chain.ranked.search import ranked_result

    known = solve_chain(search).result
    assert ranked_result(search).expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    full = solve_chain(search, lump=False).result
    assert full.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)


def test_what_a_selection_accepts():
    search = gw.search_for("and:2", nodes=2, selection=lazy)
    accept = acceptance(search, [1, 3])
    accepted = 0.5 / (1 - 0.5 * 0.8)  # it ends by the first or by the second chance
    for pair in ((1, 0), (1, 1), (0, SOLVED)):
        assert accept(*pair) == pytest.approx(accepted, rel=1e-12)
    assert acceptance(gw.search_for("and:2"), [1, 3]) is None
    several = gw.search_for("and:2", nodes=2, selection=lazy, offspring=2)
    with pytest.raises(InputError, match="lazy refuses solved offspring"):
        exact_result(several)


def test_a_selection_that_accepts_half_takes_twice_as_long():
    @gw.selection("half")
    def half(parent, offspring, random):
        return offspring < parent and random.chance(0.5)

    for mutation in (own_sam, "sam", "point:2"):
        words = {"nodes": 2, "mutation": mutation}
        whole = exact("and:3", selection="strict", **words).expected_iterations
        twice = exact("and:3", selection=half, **words).expected_iterations
        assert twice == pytest.approx(2 * whole, rel=1e-12)


@pytest.mark.parametrize("mutation", [own_sam, own_point])
def test_names_too_many_give_the_same_chain(mutation, monkeypatch):
    known = exact("and:2", nodes=1, mutation=mutation).expected_iterations
    monkeypatch.setattr(pauses, "_names_assigned", lambda target: Names())
    again = exact("and:2", nodes=1, mutation=mutation).expected_iterations
    assert again == pytest.approx(known, rel=1e-12)


def test_too_large_is_refused_before_any_work():
    with pytest.raises(
        InputError, match=r"and:4 with 6 nodes has .* genotypes .* up to 4 nodes are possible; up"
    ):
        exact("and:4", nodes=6, mutation=own_sam)
    with pytest.raises(InputError, match=r"--memory 0\.01"):
        exact("and:3", nodes=3, mutation=own_sam, memory=10**7)
    with pytest.raises(InputError, match="up to 6 inputs"):
        exact("and:8", nodes=9, mutation=own_sam)
    search = gw.search_for("and:3", nodes=3, mutation=own_sam)
    assert quick_nodes(search) == 3
    assert estimated_seconds(search) < 10


def test_functions_that_are_refused():
    @gw.mutation("endless")
    def endless(program, random):
        while True:
            gene = random.gene(program)
            program.change(gene, random)
            if program.nodes != 3 or (program.is_active(gene) and not program.is_output(gene)):
                return

    with pytest.raises(InputError, match="endless: for some programs a loop of it never ends"):
        exact("and:2", nodes=3, mutation=endless)

    @gw.mutation("rarely-wrong")
    def rarely_wrong(program, random):
        gene = random.gene(program)
        if gene == 1 and random.chance(0.001):
            program.set(gene, 100)
        program.change(gene, random)

    with pytest.raises(InputError, match=r"rarely-wrong: line \d+: .* cannot have this value"):
        exact("and:2", nodes=2, mutation=rarely_wrong)
    with pytest.raises(InputError, match="levels are known for sam, not own-sam"):
        exact("and:2", nodes=2, mutation=own_sam).levels()


def test_the_proofs_do_not_know_them():
    for words in ({"mutation": own_sam}, {"selection": biased_ties}, {"selection": "ties:0.3"}):
        assert not is_taught(gw.search_for("and:3", nodes=3, **words))
    with pytest.raises(InputError, match="only exact times are known: use gatewalk exact"):
        gw.theory.applied("theorem3", gw.search_for("and:3", nodes=3, mutation=own_sam))
