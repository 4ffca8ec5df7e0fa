"""IOHprofiler's format, read by the real iohinspector: runs, budgets and curves."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import iohinspector

from gatewalk.campaign import Campaign, Results, grid, run
from gatewalk.campaign.export import export
from gatewalk.campaign.export.ioh import function_numbers
from gatewalk.errors import InputError

# and:1 is solved at the start by some programs, xor:3 with 2 nodes often ends unsolved.
CAMPAIGN = Campaign(
    seed=4,
    traces=True,
    grids=(
        grid(target=["and:1", "and:2", "and:4"], nodes=["n", "2n"], replications=12),
        grid(target="xor:3", nodes=2, budget=50, replications=12),
        grid(target="and:4", algorithm="tgp-multi", profile="tinyverse", budget=300, replications=12),
    ),
)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Results, Any]]:
    folder = tmp_path_factory.mktemp("ioh") / "data"
    with run(CAMPAIGN, jobs=1) as results:
        export(results, "ioh", folder)
        manager = iohinspector.DataManager()
        manager.add_folder(str(folder))
        yield results, manager


def curves(frame: Any) -> list[list[tuple[int, int]]]:
    """The curves of all runs, without regard to their names."""
    found: dict[int, list[tuple[int, int]]] = {}
    for evaluations, fitness, ident in frame.select("evaluations", "raw_y", "data_id").rows():
        found.setdefault(ident, []).append((evaluations, int(fitness)))
    return sorted(found.values())


def expected(results: Results, *, ends: bool) -> list[list[tuple[int, int]]]:
    found = []
    for cell in results.cells():
        for number, trace in results.traces(cell):
            curve = list(trace)
            evaluations = results.run(cell, number).evaluations
            if ends and evaluations > curve[-1][0]:
                curve.append((evaluations, curve[-1][1]))
            found.append(curve)
    return sorted(found)


def test_the_right_runs_and_budgets(loaded: tuple[Results, Any]) -> None:
    results, manager = loaded
    overview = manager.overview
    assert len(overview) == 8 * 12
    columns = results.columns()
    assert sorted(overview["evals"].to_list()) == sorted(columns["evaluations"])
    assert sorted(overview["best_y"].to_list()) == sorted(map(float, columns["fitness"]))
    assert sorted(overview["dimension"].to_list()) == sorted(columns["n"])
    assert set(overview["function_name"].to_list()) == {"and", "xor"}
    assert len(set(overview["algorithm_name"].to_list())) == 4
    assert len(set(overview["data_id"].to_list())) == 8 * 12


def test_the_right_curves(loaded: tuple[Results, Any]) -> None:
    results, manager = loaded
    assert curves(manager.load(monotonic=True)) == expected(results, ends=False)
    assert curves(manager.load(monotonic=False)) == expected(results, ends=True)


def test_curves_belong_to_their_runs(loaded: tuple[Results, Any]) -> None:
    results, manager = loaded
    frame = manager.load(monotonic=True, include_meta_data=True)
    for cell in results.where(target="and:4", algorithm="cgp").cells():
        chosen = frame.filter(
            (frame["dimension"] == 4)
            & (frame["algorithm_name"].str.contains(f"nodes={cell.options['nodes']} "))
        )
        assert curves(chosen) == sorted(list(trace) for _, trace in results.traces(cell))


def test_sums_over_runs_agree(loaded: tuple[Results, Any]) -> None:
    """Evaluations and successes as iohinspector loads them, against the sums of the store."""
    results, manager = loaded
    (cell,) = results.where(target="xor:3").cells()
    part = manager.overview.filter(manager.overview["function_name"] == "xor")
    spent, solved = sum(part["evals"]), sum(y == 0 for y in part["best_y"])
    assert spent == cell.iterations + cell.finished  # one evaluation more a run: its start
    assert solved == cell.solved


def test_traces_are_needed(tmp_path: Path) -> None:
    with run(Campaign(grids=(grid(target="and:2", replications=3),)), jobs=1) as results:
        with pytest.raises(InputError, match=r"3 runs have no trace.*traces = true"):
            export(results, "ioh", tmp_path / "data")
        with pytest.raises(InputError, match="no runs to export"):
            export(results.where(target="or:2"), "ioh", tmp_path / "data")


def test_an_existing_folder_is_not_touched(tmp_path: Path) -> None:
    with (
        run(Campaign(traces=True, grids=(grid(target="and:2", replications=3),)), jobs=1) as results,
        pytest.raises(InputError, match="there already"),
    ):
        export(results, "ioh", tmp_path)


def test_functions_are_numbered_by_their_names() -> None:
    both = function_numbers(["xor", "and"])
    assert function_numbers(["and"])["and"] == both["and"]
    assert function_numbers(["and", "or", "xor", "maj"])["xor"] == both["xor"]
    many = function_numbers(f"family{i}" for i in range(2000))
    assert len(set(many.values())) == 2000
    assert all(1 <= number <= 65_535 for number in many.values())
