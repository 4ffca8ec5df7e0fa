"""A study's findings from the results that are stored in its folder; what is not stored is measured again."""

import csv

from gatewalk.analysis import CellRuns
from gatewalk.campaign.labels import labels
from gatewalk.search.evolve import run_many
from gatewalk.search.options import cell_values
from gatewalk.stats import sample
from gatewalk.studies import Measured, read_study
from gatewalk.studies.folder import cells_of, read_code
from gatewalk.studies.published import (
    OBSERVED,
    STORED_RUNS,
    compare_published,
    observation_key,
    read_observations,
)


def stored_findings(name, *, resamples):
    """What the study's code finds. resamples: of the fits of growth curves."""
    study = read_study(name)
    code = read_code(study.folder)
    cells, rows = cells_of(study), stored_rows(study)
    observed = {without_code(key): value for key, value in read_observations(study.folder / OBSERVED).items()}
    values = [cell_values(cell.search, cell.seed) for cell in cells]
    runs = []
    for cell, label, own in zip(cells, labels(values), values, strict=True):
        seen = observed.get(without_code(observation_key(cell, "")))
        columns = Columns(cell, rows.get(cell.key, []))
        if not columns["iterations"] and seen is None:
            columns.make()
        elif not columns["iterations"]:  # nobody asks for the runs of a cell with observations alone
            columns.update(iterations=[0], evaluations=[1], solved=[False])
        runs.append(
            CellRuns(
                label=label,
                search=cell.search,
                words=cell.words,
                values=own,
                runs=sample(columns[study.time], columns["solved"]),
                columns=columns,
                observed=Observed(cell, code) if seen is None else seen,
            )
        )
    published = compare_published(study.published, cells, runs)
    return code.findings(
        Measured(
            study=study,
            cells=tuple(runs),
            compared=published.runs,
            reported=published.statistics,
            resamples=resamples,
        )
    )


class Columns(dict):
    """The columns of a cell's stored runs; the runs are made again for a column that is not stored.

    Evaluations are those of the first parent and of every offspring.
    """

    def __init__(self, cell, rows):
        super().__init__(iterations=[int(row["iterations"]) for row in rows])
        self["solved"] = [row["solved"] == "True" for row in rows]
        self["evaluations"] = [iterations + 1 for iterations in self["iterations"]]
        self.cell = cell
        self.runs = None

    def __missing__(self, name):
        self.make()
        return self.runs.values(name)

    def make(self):
        """Make as many runs as are stored, or all if none is, and see that they are the stored ones."""
        if self.runs is None:
            count = len(self["iterations"]) or self.cell.replications
            self.runs = run_many(self.cell.search, seed=self.cell.seed, runs=range(count), jobs=1)
            made = {name: self.runs.values(name) for name in self}
            assert not self["iterations"] or made == self, self.cell
            self.update(made)


class Observed(dict):
    """What a study's code observes of a cell, when it is asked for."""

    def __init__(self, cell, code):
        super().__init__()
        self.cell, self.code = cell, code

    def __missing__(self, name):
        self.update(self.code.observe(self.cell, jobs=1))
        return self[name]


def without_code(key):
    """The key of an observation, whatever the code that made it."""
    return key.rpartition("-")[0]


def stored_rows(study):
    """The rows of stored runs by the key of their cell."""
    if not (study.folder / STORED_RUNS).is_file():
        return {}
    with (study.folder / STORED_RUNS).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {}
    for cell in cells_of(study):
        values = cell_values(cell.search, cell.seed)
        names = [name for name in rows[0] if name in values]
        keys[tuple("" if values[name] is None else str(values[name]) for name in names)] = cell.key
    by_cell = {}
    for row in rows:
        by_cell.setdefault(keys[tuple(row[name] for name in names)], []).append(row)
    return by_cell
