"""Exact chains on incomplete training sets: against all genotypes one by one, the complete set and runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import inf, isnan

import numpy as np
import pytest
from all_programs import mismatches, programs_of
from genotype_chain import Chain

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import active_genes, valid_values
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.seeds import training_of_run
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.chain import build_chain, programs_of_segment
from gatewalk.theory.chain.sam.sampled_sets import (
    ability_at_start,
    block_levels,
    exact_on,
    exact_sets,
    solved_moves,
)


@dataclass(frozen=True)
class SampledChain(Chain):
    """All genotypes, evaluated on given rows; nothing of it is shared with the code under test."""

    rows: tuple[tuple[int, ...], ...] = ()

    def output(self, genes, row):
        values = list(row)
        for node in range(self.nodes):
            a, b = values[genes[3 * node + 1]], values[genes[3 * node + 2]]
            values.append(a & b if self.gate == "and" else a ^ b)
        return values[genes[-1]]

    def right_output(self, row):
        return min(row) if self.gate == "and" else sum(row) % 2

    def fitness(self, genes):
        return sum(self.output(genes, row) != self.right_output(row) for row in self.rows)

    def ability(self, genes):
        table = list(product((0, 1), repeat=self.n))
        return sum(self.output(genes, row) == self.right_output(row) for row in table) / len(table)

    def level(self, genes):
        active = self.active(genes)
        reads = {value for gene, value in enumerate(genes) if active[gene] and gene % 3} | {genes[-1]}
        return len({source for source in reads if source < self.n})


def chain_on(search, training):
    shape, law = search.shape, search.law
    values = tuple(tuple(valid_values(shape, gene)) for gene in range(shape.length))
    rows = tuple(tuple(int(bit) for bit in row) for row in unpack(training.inputs, training.rows).T)
    gate = str(search.gates)
    return SampledChain(
        search.n, shape.nodes, gate, values, search.strict, "changed", law.ties, 1, 0, rows=rows
    )


def drop_chance(chain):
    """From a uniform start, by a linear system over all genotypes."""
    level = np.array([chain.level(genes) for genes in chain.genotypes])
    unsolved = chain.all_fitness > 0
    drops = (level[None, :] < level[:, None]) & unsolved[:, None]
    now = (chain.moves * drops).sum(axis=1)
    calm = np.where(drops, 0.0, chain.moves) * unsolved[None, :]
    inside = np.flatnonzero(unsolved & (1 - np.diag(calm) > 1e-13))
    system = np.eye(inside.size) - calm[np.ix_(inside, inside)]
    return float(np.linalg.solve(system, now[inside]).sum() / len(chain.genotypes))


def mean_ability(chain):
    """Of the program found from a uniform start, if one is surely found."""
    ability = np.array([chain.ability(genes) for genes in chain.genotypes])
    solved = chain.all_fitness == 0
    inside = np.flatnonzero(~solved)
    now = chain.moves[np.ix_(inside, np.flatnonzero(solved))] @ ability[solved]
    later = np.linalg.solve(np.eye(inside.size) - chain.moves[np.ix_(inside, inside)], now)
    return float((later.sum() + ability[solved].sum()) / solved.size)


@pytest.mark.parametrize(
    ("name", "nodes", "rows", "options"),
    [
        ("and:3", 2, 4, {}),
        ("and:3", 2, 6, {}),
        ("and:3", 2, 5, {"options": {"ties": "coin"}}),
        ("xor:3", 2, 3, {}),
        ("and:2", 2, 3, {}),
    ],
)
def test_all_genotypes_one_by_one(name, nodes, rows, options):
    search = search_for(name, nodes=nodes, training=f"sample:{rows}", **options)
    for run in range(2):
        training = training_of_run(search, seed=5, run=run)
        assert training is not None
        on_set, chain = exact_on(search, training), chain_on(search, training)
        assert on_set.result.expected_iterations == pytest.approx(chain.expected_iterations, rel=1e-9)
        assert on_set.p_level_drops == pytest.approx(drop_chance(chain), rel=1e-9, abs=1e-12)
        assert on_set.generalisation == pytest.approx(mean_ability(chain), rel=1e-9)


def test_strict_selection_may_be_stuck_and_drops_are_counted_until_then():
    search = search_for("xor:3", nodes=2, training="sample:3", selection="strict")
    stuck = 0
    for run in range(3):
        training = training_of_run(search, seed=2, run=run)
        assert training is not None
        on_set, chain = exact_on(search, training), chain_on(search, training)
        assert on_set.result.expected_iterations == pytest.approx(chain.expected_iterations, rel=1e-9)
        assert on_set.p_level_drops == pytest.approx(drop_chance(chain), rel=1e-9, abs=1e-12)
        stuck += on_set.result.expected_iterations == inf
    assert stuck > 0


@pytest.mark.parametrize("options", [{}, {"selection": "strict"}, {"offspring": 3}])
def test_complete_set_given_row_by_row(options):
    """All rows are a sample too: the same time, no drop, and nothing but the target is found."""
    search = search_for("and:3", nodes=3, training="sample:8", **options)
    on_set = exact_on(search, replace(complete(search.target), kind="sample"))
    known = exact("and:3", nodes=3, **options)
    assert on_set.symmetries == 6
    assert on_set.result.classes == known.classes
    assert on_set.result.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    assert on_set.p_level_drops == pytest.approx(0, abs=1e-12)
    assert on_set.generalisation == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"offspring": 2, "options": {"ties": "coin"}}, {"gates": "and,or"}])
def test_lumped_equals_full(options):
    search = search_for("and:3", nodes=2, training="sample:4", **options)
    few, many = (exact_sets(search, sets=3, seed=1, lump=lump) for lump in (True, False))
    for lumped, full in zip(few.sets, many.sets, strict=True):
        assert lumped.result.classes < full.result.classes
        for key, value in full.record().items():
            if key not in ("classes", "symmetries"):
                assert lumped.record()[key] == pytest.approx(value, rel=1e-9, abs=1e-12), key


def test_sets_are_those_of_runs():
    """T - E[T | set of the run], summed over 60 runs: six deviations are passed once in 10^8 times."""
    search = search_for("and:3", nodes=2, training="sample:5")
    results = exact_sets(search, sets=60, seed=3)
    iterations = run_many(search, seed=3, runs=range(60)).iterations
    expected = np.array([on_set.result.expected_iterations for on_set in results.sets])
    deviation = np.sqrt(sum(on_set.result.std_iterations**2 for on_set in results.sets))
    assert abs((iterations - expected).sum()) < 6 * deviation
    assert all(iterations[expected == 0] == 0)
    assert results.expected_iterations == pytest.approx(expected.mean())
    record = results.record()
    assert record["sets"] == 60
    assert record["expected_iterations_error"] == pytest.approx(expected.std(ddof=1) / 60**0.5)
    assert 0 < record["p_level_drops"] < 1
    assert 0.5 < record["generalisation"] < 1


def test_means_over_sets_with_one_that_may_never_end():
    search = search_for("xor:3", nodes=2, training="sample:3", selection="strict")
    told = []
    results = exact_sets(search, sets=6, seed=2, on_done=lambda on_set: told.append(on_set.number))
    assert told == list(range(6))
    assert results.record()["expected_iterations"] == "inf"
    assert results.record()["std_iterations"] == "inf"
    assert isnan(results.mean("expected_iterations")[1])
    assert 0 < results.record()["p_never"] < 1


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("and:3", {"training": "sample:65"}, "64 rows"),
        ("and:3", {}, "--training sample"),
        ("and:3", {"training": "sample", "mutation": "point:2"}, "sam"),
        ("and:7", {"training": "sample"}, "up to 6 inputs"),
    ],
)
def test_refused(name, options, words):
    with pytest.raises(InputError, match=words):
        exact_sets(search_for(name, nodes=7, **options))


SEARCH = search_for("and:3", nodes=2, training="sample:4")


def level(genes):
    """How many inputs the output is connected to."""
    reached, ahead = set(), [genes[6]]
    while ahead:
        source = ahead.pop()
        reached.add(source)
        if source >= 3:
            ahead += genes[3 * (source - 3) + 1 : 3 * (source - 3) + 3]
    return len(reached & {0, 1, 2})


@pytest.mark.parametrize("run", [0, 1, 2])
def test_uniform_programs_that_fit_the_set(run):
    training, table = training_of_run(SEARCH, seed=5, run=run), complete(family_target("and:3"))
    chain = build_chain(SEARCH, training=training)
    abilities = [
        1 - mismatches(chain.shape, "and:3", genes) / 8
        for genes in programs_of(chain.shape)
        if mismatches(chain.shape, "and:3", genes, training) == 0
    ]
    assert ability_at_start(chain, table) == pytest.approx(np.mean(abilities), rel=1e-12)


def test_solved_moves_of_every_class():
    training, table = training_of_run(SEARCH, seed=5, run=0), complete(family_target("and:3"))
    chain = build_chain(SEARCH, training=training)
    for segment in chain.segments:
        levels = block_levels(chain, segment)
        ability, lower = solved_moves(chain, segment, table, levels)
        for row, program in enumerate(programs_of_segment(chain, segment)):
            genes = program.tolist()
            assert levels[row] == level(genes)
            marked = active_genes(chain.shape, program)
            # One gate: the genes that can change are the connections and the output.
            ending = [gene for gene in range(7) if marked[gene] and gene not in (0, 3)]
            right = dropped = 0.0
            for gene in ending:
                values = range(5) if gene == 6 else range(3 + gene // 3)
                for value in set(values) - {genes[gene]}:
                    changed = (*genes[:gene], value, *genes[gene + 1 :])
                    if mismatches(chain.shape, "and:3", changed, training) == 0:
                        chance = 1 / len(ending) / (len(values) - 1)
                        right += chance * (1 - mismatches(chain.shape, "and:3", changed) / 8)
                        dropped += chance * (level(list(changed)) < levels[row])
            assert ability[row] == pytest.approx(right, abs=1e-12)
            assert lower[row] == pytest.approx(dropped, abs=1e-12)
