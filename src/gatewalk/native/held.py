"""Words that a kernel changes behind a name: types of Numba's with methods, held in the frame of a loop.

Functions that users write get objects, such as `random`, whose state changes from call to call. Such an
object is a pointer to a few words in the stack frame of the kernel. All methods, and the user's function, are
merged into the kernel, so no pointer is left after that: the compiler keeps the words in the processor's
registers, as if the state had been passed from call to call. Held in an array it would cost a seventh of the
speed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, models, overload, overload_attribute, overload_method, register_model

from gatewalk.native.jit import MERGED

_WORD = ir.IntType(64)


class Held(types.Type):  # type: ignore[misc]
    """The type of an object of `words` words of 64 bits; every kind of object has a class of its own."""

    words = 0

    def __init__(self) -> None:
        super().__init__(name=f"gatewalk.{type(self).__name__}")


class _HeldModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, ir.ArrayType(_WORD, fe_type.words).as_pointer())


def holder(kind: Held) -> Any:
    """Register a kind of object; returns the function for kernels that makes one from a tuple of its words.

    The words are in the frame of the function that calls it, which therefore must not return the object.
    """
    register_model(type(kind))(_HeldModel)

    @intrinsic
    def hold(typing, words):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            pointer = cgutils.alloca_once(builder, ir.ArrayType(_WORD, kind.words))
            for place, word in enumerate(cgutils.unpack_tuple(builder, arguments[0], kind.words)):
                builder.store(word, cgutils.gep_inbounds(builder, pointer, 0, place))
            return pointer

        return kind(words), generate

    return hold


@intrinsic
def word_of(typing, held, place):  # type: ignore[no-untyped-def]
    """A word of an object; `place` is a constant."""
    if not isinstance(place, types.IntegerLiteral):
        return None  # Numba then asks again, with the constant

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        return builder.load(cgutils.gep_inbounds(builder, arguments[0], 0, place.literal_value))

    return types.uint64(held, place), generate


@intrinsic
def set_word(typing, held, place, word):  # type: ignore[no-untyped-def]
    """Change a word of an object; `place` is a constant."""
    if not isinstance(place, types.IntegerLiteral):
        return None

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        builder.store(arguments[2], cgutils.gep_inbounds(builder, arguments[0], 0, place.literal_value))
        return context.get_dummy_value()

    return types.none(held, place, types.uint64), generate


@intrinsic
def constant_at(typing, array, place):  # type: ignore[no-untyped-def]
    """array[place] of an array that no kernel writes to, so that the compiler may read an entry only once."""

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
        loaded = builder.load(builder.gep(data, [arguments[1]]))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    return array.dtype(array, types.uint64), generate


def whole(number: Any) -> Any:
    """A whole number as an unsigned word, so that a negative one is out of every range."""
    raise TypeError("a part of kernels: call it from a kernel")


@overload(whole, jit_options=MERGED)
def _whole(number):  # type: ignore[no-untyped-def]
    if not isinstance(number, types.Integer):
        raise TypingError(f"a gene, a value or a bound must be a whole number, not {number}")
    return lambda number: types.uint64(number)


def method(kind: type, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function a method of objects of this type, in kernels."""
    return _registering(overload_method, kind, name)


def attribute(kind: type, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of an object of this type an attribute of it, in kernels."""
    return _registering(overload_attribute, kind, name)


def _registering(
    overload_as: Any, kind: type, name: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        def chosen(*kinds: Any) -> Any:
            return function

        chosen.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        overload_as(kind, name, jit_options=MERGED)(chosen)
        return function

    return register
