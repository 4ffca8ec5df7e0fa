"""Results in IOHprofiler's data format: best-so-far curves, for iohinspector and IOHanalyzer.

De Nobel, Ye, Vermetten, Wang, Doerr and Bäck, "IOHexperimenter", 2024. An algorithm (all settings
but the target) is a folder, a function (family of targets) a JSON file in it, a dimension (number
of inputs) a .dat file with the runs one after the other, each from evaluation 1 on. Fitness is
minimised. Readers tell where a run begins by its evaluation 1, and iohinspector drops a run's first
row if it equals the last one of the run before it: runs that would meet so go into different files.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gatewalk.boolean.targets import families, target
from gatewalk.campaign.export import unfinished
from gatewalk.campaign.packing import Trace
from gatewalk.campaign.results import CellSummary, Results
from gatewalk.errors import InputError

_LARGEST_ID = 65_535  # ids and dimensions have 16 bits
_EXACT = 2**53
_HEADER = "evaluations raw_y\n"


def write(results: Results, folder: Path) -> None:
    """Write a folder for IOHprofiler; it appears when it is complete."""
    cells = [cell for cell in results.cells() if cell.finished]
    if not cells:
        raise InputError(f"{results.name}: no runs to export; run the campaign first")
    lacking = results.runs_without_trace()
    if lacking:
        raise InputError(
            f"{results.name}: {lacking} runs have no trace, which this format needs; "
            "put traces = true at the top of the campaign and run it again"
        )
    if folder.exists():
        raise InputError(f"{folder}: is there already; choose a new folder")
    part = unfinished(folder)
    try:
        _write_all(results, cells, part)
        part.rename(folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _write_all(results: Results, cells: Sequence[CellSummary], part: Path) -> None:
    algorithms: dict[str, dict[str, list[CellSummary]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        algorithms[_algorithm(cell)][target(cell.values["target"]).family].append(cell)
    used: set[str] = set()
    for name, functions in algorithms.items():
        slug = base = re.sub(r"[^A-Za-z0-9.+=-]+", "_", name).strip("_")[:120]
        while slug in used:
            slug = f"{base}_{len(used)}"
        used.add(slug)
        for family, of_family in functions.items():
            _write_function(results, part / slug, name, family, of_family)


def _algorithm(cell: CellSummary) -> str:
    """All settings but the target: nodes as written, so that 2n is one algorithm for every n."""
    values, options = cell.values, cell.settings_options
    words = [f"(1+{values['offspring']}) {values['algorithm']}", values["selection"], values["profile"]]
    if values["nodes"] is not None:
        words += [f"nodes={options.get('nodes', values['nodes'])}", values["mutation"]]
    words += [values["training"], f"budget={values['budget']}", f"seed={values['seed']}"]
    if options.get("gates") is not None:
        words.append(f"gates={values['gate_set']}")
    words += [f"{name}={value}" for name, value in json.loads(values["law_options"]).items()]
    if values["start"] != "random":
        words.append(f"start={options.get('start', values['start'])}")
    return " ".join(map(str, words))


def _write_function(
    results: Results, folder: Path, algorithm: str, family: str, cells: Sequence[CellSummary]
) -> None:
    number = list(families()).index(family) + 1
    data = f"data_f{number}_{family}"
    (folder / data).mkdir(parents=True)
    scenarios: list[dict[str, Any]] = []
    for cell in sorted(cells, key=lambda cell: (cell.values["n"], cell.number)):
        scenarios += _write_cell(results, folder, f"{data}/IOHprofiler_f{number}", cell)
    values = cells[0].values
    attributes = ("algorithm", "selection", "profile", "training", "budget", "seed")
    description = {
        "version": "0.3.18",
        "suite": "gatewalk",
        "function_id": number,
        "function_name": family,
        "maximization": False,
        "algorithm": {"name": algorithm, "info": "Gatewalk"},
        "experiment_attributes": [{name: str(values[name])} for name in attributes],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": scenarios,
    }
    text = json.dumps(description, indent=1)
    (folder / f"IOHprofiler_f{number}_{family}.json").write_text(text, encoding="utf-8")


def _write_cell(results: Results, folder: Path, prefix: str, cell: CellSummary) -> list[dict[str, Any]]:
    """The .dat files of a cell and their descriptions: one file unless runs would run together."""
    n = cell.values["n"]
    if n > _LARGEST_ID:
        raise InputError(f"{cell.values['target']}: IOHprofiler's format ends at {_LARGEST_ID} inputs")
    traced = zip(results.where_cell(cell).runs(), results.traces(cell), strict=True)
    last: list[int] = []  # fitness at the end of each file
    texts: list[list[str]] = []
    scenarios: list[dict[str, Any]] = []
    for run, (_, trace) in traced:
        place = next((i for i, fitness in enumerate(last) if fitness != trace[0][1]), len(last))
        if place == len(last):
            suffix = f"_{place + 1}" if place else ""
            name = f"{prefix}_DIM{n}_cell{cell.number}{suffix}.dat"
            scenarios.append({"dimension": n, "path": name, "runs": []})
            texts.append([_HEADER])
            last.append(0)
        last[place] = trace[-1][1]
        texts[place].append(_curve(cell, trace, run.evaluations))
        best = {"evals": trace[-1][0], "y": _number(cell, trace[-1][1]), "x": run.program.tolist()}
        scenarios[place]["runs"].append({"instance": 1, "evals": run.evaluations, "best": best})
    for scenario, lines in zip(scenarios, texts, strict=True):
        (folder / scenario["path"]).write_text("".join(lines), encoding="utf-8")
    return scenarios


def _curve(cell: CellSummary, trace: Trace, evaluations: int) -> str:
    """A run's rows: every improvement, and the end of the run."""
    points = list(trace)
    if evaluations > points[-1][0]:
        points.append((evaluations, points[-1][1]))
    return "".join(f"{at} {_number(cell, fitness)}\n" for at, fitness in points)


def _number(cell: CellSummary, fitness: int) -> int | float:
    if fitness < _EXACT:
        return fitness
    try:
        return float(fitness)
    except OverflowError:
        raise InputError(
            f"{cell.values['target']}: its fitness exceeds 1.8e308, the most that IOHprofiler's format holds"
        ) from None
