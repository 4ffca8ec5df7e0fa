"""One generation of a search on the states of its chain, in the same form for every kind of chain.

T counts offspring until the first solved one. Let λ be the offspring per generation, p the probability that
one is solved, Q the transition operator on unsolved states, and k the probability that the search ends. Then
the mean h and the mean square m of T, over searches that end, are

    h = Σ_{j<λ} (1-p)^j - λ (1-k) + Q h,    m = Σ_{j<λ} (2j+1) (1-p)^j - λ² (1-k) + 2 λ Q h + Q m,

because a generation without a solved offspring makes λ offspring. A law that does not count c iterations
reports max(0, T - c), whose moments follow from P(T > s), s < c:

    E max(0, T-c) = E T - Σ_s P(T > s),
    E max(0, T-c)^2 = E T^2 - Σ_s (2s+1) P(T > s) - 2c E max(0, T-c).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.offspring_sums import geometric, log_of_rest, odd_geometric
from gatewalk.theory.chain.progress import TellProgress

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Transition:
    """One generation, for every unsolved state of a chain.

    solved: the chance that one offspring is solved. leaving: the chance that the search ends or the parent is
    replaced. best: the unsolved states of the best fitness. backwards: applies Q to values of states.
    forwards: the probabilities of all states one generation later. tie: the chance that a single equally fit
    offspring is accepted.
    """

    offspring: int
    tie: float
    solved: Floats
    leaving: Floats
    best: Flags
    backwards: Callable[[Floats], Floats]
    forwards: Callable[[Floats], Floats]


def offspring_made(transition: Transition, ends: Floats) -> Floats:
    """E[offspring in this generation; the search ends]: λ unless one of them is solved."""
    if transition.offspring == 1:
        return ends
    return geometric(log_of_rest(transition.solved), transition.offspring) - transition.offspring * (
        1.0 - ends
    )


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
    watch: TellProgress | None = None,
) -> tuple[Floats, Floats]:
    """Mean and mean square of max(0, T - uncounted) from every state, over searches that end.

    T exceeds s = g λ + j if the search continues for g generations and then makes more than j offspring. So
    the sums over s < c are Σ_g Q^g F_g, which is evaluated from the last g down.
    """
    if uncounted == 0:
        return mean, square
    whole, rest = divmod(uncounted, transition.offspring)
    last, last_odd = _survived(transition, ends, rest)
    one, odd = _survived(transition, ends, transition.offspring)
    survived, weighed = last, last_odd + 2.0 * whole * transition.offspring * last
    for generation in reversed(range(whole)):
        survived = one + transition.backwards(survived)
        here = odd + 2.0 * generation * transition.offspring * one
        weighed = here + transition.backwards(weighed)
        if watch:
            watch("uncounted iterations", 1.0 - generation / whole)
    mean = mean - survived
    return mean, square - weighed - 2.0 * uncounted * mean


def _survived(transition: Transition, ends: Floats, count: int) -> tuple[Floats, Floats]:
    """Σ_j P(T > j, the search ends) over j < count <= λ, and the same times 2j + 1."""
    if count == 0:
        return np.zeros_like(ends), np.zeros_like(ends)
    log_unsolved, never = log_of_rest(transition.solved), 1.0 - ends
    plain = geometric(log_unsolved, count) - count * never
    return plain, odd_geometric(log_unsolved, count) - float(count) ** 2 * never
