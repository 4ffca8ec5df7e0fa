"""The task: gates, packed tables, targets and training sets.

>>> import gatewalk as gw
>>> from gatewalk.boolean import why_inexpressible
>>> why_inexpressible(gw.target("xor:3"), gw.gate_set("and,or"))
'{and, or} makes only monotone functions, xor:3 is not monotone: add not, xor or nand'
"""

from __future__ import annotations

from gatewalk.boolean.expressible import why_inexpressible

__all__ = [
    "why_inexpressible",
]
