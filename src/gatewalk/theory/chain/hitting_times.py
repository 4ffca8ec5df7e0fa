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

from dataclasses import dataclass

import numpy as np

from gatewalk.theory.chain.generations import Generation, generations_of, onward, onward_transposed
from gatewalk.theory.chain.level_solver import Flags, hopeful_classes, solve, visits
from gatewalk.theory.chain.markov_chain import Chain, Segment, TellProgress
from gatewalk.theory.chain.moves import free_blocks
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.offspring_sums import geometric, log_of_rest, odd_geometric, share_of_best


@dataclass(frozen=True, eq=False)
class Times:
    """What is known from each class: P(the search ends), E[T; it ends], E[T²; it ends]."""

    chain: Chain
    generations: list[Generation]
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


def times_of(chain: Chain, *, watch: TellProgress | None = None) -> Times:
    """Solve for the first two moments from every class."""
    hopeful = hopeful_classes(chain)
    generations = generations_of(chain)
    solved = np.concatenate([np.zeros(0), *(generation.solved for generation in generations)])
    ends = np.ones(chain.classes)
    if not hopeful.all():
        once = -np.expm1(chain.offspring * log_of_rest(solved))
        ends = solve(chain, generations, once, hopeful, what="hope", watch=watch)
    mean = solve(chain, generations, _offspring(chain, solved, ends), hopeful, what="mean", watch=watch)
    squares = _squares(chain, generations, solved, ends, mean)
    square = solve(chain, generations, squares, hopeful, what="deviation", watch=watch)
    return Times(chain, generations, hopeful, ends, mean, square)


def _offspring(chain: Chain, solved: Floats, ends: Floats) -> Floats:
    """E[offspring of a generation; the search ends]: all λ of them if it does not end now."""
    if chain.offspring == 1:
        return ends
    return geometric(log_of_rest(solved), chain.offspring) - chain.offspring * (1.0 - ends)


def _squares(
    chain: Chain, generations: list[Generation], solved: Floats, ends: Floats, mean: Floats
) -> Floats:
    """E[offspring²; the search ends], and 2 λ Q h."""
    count = chain.offspring
    made = odd_geometric(log_of_rest(solved), count) - float(count) ** 2 * (1.0 - ends)
    return made + 2.0 * count * backwards(chain, generations, mean)


def backwards(chain: Chain, generations: list[Generation], values: Floats) -> Floats:
    """Q of values over all classes."""
    parts = []
    for generation in generations:
        here = values[generation.segment.classes]
        parts.append(onward(chain, generation, values) + (1.0 - generation.leaving) * here)
    return np.concatenate(parts) if parts else values


def forwards(chain: Chain, generations: list[Generation], probabilities: Floats) -> Floats:
    """The probabilities of all classes after one more generation."""
    into = np.zeros(chain.classes)
    for generation in generations:
        here = probabilities[generation.segment.classes]
        onward_transposed(chain, generation, here, into)
        into[generation.segment.classes] += (1.0 - generation.leaving) * here
    return into


def start_probabilities(chain: Chain, starts: int) -> Floats:
    """The probability of each class as the best of so many uniform programs."""
    uniform = chain.size / chain.genotypes
    result = np.zeros(chain.classes)
    for level in range(len(chain.levels)):
        at = slice(chain.level_start[level], chain.level_start[level + 1])
        result[at] = uniform[at] * best_start_share(uniform[at].sum(), uniform[at.stop :].sum(), starts)
    return result


def best_start_share(here: float, worse: float, starts: int) -> float:
    """P(the best of so many uniform programs is at a level) over P(a single one is), without cancellation."""
    with np.errstate(divide="ignore"):
        at_least, below = np.log(np.array([worse + here])), np.log(np.array([worse]))
    return float(share_of_best(at_least, below, starts)[0])


def reported(times: Times, uncounted: int, *, watch: TellProgress | None = None) -> tuple[Floats, Floats]:
    """Mean and mean square of max(0, T - uncounted) from every class, over searches that end.

    Offspring s = g λ + j is made if the search goes on for g generations and then makes more than j: the
    sums over s < c are Σ_g Q^g F_g, which is evaluated from the last g down.
    """
    if uncounted == 0:
        return times.mean, times.square
    chain, generations = times.chain, times.generations
    whole, rest = divmod(uncounted, chain.offspring)
    last, last_odd = _survived(times, rest)
    one, odd = _survived(times, chain.offspring)
    survived, weighed = last, last_odd + 2.0 * whole * chain.offspring * last
    for generation in reversed(range(whole)):
        survived = one + backwards(chain, generations, survived)
        here = odd + 2.0 * generation * chain.offspring * one
        weighed = here + backwards(chain, generations, weighed)
        if watch:
            watch("uncounted iterations", 1.0 - generation / whole)
    mean = times.mean - survived
    return mean, times.square - weighed - 2.0 * uncounted * mean


def _survived(times: Times, count: int) -> tuple[Floats, Floats]:
    """Σ_j P(T > j, the search ends) over j < count <= λ, and the same times 2j + 1."""
    if count == 0:
        return np.zeros_like(times.ends), np.zeros_like(times.ends)
    solved = np.concatenate([np.zeros(0), *(one.solved for one in times.generations)])
    log_unsolved, never = log_of_rest(solved), 1.0 - times.ends
    plain = geometric(log_unsolved, count) - count * never
    return plain, odd_geometric(log_unsolved, count) - float(count) ** 2 * never


def free_classes(chain: Chain, segment: Segment) -> Flags:
    """Which classes of a segment have a free connection: the sub-level i+ of Theorem 6."""
    flags = np.zeros(segment.keys.size, dtype=np.bool_)
    free_blocks(chain.tables, segment.active, chain.levels[segment.level], segment.keys, flags)
    return np.asarray(flags[segment.example % segment.keys.size])


def level_times(times: Times, start: Floats, *, watch: TellProgress | None = None) -> list[LevelTime]:
    """The expected iterations at each fitness, worst first, until the search ends or loses hope."""
    chain = times.chain
    count = visits(chain, times.generations, start, times.hopeful, watch=watch)
    free = [0.0] * len(chain.levels)
    bound = [0.0] * len(chain.levels)
    for generation in times.generations:
        segment = generation.segment
        made = geometric(log_of_rest(generation.solved), chain.offspring)
        spent = count[segment.classes] * made
        is_free = free_classes(chain, segment)
        free[segment.level] += float(spent[is_free].sum())
        bound[segment.level] += float(spent[~is_free].sum())
    order = reversed(range(len(chain.levels)))
    return [LevelTime(chain.levels[level], free[level], bound[level]) for level in order]
