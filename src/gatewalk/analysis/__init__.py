"""The reading of running times: cells as samples, curves, comparisons and figures."""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.analysis.cells import CellRuns as CellRuns
    from gatewalk.analysis.cells import cells_of as cells_of
    from gatewalk.analysis.comparisons import Comparisons as Comparisons
    from gatewalk.analysis.curves import curves as curves
    from gatewalk.analysis.distribution_figures import distributions_figure as distributions_figure
    from gatewalk.analysis.distribution_figures import ecdf_figure as ecdf_figure
    from gatewalk.analysis.growth_figures import growth_figure as growth_figure
    from gatewalk.analysis.growth_figures import ratio_figure as ratio_figure
    from gatewalk.analysis.observation_figures import drift_figure as drift_figure
    from gatewalk.analysis.observation_figures import level_figure as level_figure
    from gatewalk.analysis.observation_figures import trace_figure as trace_figure
    from gatewalk.analysis.plots import compare as compare
    from gatewalk.analysis.plots import growth_of as growth_of
    from gatewalk.analysis.plots import plot as plot
    from gatewalk.analysis.style import save as save
    from gatewalk.analysis.style import save_all as save_all
    from gatewalk.analysis.style import styled as styled
    from gatewalk.analysis.time_figures import success_figure as success_figure
    from gatewalk.analysis.time_figures import times_figure as times_figure

_HOME = {
    "CellRuns": "cells",
    "Comparisons": "comparisons",
    "cells_of": "cells",
    "compare": "plots",
    "curves": "curves",
    "distributions_figure": "distribution_figures",
    "drift_figure": "observation_figures",
    "ecdf_figure": "distribution_figures",
    "growth_figure": "growth_figures",
    "growth_of": "plots",
    "level_figure": "observation_figures",
    "plot": "plots",
    "ratio_figure": "growth_figures",
    "save": "style",
    "save_all": "style",
    "styled": "style",
    "success_figure": "time_figures",
    "times_figure": "time_figures",
    "trace_figure": "observation_figures",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
