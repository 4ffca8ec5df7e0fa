"""SAM's law and the chain of all genotypes by direct linear algebra, for tiny n and D and one gate.

With one gate a genotype is its connection genes and its output gene. Written from Algorithms 1-3
and `CgpLaw` alone: nothing here is shared with the code under test but the list of valid values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import inf

import numpy as np

from gatewalk.cgp.genotype import valid_values


@dataclass(frozen=True)
class Chain:
    """n inputs, D nodes of one gate; `values[g]` lists what gene g may be (function genes: [0])."""

    n: int
    nodes: int
    gate: str  # "and" or "xor"
    values: tuple[tuple[int, ...], ...]
    strict: bool
    sam_ends: str
    ties: str
    starts: int
    uncounted: int
    free: frozenset[tuple[int, ...]] = frozenset()  # rows that do not count

    @cached_property
    def genotypes(self):
        return list(product(*self.values))

    def active(self, genes):
        found, wanted = set(), [genes[-1]]
        while wanted:
            node = wanted.pop() - self.n
            if node >= 0 and node not in found:
                found.add(node)
                wanted += genes[3 * node + 1 : 3 * node + 3]
        return [gene // 3 in found for gene in range(3 * self.nodes)] + [True]

    def fitness(self, genes):
        wrong = 0
        for row in product((0, 1), repeat=self.n):
            values = list(row)
            for node in range(self.nodes):
                a, b = values[genes[3 * node + 1]], values[genes[3 * node + 2]]
                values.append(a & b if self.gate == "and" else a ^ b)
            wanted = min(row) if self.gate == "and" else sum(row) % 2
            wrong += row not in self.free and values[genes[-1]] != wanted
        return wrong

    def offspring(self, x):
        """The law of SAM's offspring of x."""
        G = len(x)
        active = self.active(x)
        walking = [g for g in range(G) if not active[g] and len(self.values[g]) > 1]
        places = list(product(*(self.values[g] for g in walking)))
        index = {place: i for i, place in enumerate(places)}
        visits = self._visits(tuple(walking), active)[index[tuple(x[g] for g in walking)]]
        law = {}
        for place, expected in zip(places, visits, strict=True):
            y = list(x)
            for g, value in zip(walking, place, strict=True):
                y[g] = value
            for g in range(G):
                if not active[g]:
                    continue
                others = [value for value in self.values[g] if value != x[g]]
                if not others and self.sam_ends == "picked":
                    law[tuple(y)] = law.get(tuple(y), 0.0) + expected / G
                for value in others:
                    z = (*y[:g], value, *y[g + 1 :])
                    law[z] = law.get(z, 0.0) + expected / G / len(others)
        return law

    def _visits(self, walking, active):
        """Expected visits of each setting of the walking genes, from each, before the loop ends."""
        cache = self.__dict__.setdefault("_visit_cache", {})
        key = (walking, tuple(active))
        if key not in cache:
            G = len(active)
            picked_active = self.sam_ends == "picked"
            idle = sum(len(self.values[g]) == 1 and not (active[g] and picked_active) for g in range(G))
            counts = [len(self.values[g]) for g in walking]
            step = np.eye(int(np.prod(counts, dtype=np.int64))) * idle
            for position, count in enumerate(counts):
                jump = (np.ones((count, count)) - np.eye(count)) / (count - 1)
                before, after = (
                    np.prod(counts[:position], dtype=int),
                    np.prod(counts[position + 1 :], dtype=int),
                )
                step += np.kron(np.kron(np.eye(before), jump), np.eye(after))
            cache[key] = np.linalg.inv(np.eye(len(step)) - step / G)
        return cache[key]

    @cached_property
    def all_fitness(self):
        """The fitness of every genotype; it depends on what the active genes say only."""
        known = {}
        fitness = []
        for genes in self.genotypes:
            shown = tuple(gene if on else -1 for gene, on in zip(genes, self.active(genes), strict=True))
            if shown not in known:
                known[shown] = self.fitness(genes)
            fitness.append(known[shown])
        return np.array(fitness)

    @cached_property
    def strides(self):
        """What one more in the place of a value adds to a genotype's number."""
        counts = [len(values) for values in self.values]
        return [int(np.prod(counts[gene + 1 :], dtype=np.int64)) for gene in range(len(counts))]

    def offspring_row(self, x):
        """`offspring` as a row over all genotypes, for whole chains: the same sums on arrays."""
        G = len(x)
        active = self.active(x)
        walking = [g for g in range(G) if not active[g] and len(self.values[g]) > 1]
        shape = [len(self.values[g]) for g in walking]
        at = np.ravel_multi_index([self.values[g].index(x[g]) for g in walking], shape) if walking else 0
        expected = self._visits(tuple(walking), active)[at] / G
        still = sum(self.values[g].index(x[g]) * self.strides[g] for g in range(G) if g not in walking)
        places = np.array([still])
        for g in walking:
            places = (places[:, None] + np.arange(len(self.values[g])) * self.strides[g]).ravel()
        row = np.zeros(len(self.genotypes))
        for g in (g for g in range(G) if active[g]):
            here = self.values[g].index(x[g])
            others = [i for i in range(len(self.values[g])) if i != here]
            if not others and self.sam_ends == "picked":
                row[places] += expected
            for i in others:
                row[places + (i - here) * self.strides[g]] += expected / len(others)
        return row

    @cached_property
    def moves(self):
        """The chain of parents; optimal programs stay."""
        fitness = self.all_fitness
        move = np.zeros((len(fitness), len(fitness)))
        for i, x in enumerate(self.genotypes):
            if fitness[i] == 0:
                move[i, i] = 1
                continue
            row = self.offspring_row(x)
            tie = 0.0 if self.strict else 1.0 if self.ties == "accept" else 0.5
            share = np.where(fitness < fitness[i], 1.0, np.where(fitness == fitness[i], tie, 0.0))
            move[i] = row * share
            move[i, i] += (row * (1 - share)).sum()
        np.testing.assert_allclose(move.sum(axis=1), 1, atol=1e-12)
        return move

    @cached_property
    def expected_from(self):
        """Expected offspring until the optimum, from every genotype; infinite where it may never come."""
        goal = self.all_fitness == 0
        expected = np.where(goal, 0.0, inf)
        inside = np.flatnonzero(self._reaching(self.moves, goal) & ~goal)
        system = np.eye(len(inside)) - self.moves[np.ix_(inside, inside)]
        expected[inside] = np.linalg.solve(system, np.ones(len(inside)))
        return expected

    @cached_property
    def expected_from_by_levels(self):
        """`expected_from` under strict selection, level by level: no system, so it can be larger."""
        fitness = self.all_fitness
        expected = np.where(fitness == 0, 0.0, inf)
        for level in np.unique(fitness[fitness > 0]):
            better = np.flatnonzero(fitness < level)
            for i in np.flatnonzero(fitness == level):
                row = self.offspring_row(self.genotypes[i])[better]
                expected[i] = (1 + row @ expected[better]) / row.sum() if row.sum() > 0 else inf
        return expected

    @staticmethod
    def _reaching(move, goal):
        """States from which the goal is reached with probability one."""
        can = goal.copy()
        while True:
            more = can | (move[:, can].sum(axis=1) > 0)
            if (more == can).all():
                break
            can = more
        doomed = ~can
        while True:
            more = doomed | ((move[:, doomed].sum(axis=1) > 0) & ~goal)
            if (more == doomed).all():
                return ~doomed
            doomed = more

    @cached_property
    def start_law(self):
        size = len(self.genotypes)
        if self.starts == 1:
            return np.full(size, 1 / size)
        fitness = self.all_fitness
        worse = (fitness[None, :] > fitness[:, None]).sum(axis=1)
        equal = (fitness[None, :] == fitness[:, None]).sum(axis=1)
        # The first is kept unless the second is fitter; a tie is the first's or, non-strict, a coin's:
        # either way each of two equally fit programs has the same chance.
        return (2 * worse + equal) / size**2

    @cached_property
    def expected_iterations(self):
        """Of a whole run, counted as the law counts."""
        started = self.start_law[self.expected_from == 0].sum()
        expected = float((self.start_law * self.expected_from)[self.start_law > 0].sum())
        return expected - self.uncounted * (1 - started)


def chain_of(shape, law, *, gate="and", strict=False, free=frozenset()):
    """The chain of a shape and a law, on all rows but those that are free."""
    values = tuple(tuple(valid_values(shape, gene)) for gene in range(shape.length))
    kinds = law.sam_ends, law.ties, law.starts, law.uncounted
    return Chain(shape.inputs, shape.nodes, gate, values, strict, *kinds, free)
