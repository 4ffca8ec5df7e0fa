"""The literal twin of trees behind `--evaluation reference`: its rows, and the same run as kernels."""

from __future__ import annotations

import pytest

from gatewalk.search import tgp_reference, tgp_search
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings


def test_the_rows_of_the_twin() -> None:
    chosen = settings("and:2", algorithm="tgp-single", options={"terminals": "inputs+negated"})
    setting = tgp_reference.setting_of(tgp_search.task_of(chosen, None))
    assert (setting.inputs, setting.negated, setting.terminals) == (2, True, 4)
    assert [(tuple(row), int(wanted)) for row, wanted in setting.training] == [
        ((0, 0), 0),
        ((1, 0), 0),
        ((0, 1), 0),
        ((1, 1), 1),
    ]


@pytest.mark.parametrize("algorithm", ["tgp-single", "tgp-multi"])
def test_it_is_the_run_that_kernels_make(algorithm: str) -> None:
    for number in range(3):
        twin, kernel = (
            run_once(
                settings("and:4", algorithm=algorithm, budget=300, evaluation=evaluation), seed=2, run=number
            )
            for evaluation in ("reference", "auto")
        )
        assert twin.program.tolist() == kernel.program.tolist()
        assert (twin.iterations, twin.improvements) == (kernel.iterations, kernel.improvements)
