"""Solving any chain: from what one offspring does to the moments of the running time.

A chain says what a single offspring of a parent is (`Offspring`); everything else is the same for all chains.
States are unsolved and ordered by fitness, best first, so that nothing ever leads back to a later level.

**One generation.** For λ offspring of one parent at level ℓ, let A_F be the probability that a single one has
fitness F, u_F that its fitness is F or worse. The best has fitness F with probability u_F^λ - (u_F - A_F)^λ,
and is then distributed as a single offspring of fitness F, because equally fit ones are drawn uniformly. With
P_F h the mean of h over single offspring of fitness F (0 for others), the transition operator on functions
that vanish on solved programs is therefore

    (Q h)(x) = Σ_F share_F(x) (P_F h)(x) + stay(x) h(x),
    share_F = (u_F^λ - (u_F - A_F)^λ) / A_F = Σ_{j<λ} u_F^(λ-1-j) (u_F - A_F)^j

over better fitness values F. For F = ℓ the share is the same if ties are accepted, 0 if selection is strict,
and Σ_e C(λ,e) A^(e-1) w^(λ-e) e / (e+1) if the parent is drawn among the equally best, w = u_ℓ - A_ℓ. For
λ = 1 it is the probability that a tie is accepted. A generation ends with its first solved offspring. A
selection that accepts the best offspring with some probability, by its fitness and the parent's, multiplies
the shares by it.

**Moments.** T counts offspring until the first solved one. Let p be the probability that one offspring is
solved and k the probability that the search ends. Then the mean h and the mean square m of T, over searches
that end, are

    h = Σ_{j<λ} (1-p)^j - λ (1-k) + Q h,    m = Σ_{j<λ} (2j+1) (1-p)^j - λ² (1-k) + 2 λ Q h + Q m,

because a generation without a solved offspring makes λ offspring. A law that does not count c iterations
reports max(0, T - c), whose moments follow from P(T > s), s < c:

    E max(0, T-c) = E T - Σ_s P(T > s),
    E max(0, T-c)^2 = E T^2 - Σ_s (2s+1) P(T > s) - 2c E max(0, T-c).

**Level by level.** With strict selection a parent stays until it is improved, so each level is solved by a
division. Otherwise the states of a level depend on each other and GMRES (Saad and Schultz 1986) solves

    x - D^-1 R x = D^-1 b,    D the probability of leaving a state, R the accepted ties,

to a relative residual of 1e-13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.chain.gmres import Operator, gmres
from gatewalk.theory.chain.offspring_sums import (
    geometric,
    log_of_rest,
    odd_geometric,
    share_of_best,
    share_of_ties,
)
from gatewalk.theory.chain.result import part_of
from gatewalk.theory.chain.sam.node_states import Floats

Flags = NDArray[np.bool_]
# The probability that the best offspring of a generation is accepted, by the number of the parent's level and
# of its own, which is `SOLVED` if it is solved.
Accept = Callable[[int, int], float]

TOLERANCE = 1e-13
RESTART = 30
BASIS_BYTES = 3_000_000_000  # for the vectors that GMRES keeps; with longer vectors it restarts sooner
SOLVED = -1
POSSIBLE = 1e-13  # computed probabilities below this are rounding errors


class Offspring(Protocol):
    """What one offspring of a parent is, before selection: all that solving needs to know of a chain.

    `level_start` has the first state of each level, best level first, and the number of states at the end.
    Nothing is asked about offspring at a worse level than the parent's.
    """

    @property
    def level_start(self) -> Sequence[int]: ...

    def mean(self, level: int, values: Floats, first: int, last: int) -> Floats:
        """For each state of a level, Σ_y P(the offspring is y) values[y - first] over y in [first, last)."""
        ...

    def flow(self, level: int, chances: Floats, first: int, last: int) -> Floats:
        """The transpose of `mean`: how much of the chances of a level's states goes to each of these."""
        ...

    def solved(self, level: int) -> Floats:
        """For each state of a level, the probability that an offspring is solved."""
        ...

    def leads_to(self, level: int, hopeful: Flags) -> Flags:
        """Which states of a level may have an offspring that is solved or hopeful.

        hopeful: flags of the first states; later ones do not count.

        Here by the computed probabilities; a chain in which these may be tiny looks at its moves instead.
        """
        chance = self.solved(level) + self.mean(level, hopeful.astype(np.float64), 0, hopeful.size)
        return np.asarray(chance > POSSIBLE)


@dataclass(frozen=True, eq=False)
class Level:
    """One generation from the states `at` of one fitness.

    solved: the probability that one offspring is solved and accepted.
    leaving: the probability that the parent is replaced or the search ends.
    shares: the offspring that may replace the parent, as ranges of states [first, last), each with its
        share_F.
    """

    number: int
    at: slice
    solved: Floats
    leaving: Floats
    shares: list[tuple[int, int, Floats | float]]


@dataclass(frozen=True, eq=False)
class Transition:
    """One generation, for every state of a chain.

    offspring: λ. ties: whether an equally fit offspring may be accepted.
    """

    chain: Offspring
    offspring: int
    ties: bool
    levels: list[Level]

    @property
    def states(self) -> int:
        return self.chain.level_start[-1]

    @cached_property
    def solved(self) -> Floats:
        """The probability that one offspring is solved and accepted."""
        return np.concatenate([np.zeros(0), *(level.solved for level in self.levels)])

    @cached_property
    def leaving(self) -> Floats:
        """The probability that the search ends or the parent is replaced."""
        return np.concatenate([np.zeros(0), *(level.leaving for level in self.levels)])

    @property
    def solved_soon(self) -> Floats:
        """The probability that some offspring of a generation is solved."""
        return -np.expm1(self.offspring * log_of_rest(self.solved))

    @cached_property
    def best(self) -> Flags:
        """The states of the best fitness."""
        return np.arange(self.states) < self.chain.level_start[1 if self.levels else 0]

    def onward(self, values: Floats) -> Floats:
        """Q without the term for staying: the mean of `values` over offspring that replace their parent."""
        parts = [_onward(self, level, values[: level.at.stop], 0) for level in self.levels]
        return np.concatenate([np.zeros(0), *parts])

    def backwards(self, values: Floats) -> Floats:
        """Apply Q to values of all states."""
        return self.onward(values) + (1.0 - self.leaving) * values

    def forwards(self, chances: Floats) -> Floats:
        """The probabilities of all states one generation later."""
        result = (1.0 - self.leaving) * chances
        for level in self.levels:
            result[: level.at.stop] += _moved(self, level, chances[level.at], 0, level.at.stop)
        return result


def transition_of(
    chain: Offspring, *, offspring: int = 1, tie: float = 1.0, accept: Accept | None = None
) -> Transition:
    """One generation of λ offspring from every state of a chain.

    tie: the probability that a single equally fit offspring is accepted; 0.5 if the parent is drawn among the
        equally best. Better ones are always accepted.
    accept: any other selection, instead of `tie`.
    """
    is_drawn = accept is None and tie == 0.5
    accepting: Accept = accept or (lambda level, other: 1.0 if other < level else tie)
    numbers = range(len(chain.level_start) - 1)
    ties = any(accepting(number, number) > 0 for number in numbers)
    levels = [_level(chain, number, offspring, accepting, is_drawn=is_drawn) for number in numbers]
    return Transition(chain, offspring, ties, levels)


def _level(chain: Offspring, number: int, offspring: int, accept: Accept, *, is_drawn: bool) -> Level:
    """One level; is_drawn: whether the parent is drawn among several equally best."""
    start = chain.level_start
    at = slice(start[number], start[number + 1])
    solved = accept(number, SOLVED) * chain.solved(number)
    ones = np.ones(at.stop)
    shares: list[tuple[int, int, Floats | float]] = []
    if offspring == 1:
        spans: list[tuple[int, int, float]] = []  # neighbours that are accepted alike are one
        for other in range(number + 1):
            first, accepted = start[other], accept(number, other)
            if spans and spans[-1][1:] == (first, accepted):
                first = spans.pop()[0]
            if accepted > 0.0:
                spans.append((first, start[other + 1], accepted))
        leaving = solved.copy()
        for first, last, accepted in spans:
            leaving += accepted * chain.mean(number, ones[first:last], first, last)
        return Level(number, at, solved, leaving, [*spans])
    better = solved  # the chance that one offspring is fitter than the level under consideration
    leaving = -np.expm1(offspring * log_of_rest(better))
    for other in range(number + 1):
        accepted = accept(number, other)
        if other == number and accepted == 0.0:
            break
        first, last = start[other], start[other + 1]
        chance = np.maximum(chain.mean(number, ones[first:last], first, last), 0.0)
        log_at_least, better = log_of_rest(better), better + chance
        if is_drawn and other == number:
            share = share_of_ties(log_at_least, log_of_rest(better), offspring)
        else:
            share = accepted * share_of_best(log_at_least, log_of_rest(better), offspring)
        if accepted > 0.0:
            shares.append((first, last, share))
            leaving = leaving + share * chance
    return Level(number, at, solved, leaving, shares)


def _onward(transition: Transition, level: Level, values: Floats, first: int) -> Floats:
    """The mean of the values of some states, from `first` on, over offspring that replace their parent."""
    total = np.zeros(level.leaving.size)
    for begin, end, share in level.shares:
        begin, end = max(begin, first), min(end, first + values.size)
        if begin < end:
            part = transition.chain.mean(level.number, values[begin - first : end - first], begin, end)
            total += share * part
    return total


def _moved(transition: Transition, level: Level, flow: Floats, first: int, last: int) -> Floats:
    """The transpose of `_onward`: where in [first, last) the probability on a level's states moves."""
    into = np.zeros(last - first)
    for begin, end, share in level.shares:
        begin, end = max(begin, first), min(end, last)
        if begin < end:
            into[begin - first : end - first] += transition.chain.flow(level.number, share * flow, begin, end)
    return into


def hopeful_states(chain: Offspring, *, ties: bool, accept: Accept | None = None) -> Flags:
    """The states from which the target can be reached.

    ties, accept: whether selection accepts equally fit offspring, or, instead, what it accepts.
    """
    start = chain.level_start
    hopeful = np.zeros(start[-1], dtype=np.bool_)
    for level in range(len(start) - 1):
        first, last = start[level], start[level + 1]
        taken = np.ones(last if ties else first, dtype=np.bool_)
        if accept is not None:
            taken = np.repeat(
                [accept(level, other) > 0 for other in range(level + 1)], np.diff(start[: level + 2])
            )
        while True:
            now = chain.leads_to(level, hopeful[: taken.size] & taken) | hopeful[first:last]
            is_new = bool((now != hopeful[first:last]).any())
            hopeful[first:last] = now
            if taken.size == first or not is_new or now.all():
                break
    return hopeful


def solve_system(
    transition: Transition,
    constant: Floats,
    hopeful: Flags,
    *,
    what: str = "solving",
    on_progress: OnProgress = lambda share, words: None,
) -> Floats:
    """x with x = constant + Q x on hopeful states and x = 0 on the others."""
    values = np.zeros(transition.states)
    for level in transition.levels:
        at = level.at
        scale = _scale(level, hopeful)
        right = scale * (constant[at] + _onward(transition, level, values[: at.start], 0))
        if transition.ties:
            right = solve_ties(
                partial(_within, transition, level, scale),
                right,
                what=f"{what}, level {level.number + 1} of {len(transition.levels)}",
                on_progress=part_of(on_progress, at.start / values.size, at.stop / values.size),
            )
        values[at] = right
    return values


def visits(
    transition: Transition,
    start: Floats,
    hopeful: Flags,
    *,
    on_progress: OnProgress = lambda share, words: None,
) -> Floats:
    """The expected number of generations that begin in each state: v with v = start + Q' v.

    It would be infinite on hopeless states that can be reached; these are left at 0.
    """
    flow = start.copy()
    for level in reversed(transition.levels):
        at = level.at
        scale = _scale(level, hopeful)
        leaving = np.where(scale > 0, flow[at], 0.0)
        if transition.ties:
            leaving = solve_ties(
                partial(_within_transposed, transition, level, scale),
                leaving,
                what="counting visits",
                on_progress=part_of(on_progress, 1 - at.stop / flow.size, 1 - at.start / flow.size),
            )
        flow[at] = scale * leaving
        flow[: at.start] += _moved(transition, level, flow[at], 0, at.start)
    return flow


def _scale(level: Level, hopeful: Flags) -> Floats:
    """1 / D, and 0 on hopeless states."""
    return np.divide(1.0, level.leaving, out=np.zeros(level.leaving.size), where=hopeful[level.at])


def _within(transition: Transition, level: Level, scale: Floats, x: Floats) -> Floats:
    """x - D^-1 R x."""
    return x - scale * _onward(transition, level, x, level.at.start)


def _within_transposed(transition: Transition, level: Level, scale: Floats, y: Floats) -> Floats:
    """y - R' D^-1 y."""
    moved = _moved(transition, level, scale * y, level.at.start, level.at.stop)
    return y - np.where(scale > 0, moved, 0.0)


def solve_ties(
    within: Operator,
    right: Floats,
    *,
    what: str,
    on_progress: OnProgress,
    basis_bytes: int = BASIS_BYTES,
    may_be_short: bool = False,
) -> Floats:
    """x with within(x) = right, by GMRES with a basis of at most about `basis_bytes`.

    may_be_short: store the basis in single precision if that is not enough in double precision.
    """

    def on_residual(residual: float) -> None:
        share = np.log(max(residual, TOLERANCE)) / np.log(TOLERANCE)
        on_progress(float(np.clip(share, 0.0, 1.0)), what)

    short = may_be_short and 8 * RESTART * right.size > basis_bytes
    vector = (4 if short else 8) * max(right.size, 1)
    restart = max(4 if may_be_short else 5, min(RESTART, basis_bytes // vector))
    return gmres(within, right, tolerance=TOLERANCE, restart=restart, short=short, on_residual=on_residual)


def offspring_made(transition: Transition, ends: Floats) -> Floats:
    """E[offspring in this generation; the search ends]: λ unless one of them is solved."""
    count = transition.offspring
    if count == 1:
        return ends
    return geometric(log_of_rest(transition.solved), count) - count * (1.0 - ends)


def squares_made(transition: Transition, ends: Floats, mean: Floats) -> Floats:
    """The constant of the equation for m: E[offspring²; the search ends] + 2 λ Q h."""
    count = transition.offspring
    squares = odd_geometric(log_of_rest(transition.solved), count) - float(count) ** 2 * (1.0 - ends)
    return squares + 2.0 * count * transition.backwards(mean)


def moments_reported(
    transition: Transition,
    ends: Floats,
    mean: Floats,
    square: Floats,
    uncounted: int,
    *,
    on_progress: OnProgress = lambda share, words: None,
) -> tuple[Floats, Floats]:
    """Mean and mean square of max(0, T - uncounted) from every state, over searches that end.

    T exceeds s = g λ + j if the search continues for g generations and then makes more than j offspring. So
    the sums over s < c are Σ_g Q^g F_g, which is evaluated from the last g down.
    """
    if uncounted == 0:
        return mean, square
    whole, rest = divmod(uncounted, transition.offspring)
    last, last_odd = _survived(transition, ends, rest)
    plain, odd = _survived(transition, ends, transition.offspring)
    survived, weighed = last, last_odd + 2.0 * whole * transition.offspring * last
    for generation in reversed(range(whole)):
        survived = plain + transition.backwards(survived)
        here = odd + 2.0 * generation * transition.offspring * plain
        weighed = here + transition.backwards(weighed)
        on_progress(1.0 - generation / whole, "uncounted iterations")
    mean = mean - survived
    return mean, square - weighed - 2.0 * uncounted * mean


def _survived(transition: Transition, ends: Floats, count: int) -> tuple[Floats, Floats]:
    """Σ_j P(T > j, the search ends) over j < count <= λ, and the same times 2j + 1."""
    if count == 0:
        return np.zeros_like(ends), np.zeros_like(ends)
    log_unsolved, never = log_of_rest(transition.solved), 1.0 - ends
    plain = geometric(log_unsolved, count) - count * never
    return plain, odd_geometric(log_unsolved, count) - float(count) ** 2 * never


def start_shares(chances: Sequence[float], starts: int) -> list[float]:
    """P(the best of `starts` programs is at a level) / P(a single one is), for the levels best first.

    Nothing cancels, however rare a level is.

    >>> start_shares([0.25, 0.5], starts=2)  # solved with probability 0.25
    [1.25, 0.5]
    """
    worse = np.array([sum(chances[level + 1 :]) for level in range(len(chances))])
    with np.errstate(divide="ignore"):
        at_least, below = np.log(worse + np.asarray(chances)), np.log(worse)
    return [float(share) for share in share_of_best(at_least, below, starts)]
