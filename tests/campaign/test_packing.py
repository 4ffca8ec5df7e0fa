"""Programs and traces survive being packed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.campaign.packing import pack_program, pack_trace, unpack_program, unpack_trace


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=300))
def test_programs_come_back(values: list[int]) -> None:
    program = np.array(values, dtype=np.int32)
    found = unpack_program(pack_program(program))
    assert found.dtype == np.int32
    assert found.tolist() == values


def test_programs_are_compact() -> None:
    assert len(pack_program(np.arange(30, dtype=np.int32))) == 31
    assert len(pack_program(np.zeros(10_000, dtype=np.int32))) < 100


def test_what_is_not_a_program_is_refused() -> None:
    with pytest.raises(ValueError, match="width"):
        unpack_program(b"\x80\x04pickle")


def test_traces_hold_any_fitness() -> None:
    trace = ((1, 2**200 - 1), (17, 3), (10**15, 0))
    assert unpack_trace(pack_trace(trace)) == trace
