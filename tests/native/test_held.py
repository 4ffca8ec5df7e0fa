"""Words held in the frame of a kernel: if a new version of Numba breaks them, these tests say which part."""

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from gatewalk.native.held import (
    Held,
    attribute,
    constant_at,
    holder,
    method,
    set_word,
    whole,
    word_of,
)


class CounterType(Held):
    """A count, and by how much it grows."""

    words = 2


hold = holder(CounterType())


@method(CounterType, "grow")
def _grow(counter, times):
    set_word(counter, 0, word_of(counter, 0) + word_of(counter, 1) * whole(times))


@attribute(CounterType, "count")
def _count(counter):
    return word_of(counter, 0)


def test_words_are_kept_from_call_to_call_by_methods_and_attributes():
    @numba.njit
    def counted(by, turns):
        counter = hold((np.uint64(1), np.uint64(by)))
        for _ in range(turns):
            counter.grow(2)
        return counter.count

    assert counted(5, 3) == 31


def test_no_memory_is_left_of_them_when_all_is_merged():
    @numba.njit(_nrt=False)
    def counted(by, turns):
        counter = hold((np.uint64(1), by))
        for _ in range(turns):
            counter.grow(2)
        return counter.count

    assert counted(np.uint64(5), 3) == 31
    (code,) = counted.inspect_llvm().values()
    assert "[2 x i64]" not in code  # the frame has no words any more: they are in registers


def test_only_whole_numbers_are_whole():
    @numba.njit
    def as_word(number):
        return whole(number)

    assert as_word(-1) == 2**64 - 1
    with pytest.raises(TypingError, match="must be a whole number, not float64"):
        as_word(0.5)
    with pytest.raises(TypingError, match="must be a whole number, not bool"):
        as_word(True)


def test_entries_of_constant_arrays_are_read():
    @numba.njit
    def read(array, place):
        return constant_at(array, np.uint64(place))

    assert read(np.array([3, 4], dtype=np.uint8), 1) == 4
    (code,) = read.inspect_llvm().values()
    assert "!invariant.load" in code
