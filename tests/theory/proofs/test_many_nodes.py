"""Theorem F, the steps that hold at every size: docs/theory/many-nodes.md.

The theorem itself is asymptotic: no size that can be simulated fulfils "n large enough". What can be checked
at small sizes is each inequality that its proof puts together.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations
from math import ceil, comb, exp, floor, log, log2, sqrt

import numpy as np
import pytest
from conjunction_programs import changed, connections, shape_of
from genotype_chain import chain_of as genotypes
from literal_cgp import active_nodes, random_program, used_inputs

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER
from gatewalk.cgp.genotype import shape_for


def powers(n, delta):
    """V_0, ..., V_Q: 5n 2^q, the largest at most n^(1 + 3 delta/8)."""
    found = [5 * n]
    while 2 * found[-1] <= n ** (1 + 3 * delta / 8):
        found.append(2 * found[-1])
    return found


def redundant(n, program):
    """The active connections of nodes whose source is read by another one, as (gene, reader)."""
    known = connections(n, program)
    often = Counter(source for _, _, source in known)
    return [(gene, reader) for gene, reader, source in known if often[source] > 1]


@pytest.mark.parametrize(("n", "nodes"), [(3, 200), (5, 1000), (8, 3000)])
def test_redundancy_is_useful(n, nodes):
    """F2: redundant connections, and what redirecting one to an unused input does."""
    rng, seen = random.Random(n), 0
    for _ in range(120):
        program = random_program(n, nodes, rng)
        level, _, _ = shape_of(n, program)
        spare = redundant(n, program)
        assert all(reader < n + nodes for _, reader in spare)  # nothing else reads the root
        active = active_nodes(n, program)
        limits = [value for q in range(9) if (value := 5 * n * 2**q) <= n + nodes]
        counts = {value: sum(n + node < value for node in active) for value in limits}
        for value, gates in counts.items():
            assert sum(reader < value for _, reader in spare) >= gates - n + 1 or gates == 0
        for steps in range(1, len(limits) + 1):  # Q + 1; the step holds for every Q
            if counts[limits[steps - 1]] < 0.28 * limits[steps - 1]:
                break
            seen += 1
            assert sum(1 / (reader - 1) for _, reader in spare) >= 0.14 * steps - 0.2
        unused = set(range(n)) - used_inputs(n, program)
        for gene, _ in rng.sample(spare, min(4, len(spare))):
            for value in sorted(unused)[:2]:
                assert shape_of(n, changed(program, gene, value))[0] == level + 1
    assert seen > 20


def test_the_parameters():
    """kappa >= 0.07 delta ln n once ln n >= 92/delta, and s* <= 29/delta."""
    for delta in (0.05, 0.25, 0.5, 0.9, 0.999):
        for log_n in (92 / delta, 100 / delta, 1e3 / delta, 1e5 / delta):
            steps = floor((3 * delta / 8 * log_n - log(5)) / log(2)) + 1  # Q + 1
            kappa = 0.14 * steps - 0.2
            assert steps >= 1
            assert kappa >= 0.07 * delta * log_n
            assert 2 * log_n / kappa <= 29 / delta
    assert powers(10**6, 0.9)[0] == 5 * 10**6


@pytest.mark.parametrize("n", [20, 100, 1000])
def test_uniform_throws(n):
    """F3: the constants of (a), (b) and (c)."""
    for q in range(12):
        limit = 5 * n * 2**q
        throws = ceil(limit / 2)
        hit = (limit - n) * (1 - (1 - 1 / limit) ** throws)
        assert hit >= 0.314 * limit
        assert 2 * (0.034 * limit) ** 2 / throws >= 0.0045 * limit >= n / 50
        reads = floor(limit / 2) * n / limit + 2 * n * sum(1 / v for v in range(n, min(limit, 10**5)))
        harmonic = log(limit / n)
        if limit <= 10**5:
            assert reads <= n * (2 * harmonic + 0.5) + 2
        most = n * (2 * harmonic + 1.1)
        rest = most - n * (2 * harmonic + 0.5) - 2
        variance = n * (2 * harmonic + 0.5) + 2
        assert rest**2 / (2 * (variance + rest / 3)) >= n / (8 * (2 * harmonic + 1))
        assert exp(-(most + 1) / n) >= 0.3 * (n / limit) ** 2


@pytest.mark.parametrize(("n", "throws"), [(3, 4), (5, 9), (8, 12)])
def test_throws_and_their_poisson_number(n, throws):
    """F3 (c): the chance that few boxes stay empty is at most twice that of Poisson(R + 1) throws."""
    law = np.zeros(n + 1)
    law[n] = 1.0
    empty = np.arange(n + 1)
    for _ in range(throws):
        moved = law * empty / n
        law = law - moved
        law[:-1] += moved[1:]
    q = exp(-(throws + 1) / n)
    for few in range(n):
        poisson = sum(comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(few + 1))
        assert law[: few + 1].sum() <= 2 * poisson


@cache
def small_chain(strict):
    shape = shape_for(inputs=3, outputs=1, nodes=2, gates=gate_set("and"), law=PAPER)
    return genotypes(shape, PAPER, strict=strict)


@pytest.mark.parametrize("least", [4, 20, 60])
def test_strict_selection_rarely_meets_a_small_set(least):
    """F4: P(some parent up to t is in O) <= sum over k of C(t, k) times sum over O of a / programs.

    On all programs of three inputs and two nodes; O is a random set of programs.
    """
    chain = small_chain(True)
    size = len(chain.genotypes)
    weight = np.array(
        [
            sum(on for gene, on in enumerate(chain.active(x)) if gene % 3 or gene == len(x) - 1)
            for x in chain.genotypes
        ]
    )
    chosen = np.random.default_rng(least).choice(size, least, replace=False)
    stays = chain.moves.copy()
    stays[chosen] = 0
    stays[chosen, chosen] = 1.0
    law = np.full(size, 1 / size)
    changes = 2  # the level rises twice at most
    for t in range(1, 30):
        law = law @ stays
        bound = sum(comb(t, k) for k in range(changes + 1)) * weight[chosen].sum() / size
        assert law[chosen].sum() <= bound + 1e-12


def test_sam_without_selection_is_stationary_for_the_active_connections():
    """F4 and enclosure.md: sum over x of a(x) K(x, y) = a(y), also with moves below a level refused."""
    chain = small_chain(True)
    rows = np.array([chain.offspring_row(x) for x in chain.genotypes])
    weight = np.array(
        [
            sum(on for gene, on in enumerate(chain.active(x)) if gene % 3 or gene == len(x) - 1)
            for x in chain.genotypes
        ],
        dtype=float,
    )
    np.testing.assert_allclose(weight @ rows, weight, atol=1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("first", [20, 200])
def test_the_weight_of_an_exploration(epsilon, first):
    """F6: the recursion Theta(v) = theta(v) + (b/v) sum of Theta below v, against its bound."""
    for tau in (0.0, epsilon / 8, epsilon / 4):
        total, b = 0.0, 2 * (1 + tau)
        factor = 1 / epsilon if tau == 0 else 2 / epsilon
        for v in range(1, 60 * first):
            if v > first:
                weight = (v / first) ** (1 + epsilon)
                assert total <= factor * weight * v * (1 + 1e-12)
            weight = (v / first) ** (1 + epsilon) if v >= first else 0.0
            total += weight + b / v * total


@pytest.mark.parametrize(("n", "delta"), [(6, 0.5), (10, 0.5), (14, 0.4)])
def test_few_nodes_are_active(n, delta):
    """F6 at the start: the mean of sum theta over active nodes is at most (1/eps)(N/V)^(1+eps).

    A mean of 400 programs, below the bound by more than six standard errors.
    """
    nodes = ceil(n ** (2 + delta))
    sources, epsilon = n + nodes, 1 / sqrt(log(n + nodes))
    first, rng, found = ceil(sqrt(sources)), random.Random(n), []
    for _ in range(400):
        active = active_nodes(n, random_program(n, nodes, rng))
        found.append(sum(((n + node) / first) ** (1 + epsilon) for node in active if n + node >= first))
    bound = (sources / first) ** (1 + epsilon) / epsilon
    assert np.mean(found) + 6 * np.std(found) / 20 < bound


def test_the_clock():
    """F5: 1 - x <= e^-x makes r e^(kappa s) a supermartingale, and t* <= 1 + s* max a."""
    for kappa in (0.1, 1.0, 5.0):
        for a in (7, 41):
            assert kappa / a > 1 or (1 - kappa / a) * exp(kappa / a) <= 1
    assert log2(8) == 3
    for picks in combinations((5, 9, 31), 2):
        clock, steps = 0.0, 0
        while clock < 2.5:
            clock += 1 / picks[steps % 2]
            steps += 1
        assert steps <= 1 + 2.5 * max(picks)
