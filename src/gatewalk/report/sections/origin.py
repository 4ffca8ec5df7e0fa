"""Where the runs come from: the campaign's file, seeds, versions and the machine, as the store has them."""

from __future__ import annotations

import json
import time
from pathlib import PurePath
from typing import Any

from gatewalk.campaign import stored
from gatewalk.campaign.results import Results
from gatewalk.campaign.store_file import explained
from gatewalk.report.sections.cells import Cells
from gatewalk.search.settings import SEED

_LONGEST_TEXT = 60_000  # characters of a campaign's file that are shown
_MOST_SEEDS = 10


def origin(results: Results, cells: Cells) -> dict[str, Any]:
    """What the store noted at the latest start of its campaign, as pairs of words, and the campaign's file.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> found = run(campaign(target="and:2", replications=5, seed=7), jobs=1)
    >>> dict(origin(found, read_cells(found))["pairs"])["seed"]
    '7'
    """
    with explained(results.name):
        campaign = stored.latest_campaign(results.connection)
    pairs = [("store", PurePath(results.name).name)]
    seeds = sorted({cell.values[SEED.name] for cell in cells.stored})
    if seeds:
        more = f" and {len(seeds) - _MOST_SEEDS} more" if len(seeds) > _MOST_SEEDS else ""
        pairs.append(
            ("seed" if len(seeds) == 1 else "seeds", ", ".join(map(str, seeds[:_MOST_SEEDS])) + more)
        )
    if not campaign:
        return {"name": "", "state": "empty", "pairs": pairs, "text": ""}
    if campaign["source"]:
        pairs.append(("campaign file", PurePath(campaign["source"]).name))
    pairs.append(("begun", _moment(campaign["started"])))
    if campaign["stopped"] is not None:
        pairs.append(("ended", f"{_moment(campaign['stopped'])} ({campaign['state']})"))
    pairs += [("processor", campaign["processor"]), ("workers", campaign["executor"])]
    pairs += _versions(campaign["packages"])
    text = campaign["text"]
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]}\n... ({len(text):,} characters in all)"
    return {"name": campaign["name"], "state": campaign["state"], "pairs": pairs, "text": text}


def _moment(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))
    except (ValueError, OverflowError, OSError):
        return "at an unknown time"


def _versions(text: str) -> list[tuple[str, str]]:
    """The versions of packages; empty if the text is not what a campaign writes."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict):
        return []
    return [(str(name), str(version)) for name, version in list(found.items())[:50]]
