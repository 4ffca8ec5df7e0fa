"""The task: gates, packed tables, targets and training sets.

>>> from gatewalk.boolean import family_target, gate
>>> gate("nand")(1, 1), family_target("mul:2").output_labels
(0, ('P[0]', 'P[1]', 'P[2]', 'P[3]'))
"""

from __future__ import annotations

from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.targets import families

__all__ = [
    "families",
    "why_inexpressible",
]
