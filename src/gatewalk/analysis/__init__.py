"""The reading of running times: cells as samples, curves, comparisons and figures."""

from __future__ import annotations

from gatewalk.analysis.cells import CellRuns, cells_of, sample_errors
from gatewalk.analysis.curves import Curves, curves, fits
from gatewalk.analysis.distribution_figures import draw_law, draw_steps
from gatewalk.analysis.growth_figures import growth_figure
from gatewalk.analysis.observation_figures import drift_figure, level_figure
from gatewalk.analysis.plots import compare, exact_fits, plot
from gatewalk.analysis.style import save, styled
from gatewalk.analysis.time_figures import draw_curve, draw_errors, draw_times, times_figure

__all__ = [
    "CellRuns",
    "Curves",
    "cells_of",
    "compare",
    "curves",
    "draw_curve",
    "draw_errors",
    "draw_law",
    "draw_steps",
    "draw_times",
    "drift_figure",
    "exact_fits",
    "fits",
    "growth_figure",
    "level_figure",
    "plot",
    "sample_errors",
    "save",
    "styled",
    "times_figure",
]
