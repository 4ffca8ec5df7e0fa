"""Finished runs as tuples for the store."""

from __future__ import annotations

from dataclasses import replace

from gatewalk.campaign.finished import finished, rows_of, trace_of
from gatewalk.campaign.packing import pack_program, unpack_trace
from gatewalk.campaign.schema import RUN
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings

STORED = [column.name for column in RUN]
RUNS = run_many(settings("and:3"), seed=1, runs=range(4))
SAMPLED = run_many(settings("and:4", training="sample:9"), seed=1, runs=range(4))


def test_a_row_has_the_values_of_its_run() -> None:
    for runs in (RUNS, SAMPLED):
        for row, run in zip(rows_of(runs, cell=7, delivery=9), runs, strict=True):
            values = dict(zip(STORED, row, strict=True))
            assert (values.pop("cell"), values.pop("delivery")) == (7, 9)
            assert values.pop("program") == pack_program(run.program)
            assert values == {name: getattr(run, name) for name in values}


def test_rows_are_plain_values() -> None:
    """SQLite stores numpy's numbers as bytes without a word."""
    for row in rows_of(SAMPLED, cell=7, delivery=9):
        assert {type(value) for value in row} <= {int, bool, float, str, bytes}


def test_large_fitness_is_text() -> None:
    large = replace(RUNS, fitness=[0, 2**63 - 1, 2**63, 2**200])
    place = STORED.index("fitness")
    found = [row[place] for row in rows_of(large, cell=0, delivery=0)]
    assert found == [0, 2**63 - 1, str(2**63), str(2**200)]


def test_programs_are_measured_in_either_form() -> None:
    one_by_one = replace(RUNS, programs=list(RUNS.programs))
    expected = sum(run.program.nbytes for run in RUNS)
    assert finished(RUNS, traces=False).program_bytes == expected
    assert finished(one_by_one, traces=False).program_bytes == expected


def test_traces_only_where_they_are_wanted() -> None:
    assert finished(RUNS, traces=False).traces is None
    traced = finished(RUNS, traces=True).traces
    assert traced is not None
    assert [unpack_trace(trace) for trace in traced] == [
        trace_of(run.settings, run.improvements) for run in RUNS
    ]
