"""The published runs are read as the papers tell them, and every cell of theirs is one of ours."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import complete
from gatewalk.studies.catalogue import find
from gatewalk.studies.folder import Study, cells_of, read_study
from gatewalk.studies.goldman_punch.active_nodes import read_active
from gatewalk.studies.goldman_punch.cells import BREADTH, Key, published_runs
from gatewalk.studies.goldman_punch.evaluations import PRINTED


@pytest.fixture(scope="module")
def study() -> Study:
    return read_study(find("goldman_punch"))


@pytest.mark.parametrize("problem", PRINTED)
def test_medians_are_those_printed(study: Study, problem: str) -> None:
    runs = published_runs(study)[Key(problem, 3000, "sam")]
    assert int(np.median(runs.iterations) + 0.5) == PRINTED[problem]


def test_every_cell_has_fifty_runs_of_at_most_ten_million(study: Study) -> None:
    found = published_runs(study)
    assert len(found) == 59
    assert {data.runs for data in found.values()} == {50}
    assert {round(t / 1e7, 5) for data in found.values() for t in data.iterations[~data.solved]} == {1.0}


def test_settings_are_theirs(study: Study) -> None:
    cells = cells_of(study)
    assert len(cells) == 59
    for cell in cells:
        made = cell.settings
        assert (made.offspring, made.selection, made.options) == (4, "nonstrict", {})
        if made.wanted.family == "or":
            assert (made.gates, made.nodes) == (("or",), made.n - 1)
        else:
            assert set(made.gates) == {"and", "or", "nand", "nor"}


def test_encode_is_sixteen_one_hot_rows(study: Study) -> None:
    (text,) = {cell.settings.target for cell in cells_of(study) if cell.settings.label == "encode"}
    (made, *_) = (cell.settings for cell in cells_of(study) if cell.settings.target == text)
    rows = complete(made.wanted)
    inputs, outputs = unpack(rows.inputs, rows.rows).T, unpack(rows.outputs, rows.rows).T
    assert rows.cares is None  # every output counts on each of the rows
    assert sorted(map(tuple, inputs.astype(int).tolist())) == sorted(
        tuple(int(i == hot) for i in range(16)) for hot in range(16)
    )
    assert (outputs @ (1 << np.arange(4)) == inputs.argmax(axis=1)).all()


def test_active_nodes_are_there_where_all_runs_succeeded(study: Study) -> None:
    rows = {Key(row.problem, row.nodes, row.mutation): row for row in read_active()}
    runs = published_runs(study)
    assert set(rows) == {key for key, data in runs.items() if data.solved.all()}
    assert all(0 < row.mean <= row.nodes for row in rows.values())
    assert all(row.mean == row.nodes for row in rows.values() if row.problem == BREADTH)
