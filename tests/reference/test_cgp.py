"""The literal twin: its own small certainties; and the kernels walk exactly as it does."""

import random
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats
from walks import check_same_point

from gatewalk.boolean.gates import gate_set
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.options import search_for
from gatewalk.search.session import advance, begin

ITERATIONS = 30
LEAST_P = 1e-7
TARGETS = [
    "and:2",
    "and:3",
    "and:4",
    "xor:2",
    "xor:3",
    "or:3",
    "maj:3",
    "nand:2",
    "xnor:3",
    "epar:3",
    "sum:1",
    "mul:2",
]
GATE_SETS = [
    None,
    "and,or",
    "and,or,nand,nor",
    "nand",
    "xor,and,not",
    "mux,not",
    "maj,not,const1",
    "and3,xor,buf",
    "nimply,imply,xor3,const0",
]
MUTATIONS = ["sam", "sam", "sam", "point:1", "point:3", "rate:0.2", "rate:1"]


def random_search(number):
    """Search number `number` of an endless varied list."""
    draw = random.Random(number)
    options = {}
    if draw.random() < 0.5:
        options["sam_ends"] = draw.choice(["changed", "picked"])
        options["ties"] = draw.choice(["accept", "coin"])
        options["starts"] = draw.choice([1, 2, 3])
        options["levels_back"] = draw.choice([None, 1, 2, 3, "nodes"])
        options["levels_over"] = draw.choice(["sources", "columns"])
    rows = draw.choice([1, 1, 2, 3])
    options["rows"] = rows
    gates = draw.choice(GATE_SETS)
    target = draw.choice(TARGETS)
    return search_for(
        target,
        nodes=rows * draw.randint(1, 5),
        gates=gates,
        selection=draw.choice(["nonstrict", "strict"]),
        profile=draw.choice(["paper", "tinyverse"]),
        options=options,
        mutation=draw.choice(MUTATIONS),
        training=draw.choice(["complete", "complete", "sample", "sample:70"]),
        offspring=draw.choice([1, 1, 1, 2, 4]),
    )


@pytest.mark.parametrize("block", range(10))
def test_same_genotype_after_every_iteration(block):
    for number in range(block * 30, block * 30 + 30):
        search = random_search(number)
        fast = begin(search, seed=number, run=3)
        slow = begin(replace(search, evaluation="reference"), seed=number, run=3)
        assert fast.current.evaluation != slow.current.evaluation == "reference"
        for _ in range(ITERATIONS):
            check_same_point(fast, slow)
            assert fast.finished == slow.finished, search
            if fast.finished:
                break
            advance(fast, 1)
            advance(slow, 1)
        check_same_point(fast, slow)


def test_the_list_of_searches_is_varied():
    searches = [random_search(number) for number in range(300)]
    assert {str(search.mutation) for search in searches} == set(MUTATIONS)
    assert {search.profile for search in searches} == {"paper", "tinyverse"}
    assert {search.target.name for search in searches} == set(TARGETS)
    assert {str(search.training) for search in searches} == {"complete", "sample", "sample:70"}
    assert {(search.offspring, search.strict) for search in searches} >= {*product((2, 4), (True, False))}


class Script(Stream):
    """A stream whose bounded integers are given; `asked` are their bounds."""

    def __init__(self, answers):
        super().__init__([1, 2, 3, 4])
        self.answers, self.asked = list(answers), []

    def pick(self, bound):
        self.asked.append(bound)
        return self.answers.pop(0), 0

    def below_from(self, spare, bound):
        return self.below(bound)


def rules(gates="and,or", **options):
    """Programs of n = 2 and three nodes, unless other options are given."""
    rows = [((0, 0), (0,)), ((0, 1), (1,)), ((1, 0), (1,)), ((1, 1), (0,))]
    functions = gate_set(gates).gates
    plain = {"Nin": 2, "Nout": 1, "Nfunc": 3, "functions": functions, "k": 2, "training": rows}
    return twin.Rules(**{**plain, **options})


@pytest.mark.parametrize(
    ("options", "third"),
    [
        ({}, [0, 1, 2, 3]),
        ({"levels_back": 1}, [0, 1, 3]),
        ({"levels_back": 1, "levels_over": "sources"}, [3]),
        ({"levels_back": 3, "levels_over": "sources"}, [1, 2, 3]),
        ({"rows": 3}, [0, 1]),
    ],
)
def test_valid_values(options, third):
    s = rules(**options)
    assert twin.valid(s, 6) == [0, 1]
    assert twin.valid(s, 7) == twin.valid(s, 8) == third
    assert twin.valid(s, 9) == [0, 1, 2, 3, 4]


# or(0, 1), and(0, 1), and(2, 3), of which all is active, or only the first node.
ALL, ONE = [1, 0, 1, 0, 0, 1, 0, 2, 3, 4], [1, 0, 1, 0, 0, 1, 0, 2, 3, 2]


def test_a_program_by_hand():
    s = rules()
    assert (twin.active_nodes(s, ALL), twin.active_nodes(s, ONE)) == ({2, 3, 4}, {2})
    assert [twin.outputs(s, ALL, row)[0] for row, _ in s.training] == [0, 0, 0, 1]
    assert [twin.outputs(s, ONE, row)[0] for row, _ in s.training] == [0, 1, 1, 1]
    assert (twin.fitness(s, ALL), twin.fitness(s, ONE)) == (3, 1)


def test_sam_by_hand():
    # Gene 7 (inactive): 2 -> last of 0, 1, 3; gene 3: and -> or; gene 9 (active): 2 -> last of 0, 1, 3, 4.
    stream = Script([7, 2, 3, 0, 9, 3])
    assert twin.mutation_sam(rules(), ONE, stream) == (
        [1, 0, 1, 1, 0, 1, 0, 3, 3, 4],
        [(7, 3), (3, 1), (9, 4)],
    )
    assert stream.asked == [10, 3, 10, 1, 10, 4]


@pytest.mark.parametrize(("sam_ends", "steps"), [("changed", 2), ("picked", 1)])
def test_sam_ends_with_an_active_gene_that_has_changed_or_was_picked(sam_ends, steps):
    s = rules("or", sam_ends=sam_ends)  # gene 0, the gate of an active node, has no other value
    x = [0, *ONE[1:3], 0, *ONE[4:6], 0, *ONE[7:]]
    assert len(twin.mutation_sam(s, x, Script([0, 9, 0]))[1]) == steps


def test_a_gene_with_one_valid_value_takes_no_random_number_at_the_start():
    stream = Script([1, 0, 1, 2, 3, 3, 4])
    assert twin.random_program(rules("and"), stream) == [0, 1, 0, 0, 1, 2, 0, 3, 3, 4]
    assert stream.asked == [2, 2, 3, 3, 4, 4, 5]


GENERATIONS = [
    # Worse offspring are no candidates and draw nothing.
    ({}, 4, [5, 6, 7], [], (4, 0)),
    ({}, 4, [3, 4, 5], [], (3, 1)),
    ({}, 4, [6, 3, 5, 3], [(2, 1)], (3, 2)),
    ({}, 4, [6, 3, 5, 3], [(2, 0)], (3, 4)),
    # Several as good as the parent: one of them, uniformly; the count begins again with a better one.
    ({}, 4, [5, 4], [], (4, 2)),
    ({}, 4, [4, 4, 4], [(2, 0), (3, 1)], (4, 2)),
    ({}, 4, [4, 4, 4], [(2, 1), (3, 0)], (4, 3)),
    ({}, 4, [4, 4, 3, 2, 2], [(2, 0), (2, 1)], (2, 4)),
    # With ties by a coin the parent is one of the equals.
    ({"ties": "coin"}, 4, [4, 5], [(2, 0)], (4, 0)),
    ({"ties": "coin"}, 4, [4, 5], [(2, 1)], (4, 1)),
    ({"ties": "coin"}, 4, [4, 4], [(2, 0), (3, 0)], (4, 0)),
    ({"ties": "coin"}, 4, [4, 4], [(2, 0), (3, 2)], (4, 2)),
    ({"ties": "coin"}, 4, [3, 3], [(2, 1)], (3, 1)),
    # Strict selection: an equal one is no candidate.
    ({"strict": True}, 4, [4, 4, 4], [], (4, 0)),
    ({"strict": True}, 4, [4, 3, 3], [(2, 0)], (3, 3)),
]


@pytest.mark.parametrize(("options", "parent", "offspring", "draws", "next_parent"), GENERATIONS)
def test_who_is_the_next_parent(monkeypatch, options, parent, offspring, draws, next_parent):
    """Programs are [fitness, number]: 0 the parent, 1 the first offspring. draws: (bound, answer)."""
    programs = ([fitness, number + 1] for number, fitness in enumerate(offspring))
    monkeypatch.setattr(twin, "fitness", lambda s, x: x[0])
    monkeypatch.setitem(twin.MUTATIONS, "sam", lambda s, x, stream: (next(programs), [(0, 0)]))
    stream = Script([answer for _, answer in draws])
    step = twin.Step([parent, 0], parent, 0, 0)
    twin.generation(rules(offspring=len(offspring), **options), step, stream, 100)
    assert tuple(step.x) == next_parent
    assert (step.fitness, step.iterations) == (next_parent[0], len(offspring))
    assert step.made == [twin.Offspring([(0, 0)], one) for one in offspring]
    assert step.chosen == (next_parent[1] - 1 if next_parent[1] else None)
    assert stream.asked == [bound for bound, _ in draws]


@pytest.mark.parametrize(("limit", "offspring", "made"), [(2, [5, 5, 0], 2), (9, [5, 0, 0], 2)])
def test_a_generation_ends_with_success_or_the_budget(monkeypatch, limit, offspring, made):
    programs = iter(offspring)
    monkeypatch.setattr(twin, "fitness", lambda s, x: x[0])
    monkeypatch.setitem(twin.MUTATIONS, "sam", lambda s, x, stream: ([next(programs)], [(0, 0)]))
    step = twin.Step([4], 4, 0, 0)
    twin.generation(rules(offspring=3), step, Script([]), limit)
    assert step.iterations == made
    assert step.fitness == min(4, *offspring[:made])


def test_thresholds_by_hand():
    assert twin.thresholds(0.5) == [2**64 - 2 ** (63 - k) for k in range(64)]
    assert twin.thresholds(1.0) == [2**64 - 1]
    assert twin.thresholds(0.25)[:3] == [2**62, 7 * 2**60, 37 * 2**58]


@pytest.mark.parametrize("p", [0.001, 0.1, 0.37])
def test_thresholds_are_the_law_of_a_distance(p):
    found = np.array(twin.thresholds(p), dtype=float) / 2**64
    np.testing.assert_allclose(found, -np.expm1(np.arange(1, len(found) + 1) * np.log1p(-p)), rtol=1e-12)
    assert len(found) == 4096 or found[-1] > 1 - 2.0**-53
    assert all(low < high for low, high in pairwise(twin.thresholds(p)))


def changed_genes(p, nodes, count):
    """The genes of a program, all with other valid values, and which of them a rate changes, many times."""
    s = rules(Nfunc=nodes, mutation="rate", strength=p)
    x, stream, found = [0] * s.genes, Stream([5, 6, 7, 8]), []
    for _ in range(count):
        y, picks = twin.mutation_rate(s, x, stream)
        found.append([i for i in range(s.genes) if y[i] != x[i]])
        assert picks == [(i, y[i]) for i in found[-1]]
    return s.genes, found


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_distances_between_changed_genes(p):
    """Of k unchanged genes: p (1-p)^k. False alarms: chi-square at 1e-7."""
    most = 20 if p < 0.5 else 8
    genes, found = changed_genes(p, 400, 60)
    distances = []
    for changed in found:
        ends = [*changed, genes + most]
        for here, there in pairwise([-1, *ends]):
            if here + 1 + most < genes:  # the distance is not cut off by the last gene
                distances.append(min(there - here - 1, most))
    law = [*(p * (1 - p) ** k for k in range(most)), (1 - p) ** most]
    assert len(distances) > 5000
    counts = np.bincount(distances, minlength=most + 1)
    assert stats.chisquare(counts, np.array(law) * len(distances)).pvalue > LEAST_P


def test_a_distance_beyond_the_last_threshold_goes_on():
    """The first changed gene of more than 4096, by thousands; the last place: none is changed."""
    p = 0.0003
    genes, found = changed_genes(p, 2400, 2000)
    edges = np.array([*range(0, 7000, 1000), genes])
    first = [changed[0] if changed else genes for changed in found]
    counts = [*np.histogram(first, [*edges[:-1], genes - 0.5])[0], first.count(genes)]
    law = [*-np.diff((1 - p) ** edges), (1 - p) ** genes]
    assert stats.chisquare(counts, np.array(law) * len(found)).pvalue > LEAST_P
