"""What a store holds."""

from report_stores import everything, nothing, unsolved

from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.overview import overview


def test_counts_are_those_of_the_runs() -> None:
    columns = everything().columns()
    counts = overview(read_cells(everything()))["counts"]
    assert counts["runs"] == counts["planned"] == len(columns["run"])
    assert counts["solved"] == sum(columns["solved"])
    assert counts["iterations"] == sum(columns["iterations"])
    assert (counts["empty"], counts["unfinished"]) == (0, 0)


def test_rows_have_times_with_intervals() -> None:
    found = overview(read_cells(everything()))
    row = dict(zip(found["columns"], found["rows"][0], strict=True))
    assert row["rate_low"] < row["rate"] <= row["rate_high"]
    assert row["ert_low"] < row["ert"] < row["ert_high"]


def test_without_success_times_are_unknown() -> None:
    found = overview(read_cells(unsolved()))
    row = dict(zip(found["columns"], found["rows"][0], strict=True))
    assert (row["runs"], row["solved"], row["ert"], row["median"]) == (3, 0, None, None)


def test_a_cell_without_runs_is_a_row() -> None:
    found = overview(read_cells(nothing()))
    assert found["rows"][0][:5] == ["and:2", 2, 3, 0, 0]
    assert (found["counts"]["empty"], found["counts"]["runs"]) == (1, 0)
