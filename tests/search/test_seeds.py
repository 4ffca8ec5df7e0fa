"""Streams of a run: those that numpy's seed sequences spawn."""

from __future__ import annotations

import numpy as np

from gatewalk.search.seeds import sequence, word_sources


def test_words_of_rows_are_those_of_the_children_that_the_run_spawns() -> None:
    for seed, cell, run in ((0, 0, 0), (7, 2**32 - 1, 5), (2**70, 12, 2**40)):
        for source, child in zip(
            word_sources(seed, cell, run), sequence(seed, cell, run).spawn(2), strict=True
        ):
            assert (source(9) == np.random.PCG64(child).random_raw(9)).all()
