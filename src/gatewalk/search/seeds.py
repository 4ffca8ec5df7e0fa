"""What is random in a run, which depends only on its search, the seed and the number of the run.

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
from gatewalk.errors import InputError, whole_number
from gatewalk.search.options import Search, law_text

LAW_VERSION = 3
"""Raised whenever the same law text, seed and run number would give another trajectory."""

TRAINING, VALIDATION = range(2)  # the numbers of the children of a run's seed sequence


def check_seed(seed: int) -> None:
    """Raise `InputError` if a value cannot be a seed."""
    whole_number("seed", seed, least=0)


def check_run(run: int) -> None:
    """Raise `InputError` if a value cannot be the number of a run."""
    whole_number("run", run, least=0, most=2**64 - 1)


def check_runs(runs: Sequence[int]) -> None:
    """Raise `InputError` if values cannot be numbers of runs, or if there are none."""
    if not runs:
        raise InputError("runs is empty; give at least one run")
    for run in (runs[0], runs[-1]) if isinstance(runs, range) else (min(runs), max(runs)):
        check_run(run)


def cell_number(law_text: str) -> int:
    """A 32-bit hash of a search, so that equal searches have equal streams in every campaign."""
    return int.from_bytes(hashlib.sha256(law_text.encode()).digest()[:4], "big")


@lru_cache(maxsize=256)
def cell_of(search: Search) -> int:
    """The number that stands for a search in seed sequences."""
    return cell_number(law_text(search))


def sequence(search: Search, seed: int, run: int) -> np.random.SeedSequence:
    """The seed sequence of one run; kernels compute the same one themselves (`gatewalk.native.seeding`)."""
    return np.random.SeedSequence(seed, spawn_key=(cell_of(search), run))


def first_stream(search: Search, seed: int, run: int) -> NDArray[np.uint64]:
    """The first state of the random stream of a run: four words."""
    return sequence(search, seed, run).generate_state(4, np.uint64).astype(np.uint64, copy=False)


def entropy(search: Search, seed: int) -> NDArray[np.uint32]:
    """The words from which kernels seed all runs of a search."""
    from gatewalk.native.seeding import entropy_of

    return entropy_of(seed, cell_of(search))


def training_of_run(search: Search, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that a run is trained on; None for the complete set."""
    return _of_run(search, seed, run, TRAINING)


def validation_of_run(search: Search, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that the result of a run is validated on; None if it was trained on the complete set."""
    return _of_run(search, seed, run, VALIDATION)


def _of_run(search: Search, seed: int, run: int, child: int) -> TrainingSet | None:
    if search.rows is None:
        return None
    return sample(search.trained_on, search.rows, lambda count: _words(search, seed, [run], child, count)[0])


def samples_of_runs(search: Search, *, seed: int, runs: Sequence[int]) -> Words | None:
    """Training and validation rows of many runs, uint64[runs, 2, n + m, words]; None for the complete set.

    All rows of the target must count (`boolean.training.samples`).
    """
    if search.rows is None:
        return None
    count = search.trained_on.inputs * words_for(search.rows)
    drawn = [_words(search, seed, runs, child, count) for child in (TRAINING, VALIDATION)]
    return samples(search.trained_on, search.rows, np.stack(drawn, axis=1))


def _words(search: Search, seed: int, runs: Sequence[int], child: int, count: int) -> Words:
    """The first `count` raw words of PCG64 for each run."""
    from gatewalk.native.seeding import raw_words

    words = np.zeros((len(runs), count), dtype=np.uint64)
    raw_words(entropy(search, seed), np.array(runs, dtype=np.uint64), child, words)
    return words
