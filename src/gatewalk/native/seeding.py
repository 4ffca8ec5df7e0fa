"""What numpy would draw from a seed, in a kernel and bit for bit: streams of runs, and rows of their samples.

`seeded` gives the state of a run's random stream as numpy's SeedSequence does: M. E. O'Neill's `seed_seq_fe`
("Developing a seed_seq alternative", 2015), with the constants and the order that numpy documents as stable.
Only the part that streams need is here: a pool of four words, and a state of four 64-bit words.

`raw_words` gives the words of numpy's PCG64 for many runs at once, from which sampled training sets are made:
M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
generation", 2014. It is a linear congruential generator of 128 bits, whose two halves are combined and
rotated (XSL-RR).

`tests/native/test_seeding.py` compares both with numpy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.native.stream import Registers

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


Wide = tuple[np.uint64, np.uint64]  # 128 bits: the upper half, the lower half

_TIMES_HIGH, _TIMES_LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)  # the multiplier
_ONE, _TOP, _ROTATION = np.uint64(1), np.uint64(63), np.uint64(58)


@inlined
def _upper(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper half of a product of two words."""
    a1, a0, b1, b0 = a >> _WORD, a & _LOW, b >> _WORD, b & _LOW
    middle = a1 * b0 + (a0 * b0 >> _WORD)
    carried = (middle & _LOW) + a0 * b1
    return a1 * b1 + (middle >> _WORD) + (carried >> _WORD)


@inlined
def _sum(a: Wide, b: Wide) -> Wide:
    low = a[1] + b[1]
    return a[0] + b[0] + np.uint64(low < a[1]), low


@inlined
def _step(state: Wide, increment: Wide) -> Wide:
    """The next state: the multiplier times this one, plus the increment."""
    high, low = state
    product = _upper(low, _TIMES_LOW) + high * _TIMES_LOW + low * _TIMES_HIGH, low * _TIMES_LOW
    return _sum(product, increment)


@inlined
def _pcg_output(state: Wide) -> np.uint64:
    word, turn = state[0] ^ state[1], state[0] >> _ROTATION
    return word >> turn | word << (-turn & _TOP)


@hot_kernel
def raw_words(entropy: Entropy, runs: NDArray[np.uint64], child: Int, words: NDArray[np.uint64]) -> None:
    """Fill words[r] with the first words of PCG64(SeedSequence(seed, spawn_key=(*key, runs[r], child))).

    `entropy` is `entropy_of(seed, *key)`.
    """
    for run in range(words.shape[0]):
        s0, s1, i0, i1 = child_seeded(entropy, runs[run], np.uint32(child))
        increment = (i0 << _ONE | i1 >> _TOP, i1 << _ONE | _ONE)
        state = _step(_sum(increment, (s0, s1)), increment)
        for place in range(words.shape[1]):
            state = _step(state, increment)
            words[run, place] = _pcg_output(state)
