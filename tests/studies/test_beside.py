"""What is published beside ours, whichever was published."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from pathlib import Path

from gatewalk.analysis import sample
from gatewalk.analysis.cells import CellRuns
from gatewalk.search.settings import cell_values
from gatewalk.studies.beside import Beside, beside, published_times
from gatewalk.studies.folder import Study, cells_of, read_study

Make = Callable[..., Path]
SPEC = """
[study]
title = "T"
question = "Q"
[published]
source = "S"
[grid]
target = ["and:3", "and:4", "and:5"]
"""


def runs_of(study: Study) -> list[CellRuns]:
    return [
        CellRuns(
            label=cell.settings.target,
            settings=cell.settings,
            options=cell.options,
            values=cell_values(cell.settings, cell.seed),
            runs=sample([3, 4, 5, 6, 7, 8], [True] * 6),
            columns={},
            observed={},
        )
        for cell in cells_of(study)
    ]


def test_runs_and_statistics(folder: Make) -> None:
    study = read_study(folder(SPEC, published_csv="target,time,solved\nand:3,4,1\nand:3,5,1\nand:5,900,1\n"))
    runs = runs_of(study)
    found = beside(study, cells_of(study), runs)
    assert [cell.label for cell in found.runs] == [cell.label for cell in found.cells] == ["and:3", "and:5"]
    assert "2 of 2 cells agree" in found.words
    assert published_times(study, cells_of(study), runs)["and"].keys() == {3, 5}
    text = "target,runs,successes,mean\nand:3,9,9,5\nand:4,9,8,6\n"
    study = read_study(folder(SPEC, published_csv=text))
    found = beside(study, cells_of(study), runs)
    assert [cell.label for cell in found.statistics] == ["and:3", "and:4"]
    table = found.table("iterations")
    assert table is not None
    assert len(table.rows) == 2
    times = published_times(study, cells_of(study), runs)["and"]
    assert times[3] == 5.0
    assert isinstance(times[4], float)
    assert isnan(times[4])  # a mean of successes only is no expected time


def test_nothing_is_published(folder: Make) -> None:
    study = read_study(folder(SPEC.replace('[published]\nsource = "S"\n', "")))
    assert beside(study, cells_of(study), runs_of(study)) == Beside()
    assert (Beside().words, Beside().table("iterations")) == ("", None)
    assert published_times(study, cells_of(study), runs_of(study)) == {}
