"""Which module runs which settings, and what a saved search consists of."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.search.algorithms import algorithm_of, runs_in_kernels, saved_sizes
from gatewalk.search.session import begin
from gatewalk.search.settings import settings

DRAWN = {"selection": "strict", "options": {"waiting": "drawn"}}
CASES: list[tuple[dict[str, Any], str, bool]] = [
    ({}, "cgp_search", True),
    ({"training": "sample:8"}, "cgp_search", True),
    (DRAWN, "cgp_waiting", False),
    ({"evaluation": "reference"}, "cgp_reference", False),
    ({**DRAWN, "evaluation": "reference"}, "cgp_reference", False),
    ({"algorithm": "tgp-single"}, "tgp_search", False),
    ({"algorithm": "tgp-multi"}, "tgp_search", False),
    ({"algorithm": "tgp-multi", "evaluation": "reference"}, "tgp_reference", False),
]


@pytest.mark.parametrize(("options", "module", "in_kernels"), CASES)
def test_the_module_and_its_arrays(options: dict[str, Any], module: str, in_kernels: bool) -> None:
    chosen = settings("and:4", **options)
    algorithm: Any = algorithm_of(chosen)
    assert algorithm.__name__ == f"gatewalk.search.{module}"
    assert runs_in_kernels(chosen) == in_kernels
    names = ("wanted", "start", "advance", "saved", "restored", "check_programs", "gates", "circuit")
    assert all(callable(getattr(algorithm, name)) for name in names)
    arrays = algorithm.saved(begin(chosen, seed=1, run=0).walk)
    sizes = saved_sizes(chosen)
    assert set(arrays) == set(sizes)
    assert all(size in (None, arrays[name].size) for name, size in sizes.items())


def test_samples_that_leave_rows_out_are_done_one_by_one() -> None:
    assert runs_in_kernels(settings("table:3:0x96", training="sample:4"))
    assert not runs_in_kernels(settings("table:3:0x96/0xfe", training="sample:4"))
