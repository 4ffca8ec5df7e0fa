"""The whole distribution of the running time, P(T > t) for every t, from the chain step by step.

The steps can stop early, with a proven error, because what remains is a sum of geometric terms.

Strict selection: a parent at the best level stays until it is solved, with the same probability
each time. Once the probability of the other levels is below `EXACT`, the rest is Σ_x v_x r_x^k
over the classes x of that level, wrong by at most what was left out.

Non-strict selection: after long enough the probabilities of the classes only shrink, all by the
same factor ρ each generation. Let v be the probabilities, v' those one generation later,
ρ = |v'| / |v| in the 1-norm and r = v' - ρ v. Then Q'^k v = ρ^k v + Σ_{j<k} ρ^(k-1-j) Q'^j r, and
because Q' never increases the 1-norm, P(T > t + k) differs from ρ^k P(T > t) by at most
|r| / (1 - ρ): when that is below `EXACT`, the rest is one geometric term.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.errors import InputError
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.chain.sam.node_states import Floats
from gatewalk.theory.chain.solving import Flags, Transition

EXACT = 1e-12
CHECK_EVERY = 16
MOST_OFFSPRING = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class Distribution:
    """The distribution of T: P(T > t) is beyond[t] for small t, and then a sum of geometric terms.

    For t = len(beyond) + period * k + j it is never + Σ_i weights[i] * unsolved[i]**j * ratios[i]**k, up to
    `error`. T is the reported number of iterations, without uncounted ones.

    never: the probability that the search never ends; or not until the time that was asked for.
    """

    beyond: Floats
    period: int
    weights: Floats
    unsolved: Floats
    ratios: Floats
    error: float
    never: float

    def __repr__(self) -> str:
        never = f", never with {self.never:.3g}" if self.never else ""
        return (
            f"<Distribution of T: P(T = 0) = {self.cumulative(0):.4g}, "
            f"median {self.quantile(0.5):.6g}{never}, error at most {self.error:.1g}>"
        )

    def exceeds(self, t: int) -> float:
        """P(T > t)."""
        if t < 0:
            return 1.0
        if t < self.beyond.size:
            return float(self.beyond[t])
        periods, offspring = divmod(t - self.beyond.size, self.period)
        return self.never + float(self.weights @ (self.unsolved**offspring * self.ratios**periods))

    def cumulative(self, t: int) -> float:
        """P(T <= t)."""
        return 1.0 - self.exceeds(t)

    def quantile(self, probability: float) -> float:
        """The smallest t with P(T <= t) >= probability; infinite if there is none."""
        if not 0.0 <= probability < 1.0:
            raise InputError(f"a quantile needs a probability in [0, 1), not {probability}")
        allowed = 1.0 - probability
        if allowed <= self.never:
            return float("inf")
        if self.exceeds(0) <= allowed:
            return 0.0
        low, high = 0, 1
        while self.exceeds(high) > allowed:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.exceeds(middle) > allowed else (low, middle)
        return float(high)


def distribution_of(
    transition: Transition,
    hopeful: Flags,
    ends: Floats,
    start: Floats,
    *,
    uncounted: int = 0,
    most: int = 200_000,
    until: int | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> Distribution:
    """The distribution of T from a start, generation by generation until the rest is known.

    hopeful: the states from which the search may end.
    ends: the chance that it ends, from each state.
    until: all that is asked for: what ends later counts as if it never did, which may save most of the work.

    Raises `InputError` if `most` iterations are not enough.
    """
    if transition.offspring > MOST_OFFSPRING:
        raise InputError(
            f"the distribution is known for up to {MOST_OFFSPRING:,} offspring a generation, "
            f"not {transition.offspring:,}; ask for the mean and the deviation only"
        )
    period = transition.offspring
    unsolved = 1.0 - transition.solved
    never = float(start @ (1.0 - ends))
    # Probability that reaches a hopeless class stays there; only that of the other classes shrinks.
    now = np.where(hopeful, start, 0.0)
    lost = float(start.sum() - now.sum())
    beyond: list[float] = []
    while len(beyond) < most + uncounted:
        if len(beyond) >= uncounted and len(beyond) // period % CHECK_EVERY == 0:
            tail = (
                _geometric_tail(transition, hopeful, now)
                if transition.ties
                else _strict_tail(transition, now)
            )
            if tail is not None:
                weights, ratios, error = tail
                if period == 1 and ratios.size == 1:
                    weights, unsolved = np.array([weights.sum()]), np.ones(1)
                known = np.array(beyond[uncounted:])
                return Distribution(known, period, weights, unsolved, ratios, error, never)
            on_progress(1.0 - float(now.sum()), "distribution")
        if until is not None and len(beyond) > until + uncounted:
            known = np.array(beyond[uncounted:])
            nothing = np.zeros(1)
            return Distribution(known, period, nothing, nothing, nothing, 0.0, float(known[-1]))
        left = now
        for offspring in range(period):
            left = left * unsolved if offspring else now
            beyond.append(float(left.sum()) + lost)
        now = transition.forwards(now)
        lost += float(now[~hopeful].sum())
        now[~hopeful] = 0.0
    raise InputError(
        f"the distribution is not known after {most} iterations, with probability {now.sum():.1e} left: "
        "ask for the mean and the deviation only, or for a smaller case"
    )


Tail = tuple[Floats, Floats, float]  # probabilities, the factor by which each shrinks per generation, error


def _strict_tail(transition: Transition, now: Floats) -> Tail | None:
    left_out = float(now[~transition.best].sum())
    if left_out > EXACT:
        return None
    return np.where(transition.best, now, 0.0), 1.0 - transition.leaving, left_out


def _geometric_tail(transition: Transition, hopeful: Flags, now: Floats) -> Tail | None:
    mass = float(now.sum())
    if mass <= EXACT:
        return np.zeros_like(now), np.zeros(1), mass
    after = np.where(hopeful, transition.forwards(now), 0.0)
    ratio = float(after.sum()) / mass
    error = float(np.abs(after - ratio * now).sum()) / max(1.0 - ratio, EXACT)
    return (now, np.array([ratio]), error) if error <= EXACT else None
