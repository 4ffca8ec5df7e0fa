"""A linear functional of the solution of an integer system, as an exact fraction, by p-adic lifting.

Dixon (1982): with C the inverse of A modulo p, the digits of x = A^-1 b in base p are
c_k = C r_k mod p with r_0 = b, r_{k+1} = (r_k - A c_k) / p. A linear functional of x, known modulo
p^k, is turned into a fraction by the extended Euclidean algorithm. It is accepted when it stays the
same with `SURE` more bits, which a wrong one does with probability below 2^-SURE.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import kernel

PRIME = 268_435_399  # the largest prime below 2^28
SURE = 128
_LIMB = 24
_HALF = 14

Integers = NDArray[Any]  # an object array of Python integers


def functional(matrix: Integers, right: Integers, weights: Integers) -> Fraction:
    """weights · x with matrix x = right, exactly. The matrix must be regular modulo `PRIME`."""
    size = right.size
    inverse = _inverse(np.array(matrix % PRIME, dtype=np.int64), PRIME)
    high, low = inverse >> _HALF, inverse & ((1 << _HALF) - 1)
    limbs = _limbs(matrix)
    residue = right.copy()
    value, power, checked = 0, 1, 64
    found: Fraction | None = None
    while True:
        part = np.array(residue % PRIME, dtype=np.int64)
        digit = ((high @ part % PRIME << _HALF) + low @ part % PRIME) % PRIME
        value += power * int(weights @ digit.astype(object))
        power *= PRIME
        product = sum((limb @ digit).astype(object) << _LIMB * k for k, limb in enumerate(limbs))
        residue = (residue - product) // PRIME
        if power.bit_length() >= checked:
            again = _reconstructed(value % power, power)
            if again is not None and again == found:
                return again
            found = again
            checked = power.bit_length() + (SURE if again is not None else checked // 2)
        if not residue.any():
            return Fraction(value)
        if power.bit_length() > 400 * size * max(8, int(matrix.max()).bit_length()):
            raise ArithmeticError("no fraction found: the system is singular")


def _limbs(matrix: Integers) -> list[NDArray[np.int64]]:
    """Signed digits of every entry in base 2^24, lowest first."""
    limbs = []
    sign = np.where(matrix < 0, -1, 1).astype(np.int64)
    rest: Integers = np.abs(matrix)
    while rest.any():
        limbs.append((rest & ((1 << _LIMB) - 1)).astype(np.int64) * sign)
        rest = rest >> _LIMB
    return limbs


def _reconstructed(residue: int, modulus: int) -> Fraction | None:
    """The fraction a/b with |a|, b <= sqrt(modulus / 2) that is `residue` modulo `modulus`, if any."""
    bound = isqrt(modulus // 2)
    before, now = (modulus, 0), (residue, 1)
    while now[0] > bound:
        times = before[0] // now[0]
        before, now = now, (before[0] - times * now[0], before[1] - times * now[1])
    if abs(now[1]) > bound or now[1] == 0:
        return None
    return Fraction(now[0], now[1])


@kernel
def _inverse(matrix: NDArray[np.int64], prime: int) -> NDArray[np.int64]:
    """The inverse of a matrix modulo a prime below 2^31, by Gauss-Jordan elimination."""
    size = matrix.shape[0]
    wide = np.zeros((size, 2 * size), dtype=np.int64)
    wide[:, :size] = matrix
    for row in range(size):
        wide[row, size + row] = 1
    for column in range(size):
        pivot = column
        while pivot < size and wide[pivot, column] == 0:
            pivot += 1
        if pivot == size:
            raise ArithmeticError("the system is singular")
        if pivot != column:
            for k in range(2 * size):
                wide[pivot, k], wide[column, k] = wide[column, k], wide[pivot, k]
        factor = np.int64(1)
        base, exponent = wide[column, column], prime - 2
        while exponent:
            if exponent & 1:
                factor = factor * base % prime
            base = base * base % prime
            exponent >>= 1
        for k in range(column, 2 * size):
            wide[column, k] = wide[column, k] * factor % prime
        for row in range(size):
            if row != column and wide[row, column]:
                times = prime - wide[row, column]
                for k in range(column, 2 * size):
                    wide[row, k] = (wide[row, k] + times * wide[column, k]) % prime
    return wide[:, size:].copy()
