"""The rows of sampled training sets: drawn anew for each run, from two sources of its own.

One source is for the rows of training, the other for those of validation. `training_of_run` and
`validation_of_run` make them for one run, `samples_of_runs` in a kernel for many: the same rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatewalk.boolean.tables import Words, words_for
from gatewalk.boolean.training import TrainingSet, sample, samples
from gatewalk.native.seeding import entropy_of
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.seeds import cell_of, word_sources
from gatewalk.search.settings import Settings


def training_of_run(settings: Settings, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that a run is trained on; None for the complete set."""
    return _drawn(settings, seed, run, 0)


def validation_of_run(settings: Settings, *, seed: int, run: int) -> TrainingSet | None:
    """The rows that its result is validated on; None if it was trained on the complete set."""
    return _drawn(settings, seed, run, 1)


def _drawn(settings: Settings, seed: int, run: int, child: int) -> TrainingSet | None:
    rows = settings.rows
    if rows is None:
        return None
    source = word_sources(seed, cell_of(settings), run)[child]
    return sample(algorithm_of(settings).wanted(settings), rows, source)


def samples_of_runs(settings: Settings, *, seed: int, runs: Sequence[int]) -> Words | None:
    """Training and validation rows of many runs, uint64[runs, 2, n + m, words]; None for the complete set.

    The target must care for all rows (`boolean.training.samples`).
    """
    rows = settings.rows
    if rows is None:
        return None
    from gatewalk.native.raw_words import raw_words

    wanted = algorithm_of(settings).wanted(settings)
    drawn = np.zeros((len(runs), 2, wanted.inputs * words_for(rows)), dtype=np.uint64)
    raw_words(entropy_of(seed, cell_of(settings)), np.array(runs, dtype=np.uint64), drawn)
    return samples(wanted, rows, drawn)
