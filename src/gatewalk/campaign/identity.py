"""What a run is known by: a hash of all that determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json

LAW_VERSION = 2
"""Raised whenever the same law text, seed and run number would give another trajectory."""

# What each version changed, as it stands in the canonical text of a law: other runs stay what they are.
# 2: gates without inputs no longer count as readers; the lean stream walks short loops.
_CHANGED = {2: ('"const0"', '"const1"', '"sam_stream":"lean"')}
_SIZE = 16


def version_of(law: str) -> int:
    """The version that last changed the runs of a law."""
    return max([1, *(version for version, parts in _CHANGED.items() if any(part in law for part in parts))])


def cell_key(law: str, budget: int, seed: int) -> bytes:
    """The key of a cell: the law's canonical text, its version, the budget and the seed."""
    text = json.dumps(
        {"version": version_of(law), "law": law, "budget": budget, "seed": seed}, sort_keys=True
    )
    return hashlib.blake2b(text.encode(), digest_size=_SIZE).digest()


def run_key(cell: bytes, run: int) -> bytes:
    """The key of a run of a cell."""
    return hashlib.blake2b(cell + run.to_bytes(8, "little"), digest_size=_SIZE).digest()
