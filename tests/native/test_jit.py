"""Ways to compile: parts chosen by the tuples that they are given; no collector meanwhile."""

from __future__ import annotations

import gc
from typing import NamedTuple

import numba
import numpy as np
import pytest
from kernels import entry
from numba import TypingError
from numba.core import event

from gatewalk.native.jit import (
    by_kind,
    hot_kernel,
    inlined,
    internal,
    kernel,
    watch_compilations,
    without_collection,
)


class Square(NamedTuple):
    side: float


class Circle(NamedTuple):
    radius: float


@inlined
def of_square(scale, shape):
    return scale * shape.side**2


@internal
def of_circle(scale, shape):
    return scale * 3.0 * shape.radius**2


area = by_kind({Square: of_square, Circle: of_circle})


def test_a_part_is_chosen_by_the_tuple_it_is_given():
    assert entry(area)(2.0, Square(3.0)) == 18.0
    assert entry(area)(2.0, Circle(3.0)) == 54.0


def test_arguments_without_a_known_kind_are_a_typing_error():
    with pytest.raises(TypingError, match="No implementation"):
        entry(area)(2.0, 3.0)
    with pytest.raises(TypingError, match="No implementation"):
        entry(area)(2.0, (3.0,))


def test_a_kind_may_be_added_later():
    parts = {Square: of_square}
    later = by_kind(parts)
    parts[Circle] = of_circle
    assert entry(later)(2.0, Circle(3.0)) == 54.0


def test_one_of_several_parts_cannot_be_called_from_python():
    with pytest.raises(TypeError, match="call it from a kernel"):
        area(2.0, Square(3.0))


def test_a_kernel_may_make_arrays_and_a_hot_one_may_not():
    @kernel
    def ones(count):
        return np.ones(count).sum()

    @hot_kernel
    def hot_ones(count):
        return np.ones(count).sum()

    assert ones(5) == 5.0
    with pytest.raises(TypingError, match="No implementation"):
        hot_ones(5)


@pytest.mark.parametrize("is_on", [True, False])
def test_the_collector_is_off_and_then_as_it_was(is_on):
    was_on = gc.isenabled()
    try:
        (gc.enable if is_on else gc.disable)()
        with without_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == is_on
        with pytest.raises(ZeroDivisionError), without_collection():
            _ = 1 / 0
        assert gc.isenabled() == is_on
    finally:
        (gc.enable if was_on else gc.disable)()


def test_beginnings_and_ends_are_told():
    told = []
    before = list(event._registered["numba:compile"])
    watch_compilations(lambda: told.append("begins"), lambda: told.append("ends"))
    try:
        double = numba.njit(lambda x: x + x)
        double(1)
        assert told[0] == "begins"
        assert told.count("begins") == told.count("ends") >= 1
        told.clear()
        double(2)
        assert told == []
    finally:
        for listener in event._registered["numba:compile"]:
            if listener not in before:
                event.unregister("numba:compile", listener)
