"""The reading of running times: cells as samples, curves, comparisons and figures."""

from __future__ import annotations

from gatewalk.analysis.cells import CellRuns, cells_of, sample_errors
from gatewalk.analysis.comparisons import Comparisons
from gatewalk.analysis.curves import Curves, curves, fits
from gatewalk.analysis.distribution_figures import (
    distribution_figure,
    distributions_figure,
    draw_law,
    draw_steps,
    ecdf_figure,
)
from gatewalk.analysis.growth_figures import growth_figure, ratio_figure
from gatewalk.analysis.observation_figures import drift_figure, level_figure, trace_figure
from gatewalk.analysis.plots import compare, growth_of, plot
from gatewalk.analysis.style import save, save_all, styled
from gatewalk.analysis.time_figures import (
    draw_curve,
    draw_errors,
    draw_times,
    label_marks,
    mark_entries,
    success_figure,
    times_figure,
)

__all__ = [
    "CellRuns",
    "Comparisons",
    "Curves",
    "cells_of",
    "compare",
    "curves",
    "distribution_figure",
    "distributions_figure",
    "draw_curve",
    "draw_errors",
    "draw_law",
    "draw_steps",
    "draw_times",
    "drift_figure",
    "ecdf_figure",
    "fits",
    "growth_figure",
    "growth_of",
    "label_marks",
    "level_figure",
    "mark_entries",
    "plot",
    "ratio_figure",
    "sample_errors",
    "save",
    "save_all",
    "styled",
    "success_figure",
    "times_figure",
    "trace_figure",
]
