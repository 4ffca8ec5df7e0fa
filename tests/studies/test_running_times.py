"""Tables of running times: every cell with its intervals, and growth where there is enough of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gatewalk.analysis import sample
from gatewalk.analysis.cells import CellRuns
from gatewalk.campaign import campaign, plan
from gatewalk.search.settings import cell_values
from gatewalk.studies.running_times import fits, growth_table, running_time_table

(CELL,) = plan(campaign(target="and:3", nodes=5))


def cell(iterations: list[int], solved: list[bool]) -> CellRuns:
    values: dict[str, Any] = cell_values(CELL.settings, 0)
    runs = sample(iterations, solved)
    return CellRuns(
        label="and:3",
        settings=CELL.settings,
        options=CELL.options,
        values=values,
        runs=runs,
        columns={},
        observed={},
    )


def test_a_row_has_the_statistics_of_its_cell() -> None:
    table = running_time_table([cell([2, 4, 6, 100], [True, True, True, False])], "evaluations")
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["n"], row["nodes"], row["runs"], row["solved"], row["rate"]) == ("3", "5", "4", "3", "0.75")
    assert row["ERT"] == "37.3"  # 112 evaluations, three successes
    assert row["median"] == "4"
    assert "In evaluations" in table.note
    never = running_time_table([cell([5, 5], [False, False])], "iterations").rows[0]
    assert never[8] == never[11] == "∞"


def test_growth_is_fitted_where_there_are_sizes_enough() -> None:
    rng = np.random.default_rng(1)
    enough = {n: sample(rng.geometric(1 / n**2, 40), np.ones(40)) for n in (4, 8, 16)}
    found = fits({"a": enough, "b": {4: enough[4], 8: enough[8]}}, resamples=5)
    assert list(found) == ["a"]
    table = growth_table(found)
    assert {row[1] for row in table.rows} == {"c n^a", "c n^a log n", "c b^n"}
    assert [row[7] for row in table.rows] == ["16"] * 3
