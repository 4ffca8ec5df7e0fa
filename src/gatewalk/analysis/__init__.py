"""The reading of running times: cells as samples, curves, comparisons and figures."""

from __future__ import annotations

from gatewalk.analysis.cells import CellRuns, cells_of
from gatewalk.analysis.curves import Curves, curves, fits
from gatewalk.analysis.distribution_figures import draw_distribution
from gatewalk.analysis.growth_figures import growth_figure
from gatewalk.analysis.observation_figures import drift_figure, level_figure
from gatewalk.analysis.time_figures import draw_curve, draw_errors, draw_times, times_figure

__all__ = [
    "CellRuns",
    "Curves",
    "cells_of",
    "curves",
    "draw_curve",
    "draw_distribution",
    "draw_errors",
    "draw_times",
    "drift_figure",
    "fits",
    "growth_figure",
    "level_figure",
    "times_figure",
]
