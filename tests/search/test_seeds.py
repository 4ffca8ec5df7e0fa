"""Seeds: a run's stream depends on its settings, the seed and its number, and on nothing else."""

from __future__ import annotations

import numpy as np

from gatewalk.search.seeds import cell_number, cell_of, kernel_state, sequence
from gatewalk.search.settings import law_text, settings


def test_equal_settings_have_equal_numbers() -> None:
    base = settings("and:6")
    assert cell_of(base) == cell_number(law_text(base)) == cell_of(settings("and:6", budget=7))
    others = [settings("and:7"), settings("and:6", nodes=13), settings("and:6", selection="strict")]
    assert len({cell_of(one) for one in [base, *others]}) == 4
    assert all(0 <= cell_of(one) < 2**32 for one in others)


def test_the_sequence_of_a_run() -> None:
    found = sequence(5, 17, 3)
    assert (found.entropy, found.spawn_key) == (5, (17, 3))
    wanted = np.random.SeedSequence(5, spawn_key=(17, 3)).generate_state(4, np.uint64)
    assert kernel_state(found).tolist() == wanted.tolist()
    states = {
        tuple(kernel_state(sequence(*key)).tolist())
        for key in [(5, 17, 3), (5, 17, 4), (5, 18, 3), (6, 17, 3)]
    }
    assert len(states) == 4
