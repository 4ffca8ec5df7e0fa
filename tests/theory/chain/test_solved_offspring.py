"""Programs that fit a sampled set: levels and generalisation ability, against all programs."""

from __future__ import annotations

import numpy as np
import pytest
from all_programs import mismatches, programs_of

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import active_genes
from gatewalk.search.sampling import training_of_run
from gatewalk.search.settings import settings
from gatewalk.theory.chain.program_lookup import programs_of_segment
from gatewalk.theory.chain.sam_search import solved
from gatewalk.theory.chain.solved_offspring import ability_at_start, block_levels, solved_moves

SEARCH = settings("and:3", nodes=2, training="sample:4")


def level(genes: list[int]) -> int:
    """How many inputs the output is connected to."""
    reached, wanted = set(), [genes[6]]
    while wanted:
        source = wanted.pop()
        reached.add(source)
        if source >= 3:
            wanted += genes[3 * (source - 3) + 1 : 3 * (source - 3) + 3]
    return len(reached & {0, 1, 2})


@pytest.mark.parametrize("run", [0, 1, 2])
def test_uniform_programs_that_fit_the_set(run: int) -> None:
    training, table = training_of_run(SEARCH, seed=5, run=run), complete(target("and:3"))
    chain = solved(SEARCH, training=training).chain
    abilities = [
        1 - mismatches(chain.shape, "and:3", genes) / 8
        for genes in programs_of(chain.shape)
        if mismatches(chain.shape, "and:3", genes, training) == 0
    ]
    assert ability_at_start(chain, table) == pytest.approx(np.mean(abilities), rel=1e-12)


def test_solved_moves_of_every_class() -> None:
    training, table = training_of_run(SEARCH, seed=5, run=0), complete(target("and:3"))
    chain = solved(SEARCH, training=training).chain
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
