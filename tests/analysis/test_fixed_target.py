"""Expected evaluations to a fitness value: of all runs up to it or their end, per run that reached it."""

from __future__ import annotations

import pytest

from gatewalk.analysis.fixed_target import TracedRun, fixed_target
from gatewalk.errors import InputError


def test_runs_that_jump_over_a_value_reached_it() -> None:
    found = fixed_target([TracedRun([(1, 9), (5, 0)], 5), TracedRun([(1, 7), (3, 4)], 10)])
    assert found == {9: 1.0, 7: (5 + 1) / 2, 4: (5 + 3) / 2, 0: 15.0}


def test_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no traced runs"):
        fixed_target([])
