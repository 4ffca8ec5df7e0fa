"""The chain against a transition matrix written down literally from Algorithms 1-3.

For every genotype as a parent, SAM's loop is itself a small chain on offspring; its absorption
probabilities are solved for directly, with no symmetry, no eigenbasis and no shared code.
"""

from __future__ import annotations

import threading
from fractions import Fraction

import numpy as np
import pytest
from all_programs import mismatches, programs_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, active_genes, valid_values
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory.chain.exact import exact, solve_chain
from gatewalk.theory.chain.sam import mixing
from gatewalk.theory.chain.sam.chain import class_of_program, mix, mix_transposed, programs_of_segment
from gatewalk.theory.chain.sam.mixing import mixed, multiplied, on_threads
from gatewalk.theory.chain.sam.moves import (
    TIE,
    count_ending_genes,
    move_fractions,
    move_probabilities,
)
from gatewalk.theory.chain.sam.node_states import axes_of
from gatewalk.theory.chain.sam.size import axis_size, check_size, estimated_bytes, estimated_classes


def sam_matrix(shape, programs, picked_ends):
    """P(offspring y | parent x), by solving the loop for each parent."""
    number = {genes: index for index, genes in enumerate(programs)}
    count = len(programs)
    changes = np.zeros((shape.length, count, count))
    for gene in range(shape.length):
        values = valid_values(shape, gene)
        for row, genes in enumerate(programs):
            others = [value for value in values if value != genes[gene]] or values
            for value in others:
                to = number[(*genes[:gene], value, *genes[gene + 1 :])]
                changes[gene, row, to] += 1 / len(others)
    result = np.zeros((count, count))
    for row, genes in enumerate(programs):
        active = active_genes(shape, np.array(genes))
        going, ending = np.zeros((count, count)), np.zeros((count, count))
        for gene in range(shape.length):
            part = changes[gene] / shape.length
            differs = np.array([other[gene] != genes[gene] for other in programs])
            ends = np.full(count, bool(active[gene])) & (differs | picked_ends)
            ending += part * ends[None, :]
            going += part * ~ends[None, :]
        result[row] = np.linalg.solve((np.eye(count) - going).T, np.eye(count)[row]) @ ending
    return result


def expected(search, shape, matrix, programs):
    """Expected T from every program by one dense system."""
    rank = np.array([mismatches(shape, search.target.name, genes) for genes in programs])
    accept = (rank[None, :] < rank[:, None]).astype(float)
    if not search.strict:
        accept += (rank[None, :] == rank[:, None]) * (0.5 if search.law.ties == "coin" else 1.0)
    moves = matrix * accept
    moves += np.diag(1 - moves.sum(axis=1))
    open_ = rank > 0
    times = np.zeros(len(programs))
    inner = np.eye(int(open_.sum())) - moves[np.ix_(open_, open_)]
    times[open_] = np.linalg.solve(inner, np.ones(int(open_.sum())))
    return times


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:2", 2, {}),
        ("and:2", 2, {"selection": "strict"}),
        ("and:2", 2, {"options": {"sam_ends": "picked", "ties": "coin"}}),
        ("xor:2", 2, {"options": {"levels_back": 2, "levels_over": "sources"}}),
        ("and:2", 1, {"gates": "and,nimply,not"}),
    ],
)
def test_every_start_by_the_letter(name, nodes, options):
    search = search_for(name, nodes=nodes, **options)
    shape = search.shape
    programs = programs_of(shape)
    matrix = sam_matrix(shape, programs, search.law.sam_ends == "picked")
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    known = expected(search, shape, matrix, programs)
    solved = solve_chain(search)
    measured = np.array([solved.expected_from(genes) for genes in programs])
    assert np.abs(measured - known).max() < 1e-9 * known.max()
    assert solved.expected_iterations == pytest.approx(known.mean(), rel=1e-10)
    assert len(programs) == solved.states


@pytest.mark.parametrize("gates", ["and", "and,or", "and,not"])
def test_every_active_gene_that_can_change_ends_the_loop(gates):
    shape = search_for("and:2", nodes=2, gates=gates).shape
    for genes in programs_of(shape)[::7]:
        marked = active_genes(shape, np.array(genes))
        counts = [len(valid_values(shape, gene)) for gene in range(shape.length) if marked[gene]]
        nodes = sum(
            1 << node
            for node in range(shape.nodes)
            if marked[node * shape.block : (node + 1) * shape.block].any()
        )
        assert count_ending_genes(shape, nodes, picked_ends=True) == len(counts)
        assert count_ending_genes(shape, nodes, picked_ends=False) == sum(count > 1 for count in counts)


@pytest.mark.parametrize("picked_ends", [False, True])
def test_chances_of_moves(picked_ends):
    shape = search_for("and:3", nodes=2).shape
    # The second node active, and one gate: two connections of 3 other values each, the output of 4.
    chances = move_fractions(shape, 2, picked_ends=picked_ends)
    assert sum(chances) == 1
    genes = 4 if picked_ends else 3  # the function gene can be picked, and cannot change
    assert chances[:10] == [Fraction(1, 3 * genes)] * 6 + [Fraction(1, 4 * genes)] * 4
    assert chances[10:] == ([Fraction(1, 4)] if picked_ends else [])
    assert move_probabilities(shape, 2, picked_ends=picked_ends) == pytest.approx(
        [float(chance) for chance in chances]
    )


@pytest.mark.parametrize(
    ("name", "options"), [("and:3", {}), ("xor:2", {}), ("and:2", {"gates": "and,nimply,ncimply"})]
)
def test_where_moves_lead(name, options):
    """Every change of an active gene of every class, made on the genes."""
    solved = exact(name, nodes=2, **options)
    chain, shape = solved.chain, solved.chain.shape
    for segment in chain.segments:
        for row, genes in enumerate(programs_of_segment(chain, segment)):
            marked = active_genes(shape, genes)
            moves = iter(segment.moves[row].tolist())
            for gene in range(shape.length):
                if not marked[gene]:
                    continue
                for value in valid_values(shape, gene):
                    if value == genes[gene]:
                        continue
                    changed = genes.copy()
                    changed[gene] = value
                    wrong = mismatches(shape, name, tuple(changed.tolist()))
                    to, move = class_of_program(chain, changed), next(moves)
                    if wrong == 0:
                        assert to is None
                        assert move < 0
                        assert move > TIE
                    elif wrong < chain.levels[segment.level]:
                        assert move == to
                    elif wrong == chain.levels[segment.level]:
                        assert TIE - move == to
                    else:
                        assert TIE < move < 0
            assert next(moves, None) is None


def test_a_connection_is_free_if_an_input_can_replace_it():
    chain = exact("and:3", nodes=3).chain
    for level, wrong in enumerate(chain.levels):
        free = chain.has_free_connection(level).tolist()
        programs = (
            genes for segment in chain.at_level(level) for genes in programs_of_segment(chain, segment)
        )
        for is_free, genes in zip(free, programs, strict=True):
            marked = active_genes(chain.shape, genes)
            connections = [gene for gene in range(10) if marked[gene] and (gene % 3 or gene == 9)]
            known = False
            for gene in connections:
                for source in range(3):
                    changed = [*genes[:gene].tolist(), source, *genes[gene + 1 :].tolist()]
                    known |= mismatches(chain.shape, "and:3", tuple(changed)) < wrong
            assert is_free == known


@pytest.mark.parametrize(
    ("gates", "swaps"), [("and", True), ("and", False), ("and,not", True), ("xor,or", True)]
)
def test_mixing_is_the_geometric_series(gates, swaps):
    shape = Shape(2, 1, 2, gate_set(gates))
    axes = axes_of(shape, swaps=swaps)
    ending = 3
    # One pick: an inactive gene walks with probability proportional to one, an ending gene ends.
    generator = sum(
        np.kron(np.kron(np.eye(before), axis.from_eigen @ np.diag(axis.rates) @ axis.to_eigen), np.eye(after))
        for axis, before, after in ((axes[0], 1, len(axes[1])), (axes[1], len(axes[0]), 1))
    )
    assert np.abs(np.asarray(generator).sum(axis=1)).max() < 1e-12
    inactive = sum(count > 1 for axis in axes for count in axis.counts)
    walk = np.eye(len(generator)) - generator / inactive
    assert walk.min() > -1e-12
    stays = inactive / (inactive + ending)
    values = np.random.default_rng(5).random((len(walk), 3))
    series, term = np.zeros_like(values), values
    for _ in range(400):
        series += (1 - stays) * term
        term = stays * (walk @ term)
    tensor = values.reshape(len(axes[0]), len(axes[1]), 3)
    assert np.abs(mixed(tensor, axes, ending).reshape(-1, 3) - series).max() < 1e-12
    other = np.random.default_rng(6).random(tensor.shape)
    moved = mixed(other, axes, ending, transposed=True)
    assert (moved * tensor).sum() == pytest.approx((other * mixed(tensor, axes, ending)).sum(), rel=1e-12)


def test_pieces_join():
    generator = np.random.default_rng(7)
    tensor = generator.random((300, 7, 41))
    matrices = [generator.random((size, size)) for size in tensor.shape]
    known = np.einsum("abc,ia,jb,kc->ijk", tensor, *matrices, optimize=True)
    assert np.abs(multiplied(tensor, matrices) / known - 1).max() < 1e-12


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 5, 12, 1001])
def test_every_row_once(monkeypatch, jobs, rows):
    monkeypatch.setattr(mixing, "threads", lambda: jobs)
    seen = np.zeros(rows, dtype=np.int64)

    def work(part):
        seen[part] += 1

    on_threads(work, rows, alone=4)
    assert (seen == 1).all()


def test_few_rows_stay_in_the_calling_thread(monkeypatch):
    monkeypatch.setattr(mixing, "threads", lambda: 2)
    seen = []
    on_threads(lambda part: seen.append((part, threading.current_thread())), 7, alone=7)
    assert seen == [(slice(0, 7), threading.current_thread())]


def test_an_error_is_passed_on(monkeypatch):
    monkeypatch.setattr(mixing, "threads", lambda: 2)

    def work(part):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        on_threads(work, 100, alone=1)


@pytest.mark.parametrize("options", [{}, {"selection": "strict"}, {"offspring": 3}])
def test_transposes(options):
    chain, random = exact("and:3", nodes=3, **options).chain, np.random.default_rng(2)
    for level, (start, end) in enumerate(zip(chain.level_start[:-1], chain.level_start[1:], strict=True)):
        for first, last in ((0, start), (start, end), (end // 3, end // 2)):
            values, chances = random.random(last - first), random.random(end - start)
            moved = chain.flow(level, chances, first, last)
            assert chances @ chain.mean(level, values, first, last) == pytest.approx(
                moved @ values, rel=1e-11, abs=1e-15
            )
        for segment in chain.at_level(level):
            flow, inner = random.random((2, segment.example.size))
            moved = mix_transposed(chain, segment, flow)
            assert flow @ mix(chain, segment, inner) == pytest.approx(moved @ inner, rel=1e-11)
            assert moved.sum() == pytest.approx(flow.sum(), rel=1e-11)  # no probability is lost


@pytest.mark.parametrize(
    ("gates", "lump"), [("and", True), ("and", False), ("nimply,ncimply,or", True), ("not", True)]
)
def test_axis_sizes_are_foretold(gates, lump):
    shape = search_for("and:3", nodes=3, gates=gates).shape
    axes = axes_of(shape, swaps=lump)
    assert [len(axis) for axis in axes] == [axis_size(shape, node, swaps=lump) for node in range(3)]


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("and:40", {}, "genotypes"),
        ("and:6", {"nodes": 12}, "up to 5 nodes are possible"),
        ("and:3", {"nodes": 40, "gates": "and,or,nand,nor,xor"}, "nodes are possible"),
        ("and:3", {"nodes": 3, "gates": "maj"}, "at most 2 inputs"),
        ("and:3", {"nodes": 3, "training": "sample"}, "complete"),
    ],
)
def test_refused_before_memory_is_taken(name, options, words):
    with pytest.raises(InputError, match=words):
        exact(name, **options)


@pytest.mark.parametrize(("name", "nodes", "symmetries"), [("and:3", 3, 6), ("and:2", 3, 2), ("xor:3", 3, 6)])
def test_the_estimate_of_classes_is_close(name, nodes, symmetries):
    solved = exact(name, nodes=nodes)
    about = estimated_classes(search_for(name, nodes=nodes).shape, symmetries)
    assert 0.5 < about / solved.chain.classes < 2


def test_more_nodes_take_more_memory_and_a_smaller_limit_refuses_more():
    needed = [estimated_bytes(search_for("and:4", nodes=nodes).shape, 24) for nodes in (2, 3, 4)]
    assert needed == sorted(needed)
    check_size(search_for("and:4", nodes=4), memory=2 * needed[-1])
    with pytest.raises(InputError, match="up to 3 nodes are possible"):
        check_size(search_for("and:4", nodes=4), memory=needed[-1] - 1)
