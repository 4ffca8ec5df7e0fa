"""Agreement: published runs in the place of ours agree, slower and quicker ones do not."""

from __future__ import annotations

import pytest
from goldman_cells import THEIRS, cells

from gatewalk.studies import compare
from gatewalk.studies.goldman_punch.agreement import agreement, direction_table, holm_table


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (4.0, "not confirmed")])
def test_published_runs_agree_with_themselves_and_not_with_slower_ones(factor: float, verdict: str) -> None:
    ours = cells(factor)
    compared = [compare(str(key), cell.runs, THEIRS[key]) for key, cell in ours.items()]
    told = agreement(compared, quick=False)
    assert told.verdict == verdict
    assert "12 more cells" in told.measured  # neither side has a success there
    assert len(holm_table(compared).rows) == len(compared) - 12


@pytest.mark.parametrize(("factor", "sign"), [(0.5, 1), (2.0, -1)])
def test_direction_tells_who_is_faster(factor: float, sign: int) -> None:
    rows = direction_table(cells(factor), THEIRS).rows
    assert [row[1] for row in rows] == ["24", "10", "13"]
    assert all(sign * float(row[3].replace("−", "-")) > 3 for row in rows)
    same = direction_table(cells(), THEIRS).rows  # but for the budget
    assert all(abs(float(row[3].replace("−", "-"))) < 0.1 for row in same)
