"""Columns: what a value of each kind may be, and that nothing else passes."""

from __future__ import annotations

import pytest

from gatewalk.errors import InputError
from gatewalk.search.column import Column, Kind, check_values, columns_of, number_of
from gatewalk.search.run import RUN_COLUMNS, Run

RIGHT: dict[Kind, list[object]] = {
    "text": ["", "and:4"],
    "count": [0, 2**63 - 1],
    "total": [0, 2**63 - 1, 1e30],
    "real": [0.5, -1.0, 3],
    "truth": [0, 1, True],
    "number": [0, 2**200, "0", "1" + "0" * 5000],
    "bytes": [b"", b"\0"],
}
WRONG: dict[Kind, list[object]] = {
    "text": [1, b"and:4", None],
    "count": [-1, 2**63, 1.0, True, "1", None],
    "total": [-1, float("inf"), float("nan"), "1"],
    "real": [float("nan"), float("inf"), "1", None],
    "truth": [2, -1, "1", 1.0],
    "number": [-1, "-1", "x", "١", "", 1.0, "1" * 500_000],
    "bytes": ["", 1],
}


@pytest.mark.parametrize("kind", RIGHT)
def test_each_kind_takes_its_values_and_no_others(kind: Kind) -> None:
    column = Column(name="some", kind=kind)
    check_values(column, RIGHT[kind])
    for wrong in WRONG[kind]:
        with pytest.raises(InputError, match="some is ") as error:
            check_values(column, [*RIGHT[kind], wrong])
        assert len(str(error.value)) < 400


def test_no_value_only_where_there_may_be_none() -> None:
    check_values(Column(name="some", kind="real", optional=True), [0.5, None])
    with pytest.raises(InputError, match="some is None"):
        check_values(Column(name="some", kind="real"), [0.5, None])


def test_numbers_beyond_64_bits_are_text() -> None:
    assert number_of(7) == 7
    assert number_of(str(2**100)) == 2**100


def test_the_columns_of_a_run_are_its_fields() -> None:
    assert columns_of(Run) == RUN_COLUMNS
    names = [column.name for column in RUN_COLUMNS]
    assert names[0] == "run"
    assert {"iterations", "solved", "fitness", "gates", "seconds"} <= set(names)
    assert "program" not in names
