"""The exact solver for any search it knows: genotypes under SAM, under other mutations, and trees."""

from __future__ import annotations

from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory.chain import Watcher
from gatewalk.theory.chain_product import solved_product
from gatewalk.theory.chain_size import MEMORY
from gatewalk.theory.exact import Exact, solved
from gatewalk.theory.exact_result import ExactResult
from gatewalk.theory.tree_chain import solved_trees


def exact_result(
    made: Settings, *, lump: bool = True, memory: int = MEMORY, watch: Watcher | None = None
) -> ExactResult:
    """The running time of these settings, by whichever chain is theirs."""
    if made.algorithm != "cgp":
        return solved_trees(made, watch=watch)
    if made.mutation != "sam":
        return solved_product(made, watch=watch)
    return solved(made, lump=lump, memory=memory, watch=watch).result


def with_details(
    made: Settings, *, lump: bool = True, memory: int = MEMORY, watch: Watcher | None = None
) -> Exact:
    """The solved chain itself, which also knows levels and the distribution: SAM only."""
    if made.algorithm != "cgp" or made.mutation != "sam":
        raise InputError("levels, quantiles and single starts are known for cgp with sam only")
    return solved(made, lump=lump, memory=memory, watch=watch)
