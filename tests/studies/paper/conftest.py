"""The runs of a small reproduction, and a whole quick one, each made once."""

from dataclasses import replace

import pytest

from gatewalk.analysis import cells_of
from gatewalk.campaign import run
from gatewalk.studies import Request, read_study, run_study
from gatewalk_studies.paper.cells import cells_by_place

RUNS, FIRST = 12, 10  # of each cell, and how many of these figures and claims use


@pytest.fixture(scope="session")
def study():
    return read_study("paper")


@pytest.fixture(scope="session")
def cells(study):
    """The cells of a quick run under both profiles, with few runs each."""
    grids = tuple(replace(grid, replications=RUNS) for grid in study.quick.grids)
    with run(replace(study.quick, grids=grids, seed=4), jobs=1) as results:
        return cells_by_place(cells_of(results), replications=FIRST)


@pytest.fixture(scope="session")
def reproduction(study, tmp_path_factory):
    """The folder, the report and the steps that were announced; of one profile, since figures take time."""
    out = tmp_path_factory.mktemp("paper") / "results"
    said = []
    report = run_study(
        Request(
            study=study,
            out=out,
            quick=True,
            jobs=1,
            choices={"profile": ("tinyverse",)},
            say=said.append,
            command="gatewalk paper --quick",
        )
    )
    return out, report, said
