"""Statistics of running times that count censored runs: samples, intervals, survival, comparisons, growth.

>>> from gatewalk.stats import ert, sample
>>> ert(sample([3, 5, 10], [True, True, False]))
9.0
"""

from __future__ import annotations

from gatewalk.stats.comparison import (
    CellComparison,
    Reported,
    ReportedComparison,
    chi_square,
    compare,
    holm,
    magnitude,
    mann_whitney,
)
from gatewalk.stats.growth import (
    Estimate,
    Growth,
    excess,
    growth,
    log_linear,
    mean_time,
)
from gatewalk.stats.resampling import bootstrap
from gatewalk.stats.sample import MeanError, Sample, ert, sample, success_rate
from gatewalk.stats.survival import kaplan_meier, log_rank, median

__all__ = [
    "CellComparison",
    "Estimate",
    "Growth",
    "MeanError",
    "Reported",
    "ReportedComparison",
    "Sample",
    "bootstrap",
    "chi_square",
    "compare",
    "ert",
    "excess",
    "growth",
    "holm",
    "kaplan_meier",
    "log_linear",
    "log_rank",
    "magnitude",
    "mann_whitney",
    "mean_time",
    "median",
    "sample",
    "success_rate",
]
