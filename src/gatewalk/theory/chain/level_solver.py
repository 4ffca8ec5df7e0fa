"""Linear systems of the chain, level by level: nothing ever leads back to a worse level.

With strict selection a parent stays until it is improved, so each level is solved by a division.
Otherwise a level's classes depend on each other and GMRES (Saad and Schultz 1986) solves

    x - D^-1 R x = D^-1 b,    D the probability of leaving a class, R the accepted ties,

to a relative residual of 1e-13.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from gatewalk.native.jit import kernel
from gatewalk.theory.chain.generations import Generation, onward, onward_transposed
from gatewalk.theory.chain.gmres import gmres
from gatewalk.theory.chain.markov_chain import Chain
from gatewalk.theory.chain.moves import SOLVED, TIE
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.program_classes import Ids
from gatewalk.theory.chain.progress import TellProgress, part_of
from gatewalk.theory.chain.transition import Flags

TOLERANCE = 1e-13
RESTART = 30
BASIS_BYTES = 3_000_000_000  # for the vectors that GMRES keeps; with longer vectors it restarts sooner


def hopeful_classes(chain: Chain) -> Flags:
    """The classes from which the target can be reached.

    Mixing reaches every state of the inactive nodes with positive probability, so either all classes of a
    block are hopeful or none is.
    """
    hopeful = np.zeros(chain.classes, dtype=np.bool_)
    pending = list(chain.segments)
    changed = True
    while changed and pending:
        changed = False
        for segment in list(pending):
            here = hopeful[segment.classes]
            rows = np.zeros(here.size, dtype=np.bool_)
            _leads_to_hope(segment.moves, hopeful, chain.tie > 0, rows)
            block = segment.example % segment.keys.size
            blocks = np.bincount(block, weights=rows | here, minlength=segment.keys.size) > 0
            after = blocks[block]
            if (after != here).any():
                hopeful[segment.classes] = after
                changed = True
            if after.all():
                pending.remove(segment)
    return hopeful


@dataclass(frozen=True, eq=False)
class _Level:
    """The classes of one fitness, their generations, and scale = 1 / D, which is 0 on hopeless classes."""

    at: slice
    generations: list[Generation]
    scale: Floats


def _levels(chain: Chain, generations: list[Generation], hopeful: Flags) -> Iterator[_Level]:
    """All levels, best first."""
    for level in range(len(chain.levels)):
        at = slice(chain.level_start[level], chain.level_start[level + 1])
        here = [generation for generation in generations if generation.segment.level == level]
        leaving = np.concatenate([generation.leaving for generation in here])
        scale = np.divide(1.0, leaving, out=np.zeros(leaving.size), where=hopeful[at])
        yield _Level(at, here, scale)


def solve(
    chain: Chain,
    generations: list[Generation],
    constant: Floats,
    hopeful: Flags,
    *,
    what: str = "solving",
    watch: TellProgress | None = None,
) -> Floats:
    """x with x = constant + Q x on hopeful classes and x = 0 on the others."""
    values = np.zeros(chain.classes)
    for number, level in enumerate(_levels(chain, generations, hopeful), start=1):
        right = level.scale * (constant[level.at] + _onward(chain, level, values))
        if chain.tie > 0:
            operator = partial(_within, chain, level, np.zeros(chain.classes))
            told = part_of(watch, level.at.start / chain.classes, level.at.stop / chain.classes)
            words = f"{what}, level {number} of {len(chain.levels)}"
            right = _gmres(operator, right, what=words, watch=told)
        values[level.at] = right
    return values


def visits(
    chain: Chain,
    generations: list[Generation],
    start: Floats,
    hopeful: Flags,
    *,
    watch: TellProgress | None = None,
) -> Floats:
    """The expected number of generations that begin in each class: v with v = start + Q' v.

    It would be infinite on hopeless classes that can be reached; these are left at 0.
    """
    flow = start.copy()
    levels = list(_levels(chain, generations, hopeful))
    for level in reversed(levels):
        leaving = np.where(level.scale > 0, flow[level.at], 0.0)
        if chain.tie > 0:
            operator = partial(_within_transposed, chain, level)
            told = part_of(watch, 1 - level.at.stop / chain.classes, 1 - level.at.start / chain.classes)
            leaving = _gmres(operator, leaving, what="counting visits", watch=told)
        here = level.scale * leaving
        flow += _moved(chain, level, here)
        flow[level.at] = here
    return flow


def _onward(chain: Chain, level: _Level, values: Floats) -> Floats:
    return np.concatenate([onward(chain, generation, values) for generation in level.generations])


def _within(chain: Chain, level: _Level, values: Floats, x: Floats) -> Floats:
    """x - D^-1 R x; `values` is zero outside the level."""
    values[level.at] = x
    return x - level.scale * _onward(chain, level, values)


def _within_transposed(chain: Chain, level: _Level, y: Floats) -> Floats:
    """y - R' D^-1 y."""
    return y - np.where(level.scale > 0, _moved(chain, level, level.scale * y)[level.at], 0.0)


def _moved(chain: Chain, level: _Level, flow: Floats) -> Floats:
    """Where one generation moves the probability on a level's classes; what stays is left out."""
    into = np.zeros(chain.classes)
    for generation in level.generations:
        first, last = generation.segment.classes.start, generation.segment.classes.stop
        onward_transposed(chain, generation, flow[first - level.at.start : last - level.at.start], into)
    return into


def _gmres(
    within: Callable[[Floats], Floats], right: Floats, *, what: str, watch: TellProgress | None
) -> Floats:
    def told(residual: float) -> None:
        if watch:
            done = np.log(max(residual, TOLERANCE)) / np.log(TOLERANCE)
            watch(what, float(np.clip(done, 0.0, 1.0)))

    restart = max(5, min(RESTART, BASIS_BYTES // (8 * max(right.size, 1))))
    return gmres(within, right, tolerance=TOLERANCE, restart=restart, told=told)


@kernel
def _leads_to_hope(moves: Ids, hopeful: Flags, ties: bool, rows: Flags) -> None:
    for row in range(moves.shape[0]):
        for move in range(moves.shape[1]):
            to = moves[row, move]
            if to == SOLVED or (to >= 0 and hopeful[to]) or (to <= TIE and ties and hopeful[TIE - to]):
                rows[row] = True
                break
