"""Whether one model is faster than another, over all n: van Elteren's stratified rank test, effect sizes.

Within each n the runs of two models are ranked together, failed runs behind every success; the rank
sums are added with weights 1/(N + 1) (van Elteren 1960). The effect is the mean over n of A12, the
probability that a run of the first model is faster, and the ratio of expected running times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, isfinite, log, nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Sample, ert, magnitude, mann_whitney, vargha_delaney

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


def van_elteren(pairs: list[tuple[Sample, Sample]]) -> float:
    """The two-sided p-value of the hypothesis that the samples of every pair have the same distribution."""
    distance, variance = 0.0, 0.0
    for a, b in pairs:
        values = np.concatenate([_ranked(a), _ranked(b)])
        ranks = stats.rankdata(values)
        total, size, other = values.size, a.runs, b.runs
        weight = 1 / (total + 1)
        distance += weight * (float(ranks[:size].sum()) - size * (total + 1) / 2)
        # With ties, the variance of a rank sum is that of sampling the ranks without replacement.
        variance += weight**2 * size * other / total * float(ranks.var(ddof=1))
    if variance == 0:
        return 1.0
    return float(2 * stats.norm.sf(abs(distance) / sqrt(variance)))


def _ranked(data: Sample) -> np.ndarray:
    return np.where(data.solved, data.iterations, np.inf)


def holds(contrasts: list[Contrast]) -> list[bool]:
    """Which contrasts are clear in the claimed direction, Bonferroni-corrected for their number."""
    level = CLEAR / max(1, len(contrasts))
    return [found.a12 > 0.5 and isfinite(found.p_value) and found.p_value < level for found in contrasts]
