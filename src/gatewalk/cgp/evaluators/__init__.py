"""The ways to evaluate an offspring, a file each, behind the same functions.

An evaluator is a named tuple of arrays, with whatever it needs in order to evaluate only what changed. A
kernel is compiled for one of them. Within a slice, a few words of it are the *state*, which stays in the
processor's registers. Every offspring that was evaluated is kept or dropped before the next one is made; what
the evaluator must remember until then is the *trial*.

To add one, put a file into this folder with the named tuple and the functions below; `small` and `large`, the
two representations of a program, and `marked` have defaults for most of them. Enter it in `_MODULES`, and in
`gatewalk.cgp.engines` the tasks for which it is exact.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gatewalk.cgp import large as large_programs
from gatewalk.cgp import small as small_programs
from gatewalk.cgp.evaluators import affine, cheapest, incremental, marked, reached, small, small_table, table
from gatewalk.native.jit import by_kind

# Each evaluator with the modules that define its functions; the first module that has a function is taken.
_MODULES: dict[type, tuple[ModuleType, ...]] = {
    small.SmallSets: (small, small_programs),
    small.SmallValues: (small, small_programs),
    small_table.SmallTable: (small_table, small_programs),
    reached.Reached: (reached, large_programs),
    affine.Affine: (marked, large_programs),
    incremental.Incremental: (incremental, large_programs),
    table.Plain: (table, marked, large_programs),
    cheapest.Cheapest: (cheapest, large_programs),
}


def _part(name: str) -> Any:
    parts = {
        kind: next((getattr(module, name) for module in modules if hasattr(module, name)), None)
        for kind, modules in _MODULES.items()
    }
    return by_kind({kind: part for kind, part in parts.items() if part is not None})


# evaluate_anew(evaluator, program) -> rank: evaluate the offspring from scratch, and make it the parent.
evaluate_anew = _part("evaluate_anew")
# use_rows(evaluator, sample): use other rows from now on, as many as before. sample: the columns of the
# inputs, then those of the outputs. Only evaluators that work on tables have it.
use_rows = _part("use_rows")
# load(evaluator) -> state, save(evaluator, state): read the state from its array, and write it back.
load, save = _part("load"), _part("save")
# is_active(evaluator, program, state, slot) -> bool: whether the gene of a slot belongs to an active node of
# the parent. count_active(evaluator, program, state): how many nodes are active.
is_active, count_active = _part("is_active"), _part("count_active")
# evaluate(evaluator, program, state, changes, parent, worst) -> (rank, trial): evaluate the offspring of a
# parent whose rank is `parent`. If the rank of the offspring is over `worst`, any rank over `worst` may be
# returned.
evaluate = _part("evaluate")
# keep(evaluator, program, state, changes, trial) -> state: make the offspring evaluated last the parent;
# called while the program still holds the old parent. drop: the same for an offspring that is rejected.
keep, drop = _part("keep"), _part("drop")
