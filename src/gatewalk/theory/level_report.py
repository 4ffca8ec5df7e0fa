"""What watched runs say about each level, beside the estimates of the proofs of Theorems 3 and 6.

Per iteration at level i: p and q from i- (to a higher level, to i+), r and s from i+ (to a higher
level, back to i-). The proofs use p + q >= q'(i), r >= r'(i), s <= s'(i) and leave(i) >= s_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist

import numpy as np

from gatewalk.cgp.law import PAPER
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory import bounds, three_state
from gatewalk.theory.known_settings import check_known
from gatewalk.theory.levels import DOWN, OTHER, UP
from gatewalk.theory.watching import Watched, has_levels

DEVIATIONS = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Frequency:
    """A probability estimated from counts, with its 95 % interval (Wilson 1927); NaN without trials."""

    count: int
    trials: int
    value: float
    low: float
    high: float


def frequency(count: int, trials: int) -> Frequency:
    """count out of trials."""
    if trials == 0:
        return Frequency(0, 0, nan, 0.0, 1.0)
    squared = DEVIATIONS**2
    middle = (2 * count + squared) / (2 * (trials + squared))
    half = DEVIATIONS * sqrt(4 * count * (trials - count) / trials + squared) / (2 * (trials + squared))
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == trials else middle + half
    return Frequency(count, trials, count / trials, low, high)


@dataclass(frozen=True)
class Estimates:
    """The proofs' numbers for one level: s_i, q'(i), r'(i) from below and s'(i) from above.

    q' and s' count equally fit offspring and are None under strict selection.
    """

    leave: float
    raise_: float
    free: float | None
    lose: float | None


@dataclass(frozen=True)
class Level:
    """One level over all runs.

    runs: how many were there. waiting: mean iterations from its first visit to the first higher
    level, over runs that got higher. p, q, r, s: Lemma 5's chain. leave: to a higher level from
    either sub-level. chain: Lemma 5's E_1 (from i-) and E_2 (from i+) with the measured rates.
    dropped: iterations that lowered the level (incomplete training sets only). surplus: active
    gates that do not contribute, on average over iterations. neutral: equally fit offspring
    accepted per iteration. estimates: None where the proofs do not speak of these settings.
    """

    level: int
    runs: int
    minus: int
    plus: int
    waiting: float
    p: Frequency
    q: Frequency
    r: Frequency
    s: Frequency
    leave: Frequency
    chain: tuple[float, float]
    dropped: int
    surplus: float
    neutral: float
    estimates: Estimates | None

    @property
    def factors(self) -> dict[str, float]:
        """Measured over estimated; if these hold, at least 1, but at most 1 for lose."""
        if self.estimates is None:
            return {}
        found = {
            "leave": self.leave.value / self.estimates.leave,
            "raise_": self.r.value / self.estimates.raise_,
        }
        if self.estimates.free is not None and self.estimates.lose is not None:
            found["free"] = (self.p.value + self.q.value) / self.estimates.free
            found["lose"] = self.s.value / self.estimates.lose
        return found

    @property
    def exceeded(self) -> tuple[str, ...]:
        """Estimates that the measured rates contradict: their 95 % interval lies on the wrong side."""
        if self.estimates is None:
            return ()
        found = []
        if self.leave.high < self.estimates.leave:
            found.append("leave")
        if self.r.high < self.estimates.raise_:
            found.append("raise_")
        free, lose = self.estimates.free, self.estimates.lose
        if free is not None and frequency(self.p.count + self.q.count, self.p.trials).high < free:
            found.append("free")
        if lose is not None and self.s.low > lose:
            found.append("lose")
        return tuple(found)


def proofs_apply(made: Settings) -> bool:
    """Conjunctions, complete sets, SAM, the paper's law and enough nodes."""
    wanted = made.wanted
    return (
        wanted.family == "and"
        and has_levels(made)
        and made.training == "complete"
        and made.law == PAPER
        and made.mutation == "sam"
        and wanted.inputs >= 2
        and (made.nodes or 0) >= wanted.inputs - 1
    )


def proof_estimates(made: Settings, level: int) -> Estimates | None:
    """The proofs' numbers for a level; None where the proofs do not speak of these settings."""
    if not proofs_apply(made):
        return None
    n, nodes = made.n, made.nodes or 0
    return Estimates(
        leave=float(bounds.leave_level(n, nodes, level)),
        raise_=float(bounds.raise_free(n, nodes, level)),
        free=None if made.strict else float(bounds.free_connection(n, nodes, level)),
        lose=None if made.strict else float(bounds.lose_free(n, nodes)),
    )


def level_report(made: Settings, watched: Sequence[Watched]) -> tuple[Level, ...]:
    """Levels 1 to n - 1 over all watched runs."""
    check_known(made)
    if not has_levels(made):
        raise InputError(f"{made.target} with gates {','.join(made.gates)} has no levels: use and:N or or:N")
    moves = np.sum([item.tally.moves for item in watched], axis=0)
    neutral = np.sum([item.tally.neutral for item in watched], axis=0)
    surplus = np.sum([item.tally.surplus for item in watched], axis=0)
    first = np.array([item.tally.first for item in watched])
    n = made.n
    return tuple(
        _level(made, level, moves[level], neutral[level], surplus[level], first) for level in range(1, n)
    )


def _level(
    made: Settings,
    level: int,
    moves: np.ndarray,
    neutral: np.ndarray,
    surplus: np.ndarray,
    first: np.ndarray,
) -> Level:
    minus, plus = int(moves[0].sum()), int(moves[1].sum())
    p, q = frequency(int(moves[0, UP]), minus), frequency(int(moves[0, OTHER]), minus)
    r, s = frequency(int(moves[1, UP]), plus), frequency(int(moves[1, OTHER]), plus)
    here = first[:, level] >= 0
    later = np.where(first[:, level + 1 :] >= 0, first[:, level + 1 :], np.iinfo(np.int64).max).min(axis=1)
    left = here & (later < np.iinfo(np.int64).max) & (later > first[:, level])
    waits = (later - first[:, level])[left]
    total = minus + plus
    return Level(
        level=level,
        runs=int(here.sum()),
        minus=minus,
        plus=plus,
        waiting=float(waits.mean()) if waits.size else nan,
        p=p,
        q=q,
        r=r,
        s=s,
        leave=frequency(p.count + r.count, total),
        chain=_chain(p.value, q.value, r.value, s.value),
        dropped=int(moves[:, DOWN].sum()),
        surplus=float(surplus.sum() / total) if total else nan,
        neutral=float(neutral.sum() / total) if total else nan,
        estimates=proof_estimates(made, level),
    )


def _chain(p: float, q: float, r: float, s: float) -> tuple[float, float]:
    """Lemma 5's expected times with measured rates; NaN where a rate it needs was never seen."""
    if not (q > 0 and r > 0 and p + q <= 1 and r + s <= 1 and max(p, q, r, s) < 1):
        return nan, nan
    return three_state.expected_from_first(p, q, r, s), three_state.expected_from_second(p, q, r, s)
