"""Tables have a row for every cell, and the numbers of its runs."""

import pytest
from paper_cells import RUNS, TRUE, made

from gatewalk.numbers import as_programs_read
from gatewalk.stats import ert
from gatewalk_studies.paper import tables
from gatewalk_studies.paper.agreement import ChiSquare, agreements, chi_squares
from gatewalk_studies.paper.cells import Place, table2
from gatewalk_studies.paper.claims import judgements
from gatewalk_studies.paper.theory import Moments, exact_times, scalings

CELLS = made(TRUE)
COMPARED = agreements(CELLS, "paper")


def test_published_and_ours_one_above_the_other():
    table = tables.table2_table(COMPARED, "paper")
    assert len(table.rows) == 2 * len(COMPARED) == 2 * 2 * 5 * 6
    assert {row[3] for row in table.rows[::2]} == {"published"}
    assert {row[3] for row in table.rows[1::2]} == {"ours"}
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_for_programs_published_and_ours_are_side_by_side():
    data = tables.table2_table(COMPARED, "paper").data
    for row in data.rows:
        cell = dict(zip(data.columns, row, strict=True))
        key = (cell["selection"], cell["model"], int(cell["n"]))
        theirs, ours = table2()[key], CELLS[Place("complete", "paper", *key)].runs
        assert int(cell["successes_published"]) == theirs.successes
        assert cell["runs"] == str(RUNS)
        assert float(cell["mean_ours"]) == pytest.approx(ours.times.mean(), rel=1e-6)
        assert (cell["mean_published"] == "") is (theirs.mean != theirs.mean)


def test_chi_squares_have_a_row_each():
    squares = chi_squares(COMPARED, "paper")
    rows = tables.chi_square_table(squares, "title").rows
    assert [row[2] for row in rows[:2]] == ["CGP, D = n", "CGP, D = 2n"]
    assert [row[4] for row in rows] == [str(square.degrees) for square in squares]
    all_of_them = ChiSquare("paper", "both", "all models", {3: 0.6, 4: 0.8})
    (row,) = tables.chi_square_table([all_of_them], "title").rows
    assert row[1:4] == ("both", "all models", "1.0")


def test_every_comparison_behind_a_claim_is_listed():
    made_judgements = judgements(CELLS, ["paper"])
    clear = [is_clear for judgement in made_judgements for is_clear in judgement.clear]
    rows = tables.contrast_table(made_judgements).rows
    assert len(rows) == len(clear) > 0
    assert {row[3] for row in rows} == {"6–11"}
    assert [row[-1] for row in rows] == ["yes" if is_clear else "no" for is_clear in clear]


def test_generalisation_has_a_row_for_each_model_and_selection():
    table = tables.generalisation_table(judgements(made(TRUE, part="incomplete"), ["paper"]))
    assert len(table.rows) == 10
    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert (first["model"], first["at n"], first["n"]) == ("CGP, D = n", "6", "11")
    assert (first["lowest"], first["to the constant 0"], first["runs"]) == ("0.974", "-0.010", "180")


def test_growth_has_a_row_for_each_curve():
    fitted = scalings(CELLS, "complete", "paper")
    rows = tables.scaling_table(fitted).rows
    assert len(rows) == len(fitted) == 10
    assert {(row[0], row[4], row[9]) for row in rows[:3]} == {("And, complete", "c n^a", "6–11")}


def test_exact_values_have_a_row_each(cells):
    small = {place: cell for place, cell in cells.items() if place.n == 3}
    exact = exact_times(small)
    assert len(tables.exact_table(small, exact).rows) == len(exact) > 5


def test_a_difference_is_in_exact_standard_errors(cells):
    place = Place("complete", "tinyverse", "strict", "tgp-single", 3)
    mean = float(cells[place].all_runs.iterations.mean())
    table = tables.exact_table(cells, {place: Moments(mean, 5.0)})
    assert table.rows[0][-2:] == ("0", "1.000")
    assert table.note.startswith("1 of 1 ")


def test_cells_are_in_the_order_of_the_paper():
    table = tables.cell_table(CELLS, "complete")
    assert len(table.rows) == len(CELLS)
    assert [row[1] for row in table.rows[:: len(CELLS) // 2]] == ["non-strict", "strict"]
    first = dict(zip(table.columns, table.rows[0], strict=True))
    cell = CELLS[Place("complete", "paper", "nonstrict", "cgp-1n", 6)]
    assert (first["model"], first["n"], first["runs"]) == ("CGP, D = n", "6", str(RUNS))
    assert float(as_programs_read(first["ERT"])) == pytest.approx(ert(cell.runs), rel=1e-4)
    assert tables.cell_table(CELLS, "xor").rows == ()
