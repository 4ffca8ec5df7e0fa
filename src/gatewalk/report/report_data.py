"""A store as plain data for its page: every section, or the reason why it is empty.

The data can be written as JSON. Names and labels are unescaped text, as in the store; the page shows them as
text.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from gatewalk.campaign.labels import duration
from gatewalk.campaign.results import Results
from gatewalk.campaign.status import status
from gatewalk.campaign.store_file import file_of, running
from gatewalk.report.sections.cells import Tell, read_cells
from gatewalk.report.sections.circuits import circuits
from gatewalk.report.sections.comparisons import comparisons
from gatewalk.report.sections.distributions import distributions
from gatewalk.report.sections.generalisation import generalisation
from gatewalk.report.sections.growth import Fits, growth_fits
from gatewalk.report.sections.origin import origin
from gatewalk.report.sections.overview import overview
from gatewalk.report.sections.times import Known, times
from gatewalk.version import __version__

_SHARES = (0.0, 0.25, 0.3, 0.45, 0.85, 0.95, 1.0)  # of the work: done before each step, and at the end


@dataclass
class Memory:
    """Results that need not be computed again when a report of the same store is renewed."""

    known: Known = field(default_factory=Known)
    fits: Fits = field(default_factory=dict)


def report_data(
    results: Results,
    *,
    memory: Memory | None = None,
    resamples: int | None = None,
    tolerance: float = 0.0,
    tell: Tell | None = None,
) -> dict[str, Any]:
    """All that the page of a store shows.

    Parameters
    ----------
    results
        The results of a store, finished or not, or of some of its cells.
    memory
        The memory of an earlier report of this store.
    resamples
        Of the bootstrap of growth fits.
    tolerance
        Growth fits in the memory are reused unless the number of runs has grown by more than this share.
    tell
        Called with the current step in words and the share of the work that is done.

    Raises
    ------
    InputError
        If the store is damaged.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> data = report_data(run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1))
    >>> data["overview"]["counts"]["runs"], data["growth"]["notes"][0][:25]
    (10, 'Not fitted: and: a growth')
    """
    memory = Memory() if memory is None else memory

    def part(number: int) -> Tell | None:
        return None if tell is None else _part(tell, _SHARES[number], _SHARES[number + 1])

    cells = read_cells(results, tell=part(0))
    shown = overview(cells)
    along = times(cells, memory.known, tell=part(1))
    steps = distributions(cells, memory.known)
    compared = comparisons(cells, tell=part(2))
    grown = growth_fits(cells, fits=memory.fits, tolerance=tolerance, resamples=resamples, tell=part(3))
    drawn = circuits(results, cells, tell=part(4))
    source = origin(results, cells)
    return {
        "name": source["name"] or source["pairs"][0][1],
        "gatewalk": __version__,
        "made": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "state": _state(results, source["state"], shown["counts"]),
        "overview": shown,
        "times": along,
        "distributions": steps,
        "growth": grown,
        "comparisons": compared,
        "generalisation": generalisation(cells),
        "circuits": drawn,
        "origin": source,
    }


def _part(tell: Tell, first: float, last: float) -> Tell:
    def told(words: str, share: float) -> None:
        tell(words, first + share * (last - first))

    return told


def _state(results: Results, said: str, counts: dict[str, Any]) -> dict[str, Any]:
    """Whether a campaign is running now, and a sentence on how far it is."""
    file = file_of(results.connection)
    active = bool(file) and running(file)
    words = f"{counts['runs']:,} of {counts['planned']:,} runs are stored"
    if counts["runs"] >= counts["planned"]:
        words = f"all {counts['planned']:,} runs are stored"
    if active:
        left = status(file).seconds_left
        words = f"running: {words}" + (f", about {duration(left)} left" if left else "")
    elif said == "running":
        words += "; the campaign was killed"
    elif said in ("interrupted", "failed"):
        words += f"; the campaign {'was interrupted' if said == 'interrupted' else 'failed'}"
    return {"running": active, "words": words}


def as_json(data: Any) -> str:
    """Data as JSON, escaped so that no browser takes a text in it for markup.

    >>> as_json({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
