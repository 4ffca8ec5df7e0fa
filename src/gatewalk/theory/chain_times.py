"""Hitting times of the chain: expectation, deviation, distribution, time spent at each level.

T counts offspring until the first solved one. With λ offspring a generation, p the probability
that one is solved and h, m the mean and the mean square of T from each class,

    h = Σ_{j<λ} (1-p)^j + Q h,    m = Σ_{j<λ} (2j+1) (1-p)^j + 2 λ Q h + Q m,

because a generation that is not solved makes λ offspring. A law that leaves c iterations uncounted
reports max(0, T - c), whose moments follow from P(T > s), s < c:

    E max(0, T-c) = E T - Σ_s P(T > s),
    E max(0, T-c)^2 = E T^2 - Σ_s (2s+1) P(T > s) - 2c E max(0, T-c).

Where some classes without hope can be reached, h is the mean of T over the searches that end:
h = k (Σ ...) + Q h with k the probability to end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from gatewalk.theory.chain import Chain, Watcher
from gatewalk.theory.chain_axes import Floats
from gatewalk.theory.chain_moves import free_blocks
from gatewalk.theory.chain_solve import Flags, hopeful_classes, solve, visits
from gatewalk.theory.chain_step import Step, onward, onward_transposed, steps_of


@dataclass(frozen=True, eq=False)
class Times:
    """What is known from each class: P(the search ends), E[T; it ends], E[T²; it ends]."""

    chain: Chain
    steps: list[Step]
    hopeful: Flags
    ends: Floats
    mean: Floats
    square: Floats


@dataclass(frozen=True)
class LevelTime:
    """Expected iterations at a fitness: with a free connection (i+ of Theorem 6) and without (i-)."""

    fitness: int
    free: float
    bound: float

    @property
    def total(self) -> float:
        return self.free + self.bound


def times_of(chain: Chain, *, watch: Watcher | None = None) -> Times:
    """Solve for the first two moments from every class."""
    hopeful = hopeful_classes(chain)
    steps = steps_of(chain)
    solved = np.concatenate([np.zeros(0), *(step.solved for step in steps)])
    ends = np.ones(chain.classes)
    if not hopeful.all():
        once = np.concatenate([1.0 - (1.0 - step.solved) ** chain.offspring for step in steps])
        ends = solve(chain, steps, once, hopeful, what="hope", watch=watch)
    mean = solve(chain, steps, _offspring(chain, solved, ends), hopeful, what="mean", watch=watch)
    squares = _squares(chain, steps, solved, ends, mean)
    square = solve(chain, steps, squares, hopeful, what="deviation", watch=watch)
    return Times(chain, steps, hopeful, ends, mean, square)


def _offspring(chain: Chain, solved: Floats, ends: Floats) -> Floats:
    """E[offspring of a generation; the search ends]."""
    if chain.offspring == 1:
        return ends
    made = sum((1.0 - solved) ** j for j in range(chain.offspring))
    # All λ are made if none is solved, and then the search ends with another probability.
    last = (1.0 - solved) ** chain.offspring
    at_once = made - chain.offspring * last
    return np.asarray(at_once + chain.offspring * (ends - (1.0 - last)))


def _squares(chain: Chain, steps: list[Step], solved: Floats, ends: Floats, mean: Floats) -> Floats:
    count = chain.offspring
    last = (1.0 - solved) ** count
    made = sum((2 * j + 1) * (1.0 - solved) ** j for j in range(count))
    at_once = made - count**2 * last
    unsolved = ends - (1.0 - last)
    return np.asarray(at_once + count**2 * unsolved + 2 * count * backwards(chain, steps, mean))


def backwards(chain: Chain, steps: list[Step], values: Floats) -> Floats:
    """Q of values over all classes."""
    parts = []
    for step in steps:
        here = values[step.segment.classes]
        parts.append(onward(chain, step, values) + (1.0 - step.leaving) * here)
    return np.concatenate(parts) if parts else values


def forwards(chain: Chain, steps: list[Step], probabilities: Floats) -> Floats:
    """The probabilities of all classes after one more generation."""
    into = np.zeros(chain.classes)
    for step in steps:
        here = probabilities[step.segment.classes]
        onward_transposed(chain, step, here, into)
        into[step.segment.classes] += (1.0 - step.leaving) * here
    return into


def start_probabilities(chain: Chain, starts: int) -> Floats:
    """The probability of each class as the best of so many uniform programs."""
    uniform = chain.size / chain.genotypes
    result = np.zeros(chain.classes)
    for level in range(len(chain.levels)):
        at = slice(chain.level_start[level], chain.level_start[level + 1])
        worse = float(uniform[at.stop :].sum())
        here = float(uniform[at].sum())
        # P(best is at this level) / here, without cancellation.
        share = sum((worse + here) ** (starts - 1 - j) * worse**j for j in range(starts))
        result[at] = uniform[at] * share
    return result


def reported(times: Times, uncounted: int) -> tuple[Floats, Floats]:
    """Mean and mean square of max(0, T - uncounted) from every class, over searches that end."""
    mean, square = times.mean.copy(), times.square.copy()
    beyond = islice(_survivals(times), uncounted)
    for s, survival in enumerate(beyond):
        mean -= survival
        square -= (2 * s + 1) * survival
    return mean, square - 2 * uncounted * mean


def _survivals(times: Times) -> Iterator[Floats]:
    """P(T > s, the search ends) from every class for s = 0, 1, 2, ..."""
    chain = times.chain
    solved = np.concatenate([np.zeros(0), *(step.solved for step in times.steps)])
    generation = 0
    while True:
        for made in range(chain.offspring):
            # Ended among the first `made` offspring of the last generation, or not at all.
            values = times.ends - (1.0 - (1.0 - solved) ** made)
            for _ in range(generation):
                values = backwards(chain, times.steps, values)
            yield values
        generation += 1


def level_times(times: Times, start: Floats, *, watch: Watcher | None = None) -> list[LevelTime]:
    """The expected iterations at each fitness, worst first, until the search ends or loses hope."""
    chain = times.chain
    count = visits(chain, times.steps, start, times.hopeful, watch=watch)
    free = [0.0] * len(chain.levels)
    bound = [0.0] * len(chain.levels)
    for step in times.steps:
        segment = step.segment
        flags = np.zeros(segment.keys.size, dtype=np.bool_)
        free_blocks(chain.tables, segment.active, chain.levels[segment.level], segment.keys, flags)
        made = sum((1.0 - step.solved) ** j for j in range(chain.offspring))
        spent = count[segment.classes] * made
        is_free = flags[segment.example % segment.keys.size]
        free[segment.level] += float(spent[is_free].sum())
        bound[segment.level] += float(spent[~is_free].sum())
    order = reversed(range(len(chain.levels)))
    return [LevelTime(chain.levels[level], free[level], bound[level]) for level in order]
