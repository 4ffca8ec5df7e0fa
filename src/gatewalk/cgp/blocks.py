"""Operations on a block of words at once, as the processor's vector instructions.

Written in LLVM's intermediate language, since Numba cannot promise the compiler that arrays do not
overlap and then works word by word. The block is as long as the tuple `lanes`; LLVM makes vector
instructions of the processor out of it, of whatever width they are.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from gatewalk.jit import inlined

Words = NDArray[np.uint64]
Entries = TypeVar("Entries", Words, NDArray[np.int64], NDArray[np.uint8])
Lanes = tuple[int, ...]
LINE = 8  # words of a line of the cache
_WORD = ir.IntType(64)
_NONE, _ALL = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


def zeros(words: int) -> Words:
    """So many words, the first at the beginning of a line of the processor's cache: blocks then are too."""
    room = np.zeros(words + LINE - 1, dtype=np.uint64)
    first = -(room.ctypes.data // 8) % LINE
    return room[first : first + words]


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any, lanes: int) -> Any:
    """Where a block begins, as a pointer to a vector."""
    data = make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), ir.VectorType(_WORD, lanes).as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, at: Any, lanes: int) -> Any:
    block = builder.load(_pointer(context, builder, array_type, array, at, lanes))
    block.align = 8
    return block


def _spread(builder: Any, word: Any, lanes: int) -> Any:
    """A vector with the same word everywhere."""
    vector = ir.VectorType(_WORD, lanes)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _reduce(builder: Any, operation: str, block: Any, lanes: int) -> Any:
    kind = ir.FunctionType(_WORD, [block.type])
    name = f"llvm.vector.reduce.{operation}.v{lanes}i64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [block])


def _ones(builder: Any, block: Any, lanes: int) -> Any:
    kind = ir.FunctionType(block.type, [block.type])
    counts = builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.ctpop.v{lanes}i64"), [block]
    )
    return _reduce(builder, "add", counts, lanes)


def _gate(builder: Any, coefficients: list[Any], x: Any, y: Any, lanes: int) -> Any:
    """Algebraic normal form: c0 ^ c1 x ^ y (c2 ^ c3 x)."""
    c0, c1, c2, c3 = (_spread(builder, word, lanes) for word in coefficients)
    without = builder.xor(c0, builder.and_(c1, x))
    factor = builder.xor(c2, builder.and_(c3, x))
    return builder.xor(without, builder.and_(y, factor))


@intrinsic  # type: ignore[untyped-decorator]
def _gate_block(
    typing_context: Any, lanes: Any, out: Any, at: Any, old: Any, o: Any, xs: Any, i: Any, ys: Any, j: Any,
    c0: Any, c1: Any, c2: Any, c3: Any,
) -> Any:  # fmt: skip
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, at, old, o, xs, i, ys, j, *coefficients = arguments
        kinds = signature.args
        x = _load(context, builder, kinds[5], xs, i, count)
        y = _load(context, builder, kinds[7], ys, j, count)
        result = _gate(builder, coefficients, x, y, count)
        before = _load(context, builder, kinds[3], old, o, count)
        store = builder.store(result, _pointer(context, builder, kinds[1], out, at, count))
        store.align = 8
        return _reduce(builder, "or", builder.xor(result, before), count)

    word = types.uint64
    return word(lanes, out, word, old, word, xs, word, ys, word, word, word, word, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _seen_balance(
    typing_context: Any, lanes: Any, new: Any, old: Any, at: Any, seen: Any, s: Any, top: Any,
    wanted: Any, o: Any,
) -> Any:  # fmt: skip
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, new, old, at, seen, s, top, wanted, o = arguments
        kinds = signature.args
        fresh = _load(context, builder, kinds[1], new, at, count)
        stale = _load(context, builder, kinds[2], old, at, count)
        visible = _load(context, builder, kinds[4], seen, s, count)
        value = _load(context, builder, kinds[2], old, top, count)
        goal = _load(context, builder, kinds[7], wanted, o, count)
        changed = builder.and_(builder.xor(fresh, stale), visible)
        mended = builder.and_(changed, builder.xor(value, goal))
        all_ones = _ones(builder, changed, count)
        mended_ones = _ones(builder, mended, count)
        return context.make_tuple(
            builder, signature.return_type, [builder.sub(all_ones, mended_ones), mended_ones]
        )

    word = types.uint64
    pair = types.UniTuple(types.int64, 2)
    return pair(lanes, new, old, word, seen, word, word, wanted, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _wrong_block(
    typing_context: Any, lanes: Any, values: Any, at: Any, wanted: Any, o: Any, mask: Any, m: Any
) -> Any:
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, values, at, wanted, o, mask, m = arguments
        kinds = signature.args
        value = _load(context, builder, kinds[1], values, at, count)
        goal = _load(context, builder, kinds[3], wanted, o, count)
        used = _load(context, builder, kinds[5], mask, m, count)
        return _ones(builder, builder.and_(builder.xor(value, goal), used), count)

    word = types.uint64
    return word(lanes, values, word, wanted, word, mask, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _copy(typing_context: Any, out: Any, to: Any, source: Any, at: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, to, source, at, count = arguments
        there, here = (make_array(kind)(context, builder, array).data for kind, array in
                       zip((signature.args[0], signature.args[2]), (out, source), strict=True))  # fmt: skip
        size = signature.args[0].dtype.bitwidth // 8
        cgutils.raw_memcpy(builder, builder.gep(there, [to]), builder.gep(here, [at]), count, size)
        return context.get_dummy_value()

    word = types.uint64
    return types.void(out, word, source, word, word), generate


@inlined
def gate_block(
    lanes: Lanes,
    out: Words,
    at: np.uint64,
    old: Words,
    o: np.uint64,
    xs: Words,
    i: np.uint64,
    ys: Words,
    j: np.uint64,
    gates: Words,
    gate: np.uint64,
) -> np.uint64:
    """out[at..] = gate(xs[i..], ys[j..]); returns the bits, over all words, that differ from old[o..]."""
    g = gate << np.uint64(3)
    c0, c1, c2, c3 = gates[g], gates[g + np.uint64(1)], gates[g + np.uint64(2)], gates[g + np.uint64(3)]
    return np.uint64(_gate_block(lanes, out, at, old, o, xs, i, ys, j, c0, c1, c2, c3))


@inlined
def and_block(
    lanes: Lanes,
    out: Words,
    at: np.uint64,
    old: Words,
    o: np.uint64,
    xs: Words,
    i: np.uint64,
    ys: Words,
    j: np.uint64,
) -> np.uint64:
    """As `gate_block` for AND."""
    return np.uint64(_gate_block(lanes, out, at, old, o, xs, i, ys, j, _NONE, _NONE, _NONE, _ALL))


@inlined
def xor_block(
    lanes: Lanes, out: Words, at: np.uint64, xs: Words, i: np.uint64, ys: Words, j: np.uint64
) -> None:
    """out[at..] = xs[i..] ^ ys[j..]."""
    _gate_block(lanes, out, at, xs, i, xs, i, ys, j, _NONE, _ALL, _ALL, _NONE)


@inlined
def wrong_block(
    lanes: Lanes, values: Words, at: np.uint64, wanted: Words, o: np.uint64, mask: Words, m: np.uint64
) -> np.int64:
    """Ones of mask[m..] where values[at..] is not as wanted[o..]."""
    return np.int64(_wrong_block(lanes, values, at, wanted, o, mask, m))


@inlined
def seen_balance(
    lanes: Lanes,
    new: Words,
    old: Words,
    at: np.uint64,
    seen: Words,
    s: np.uint64,
    top: np.uint64,
    wanted: Words,
    o: np.uint64,
) -> tuple[np.int64, np.int64]:
    """Wrong bits that are made, and that are mended, where new[at..] differs from old[at..] and is seen.

    A bit is wrong where old[top..], the output, differs from wanted[o..].
    """
    made, mended = _seen_balance(lanes, new, old, at, seen, s, top, wanted, o)
    return made, mended


@inlined
def copy(out: Entries, to: np.uint64, source: Entries, at: np.uint64, count: np.uint64) -> None:
    """out[to..] = source[at..], so many entries; the two do not overlap."""
    _copy(out, to, source, at, count)
