"""Hitting times of the chain of SAM: expectation, deviation and time spent at each level.

The equations are in `transition`. If classes can be reached from which no search ends, all times are those
of the searches that do end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from gatewalk.theory.chain.generations import Generation, generations_of, onward, onward_transposed
from gatewalk.theory.chain.level_solver import hopeful_classes, solve, visits
from gatewalk.theory.chain.markov_chain import Chain, Segment
from gatewalk.theory.chain.moves import free_blocks
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.offspring_sums import geometric, log_of_rest, share_of_best
from gatewalk.theory.chain.progress import TellProgress, part_of
from gatewalk.theory.chain.transition import Flags, Transition, moments_reported, offspring_made, squares_made


@dataclass(frozen=True, eq=False)
class Times:
    """The solution from each class: P(the search ends), E[T; it ends] and E[T²; it ends]."""

    chain: Chain
    generations: list[Generation]
    transition: Transition
    hopeful: Flags
    ends: Floats
    mean: Floats
    square: Floats


@dataclass(frozen=True)
class LevelTime:
    """Expected iterations at one fitness: with a free connection (i+ of Theorem 6) and without (i-)."""

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
    transition = transition_of(chain, generations)
    ends = np.ones(chain.classes)
    if not hopeful.all():
        once = -np.expm1(chain.offspring * log_of_rest(transition.solved))
        ends = solve(chain, generations, once, hopeful, what="hope", watch=part_of(watch, 0.0, 0.2))
    told = part_of(watch, 0.2, 0.6)
    mean = solve(chain, generations, offspring_made(transition, ends), hopeful, what="mean", watch=told)
    told = part_of(watch, 0.6, 1.0)
    squares = squares_made(transition, ends, mean)
    square = solve(chain, generations, squares, hopeful, what="deviation", watch=told)
    return Times(chain, generations, transition, hopeful, ends, mean, square)


def transition_of(chain: Chain, generations: list[Generation]) -> Transition:
    """The chain of SAM in the form that all kinds of chains share."""
    best = np.zeros(chain.classes, dtype=np.bool_)
    best[: chain.level_start[1] if chain.levels else 0] = True
    return Transition(
        chain.offspring,
        chain.tie,
        np.concatenate([np.zeros(0), *(generation.solved for generation in generations)]),
        np.concatenate([np.zeros(0), *(generation.leaving for generation in generations)]),
        best,
        partial(backwards, chain, generations),
        partial(forwards, chain, generations),
    )


def backwards(chain: Chain, generations: list[Generation], values: Floats) -> Floats:
    """Apply Q to values of all classes."""
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
    """P(the best of `starts` uniform programs is at a level) / P(a single one is), without cancellation."""
    with np.errstate(divide="ignore"):
        at_least, below = np.log(np.array([worse + here])), np.log(np.array([worse]))
    return float(share_of_best(at_least, below, starts)[0])


def reported(times: Times, uncounted: int, *, watch: TellProgress | None = None) -> tuple[Floats, Floats]:
    """Mean and mean square of max(0, T - uncounted) from every class, over searches that end."""
    return moments_reported(times.transition, times.ends, times.mean, times.square, uncounted, watch=watch)


def free_classes(chain: Chain, segment: Segment) -> Flags:
    """Which classes of a segment have a free connection, that is, are at the sub-level i+ of Theorem 6."""
    flags = np.zeros(segment.keys.size, dtype=np.bool_)
    free_blocks(chain.tables, segment.active, chain.levels[segment.level], segment.keys, flags)
    return np.asarray(flags[segment.example % segment.keys.size])


def level_times(times: Times, start: Floats, *, watch: TellProgress | None = None) -> list[LevelTime]:
    """The expected iterations at each fitness, worst first, until the search ends or can no longer end."""
    chain = times.chain
    count = visits(chain, times.generations, start, times.hopeful, watch=watch)
    free = [0.0] * len(chain.levels)
    bound = [0.0] * len(chain.levels)
    for generation in times.generations:
        segment = generation.segment
        offspring = geometric(log_of_rest(generation.solved), chain.offspring)
        spent = count[segment.classes] * offspring
        is_free = free_classes(chain, segment)
        free[segment.level] += float(spent[is_free].sum())
        bound[segment.level] += float(spent[~is_free].sum())
    order = reversed(range(len(chain.levels)))
    return [LevelTime(chain.levels[level], free[level], bound[level]) for level in order]
