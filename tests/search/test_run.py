"""A run as a record, in words, and with the circuit of its program."""

from __future__ import annotations

from gatewalk.circuit.equivalence import matches
from gatewalk.search.evolve import evolve
from gatewalk.search.run import COLUMNS, what_was_run


def test_a_record_has_every_column() -> None:
    run = evolve("and:4", nodes=8, seed=1)
    record = run.record()
    assert list(record) == [column.name for column in COLUMNS]
    assert (record["target"], record["nodes"], record["seed"], record["run"]) == ("and:4", 8, 1, 0)
    assert (record["iterations"], record["solved"], record["fitness"]) == (run.iterations, True, 0)


def test_the_circuit_of_the_program() -> None:
    run = evolve("and:4", nodes=8, seed=1)
    assert matches(run.circuit, run.settings.wanted)
    assert len(run.circuit) == run.gates


def test_words() -> None:
    run = evolve("and:4", nodes=8, seed=1, budget=1000, selection="strict", options={"starts": 2})
    words = what_was_run(run)
    for word in ("and:4", "cgp", "D = 8", "sam", "strict", "starts=2", "budget 1,000", "seed 1", "run 0"):
        assert word in words
    assert repr(run).startswith("Run(and:4, cgp, solved, iterations=")
