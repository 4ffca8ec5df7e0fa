"""How an offspring is evaluated: the `judges`, behind the same functions; a kernel is compiled for one.

A judge keeps, in arrays, whatever lets it evaluate only what changed. Between two offspring of a slice, a few
words of it are the *state*, which stays out of memory. An offspring that was weighed is kept or dropped
before the next one is made; what the judge must know for that is the *trial*.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gatewalk.cgp import large, small
from gatewalk.cgp.judges import affine, cheapest, incremental, marked, reached, small_table, table
from gatewalk.cgp.judges import small as words
from gatewalk.native.jit import by_kind

# The judges, and the modules in which their parts are: the first that has it.
_MODULES: dict[type, tuple[ModuleType, ...]] = {
    words.SmallSets: (words, small),
    words.SmallValues: (words, small),
    small_table.SmallTable: (small_table, small),
    reached.Reached: (reached, large),
    affine.Affine: (marked, large),
    incremental.Incremental: (incremental, large),
    table.Plain: (table, marked, large),
    cheapest.Cheapest: (cheapest, large),
}


def _part(name: str) -> Any:
    parts = {
        kind: next((getattr(module, name) for module in modules if hasattr(module, name)), None)
        for kind, modules in _MODULES.items()
    }
    return by_kind({kind: part for kind, part in parts.items() if part is not None})


# take(judge, program) -> rank: evaluate the offspring with nothing known of it, and take it as the parent.
take = _part("take")
# lay(judge, sample): judge by other rows from now on, as many as before. sample: a column for each input and,
# behind them, for each output. Only judges on tables have it.
lay = _part("lay")
# load(judge) -> state, save(judge, state): the state out of its array, and back.
load, save = _part("load"), _part("save")
# is_active(judge, program, state, slot) -> bool: does the gene of a slot belong to an active node of the
# parent? count_active(judge, program, state): how many nodes are active.
is_active, count_active = _part("is_active"), _part("count_active")
# weigh(judge, program, state, changes, parent, worst) -> (rank, trial): evaluate the offspring of a parent of
# that rank. A rank over `worst` need not be exact: only over `worst`.
weigh = _part("weigh")
# keep(judge, program, state, changes, trial) -> state: the offspring weighed last becomes the parent; called
# while the program still holds the old one. drop: the same for an offspring that is forgotten.
keep, drop = _part("keep"), _part("drop")
