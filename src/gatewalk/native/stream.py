"""The random stream of `registers` kept in an array of four words, for kernels that pass it to each other."""

from __future__ import annotations

import numpy as np

from gatewalk.native import registers
from gatewalk.native.jit import hot_kernel
from gatewalk.native.registers import State, load, store

_TOP = np.uint64(63)


@hot_kernel
def next_word(state: State) -> np.uint64:
    """The next 64 random bits."""
    word, held = registers.next_word(load(state))
    store(state, held)
    return word


@hot_kernel
def pick(state: State, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """An integer uniform on [0, bound) and the unused lower half of its word (bound < 2^32)."""
    value, spare, held = registers.pick(load(state), bound)
    store(state, held)
    return value, spare


@hot_kernel
def below(state: State, bound: np.uint64) -> np.uint64:
    """An integer uniform on [0, bound), bound < 2^32, from a fresh word."""
    return pick(state, bound)[0]


@hot_kernel
def below_from(state: State, half: np.uint64, bound: np.uint64) -> np.uint64:
    """An integer uniform on [0, bound) from an unused half word, or from fresh words if that is rejected."""
    value, held = registers.below_from(load(state), half, bound)
    store(state, held)
    return value


@hot_kernel
def coin(state: State) -> bool:
    """True with probability 1/2."""
    return bool((next_word(state) >> _TOP) == np.uint64(1))


@hot_kernel
def unit(state: State) -> float:
    """A float uniform on the multiples of 2^-53 in [0, 1)."""
    value, held = registers.unit(load(state))
    store(state, held)
    return value
