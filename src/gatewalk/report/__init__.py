"""Web pages of a store, of a study and of a recorded run, with the style sheet and the parts they share.

>>> from gatewalk.report import watch
>>> watch("and:6", "run.html", nodes=12, seed=1)  # doctest: +SKIP
Run(and:6, cgp, solved, iterations=35, gates=6, seed=1, run=0)
"""

from __future__ import annotations

from gatewalk.report.replay import watch
from gatewalk.report.tables import Table

__all__ = [
    "Table",
    "watch",
]
