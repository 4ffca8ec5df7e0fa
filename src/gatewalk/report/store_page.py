"""The page of a store: `report("runs.sqlite", "report.html")` writes it, `follow` keeps it up to date.

The page is a frame, a style sheet, scripts and the data, from which the scripts build everything else. Names
and labels in the data are unescaped text, as in the store, and the scripts show them as text. A
Content-Security-Policy allows only these scripts, by their hash, and no requests. While a campaign runs, the
page reloads its own file, which is replaced by newer ones; the last one no longer does.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gatewalk.analysis.cells import read_cells
from gatewalk.campaign.export import complete_file, write_csv
from gatewalk.campaign.results import Results
from gatewalk.campaign.store_file import file_of, running
from gatewalk.errors import InputError, shown
from gatewalk.report.page import as_json, asset, filled
from gatewalk.report.store_charts import KnownTimes, distributions, generalisation, times
from gatewalk.report.store_tables import Fits, circuits, comparisons, growth_fits, origin, overview
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.chain.result import part_of
from gatewalk.version import __version__

MOST_BYTES = 3_000_000
MOST_RUNS = 100_000  # in a page
SUFFIXES = (".html", ".htm")
_SCRIPTS = ("parts", "chart", "times", "shares", "page")
_SHARES = (0.0, 0.2, 0.3, 0.35, 0.45, 0.85, 0.95)  # of the work: done before each step, and before packing

# While a campaign runs:
_LEAST_PAUSE = 2.0  # seconds between two pages
_EASE = 3  # the pause after a page, as a multiple of the time that it took: a quarter of a processor at most
_TOLERANCE = 0.2  # fits are repeated only if there are more new runs than this share
_RESAMPLES = 40  # of growth fits; few, because they are often repeated
_LOOK_SECONDS = 0.2  # how often to look whether the campaign has ended


def report(
    results: Results | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    on_progress: OnProgress = lambda share, words: None,
) -> None:
    """Write the page of a store: one HTML file that needs no network.

    results: of a campaign, a selection of them (`results.where(target="and:4")`), or the file of a store.
    out: the page, a file that ends in .html.

    Raises `InputError` if the store is damaged or the page cannot be written.

    >>> import tempfile
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report(results, f"{folder}/report.html")
    ...     print(len(os.listdir(folder)))
    1
    """
    path = Path(out)
    check_page_file(path)
    opened = nullcontext(results) if isinstance(results, Results) else Results.open(results)
    with opened as of_store:
        check_not_the_store(file_of(of_store.connection), path)
        text = report_text(of_store, on_progress=on_progress)
    write_page(text, path)


def follow(store: str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    """Rewrite the page of a store until no campaign is writing to it; the last page is that of `report`.

    At Ctrl-C the last complete page stays.
    """
    path = Path(out)
    check_page_file(path)
    check_not_the_store(store, path)
    memory = Memory()
    while running(store):
        began = time.monotonic()
        data = _data_while_running(store, memory)
        spent = time.monotonic() - began
        if data is not None:
            reload_seconds = max(_LEAST_PAUSE, (1 + _EASE) * spent)
            write_page(page_of(data, reload_seconds=reload_seconds), path)
        _wait(store, max(_LEAST_PAUSE, _EASE * spent))
    report(store, path)


def _data_while_running(store: str | os.PathLike[str], memory: Memory) -> dict[str, Any] | None:
    """The data of the page; None if the store cannot be read at this moment, as just after its beginning."""
    try:
        with Results.open(store) as results:
            return page_data(results, memory=memory, resamples=_RESAMPLES, tolerance=_TOLERANCE)
    except InputError:
        return None


def _wait(store: str | os.PathLike[str], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and running(store):
        time.sleep(_LOOK_SECONDS)


def report_text(results: Results, *, on_progress: OnProgress = lambda share, words: None) -> str:
    """The page as HTML; it contains all runs for download if that keeps it small enough."""
    data = page_data(results, on_progress=on_progress)
    on_progress(_SHARES[-1], "packing the runs for download")
    left = MOST_BYTES - len(page_of(data).encode())
    return page_of(data, runs=runs_csv(results, most_bytes=left))


def write_page(text: str, path: Path) -> None:
    """Write a page; whoever reads the file sees the page before it or this one, and never a part."""
    with complete_file(path) as part:
        part.write_text(text, encoding="utf-8")


def check_page_file(path: Path) -> None:
    """Refuse a file name that a browser would not open as a page."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{shown(str(path))} is not the name of a page; it must end in {SUFFIXES[0]}")


def check_not_the_store(store: str | os.PathLike[str], path: Path) -> None:
    """Refuse to overwrite a store, which need not exist and may be in memory (""), with its page."""
    both_exist = os.path.exists(store) and path.exists()
    if os.path.abspath(store) == os.path.abspath(path) or (both_exist and os.path.samefile(store, path)):
        raise InputError(f"{path} is the store itself; give the page another name")


def page_of(data: dict[str, Any] | None, *, runs: str | None = None, reload_seconds: float = 0.0) -> str:
    """The page as HTML.

    data: from `page_data`; None before the first run.
    runs: from `runs_csv`.
    reload_seconds: after how long the page loads itself again; 0 for never.

    >>> page_of(None).startswith("<!doctype html>")
    True
    """
    title = "Campaign" if data is None else str(data["name"])
    return filled(
        "store.html",
        {
            "policy": escape(policy()),
            "title": escape(f"{title} · Gatewalk"),
            "heading": escape(title),
            "style": style(),
            "version": escape(__version__),
            "reload": f"{reload_seconds:.1f}" if reload_seconds else "",
            "data": "null" if data is None else as_json(data),
            "runs": runs or "",
            "script": script(),
        },
    )


def policy() -> str:
    """The Content-Security-Policy of the page."""
    digest = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


@cache
def script() -> str:
    """The chart library and the scripts of the page, as one."""
    own = "\n".join(asset(f"store_{name}.js") for name in _SCRIPTS)
    return f"{_vendored('uPlot.iife.min.js')}\n(() => {{\n'use strict';\n{own}\n}})();\n"


@cache
def style() -> str:
    """The style sheet common to all pages, that of the charts, and the rules of this page."""
    return f"{asset('page.css')}{_vendored('uPlot.min.css')}\n{asset('store.css')}"


def _vendored(name: str) -> str:
    return files("gatewalk.report").joinpath("vendor", name).read_text(encoding="utf-8")


@dataclass
class Memory:
    """Results that need not be computed again when the page of the same store is renewed."""

    known: KnownTimes = field(default_factory=KnownTimes)
    fits: Fits = field(default_factory=dict)


def page_data(
    results: Results,
    *,
    memory: Memory | None = None,
    resamples: int | None = None,
    tolerance: float = 0.0,
    on_progress: OnProgress = lambda share, words: None,
) -> dict[str, Any]:
    """All that the page of a store shows: every section, or the reason why it is empty.

    resamples: of the bootstrap of growth fits.
    tolerance: fits in the memory are used again unless the number of runs has grown by more than this share.

    >>> from gatewalk.campaign import campaign, run
    >>> data = page_data(run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1))
    >>> data["overview"]["counts"]["runs"], data["growth"]["notes"][0][:25]
    (10, 'Not fitted: and: a growth')
    """
    memory = Memory() if memory is None else memory

    parts = [part_of(on_progress, begin, end) for begin, end in pairwise(_SHARES)]
    cells = read_cells(results, on_progress=parts[0])
    counted = overview(cells)
    along = times(cells, memory.known, on_progress=parts[1])
    steps = distributions(cells, memory.known, on_progress=parts[2])
    compared = comparisons(cells, on_progress=parts[3])
    grown = growth_fits(
        cells, fits=memory.fits, tolerance=tolerance, resamples=resamples, on_progress=parts[4]
    )
    drawn = circuits(results, cells, on_progress=parts[5])
    source = origin(results, cells)
    return {
        "name": source["name"] or source["pairs"][0][1],
        "gatewalk": __version__,
        "made": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()),
        "state": _state(results, source["state"], counted["counts"]),
        "overview": counted,
        "times": along,
        "distributions": steps,
        "growth": grown,
        "comparisons": compared,
        "generalisation": generalisation(cells),
        "circuits": drawn,
        "origin": source,
    }


def _state(results: Results, noted: str, counts: dict[str, Any]) -> dict[str, Any]:
    """Whether a campaign is running now, and a sentence on how far it is. noted: its state in the store."""
    file = file_of(results.connection)
    active = bool(file) and running(file)
    words = f"{counts['runs']:,} of {counts['planned']:,} runs are stored"
    if counts["runs"] >= counts["planned"]:
        words = f"all {counts['planned']:,} runs are stored"
    if active:
        words = f"running: {words}"
    elif noted == "running":
        words += "; the campaign was killed"
    elif noted in ("interrupted", "failed"):
        words += f"; the campaign {'was interrupted' if noted == 'interrupted' else 'failed'}"
    return {"running": active, "words": words}


def runs_csv(results: Results, *, most_bytes: int) -> str | None:
    """The CSV of `gatewalk campaign export`, compressed by gzip, in base 64; None if it is too large.

    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and:2", replications=5, seed=7), jobs=1)
    >>> len(gzip.decompress(base64.b64decode(runs_csv(results, most_bytes=10_000))).splitlines())
    6
    >>> runs_csv(results, most_bytes=10) is None
    True
    """
    if len(results) > MOST_RUNS or most_bytes <= 0:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.csv"
        write_csv(results, path)
        packed = base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode("ascii")
    return packed if len(packed) <= most_bytes else None
