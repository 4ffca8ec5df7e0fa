"""The literal twin behind `--evaluation reference`: the rows it is given, and the same run as kernels."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.search import cgp_reference
from gatewalk.search.cgp_search import task_of
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings


def test_the_rows_of_the_twin() -> None:
    task = task_of(settings("table:2:0x8/0xd", nodes=3), None)
    rules, setting = cgp_reference.rules_of(task), cgp_reference.setting_of(task)
    assert rules.training == ()
    assert (setting.Nin, setting.Nout, setting.Nfunc, setting.mutation) == (2, 1, 3, "sam")
    assert list(setting.training) == [((0, 0), (0,)), ((0, 1), (0,)), ((1, 1), (1,))]  # row 1 does not count


@pytest.mark.parametrize(
    "options",
    [{}, {"offspring": 4}, {"selection": "strict", "options": {"waiting": "drawn"}}],
)
def test_it_is_the_run_that_kernels_make(options: dict[str, Any]) -> None:
    for number in range(3):
        twin, kernel = (
            run_once(
                settings("and:4", nodes=6, budget=300, evaluation=evaluation, **options), seed=2, run=number
            )
            for evaluation in ("reference", "auto")
        )
        assert twin.program.tolist() == kernel.program.tolist()
        assert (twin.iterations, twin.elementary_steps) == (kernel.iterations, kernel.elementary_steps)
        assert twin.improvements == kernel.improvements
