"""For engineers: smaller circuits, each proven to compute the same function as the original.

>>> from gatewalk.synthesis import smallest
>>> len(smallest("maj:3").circuit)
4
"""

from __future__ import annotations

from gatewalk.synthesis.exact_synthesis import smallest
from gatewalk.synthesis.lower_bounds import lower_bound
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import basis
from gatewalk.synthesis.window_search import resynthesise

__all__ = [
    "basis",
    "lower_bound",
    "mapped",
    "resynthesise",
    "smallest",
]
