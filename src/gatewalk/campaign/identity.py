"""What a run is known by: a hash of all that determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json

LAW_VERSION = 1
"""Raised whenever the same law text, seed and run number would give another trajectory."""

_SIZE = 16


def cell_key(law: str, budget: int, seed: int) -> bytes:
    """The key of a cell: the law's canonical text, its version, the budget and the seed."""
    text = json.dumps({"version": LAW_VERSION, "law": law, "budget": budget, "seed": seed}, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=_SIZE).digest()


def run_key(cell: bytes, run: int) -> bytes:
    """The key of a run of a cell."""
    return hashlib.blake2b(cell + run.to_bytes(8, "little"), digest_size=_SIZE).digest()
