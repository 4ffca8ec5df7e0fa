"""Running times along an axis: a curve for each group of settings, with bounds and exact expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.curves import NUMBERS, Curves, curves, settings_along
from gatewalk.analysis.ert_band import ert_band
from gatewalk.analysis.known_times import Bound, exact_time_and_law, upper_bound
from gatewalk.analysis.statistics import Interval, Sample, ert
from gatewalk.analysis.survival import median
from gatewalk.report.sections.cells import Cells, Tell
from gatewalk.report.sections.numbers import all_finite, counted, finite
from gatewalk.search.settings import Settings, law_text

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution

AXIS_WORDS = {
    "n": "number of inputs n",
    "nodes": "number of nodes D",
    "lambda": "offspring a generation λ",
    "budget": "budget in iterations",
}
MOST_CURVES = 200  # shown in the page
_MEMORY = 10_000_000  # bytes: larger chains are not solved
_MOST_CHAINS = 40


@dataclass
class Known:
    """Bounds and exact times of searches, computed once per law, also if the report is renewed many times."""

    bounds: dict[str, Bound | None] = field(default_factory=dict)
    exact: dict[str, tuple[float | None, Distribution | None]] = field(default_factory=dict)

    def bound(self, settings: Settings) -> Bound | None:
        """A proven upper bound on the expected iterations."""
        law = law_text(settings)
        if law not in self.bounds:
            self.bounds[law] = upper_bound(settings)
        return self.bounds[law]

    def exactly(self, settings: Settings) -> tuple[float | None, Distribution | None]:
        """The expected iterations and their distribution, for at most `_MOST_CHAINS` small chains."""
        law = law_text(settings)
        if law not in self.exact:
            if sum(time is not None for time, _ in self.exact.values()) >= _MOST_CHAINS:
                return None, None
            self.exact[law] = exact_time_and_law(settings, memory=_MEMORY)
        return self.exact[law]


def axes_of(cells: Cells) -> list[str]:
    """The settings that are useful as an axis: numeric ones that differ; n if none does."""
    found = []
    for x in ("n", *NUMBERS):
        along = curves(cells.runs, x)
        if any(len(places) > 1 for places in along.values()):
            found.append(x)
    return found or ["n"]


def times(cells: Cells, known: Known, *, tell: Tell | None = None) -> dict[str, Any]:
    """Expected running times, their intervals, bounds and exact values, for every axis.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> both = campaign(target="and", n=[2, 3], replications=5, seed=7)
    >>> found = times(read_cells(run(both, jobs=1)), Known())
    >>> found["axes"][0]["words"], found["axes"][0]["curves"][0]["at"]
    ('number of inputs n', [2, 3])
    """
    if not cells.read:
        return {"axes": [], "reason": "There is no finished run yet."}
    bands: dict[int, Interval] = {}
    axes = [_axis(cells, x, known, bands, tell) for x in axes_of(cells)]
    return {"axes": axes, "reason": ""}


def _axis(
    cells: Cells, x: str, known: Known, bands: dict[int, Interval], tell: Tell | None
) -> dict[str, Any]:
    along = curves(cells.runs, x)
    settings = settings_along(cells.runs, x)
    names = list(along)[:MOST_CURVES]
    found = []
    for place, name in enumerate(names):
        if tell is not None:
            tell("bounds, intervals and exact times", place / len(names))
        found.append(_curve(name, along[name], settings[name], known, bands))
    left_out = len(along) - len(names)
    return {
        "x": x,
        "words": AXIS_WORDS.get(x, x),
        "curves": found,
        "note": f"{counted(left_out, 'more curve')} left out of this page." if left_out else "",
    }


def _curve(
    name: str,
    along: Mapping[int, Sample],
    settings: Mapping[int, Settings],
    known: Known,
    bands: dict[int, Interval],
) -> dict[str, Any]:
    for data in along.values():
        bands.setdefault(id(data), ert_band(data))  # the same sample may be on several axes
    spans = [bands[id(data)] for data in along.values()]
    limits = [known.bound(settings[at]) for at in along]
    named = sorted({bound.name for bound in limits if bound is not None})
    return {
        "name": name,
        "at": list(along),
        "runs": [data.runs for data in along.values()],
        "solved": [data.successes for data in along.values()],
        "spent": all_finite(float(data.iterations.sum()) for data in along.values()),
        "ert": all_finite(ert(data) for data in along.values()),
        "low": all_finite(span.low for span in spans),
        "high": all_finite(span.high for span in spans),
        "median": all_finite(median(data).value for data in along.values()),
        "bound": all_finite(None if bound is None else bound.value for bound in limits),
        "boundName": ", ".join(named),
        "exact": [finite(known.exactly(settings[at])[0]) for at in along],
    }


def curves_along_n(cells: Cells) -> Curves:
    """The curves along n that the page shows."""
    found = curves(cells.runs)
    return dict(list(found.items())[:MOST_CURVES])
