"""What is random in a run, which depends only on its settings, the seed and the number of the run.

The seed sequence of a run (`sequence`) gives the first state of the kernel's random stream. It also spawns
two children, which seed generators of numpy's PCG64: the first draws the rows of a sampled training set, the
second those for validation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import Words, words_for
from gatewalk.boolean.training import TrainingSet, sample, samples
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.settings import Settings, law_text

TRAINING, VALIDATION = range(2)  # the numbers of the children of a run's seed sequence


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


def training_of_run(settings: Settings, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that a run is trained on; None for the complete set."""
    return _of_run(settings, seed, run, TRAINING)


def validation_of_run(settings: Settings, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that the result of a run is validated on; None if it was trained on the complete set."""
    return _of_run(settings, seed, run, VALIDATION)


def _of_run(settings: Settings, seed: int, run: int, child: int) -> TrainingSet | None:
    rows = settings.rows
    if rows is None:
        return None
    wanted = algorithm_of(settings).wanted(settings)
    return sample(wanted, rows, lambda count: _words(settings, seed, [run], child, count)[0])


def samples_of_runs(settings: Settings, *, seed: int, runs: Sequence[int]) -> Words | None:
    """Training and validation rows of many runs, uint64[runs, 2, n + m, words]; None for the complete set.

    All rows of the target must count (`boolean.training.samples`).
    """
    rows = settings.rows
    if rows is None:
        return None
    wanted = algorithm_of(settings).wanted(settings)
    count = wanted.inputs * words_for(rows)
    drawn = [_words(settings, seed, runs, child, count) for child in (TRAINING, VALIDATION)]
    return samples(wanted, rows, np.stack(drawn, axis=1))


def _words(settings: Settings, seed: int, runs: Sequence[int], child: int, count: int) -> Words:
    """The first `count` raw words of PCG64 for each run."""
    from gatewalk.native.seeding import entropy_of, raw_words

    words = np.zeros((len(runs), count), dtype=np.uint64)
    raw_words(entropy_of(seed, cell_of(settings)), np.array(runs, dtype=np.uint64), child, words)
    return words
