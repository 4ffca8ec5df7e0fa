"""Statistics of running times that count censored runs: samples, intervals, survival, comparisons, growth.

>>> from gatewalk.stats import ert, sample
>>> ert(sample([3, 5, 10], [True, True, False]))
9.0
"""

from __future__ import annotations

from gatewalk.stats.comparison import Comparison, holm, mann_whitney, vargha_delaney
from gatewalk.stats.growth import (
    Excess,
    Fit,
    Growth,
    LocalExponent,
    Model,
    excess,
    fit,
    growth,
    local_exponents,
    mean_time,
    ratios,
)
from gatewalk.stats.resampling import bootstrap, ert_interval
from gatewalk.stats.sample import Interval, Sample, ert, sample, success_rate, successful_runs
from gatewalk.stats.survival import (
    Curve,
    fixed_target,
    kaplan_meier,
    log_rank,
    median,
    quantile,
    running_time_ecdf,
)

__all__ = [
    "Comparison",
    "Curve",
    "Excess",
    "Fit",
    "Growth",
    "Interval",
    "LocalExponent",
    "Model",
    "Sample",
    "bootstrap",
    "ert",
    "ert_interval",
    "excess",
    "fit",
    "fixed_target",
    "growth",
    "holm",
    "kaplan_meier",
    "local_exponents",
    "log_rank",
    "mann_whitney",
    "mean_time",
    "median",
    "quantile",
    "ratios",
    "running_time_ecdf",
    "sample",
    "success_rate",
    "successful_runs",
    "vargha_delaney",
]
