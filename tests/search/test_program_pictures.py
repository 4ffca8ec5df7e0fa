"""Pictures of whole programs: as many nodes as the search has, the inactive ones faded."""

import pytest

import gatewalk as gw
from gatewalk.circuit.picture import Disc
from gatewalk.errors import InputError
from gatewalk.search.program_pictures import program_genotype, program_schematic


def test_all_nodes_are_there_and_inactive_ones_are_faded():
    run = gw.evolve("and:4", nodes=8, seed=1)
    parts = [part for part in program_schematic(run).parts if part.title and part.title.startswith("g")]
    faded = [all(mark.faded for mark in part.marks) for part in parts]
    assert (len(parts), faded.count(False)) == (8, run.gates)
    discs = [mark for mark in program_genotype(run).marks() if isinstance(mark, Disc)]
    assert (len(discs), sum(not disc.faded for disc in discs)) == (8, run.gates)


def test_trees_have_no_inactive_nodes():
    run = gw.evolve("and:3", algorithm="tgp-single", seed=1)
    with pytest.raises(InputError, match=r"tgp-single has trees, .*draw run\.circuit"):
        program_schematic(run)
