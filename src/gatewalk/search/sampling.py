"""The rows of sampled training and validation sets, drawn anew for each run.

The seed sequence of a run (`seeds.sequence`) spawns two children, which seed generators of numpy's PCG64: the
first draws the rows for training, the second those for validation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatewalk.boolean.tables import Words, words_for
from gatewalk.boolean.training import TrainingSet, sample, samples
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.seeds import cell_of
from gatewalk.search.settings import Settings

TRAINING, VALIDATION = range(2)  # the numbers of the children


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
    from gatewalk.native.raw_words import raw_words
    from gatewalk.native.seeding import entropy_of

    words = np.zeros((len(runs), count), dtype=np.uint64)
    raw_words(entropy_of(seed, cell_of(settings)), np.array(runs, dtype=np.uint64), child, words)
    return words
