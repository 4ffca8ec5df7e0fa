"""How far exact chains reach: how long solving one takes, and with how many nodes it is done in a minute.

Seconds are rough, as measured on one processor. A node more multiplies the classes by ten and more, so they
decide well enough how many nodes are too many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target, fewest_nodes
from gatewalk.boolean.training import Complete, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.operators import OwnMutation
from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.search.reading import why_unsolvable
from gatewalk.theory.chain.point_rate import MOST_STATES
from gatewalk.theory.chain.ranked.search import about_classes, is_ranked, ranked_bytes
from gatewalk.theory.chain.sam.size import (
    MEMORY,
    WIDEST,
    estimated_bytes,
    estimated_classes,
    genotype_count,
)
from gatewalk.theory.chain.sam.symmetries import input_symmetries
from gatewalk.theory.chain.sam.tables import MOST_INPUTS

MINUTE = 60.0
# Seconds for a class of the ranked chain; for a class of the other, and for a place of its tensor.
RANKED_STRICT, RANKED_TIES = 2e-6, 9e-6
STRICT, TIES = (5e-6, 0.05e-6), (12e-6, 0.25e-6)
OWN_STRICT, OWN_TIES, OWN_BYTES = 20e-6, 120e-6, 3_000  # for a program of the chain of a user's mutation
# All programs that are wrong on a parity are equally so: with ties there is one large system, which is harder
# the fewer nodes there are to spare.
PARITIES = ("xor", "xnor", "parity", "epar")
HARDER, HARDEST = 2.5, 6.0

# With gates of these names n - 1 nodes compute a family: a chain of the first, with the last at its end.
CHAINS = {
    "and": ("and",),
    "or": ("or",),
    "xor": ("xor",),
    "parity": ("xor",),
    "nand": ("and", "nand"),
    "nor": ("or", "nor"),
    "xnor": ("xor", "xnor"),
    "epar": ("xor", "xnor"),
}


def estimated_seconds(search: CgpSearch, *, lump: bool = True) -> float:
    """About how long it takes to solve the chain of a search, by the quickest that it has."""
    if lump and is_ranked(search):
        of_class = RANKED_STRICT if search.strict else RANKED_TIES
        return _harder(search) * about_classes(search) * of_class
    return chain_seconds(search, lump=lump)


def chain_seconds(search: CgpSearch, *, lump: bool = True) -> float:
    """About how long it takes to solve the chain of programs, which also has the distribution."""
    if isinstance(search.mutation, OwnMutation):
        return _harder(search) * genotype_count(search.shape) * (OWN_STRICT if search.strict else OWN_TIES)
    places = estimated_classes(search.shape, 1, swaps=lump)
    of_class, of_place = STRICT if search.strict else TIES
    return _harder(search) * (of_class * places / _symmetries(search, lump) + of_place * places)


def _harder(search: CgpSearch) -> float:
    if search.strict or search.target.family not in PARITIES:
        return 1.0
    return HARDER if search.nodes > search.n else HARDEST


def quick_nodes(search: CgpSearch, *, lump: bool = True, memory: int = MEMORY) -> int | None:
    """The most nodes with which a search for this target is solved in about a minute.

    None if that is too short for any number of nodes with which the target may be found.

    >>> from gatewalk import search_for
    >>> quick_nodes(search_for("and:5")), quick_nodes(search_for("and:7"))
    (5, None)
    """
    columns = max(1, -(-fewest_nodes(search.target, search.gates) // search.law.rows))
    most = None
    while True:
        fewer = replace(search, nodes=columns * search.law.rows, start=None)
        if not _is_quick(fewer, lump, memory):
            return most
        if why_unsolvable(fewer) is None:
            most = fewer.nodes
        columns += 1


def _is_quick(search: CgpSearch, lump: bool, memory: int) -> bool:
    if lump and is_ranked(search):
        quick = estimated_seconds(search) <= MINUTE
        return quick and ranked_bytes(search.shape, ties=not search.strict) <= memory
    if isinstance(search.mutation, OwnMutation) and genotype_count(search.shape) * OWN_BYTES > memory:
        return False
    if search.n > MOST_INPUTS or search.gates.arity > WIDEST or point_rate_states(search) > MOST_STATES:
        return False
    needed = estimated_bytes(search.shape, _symmetries(search, lump), swaps=lump)
    return estimated_seconds(search, lump=lump) <= MINUTE and needed <= memory


def _symmetries(search: CgpSearch, lump: bool) -> int:
    """How many permutations of the inputs the chain lumps; sampled sets seldom have more than one."""
    is_lumped = lump and isinstance(search.mutation, Sam) and isinstance(search.training, Complete)
    return len(input_symmetries(search.shape, complete(search.target))) if is_lumped else 1


def point_rate_states(search: CgpSearch) -> int:
    """How many states the chain of point or rate mutation has; 0 for other mutations."""
    return estimated_classes(search.shape, 1) if isinstance(search.mutation, Point | Rate) else 0


def in_a_minute(search: CgpSearch, *, lump: bool = True, memory: int = MEMORY) -> str:
    """With how many nodes the chain is solved in a minute, in words."""
    most = quick_nodes(search, lump=lump, memory=memory)
    if most is None:
        return "no number of nodes that could do takes less than a minute"
    return f"up to {most} take about a minute"


def nodes_by_default(search: CgpSearch) -> int:
    """n - 1, if so many nodes are known to compute the target; otherwise `InputError`.

    >>> from gatewalk import search_for
    >>> nodes_by_default(search_for("and:4")), nodes_by_default(search_for("nand:3"))
    (3, 2)
    """
    nodes = max(1, search.n - 1)
    few = replace(search, nodes=nodes, start=None)
    if few.law.rows == 1 and _is_a_chain(few.target, few.gates):
        reason = why_unsolvable(few)
        if reason is None:
            return nodes
    else:
        reason = f"n - 1 = {nodes} nodes may be too few for {few.target.label} with gates {few.gates}"
    raise InputError(f"{reason}; choose --nodes: {in_a_minute(search)}", option="nodes")


def _is_a_chain(target: Target, gates: GateSet) -> bool:
    names = CHAINS.get(target.family, ())
    needed = gate_set(names[-1:] if target.inputs <= 2 else names).gates if names else ()
    tables = {(gate.arity, gate.table) for gate in gates.gates}
    return bool(needed) and all((gate.arity, gate.table) in tables for gate in needed)


def with_default_nodes(search_of: Callable[[dict[str, Any]], Search], words: Mapping[str, Any]) -> Search:
    """The search of these words, with `nodes_by_default` if they do not say how many.

    search_of: makes a search of words.
    """
    given = dict(words)
    if given.get("nodes") is not None or given.get("algorithm", "cgp") != "cgp":
        return search_of(given)
    # A start, and a percentage of the genes, depend on the number of nodes: the first search is without.
    search = search_of({**given, "start": "random"})
    assert isinstance(search, CgpSearch)
    return search_of({**given, "nodes": nodes_by_default(search)})
