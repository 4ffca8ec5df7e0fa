"""For engineers: smaller circuits, each proven to compute the same function as the original.

>>> from gatewalk.synthesis import smallest
>>> len(smallest("maj:3").circuit)
4
"""

from __future__ import annotations

from gatewalk.synthesis.exact_synthesis import smallest
from gatewalk.synthesis.lower_bounds import lower_bound

__all__ = [
    "lower_bound",
    "smallest",
]
