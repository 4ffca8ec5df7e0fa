"""The page of a store: one HTML file that needs no network, or the one that a running campaign serves.

The page is a frame, a style sheet, scripts and the data, from which the scripts build everything else. Its
Content-Security-Policy allows only these scripts, by their hash, and no requests; the live page may ask the
server it came from for newer data.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from gatewalk.report.report_data import as_json
from gatewalk.report.style import CSS
from gatewalk.version import __version__

MOST_BYTES = 3_000_000
_SCRIPTS = (
    "words",
    "marks",
    "chart",
    "times",
    "distributions",
    "generalisation",
    "tables",
    "downloads",
    "page",
)


def report_page(data: dict[str, Any] | None, *, runs: str | None = None, live: bool = False) -> str:
    """The page, as HTML.

    Parameters
    ----------
    data
        From `report_data`; None if the page is to fetch them.
    runs
        From `runs_csv`.
    live
        Whether the page fetches newer data from `data.json` beside it.

    Examples
    --------
    >>> page = report_page(None, live=True)
    >>> page.startswith("<!doctype html>"), "https:" in page.replace("https://github.com/leeoniya/uPlot", "")
    (True, False)
    """
    title = "Campaign" if data is None else str(data["name"])
    return _filled(
        {
            "policy": escape(policy(live=live)),
            "title": escape(f"{title} · Gatewalk"),
            "heading": escape(title),
            "style": style(),
            "version": escape(__version__),
            "live": "true" if live else "false",
            "data": "null" if data is None else as_json(data),
            "runs": runs or "",
            "script": script(),
        }
    )


def policy(*, live: bool) -> str:
    """The Content-Security-Policy of the page."""
    found = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode("ascii")
    connect = "'self'" if live else "'none'"
    return (
        f"default-src 'none'; script-src 'sha256-{found}'; style-src 'unsafe-inline'; img-src data:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


@cache
def script() -> str:
    """The chart library and the scripts of the page, as one."""
    own = "\n".join(_data(f"report_{name}.js") for name in _SCRIPTS)
    return f"{_data('vendor/uPlot.iife.min.js')}\n(() => {{\n'use strict';\n{own}\n}})();\n"


@cache
def style() -> str:
    """The style sheet common to all pages, that of the charts, and the rules of this page."""
    return f"{CSS}{_data('vendor/uPlot.min.css')}\n{_data('report.css')}"


@cache
def _data(name: str) -> str:
    return files("gatewalk.report").joinpath(name).read_text(encoding="utf-8")


def _filled(values: dict[str, str]) -> str:
    """The frame with its placeholders filled. Signs of placeholders in the values stay as they are."""
    first, *others = _data("report.html").split("@")
    places, texts = others[::2], others[1::2]  # every second piece is the name of a placeholder
    return first + "".join(values[place] + text for place, text in zip(places, texts, strict=True))
