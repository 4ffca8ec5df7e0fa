"""Operators as users write them, for tests that import them and tests that copy their file."""

import gatewalk as gw


@gw.mutation("sam-edges")
def sam_edges(program, random):
    """A docstring."""
    while True:
        gene = random.gene(program)  # a comment
        if program.is_function(gene):
            continue
        program.change(gene, random)
        if program.is_active(gene):
            return


@gw.selection("biased-ties")
def biased_ties(parent, offspring, random):
    return offspring < parent or (offspring == parent and random.chance(0.3))
