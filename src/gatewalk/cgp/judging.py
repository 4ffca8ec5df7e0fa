"""How an offspring is evaluated: the functions that all `judges` share. A kernel is compiled for one judge.

A judge is a named tuple of arrays, with whatever it needs in order to evaluate only what changed. Within a
slice, a few words of it are the *state*, which stays in the processor's registers. Every offspring that was
weighed is kept or dropped before the next one is made; what the judge must remember until then is the
*trial*.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gatewalk.cgp import large, small
from gatewalk.cgp.judges import affine, cheapest, incremental, marked, reached, small_table, table
from gatewalk.cgp.judges import small as words
from gatewalk.native.jit import by_kind

# Each judge with the modules that define its functions; the first module that has a function is taken.
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


# take(judge, program) -> rank: evaluate the offspring from scratch, and make it the parent.
take = _part("take")
# lay(judge, sample): use other rows from now on, as many as before. sample: the columns of the inputs, then
# those of the outputs. Only judges that work on tables have it.
lay = _part("lay")
# load(judge) -> state, save(judge, state): read the state from its array, and write it back.
load, save = _part("load"), _part("save")
# is_active(judge, program, state, slot) -> bool: whether the gene of a slot belongs to an active node of the
# parent. count_active(judge, program, state): how many nodes are active.
is_active, count_active = _part("is_active"), _part("count_active")
# weigh(judge, program, state, changes, parent, worst) -> (rank, trial): evaluate the offspring of a parent
# whose rank is `parent`. If the rank of the offspring is over `worst`, any rank over `worst` may be returned.
weigh = _part("weigh")
# keep(judge, program, state, changes, trial) -> state: make the offspring weighed last the parent; called
# while the program still holds the old parent. drop: the same for an offspring that is rejected.
keep, drop = _part("keep"), _part("drop")
