"""All runs as compressed CSV for the inside of a page, if there are not too many."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

from gatewalk.campaign.export.csv import write
from gatewalk.campaign.results import Results

MOST_RUNS = 100_000


def runs_csv(results: Results, *, most_bytes: int) -> str | None:
    """The CSV of `gatewalk campaign export`, compressed by gzip, in base 64; None if it is too large.

    Parameters
    ----------
    results
        The results of a store.
    most_bytes
        The largest size of the returned text.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> found = run(campaign(target="and:2", replications=5, seed=7), jobs=1)
    >>> len(gzip.decompress(base64.b64decode(runs_csv(found, most_bytes=10_000))).splitlines())
    6
    >>> runs_csv(found, most_bytes=10) is None
    True
    """
    if len(results) > MOST_RUNS or most_bytes <= 0:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.csv"
        write(results, path)
        packed = base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode("ascii")
    return packed if len(packed) <= most_bytes else None
