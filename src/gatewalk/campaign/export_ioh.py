"""Results in IOHprofiler's data format: best-so-far curves, for iohinspector and IOHanalyzer.

De Nobel, Ye, Vermetten, Wang, Doerr and Bäck, "IOHexperimenter", 2024. An algorithm (all settings except the
target) is a folder. A function (a family of targets) is a JSON file in it. A dimension (a number of inputs)
is a .dat file with the runs one after the other, each from evaluation 1 on. Fitness is minimised. Readers
recognise the beginning of a run by its evaluation 1, and iohinspector drops the first row of a run if it
equals the last row of the run before it; so two runs of which this is true go into different files.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gatewalk.campaign.export import complete_file
from gatewalk.campaign.packing import Trace
from gatewalk.campaign.results import Results
from gatewalk.campaign.store import StoredCell
from gatewalk.campaign.store_file import Damage
from gatewalk.errors import InputError, brief
from gatewalk.search.options import OPTIONS, SEED

_LARGEST_ID = 65_535  # the format has 16 bits for ids and dimensions
_EXACT = 2**53
_HEADER = "evaluations raw_y\n"


def write_ioh(results: Results, folder: Path) -> None:
    """Write a folder for IOHprofiler; it appears when it is complete."""
    cells = [cell for cell in results.cells() if cell.finished]
    if not cells:
        raise InputError(f"{results.name}: no runs to export; run the campaign first")
    lacking = results.runs_without_trace()
    if lacking:
        raise InputError(
            f"{results.name}: {lacking:,} runs have no trace, which this format needs; "
            "put traces = true at the top of the campaign and run it again"
        )
    if folder.exists():
        raise InputError(f"{folder}: already exists; choose a new folder")
    with complete_file(folder) as part:
        _write_all(results, cells, part)


def _write_all(results: Results, cells: Sequence[StoredCell], part: Path) -> None:
    algorithms: dict[str, dict[str, list[StoredCell]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        algorithms[_algorithm(cell)][cell.search.target.family].append(cell)
    numbers = function_numbers({family for functions in algorithms.values() for family in functions})
    used: set[str] = set()
    for name, functions in algorithms.items():
        slug = base = re.sub(r"[^A-Za-z0-9.+=-]+", "_", name).strip("_")[:120]
        while slug in used:
            slug = f"{base}_{len(used)}"
        used.add(slug)
        for family, of_family in functions.items():
            _write_function(results, part / slug, name, family, numbers[family], of_family)


def _algorithm(cell: StoredCell) -> str:
    """The algorithm's name: all settings except the target, as written, so nodes=2n is one for every n."""
    words = []
    for name, option in OPTIONS.items():
        written = cell.words.get(option.keyword or name, option.default)
        if option.label and written and cell.values[option.columns[0][0].name] is not None:
            text = written if isinstance(written, str) else json.dumps(written)
            words.append(option.label.format(brief(text)))
    return " ".join([*words, f"seed={cell.values[SEED.name]}"])


def function_numbers(families: Iterable[str]) -> dict[str, int]:
    """A number for each family, from a hash of its name, so that it is the same in every export.

    If two names have the same hash, the later one in the alphabet gets the next free number.
    """
    numbers: dict[str, int] = {}
    for family in sorted(families):
        number = zlib.crc32(family.encode()) % _LARGEST_ID + 1
        while number in numbers.values():
            number = number % _LARGEST_ID + 1
        numbers[family] = number
    return numbers


def _write_function(
    results: Results, folder: Path, algorithm: str, family: str, number: int, cells: Sequence[StoredCell]
) -> None:
    data = f"data_f{number}_{family}"
    (folder / data).mkdir(parents=True)
    scenarios: list[dict[str, Any]] = []
    for cell in sorted(cells, key=lambda cell: (cell.values["n"], cell.number)):
        scenarios += _write_cell(results, folder, f"{data}/IOHprofiler_f{number}", cell)
    description = {
        "version": "0.3.18",
        "suite": "gatewalk",
        "function_id": number,
        "function_name": family,
        "maximization": False,
        "algorithm": {"name": algorithm, "info": "Gatewalk"},
        "experiment_attributes": [{name: str(value)} for name, value in _common(cells)],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": scenarios,
    }
    text = json.dumps(description, indent=1)
    (folder / f"IOHprofiler_f{number}_{family}.json").write_text(text, encoding="utf-8")


def _common(cells: Sequence[StoredCell]) -> list[tuple[str, Any]]:
    """The values that all cells have in common; options of the law are listed one by one, as readers need."""
    each = []
    for cell in cells:
        values = {**cell.values, **json.loads(cell.values["law_options"])}
        del values["law_options"]
        each.append({(name, value) for name, value in values.items() if value is not None})
    return sorted(set.intersection(*each), key=lambda pair: pair[0])


def _write_cell(results: Results, folder: Path, prefix: str, cell: StoredCell) -> list[dict[str, Any]]:
    """Write the .dat files of a cell and return their descriptions.

    There is more than one file only if two runs could not be told apart in the same file.
    """
    n = cell.values["n"]
    if n > _LARGEST_ID:
        raise InputError(f"{cell.values['target']}: IOHprofiler's format ends at {_LARGEST_ID} inputs")
    traced = zip_longest(results.where_cell(cell).runs(), results.traces(cell), fillvalue=None)
    last: list[int] = []  # the last fitness in each file
    texts: list[list[str]] = []
    scenarios: list[dict[str, Any]] = []
    for run, numbered in traced:
        if run is None or numbered is None or numbered[0] != run.run:
            raise Damage(f"the traces of cell {cell.number} are not those of its runs")
        trace = numbered[1]
        if trace[-1][0] > run.evaluations or trace[-1][1] != run.fitness:
            raise Damage(f"the trace of run {run.run} of cell {cell.number} does not end as the run")
        file = next((i for i, fitness in enumerate(last) if fitness != trace[0][1]), len(last))
        if file == len(last):
            suffix = f"_{file + 1}" if file else ""
            name = f"{prefix}_DIM{n}_cell{cell.number}{suffix}.dat"
            scenarios.append({"dimension": n, "path": name, "runs": []})
            texts.append([_HEADER])
            last.append(0)
        last[file] = trace[-1][1]
        texts[file].append(_curve(cell, trace, run.evaluations))
        best = {"evals": trace[-1][0], "y": _number(cell, trace[-1][1]), "x": run.program.tolist()}
        scenarios[file]["runs"].append({"instance": 1, "evals": run.evaluations, "best": best})
    for scenario, lines in zip(scenarios, texts, strict=True):
        (folder / scenario["path"]).write_text("".join(lines), encoding="utf-8")
    return scenarios


def _curve(cell: StoredCell, trace: Trace, evaluations: int) -> str:
    """The rows of a run: every improvement, and the end of the run."""
    points = list(trace)
    if evaluations > points[-1][0]:
        points.append((evaluations, points[-1][1]))
    return "".join(f"{at} {_number(cell, fitness)}\n" for at, fitness in points)


def _number(cell: StoredCell, fitness: int) -> int | float:
    if fitness < _EXACT:
        return fitness
    try:
        return float(fitness)
    except OverflowError:
        raise InputError(
            f"{cell.values['target']}: its fitness exceeds 1.8e308, the most that IOHprofiler's format holds"
        ) from None
