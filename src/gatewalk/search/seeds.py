"""The random stream of a run, which depends only on its settings, the seed and the number of the run."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatewalk.search.settings import Settings, law_text


def cell_number(law_text: str) -> int:
    """A 32-bit hash of the settings, so that equal settings have equal streams in every campaign."""
    return int.from_bytes(hashlib.sha256(law_text.encode()).digest()[:4], "big")


@lru_cache(maxsize=256)
def cell_of(settings: Settings) -> int:
    """The number that stands for these settings in seed sequences."""
    return cell_number(law_text(settings))


def sequence(seed: int, cell: int, run: int) -> np.random.SeedSequence:
    """The seed sequence of one run; kernels compute the same one themselves (`gatewalk.native.seeding`)."""
    return np.random.SeedSequence(seed, spawn_key=(cell, run))


def kernel_state(source: np.random.SeedSequence) -> NDArray[np.uint64]:
    """The first state of a kernel's random stream: four words."""
    return source.generate_state(4, np.uint64).astype(np.uint64, copy=False)
