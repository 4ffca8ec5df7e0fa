"""The tables of the reproduction: rows for every cell, numbers of both sides."""

from __future__ import annotations

import pytest
from paper_cells import RUNS, TRUE, made

from gatewalk.analysis.statistics import ert
from gatewalk.studies.paper import summaries
from gatewalk.studies.paper.agreement import ChiSquare, agreements, chi_squares
from gatewalk.studies.paper.claims import claims
from gatewalk.studies.paper.experiments import Place
from gatewalk.studies.paper.published import table2

CELLS = made(TRUE)
COMPARED = agreements(CELLS, "paper")


def test_published_and_ours_one_above_the_other() -> None:
    shown = summaries.table2(COMPARED, "paper")
    assert len(shown.rows) == 2 * len(COMPARED) == 2 * 2 * 5 * 6
    assert {row[3] for row in shown.rows[::2]} == {"published"}
    assert {row[3] for row in shown.rows[1::2]} == {"ours"}
    assert {len(row) for row in shown.rows} == {len(shown.columns)}


def test_published_and_ours_side_by_side() -> None:
    data = summaries.table2_data(COMPARED, "paper")
    for row in data.rows:
        cell = dict(zip(data.columns, row, strict=True))
        theirs = table2()[cell["selection"], cell["model"], int(cell["n"])]
        assert int(cell["successes_published"]) == theirs.successes
        assert cell["runs"] == str(RUNS)
        ours = CELLS[Place("complete", "paper", cell["selection"], cell["model"], int(cell["n"]))].runs
        assert float(cell["mean_ours"]) == pytest.approx(ours.times.mean(), rel=1e-6)
        assert (cell["mean_published"] == "") is (theirs.mean != theirs.mean)


def test_chi_squares_have_a_row_each() -> None:
    found = chi_squares(COMPARED, "paper")
    rows = summaries.chi_square_table(found, "title").rows
    assert [row[2] for row in rows[:2]] == ["CGP, D = n", "CGP, D = 2n"]
    assert [row[4] for row in rows] == [str(one.degrees) for one in found]
    all_of_them = ChiSquare("paper", "both", "all models", 1.0, 2, 0.6)
    (row,) = summaries.chi_square_table([all_of_them], "title").rows
    assert row[1:4] == ("both", "all models", "1.0")


def test_every_comparison_behind_a_claim_is_listed() -> None:
    found = claims(CELLS, "paper")
    contrasts = [one for claim in found for one in claim.evidence if one.contrast is not None]
    rows = summaries.claim_table(found).rows
    assert len(rows) == len(contrasts) > 0
    assert {row[3] for row in rows} == {"6–11"}
    assert [row[-1] for row in rows] == ["yes" if one.holds else "no" for one in contrasts]


def test_cells_are_in_the_order_of_the_paper() -> None:
    table = summaries.cell_table(CELLS, "complete")
    assert len(table.rows) == len(CELLS)
    assert [row[1] for row in table.rows[:: len(CELLS) // 2]] == ["non-strict", "strict"]
    first = dict(zip(table.columns, table.rows[0], strict=True))
    cell = CELLS[Place("complete", "paper", "nonstrict", "cgp-1n", 6)]
    assert (first["model"], first["n"], first["runs"]) == ("CGP, D = n", "6", str(RUNS))
    assert float(first["ERT"]) == pytest.approx(ert(cell.runs), rel=1e-4)
    assert summaries.cell_table(CELLS, "xor").rows == ()
