"""The chain of ranked classes: its segments cover all classes, level by level."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.cgp.genotype import valid_values
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.ranked import mixing
from gatewalk.theory.chain.ranked import search as ranked_search
from gatewalk.theory.chain.ranked.mixing import locals_of, mix_blocks, scratch_size, stages_of
from gatewalk.theory.chain.ranked.moves import Ties, class_of_genes, gather, tie_weight
from gatewalk.theory.chain.ranked.programs import (
    cells_of,
    chain_of,
    count_sequences,
    genotypes_of,
    ranks_of,
    sequences,
    token_of,
)
from gatewalk.theory.chain.ranked.search import (
    STRICT_BYTES,
    MayNeverEnd,
    about_classes,
    check_ranked_size,
    is_ranked,
    moments_of,
    ranked_bytes,
    ranked_classes,
    ranked_result,
)
from gatewalk.theory.chain.sam.chain import class_of_program
from gatewalk.theory.chain.sam.mixing import mixed
from gatewalk.theory.chain.sam.node_states import axes_of
from gatewalk.theory.chain.sam.size import genotype_count


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:3", 3, {}),
        ("or:4", 3, {"selection": "strict"}),
        ("xor:3", 3, {}),
        ("and:2", 4, {"options": {"ties": "coin"}}),
    ],
)
def test_levels_and_classes_are_those_of_the_other_solver(name, nodes, options):
    chain = chain_of(search_for(name, nodes=nodes, **options))
    solved = exact(name, nodes=nodes, **options)
    known = solved.chain
    assert chain.levels == known.levels
    assert chain.count == known.classes
    assert (chain.tie > 0) == solved.transition.ties
    sizes = np.zeros(len(chain.levels), dtype=np.int64)
    for segment in chain.segments:
        sizes[segment.level] += segment.classes.stop - segment.classes.start
    assert sizes.tolist() == np.diff(known.level_start).tolist()


def test_segments_lie_side_by_side_best_level_first():
    chain = chain_of(search_for("and:4", nodes=4))
    ends = [0]
    for segment in chain.segments:
        assert segment.classes.start == ends[-1]
        ends.append(segment.classes.stop)
    assert ends[-1] == chain.count
    assert [segment.level for segment in chain.segments] == sorted(
        segment.level for segment in chain.segments
    )
    unsolved = chain.classes.level >= 0
    assert (chain.classes.base[unsolved] >= 0).all()
    assert (chain.classes.base[~unsolved] == -1).all()


@pytest.mark.parametrize("name", ["and:3", "xor:3"])
def test_exchanges_do_not_change_the_class_and_fitness_gives_the_level(name):
    chain = chain_of(search_for(name, nodes=2))
    for genes in programs_of(chain.shape)[::9]:
        images = {
            exchanged(chain.shape, genes, order, swaps)
            for order in permutations(range(3))
            for swaps in range(4)
        }
        numbers = {
            int(class_of_genes(chain.cells, chain.ranks, chain.classes, np.array(image))) for image in images
        }
        assert len(numbers) == 1
        wrong = mismatches(chain.shape, name, genes)
        number = numbers.pop()
        if wrong == 0:
            assert number == -1
        else:
            (segment,) = (
                segment
                for segment in chain.segments
                if number in range(segment.classes.start, segment.classes.stop)
            )
            assert chain.levels[segment.level] == wrong


def test_sums_over_ties():
    """Three classes with two, no and one tie; weights by kind."""
    ties = Ties(
        np.array([2, 0, 1], dtype=np.uint8),
        np.array([0, 2, 1], dtype=np.int32),
        np.array([1, 2, 1], dtype=np.uint8),
    )
    weights, values = np.array([0.0, 0.5, 0.125]), np.array([3.0, 5.0, 8.0])
    result = np.zeros(3)
    gather(ties, weights, values, result)
    assert result.tolist() == [0.5 * 3 + 0.125 * 8, 0.0, 0.5 * 5]
    leaving = np.ones(3)
    tie_weight(ties, weights, 0.5, leaving)
    assert leaving.tolist() == [1 + 0.5 * 0.625, 1.0, 1 + 0.5 * 0.5]


@pytest.mark.parametrize(("inputs", "nodes"), [(2, 3), (3, 2), (4, 3)])
def test_sequences_are_as_many_as_counted_and_all_different(inputs, nodes):
    cells = cells_of(inputs, nodes)
    places, stars = np.arange(nodes), np.zeros(nodes, dtype=np.int64)
    ways = ranks_of(cells).ways
    counts, _ = count_sequences(cells, places, stars)
    for division in range(1 << inputs - 1):
        count = int(ways[(1 << nodes) - 1, division])
        assert counts[0, division] == count
        tokens, after = np.zeros((count, nodes), dtype=np.uint8), np.zeros(count, dtype=np.uint8)
        sequences(cells, places, stars, division, count, tokens, after)
        rows = [tuple(row) for row in tokens.tolist()]
        assert len(set(rows)) == count
        assert rows == sorted(rows)
        for row, last in zip(rows, after.tolist(), strict=True):
            at = division
            for token in row:
                at = int(cells.split[at, token])
                assert at >= 0
            assert at == last


@pytest.mark.parametrize("name", ["and:3", "xor:2"])
def test_every_class_has_a_program_and_its_number_of_genotypes(name):
    chain = chain_of(search_for(name, nodes=2))
    counted = np.zeros(chain.count, dtype=np.int64)
    solved = 0
    for genes in programs_of(chain.shape):
        number = int(class_of_genes(chain.cells, chain.ranks, chain.classes, np.array(genes)))
        if number < 0:
            solved += 1
        else:
            counted[number] += 1
    assert (counted > 0).all()
    assert counted.sum() + solved == genotype_count(chain.shape)
    for segment in chain.segments:
        inactive = np.array([node for node in range(2) if not segment.active >> node & 1], dtype=np.int64)
        tokens = np.zeros((segment.ways, inactive.size), dtype=np.uint8)
        after = np.zeros(segment.ways, dtype=np.uint8)
        sequences(
            chain.cells, inactive, np.zeros_like(inactive), segment.division, segment.ways, tokens, after
        )
        genotypes = genotypes_of(chain.cells, tokens, after)
        known = (genotypes[None, :] * 2 ** segment.doubled[:, None]).reshape(-1)
        assert known.tolist() == counted[segment.classes].tolist()


COIN = {"ties": "coin", "uncounted": 1, "sam_ends": "picked", "starts": 2}
CASES = [
    ("and:2", 1, {}),
    ("and:2", 3, {"selection": "strict"}),
    ("and:3", 2, {}),
    ("and:3", 3, {"options": COIN}),
    ("and:3", 3, {"options": {"sam_ends": "picked"}, "selection": "strict"}),
    ("and:4", 3, {"selection": "strict"}),
    ("and:4", 4, {}),
    ("or:3", 3, {}),
    ("and:5", 4, {}),
    ("and:5", 4, {"selection": "strict"}),
]


@pytest.mark.parametrize(("name", "nodes", "options"), CASES)
def test_the_same_as_the_other_solver(name, nodes, options):
    known = exact(name, nodes=nodes, **options).result.record()
    ranked = ranked_result(search_for(name, nodes=nodes, **options)).record()
    assert ranked.keys() == known.keys()
    for key, value in known.items():
        assert ranked[key] == (pytest.approx(value, rel=1e-11) if isinstance(value, float) else value)


@pytest.mark.parametrize(("name", "nodes", "options"), [CASES[2], CASES[3], ("and:2", 3, {})])
def test_every_program(name, nodes, options):
    """Each genotype against the unlumped chain; and classes are exactly those of the lumped one."""
    search = search_for(name, nodes=nodes, **options)
    full, lumped = (exact(name, nodes=nodes, lump=lump, **options) for lump in (False, True))
    chain = chain_of(search)
    moments = moments_of(chain)
    uncounted = options.get("options", {}).get("uncounted", 0)
    shape = full.chain.shape
    same = {}
    sizes = Counter()
    for genes in product(*(valid_values(shape, gene) for gene in range(shape.length))):
        program = np.array(genes, dtype=np.int64)
        number = ranked_class(chain, program)
        other = class_of_program(lumped.chain, program)
        if other is None:
            assert number == -1
            continue
        sizes[number] += 1
        assert same.setdefault(number, other) == other
        if sum(genes) % 7 == 0:
            assert moments.mean[number] - uncounted == pytest.approx(full.expected_from(genes), rel=1e-10)
    assert len(same) == len(set(same.values())) == chain.count == lumped.chain.classes
    assert sum(total for total, _, _ in moments.totals) == sum(sizes.values())


def ranked_class(chain, genes):
    """The number of a program's class; -1 if it is solved."""
    return int(class_of_genes(chain.cells, chain.ranks, chain.classes, genes))


def test_pieces_and_short_vectors_change_nothing(monkeypatch):
    search = search_for("and:4", nodes=4)
    known = ranked_result(search)
    monkeypatch.setattr(ranked_search, "AT_ONCE", 999)
    monkeypatch.setattr(ranked_search, "BASIS_BYTES", 400_000)
    said = []
    result = ranked_result(search, on_progress=lambda share, words: said.append((share, words)))
    assert result.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-11)
    assert result.std_iterations == pytest.approx(known.std_iterations, rel=1e-11)
    assert {words.rpartition(": ")[2] for _, words in said} == {"active parts", "moves", "mean", "deviation"}
    assert all(0 <= share <= 1 for share, _ in said)
    assert said[-1][0] == pytest.approx(1.0, abs=0.1)


def test_seven_inputs_are_more_rows_than_a_word_has():
    assert is_ranked(search_for("and:7", nodes=6))
    few = search_for("and:7", nodes=3)
    assert chain_of(few).levels == [2 ** (7 - used) - 1 for used in (4, 3, 2, 1)]
    with pytest.raises(MayNeverEnd):
        ranked_result(few)


def test_numbers_of_classes():
    # One node of six inputs reads {a, a} or {a, b}, and the output is the node, a, b or another input.
    assert ranked_classes(search_for("and:6", nodes=1).shape) == 6
    assert ranked_classes(search_for("and:6", nodes=5).shape) == 1_960_694
    assert chain_of(search_for("and:6", nodes=5)).count == 1_960_678


def test_what_is_not_ranked():
    others = [
        {"profile": "tinyverse"},
        {"gates": "and,or"},
        {"gates": "nimply"},
        {"offspring": 2},
        {"mutation": "point:1"},
        {"training": "sample:4"},
        {"options": {"uncounted": 2}},
        {"options": {"levels_back": 1}},
        {"options": {"rows": 2}},
    ]
    for options in others:
        assert not is_ranked(search_for("and:3", nodes=4, **options))
    assert not is_ranked(search_for("table:2:0x2", nodes=2, gates="and"))
    assert is_ranked(search_for("xor:3", nodes=4))


def test_an_estimate_is_of_the_right_size():
    for nodes in (3, 4, 5):
        search = search_for("and:5", nodes=nodes)
        assert 0.3 < about_classes(search) / ranked_classes(search.shape) < 3


def test_memory_is_asked_for_by_the_class():
    search = search_for("and:4", nodes=4)
    shape = search.shape
    strict, loose = (ranked_bytes(shape, ties=ties) for ties in (False, True))
    assert ranked_classes(shape) * STRICT_BYTES <= strict < loose
    check_ranked_size(search, memory=2 * loose)
    with pytest.raises(InputError, match="more than --memory"):
        check_ranked_size(search, memory=strict // 2)


def images(pairs, n):
    """All that exchanges of inputs make of a sequence of unordered pairs."""
    result = set()
    for order in permutations(range(n)):
        moved = [tuple(sorted(order[s] if s < n else s for s in pair)) for pair in pairs]
        result.add(tuple((low, high) for low, high in moved))
    return result


@pytest.mark.parametrize(("n", "nodes"), [(2, 3), (3, 2), (4, 2)])
@pytest.mark.parametrize("stars", [0, 1])
def test_every_orbit_is_one_sequence_of_tokens(n, nodes, stars):
    cells = cells_of(n, nodes)

    def sequences(node, division):
        if node == nodes:
            return [()]
        longer = []
        for token in cells.tokens[stars, node, division, : cells.choices[stars, node, division]]:
            pair = int(cells.low[token]), int(cells.high[token])
            longer += [(pair, *rest) for rest in sequences(node + 1, int(cells.split[division, token]))]
        return longer

    every = [
        [*range(n + node), *([n + nodes] if stars else [])]  # what a node may read
        for node in range(nodes)
    ]
    pairs = [[(u, v) for u in sources for v in sources if u <= v] for sources in every]
    orbits = {min(images(program, n)) for program in product(*pairs)}
    named = [min(images(sequence, n)) for sequence in sequences(0, 0)]
    assert len(named) == len(orbits)
    assert set(named) == orbits


def test_divisions():
    cells = cells_of(5, 1)
    division = 0b0101  # {0} {1, 2} {3, 4}
    assert cells.start[division].tolist() == [0, 1, 1, 3, 3]
    assert cells.size[division].tolist() == [1, 2, 2, 2, 2]
    start = cells.start[division].tolist()
    both = token_of(start, 5, 2, 1)
    assert (cells.low[both], cells.high[both]) == (1, 2)
    assert cells.split[division, both] == division  # both inputs of a cell leave nothing behind
    other = token_of(start, 5, 4, 2)
    assert (cells.low[other], cells.high[other]) == (1, 3)
    assert cells.split[division, other] == 0b1111
    assert cells.split[division, token_of(start, 5, 3, 3)] == 0b1101
    assert np.count_nonzero(cells.split[division] >= 0) < cells.split.shape[1]


def allowed(n, division):
    """The exchanges of inputs within the cells of a division."""
    start = cells_of(n, 1).start[division]
    return [order for order in permutations(range(n)) if all(start[order[i]] == start[i] for i in range(n))]


@pytest.mark.parametrize("division", [0b000, 0b001, 0b010, 0b111])
@pytest.mark.parametrize("inactive", [(1,), (0, 1), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("alone", [10, 10**9])
def test_against_the_whole_tensor(division, inactive, alone, monkeypatch):
    monkeypatch.setattr(mixing, "ALONE", alone)
    n, nodes, ending = 4, 3, 5
    shape = search_for("and:4", nodes=nodes).shape
    cells = cells_of(n, nodes)
    axes = [axes_of(shape)[node] for node in inactive]
    stages = stages_of(cells, inactive, division, ending)
    ways = int(stages.sizes[0])
    tokens = np.zeros((ways, len(inactive)), dtype=np.uint8)
    after = np.zeros(ways, dtype=np.uint8)
    order = np.array(inactive, dtype=np.int64)
    sequences(cells, order, np.zeros_like(order), division, ways, tokens, after)
    values = np.random.default_rng(1).random((2, ways))
    tensor = np.full([2, *(len(axis) for axis in axes)], np.nan)
    examples = []
    for row in range(ways):
        pairs = [(int(cells.low[token]), int(cells.high[token])) for token in tokens[row]]
        for exchange in allowed(n, division):
            full = (*exchange, *range(n, n + nodes))
            index = tuple(
                int(axis.lookup[0, full[u], full[v]]) for axis, (u, v) in zip(axes, pairs, strict=True)
            )
            if not np.isnan(tensor[(0, *index)]):
                assert (tensor[(slice(None), *index)] == values[:, row]).all()
            tensor[(slice(None), *index)] = values[:, row]
        identity = tuple(int(axis.lookup[0, u, v]) for axis, (u, v) in zip(axes, pairs, strict=True))
        examples.append(identity)
    assert not np.isnan(tensor).any()
    whole = mixed(np.moveaxis(tensor, 0, -1).copy(), axes, ending)
    mix_blocks(locals_of(cells), stages, values, np.empty(scratch_size(stages)))
    for row, index in enumerate(examples):
        assert values[:, row] == pytest.approx(whole[index], rel=1e-12)


def test_chances_are_those_of_an_exponential_time():
    """By quadrature: two nodes of 3 and 4 values, the time of rate 2."""
    chances = mixing._chances(3, (0, 1), 2)
    time, weight = np.polynomial.laguerre.laggauss(60)
    time, weight = time / 2, weight
    lost = [1 - np.exp(-kappa * time) for kappa in (3 / 2, 4 / 3)]
    for pattern, chance in enumerate(chances):
        first, second = divmod(pattern, 3)
        product = np.ones_like(time)
        for chance_lost, stars in zip(lost, (first, second), strict=True):
            product *= chance_lost**stars * (1 - chance_lost) ** (2 - stars)
        assert chance == pytest.approx(float(weight @ product), rel=1e-7)
    ways = [2 ** (pattern // 3 == 1) * 2 ** (pattern % 3 == 1) for pattern in range(9)]
    assert chances @ ways == pytest.approx(1.0, rel=1e-14)
