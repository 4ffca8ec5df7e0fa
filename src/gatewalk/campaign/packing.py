"""Programs and traces as bytes: short, readable in any language, and never a pickle.

The bytes of a program begin with the width of its numbers (1, 2, 4 or 8 bytes, little-endian, signed), plus
128 if the rest is compressed by zlib; the numbers follow. A trace is the JSON text [[evaluations, fitness],
...], compressed by zlib; it is JSON because a fitness can exceed 64 bits.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.numbers import MOST_DIGITS, decimal, from_json

Trace = tuple[tuple[int, int], ...]  # (evaluations, best fitness so far) at the start and each improvement

_WIDTHS = (1, 2, 4, 8)
_ZIPPED = 128
_WORTH_ZIPPING = 96
MOST_POINTS = 1 << 20  # of a trace; runs of millions of iterations have some hundred
_LARGEST = 1 << 28  # the most bytes that are decompressed
_DIGITS = re.compile(rb"[0-9]+")
_DIGITS_OF_COUNTS = 19  # of 2^63 - 1
_AROUND = 8  # characters around the numbers of a point, and some blanks
_MOST_WORK = 1 << 41  # digits of the longest number times bytes of a trace: some seconds


def pack_program(program: NDArray[np.integer]) -> bytes:
    """The bytes of a program."""
    low, high = (int(program.min()), int(program.max())) if program.size else (0, 0)
    width = next(w for w in _WIDTHS if -(1 << (8 * w - 1)) <= low and high < 1 << (8 * w - 1))
    body = program.astype(f"<i{width}").tobytes()
    if len(body) > _WORTH_ZIPPING:
        zipped = zlib.compress(body, 6)
        if len(zipped) < len(body):
            return bytes([width | _ZIPPED]) + zipped
    return bytes([width]) + body


def pack_programs(programs: Sequence[NDArray[np.integer]] | NDArray[np.integer]) -> list[bytes]:
    """The bytes of `pack_program` for each of many programs; fastest if they are the rows of one array."""
    if not isinstance(programs, np.ndarray) or programs.ndim != 2 or not programs.size:
        return [pack_program(program) for program in programs]
    low, high = programs.min(axis=1), programs.max(axis=1)
    narrow = (low >= -128) & (high < 128)
    if narrow.all() and programs.shape[1] <= _WORTH_ZIPPING:  # nearly always
        return _narrow(programs)
    if not narrow.any() or programs.shape[1] > _WORTH_ZIPPING:
        return [pack_program(program) for program in programs]
    packed = [b""] * len(programs)
    for place, data in zip(np.flatnonzero(narrow).tolist(), _narrow(programs[narrow]), strict=True):
        packed[place] = data
    for place in np.flatnonzero(~narrow).tolist():
        packed[place] = pack_program(programs[place])
    return packed


def _narrow(programs: NDArray[np.integer]) -> list[bytes]:
    """The bytes of programs whose numbers fit into one byte and that are too short to compress."""
    table = np.empty((len(programs), 1 + programs.shape[1]), dtype=np.int8)
    table[:, 0] = 1
    table[:, 1:] = programs
    found: list[bytes] = table.view(f"V{table.shape[1]}").ravel().tolist()
    return found


def unpack_program(data: bytes, most: int = _LARGEST) -> NDArray[np.int32]:
    """The program in these bytes; raises `InputError` if they hold none, or more than `most` numbers."""
    if not data:
        raise InputError("there are no bytes")
    width = data[0] & ~_ZIPPED
    if width not in _WIDTHS:
        raise InputError(f"numbers of {width} bytes are unknown")
    if len(data) - 1 > most * width:
        raise InputError(f"it has more than {most:,} numbers")
    body = _unzipped(data[1:], min(_LARGEST, most * width)) if data[0] & _ZIPPED else data[1:]
    if len(body) % width:
        raise InputError("its end is missing")
    numbers = np.frombuffer(body, dtype=f"<i{width}")
    if width == 8 and numbers.size and not -(2**31) <= numbers.min() <= numbers.max() < 2**31:
        raise InputError("a number is too large")
    return numbers.astype(np.int32)


def pack_trace(trace: Sequence[tuple[int, int]]) -> bytes:
    """The bytes of a trace."""
    points = ",".join(f"[{evaluations},{decimal(fitness)}]" for evaluations, fitness in trace)
    return zlib.compress(f"[{points}]".encode())


def unpack_trace(data: bytes, most_fitness: int | None = None) -> Trace:
    """The trace in these bytes; raises `InputError` if they hold none.

    Its evaluations begin at 1 and grow, and its fitness falls. most_fitness: that of its first point, if it
    is known; then no larger number is read, and no more points than such a fitness can fall.
    """
    most_points = MOST_POINTS if most_fitness is None else min(MOST_POINTS, most_fitness + 1)
    most_digits = _digits_of(most_fitness)
    body = _unzipped(data, min(_LARGEST, 2 + most_points * (_DIGITS_OF_COUNTS + most_digits + _AROUND)))
    if body.count(b"[") > most_points + 1 or body.count(b",") > 2 * most_points:
        raise InputError(f"it has more than {most_points:,} points")
    longest = max((len(match[0]) for match in _DIGITS.finditer(body)), default=0)
    if longest > most_digits or longest * len(body) > _MOST_WORK:
        raise InputError("a number in it is too large")
    try:
        pairs = _pairs(body)
    except (ValueError, RecursionError):
        raise InputError("it cannot be read") from None
    if not isinstance(pairs, list) or not pairs or not all(map(_is_point, pairs)):
        raise InputError("it is not a list of evaluations and fitness")
    trace: Trace = tuple((evaluations, fitness) for evaluations, fitness in pairs)
    if trace[0][0] != 1 or any(b[0] <= a[0] or b[1] >= a[1] for a, b in pairwise(trace)):
        raise InputError("its evaluations do not grow, or its fitness does not fall")
    if most_fitness is not None and trace[0][1] > most_fitness:
        raise InputError("its fitness exceeds the mismatches that there can be")
    return trace


def _digits_of(most_fitness: int | None) -> int:
    """The most digits of a number in a trace."""
    if most_fitness is None:
        return MOST_DIGITS
    return max(_DIGITS_OF_COUNTS, most_fitness.bit_length() * 30103 // 100_000 + 1)


def _pairs(body: bytes) -> object:
    """The JSON in these bytes; numbers of many digits are read by `from_json`, which is slower."""
    try:
        return json.loads(body)
    except ValueError:
        return from_json(body)


def _is_point(pair: object) -> bool:
    is_pair = isinstance(pair, list) and len(pair) == 2
    return is_pair and all(type(value) is int and value >= 0 for value in pair)  # type: ignore[attr-defined]


def _unzipped(data: bytes, most: int) -> bytes:
    """The decompressed bytes; raises `InputError` if there are more than `most`."""
    inflate = zlib.decompressobj()
    try:
        body = inflate.decompress(data, most + 1)
    except zlib.error:
        raise InputError("it cannot be decompressed") from None
    if len(body) > most or not inflate.eof or inflate.unused_data:
        raise InputError("its end is missing, or it is too large")
    return body
