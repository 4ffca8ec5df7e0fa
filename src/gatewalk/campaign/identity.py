"""The identity of a cell: a hash of everything that determines its runs, and of nothing else.

A run is identified by its cell and its number.
"""

from __future__ import annotations

import hashlib
import json

LAW_VERSION = 3
"""Raised whenever the same law text, seed and run number would give another trajectory."""

# For each version, the part of a law's canonical text whose runs it changed; all other runs stay the same.
# 2: gates without inputs no longer count as readers.
# 3: Cartesian GP uses its random stream in another way.
_CHANGED = {2: ('"const0"', '"const1"'), 3: ('"algorithm":"cgp"',)}
_SIZE = 16


def version_of(law: str) -> int:
    """The number of the version that last changed the runs of this law."""
    return max([1, *(version for version, parts in _CHANGED.items() if any(part in law for part in parts))])


def cell_key(law: str, budget: int, seed: int) -> bytes:
    """The key of a cell: a hash of the law's canonical text, its version, the budget and the seed."""
    text = json.dumps(
        {"version": version_of(law), "law": law, "budget": budget, "seed": seed}, sort_keys=True
    )
    return hashlib.blake2b(text.encode(), digest_size=_SIZE).digest()
