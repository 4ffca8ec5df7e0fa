"""Functions that only kernels call: no entry for Python; compiled with any numba."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from kernels import entry
from numba.core.registry import CPUDispatcher

from gatewalk.cgp.registers import next_word
from gatewalk.jit import by_kind, inlined, outlined, seconds_compiling
from gatewalk.tgp.symbolic import count_all


@pytest.mark.parametrize("part", [next_word, count_all])
def test_a_part_of_kernels_cannot_be_called(part) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError, match="call it from a kernel"):
        part(None)


class Square(NamedTuple):
    side: float


class Circle(NamedTuple):
    radius: float


@inlined
def of_square(scale: float, shape: Square) -> float:
    return scale * shape.side**2


@inlined
def of_circle(scale: float, shape: Circle) -> float:
    return scale * 3.0 * shape.radius**2


area = by_kind({Square: of_square, Circle: of_circle})


def test_a_part_is_chosen_by_the_tuple_it_is_given() -> None:
    assert entry(area)(2.0, Square(3.0)) == 18.0
    assert entry(area)(2.0, Circle(3.0)) == 54.0
    with pytest.raises(TypeError, match="call it from a kernel"):
        area(2.0, Square(3.0))


@pytest.fixture
def collections() -> Iterator[list[str]]:
    """What Python's collector of cycles told while a test ran, with the collector eager."""
    told: list[str] = []

    def listen(phase: str, _: dict[str, int]) -> None:
        told.append(phase)

    thresholds = gc.get_threshold()
    gc.set_threshold(100)
    gc.callbacks.append(listen)
    yield told
    gc.callbacks.remove(listen)
    gc.set_threshold(*thresholds)


def test_compiling_a_kernel_is_not_interrupted_by_the_collector(collections: list[str], monkeypatch) -> None:  # type: ignore[no-untyped-def]
    def compile_it(dispatcher: CPUDispatcher, signature: object) -> object:
        before = len(collections)
        result = compile_literally(dispatcher, signature)
        assert len(collections) == before
        return result

    compile_literally = CPUDispatcher.compile
    monkeypatch.setattr(CPUDispatcher, "compile", compile_it)

    @outlined
    def double(value: int) -> int:
        return 2 * value

    assert double(4) == 8
    assert gc.isenabled()
    cycles = [[[]] for _ in range(1000)]  # enough to start the collector
    assert cycles
    assert collections


def test_the_time_of_a_kernel_in_a_kernel_is_counted_once(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("gatewalk.jit.time.perf_counter", lambda: next(clock))

    @outlined
    def inner(value: int) -> int:
        return value + 1

    @outlined
    def outer(value: int) -> int:
        return 2 * inner(value)

    before = seconds_compiling()
    assert outer(4) == 10
    assert seconds_compiling() - before == 10  # the clock was looked at twice


NEWER = """
import numba
numba.version_info = numba.version_info._replace(short=(99, 0))
import gatewalk
from gatewalk.jit import INLINED
print("pipeline_class" in INLINED, gatewalk.evolve("and:8", nodes=16, seed=1).iterations)
"""


def test_a_numba_that_was_not_tried_compiles_parts_in_its_own_way(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", NEWER]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "173"]  # the golden run of `tests/search/test_session.py`
