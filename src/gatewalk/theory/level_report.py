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
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory import bounds, three_state
from gatewalk.theory.known_settings import check_known
from gatewalk.theory.levels import DOWN, OTHER, UP
from gatewalk.theory.run_intervals import LOGIT, ratio_intervals
from gatewalk.theory.statements import applied
from gatewalk.theory.watching import Watched, has_levels

DEVIATIONS = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Frequency:
    """A probability per iteration from counts, with its 95 % interval over runs; NaN without trials."""

    count: int
    trials: int
    value: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Do the runs say anything about it? Not if fewer than two of them tried."""
        return (self.low, self.high) != (0.0, 1.0)


def frequencies(counts: NDArray[np.int64], trials: NDArray[np.int64]) -> list[Frequency]:
    """Of each column, over the runs, which are the rows: intervals from whole runs (`run_intervals`).

    Without an event, or with nothing else, runs cannot be told apart: then Wilson's interval (1927).
    """
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    tried = (trials > 0).sum(axis=0)
    found = []
    for column, (count, total) in enumerate(zip(counts.sum(axis=0), trials.sum(axis=0), strict=True)):
        ends = float(low[column]), float(high[column])
        if tried[column] >= 2 and count in (0, total):
            ends = wilson(int(count), int(total))
        value = float(count / total) if total else nan
        found.append(Frequency(int(count), int(total), value, *ends))
    return found


def wilson(count: int, trials: int) -> tuple[float, float]:
    """Wilson's 95 % interval for independent trials."""
    squared = DEVIATIONS**2
    middle = (2 * count + squared) / (2 * (trials + squared))
    half = DEVIATIONS * sqrt(4 * count * (trials - count) / trials + squared) / (2 * (trials + squared))
    return (0.0 if count == 0 else middle - half), (1.0 if count == trials else middle + half)


@dataclass(frozen=True)
class Estimates:
    """The proofs' numbers for one level: s_i, q'(i), r'(i) from below and s'(i) from above.

    q' and s' count equally fit offspring and are None under strict selection.
    """

    leave: float
    raise_: float
    free: float | None
    lose: float | None

    @property
    def times(self) -> tuple[float, float | None]:
        """The proofs' time at the level: 1/s_i (Theorem 3), and 1/r' + 1/q' + s'/(r'q') (Theorem 6)."""
        if self.free is None or self.lose is None:
            return 1 / self.leave, None
        return 1 / self.leave, three_state.upper_bound_from_estimates(self.free, self.raise_, self.lose)


@dataclass(frozen=True)
class Level:
    """What was observed at one level i, over all runs; i⁻ and i⁺ are the sub-levels of Theorem 6.

    Attributes
    ----------
    level, runs
        The level, and how many runs were there.
    minus, plus
        Iterations that began at i⁻ and at i⁺.
    waiting
        Mean iterations from the first visit to the first higher level, over runs that got higher.
    p, q, r, s
        The rates of Lemma 5's chain.
    free
        p + q, any way out of i⁻.
    leave
        The rate at which a higher level is reached, from either sub-level.
    chain
        Lemma 5's expected times from i⁻ and from i⁺ with the measured rates.
    dropped
        Iterations that lowered the level; only on incomplete training sets.
    surplus
        Active gates that contribute nothing, on average over iterations.
    neutral
        Equally fit offspring accepted per iteration.
    estimates
        What the proofs say of this level; None where they do not speak of these settings.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.theory import observe_runs
    >>> level = observe_runs(settings("and:4"), seed=1, runs=3).levels[0]
    >>> level.level, level.runs <= 3
    (1, True)
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
    free: Frequency
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
            found["free"] = self.free.value / self.estimates.free
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
        if free is not None and self.free.high < free:
            found.append("free")
        if lose is not None and self.s.low > lose:
            found.append("lose")
        return tuple(found)


def proof_estimates(made: Settings, level: int) -> Estimates | None:
    """The proofs' numbers for a level: None where Theorem 3, and in part where Theorem 6 does not apply."""
    if applied("theorem3", made).value is None:
        return None
    n, nodes = made.n, made.nodes or 0
    has_neutral = applied("theorem6", made).value is not None
    return Estimates(
        leave=float(bounds.leave_level(n, nodes, level)),
        raise_=float(bounds.raise_free(n, nodes, level)),
        free=float(bounds.free_connection(n, nodes, level)) if has_neutral else None,
        lose=float(bounds.lose_free(n, nodes)) if has_neutral else None,
    )


def level_report(made: Settings, watched: Sequence[Watched]) -> tuple[Level, ...]:
    """Levels 1 to n - 1 over all watched runs."""
    check_known(made)
    if not has_levels(made):
        raise InputError(f"{made.label} with gates {','.join(made.gates)} has no levels: use and:N or or:N")
    n = made.n
    moves = np.array([item.tally.moves for item in watched])[:, 1:n]  # run, level, sub-level, move
    at_minus, at_plus = moves[:, :, 0].sum(axis=2), moves[:, :, 1].sum(axis=2)
    rates = {
        "p": (moves[:, :, 0, UP], at_minus),
        "q": (moves[:, :, 0, OTHER], at_minus),
        "r": (moves[:, :, 1, UP], at_plus),
        "s": (moves[:, :, 1, OTHER], at_plus),
        "free": (moves[:, :, 0, UP] + moves[:, :, 0, OTHER], at_minus),
        "leave": (moves[:, :, 0, UP] + moves[:, :, 1, UP], at_minus + at_plus),
    }
    found = {name: frequencies(counts, trials) for name, (counts, trials) in rates.items()}
    neutral = np.sum([item.tally.neutral for item in watched], axis=0).sum(axis=1)
    surplus = np.sum([item.tally.surplus for item in watched], axis=0).sum(axis=1)
    first = np.array([item.tally.first for item in watched])
    return tuple(
        _level(
            made,
            level,
            {name: each[level - 1] for name, each in found.items()},
            dropped=int(moves[:, level - 1, :, DOWN].sum()),
            neutral=int(neutral[level]),
            surplus=int(surplus[level]),
            first=first,
        )
        for level in range(1, n)
    )


def _level(
    made: Settings,
    level: int,
    rates: dict[str, Frequency],
    *,
    dropped: int,
    neutral: int,
    surplus: int,
    first: NDArray[np.int64],
) -> Level:
    here = first[:, level] >= 0
    later = np.where(first[:, level + 1 :] >= 0, first[:, level + 1 :], np.iinfo(np.int64).max).min(axis=1)
    left = here & (later < np.iinfo(np.int64).max) & (later > first[:, level])
    waits = (later - first[:, level])[left]
    total = rates["leave"].trials
    return Level(
        level=level,
        runs=int(here.sum()),
        minus=rates["p"].trials,
        plus=rates["r"].trials,
        waiting=float(waits.mean()) if waits.size else nan,
        **rates,
        chain=_chain(*(rates[name].value for name in ("p", "q", "r", "s"))),
        dropped=dropped,
        surplus=surplus / total if total else nan,
        neutral=neutral / total if total else nan,
        estimates=proof_estimates(made, level),
    )


def _chain(p: float, q: float, r: float, s: float) -> tuple[float, float]:
    """Lemma 5's expected times with measured rates; NaN where a rate it needs was never seen."""
    if not (q > 0 and r > 0 and p + q <= 1 and r + s <= 1 and max(p, q, r, s) < 1):
        return nan, nan
    return three_state.expected_from_first(p, q, r, s), three_state.expected_from_second(p, q, r, s)
