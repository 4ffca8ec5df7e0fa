"""The random stream of every kernel: xoshiro256++ and unbiased bounded integers.

Generator: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
Bounded integers: Lemire, "Fast random integer generation in an interval", 2019, on 32 bits:
the upper half of a word draws one integer, the lower half, independent of it, may draw
another. `gatewalk.reference.stream` is the same stream in plain Python.

The state of the stream is a tuple of four words, which the compiler keeps in the processor's registers: every
draw takes the tuple and returns the next one. A state in an array would be stored and loaded at every draw of
a loop that writes to other arrays, because the compiler cannot know that the arrays do not overlap. Where
that does not matter, as in kernels for trees, `draw_*` make the same draws from an array of four words, which
they change.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import hot_kernel, inlined

State = NDArray[np.uint64]  # the stream in memory: four words, changed in place
Registers = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_HALF, _TOP = np.uint64(32), np.uint64(63)
_LOW = np.uint64(0xFFFFFFFF)


@inlined
def load(stream: State) -> Registers:
    """The state of the stream, read from its array."""
    return stream[0], stream[1], stream[2], stream[3]


@inlined
def store(stream: State, registers: Registers) -> None:
    """Write the state of the stream to its array."""
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
def fits(product: np.uint64, bound: np.uint64) -> bool:
    """Lemire's test: false for the 2^32 mod bound products that would bias the draw and must be rejected."""
    low = product & _LOW
    return bool(low >= bound or low >= (np.uint64(1) << _HALF) % bound)


@inlined
def draw_again(
    registers: Registers, word: np.uint64, product: np.uint64, bound: np.uint64
) -> tuple[np.uint64, np.uint64, Registers]:
    """A word and the product of its upper half with the bound, drawn again until the product fits; rare."""
    while not fits(product, bound):
        word, registers = next_word(registers)
        product = (word >> _HALF) * bound
    return word, product, registers


@inlined
def pick(registers: Registers, bound: np.uint64) -> tuple[np.uint64, np.uint64, Registers]:
    """An integer uniform on [0, bound) and the unused lower half of its word (bound < 2^32)."""
    word, registers = next_word(registers)
    product = (word >> _HALF) * bound
    if product & _LOW < bound:
        word, product, registers = draw_again(registers, word, product, bound)
    return product >> _HALF, word & _LOW, registers


@inlined
def below_from(registers: Registers, half: np.uint64, bound: np.uint64) -> tuple[np.uint64, Registers]:
    """An integer uniform on [0, bound) from an unused half word, or from fresh words if that is rejected."""
    product = half * bound
    if product & _LOW < bound:
        _, product, registers = draw_again(registers, half, product, bound)
    return product >> _HALF, registers


@inlined
def below(registers: Registers, bound: np.uint64) -> tuple[np.uint64, Registers]:
    """An integer uniform on [0, bound) from a fresh word."""
    value, _, registers = pick(registers, bound)
    return value, registers


@inlined
def unit(registers: Registers) -> tuple[float, Registers]:
    """A float uniform on the multiples of 2^-53 in [0, 1)."""
    word, registers = next_word(registers)
    return float(word >> np.uint64(11)) * (1.0 / 9007199254740992.0), registers


@hot_kernel
def draw_word(state: State) -> np.uint64:
    """`next_word` from an array."""
    word, held = next_word(load(state))
    store(state, held)
    return word


@hot_kernel
def draw_pick(state: State, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """`pick` from an array."""
    value, spare, held = pick(load(state), bound)
    store(state, held)
    return value, spare


@hot_kernel
def draw_below(state: State, bound: np.uint64) -> np.uint64:
    """`below` from an array."""
    return draw_pick(state, bound)[0]


@hot_kernel
def draw_below_from(state: State, half: np.uint64, bound: np.uint64) -> np.uint64:
    """`below_from` from an array."""
    value, held = below_from(load(state), half, bound)
    store(state, held)
    return value


@hot_kernel
def draw_coin(state: State) -> bool:
    """True with probability 1/2."""
    return bool((draw_word(state) >> _TOP) == np.uint64(1))


@hot_kernel
def draw_unit(state: State) -> float:
    """`unit` from an array."""
    value, held = unit(load(state))
    store(state, held)
    return value
