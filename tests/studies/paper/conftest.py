"""A small reproduction through the same code as the large one, made once for the tests of what is written."""

from dataclasses import replace

import pytest

from gatewalk.studies.paper.experiments import Request, measure
from gatewalk.studies.paper.reproduce import reproduce

SMALL = Request(
    replications=12,
    comparison=20,
    budget=3000,
    complete=(3, 4, 5, 9, 10, 11),
    incomplete=(3, 6, 9, 12),
    xor=(2, 3, 4),
    seed=4,
)


@pytest.fixture(scope="session")
def small_request():
    return SMALL


@pytest.fixture(scope="session")
def reproduction(tmp_path_factory):
    """The folder, the report and the steps that were announced; of one profile, since figures take time."""
    out = tmp_path_factory.mktemp("paper") / "results"
    said = []
    request = replace(SMALL, profiles=("tinyverse",))
    report = reproduce(request, out, jobs=1, say=said.append, command="gatewalk paper --seed 4")
    return out, report, said


@pytest.fixture(scope="session")
def cells(tmp_path_factory):
    """The runs of both profiles."""
    return measure(SMALL, tmp_path_factory.mktemp("cells") / "runs.sqlite", jobs=1)
