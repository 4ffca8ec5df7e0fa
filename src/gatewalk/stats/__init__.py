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
    compare_reported,
    holm,
    magnitude,
    mann_whitney,
    together,
    vargha_delaney,
)
from gatewalk.stats.growth import (
    Estimate,
    Growth,
    excess,
    growth,
    local_exponents,
    log_linear,
    mean_time,
)
from gatewalk.stats.resampling import bootstrap, ert_interval
from gatewalk.stats.sample import MeanError, Sample, ert, mean_error, sample, success_rate
from gatewalk.stats.survival import kaplan_meier, log_rank, median, quantile

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
    "compare_reported",
    "ert",
    "ert_interval",
    "excess",
    "growth",
    "holm",
    "kaplan_meier",
    "local_exponents",
    "log_linear",
    "log_rank",
    "magnitude",
    "mann_whitney",
    "mean_error",
    "mean_time",
    "median",
    "quantile",
    "sample",
    "success_rate",
    "together",
    "vargha_delaney",
]
