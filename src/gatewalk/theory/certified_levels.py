"""Certified level constants of conjunctions: Theorem 6's method with the true probabilities of each level.

For level i, the proof of Theorem 6 estimates the chance r to rise from i+, the chance p + q to leave i- for
i+ or above, and the chance s to fall back from i+ to i-. Here these are computed for every program, from the
exact chain. Their extremes over all programs of the level,

    r = least r,    q = least p + q,    rho = greatest s / r,

bound the time at the level, from any program, by (1 + rho)/q + 1/r. The sum over levels bounds E[T] from any
start. The proof, in docs/theory/certified-levels.md, has no gap; but each certificate is for one (n, D) only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.errors import InputError
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.generations import chance_to
from gatewalk.theory.chain.hitting_times import free_classes
from gatewalk.theory.chain.markov_chain import Chain
from gatewalk.theory.chain.progress import TellProgress
from gatewalk.theory.chain.sam_search import built
from gatewalk.theory.chain.size_check import MEMORY

ROUNDING = 1e-12  # more than the error of a computed probability; every constant is made worse by so much


@dataclass(frozen=True)
class LevelConstants:
    """The extremes over the programs of a level, each on the safe side of rounding.

    level: the number of inputs in use. rise: the least chance to leave i+ for a higher level; None if no
    program is at i+. leave: the least chance to leave i- for i+ or a higher level; None if no program is at
    i-. fall: the greatest ratio of the chance to fall from i+ to i- and the chance to rise.
    """

    level: int
    rise: float | None
    leave: float | None
    fall: float

    @property
    def time(self) -> float:
        """An upper bound on the expected iterations at the level, from any of its programs."""
        rise = 0.0 if self.rise is None else 1 / self.rise
        leave = 0.0 if self.leave is None else (1 + self.fall) / self.leave
        return rise + leave


@dataclass(frozen=True)
class CertifiedLevels:
    """The constants of all levels below the optimum, lowest first."""

    settings: Settings
    levels: tuple[LevelConstants, ...]

    @property
    def bound(self) -> float:
        """An upper bound on E[T], whatever the start."""
        return sum(one.time for one in self.levels)


def certified_levels(
    settings: Settings, *, memory: int = MEMORY, watch: TellProgress | None = None
) -> CertifiedLevels:
    """The constants for these settings: conjunctions, non-strict selection, SAM, one offspring.

    Examples
    --------
    >>> from gatewalk import settings
    >>> round(certified_levels(settings("and:3", nodes=2)).bound)
    186
    """
    if settings.wanted.family != "and" or settings.gates != ("and",):
        raise InputError("levels are certified for and:N with gates and")
    if settings.strict or settings.offspring != 1:
        raise InputError("levels are certified for --selection nonstrict and --lambda 1")
    chain = built(settings, memory=memory, watch=watch)
    plus = np.concatenate([np.zeros(0), *(free_classes(chain, one) for one in chain.segments)])
    found = []
    for level in reversed(range(len(chain.levels))):
        found.append(_constants(chain, level, plus))
        if watch:
            watch("levels", len(found) / len(chain.levels))
    return CertifiedLevels(settings, tuple(found))


def _constants(chain: Chain, level: int, plus: np.ndarray) -> LevelConstants:
    first, last = chain.level_start[level], chain.level_start[level + 1]
    rise, leave, fall = [], [], []
    for segment in chain.at_level(level):
        here = plus[segment.classes] > 0
        up = chance_to(chain, segment, np.ones(chain.classes), 0, first, solved=1.0)
        if here.any():
            rise.append(up[here].min() - ROUNDING)
            down = chance_to(chain, segment, 1.0 - plus, first, last)[here] + ROUNDING
            fall.append((down / np.maximum(up[here] - ROUNDING, ROUNDING)).max())
        if not here.all():
            across = chance_to(chain, segment, plus, first, last)
            leave.append((up + across)[~here].min() - ROUNDING)
    if any(one <= 0 for one in (*rise, *leave)):
        raise InputError("a program of this search cannot rise: its levels have no finite certificate")
    wrong = chain.levels[level]  # 2^(n-i) - 1 by Lemma 2
    return LevelConstants(
        chain.shape.inputs - (wrong + 1).bit_length() + 1,
        float(min(rise)) if rise else None,
        float(min(leave)) if leave else None,
        float(max(fall, default=0.0)),
    )
