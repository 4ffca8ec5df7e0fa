"""Cells by the names of the papers: which problem, how many nodes, which mutation."""

from __future__ import annotations

from typing import NamedTuple

from gatewalk.analysis.cells import CellRuns
from gatewalk.stats.sample import Sample
from gatewalk.studies.folder import Study

LENGTH, WASTE = "Goldman and Punch, GECCO 2013", "Goldman and Punch, EuroGP 2013"
BREADTH = "breadth"
PROBLEMS = {"mul:3": "multiply", "onehot_enc:16": "decode", "encode": "encode", "epar:3": "parity"}


class Key(NamedTuple):
    """The problem, the nodes and the mutation of a cell."""

    problem: str
    nodes: int
    mutation: str


def problem_named(target: str) -> str:
    """The name of a target in the papers; or:N is Breadth.

    >>> problem_named("onehot_enc:16"), problem_named("or:6")
    ('decode', 'breadth')
    """
    return PROBLEMS.get(target, BREADTH)


def problem_of(cell: CellRuns) -> str:
    """The problem of a cell."""
    return problem_named(cell.settings.label)


def key_of(cell: CellRuns) -> Key:
    """The key of a cell of ours."""
    return Key(problem_of(cell), int(cell.values["nodes"]), str(cell.options["mutation"]))


def published_runs(study: Study) -> dict[Key, Sample]:
    """The published runs, none of them cut."""
    cells = study.published.cells if study.published else ()
    return {
        Key(
            problem_named(cell.settings["target"]), int(cell.settings["nodes"]), cell.settings["mutation"]
        ): cell.runs
        for cell in cells
    }
