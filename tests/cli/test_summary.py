"""What `gatewalk evolve` says about its runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from command import call
from rich.console import Console
from rich.text import Text

from gatewalk.cli.summary import LISTED_GATES, advice, circuit_text, outcome, show, statistics
from gatewalk.search.evolve import evolve, run_many
from gatewalk.search.settings import settings


def shown(what: object) -> str:
    console = Console(width=200, record=True, force_terminal=False)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


def test_the_outcome_in_a_line() -> None:
    run = evolve("and:3", nodes=6, seed=3)
    assert outcome(run).plain.startswith(
        f"solved after {run.iterations:,} iterations with {run.gates} gates\n"
    )
    slow = replace(run, solved=False, fitness=1, iterations=1, gates=1, seconds=2.0)
    assert outcome(slow).plain.startswith("not solved: 1 mismatch left after 1 iteration with 1 gate\n")
    assert "iterations/s" in outcome(slow).plain
    assert "iterations/s" not in outcome(run).plain


def test_advice_follows_the_settings() -> None:
    strict = evolve("xor:4", nodes=4, selection="strict", budget=7, seed=1)
    assert advice(strict) == (
        "try --budget 70, --nodes 8, --selection nonstrict, another --seed, or --runs 10"
    )
    tree = evolve("and:3", algorithm="tgp-single", budget=3, seed=1)
    assert "--nodes" not in advice(tree)


def test_statistics_of_runs() -> None:
    runs = run_many(settings("and:3", nodes=6), seed=3, runs=range(20), jobs=1)
    text = shown(statistics(runs))
    assert "20 of 20" in text
    assert f"{runs.iterations.mean():,.0f} iterations (all iterations / successes)" in text
    assert "censored" not in text


def test_large_circuits_are_not_listed() -> None:
    circuit = evolve("and:3", nodes=6, seed=3).circuit
    listed = circuit_text(circuit)
    assert isinstance(listed, Text)
    assert "name  gate" in listed.plain
    large = replace(circuit, nodes=circuit.nodes * LISTED_GATES)
    unlisted = circuit_text(large)
    assert isinstance(unlisted, Text)
    assert "name  gate" not in unlisted.plain


def test_missing_runs_are_said() -> None:
    runs = run_many(settings("and:3", nodes=6), seed=3, runs=range(2), jobs=1)
    console = Console(width=200, force_terminal=False)
    with console.capture() as captured:
        show(runs, console, asked=5, as_is=True)
    assert "2 of 5 runs finished; the others are left out" in captured.get()


def test_censored_runs_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, "evolve", "xor:7", "--nodes", "6", "--runs", "3", "--budget", "50")
    assert "3 used their budget up: run 0, 1, 2" in " ".join(out.split())
    assert "more than the budget" in out


def test_the_summary_says_what_was_run_and_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(
        capsys, "evolve", "xor:6", "--nodes", "9", "--budget", "1e2", "--mutation", "point:10%"
    )
    assert status == 0
    assert "gates xor, D = 9, point:3, lambda 1, nonstrict, paper, complete, budget 100" in out
    assert "try --budget 1000, --nodes 18, another --seed, or --runs 10" in out
    assert "--json" not in out
