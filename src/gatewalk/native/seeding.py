"""Seeding the random stream of a run in a kernel: numpy's SeedSequence, bit for bit.

After M. E. O'Neill's `seed_seq_fe` ("Developing a seed_seq alternative", 2015), with the constants and the
order that numpy documents as stable. Only the part that streams need is here: a pool of four words, and a
state of four 64-bit words. `tests/native/test_seeding.py` compares it with numpy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import inlined
from gatewalk.native.registers import Registers

POOL = 4  # words of the pool into which all entropy is mixed
Entropy = NDArray[np.uint32]
Pool = tuple[np.uint32, np.uint32, np.uint32, np.uint32]

_INIT_A, _MULT_A = np.uint32(0x43B0D7E5), np.uint32(0x931E8875)
_INIT_B, _MULT_B = np.uint32(0x8B51F9DD), np.uint32(0x58F38DED)
_MIX_L, _MIX_R = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_SHIFT = np.uint32(16)
_WORD = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def words_of(number: int) -> list[int]:
    """A number as 32-bit words, the lowest first; zero gives one word."""
    words = [number & 0xFFFFFFFF]
    while number := number >> 32:
        words.append(number & 0xFFFFFFFF)
    return words


def entropy_of(seed: int, *key: int) -> Entropy:
    """The words that `SeedSequence(seed, spawn_key=(*key, run))` mixes into its pool before `run`."""
    words = words_of(seed)
    words += [0] * (POOL - len(words))
    for part in key:
        words += words_of(part)
    return np.array(words, dtype=np.uint32)


@inlined
def _hashed(value: np.uint32, constant: np.uint32) -> tuple[np.uint32, np.uint32]:
    value = np.uint32(value ^ constant)
    constant = np.uint32(constant * _MULT_A)
    value = np.uint32(value * constant)
    return np.uint32(value ^ (value >> _SHIFT)), constant


@inlined
def _mixed(x: np.uint32, y: np.uint32) -> np.uint32:
    result = np.uint32(np.uint32(_MIX_L * x) - np.uint32(_MIX_R * y))
    return np.uint32(result ^ (result >> _SHIFT))


@inlined
def _absorbed(pool: Pool, word: np.uint32, constant: np.uint32) -> tuple[Pool, np.uint32]:
    """Mix one more word into every word of the pool."""
    a, b, c, d = pool
    hashed, constant = _hashed(word, constant)
    a = _mixed(a, hashed)
    hashed, constant = _hashed(word, constant)
    b = _mixed(b, hashed)
    hashed, constant = _hashed(word, constant)
    c = _mixed(c, hashed)
    hashed, constant = _hashed(word, constant)
    return (a, b, c, _mixed(d, hashed)), constant


@inlined
def _output(word: np.uint32, constant: np.uint32) -> tuple[np.uint64, np.uint32]:
    """The next word of the state."""
    value = np.uint32(word ^ constant)
    constant = np.uint32(constant * _MULT_B)
    value = np.uint32(value * constant)
    return np.uint64(np.uint32(value ^ (value >> _SHIFT))), constant


@inlined
def _pool_of(entropy: Entropy, run: np.uint64) -> tuple[Pool, np.uint32]:
    """The pool of `SeedSequence(seed, spawn_key=(*key, run))`, and the hash constant for a further word."""
    constant = _INIT_A
    a, constant = _hashed(entropy[0], constant)
    b, constant = _hashed(entropy[1], constant)
    c, constant = _hashed(entropy[2], constant)
    d, constant = _hashed(entropy[3], constant)
    # Mix every word of the pool into every other one.
    hashed, constant = _hashed(a, constant)
    b = _mixed(b, hashed)
    hashed, constant = _hashed(a, constant)
    c = _mixed(c, hashed)
    hashed, constant = _hashed(a, constant)
    d = _mixed(d, hashed)
    hashed, constant = _hashed(b, constant)
    a = _mixed(a, hashed)
    hashed, constant = _hashed(b, constant)
    c = _mixed(c, hashed)
    hashed, constant = _hashed(b, constant)
    d = _mixed(d, hashed)
    hashed, constant = _hashed(c, constant)
    a = _mixed(a, hashed)
    hashed, constant = _hashed(c, constant)
    b = _mixed(b, hashed)
    hashed, constant = _hashed(c, constant)
    d = _mixed(d, hashed)
    hashed, constant = _hashed(d, constant)
    a = _mixed(a, hashed)
    hashed, constant = _hashed(d, constant)
    b = _mixed(b, hashed)
    hashed, constant = _hashed(d, constant)
    c = _mixed(c, hashed)
    pool = (a, b, c, d)
    for place in range(POOL, entropy.size):
        pool, constant = _absorbed(pool, entropy[place], constant)
    pool, constant = _absorbed(pool, np.uint32(run & _LOW), constant)
    if run >> _WORD != np.uint64(0):
        pool, constant = _absorbed(pool, np.uint32(run >> _WORD), constant)
    return pool, constant


@inlined
def _state_of(pool: Pool) -> Registers:
    """`SeedSequence.generate_state(4, np.uint64)`."""
    constant = _INIT_B
    w0, constant = _output(pool[0], constant)
    w1, constant = _output(pool[1], constant)
    w2, constant = _output(pool[2], constant)
    w3, constant = _output(pool[3], constant)
    w4, constant = _output(pool[0], constant)
    w5, constant = _output(pool[1], constant)
    w6, constant = _output(pool[2], constant)
    w7, constant = _output(pool[3], constant)
    return w0 | w1 << _WORD, w2 | w3 << _WORD, w4 | w5 << _WORD, w6 | w7 << _WORD


@inlined
def seeded(entropy: Entropy, run: np.uint64) -> Registers:
    """The stream of a run: four words from `SeedSequence(seed, spawn_key=(*key, run)).generate_state`."""
    pool, _ = _pool_of(entropy, run)
    return _state_of(pool)


@inlined
def child_seeded(entropy: Entropy, run: np.uint64, child: np.uint32) -> Registers:
    """As `seeded`, for a child of the run: `SeedSequence(seed, spawn_key=(*key, run, child))`."""
    pool, constant = _pool_of(entropy, run)
    pool, _ = _absorbed(pool, child, constant)
    return _state_of(pool)
