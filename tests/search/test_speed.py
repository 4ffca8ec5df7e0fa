"""The cases of `gatewalk bench`: their searches, and that programs are counted as they are made."""

from gatewalk.search.speed import (
    STANDARD,
    Case,
    evaluations_for,
    record,
    search_of,
    seconds_of,
    timed_session,
)


def test_cases_have_names_and_searches():
    case = Case("mul:2", 20, ("and", "xor"), (("offspring", 4),))
    assert case.name == "mul:2 D=20 {and,xor} offspring=4"
    search = search_of(case, "table")
    assert (search.nodes, search.gates.names, search.offspring) == (20, ("and", "xor"), 4)
    assert search.evaluation == "table"
    assert len({case.name for case in STANDARD}) == len(STANDARD)


def test_evaluations_that_are_possible():
    assert evaluations_for(Case("and:5", 5)) == ["table", "symbolic"]
    assert evaluations_for(Case("and:1000", 1000)) == ["symbolic"]
    assert evaluations_for(Case("and:5", 5, ("and", "or"))) == ["table"]


def test_programs_are_counted_over_runs():
    session = timed_session(Case("and:3", 4), "table")
    before = session.programs
    assert before >= 100
    assert seconds_of(session, 5000) >= 0
    assert before + 5000 <= session.programs <= before + 6000
    assert session.over > 0


def test_a_line_of_the_benchmark():
    line = record(Case("and:3", 4), "table", 0.001)
    assert list(line) == ["case", "n", "nodes", "gates", "evaluation", "iterations_per_second"]
    assert (line["n"], line["nodes"], line["gates"]) == (3, 4, "and")
    assert line["iterations_per_second"] > 0
