"""Whether one model is faster than another, over all n: van Elteren's stratified rank test, effect sizes.

The effect is the mean over n of A12, the probability that a run of the first model is faster, and the ratio
of expected running times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite, log, nan

import numpy as np

from gatewalk.stats.comparison import magnitude, mann_whitney, van_elteren, vargha_delaney
from gatewalk.stats.sample import Sample, ert

CLEAR = 0.01  # the level of a contrast, before the correction for their number


@dataclass(frozen=True)
class Contrast:
    """The first model compared with the second, over the sizes that both have.

    a12: mean probability that the first is faster. ratio: geometric mean of ERT(second)/ERT(first)
    over the sizes where both succeeded, `ratio_sizes` of them. against: sizes at which the second is
    clearly faster (p < 0.01 there).
    """

    first: str
    second: str
    selection: str
    sizes: tuple[int, ...]
    replications: int
    a12: float
    ratio: float
    ratio_sizes: int
    p_value: float
    against: tuple[int, ...]

    @property
    def effect(self) -> str:
        return magnitude(self.a12)


def contrast(
    first: dict[int, Sample], second: dict[int, Sample], names: tuple[str, str], selection: str
) -> Contrast:
    """Compare two curves."""
    sizes = tuple(n for n in first if n in second)
    pairs = [(first[n], second[n]) for n in sizes]
    ratios = [ert(b) / ert(a) for a, b in pairs if a.successes and b.successes and ert(a) > 0 < ert(b)]
    against = []
    for n, (a, b) in zip(sizes, pairs, strict=True):
        single = mann_whitney(a, b)
        if single.a12 < 0.5 and single.p_value < CLEAR:
            against.append(n)
    return Contrast(
        first=names[0],
        second=names[1],
        selection=selection,
        sizes=sizes,
        replications=min((min(a.runs, b.runs) for a, b in pairs), default=0),
        a12=float(np.mean([vargha_delaney(a, b) for a, b in pairs])) if pairs else nan,
        ratio=exp(float(np.mean([log(ratio) for ratio in ratios]))) if ratios else nan,
        ratio_sizes=len(ratios),
        p_value=van_elteren(pairs),
        against=tuple(against),
    )


def holds(contrasts: list[Contrast]) -> list[bool]:
    """Which contrasts are clear in the claimed direction, Bonferroni-corrected for their number."""
    level = CLEAR / max(1, len(contrasts))
    return [found.a12 > 0.5 and isfinite(found.p_value) and found.p_value < level for found in contrasts]
