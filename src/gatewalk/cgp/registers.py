"""The random stream held in registers while a kernel runs.

Word for word the stream of `gatewalk.stream`; but its four words are local variables, which the
compiler keeps out of memory: a loop that also writes to arrays would store and load them at
every draw, since it cannot know that the arrays do not overlap.
"""

from __future__ import annotations

import numpy as np

from gatewalk.jit import inlined
from gatewalk.stream import State, fits

Registers = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@inlined
def load(stream: State) -> Registers:
    """Take the stream out of its array."""
    return stream[0], stream[1], stream[2], stream[3]


@inlined
def store(stream: State, registers: Registers) -> None:
    """Put the stream back."""
    stream[0], stream[1], stream[2], stream[3] = registers


@inlined
def next_word(registers: Registers) -> tuple[np.uint64, Registers]:
    """The next 64 random bits."""
    a, b, c, d = registers
    total = a + d
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << np.uint64(45)) | (d >> np.uint64(19))
    return word, (a, b, c, d)


@inlined
def draw_again(
    registers: Registers, word: np.uint64, product: np.uint64, bound: np.uint64
) -> tuple[np.uint64, np.uint64, Registers]:
    """A word and its product with the bound, drawn until they fit; rare."""
    while not fits(product, bound):
        word, registers = next_word(registers)
        product = (word >> _HALF) * bound
    return word, product, registers


@inlined
def pick(registers: Registers, bound: np.uint64) -> tuple[np.uint64, np.uint64, Registers]:
    """An integer uniform on [0, bound) and the unused lower half of its word."""
    word, registers = next_word(registers)
    product = (word >> _HALF) * bound
    if product & _LOW < bound:
        word, product, registers = draw_again(registers, word, product, bound)
    return product >> _HALF, word & _LOW, registers


@inlined
def below_from(registers: Registers, half: np.uint64, bound: np.uint64) -> tuple[np.uint64, Registers]:
    """An integer uniform on [0, bound) from a spare half word, from fresh words if that is rejected."""
    product = half * bound
    if product & _LOW < bound:
        _, product, registers = draw_again(registers, half, product, bound)
    return product >> _HALF, registers
