"""Operations on a block of words at once, by the processor's vector instructions.

They are written in LLVM's intermediate language: Numba cannot tell the compiler that arrays do not overlap,
so plain loops would work word by word. A block has as many words as the tuple `lanes` has entries; LLVM maps
it to vector instructions of whatever width the processor has.

In the docstrings, `xs[i..]` is the block of the array `xs` that begins at its word i. A *column* has the bits
of a source on all rows; functions on columns go through them block by block. Only `apply_gate`, which takes
gates of three inputs too, is a plain loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, internal

Words = NDArray[np.uint64]
Entries = TypeVar("Entries", Words, NDArray[np.int64], NDArray[np.uint8])
Lanes = tuple[object, ...]  # only its length matters
LINE = 8  # words in a line of the processor's cache
_WORD = ir.IntType(64)
_FORM = 4  # coefficients of a gate of two inputs; gates are stored with eight, for three inputs
_AND = (0, 0, 0, -1)


def zeros(words: int) -> Words:
    """An array of zeros that begins at a line of the processor's cache, so that no block crosses a line."""
    memory = np.zeros(words + LINE - 1, dtype=np.uint64)
    first = -(memory.ctypes.data // 8) % LINE
    return memory[first : first + words]


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any, lanes: int) -> Any:
    """A pointer to the block of an array that begins at the index `at`, as a vector of `lanes` words."""
    data = make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), ir.VectorType(_WORD, lanes).as_pointer())


def _load(context: Any, builder: Any, array_type: Any, array: Any, at: Any, lanes: int) -> Any:
    block = builder.load(_pointer(context, builder, array_type, array, at, lanes))
    block.align = 8
    return block


def _store(context: Any, builder: Any, block: Any, array_type: Any, array: Any, at: Any, lanes: int) -> None:
    store = builder.store(block, _pointer(context, builder, array_type, array, at, lanes))
    store.align = 8


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


def _store_gate(context: Any, builder: Any, signature: Any, arguments: Any, coefficients: list[Any]) -> Any:
    """out[at..] = gate(xs[i..], ys[j..]); returns the or of all words of its difference to old[o..].

    The gate is given by its algebraic normal form: c0 ^ c1 x ^ y (c2 ^ c3 x).
    """
    lanes = len(signature.args[0])
    _, out, at, old, o, xs, i, ys, j = arguments
    _, out_kind, _, old_kind, _, xs_kind, _, ys_kind, _ = signature.args[:9]
    c0, c1, c2, c3 = (_spread(builder, word, lanes) for word in coefficients)
    x = _load(context, builder, xs_kind, xs, i, lanes)
    y = _load(context, builder, ys_kind, ys, j, lanes)
    without = builder.xor(c0, builder.and_(c1, x))
    factor = builder.xor(c2, builder.and_(c3, x))
    result = builder.xor(without, builder.and_(y, factor))
    before = _load(context, builder, old_kind, old, o, lanes)
    _store(context, builder, result, out_kind, out, at, lanes)
    return _reduce(builder, "or", builder.xor(result, before), lanes)


@intrinsic  # type: ignore[untyped-decorator]
def _gate_block(
    typing_context: Any, lanes: Any, out: Any, at: Any, old: Any, o: Any, xs: Any, i: Any, ys: Any, j: Any,
    gates: Any, gate: Any,
) -> Any:  # fmt: skip
    """out[at..] = gate(xs[i..], ys[j..]); returns the or of all words of its difference to old[o..]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *blocks, gates, gate = arguments
        words = make_array(signature.args[9])(context, builder, gates).data
        first = builder.shl(gate, ir.Constant(_WORD, 3))
        places = [builder.add(first, ir.Constant(_WORD, place)) for place in range(_FORM)]
        coefficients = [builder.load(builder.gep(words, [place])) for place in places]
        return _store_gate(context, builder, signature, blocks, coefficients)

    word = types.uint64
    return word(lanes, out, word, old, word, xs, word, ys, word, gates, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _and_block(
    typing_context: Any, lanes: Any, out: Any, at: Any, old: Any, o: Any, xs: Any, i: Any, ys: Any, j: Any
) -> Any:
    """As `gate_block`, for the gate AND only."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        coefficients = [ir.Constant(_WORD, word) for word in _AND]
        return _store_gate(context, builder, signature, arguments, coefficients)

    word = types.uint64
    return word(lanes, out, word, old, word, xs, word, ys, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _xor_block(typing_context: Any, lanes: Any, out: Any, at: Any, xs: Any, i: Any, ys: Any, j: Any) -> Any:
    """out[at..] = xs[i..] ^ ys[j..]."""
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, at, xs, i, ys, j = arguments
        kinds = signature.args
        x = _load(context, builder, kinds[3], xs, i, count)
        y = _load(context, builder, kinds[5], ys, j, count)
        _store(context, builder, builder.xor(x, y), kinds[1], out, at, count)
        return context.get_dummy_value()

    word = types.uint64
    return types.void(lanes, out, word, xs, word, ys, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _seen_block(
    typing_context: Any, lanes: Any, out: Any, at: Any, xs: Any, i: Any, ys: Any, j: Any, mask: Any, m: Any
) -> Any:
    """out[at..] = (xs[i..] ^ ys[j..]) & mask[m..]."""
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, out, at, xs, i, ys, j, mask, m = arguments
        kinds = signature.args
        x = _load(context, builder, kinds[3], xs, i, count)
        y = _load(context, builder, kinds[5], ys, j, count)
        used = _load(context, builder, kinds[7], mask, m, count)
        _store(context, builder, builder.and_(builder.xor(x, y), used), kinds[1], out, at, count)
        return context.get_dummy_value()

    word = types.uint64
    return types.void(lanes, out, word, xs, word, ys, word, mask, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _seen_balance(
    typing_context: Any, lanes: Any, new: Any, old: Any, at: Any, seen: Any, s: Any, top: Any,
    wanted: Any, o: Any,
) -> Any:  # fmt: skip
    """How many bits of an output become wrong and how many become right when old[at..] becomes new[at..].

    The bits that change the output are those of seen[s..] on which new and old differ. An output bit is wrong
    where old[top..], the output, differs from wanted[o..].
    """
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
    """The number of bits of mask[m..] on which values[at..] and wanted[o..] differ."""
    count = len(lanes)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _, values, at, wanted, o, mask, m = arguments
        kinds = signature.args
        value = _load(context, builder, kinds[1], values, at, count)
        goal = _load(context, builder, kinds[3], wanted, o, count)
        used = _load(context, builder, kinds[5], mask, m, count)
        return _ones(builder, builder.and_(builder.xor(value, goal), used), count)

    word = types.uint64
    return types.int64(lanes, values, word, wanted, word, mask, word), generate


@intrinsic  # type: ignore[untyped-decorator]
def _copy(typing_context: Any, out: Any, to: Any, source: Any, at: Any, count: Any) -> Any:
    """out[to : to + count] = source[at : at + count]; the two must not overlap."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, to, source, at, count = arguments
        there, here = (make_array(kind)(context, builder, array).data for kind, array in
                       zip((signature.args[0], signature.args[2]), (out, source), strict=True))  # fmt: skip
        size = signature.args[0].dtype.bitwidth // 8
        cgutils.raw_memcpy(builder, builder.gep(there, [to]), builder.gep(here, [at]), count, size)
        return context.get_dummy_value()

    word = types.uint64
    return types.void(out, word, source, word, word), generate


# The types of these functions for their callers: a type checker cannot see through `intrinsic`.
_Word = np.uint64
gate_block: Callable[[Lanes, Words, _Word, Words, _Word, Words, _Word, Words, _Word, Words, _Word], _Word]
gate_block = _gate_block
and_block: Callable[[Lanes, Words, _Word, Words, _Word, Words, _Word, Words, _Word], _Word] = _and_block
xor_block: Callable[[Lanes, Words, _Word, Words, _Word, Words, _Word], None] = _xor_block
seen_block: Callable[[Lanes, Words, _Word, Words, _Word, Words, _Word, Words, _Word], None] = _seen_block
wrong_block: Callable[[Lanes, Words, _Word, Words, _Word, Words, _Word], np.int64] = _wrong_block
seen_balance: Callable[
    [Lanes, Words, Words, _Word, Words, _Word, _Word, Words, _Word], tuple[np.int64, np.int64]
] = _seen_balance
copy: Callable[[Entries, _Word, Entries, _Word, _Word], None] = _copy


@internal
def copy_columns(
    values: Words, wanted: Words, words: _Word, sample: Words, inputs: _Word, first: _Word
) -> None:
    """Copy up to `words` words of each column of a sample, from word `first` on, into flat arrays.

    The first `inputs` columns go to `values`, the columns of the outputs, which follow, to `wanted`; in both
    a column takes `words` words.
    """
    for column in range(np.uint64(sample.shape[0])):
        for w in range(first, min(first + words, np.uint64(sample.shape[1]))):
            if column < inputs:
                values[column * words + w - first] = sample[column, w]
            else:
                wanted[(column - inputs) * words + w - first] = sample[column, w]


@inlined
def gate_columns(
    lanes: Lanes, out: Words, at: _Word, old: Words, xs: Words, i: _Word, ys: Words, j: _Word,
    gates: Words, gate: _Word, start: _Word, end: _Word,
) -> _Word:  # fmt: skip
    """`gate_block` for the words from start to end of columns; the old column begins at the same index."""
    different = np.uint64(0)
    for w in range(start, end, np.uint64(len(lanes))):
        different |= gate_block(lanes, out, at + w, old, at + w, xs, i + w, ys, j + w, gates, gate)
    return different


@inlined
def wrong_columns(
    lanes: Lanes, values: Words, at: _Word, wanted: Words, o: _Word, mask: Words, start: _Word, end: _Word
) -> np.int64:
    """`wrong_block` summed over the words from start to end of columns; mask has the layout of wanted."""
    wrong = np.int64(0)
    for w in range(start, end, np.uint64(len(lanes))):
        wrong += wrong_block(lanes, values, at + w, wanted, o + w, mask, o + w)
    return wrong


@internal
def apply_gate(a: Words, b: Words, c: Words, anf: Words, arity: Int, result: Words) -> None:
    """result = gate(a, b, c), word by word, from the coefficients `anf` of the gate's algebraic normal form.

    With the normal form one loop serves all gates, without a branch for each.
    """
    k0, ka, kb, kab = anf[0], anf[1], anf[2], anf[3]
    if arity < 3:
        if k0 | ka | kb == np.uint64(0):
            for w in range(result.size):
                result[w] = a[w] & b[w] & kab
        else:
            for w in range(result.size):
                result[w] = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        return
    kc, kac, kbc, kabc = anf[4], anf[5], anf[6], anf[7]
    for w in range(result.size):
        without = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        factor = kc ^ (kac & a[w]) ^ (b[w] & (kbc ^ (kabc & a[w])))
        result[w] = without ^ (c[w] & factor)
