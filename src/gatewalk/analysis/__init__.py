"""The reading of running times: statistics that know about censored runs, growth fits, figures.

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
    from gatewalk.analysis.figures import drift_figure as drift_figure
    from gatewalk.analysis.figures import growth_figure as growth_figure
    from gatewalk.analysis.figures import level_figure as level_figure
    from gatewalk.analysis.figures import ratio_figure as ratio_figure
    from gatewalk.analysis.figures import trace_figure as trace_figure
    from gatewalk.analysis.growth import Excess as Excess
    from gatewalk.analysis.growth import Fit as Fit
    from gatewalk.analysis.growth import Growth as Growth
    from gatewalk.analysis.growth import Model as Model
    from gatewalk.analysis.growth import excess as excess
    from gatewalk.analysis.growth import fit as fit
    from gatewalk.analysis.growth import growth as growth
    from gatewalk.analysis.growth import mean_time as mean_time
    from gatewalk.analysis.growth import ratios as ratios
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
    from gatewalk.analysis.survival import Curve as Curve
    from gatewalk.analysis.survival import kaplan_meier as kaplan_meier
    from gatewalk.analysis.survival import log_rank as log_rank
    from gatewalk.analysis.survival import median as median
    from gatewalk.analysis.survival import quantile as quantile
    from gatewalk.analysis.survival import running_time_ecdf as running_time_ecdf

_HOME = {
    "Comparison": "statistics",
    "Curve": "survival",
    "Excess": "growth",
    "Fit": "growth",
    "Growth": "growth",
    "Interval": "statistics",
    "Model": "growth",
    "Sample": "statistics",
    "bootstrap": "bootstrap",
    "drift_figure": "figures",
    "ert": "statistics",
    "ert_interval": "bootstrap",
    "excess": "growth",
    "fit": "growth",
    "growth": "growth",
    "growth_figure": "figures",
    "kaplan_meier": "survival",
    "level_figure": "figures",
    "log_rank": "survival",
    "mann_whitney": "statistics",
    "mean_time": "growth",
    "median": "survival",
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
    "success_rate": "statistics",
    "successful_runs": "statistics",
    "trace_figure": "figures",
    "vargha_delaney": "statistics",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
