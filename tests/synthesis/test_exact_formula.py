"""Formulas for circuits of r gates: satisfied exactly if there is one, and models are such circuits."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from gatewalk.synthesis.exact_formula import Output, Question, Step, formula_for, read_model
from gatewalk.synthesis.sat_solving import satisfied

NAND, INPUTS = 0b0111, (0b1010, 0b1100)
FUNCTIONS = {1: (0b01,), 2: (NAND,)}  # a nand of one source twice negates it


def question(table: int, care: int = 0b1111) -> Question:
    return Question(
        rows=4,
        inputs=INPUTS,
        outputs=(Output(table & care, care),),
        functions=FUNCTIONS,
        absorbing=False,
        apart=(),
        read=(),
        exchangeable=(),
    )


def values(steps: list[Step]) -> list[int]:
    """The tables of all sources."""
    found = list(INPUTS)
    for step in steps:
        table = 0
        for row in range(4):
            place = sum((found[operand] >> row & 1) << j for j, operand in enumerate(step.operands))
            table |= (step.table >> place & 1) << row
        found.append(table)
    return found


def sizes() -> dict[int, int]:
    """The fewest nands of every function of two inputs, by trying all circuits of up to four."""
    known = dict.fromkeys(INPUTS, 0)
    circuits = [INPUTS]
    for count in range(1, 5):
        longer = []
        for sources in circuits:
            for a, b in combinations_with_replacement(sources, 2):
                table = 0b1111 & ~(a & b)
                known.setdefault(table, count)
                longer.append((*sources, table))
        circuits = longer
    return known


SIZES = sizes()


@pytest.mark.parametrize("table", sorted(set(SIZES) - set(INPUTS)))
def test_there_is_a_circuit_of_the_fewest_gates_and_none_of_fewer(table: int) -> None:
    size = SIZES[table]
    for steps in range(1, size):
        assert satisfied(formula_for(question(table), steps).clauses) is False
    formula = formula_for(question(table), size)
    model = satisfied(formula.clauses)
    assert model
    steps, picks = read_model(formula, model)
    assert len(steps) == size
    assert values(steps)[picks[0]] == table
    assert all((len(step.operands), step.table) in {(1, 0b01), (2, NAND)} for step in steps)


def test_rows_that_do_not_count_make_it_easier() -> None:
    """Exclusive or takes four nands; if the row of two ones does not count, or does: three."""
    assert SIZES[0b0110] == 4
    free = formula_for(question(0b0110, care=0b0111), 3)
    model = satisfied(free.clauses)
    assert model
    steps, picks = read_model(free, model)
    assert values(steps)[picks[0]] & 0b0111 == 0b0110
    assert satisfied(formula_for(question(0b0110), 3).clauses) is False


def test_outputs_that_must_be_apart_are() -> None:
    """One nand and its negation as two outputs."""
    two = Question(
        rows=4,
        inputs=INPUTS,
        outputs=(Output(0b0111, 0b1111), Output(0b1000, 0b1111)),
        functions=FUNCTIONS,
        absorbing=False,
        apart=((0, 1),),
        read=(0, 1),
        exchangeable=((0, 1),),
    )
    assert satisfied(formula_for(two, 1).clauses) is False
    formula = formula_for(two, 2)
    model = satisfied(formula.clauses)
    assert model
    steps, picks = read_model(formula, model)
    assert [values(steps)[pick] for pick in picks] == [0b0111, 0b1000]
