"""From programs to classes and back."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.theory.chain.program_lookup import class_of_program, program_of_class, programs_of_segment
from gatewalk.theory.chain.sam_search import exact


@pytest.mark.parametrize("lump", [True, False])
@pytest.mark.parametrize(
    ("name", "options"), [("and:3", {}), ("xor:2", {"gates": "xor,and"}), ("add:1", {"gates": "xor,and"})]
)
def test_a_program_of_a_class_is_in_it(name: str, options: dict[str, Any], lump: bool) -> None:
    chain = exact(name, nodes=2, lump=lump, **options).chain
    for segment in chain.segments:
        for number, genes in enumerate(programs_of_segment(chain, segment), segment.classes.start):
            assert class_of_program(chain, genes) == number
            assert program_of_class(chain, number).tolist() == genes.tolist()
            assert mismatches(chain.shape, name, tuple(genes.tolist())) == chain.levels[segment.level]


def test_exchanged_programs_have_one_class_and_solved_ones_none() -> None:
    chain = exact("and:3", nodes=2).chain
    for genes in programs_of(chain.shape)[::5]:
        found = class_of_program(chain, np.array(genes))
        assert (found is None) == (mismatches(chain.shape, "and:3", genes) == 0)
        for order in permutations(range(3)):
            for swaps in range(4):
                other = exchanged(chain.shape, genes, order, swaps)
                assert class_of_program(chain, np.array(other)) == found
