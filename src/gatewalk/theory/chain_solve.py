"""Linear systems of the chain, level by level: nothing ever leads back to a worse level.

With strict selection a parent stays until it is improved, so each level is solved by a division.
Otherwise a level's classes depend on each other and GMRES (Saad and Schultz 1986) solves

    x - D^-1 R x = D^-1 b,    D the probability of leaving a class, R the accepted ties,

to a relative residual of 1e-13.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, gmres

from gatewalk.jit import kernel
from gatewalk.theory.chain import Chain, Watcher
from gatewalk.theory.chain_axes import Floats
from gatewalk.theory.chain_classes import Ids
from gatewalk.theory.chain_step import Step, onward, onward_transposed

TOLERANCE = 1e-13
RESTART = 30

Flags = NDArray[np.bool_]


def hopeful_classes(chain: Chain) -> Flags:
    """The classes from which the target can be reached.

    Mixing reaches every state of the inactive nodes with positive probability, so this is a
    property of blocks.
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


def solve(
    chain: Chain,
    steps: list[Step],
    constant: Floats,
    hopeful: Flags,
    *,
    what: str = "solving",
    watch: Watcher | None = None,
) -> Floats:
    """x with x = constant + Q x on hopeful classes and x = 0 on the others."""
    values = np.zeros(chain.classes)
    for level in range(len(chain.levels)):
        at = slice(chain.level_start[level], chain.level_start[level + 1])
        here = [step for step in steps if step.segment.level == level]
        open_ = hopeful[at]
        leaving = np.where(open_, np.concatenate([step.leaving for step in here]), 1.0)
        known = np.concatenate([onward(chain, step, values) for step in here])
        right = np.where(open_, constant[at] + known, 0.0) / leaving
        values[at] = right
        if chain.tie > 0 and open_.any():
            inner = np.zeros(chain.classes)

            def within(
                x: Floats,
                at: slice = at,
                here: list[Step] = here,
                scale: Floats = np.where(open_, 1.0 / leaving, 0.0),
                inner: Floats = inner,
            ) -> Floats:
                inner[at] = x
                return x - scale * np.concatenate([onward(chain, step, inner) for step in here])

            values[at] = _gmres(within, right, what=f"{what}, level {level + 1}", watch=watch)
        if watch:
            watch(what, at.stop / max(chain.classes, 1))
    return values


def visits(
    chain: Chain, steps: list[Step], start: Floats, hopeful: Flags, *, watch: Watcher | None = None
) -> Floats:
    """The expected number of generations that begin in each class: v with v = start + Q' v.

    Infinite on classes without hope that are reached; these are left at 0.
    """
    flow = start.copy()
    for level in reversed(range(len(chain.levels))):
        at = slice(chain.level_start[level], chain.level_start[level + 1])
        here = [step for step in steps if step.segment.level == level]
        open_ = hopeful[at]
        leaving = np.where(open_, np.concatenate([step.leaving for step in here]), 1.0)
        scale = np.where(open_, 1.0 / leaving, 0.0)
        out = np.where(open_, flow[at], 0.0)
        if chain.tie > 0 and open_.any():

            def within(
                y: Floats,
                at: slice = at,
                here: list[Step] = here,
                scale: Floats = scale,
                open_: Flags = open_,
            ) -> Floats:
                return y - np.where(open_, _moved(chain, here, scale * y)[at], 0.0)

            out = _gmres(within, out, what=f"visits, level {level + 1}", watch=watch)
        flow += _moved(chain, here, scale * out)
        flow[at] = scale * out
    return flow


def _moved(chain: Chain, here: list[Step], flow: Floats) -> Floats:
    """Where one generation takes the probability on a level's classes, those that stay left out."""
    into = np.zeros(chain.classes)
    base = here[0].segment.classes.start
    for step in here:
        classes = step.segment.classes
        onward_transposed(chain, step, flow[classes.start - base : classes.stop - base], into)
    return into


def _gmres(within: object, right: Floats, *, what: str, watch: Watcher | None) -> Floats:
    if not right.any():
        return right
    operator = LinearOperator((right.size, right.size), matvec=within, dtype=np.float64)

    def told(residual: float) -> None:
        if watch:
            done = np.log(max(float(residual), TOLERANCE)) / np.log(TOLERANCE)
            watch(what, float(np.clip(done, 0.0, 1.0)))

    answer, failed = gmres(
        operator,
        right,
        x0=right,
        rtol=TOLERANCE,
        restart=min(RESTART, right.size),
        maxiter=200,
        callback=told,
        callback_type="pr_norm",
    )
    if failed:
        residual = np.linalg.norm(operator @ answer - right) / np.linalg.norm(right)
        if residual > 1e-9:
            raise ArithmeticError(f"{what}: no convergence, relative residual {residual:.1e}")
    return np.asarray(answer)


@kernel
def _leads_to_hope(moves: Ids, hopeful: Flags, ties: bool, rows: Flags) -> None:
    for row in range(moves.shape[0]):
        for move in range(moves.shape[1]):
            to = moves[row, move]
            if to == -1 or (to >= 0 and hopeful[to]) or (to <= -3 and ties and hopeful[-3 - to]):
                rows[row] = True
                break
