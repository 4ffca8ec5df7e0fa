"""Programs and traces survive being packed."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.campaign.packing import pack_program, pack_programs, pack_trace, unpack_program, unpack_trace


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=300))
def test_programs_come_back(values: list[int]) -> None:
    program = np.array(values, dtype=np.int32)
    found = unpack_program(pack_program(program))
    assert found.dtype == np.int32
    assert found.tolist() == values


def test_a_fitness_of_thousands_of_digits_survives() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        trace = ((1, 2**15000), (7, 2**14999 - 1), (9, 0))
        assert unpack_trace(pack_trace(trace)) == trace
    finally:
        sys.set_int_max_str_digits(before)


NARROW, MIDDLE, WIDE = (
    st.integers(-(2**bits), 2**bits - 1) | st.sampled_from([-(2**bits), 2**bits - 1]) for bits in (7, 15, 31)
)


@given(st.data(), st.integers(0, 120), st.integers(0, 6))
def test_many_programs_are_packed_as_one_by_one(data: st.DataObject, length: int, count: int) -> None:
    """Whatever mixture of widths, on both sides of the length from which programs are compressed."""
    rows = [
        data.draw(
            st.lists(data.draw(st.sampled_from([NARROW, MIDDLE, WIDE])), min_size=length, max_size=length)
        )
        for _ in range(count)
    ]
    programs = np.array(rows, dtype=np.int32).reshape(count, length)
    one_by_one = [pack_program(program) for program in programs]
    assert pack_programs(programs) == one_by_one
    assert pack_programs(list(programs)) == one_by_one
    assert pack_programs(programs[::-1]) == one_by_one[::-1]
    assert pack_programs(np.asfortranarray(programs)) == one_by_one


@pytest.mark.parametrize("edge", [-129, -128, 127, 128, -32_769, -32_768, 32_767, 32_768])
def test_the_narrowest_width_is_taken_for_each_program(edge: int) -> None:
    programs = np.array([[1, 2, 3], [0, edge, 0], [4, 5, 6]], dtype=np.int32)
    packed = pack_programs(programs)
    assert packed == [pack_program(program) for program in programs]
    assert [unpack_program(data).tolist() for data in packed] == programs.tolist()
    assert len(packed[1]) == 1 + 3 * (1 if -128 <= edge < 128 else 2 if -32_768 <= edge < 32_768 else 4)


def test_programs_of_different_lengths_are_packed_too() -> None:
    programs = [np.arange(5, dtype=np.int32), np.arange(300, dtype=np.int32)]
    assert pack_programs(programs) == [pack_program(program) for program in programs]


def test_programs_are_compact() -> None:
    assert len(pack_program(np.arange(30, dtype=np.int32))) == 31
    assert len(pack_program(np.zeros(10_000, dtype=np.int32))) < 100


def test_what_is_not_a_program_is_refused() -> None:
    with pytest.raises(ValueError, match="numbers of 0 bytes"):
        unpack_program(b"\x80\x04pickle")


def test_traces_hold_any_fitness() -> None:
    trace = ((1, 2**200 - 1), (17, 3), (10**15, 0))
    assert unpack_trace(pack_trace(trace)) == trace
