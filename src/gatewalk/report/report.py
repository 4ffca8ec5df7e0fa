"""From a store to its page in one call: `report("runs.sqlite", "report.html")`."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path

from gatewalk.campaign.export import unfinished
from gatewalk.campaign.results import Results
from gatewalk.errors import InputError, shown
from gatewalk.report.report_data import report_data
from gatewalk.report.report_page import MOST_BYTES, report_page
from gatewalk.report.runs_csv import runs_csv
from gatewalk.report.sections.cells import Tell

SUFFIXES = (".html", ".htm")


def report(
    results: Results | str | os.PathLike[str], out: str | os.PathLike[str], *, tell: Tell | None = None
) -> None:
    """Write the page of a store: one HTML file that needs no network.

    Parameters
    ----------
    results
        Results of a campaign, a selection of them (`results.where(target="and:4")`), or the file of a store.
    out
        The page, a file that ends in .html.
    tell
        Called with the current step in words and the share of the work that is done.

    Raises
    ------
    InputError
        If the store is damaged or the page cannot be written.

    Examples
    --------
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
    with opened as found:
        check_not_the_store(found, path)
        text = report_text(found, tell=tell)
    write_page(text, path)


def write_page(text: str, path: Path) -> None:
    """Write a page; the file appears only when it is complete."""
    part = unfinished(path)
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def check_page_file(path: Path) -> None:
    """Refuse a file name that a browser would not open as a page."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{shown(str(path))} is not the name of a page: it must end in {SUFFIXES[0]}")


def check_not_the_store(results: Results, path: Path) -> None:
    """Refuse to overwrite the store with its page."""
    if path.exists() and results.is_in(path):
        raise InputError(f"{path} is the store itself; give the page another name")


def report_text(results: Results, *, tell: Tell | None = None) -> str:
    """The page as HTML; it contains all runs for download if that keeps it small enough."""
    data = report_data(results, tell=tell)
    left = MOST_BYTES - len(report_page(data).encode())
    return report_page(data, runs=runs_csv(results, most_bytes=left))
