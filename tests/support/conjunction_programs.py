"""Programs of And gates as the proofs of docs/theory see them: trees, bridges, changes.

Programs are lists of genes as in `literal_cgp`; sources are numbered inputs first, and the output reads like
a node that comes after all others.
"""

from __future__ import annotations

from itertools import product

from literal_cgp import active_nodes, used_inputs, values


def connections(n, program):
    """The active connections as (gene, reader, source); the reader of the output's is n + D."""
    nodes = len(program) // 3
    found = [(3 * nodes, n + nodes, program[3 * nodes])]
    for node in active_nodes(n, program):
        found += [(gene, n + node, program[gene]) for gene in (3 * node + 1, 3 * node + 2)]
    return found


def inactive(n, program):
    """The inactive nodes, as sources."""
    active = active_nodes(n, program)
    return [n + node for node in range(len(program) // 3) if node not in active]


def shape_of(n, program):
    """The level, the active gates, and the surplus m - i + 1."""
    level, gates = len(used_inputs(n, program)), len(active_nodes(n, program))
    return level, gates, gates - level + 1


def bridges(n, program, node):
    """The active connections, (gene, reader, source), that pass over an inactive node."""
    return [one for one in connections(n, program) if one[1] > node > one[2]]


def reads(n, program, node):
    """What a node reads."""
    first = 3 * (node - n) + 1
    return program[first : first + 2]


def prepared(n, program):
    """Whether a program of i- is in A1: an inactive node reads the source of a bridge over it."""
    return any(
        source in reads(n, program, node)
        for node in inactive(n, program)
        for _, _, source in bridges(n, program, node)
    )


def changed(program, gene, value):
    """The program with another value of a gene."""
    return [*program[:gene], value, *program[gene + 1 :]]


def changes(n, program):
    """All changes of an active connection, as (gene, value, offspring), inactive nodes as they are."""
    nodes = len(program) // 3
    for gene, _, source in connections(n, program):
        for value in range(values(n, nodes, gene)):
            if value != source:
                yield gene, value, changed(program, gene, value)


def random_tree(n, nodes, level, rng):
    """A program of i-: active gates and used inputs are read once each; inactive nodes read at random."""
    program = [0] * (3 * nodes + 1)
    for node in range(nodes):
        program[3 * node + 1 : 3 * node + 3] = rng.randrange(n + node), rng.randrange(n + node)
    open_ = [3 * nodes]
    for node in sorted(rng.sample(range(nodes), level - 1), reverse=True):
        program[open_.pop(rng.randrange(len(open_)))] = n + node
        open_ += [3 * node + 1, 3 * node + 2]
    for gene, used in zip(open_, rng.sample(range(n), level), strict=True):
        program[gene] = used
    return program


def all_programs(n, nodes):
    """Every program of n inputs and D nodes."""
    for program in product(*(range(values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        yield list(program)
