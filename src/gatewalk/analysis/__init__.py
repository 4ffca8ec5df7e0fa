"""The analysis of running times: statistics that count censored runs, fits of growth, figures.

>>> from gatewalk.analysis import ert, sample
>>> ert(sample([3, 5, 10], [True, True, False]))
9.0
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.analysis.bootstrap import bootstrap as bootstrap
    from gatewalk.analysis.bootstrap import ert_interval as ert_interval
    from gatewalk.analysis.cells import CellRuns as CellRuns
    from gatewalk.analysis.cells import cells_of as cells_of
    from gatewalk.analysis.comparing import Comparisons as Comparisons
    from gatewalk.analysis.comparing import holm as holm
    from gatewalk.analysis.curves import curves as curves
    from gatewalk.analysis.distribution_figures import distributions_figure as distributions_figure
    from gatewalk.analysis.distribution_figures import ecdf_figure as ecdf_figure
    from gatewalk.analysis.figures import drift_figure as drift_figure
    from gatewalk.analysis.figures import growth_figure as growth_figure
    from gatewalk.analysis.figures import level_figure as level_figure
    from gatewalk.analysis.figures import ratio_figure as ratio_figure
    from gatewalk.analysis.figures import trace_figure as trace_figure
    from gatewalk.analysis.fixed_target import fixed_target as fixed_target
    from gatewalk.analysis.growth import Excess as Excess
    from gatewalk.analysis.growth import Fit as Fit
    from gatewalk.analysis.growth import Growth as Growth
    from gatewalk.analysis.growth import Model as Model
    from gatewalk.analysis.growth import excess as excess
    from gatewalk.analysis.growth import fit as fit
    from gatewalk.analysis.growth import growth as growth
    from gatewalk.analysis.growth import mean_time as mean_time
    from gatewalk.analysis.growth import ratios as ratios
    from gatewalk.analysis.local_exponents import LocalExponent as LocalExponent
    from gatewalk.analysis.local_exponents import local_exponents as local_exponents
    from gatewalk.analysis.plots import compare as compare
    from gatewalk.analysis.plots import growth_of as growth_of
    from gatewalk.analysis.plots import plot as plot
    from gatewalk.analysis.reading import read_runs as read_runs
    from gatewalk.analysis.reading import series as series
    from gatewalk.analysis.statistics import Comparison as Comparison
    from gatewalk.analysis.statistics import Interval as Interval
    from gatewalk.analysis.statistics import Sample as Sample
    from gatewalk.analysis.statistics import ert as ert
    from gatewalk.analysis.statistics import mann_whitney as mann_whitney
    from gatewalk.analysis.statistics import sample as sample
    from gatewalk.analysis.statistics import success_rate as success_rate
    from gatewalk.analysis.statistics import successful_runs as successful_runs
    from gatewalk.analysis.statistics import vargha_delaney as vargha_delaney
    from gatewalk.analysis.style import save as save
    from gatewalk.analysis.style import save_all as save_all
    from gatewalk.analysis.style import styled as styled
    from gatewalk.analysis.success_figure import success_figure as success_figure
    from gatewalk.analysis.survival import Curve as Curve
    from gatewalk.analysis.survival import kaplan_meier as kaplan_meier
    from gatewalk.analysis.survival import log_rank as log_rank
    from gatewalk.analysis.survival import median as median
    from gatewalk.analysis.survival import quantile as quantile
    from gatewalk.analysis.survival import running_time_ecdf as running_time_ecdf
    from gatewalk.analysis.time_figure import times_figure as times_figure

_HOME = {
    "CellRuns": "cells",
    "Comparison": "statistics",
    "Comparisons": "comparing",
    "Curve": "survival",
    "Excess": "growth",
    "Fit": "growth",
    "Growth": "growth",
    "Interval": "statistics",
    "LocalExponent": "local_exponents",
    "Model": "growth",
    "Sample": "statistics",
    "bootstrap": "bootstrap",
    "cells_of": "cells",
    "compare": "plots",
    "curves": "curves",
    "distributions_figure": "distribution_figures",
    "drift_figure": "figures",
    "ecdf_figure": "distribution_figures",
    "ert": "statistics",
    "ert_interval": "bootstrap",
    "excess": "growth",
    "fit": "growth",
    "fixed_target": "fixed_target",
    "growth": "growth",
    "growth_figure": "figures",
    "growth_of": "plots",
    "holm": "comparing",
    "kaplan_meier": "survival",
    "level_figure": "figures",
    "local_exponents": "local_exponents",
    "log_rank": "survival",
    "mann_whitney": "statistics",
    "mean_time": "growth",
    "median": "survival",
    "plot": "plots",
    "quantile": "survival",
    "ratio_figure": "figures",
    "ratios": "growth",
    "read_runs": "reading",
    "running_time_ecdf": "survival",
    "sample": "statistics",
    "save": "style",
    "save_all": "style",
    "series": "reading",
    "styled": "style",
    "success_figure": "success_figure",
    "success_rate": "statistics",
    "successful_runs": "statistics",
    "times_figure": "time_figure",
    "trace_figure": "figures",
    "vargha_delaney": "statistics",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
